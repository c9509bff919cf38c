-- Usable from 23.
-- What else a change of an object changes, where nothing that is stored says it any more: an order that has lost a photo, an
-- estimate whose order or PDF is gone (`order`, `estimate`: their ids), and what an item of the inbox was about (`due`, `limit`,
-- `owed`: the value that an order had). Read with the log: connections/effects.py.
CREATE TABLE change_effects (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    object_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('order', 'estimate', 'due', 'limit', 'owed')),
    value TEXT NOT NULL,
    PRIMARY KEY (workshop_id, object_id, kind, value)
) WITHOUT ROWID;

-- Of what is deleted with its order, its estimate or its workshop nothing is noted.
CREATE TRIGGER photos_effect AFTER DELETE ON photos BEGIN
    INSERT INTO change_effects SELECT OLD.workshop_id, OLD.id, 'order', id FROM orders WHERE id = OLD.order_id
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER pdf_exports_effect AFTER DELETE ON pdf_exports BEGIN
    INSERT INTO change_effects SELECT OLD.workshop_id, OLD.id, 'estimate', id FROM estimates WHERE id = OLD.estimate_id
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER orders_effect AFTER DELETE ON orders BEGIN
    INSERT INTO change_effects SELECT OLD.workshop_id, OLD.id, 'estimate', id FROM estimates WHERE id = OLD.estimate_id
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER order_details_due_effect AFTER UPDATE OF due_on, due_time ON order_details
WHEN OLD.due_on IS NOT NULL AND (OLD.due_on IS NOT NEW.due_on OR OLD.due_time IS NOT NEW.due_time) BEGIN
    INSERT INTO change_effects
    VALUES (OLD.workshop_id, OLD.order_id, 'due', OLD.due_on || coalesce(OLD.due_time, '')) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER order_details_limit_effect AFTER UPDATE OF price_limit ON order_details
WHEN OLD.price_limit IS NOT NULL AND OLD.price_limit IS NOT NEW.price_limit BEGIN
    INSERT INTO change_effects VALUES (OLD.workshop_id, OLD.order_id, 'limit', OLD.price_limit) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER order_details_owed_effect AFTER UPDATE OF owed_thousandths ON order_details
WHEN OLD.owed_thousandths > 0 AND OLD.owed_thousandths IS NOT NEW.owed_thousandths BEGIN
    INSERT INTO change_effects VALUES (OLD.workshop_id, OLD.order_id, 'owed', OLD.owed_thousandths) ON CONFLICT DO NOTHING;
END;
