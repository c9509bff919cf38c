-- The latest known state of each of the payment provider's objects. A workshop's plan is derived from these rows alone,
-- so it does not matter in which order, or how often, the events arrive. told: the sort key of the received event.
CREATE TABLE billing_subscriptions (
    id TEXT NOT NULL PRIMARY KEY,
    customer_id TEXT NOT NULL,
    workshop_id TEXT,
    status TEXT NOT NULL,
    period_starts_at TEXT NOT NULL,
    period_ends_at TEXT NOT NULL,
    cancels_at_period_end BIGINT NOT NULL CHECK (cancels_at_period_end IN (0, 1)),
    told TEXT NOT NULL
);
CREATE INDEX billing_subscriptions_customer ON billing_subscriptions (customer_id);
CREATE INDEX billing_subscriptions_workshop ON billing_subscriptions (workshop_id);

CREATE TABLE billing_customers (
    id TEXT NOT NULL PRIMARY KEY,
    workshop_id TEXT,
    linked_at TEXT,
    refunded_at TEXT,
    deleted_at TEXT
);
CREATE INDEX billing_customers_workshop ON billing_customers (workshop_id);

CREATE TABLE billing_events (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    at TEXT NOT NULL
);
