"""Billing: the trial, the payment provider's pages, and its events, the only way by which pro is bought."""

import structlog

from backbench.actions.billing import entitlements
from backbench.actions.billing.subscriptions import require_not_bought
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
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
from backbench.domain.billing.plans import Plan, WorkshopEntitlementsUsage
from backbench.domain.values.errors import Conflict, NotFound, Unavailable
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant, later
from backbench.domain.workshops.audit import PROVIDER, ChangeSource
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.integrations.payments import Payments
from backbench.storage.accounts import accounts
from backbench.storage.billing import billing
from backbench.storage.engine.database import Database, Write
from backbench.storage.workshops import audit, workshops

log = structlog.get_logger()


async def start_trial(db: Write, call: Call, workshop_id: str, services: Services) -> WorkshopEntitlementsUsage:
    """Start the trial of a workshop: 14 days of pro, once for a workshop and once for an account. Owners only."""
    await db.lock(f"plan {workshop_id}")
    await db.lock(f"trial of {call.uid}")
    # As the provider has left it, which may have reported a subscription until now.
    workshop = await workshops.find(db, workshop_id)
    if workshop.trial_started_at is not None:
        raise Conflict("trial_used", "The workshop has already used its trial")
    if await billing.has_started_trial(db, call.uid):
        raise Conflict("trial_used", "Your account has already used its trial")
    if workshop.plan_at(call.now, services.plan_rules).plan == "pro":
        raise Conflict("already_pro", "The workshop is already on pro")
    plan = Plan("pro", later(call.now, TRIAL_SECONDS), "trial")
    await billing.save_trial(db, workshop_id, call.uid, call.now, plan)
    return await entitlements.get(db, call, await workshops.find(db, workshop_id), services)


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
    if event.change is None or not await billing.add_event(db, event):
        return
    customer_id = _customer_of(event.change)
    # Before and after: an event may move a customer from one workshop to another.
    affected = set(await billing.list_workshop_ids(db, customer_id))
    await _store(db, event)
    for workshop_id in sorted(affected.union(await billing.list_workshop_ids(db, customer_id))):
        await _apply_plan(db, workshop_id, now, new_id)


def _customer_of(change: BillingChange) -> str:
    return change.subscription.customer_id if isinstance(change, SubscriptionChanged) else change.customer_id


async def _store(db: Write, event: BillingEvent) -> None:
    match event.change:
        case SubscriptionChanged(subscription):
            await billing.save_subscription(db, subscription, subscription.event_sort_key(event.at, event.id))
        case CustomerLinked(customer_id, workshop_id):
            await billing.save_link(db, customer_id, workshop_id, event.at)
        case CustomerRefunded(customer_id, paid_at):
            await billing.save_refund(db, customer_id, paid_at)
        case CustomerDeleted(customer_id):
            await billing.save_deletion(db, customer_id, event.at)


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
    state = billing_state(
        await billing.list_subscriptions(db, workshop_id), await billing.list_customers(db, workshop_id)
    )
    given = await billing.lookup_granted_plan(db, workshop_id)
    plan = longest_plan(given, workshop.trial_started_at, state.paid_until)
    await billing.save_state(db, workshop_id, state, plan)
    before = (workshop.plan, workshop.plan_expires_at, workshop.plan_source, workshop.billing_cancel_at_period_end)
    if before != (plan.plan, plan.expires_at, plan.source, state.cancels_at_period_end):
        await audit.add(db, ChangeSource(PROVIDER, now, new_id).change(workshop_id, "plan.changed", workshop_id))


def _configured(payments: Payments | None) -> Payments:
    if payments is None:
        raise Unavailable("payments_not_configured", "No payment provider is set up on this server")
    return payments
