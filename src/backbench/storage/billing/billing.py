"""Billing in the database: events, customers and subscriptions of the payment provider, and the plans of workshops."""

from typing import Literal

from msgspec import Struct

from backbench.domain.billing.billing import BillingEvent, BillingState, Customer, Subscription
from backbench.domain.billing.plans import Plan, WorkshopPlan, WorkshopPlanSource
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write


async def add_event(db: Write, event: BillingEvent) -> bool:
    """Records the event. False when it was applied before."""
    added = await db.run(
        "INSERT INTO billing_events (id, kind, at) VALUES (:id, :kind, :at) ON CONFLICT (id) DO NOTHING",
        id=event.id,
        kind=event.kind,
        at=event.at,
    )
    return added > 0


async def save_subscription(db: Write, subscription: Subscription, sort_key: str) -> None:
    """Saves the state of the newest event; an older event that arrives later changes nothing.

    `sort_key` orders the events (column `told`).
    """
    await db.run(
        """
        INSERT INTO billing_subscriptions (id, customer_id, workshop_id, status, period_starts_at, period_ends_at,
            cancels_at_period_end, told)
        VALUES (:id, :customer_id, :workshop_id, :status, :period_starts_at, :period_ends_at, :cancels, :sort_key)
        ON CONFLICT (id) DO UPDATE SET customer_id = excluded.customer_id, status = excluded.status,
            workshop_id = excluded.workshop_id,
            period_starts_at = excluded.period_starts_at, period_ends_at = excluded.period_ends_at,
            cancels_at_period_end = excluded.cancels_at_period_end, told = excluded.told
        WHERE excluded.told > billing_subscriptions.told
        """,
        id=subscription.id,
        customer_id=subscription.customer_id,
        workshop_id=subscription.workshop_id,
        status=subscription.status,
        period_starts_at=subscription.period_starts_at,
        period_ends_at=subscription.period_ends_at,
        cancels=int(subscription.cancels_at_period_end),
        sort_key=sort_key,
    )


async def save_link(db: Write, customer_id: str, workshop_id: str, at: Instant) -> None:
    """Links the customer to the workshop of its latest checkout; of two in one second, the greater id wins."""
    await db.run(
        """
        INSERT INTO billing_customers (id, workshop_id, linked_at) VALUES (:id, :workshop_id, :at)
        ON CONFLICT (id) DO UPDATE SET workshop_id = excluded.workshop_id, linked_at = excluded.linked_at
        WHERE billing_customers.linked_at IS NULL OR excluded.linked_at > billing_customers.linked_at
            OR (excluded.linked_at = billing_customers.linked_at
                AND excluded.workshop_id > billing_customers.workshop_id)
        """,
        id=customer_id,
        workshop_id=workshop_id,
        at=at,
    )


async def save_refund(db: Write, customer_id: str, paid_at: Instant) -> None:
    """Saves when the newest of the refunded payments was made."""
    await _save_latest(db, "refunded_at", customer_id, paid_at)


async def save_deletion(db: Write, customer_id: str, at: Instant) -> None:
    await _save_latest(db, "deleted_at", customer_id, at)


async def _save_latest(db: Write, column: Literal["refunded_at", "deleted_at"], customer_id: str, at: Instant) -> None:
    """Saves the time in the column of the customer, unless a later one is there."""
    await db.run(
        f"""
        INSERT INTO billing_customers (id, {column}) VALUES (:id, :at)
        ON CONFLICT (id) DO UPDATE SET {column} = excluded.{column}
        WHERE billing_customers.{column} IS NULL OR excluded.{column} > billing_customers.{column}
        """,
        id=customer_id,
        at=at,
    )


async def list_workshop_ids(db: Read, customer_id: str) -> list[str]:
    """The workshops that an event of the customer may affect."""
    return await db.all(
        str,
        """
        SELECT workshop_id FROM billing_customers WHERE id = :id AND workshop_id IS NOT NULL
        UNION SELECT workshop_id FROM billing_subscriptions WHERE customer_id = :id AND workshop_id IS NOT NULL
        """,
        id=customer_id,
    )


