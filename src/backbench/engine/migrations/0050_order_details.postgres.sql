-- Usable from 23.
-- What the work on the shelf needs of an order besides the Order shape: one row for each order, made with it by a trigger, since
-- nodes of the version before create orders, too (docs/decisions/order-details-by-trigger.md). `number` is that of the workshop,
-- from 1, in the order of creation. `item` is JSON. `item_folded` and `phone_digits` are for searches. `price_limit` is a decimal.
-- `estimate_id` stays in `orders`, where it is since orders are made from estimates.
--
-- Orders are read first and locked last: others write while the existing ones are numbered, and wait only while those that came
-- meanwhile are. So references are added last as well: they lock the table that they refer to. The columns have their collation
-- from the start, or indexes would be made again.

-- Every transaction before this number has ended: what the statements below do not see is of this number or a later one.
CREATE TEMPORARY TABLE numbering ON COMMIT DROP AS SELECT pg_snapshot_xmin(pg_current_snapshot())::xid AS began;

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
    workshop_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
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

INSERT INTO order_series (workshop_id, latest) SELECT workshop_id, max(number) FROM order_details GROUP BY workshop_id;

CREATE FUNCTION number_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH next AS (
        INSERT INTO order_series (workshop_id, latest) VALUES (NEW.workshop_id, 1)
        ON CONFLICT (workshop_id) DO UPDATE SET latest = order_series.latest + 1 RETURNING latest
    )
    INSERT INTO order_details (workshop_id, number, order_id) SELECT NEW.workshop_id, next.latest, NEW.id FROM next;
    RETURN NULL;
END $$;
-- From here on writers of orders wait, until the end of the migration. Those that came meanwhile are few: each is looked up.
CREATE TRIGGER orders_numbered AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION number_order();
WITH added AS (
    INSERT INTO order_details (workshop_id, number, order_id)
    SELECT o.workshop_id, coalesce(s.latest, 0) + row_number() OVER (PARTITION BY o.workshop_id ORDER BY o.created_at, o.id), o.id
    FROM orders o LEFT JOIN order_series s ON s.workshop_id = o.workshop_id
    WHERE age(o.xmin) <= (SELECT age(began) FROM numbering)
        AND (SELECT d.number FROM order_details d WHERE d.order_id = o.id) IS NULL
    RETURNING workshop_id, number
)
INSERT INTO order_series (workshop_id, latest) SELECT workshop_id, max(number) FROM added GROUP BY workshop_id
ON CONFLICT (workshop_id) DO UPDATE SET latest = excluded.latest;
-- Where some were deleted meanwhile, and only then, every row is compared with its order.
DELETE FROM order_details
WHERE (SELECT count(*) FROM order_details) <> (SELECT count(*) FROM orders)
    AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.id = order_details.order_id);
DELETE FROM order_series WHERE NOT EXISTS (SELECT 1 FROM workshops WHERE workshops.id = order_series.workshop_id);
ALTER TABLE order_details ADD CONSTRAINT order_details_order_id_fkey
    FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE NOT VALID;
ALTER TABLE order_series ADD CONSTRAINT order_series_workshop_id_fkey
    FOREIGN KEY (workshop_id) REFERENCES workshops (id) ON DELETE CASCADE NOT VALID;
