CREATE TABLE invitations (
    id TEXT NOT NULL PRIMARY KEY,
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    -- Stays when the account that invited goes.
    invited_by TEXT NOT NULL,
    UNIQUE (workshop_id, email_key)
);
CREATE INDEX invitations_email ON invitations (email_key);
CREATE INDEX invitations_expires ON invitations (expires_at);

-- Single-use secrets that leave the house, in a mail or with a browser that is sent to Google.
-- secret_hash: SHA-256; the secret itself is nowhere. details: JSON, of the shape that the purpose needs.
CREATE TABLE tokens (
    secret_hash TEXT NOT NULL PRIMARY KEY,
    purpose TEXT NOT NULL CHECK (purpose IN ('verify', 'reset', 'invitation', 'google')),
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    invitation_id TEXT REFERENCES invitations (id) ON DELETE CASCADE,
    details TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
CREATE INDEX tokens_account ON tokens (account_id, purpose);
CREATE INDEX tokens_invitation ON tokens (invitation_id);
CREATE INDEX tokens_expires ON tokens (expires_at);

-- Mails to be sent. A worker that takes one moves due_at on; one that dies leaves it to become due again.
CREATE TABLE outbox (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    email TEXT NOT NULL,
    locale TEXT NOT NULL CHECK (locale IN ('en', 'pl')),
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    invitation_id TEXT REFERENCES invitations (id) ON DELETE CASCADE,
    details TEXT NOT NULL,
    created_at TEXT NOT NULL,
    due_at TEXT NOT NULL,
    tries BIGINT NOT NULL,
    failed_at TEXT,
    last_error TEXT
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE failed_at IS NULL;
CREATE INDEX outbox_account ON outbox (account_id);
CREATE INDEX outbox_invitation ON outbox (invitation_id);

-- Sign-ups that nobody confirmed are looked for now and then.
CREATE INDEX accounts_pending ON accounts (created_at) WHERE status = 'pending';
