-- Usable from 23.
-- What the numbers of a workshop are summed up from, as the JSON of a revision has it: its currency, its total in thousandths
-- and the last day of its validity, '9999-12-31' where none is stated. NULL for revisions of the version before until they are
-- computed; the total stays NULL where it is too large to be summed up (orders/numbers.py).
ALTER TABLE revisions ADD COLUMN currency TEXT;
ALTER TABLE revisions ADD COLUMN total_thousandths BIGINT;
ALTER TABLE revisions ADD COLUMN valid_until TEXT;
CREATE INDEX revisions_without_total ON revisions (id) WHERE currency IS NULL;
CREATE INDEX revisions_valid ON revisions (workshop_id, valid_until, estimate_id, revision_number, currency, total_thousandths);
CREATE INDEX revisions_totals ON revisions (estimate_id, revision_number, currency, total_thousandths);
-- Standing decisions by the day on which they were made.
CREATE INDEX decisions_decided ON decisions (workshop_id, decided_at, outcome, estimate_id, revision_number)
    WHERE voided_at IS NULL;
CREATE INDEX order_details_agreed ON order_details (workshop_id, agreed_at, agreed_currency, agreed_thousandths, order_id)
    WHERE agreed_at IS NOT NULL;
-- Whether the price of an order was accepted: without reading the order.
CREATE INDEX orders_with_estimate ON orders (id, estimate_id) WHERE estimate_id IS NOT NULL;
CREATE INDEX order_details_collected ON order_details (workshop_id, number) WHERE collected_at IS NOT NULL;
