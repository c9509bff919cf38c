-- Usable from 23.
-- What is due for an order that was collected, in thousandths of its currency: 0 where nothing is. It counts while the order is
-- collected. NULL before, and for orders of a version before until the sweep has computed it (orders/balances.py).
ALTER TABLE order_details ADD COLUMN owed_thousandths BIGINT;
ALTER TABLE order_details ADD COLUMN owed_currency TEXT;
-- Few orders are owed for, whatever a workshop has done: its inbox, its numbers and their list read these rows alone.
CREATE INDEX order_details_owed
    ON order_details (workshop_id, collected_at, order_id, owed_currency, owed_thousandths, customer_id)
    WHERE owed_thousandths > 0;
CREATE INDEX order_details_without_owed ON order_details (order_id)
    WHERE collected_at IS NOT NULL AND owed_thousandths IS NULL;
