-- The version of each workshop: how many changes it has had. Every write that changes something of a workshop takes the
-- next version as the last statement of its transaction, so versions have no gaps and follow the order of commits.
-- history names the database history: a restored backup gets another one, so that cursors from before are recognized.
-- last_entry_id is the audit entry of the present version; it recognizes a database that lost its latest changes.
ALTER TABLE workshop_counters ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE workshop_counters ADD COLUMN history TEXT NOT NULL DEFAULT '';
ALTER TABLE workshop_counters ADD COLUMN last_entry_id TEXT NOT NULL DEFAULT '';

-- actor_uid is NULL for the host, the payment provider and clients. Entries from before are numbered by their time.
CREATE TABLE versioned_audit_entries (
    workshop_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_uid TEXT,
    session_id TEXT,
    key_id TEXT,
    action TEXT NOT NULL,
    object_id TEXT NOT NULL,
    PRIMARY KEY (workshop_id, version)
) WITHOUT ROWID;

INSERT INTO versioned_audit_entries
SELECT workshop_id, row_number() OVER (PARTITION BY workshop_id ORDER BY at, id), id, at,
    CASE WHEN key_id IS NULL THEN 'account' ELSE 'key' END, actor_uid, session_id, key_id, action, object_id
FROM audit_entries;

-- Its triggers go with the table: the entries are counted by the statement that takes their version.
DROP TABLE audit_entries;
ALTER TABLE versioned_audit_entries RENAME TO audit_entries;

UPDATE workshop_counters SET
    history = lower(hex(randomblob(8))),
    version = coalesce((
        SELECT max(a.version) FROM audit_entries a WHERE a.workshop_id = workshop_counters.workshop_id
    ), 0),
    last_entry_id = coalesce((
        SELECT a.id FROM audit_entries a WHERE a.workshop_id = workshop_counters.workshop_id
        ORDER BY a.version DESC LIMIT 1
    ), '');
