-- The version of each workshop: how many changes it has had. Every write that changes something of a workshop takes the
-- next version as the last statement of its transaction, so versions have no gaps and follow the order of commits.
-- history names the database history: a restored backup gets another one, so that cursors from before are recognized.
-- last_entry_id is the audit entry of the present version; it recognizes a database that lost its latest changes.
CREATE TABLE workshop_versions (
    workshop_id TEXT PRIMARY KEY REFERENCES workshops (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    history TEXT NOT NULL,
    last_entry_id TEXT NOT NULL
) WITHOUT ROWID;

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

DROP TABLE audit_entries;
ALTER TABLE versioned_audit_entries RENAME TO audit_entries;

INSERT INTO workshop_versions
SELECT w.id, coalesce(max(a.version), 0), lower(hex(randomblob(8))),
    coalesce((SELECT id FROM audit_entries last WHERE last.workshop_id = w.id ORDER BY last.version DESC LIMIT 1), '')
FROM workshops w LEFT JOIN audit_entries a ON a.workshop_id = w.id GROUP BY w.id;
