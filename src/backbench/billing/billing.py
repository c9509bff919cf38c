"""Billing: the trial, the payment provider's pages and events, entitlements, and the plan that follows."""

from typing import Literal

from msgspec import Struct

from backbench.accounts import accounts
from backbench.billing.payment_provider import Payments
from backbench.billing.plans import (
    BrandMarkEntitlement,
    Plan,
    RevisionsEntitlement,
    StorageEntitlement,
    WorkshopBilling,
    WorkshopEntitlementsUsage,
    WorkshopPlan,
    WorkshopPlanSource,
)
from backbench.billing.subscriptions import (
    NOT_STARTED,
    TRIAL_SECONDS,
    BillingChange,
    BillingEvent,
    BillingState,
    CheckoutPage,
    Customer,
    CustomerDeleted,
    CustomerLinked,
    CustomerRefunded,
    Subscription,
    SubscriptionChanged,
    billing_state,
    longest_plan,
)
from backbench.engine.database import Database, Read, Write
from backbench.http.requests import Request
from backbench.logs import log
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import Conflict, NotFound, Unavailable
from backbench.values.ids import NewId
from backbench.values.times import Instant, later
from backbench.workshops import audit, workshops
from backbench.workshops.audit import PROVIDER, ChangeSource
from backbench.workshops.workshops import StoredWorkshop

# Statements


async def add_event(db: Write, event: BillingEvent) -> bool:
    """Records the event. False when it was applied before."""
    return await db.add_new("billing_events", key="id", id=event.id, kind=event.kind, at=event.at)


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


# Verbs


async def start_trial(db: Write, call: Call, workshop_id: str, services: Services) -> WorkshopEntitlementsUsage:
    """Start the trial of a workshop: 14 days of pro, once for a workshop and once for an account. Owners only."""
    await db.lock(f"plan {workshop_id}")
    await db.lock(f"trial of {call.uid}")
    # As the provider has left it, which may have reported a subscription until now.
    workshop = await workshops.find(db, workshop_id)
    if workshop.trial_started_at is not None:
        raise Conflict("trial_used", "The workshop has already used its trial")
    if await has_started_trial(db, call.uid):
        raise Conflict("trial_used", "Your account has already used its trial")
    if workshop.plan_at(call.now, services.plan_rules).plan == "pro":
        raise Conflict("already_pro", "The workshop is already on pro")
    plan = Plan("pro", later(call.now, TRIAL_SECONDS), "trial")
    await save_trial(db, workshop_id, call.uid, call.now, plan)
    return await get(db, call, await workshops.find(db, workshop_id), services)


async def create_checkout(db: Database, call: Call, workshop: StoredWorkshop, services: Services) -> CheckoutPage:
    """Create the payment provider's checkout page. Owners only.

    The plan changes when the provider reports the payment.
    """
    async with db.read() as read:
        account = await accounts.find(read, call.uid)
        if services.checkout == "pro_purchase_disabled":
            raise Conflict("pro_purchase_disabled", "Pro cannot be bought on this server")
        provider = _configured(services.payments)
        await require_not_bought(read, workshop, call.now)
    back = f"{services.public_url}/?workshop={workshop.id}"
    return CheckoutPage(await provider.checkout(workshop.id, workshop.billing_customer_id, account.email, back))


async def create_portal(db: Database, workshop: StoredWorkshop, services: Services) -> CheckoutPage:
    """Create the payment provider's portal page, to change or end the subscription. Owners only."""
    provider = _configured(services.payments)
    if workshop.billing_customer_id is None:
        raise Conflict("no_billing_account", "The workshop has no billing account yet")
    back = f"{services.public_url}/?workshop={workshop.id}"
    return CheckoutPage(await provider.portal(workshop.billing_customer_id, back))


async def apply(db: Write, event: BillingEvent, now: Instant, new_id: NewId) -> None:
    """Applies an event once: its facts are stored, and the plan is derived from all stored facts."""
    # One event at a time: two that concern one workshop would each be applied without the other.
    await db.lock("billing")
    if event.change is None or not await add_event(db, event):
        return
    customer_id = _customer_of(event.change)
    # Before and after: an event may move a customer from one workshop to another.
    affected = set(await list_workshop_ids(db, customer_id))
    await _store(db, event)
    for workshop_id in sorted(affected.union(await list_workshop_ids(db, customer_id))):
        await _apply_plan(db, workshop_id, now, new_id)


def _customer_of(change: BillingChange) -> str:
    return change.subscription.customer_id if isinstance(change, SubscriptionChanged) else change.customer_id


