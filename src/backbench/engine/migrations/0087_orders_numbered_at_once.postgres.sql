-- Usable from 23.
-- Numbers the orders of a statement together. One by one, a statement with many would make a version of the row of the series
-- for each of them, and every lookup reads them all until the transaction ends: 50,000 orders would take minutes.
CREATE FUNCTION number_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH counted AS (
        SELECT workshop_id, count(*) AS orders FROM added GROUP BY workshop_id
    ), series AS (
        INSERT INTO order_series (workshop_id, latest) SELECT workshop_id, orders FROM counted
        ON CONFLICT (workshop_id) DO UPDATE SET latest = order_series.latest + excluded.latest
        RETURNING workshop_id, latest
    )
    INSERT INTO order_details (workshop_id, number, order_id)
    SELECT a.workshop_id,
        s.latest - c.orders + row_number() OVER (PARTITION BY a.workshop_id ORDER BY a.id), a.id
    FROM added a JOIN series s ON s.workshop_id = a.workshop_id JOIN counted c ON c.workshop_id = a.workshop_id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER orders_numbered AFTER INSERT ON orders REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION number_orders();
