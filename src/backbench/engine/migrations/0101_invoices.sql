-- Usable from 23.
-- Invoices of orders: drafts, which change, and issued ones, which never do (orders/invoices.py). `facts` are what members have
-- entered, `content` the figures and parties as JSON, `corrected_id` the invoice that a correction is of. What of an issued invoice
-- is to be paid by its due date, and is covered by payments, is `standing_thousandths` (orders/issued_invoices.py); NULL of a draft.
CREATE TABLE invoices (
    id TEXT PRIMARY KEY,
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    -- An order with issued ones is not deleted, and a release that does not know them cannot.
    order_id TEXT NOT NULL REFERENCES orders (id),
    customer_id TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('invoice', 'advance', 'final', 'correction')),
    state TEXT NOT NULL CHECK (state IN ('draft', 'issued')),
    currency TEXT NOT NULL,
    estimate_id TEXT,
    revision_number BIGINT,
    corrected_id TEXT,
    facts TEXT NOT NULL,
    content TEXT NOT NULL,
    number TEXT,
    number_folded TEXT,
    buyer_folded TEXT NOT NULL,
    issue_date TEXT,
    due_date TEXT,
    total_thousandths BIGINT NOT NULL,
    standing_thousandths BIGINT,
    paid_thousandths BIGINT NOT NULL DEFAULT 0,
    snapshot TEXT,
    logo_file_id TEXT,
    created_at TEXT NOT NULL,
    created_by_uid TEXT NOT NULL,
    issued_at TEXT,
    issued_by_uid TEXT
);
CREATE INDEX invoices_of_order ON invoices (order_id);
CREATE INDEX invoices_of_workshop ON invoices (workshop_id, created_at, id);
CREATE INDEX invoices_of_estimate ON invoices (estimate_id);
CREATE INDEX invoices_of_customer ON invoices (customer_id);
CREATE INDEX invoices_with_logo ON invoices (logo_file_id) WHERE logo_file_id IS NOT NULL;
CREATE INDEX invoices_unpaid ON invoices (workshop_id, due_date) WHERE paid_thousandths < standing_thousandths;
CREATE UNIQUE INDEX invoice_numbers ON invoices (workshop_id, number);
-- A series has the numbers of a pattern in a year, or in a month where the pattern has one.
CREATE TABLE invoice_series (
    workshop_id TEXT NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    series TEXT NOT NULL,
    latest BIGINT NOT NULL,
    latest_date TEXT NOT NULL,
    PRIMARY KEY (workshop_id, series)
);
