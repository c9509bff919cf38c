-- Usable from 23.
-- Customers of workshops. `phones` and `emails` are JSON. `sort_name` is the key of the alphabetical order, `search_text` and
-- `phone_digits` are for searches. `state`: a record that was merged into another, `merged_into`, is kept for 30 days after
-- `gone_at` with what it gave to that one (`given`, JSON); of an erased one nothing but its id is.
CREATE TABLE customers (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    workshop_id TEXT COLLATE "C" NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
    name TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('person', 'company')),
    phones TEXT COLLATE "C" NOT NULL,
    emails TEXT COLLATE "C" NOT NULL,
    notes TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    updated_at TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C",
    site_address TEXT COLLATE "C",
    tax_id TEXT COLLATE "C",
    locale TEXT COLLATE "C",
    sort_name TEXT COLLATE "C" NOT NULL,
    search_text TEXT COLLATE "C" NOT NULL,
    phone_digits TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('present', 'merged', 'erased')),
    gone_at TEXT COLLATE "C",
    merged_into TEXT COLLATE "C",
    given TEXT COLLATE "C"
);
-- Without the texts of a search, which may be longer than an index takes here.
CREATE INDEX customers_by_name ON customers (workshop_id, sort_name, id) WHERE state = 'present';
CREATE INDEX customers_of_workshop ON customers (workshop_id);
CREATE INDEX customers_merged ON customers (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX customers_gone ON customers (gone_at) WHERE gone_at IS NOT NULL;

-- What tells that two records are of one person: `phone +48600100200`, `email ewa@example.com`, `tax 5260001246`.
CREATE TABLE customer_keys (
    workshop_id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    customer_id TEXT COLLATE "C" NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    PRIMARY KEY (workshop_id, key, customer_id)
);
CREATE INDEX customer_keys_customer ON customer_keys (customer_id);

CREATE INDEX order_details_customer ON order_details (customer_id) WHERE customer_id IS NOT NULL;

-- The customer of an estimate's document. Not in `facts`, which the release before would not read with it.
ALTER TABLE estimates ADD COLUMN customer_id TEXT COLLATE "C";
CREATE INDEX estimates_customer ON estimates (customer_id) WHERE customer_id IS NOT NULL;
-- `facts` and `recipient_name` of a revision are with the customer's. `own_facts` and `own_recipient` are the estimate's own,
-- where they differ; the state of the estimate follows from these.
ALTER TABLE revisions ADD COLUMN customer_id TEXT COLLATE "C";
ALTER TABLE revisions ADD COLUMN own_facts TEXT COLLATE "C";
ALTER TABLE revisions ADD COLUMN own_recipient TEXT COLLATE "C";
CREATE INDEX revisions_customer ON revisions (customer_id) WHERE customer_id IS NOT NULL;