async def _store(db: Write, event: BillingEvent) -> None:
    match event.change:
        case SubscriptionChanged(subscription):
            await save_subscription(db, subscription, subscription.event_sort_key(event.at, event.id))
        case CustomerLinked(customer_id, workshop_id):
            await save_link(db, customer_id, workshop_id, event.at)
        case CustomerRefunded(customer_id, paid_at):
            await save_refund(db, customer_id, paid_at)
        case CustomerDeleted(customer_id):
            await save_deletion(db, customer_id, event.at)


async def _apply_plan(db: Write, workshop_id: str, now: Instant, new_id: NewId) -> None:
    """Sets the workshop's plan as derived from all stored facts."""
    # A trial, the host or a deletion may change the same workshop.
    await db.lock(f"plan {workshop_id}")
    try:
        workshop = await workshops.find(db, workshop_id)
    except NotFound:
        # It was deleted since, or never existed here. Only the host can end what is paid for it.
        log.warning("payment event for an unknown workshop", workshop=workshop_id)
        return
    state = billing_state(await list_subscriptions(db, workshop_id), await list_customers(db, workshop_id))
    given = await lookup_granted_plan(db, workshop_id)
    plan = longest_plan(given, workshop.trial_started_at, state.paid_until)
    await save_state(db, workshop_id, state, plan)
    before = (workshop.plan, workshop.plan_expires_at, workshop.plan_source, workshop.billing_cancel_at_period_end)
    if before != (plan.plan, plan.expires_at, plan.source, state.cancels_at_period_end):
        await audit.add(db, ChangeSource(PROVIDER, now, new_id).change(workshop_id, "plan.changed", workshop_id))


def _configured(payments: Payments | None) -> Payments:
    if payments is None:
        raise Unavailable("payments_not_configured", "No payment provider is set up on this server")
    return payments


async def get(db: Read, call: Call, workshop: StoredWorkshop, services: Services) -> WorkshopEntitlementsUsage:
    """Read the plan of a workshop, what it allows and how much is used. The payment provider is never called."""
    plan = workshop.plan_at(call.now, services.plan_rules)
    return WorkshopEntitlementsUsage(
        plan=plan.plan,
        plan_expires_at=plan.expires_at,
        brand_mark=BrandMarkEntitlement(plan.may_hide_brand_mark),
        file_storage=StorageEntitlement(workshop.storage_used_bytes, plan.storage_bytes),
        revisions=RevisionsEntitlement(plan.revisions_per_estimate),
        billing=WorkshopBilling(
            has_account=workshop.billing_customer_id is not None,
            plan_source=plan.source,
            cancel_at_period_end=plan.source == "subscription" and workshop.billing_cancel_at_period_end,
            checkout_availability=services.checkout,
        ),
    )


async def require_not_charged(db: Read, workshop: StoredWorkshop, now: Instant) -> None:
    """Raises Conflict while the payment provider may go on charging for the workshop on any plan."""
    if workshop.stored_plan.at(now).source == "subscription" or await _running(db, workshop.id, now):
        raise Conflict("subscription_running", "End the workshop's subscription first", workshopId=workshop.id)


async def require_not_bought(db: Read, workshop: StoredWorkshop, now: Instant) -> None:
    """Raises Conflict where the workshop has a subscription. One that was never paid does not count."""
    begun = [status for status in await _running(db, workshop.id, now) if status not in NOT_STARTED]
    if begun or workshop.stored_plan.at(now).source == "subscription":
        raise Conflict("subscription_running", "The workshop has a subscription; change it in the portal")


async def _running(db: Read, workshop_id: str, now: Instant) -> list[str]:
    """The statuses of the workshop's subscriptions that have not ended."""
    customers = {customer.id: customer for customer in await list_customers(db, workshop_id)}
    return [
        subscription.status
        for subscription in await list_subscriptions(db, workshop_id)
        if subscription.is_running(now, customers.get(subscription.customer_id))
    ]


# Over HTTP


async def read_event(db: Database, request: Request, services: Services) -> BillingEvent:
    """The event of the request. Raises ValidationError for a bad signature, Unavailable without a provider."""
    if services.payments is None:
        raise Unavailable("payments_not_configured", "No payment provider is set up on this server")
    payload = await request.body()
    return await services.payments.event(payload, request.header(b"stripe-signature") or "")


async def receive(db: Write, call: Call, prepared: BillingEvent) -> None:
    """Receive an event of the payment provider, signed over the raw body. Each is applied once, in any order."""
    await apply(db, prepared, call.now, call.new_id)
