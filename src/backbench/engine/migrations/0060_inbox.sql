-- Usable from 23.
-- The items of the inbox are read from what they are about; only what people did with them is stored.
-- One row for each estimate or order and kind: the item that was dismissed last, as it was.
CREATE TABLE inbox_dismissals (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    object_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    item_at TEXT NOT NULL,
    PRIMARY KEY (workshop_id, kind, object_id)
);

-- The ids of the items that a member has read, as JSON. They go when the member leaves.
CREATE TABLE inbox_reads (
    workshop_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    item_ids TEXT NOT NULL,
    PRIMARY KEY (workshop_id, account_id),
    FOREIGN KEY (workshop_id, account_id) REFERENCES members (workshop_id, account_id) ON DELETE CASCADE
);
CREATE INDEX inbox_reads_account ON inbox_reads (account_id, workshop_id);

CREATE INDEX order_questions_workshop ON order_questions (workshop_id, order_id, at, id);
