-- Usable from 23.
-- The key pair of the installation for push messages (RFC 8292), made when the first browser asks for it: one row.
CREATE TABLE push_keys (
    id TEXT NOT NULL PRIMARY KEY CHECK (id = 'vapid'),
    private_key TEXT NOT NULL,
    public_key TEXT NOT NULL
);

-- Browsers that get messages of an account. One ends with its session. `kinds` is a JSON list.
CREATE TABLE push_subscriptions (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    endpoint TEXT NOT NULL UNIQUE,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    kinds TEXT NOT NULL,
    details BIGINT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX push_subscriptions_account ON push_subscriptions (account_id);
CREATE INDEX push_subscriptions_session ON push_subscriptions (session_id);

-- How far the log of a workshop was read for its subscribers, and when they hear next of what waits.
CREATE TABLE push_watches (
    workshop_id TEXT NOT NULL PRIMARY KEY REFERENCES workshops (id) ON DELETE CASCADE,
    read_version BIGINT NOT NULL,
    next_morning TEXT
);

-- What a subscription is to hear of, without its words: those are made when it is sent. `matter` is the kind and what it
-- is about. `next_attempt_at` is NULL once it is settled.
CREATE TABLE push_messages (
    subscription_id TEXT NOT NULL REFERENCES push_subscriptions (id) ON DELETE CASCADE,
    matter TEXT NOT NULL,
    workshop_id TEXT REFERENCES workshops (id) ON DELETE CASCADE,
    object_id TEXT,
    at TEXT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    next_attempt_at TEXT,
    PRIMARY KEY (subscription_id, matter)
);
CREATE INDEX push_messages_due ON push_messages (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX push_messages_workshop ON push_messages (workshop_id);
CREATE INDEX push_messages_old ON push_messages (at);
