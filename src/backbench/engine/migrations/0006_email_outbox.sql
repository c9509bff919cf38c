CREATE TABLE invitations (
    id TEXT NOT NULL PRIMARY KEY,
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    -- Remains when the inviting account is deleted.
    invited_by TEXT NOT NULL,
    UNIQUE (workshop_id, email_key)
);
CREATE INDEX invitations_email ON invitations (email_key);
CREATE INDEX invitations_expires ON invitations (expires_at);

-- Single-use tokens, sent in an email or with a redirect to Google.
-- secret_hash: SHA-256 of the token; the token itself is not stored. details: JSON, of a shape that depends on the purpose.
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

-- The email outbox. A worker that claims an email moves due_at forward; if the worker stops, the email is due again then.
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

-- For the regular deletion of sign-ups that were not confirmed.
CREATE INDEX accounts_pending ON accounts (created_at) WHERE status = 'pending';
