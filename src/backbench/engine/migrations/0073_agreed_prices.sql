-- Usable from 23.
-- A price that was agreed without an estimate, in thousandths of its currency. All NULL without one.
ALTER TABLE order_details ADD COLUMN agreed_thousandths BIGINT;
ALTER TABLE order_details ADD COLUMN agreed_currency TEXT;
ALTER TABLE order_details ADD COLUMN agreed_at TEXT;
