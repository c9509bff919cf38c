-- Usable from 23.
-- Feeds of due days. Only the SHA-256 of the secret in a feed's address is stored. A feed ends when its maker leaves.
CREATE TABLE calendars (
    id TEXT NOT NULL PRIMARY KEY,
    workshop_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    name TEXT NOT NULL,
    shows TEXT NOT NULL,
    names TEXT NOT NULL,
    secret_hash TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    FOREIGN KEY (workshop_id, account_id) REFERENCES members (workshop_id, account_id) ON DELETE CASCADE
);
CREATE INDEX calendars_member ON calendars (workshop_id, account_id);
CREATE INDEX calendars_account ON calendars (account_id);

-- When the details of an order changed last. NULL: not since they have this column.
ALTER TABLE order_details ADD COLUMN changed_at TEXT;
