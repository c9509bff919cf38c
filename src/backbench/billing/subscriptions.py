"""Billing: the subscriptions and customers that the payment provider reports, and the plan that results from them."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from backbench.billing.plans import FREE, Plan
from backbench.values.times import Instant, later

TRIAL_SECONDS = 14 * 86_400
# After a failed renewal the workshop stays on pro for a week, while the provider retries the charge.
GRACE_SECONDS = 7 * 86_400
# A payment may be dated slightly before the period that it pays for.
_PAYMENT_LEAD_SECONDS = 300
# Later than every timestamp: the expiry of a plan that does not expire.
_NEVER = "9999-12-31T23:59:59.999Z"
SubscriptionStatus = Literal[
    "incomplete", "incomplete_expired", "trialing", "active", "past_due", "paused", "unpaid", "canceled"
]
# The first payment is pending or failed.
NOT_STARTED: tuple[SubscriptionStatus, ...] = ("incomplete", "incomplete_expired")
# Progress in the life cycle of a subscription: orders events that the provider dates to the same second.
_STATUS_RANK = {
    "incomplete": 0,
    "incomplete_expired": 1,
    "trialing": 2,
    "active": 3,
    "past_due": 4,
    "paused": 5,
    "unpaid": 6,
    "canceled": 7,
}


class CheckoutPage(Struct, frozen=True):
    """The address of a page that the provider hosts, to which the owner is sent."""

    url: str


class Subscription(Struct, frozen=True):
    """A subscription, as the provider last reported it."""

    id: str
    customer_id: str
    workshop_id: str | None
    status: SubscriptionStatus
    period_starts_at: Instant
    period_ends_at: Instant
    cancels_at_period_end: bool

    def event_sort_key(self, at: Instant, event_id: str) -> str:
        """Orders the events of one subscription: later is greater, in any order of arrival."""
        return f"{at} {self.period_ends_at} {_STATUS_RANK[self.status]} {int(self.cancels_at_period_end)} {event_id}"

    def pro_until(self, customer: "Customer | None") -> Instant | None:
        """Until when the subscription pays for pro, or None if it does not."""
        if customer is not None and (customer.deleted_at is not None or customer.is_refunded_since(self)):
            return None
        if self.status in ("active", "trialing"):
            return self.period_ends_at
        if self.status == "past_due":
            return min(self.period_ends_at, later(self.period_starts_at, GRACE_SECONDS))
        return None

    def is_running(self, now: Instant, customer: "Customer | None") -> bool:
        """Whether the provider may still charge for the subscription, whether it is paid or in arrears.

        Without a reported renewal within the grace after its period, a subscription counts as ended: it cannot be
        ended from here and must not block the workshop for ever.
        """
        if self.status in ("canceled", "incomplete_expired") or (customer is not None and customer.deleted_at):
            return False
        grace = 0 if self.cancels_at_period_end else GRACE_SECONDS
        return now < later(self.period_ends_at, grace)


class Customer(Struct, frozen=True):
    """The provider's customer of a workshop. `refunded_at`: the date of the newest payment that was refunded."""

    id: str
    workshop_id: str | None
    linked_at: Instant | None
    refunded_at: Instant | None
    deleted_at: Instant | None

    def is_refunded_since(self, subscription: Subscription) -> bool:
        """Whether the payment for the subscription's current period was refunded."""
        return self.refunded_at is not None and self.refunded_at >= later(
            subscription.period_starts_at, -_PAYMENT_LEAD_SECONDS
        )


class SubscriptionChanged(Struct, frozen=True):
    subscription: Subscription


class CustomerLinked(Struct, frozen=True):
    """A checkout was completed: the customer belongs to the workshop."""

    customer_id: str
    workshop_id: str


class CustomerRefunded(Struct, frozen=True):
    """A payment made at `paid_at` was refunded in full."""

    customer_id: str
    paid_at: Instant


class CustomerDeleted(Struct, frozen=True):
    customer_id: str


BillingChange = SubscriptionChanged | CustomerLinked | CustomerRefunded | CustomerDeleted


class BillingEvent(Struct, frozen=True):
    """An event of the provider. `change` is None for kinds that change nothing here."""

    id: str
    kind: str
    at: Instant
    change: BillingChange | None


class BillingState(Struct, frozen=True):
    """The billing state that results from all reported subscriptions and customers of a workshop."""

    customer_id: str | None
    subscription_id: str | None
    cancels_at_period_end: bool
    paid_until: Instant | None


def billing_state(subscriptions: Sequence[Subscription], customers: Sequence[Customer]) -> BillingState:
    """The state for these subscriptions and customers; independent of the order of their events."""
    by_id = {customer.id: customer for customer in customers}
    paying = [
        (until, subscription.id, subscription)
        for subscription in subscriptions
        if (until := subscription.pro_until(by_id.get(subscription.customer_id))) is not None
    ]
    deleted = {customer.id for customer in customers if customer.deleted_at is not None}
    linked = {subscription.customer_id: "" for subscription in subscriptions}
    linked |= {customer.id: customer.linked_at or "" for customer in customers}
    remaining = [(linked_at, customer) for customer, linked_at in linked.items() if customer not in deleted]
    # The first customer of the workshop remains its own: a later one does not take over its portal.
    customer_id = min(remaining)[1] if remaining else None
    if not paying:
        return BillingState(customer_id, None, cancels_at_period_end=False, paid_until=None)
    until, _, best = max(paying, key=lambda entry: entry[:2])
    return BillingState(best.customer_id, best.id, best.cancels_at_period_end, until)


def longest_plan(granted: Plan | None, trial_started_at: Instant | None, paid_until: Instant | None) -> Plan:
    """The plan that lasts longest: the host's grant, the subscription or the trial.

    The plan need not be computed again when one of the shorter ones ends, and no source takes away another.
    """
    plans = [FREE] if granted is None else [granted]
    if paid_until is not None:
        plans.append(Plan("pro", paid_until, "subscription"))
    if trial_started_at is not None:
        plans.append(Plan("pro", later(trial_started_at, TRIAL_SECONDS), "trial"))
    return max(plans, key=_expiry)


def _expiry(plan: Plan) -> Instant:
    """Until when the plan lasts. `max` returns the first of two equal plans."""
    return "" if plan.plan == "free" else plan.expires_at or _NEVER
