-- status_history: the entries as JSON text, appended to in the same statement that moves the order.
CREATE TABLE orders (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    customer_name TEXT NOT NULL,
    notes TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('todo', 'in_progress', 'done')),
    last_activity_at TEXT NOT NULL,
    status_history TEXT NOT NULL,
    title_folded TEXT NOT NULL,
    customer_folded TEXT NOT NULL,
    PRIMARY KEY (workshop_id, created_at, id)
);

-- SQLite has a function of this name; lists of orders are built as JSON in SQL.
CREATE FUNCTION json_quote(value TEXT) RETURNS TEXT
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN to_json(value)::text;
