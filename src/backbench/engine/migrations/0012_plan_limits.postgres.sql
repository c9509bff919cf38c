-- The data of a workshop: what its orders, estimates, grids and their history take, in bytes of UTF-8 and a fixed number
-- for each row. Triggers maintain the counter by difference, in the statement that changes a row. A migration that
-- rebuilds one of these tables has to create its triggers again (docs/decisions/data-quota.md).
CREATE TABLE workshop_counters (
    workshop_id TEXT NOT NULL PRIMARY KEY REFERENCES workshops (id) ON DELETE CASCADE,
    data_bytes BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE FUNCTION data_bytes(entry orders) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT (500 + octet_length(entry.title) + octet_length(entry.customer_name) + octet_length(entry.notes)
        + octet_length(entry.status_history))::bigint
$$;
CREATE FUNCTION data_bytes(entry estimates) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT (500 + octet_length(entry.name) + octet_length(entry.line_items)
        + octet_length(coalesce(entry.recipient_name, '')))::bigint
$$;
CREATE FUNCTION data_bytes(entry revisions) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT (500 + octet_length(entry.name) + octet_length(entry.line_items)
        + octet_length(coalesce(entry.recipient_name, '')) + octet_length(coalesce(entry.terms, '')))::bigint
$$;
CREATE FUNCTION data_bytes(entry handoffs) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT (500)::bigint
$$;
CREATE FUNCTION data_bytes(entry grids) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT (500 + octet_length(entry.name) + octet_length(entry.buttons))::bigint
$$;
CREATE FUNCTION data_bytes(entry audit_entries) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT (300)::bigint
$$;

INSERT INTO workshop_counters (workshop_id, data_bytes)
SELECT id, coalesce(counted.bytes, 0) FROM workshops LEFT JOIN (SELECT workshop_id, sum(bytes) AS bytes FROM (
    SELECT workshop_id, data_bytes(orders) AS bytes FROM orders
    UNION ALL SELECT workshop_id, data_bytes(estimates) AS bytes FROM estimates
    UNION ALL SELECT workshop_id, data_bytes(revisions) AS bytes FROM revisions
    UNION ALL SELECT workshop_id, data_bytes(handoffs) AS bytes FROM handoffs
    UNION ALL SELECT workshop_id, data_bytes(grids) AS bytes FROM grids
    UNION ALL SELECT workshop_id, data_bytes(audit_entries) AS bytes FROM audit_entries
) AS counted_rows GROUP BY workshop_id) AS counted ON counted.workshop_id = workshops.id;

-- Compiled separately for each table: data_bytes is then the function of that table.
CREATE FUNCTION count_data() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    growth BIGINT := 0;
    workshop TEXT;
BEGIN
    IF TG_OP <> 'DELETE' THEN
        growth := data_bytes(NEW);
        workshop := NEW.workshop_id;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        growth := growth - data_bytes(OLD);
        workshop := OLD.workshop_id;
    END IF;
    IF growth <> 0 THEN
        UPDATE workshop_counters SET data_bytes = data_bytes + growth WHERE workshop_id = workshop;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER orders_data AFTER INSERT OR UPDATE OR DELETE ON orders
    FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE TRIGGER estimates_data AFTER INSERT OR UPDATE OR DELETE ON estimates
    FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE TRIGGER revisions_data AFTER INSERT OR DELETE ON revisions
    FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE TRIGGER handoffs_data AFTER INSERT OR DELETE ON handoffs
    FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE TRIGGER grids_data AFTER INSERT OR UPDATE OR DELETE ON grids
    FOR EACH ROW EXECUTE FUNCTION count_data();
CREATE TRIGGER audit_entries_data AFTER INSERT OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION count_data();

-- The plan that the host granted: with the default plan pro, free is a grant as well.
ALTER TABLE workshops ADD COLUMN given_plan TEXT CHECK (given_plan IN ('free', 'pro'));
UPDATE workshops SET given_plan = 'pro' WHERE given_source IS NOT NULL;

-- An account can start one trial, also if the workshop is deleted afterwards.
ALTER TABLE accounts ADD COLUMN trial_started_at TEXT;
UPDATE accounts SET trial_started_at = (
    SELECT max(w.trial_started_at) FROM members m JOIN workshops w ON w.id = m.workshop_id
    WHERE m.account_id = accounts.id AND m.role = 'owner'
);

-- The bytes of the stored responses of an account: of each its body and 300 more, counted once the request has succeeded.
CREATE TABLE account_counters (
    account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    stored_bytes BIGINT NOT NULL
) WITH (fillfactor = 50);
INSERT INTO account_counters (account_id, stored_bytes)
SELECT account_id, sum(300 + octet_length(coalesce(body, ''))) FROM idempotency_keys
WHERE status IS NOT NULL GROUP BY account_id;

CREATE FUNCTION count_stored_response() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE account_counters SET stored_bytes = stored_bytes - 300 - octet_length(coalesce(OLD.body, ''))
        WHERE account_id = OLD.account_id;
    ELSE
        INSERT INTO account_counters AS c (account_id, stored_bytes)
        VALUES (NEW.account_id, 300 + octet_length(coalesce(NEW.body, '')))
        ON CONFLICT (account_id) DO UPDATE SET stored_bytes = c.stored_bytes + excluded.stored_bytes;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER idempotency_keys_stored AFTER UPDATE ON idempotency_keys FOR EACH ROW
    WHEN (OLD.status IS NULL AND NEW.status IS NOT NULL) EXECUTE FUNCTION count_stored_response();
-- A claim that was swept is inserted anew with its response.
CREATE TRIGGER idempotency_keys_added AFTER INSERT ON idempotency_keys FOR EACH ROW
    WHEN (NEW.status IS NOT NULL) EXECUTE FUNCTION count_stored_response();
CREATE TRIGGER idempotency_keys_deleted AFTER DELETE ON idempotency_keys FOR EACH ROW
    WHEN (OLD.status IS NOT NULL) EXECUTE FUNCTION count_stored_response();
