-- Usable from 23.
-- What the work on the shelf needs of an order besides the Order shape: one row for each order, made with it by a trigger, since
-- nodes of the version before create orders, too (docs/decisions/order-details-by-trigger.md). `number` is that of the workshop,
-- from 1, in the order of creation. `item` is JSON. `item_folded` and `phone_digits` are for searches. `price_limit` is a decimal.
-- `estimate_id` stays in `orders`, where it is since orders are made from estimates.
CREATE TABLE order_details (
    workshop_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    order_id TEXT NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    customer_id TEXT,
    phone TEXT,
    phone_digits TEXT,
    item TEXT,
    item_folded TEXT,
    due_on TEXT,
    due_time TEXT,
    price_limit TEXT,
    place TEXT,
    assigned_to TEXT,
    waiting_for TEXT,
    waiting_until TEXT,
    waiting_since TEXT,
    outcome TEXT,
    collected_at TEXT,
    collected_by TEXT,
    -- How often the address of the status page was renewed; its token is made of the order's id and this.
    link_generation BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (workshop_id, number)
) WITHOUT ROWID;

-- The number that was given last, also where its order was deleted.
CREATE TABLE order_series (
    workshop_id TEXT NOT NULL PRIMARY KEY REFERENCES workshops (id) ON DELETE CASCADE,
    latest BIGINT NOT NULL
) WITHOUT ROWID;

-- Keys of this installation, 256 random bits in hexadecimal digits: `order_links` makes the tokens of status pages.
CREATE TABLE server_keys (
    name TEXT NOT NULL PRIMARY KEY,
    key_hex TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO server_keys (name, key_hex) VALUES ('order_links', lower(hex(randomblob(32))));

INSERT INTO order_details (workshop_id, number, order_id)
SELECT workshop_id, row_number() OVER (PARTITION BY workshop_id ORDER BY created_at, id), id FROM orders;
-- After the rows are there: sorted, it is made in a fraction of the time.
CREATE UNIQUE INDEX order_details_order ON order_details (order_id);
INSERT INTO order_series (workshop_id, latest) SELECT workshop_id, max(number) FROM order_details GROUP BY workshop_id;

CREATE TRIGGER orders_numbered AFTER INSERT ON orders BEGIN
    INSERT INTO order_series (workshop_id, latest) VALUES (NEW.workshop_id, 1)
    ON CONFLICT (workshop_id) DO UPDATE SET latest = latest + 1;
    INSERT INTO order_details (workshop_id, number, order_id)
    SELECT workshop_id, latest, NEW.id FROM order_series WHERE workshop_id = NEW.workshop_id;
END;
