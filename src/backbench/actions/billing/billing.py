"""Plan and billing: a trial, the provider's pages, and what the provider tells. Pro is granted only by its word."""

import structlog

from backbench.actions.authorization import require_owner
from backbench.actions.billing.entitlements import entitlements
from backbench.actions.billing.subscriptions import require_not_bought
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.billing import (
    TRIAL_SECONDS,
    BillingChange,
    BillingEvent,
    CheckoutPage,
    CustomerDeleted,
    CustomerLinked,
    CustomerRefunded,
    SubscriptionChanged,
    billing_state,
    longest_plan,
)
from backbench.domain.billing.plans import CheckoutAvailability, Plan, WorkshopEntitlementsUsage
from backbench.domain.values.errors import Conflict, NotFound, Unavailable
from backbench.domain.values.times import Instant, later
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.integrations.payments import Payments
from backbench.storage.accounts import accounts
from backbench.storage.billing import billing
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.workshops import workshops

log = structlog.get_logger()


async def start_trial(
    db: Write, caller: Caller, workshop_id: str, now: Instant, checkout: CheckoutAvailability
) -> WorkshopEntitlementsUsage:
    """Fourteen days of pro, once per workshop."""
    await db.lock(f"plan {workshop_id}")
    workshop = await _owned(db, caller, workshop_id)
    if workshop.trial_started_at is not None:
        raise Conflict("trial_used", "The workshop has had its trial")
    if workshop.plan_at(now).plan == "pro":
        raise Conflict("already_pro", "The workshop is on pro")
    plan = Plan("pro", later(now, TRIAL_SECONDS), "trial")
    await billing.save_trial(db, workshop_id, now, plan)
    return await entitlements(db, caller, workshop_id, now, checkout)


async def open_checkout(
    db: Database,
    payments: Payments | None,
    caller: Caller,
    workshop_id: str,
    now: Instant,
    checkout: CheckoutAvailability,
    public_url: str,
) -> CheckoutPage:
    """The provider's page where the owner subscribes. Nothing changes here until the provider says so."""
    async with db.read() as read:
        workshop = await _owned(read, caller, workshop_id)
        account = await accounts.find(read, caller.uid)
        if checkout == "pro_purchase_disabled":
            raise Conflict("pro_purchase_disabled", "Pro cannot be bought here")
        provider = _configured(payments)
        await require_not_bought(read, workshop, now)
    back = f"{public_url}/?workshop={workshop_id}"
    return CheckoutPage(await provider.checkout(workshop_id, workshop.billing_customer_id, account.email, back))


async def open_portal(
    db: Database, payments: Payments | None, caller: Caller, workshop_id: str, public_url: str
) -> CheckoutPage:
    """The provider's page where the owner changes or ends the subscription."""
    async with db.read() as read:
        workshop = await _owned(read, caller, workshop_id)
    provider = _configured(payments)
    if workshop.billing_customer_id is None:
        raise Conflict("no_billing_account", "Nothing was bought for the workshop yet")
    back = f"{public_url}/?workshop={workshop_id}"
    return CheckoutPage(await provider.portal(workshop.billing_customer_id, back))


async def apply(db: Write, event: BillingEvent) -> None:
    """Applies an event once. What it says is kept, and the plan follows from all that is kept."""
    # One event at a time: two that concern one workshop would each judge without the other.
    await db.lock("billing")
    if event.change is None or not await billing.add_event(db, event):
        return
    customer_id = _customer_of(event.change)
    # Before and after: what is told may take something from one workshop and give it to another.
    concerned = set(await billing.workshops_of(db, customer_id))
    await _keep(db, event)
    for workshop_id in sorted(concerned.union(await billing.workshops_of(db, customer_id))):
        await _settle(db, workshop_id)


def _customer_of(change: BillingChange) -> str:
    return change.subscription.customer_id if isinstance(change, SubscriptionChanged) else change.customer_id


async def _keep(db: Write, event: BillingEvent) -> None:
    match event.change:
        case SubscriptionChanged(subscription):
            await billing.save_subscription(db, subscription, subscription.event_sort_key(event.at, event.id))
        case CustomerLinked(customer_id, workshop_id):
            await billing.save_link(db, customer_id, workshop_id, event.at)
        case CustomerRefunded(customer_id, paid_at):
            await billing.save_refund(db, customer_id, paid_at)
        case CustomerDeleted(customer_id):
            await billing.save_deletion(db, customer_id, event.at)


async def _settle(db: Write, workshop_id: str) -> None:
    """Puts the workshop on the plan that follows from all that is kept."""
    # A trial, the host or a removal may be at the same workshop.
    await db.lock(f"plan {workshop_id}")
    try:
        workshop = await workshops.find(db, workshop_id)
    except NotFound:
        # It was removed since, or never was ours. Nobody here can end what is paid for it; the host can.
        log.warning("the payment provider told of an unknown workshop", workshop=workshop_id)
        return
    state = billing_state(await billing.subscriptions_of(db, workshop_id), await billing.customers_of(db, workshop_id))
    given = await billing.given_plan(db, workshop_id)
    await billing.save_state(db, workshop_id, state, longest_plan(given, workshop.trial_started_at, state.paid_until))


async def _owned(db: Read, caller: Caller, workshop_id: str) -> StoredWorkshop:
    workshop = await workshops.find(db, workshop_id)
    await require_owner(db, caller, workshop_id)
    return workshop


def _configured(payments: Payments | None) -> Payments:
    if payments is None:
        raise Unavailable("payments_not_configured", "No payment provider is set up on this server")
    return payments
