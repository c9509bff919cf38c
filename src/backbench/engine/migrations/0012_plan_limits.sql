-- The data of a workshop: what its orders, estimates, grids and their history take, in bytes of UTF-8 and a fixed number
-- for each row. Triggers maintain the counter by difference, in the statement that changes a row. A migration that
-- rebuilds one of these tables has to create its triggers again (docs/decisions/data-quota.md).
CREATE TABLE workshop_counters (
    workshop_id TEXT NOT NULL PRIMARY KEY REFERENCES workshops (id) ON DELETE CASCADE,
    data_bytes BIGINT NOT NULL
) WITHOUT ROWID;

INSERT INTO workshop_counters (workshop_id, data_bytes)
SELECT id, coalesce(counted.bytes, 0) FROM workshops LEFT JOIN (SELECT workshop_id, sum(bytes) AS bytes FROM (
    SELECT workshop_id, 500 + octet_length(title) + octet_length(customer_name) + octet_length(notes)
        + octet_length(status_history) AS bytes FROM orders
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(line_items)
        + octet_length(coalesce(recipient_name, '')) AS bytes FROM estimates
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(line_items)
        + octet_length(coalesce(recipient_name, '')) + octet_length(coalesce(terms, '')) AS bytes FROM revisions
    UNION ALL SELECT workshop_id, 500 AS bytes FROM handoffs
    UNION ALL SELECT workshop_id, 500 + octet_length(name) + octet_length(buttons) AS bytes FROM grids
    UNION ALL SELECT workshop_id, 300 AS bytes FROM audit_entries
) AS counted_rows GROUP BY workshop_id) AS counted ON counted.workshop_id = workshops.id;

CREATE TRIGGER orders_data_added AFTER INSERT ON orders BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 500 + octet_length(NEW.title)
        + octet_length(NEW.customer_name) + octet_length(NEW.notes) + octet_length(NEW.status_history)
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER orders_data_changed AFTER UPDATE OF title, customer_name, notes, status_history ON orders BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + (500 + octet_length(NEW.title)
        + octet_length(NEW.customer_name) + octet_length(NEW.notes) + octet_length(NEW.status_history))
        - (500 + octet_length(OLD.title) + octet_length(OLD.customer_name) + octet_length(OLD.notes)
            + octet_length(OLD.status_history))
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER orders_data_deleted AFTER DELETE ON orders BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - (500 + octet_length(OLD.title)
        + octet_length(OLD.customer_name) + octet_length(OLD.notes) + octet_length(OLD.status_history))
    WHERE workshop_id = OLD.workshop_id;
END;

CREATE TRIGGER estimates_data_added AFTER INSERT ON estimates BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 500 + octet_length(NEW.name)
        + octet_length(NEW.line_items) + octet_length(coalesce(NEW.recipient_name, ''))
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER estimates_data_changed AFTER UPDATE OF name, line_items, recipient_name ON estimates BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + (500 + octet_length(NEW.name)
        + octet_length(NEW.line_items) + octet_length(coalesce(NEW.recipient_name, '')))
        - (500 + octet_length(OLD.name) + octet_length(OLD.line_items) + octet_length(coalesce(OLD.recipient_name, '')))
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER estimates_data_deleted AFTER DELETE ON estimates BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - (500 + octet_length(OLD.name)
        + octet_length(OLD.line_items) + octet_length(coalesce(OLD.recipient_name, '')))
    WHERE workshop_id = OLD.workshop_id;
END;

CREATE TRIGGER revisions_data_added AFTER INSERT ON revisions BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 500 + octet_length(NEW.name)
        + octet_length(NEW.line_items) + octet_length(coalesce(NEW.recipient_name, ''))
        + octet_length(coalesce(NEW.terms, ''))
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER revisions_data_deleted AFTER DELETE ON revisions BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - (500 + octet_length(OLD.name)
        + octet_length(OLD.line_items) + octet_length(coalesce(OLD.recipient_name, ''))
        + octet_length(coalesce(OLD.terms, '')))
    WHERE workshop_id = OLD.workshop_id;
END;

CREATE TRIGGER handoffs_data_added AFTER INSERT ON handoffs BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 500
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER handoffs_data_deleted AFTER DELETE ON handoffs BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - 500
    WHERE workshop_id = OLD.workshop_id;
END;

CREATE TRIGGER grids_data_added AFTER INSERT ON grids BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 500 + octet_length(NEW.name) + octet_length(NEW.buttons)
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER grids_data_changed AFTER UPDATE OF name, buttons ON grids BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + (500 + octet_length(NEW.name) + octet_length(NEW.buttons))
        - (500 + octet_length(OLD.name) + octet_length(OLD.buttons))
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER grids_data_deleted AFTER DELETE ON grids BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - (500 + octet_length(OLD.name) + octet_length(OLD.buttons))
    WHERE workshop_id = OLD.workshop_id;
END;

CREATE TRIGGER audit_entries_data_added AFTER INSERT ON audit_entries BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes + 300
    WHERE workshop_id = NEW.workshop_id;
END;
CREATE TRIGGER audit_entries_data_deleted AFTER DELETE ON audit_entries BEGIN
    UPDATE workshop_counters SET data_bytes = data_bytes - 300
    WHERE workshop_id = OLD.workshop_id;
END;

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
) WITHOUT ROWID;
INSERT INTO account_counters (account_id, stored_bytes)
SELECT account_id, sum(300 + octet_length(coalesce(body, ''))) FROM idempotency_keys
WHERE status IS NOT NULL GROUP BY account_id;

CREATE TRIGGER idempotency_keys_stored AFTER UPDATE OF status ON idempotency_keys
WHEN OLD.status IS NULL AND NEW.status IS NOT NULL BEGIN
    INSERT INTO account_counters (account_id, stored_bytes)
    VALUES (NEW.account_id, 300 + octet_length(coalesce(NEW.body, '')))
    ON CONFLICT (account_id) DO UPDATE SET stored_bytes = stored_bytes + excluded.stored_bytes;
END;
-- A claim that was swept is inserted anew with its response.
CREATE TRIGGER idempotency_keys_added AFTER INSERT ON idempotency_keys WHEN NEW.status IS NOT NULL BEGIN
    INSERT INTO account_counters (account_id, stored_bytes)
    VALUES (NEW.account_id, 300 + octet_length(coalesce(NEW.body, '')))
    ON CONFLICT (account_id) DO UPDATE SET stored_bytes = stored_bytes + excluded.stored_bytes;
END;
CREATE TRIGGER idempotency_keys_deleted AFTER DELETE ON idempotency_keys WHEN OLD.status IS NOT NULL BEGIN
    UPDATE account_counters SET stored_bytes = stored_bytes - 300 - octet_length(coalesce(OLD.body, ''))
    WHERE account_id = OLD.account_id;
END;