async def list_subscriptions(db: Read, workshop_id: str) -> list[Subscription]:
    """Subscriptions that name the workshop, and those without a workshop of a customer that is linked to it."""
    return await db.all(
        Subscription,
        """
        SELECT id, customer_id, workshop_id, status, period_starts_at, period_ends_at, cancels_at_period_end
        FROM billing_subscriptions s WHERE s.workshop_id = :id OR (s.workshop_id IS NULL AND s.customer_id IN
            (SELECT c.id FROM billing_customers c WHERE c.workshop_id = :id))
        """,
        id=workshop_id,
    )


async def list_customers(db: Read, workshop_id: str) -> list[Customer]:
    """Customers that are linked to the workshop, or have a subscription that names it."""
    return await db.all(
        Customer,
        """
        SELECT id, workshop_id, linked_at, refunded_at, deleted_at FROM billing_customers c
        WHERE c.workshop_id = :id OR c.id IN
            (SELECT s.customer_id FROM billing_subscriptions s WHERE s.workshop_id = :id)
        """,
        id=workshop_id,
    )


class _Grant(Struct, frozen=True):
    plan: WorkshopPlan
    until: Instant | None
    source: WorkshopPlanSource


async def lookup_granted_plan(db: Read, workshop_id: str) -> Plan | None:
    """The plan that the host granted; None where there is no grant."""
    grant = await db.one(
        _Grant,
        """
        SELECT given_plan AS plan, given_until AS until, given_source AS source FROM workshops
        WHERE id = :id AND given_plan IS NOT NULL
        """,
        id=workshop_id,
    )
    return None if grant is None else Plan(grant.plan, grant.until, grant.source)


async def save_granted_plan(db: Write, workshop_id: str, plan: Plan) -> None:
    """Sets the plan of the workshop. A grant or a trial is also stored apart, so that it outlasts a subscription."""
    is_granted = plan.source in ("grant", "trial")
    await db.run(
        """
        UPDATE workshops SET plan = :plan, plan_expires_at = :expires_at, plan_source = :source,
            given_plan = :granted, given_until = :granted_until, given_source = :granted_source
        WHERE id = :id
        """,
        id=workshop_id,
        plan=plan.plan,
        expires_at=plan.expires_at,
        source=plan.source,
        granted=plan.plan if is_granted else None,
        granted_until=plan.expires_at if is_granted else None,
        granted_source=plan.source if is_granted else None,
    )


async def delete_of_workshop(db: Write, workshop_id: str) -> None:
    """Deletes the workshop's subscriptions and customers, except customers that also pay for another workshop."""
    await db.run("DELETE FROM billing_subscriptions WHERE workshop_id = :id", id=workshop_id)
    await db.run(
        """
        DELETE FROM billing_customers WHERE workshop_id = :id AND NOT EXISTS
            (SELECT 1 FROM billing_subscriptions s WHERE s.customer_id = billing_customers.id)
        """,
        id=workshop_id,
    )


async def save_state(db: Write, workshop_id: str, state: BillingState, plan: Plan) -> None:
    await db.run(
        """
        UPDATE workshops SET billing_customer_id = :customer, billing_subscription_id = :subscription,
            billing_cancel_at_period_end = :cancels, plan = :plan, plan_expires_at = :expires_at,
            plan_source = :source
        WHERE id = :id
        """,
        id=workshop_id,
        customer=state.customer_id,
        subscription=state.subscription_id,
        cancels=int(state.cancels_at_period_end),
        plan=plan.plan,
        expires_at=plan.expires_at,
        source=plan.source,
    )


async def has_started_trial(db: Read, uid: str) -> bool:
    """Whether the account has started a trial, of whichever workshop."""
    sql = "SELECT 1 FROM accounts WHERE id = :uid AND trial_started_at IS NOT NULL"
    return await db.value(sql, uid=uid) is not None


async def save_trial(db: Write, workshop_id: str, uid: str, at: Instant, plan: Plan) -> None:
    """Starts the trial of the workshop, and records that the account has used its own."""
    await db.run("UPDATE accounts SET trial_started_at = :at WHERE id = :uid", uid=uid, at=at)
    await db.run(
        """
        UPDATE workshops SET trial_started_at = :at, plan = :plan, plan_expires_at = :expires_at,
            plan_source = :source
        WHERE id = :id
        """,
        id=workshop_id,
        at=at,
        plan=plan.plan,
        expires_at=plan.expires_at,
        source=plan.source,
    )
