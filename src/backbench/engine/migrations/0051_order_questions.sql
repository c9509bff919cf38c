-- Usable from 23.
-- Questions that customers ask on the status page of an order, and the answers of members.
CREATE TABLE order_questions (
    workshop_id TEXT NOT NULL,
    order_id TEXT NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    author TEXT NOT NULL CHECK (author IN ('customer', 'member')),
    author_uid TEXT,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (order_id, at, id)
);

-- What customers have been informed of about an order.
CREATE TABLE order_notices (
    workshop_id TEXT NOT NULL,
    order_id TEXT NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('received', 'waiting', 'delayed', 'ready', 'reminder')),
    channel TEXT NOT NULL CHECK (channel IN ('message-copied', 'message-shared', 'email-opened', 'called')),
    by_uid TEXT NOT NULL,
    PRIMARY KEY (order_id, at, id)
);
