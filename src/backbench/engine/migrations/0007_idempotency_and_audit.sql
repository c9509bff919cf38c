-- Stored responses of requests with an Idempotency-Key. status is NULL while the first request is in progress.
CREATE TABLE idempotency_keys (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    request TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status BIGINT,
    body TEXT,
    ends_at TEXT NOT NULL,
    PRIMARY KEY (account_id, request, key_hash)
);
CREATE INDEX idempotency_keys_ends ON idempotency_keys (ends_at);

-- The audit trail: who did what to which workshop, when, through which session or key. No secrets, no content.
-- Rows remain when an account is deleted, so they do not reference accounts.
CREATE TABLE audit_entries (
    workshop_id TEXT NOT NULL,
    at TEXT NOT NULL,
    id TEXT NOT NULL,
    actor_uid TEXT NOT NULL,
    session_id TEXT,
    key_id TEXT,
    action TEXT NOT NULL,
    object_id TEXT NOT NULL,
    PRIMARY KEY (workshop_id, at, id)
);
