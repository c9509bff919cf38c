CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    locale TEXT NOT NULL CHECK (locale IN ('en', 'pl')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'suspended', 'deleted')),
    password_hash TEXT,
    email_verified_at TEXT,
    terms_version TEXT,
    terms_accepted_at TEXT,
    last_login_at TEXT,
    created_at TEXT NOT NULL
);

CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    provider TEXT NOT NULL CHECK (provider = 'google'),
    linked_at TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_account ON identities (account_id);

-- secret_hash: SHA-256 of the cookie; the cookie itself is not stored.
CREATE TABLE sessions (
    secret_hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    user_agent TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    idle_until TEXT NOT NULL,
    ends_at TEXT NOT NULL
);
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_idle ON sessions (idle_until);

CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    secret_hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    scopes TEXT NOT NULL,
    workshop_id TEXT,
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    expires_at TEXT,
    revoked_at TEXT
);
CREATE INDEX api_keys_account ON api_keys (account_id, created_at);

-- Rate limits: one row per key (counted) and window; rows whose window has ended are deleted.
CREATE TABLE attempts (
    counted TEXT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL,
    ends_at TEXT NOT NULL
);
CREATE INDEX attempts_ends ON attempts (ends_at);

CREATE TABLE feedback (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('feedback', 'support')),
    title TEXT NOT NULL,
    message TEXT NOT NULL,
    email TEXT NOT NULL,
    locale TEXT NOT NULL,
    path TEXT,
    user_agent TEXT,
    created_at TEXT NOT NULL
);
CREATE INDEX feedback_account ON feedback (account_id, created_at);
