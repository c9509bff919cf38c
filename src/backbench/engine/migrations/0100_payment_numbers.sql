-- Usable from 23.
-- The numbers of payments, `KP 12/2026` of what was received and `KW 3/2026` of what was paid back: a series for each workshop,
-- direction and year. NULL for a payment of a version before, until the sweep has numbered it (orders/payments.py).
CREATE TABLE payment_series (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    direction TEXT NOT NULL CHECK (direction IN ('KP', 'KW')),
    year BIGINT NOT NULL,
    latest BIGINT NOT NULL,
    PRIMARY KEY (workshop_id, direction, year)
);
ALTER TABLE payments ADD COLUMN number TEXT;
CREATE INDEX payments_without_number ON payments (created_at, id) WHERE number IS NULL;
