-- A transaction changes the row of a workshop's counters once, however many of its rows it changes (docs/decisions/data-quota.md).
-- Each change of a row added a dead version of the counters, which the next change of the same transaction had to skip.
--
-- The setting backbench.uncounted has the bytes that the transaction has not counted yet, as JSON by workshop. It ends with
-- the transaction, and a rollback to a savepoint restores it. Empty: none. Where backbench.counting is "off" nothing is
-- counted: a restored backup has the counters themselves.
CREATE OR REPLACE FUNCTION count_data() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    growth BIGINT := 0;
    workshop TEXT;
    uncounted JSONB;
BEGIN
    IF current_setting('backbench.counting', true) = 'off' THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        growth := data_bytes(NEW);
        workshop := NEW.workshop_id;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        growth := growth - data_bytes(OLD);
        workshop := OLD.workshop_id;
    END IF;
    IF growth <> 0 THEN
        uncounted := coalesce(nullif(current_setting('backbench.uncounted', true), ''), '{}');
        growth := growth + coalesce((uncounted ->> workshop)::bigint, 0);
        PERFORM set_config('backbench.uncounted', (uncounted || jsonb_build_object(workshop, growth))::text, true);
    END IF;
    RETURN NULL;
END $$;

-- Counts what the transaction has not counted, always in the same order, so that no two transactions wait for each other.
CREATE FUNCTION add_uncounted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    uncounted TEXT := coalesce(current_setting('backbench.uncounted', true), '');
    workshop TEXT;
    growth BIGINT;
BEGIN
    IF uncounted <> '' THEN
        PERFORM set_config('backbench.uncounted', '', true);
        FOR workshop, growth IN SELECT key, value::bigint FROM jsonb_each_text(uncounted::jsonb) ORDER BY key COLLATE "C" LOOP
            UPDATE workshop_counters SET data_bytes = data_bytes + growth WHERE workshop_id = workshop;
        END LOOP;
    END IF;
    RETURN NULL;
END $$;

-- Adds an audit entry with the next version of its workshop, and counts what the transaction has changed. Returns the bytes of
-- data that the workshop then holds; NULL where there is no such workshop. In one round trip, and with one change of the row.
CREATE OR REPLACE FUNCTION add_audit_entry(
    entry_id TEXT, workshop TEXT, changed_at TEXT, kind TEXT, event TEXT, object TEXT, uid TEXT, session TEXT, key TEXT,
    bytes BIGINT
) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
    uncounted JSONB := nullif(current_setting('backbench.uncounted', true), '');
    growth BIGINT := bytes + coalesce((uncounted ->> workshop)::bigint, 0);
    next BIGINT;
    held BIGINT;
BEGIN
    UPDATE workshop_counters
    SET version = version + 1, last_entry_id = entry_id, data_bytes = data_bytes + growth
    WHERE workshop_id = workshop RETURNING version, data_bytes INTO next, held;
    IF next IS NOT NULL THEN
        IF uncounted ? workshop THEN
            uncounted := uncounted - workshop;
            PERFORM set_config('backbench.uncounted', CASE WHEN uncounted = '{}' THEN '' ELSE uncounted::text END, true);
        END IF;
        INSERT INTO audit_entries (id, workshop_id, version, at, actor_kind, action, object_id, actor_uid, session_id,
            key_id)
        VALUES (entry_id, workshop, next, changed_at, kind, event, object, uid, session, key);
    END IF;
    RETURN held;
END $$;

-- The first trigger of a row notes its difference in the statement, the second counts all of them at the end of the transaction.
-- The condition is evaluated when a row has changed: most transactions have one event at their end, not one for each row.
DO $$
DECLARE
    counted RECORD;
BEGIN
    FOR counted IN SELECT * FROM (VALUES
        ('orders', 'INSERT OR UPDATE OR DELETE'), ('estimates', 'INSERT OR UPDATE OR DELETE'), ('revisions', 'INSERT OR DELETE'),
        ('handoffs', 'INSERT OR DELETE'), ('grids', 'INSERT OR UPDATE OR DELETE'), ('links', 'INSERT OR DELETE'),
        ('decisions', 'INSERT OR UPDATE OR DELETE'), ('link_comments', 'INSERT OR DELETE')
    ) AS tables (name, events) LOOP
        EXECUTE format('DROP TRIGGER %I ON %I', counted.name || '_data', counted.name);
        EXECUTE format('CREATE TRIGGER %I AFTER %s ON %I FOR EACH ROW EXECUTE FUNCTION count_data()',
            counted.name || '_data', counted.events, counted.name);
        EXECUTE format(
            'CREATE CONSTRAINT TRIGGER %I AFTER %s ON %I DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
            WHEN (coalesce(current_setting(''backbench.uncounted'', true), '''') = '''') EXECUTE FUNCTION add_uncounted()',
            counted.name || '_data_added', counted.events, counted.name);
    END LOOP;
END
$$;

-- Stored responses are deleted many at a time, by the sweep and with an account: once for each statement, for the same reason.
DROP TRIGGER idempotency_keys_added ON idempotency_keys;
CREATE TRIGGER idempotency_keys_added AFTER INSERT ON idempotency_keys FOR EACH ROW
    WHEN (NEW.status IS NOT NULL AND current_setting('backbench.counting', true) IS DISTINCT FROM 'off')
    EXECUTE FUNCTION count_stored_response();
DROP TRIGGER idempotency_keys_deleted ON idempotency_keys;
CREATE FUNCTION subtract_stored_responses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE account_counters SET stored_bytes = stored_bytes - removed.bytes
    FROM (
        SELECT account_id, sum(300 + octet_length(coalesce(body, ''))) AS bytes FROM deleted
        WHERE status IS NOT NULL GROUP BY account_id
    ) AS removed
    WHERE account_counters.account_id = removed.account_id;
    RETURN NULL;
END $$;
CREATE TRIGGER idempotency_keys_deleted AFTER DELETE ON idempotency_keys
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION subtract_stored_responses();
