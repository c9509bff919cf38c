-- Usable from 23.
-- Questions that customers ask on the status page of an order, and the answers of members.
CREATE TABLE order_questions (
    workshop_id TEXT COLLATE "C" NOT NULL,
    order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    at TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    author TEXT COLLATE "C" NOT NULL CHECK (author IN ('customer', 'member')),
    author_uid TEXT COLLATE "C",
    name TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (order_id, at, id)
);

-- What customers have been informed of about an order.
CREATE TABLE order_notices (
    workshop_id TEXT COLLATE "C" NOT NULL,
    order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    at TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('received', 'waiting', 'delayed', 'ready', 'reminder')),
    channel TEXT COLLATE "C" NOT NULL CHECK (channel IN ('message-copied', 'message-shared', 'email-opened', 'called')),
    by_uid TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (order_id, at, id)
);

-- They count as data of the workshop (docs/decisions/0025).
CREATE FUNCTION data_bytes(entry order_questions) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT (500 + octet_length(entry.name) + octet_length(entry.text))::bigint
$$;
CREATE FUNCTION data_bytes(entry order_notices) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT 300::bigint
$$;
CREATE TRIGGER order_questions_data AFTER INSERT OR DELETE ON order_questions FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE CONSTRAINT TRIGGER order_questions_data_added AFTER INSERT OR DELETE ON order_questions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (coalesce(current_setting('backbench.uncounted', true), '') = '') EXECUTE FUNCTION add_uncounted();
CREATE TRIGGER order_notices_data AFTER INSERT OR DELETE ON order_notices FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE CONSTRAINT TRIGGER order_notices_data_added AFTER INSERT OR DELETE ON order_notices
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (coalesce(current_setting('backbench.uncounted', true), '') = '') EXECUTE FUNCTION add_uncounted();
