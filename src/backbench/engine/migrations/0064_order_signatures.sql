-- Usable from 23.
-- What customers sign when they hand a thing over, as it was drawn: `strokes` is JSON, lists of points [x, y].
CREATE TABLE order_signatures (
    workshop_id TEXT NOT NULL,
    order_id TEXT NOT NULL PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    strokes TEXT NOT NULL,
    name TEXT,
    signed_at TEXT NOT NULL
);
CREATE INDEX order_signatures_workshop ON order_signatures (workshop_id, order_id);
