-- Usable from 22.
-- Adds an audit entry as add_audit_entry does, in one message with the COMMIT (docs/decisions/postgres-round-trips.md). The error BB001 undoes the
-- transaction where the workshop then holds more bytes than `most`, or does not exist; the node runs it again and waits for
-- each result. Other writers of the workshop wait until the COMMIT, and a lock for which it waits itself ends the wait.
CREATE FUNCTION add_audit_entry_within(
    entry_id TEXT, workshop TEXT, changed_at TEXT, kind TEXT, event TEXT, object TEXT, uid TEXT, session TEXT, key TEXT,
    bytes BIGINT, most BIGINT
) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
    held BIGINT := add_audit_entry(entry_id, workshop, changed_at, kind, event, object, uid, session, key, bytes);
BEGIN
    IF held IS NULL OR held > most THEN
        RAISE EXCEPTION 'The workshop has more data, or was deleted' USING ERRCODE = 'BB001';
    END IF;
    RETURN held;
END $$;
