-- Usable from 23.
-- The list of the orders with one status, newest first.
CREATE INDEX orders_status ON orders (workshop_id, status, created_at, id);
