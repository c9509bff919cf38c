-- Usable from 23.
-- Addresses of other programs that hear of changes. `events` is a JSON list. `read_version`: up to it, the entries of the
-- workshop's log have their deliveries.
CREATE TABLE webhooks (
    id TEXT NOT NULL PRIMARY KEY,
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    description TEXT,
    enabled BIGINT NOT NULL DEFAULT 1,
    disabled_reason TEXT,
    secret TEXT NOT NULL,
    old_secret TEXT,
    old_until TEXT,
    read_version BIGINT NOT NULL,
    failing_since TEXT,
    created_at TEXT NOT NULL
);
CREATE INDEX webhooks_workshop ON webhooks (workshop_id);

CREATE TABLE webhook_deliveries (
    id TEXT NOT NULL PRIMARY KEY,
    webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    workshop_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    event TEXT NOT NULL,
    object_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    at TEXT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'pending',
    response_status BIGINT,
    next_attempt_at TEXT NOT NULL
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (at);
