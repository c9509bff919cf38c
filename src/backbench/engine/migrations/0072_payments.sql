-- Usable from 23.
-- Payments for orders: written once; only a void is added. Amounts are in thousandths of the currency, the smallest unit that
-- any currency has, so that sums of them are exact in both engines, whatever a currency's minor unit is.
CREATE TABLE payments (
    workshop_id TEXT NOT NULL,
    order_id TEXT NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    created_by_uid TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('deposit', 'payment', 'refund')),
    thousandths BIGINT NOT NULL CHECK (thousandths > 0),
    currency TEXT NOT NULL,
    method TEXT NOT NULL CHECK (method IN ('cash', 'transfer', 'card', 'blik', 'other')),
    received_on TEXT NOT NULL,
    note TEXT,
    voided_at TEXT,
    voided_by TEXT,
    reason TEXT,
    PRIMARY KEY (order_id, created_at, id)
);
-- The payments of a period, and their sums without reading the rows.
CREATE INDEX payments_received ON payments (workshop_id, received_on, id, voided_at, kind, currency, thousandths);
