-- Usable from 23.
-- The numbers of a workshop are sums of ranges of these indexes, one range for each month and currency: neither a row is read
-- nor are rows sorted, which took most of the time. A decision has the currency and the total of its revision, so that its
-- revision need not be looked up; NULL for decisions of the version before until the sweep has copied them.
ALTER TABLE decisions ADD COLUMN currency TEXT;
ALTER TABLE decisions ADD COLUMN total_thousandths BIGINT;
CREATE INDEX decisions_without_total ON decisions (id) WHERE currency IS NULL;
CREATE INDEX decisions_sums ON decisions (workshop_id, outcome, currency, decided_at, voided_at, total_thousandths)
    WHERE voided_at IS NULL;
CREATE INDEX payments_sums ON payments (workshop_id, currency, received_on, voided_at, kind, thousandths);
-- The order's estimate at the entered price, whose acceptance takes the place of that price.
ALTER TABLE order_details ADD COLUMN agreed_estimate_id TEXT;
CREATE INDEX order_details_sums
    ON order_details (workshop_id, agreed_currency, agreed_at, agreed_thousandths, agreed_estimate_id)
    WHERE agreed_at IS NOT NULL;
-- Orders that nobody has collected yet are few, whatever a workshop has done.
CREATE INDEX order_details_uncollected ON order_details (workshop_id, collected_at, order_id) WHERE collected_at IS NULL;
DROP INDEX orders_with_estimate;
DROP INDEX order_details_collected;
