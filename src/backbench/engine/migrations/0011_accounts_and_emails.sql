-- The password of a sign-up no longer counts: anybody can sign up with anybody's address. An account that was never
-- verified gets the password that is sent together with the link of its email.
UPDATE accounts SET password_hash = NULL
WHERE email_verified_at IS NULL AND last_login_at IS NULL AND status IN ('pending', 'suspended');

-- The order of emails: those with links first (priority), and senders in turn: `turn` is the number of emails that the
-- sender, an account or the digest of a client address, had in the outbox when this one was queued.
ALTER TABLE outbox ADD COLUMN priority BIGINT NOT NULL DEFAULT 1;
ALTER TABLE outbox ADD COLUMN sender TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
UPDATE outbox SET priority = 0 WHERE kind IN ('verify', 'resend', 'account_exists', 'reset', 'invitation');
UPDATE outbox SET priority = 2 WHERE kind = 'feedback';
CREATE INDEX outbox_next ON outbox (priority, turn, due_at, id) WHERE failed_at IS NULL;
CREATE INDEX outbox_sender ON outbox (sender) WHERE failed_at IS NULL;

-- Browsers that have signed in: attempts from others do not lock them out. secret_hash: SHA-256 of the cookie.
CREATE TABLE devices (
    secret_hash TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    expires_at TEXT NOT NULL
);
CREATE INDEX devices_account ON devices (account_id);
CREATE INDEX devices_expires ON devices (expires_at);
