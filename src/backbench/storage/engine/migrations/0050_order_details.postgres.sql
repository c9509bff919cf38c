-- Usable from 23.
-- What the work on the shelf needs of an order besides the Order shape: one row for each order, made with it by a trigger, since
-- nodes of the version before create orders, too (docs/decisions/order-details-by-trigger.md). `number` is that of the workshop,
-- from 1, in the order of creation. `item` is JSON. `item_folded` and `phone_digits` are for searches. `price_limit` is a decimal.
-- `estimate_id` stays in `orders`, where it is since orders are made from estimates.
--
-- Orders are read first and locked last: others write orders while the existing ones are numbered, and wait only while those that
-- came meanwhile are. The columns have their collation from the start, or indexes would be made again.
CREATE TABLE order_details (
    workshop_id TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    order_id TEXT COLLATE "C" NOT NULL UNIQUE,
    customer_id TEXT COLLATE "C",
    phone TEXT COLLATE "C",
    phone_digits TEXT COLLATE "C",
    item TEXT COLLATE "C",
    item_folded TEXT COLLATE "C",
    due_on TEXT COLLATE "C",
    due_time TEXT COLLATE "C",
    price_limit TEXT COLLATE "C",
    place TEXT COLLATE "C",
    assigned_to TEXT COLLATE "C",
    waiting_for TEXT COLLATE "C",
    waiting_until TEXT COLLATE "C",
    waiting_since TEXT COLLATE "C",
    outcome TEXT COLLATE "C",
    collected_at TEXT COLLATE "C",
    collected_by TEXT COLLATE "C",
    -- How often the address of the status page was renewed; its token is made of the order's id and this.
    link_generation BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (workshop_id, number)
);

-- The number that was given last, also where its order was deleted.
CREATE TABLE order_series (
    workshop_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES workshops (id) ON DELETE CASCADE,
    latest BIGINT NOT NULL
);

-- Keys of this installation, some 244 random bits in hexadecimal digits: `order_links` makes the tokens of status pages.
CREATE TABLE server_keys (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    key_hex TEXT COLLATE "C" NOT NULL
);
INSERT INTO server_keys (name, key_hex)
VALUES ('order_links', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));

INSERT INTO order_details (workshop_id, number, order_id)
SELECT workshop_id, row_number() OVER (PARTITION BY workshop_id ORDER BY created_at, id), id FROM orders;

CREATE FUNCTION number_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH next AS (
        INSERT INTO order_series (workshop_id, latest) VALUES (NEW.workshop_id, 1)
        ON CONFLICT (workshop_id) DO UPDATE SET latest = order_series.latest + 1 RETURNING latest
    )
    INSERT INTO order_details (workshop_id, number, order_id) SELECT NEW.workshop_id, next.latest, NEW.id FROM next;
    RETURN NULL;
END $$;
-- From here on writers of orders wait, until the end of the migration.
CREATE TRIGGER orders_numbered AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION number_order();
DELETE FROM order_details WHERE NOT EXISTS (SELECT 1 FROM orders WHERE orders.id = order_details.order_id);
INSERT INTO order_details (workshop_id, number, order_id)
SELECT o.workshop_id, coalesce(given.latest, 0) + row_number() OVER (PARTITION BY o.workshop_id ORDER BY o.created_at, o.id), o.id
FROM orders o LEFT JOIN (
    SELECT workshop_id, max(number) AS latest FROM order_details GROUP BY workshop_id
) AS given ON given.workshop_id = o.workshop_id
WHERE NOT EXISTS (SELECT 1 FROM order_details d WHERE d.order_id = o.id);
INSERT INTO order_series (workshop_id, latest) SELECT workshop_id, max(number) FROM order_details GROUP BY workshop_id;
-- Every row has just been compared with its order.
ALTER TABLE order_details ADD CONSTRAINT order_details_order_id_fkey
    FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE NOT VALID;
