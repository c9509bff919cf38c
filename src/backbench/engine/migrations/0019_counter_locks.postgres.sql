-- The data of a workshop is counted at the end of a transaction, not in the statement that changes a row: the row of the
-- counters is locked from then on, and other writers of the workshop wait for it (docs/decisions/postgres-round-trips.md).
-- A later migration that changes these rows and alters their table begins with SET CONSTRAINTS ALL IMMEDIATE.
DROP TRIGGER orders_data ON orders;
DROP TRIGGER estimates_data ON estimates;
DROP TRIGGER revisions_data ON revisions;
DROP TRIGGER handoffs_data ON handoffs;
DROP TRIGGER grids_data ON grids;

CREATE CONSTRAINT TRIGGER orders_data AFTER INSERT OR UPDATE OR DELETE ON orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE CONSTRAINT TRIGGER estimates_data AFTER INSERT OR UPDATE OR DELETE ON estimates
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE CONSTRAINT TRIGGER revisions_data AFTER INSERT OR DELETE ON revisions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE CONSTRAINT TRIGGER handoffs_data AFTER INSERT OR DELETE ON handoffs
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE CONSTRAINT TRIGGER grids_data AFTER INSERT OR UPDATE OR DELETE ON grids
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_data();

-- Adds an audit entry with the next version of its workshop, after counting what the transaction has changed. Returns the
-- bytes of data that the workshop then holds; NULL where there is no such workshop. In one round trip.
CREATE FUNCTION add_audit_entry(
    entry_id TEXT, workshop TEXT, changed_at TEXT, kind TEXT, event TEXT, object TEXT, uid TEXT, session TEXT, key TEXT,
    bytes BIGINT
) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
    next BIGINT;
    held BIGINT;
BEGIN
    SET CONSTRAINTS orders_data, estimates_data, revisions_data, handoffs_data, grids_data IMMEDIATE;
    UPDATE workshop_counters
    SET version = version + 1, last_entry_id = entry_id, data_bytes = data_bytes + bytes
    WHERE workshop_id = workshop RETURNING version, data_bytes INTO next, held;
    IF next IS NOT NULL THEN
        INSERT INTO audit_entries (id, workshop_id, version, at, actor_kind, action, object_id, actor_uid, session_id,
            key_id)
        VALUES (entry_id, workshop, next, changed_at, kind, event, object, uid, session, key);
    END IF;
    RETURN held;
END $$;
