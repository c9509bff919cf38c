"""Billing: what the payment provider tells, and the plan that follows from it."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from backbench.domain.plans import FREE, Plan
from backbench.domain.times import Instant, later

TRIAL_SECONDS = 14 * 86_400
# A renewal that could not be charged leaves the workshop on pro for a week, while the provider tries again.
GRACE_SECONDS = 7 * 86_400

SubscriptionStatus = Literal[
    "incomplete", "incomplete_expired", "trialing", "active", "past_due", "paused", "unpaid", "canceled"
]
# Later in the life of a subscription: decides between events that the provider dates to the same second.
_AGE = {
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
    """Where the owner goes on: a page that the provider hosts."""

    url: str


class Subscription(Struct, frozen=True):
    """A subscription as the provider told of it last."""

    id: str
    customer_id: str
    workshop_id: str | None
    status: SubscriptionStatus
    period_starts_at: Instant
    period_ends_at: Instant
    cancels_at_period_end: bool

    def told(self, at: Instant, event_id: str) -> str:
        """Sorts what was told of one subscription: later is greater, whichever arrives first."""
        return f"{at} {self.period_ends_at} {_AGE[self.status]} {int(self.cancels_at_period_end)} {event_id}"

    def pro_until(self, customer: "Customer | None") -> Instant | None:
        """How long it pays for pro; None where it does not."""
        if customer is not None and customer.deleted_at is not None:
            return None
        is_refunded = customer is not None and (customer.refunded_at or "") >= self.period_starts_at
        if is_refunded:
            return None
        if self.status in ("active", "trialing"):
            return self.period_ends_at
        if self.status == "past_due":
            return min(self.period_ends_at, later(self.period_starts_at, GRACE_SECONDS))
        return None


class Customer(Struct, frozen=True):
    """The provider's customer behind a workshop."""

    id: str
    workshop_id: str | None
    linked_at: Instant | None
    refunded_at: Instant | None
    deleted_at: Instant | None


class SubscriptionTold(Struct, frozen=True):
    subscription: Subscription


class CustomerLinked(Struct, frozen=True):
    """A checkout was completed: the customer belongs to the workshop."""

    customer_id: str
    workshop_id: str


class CustomerRefunded(Struct, frozen=True):
    customer_id: str


class CustomerDeleted(Struct, frozen=True):
    customer_id: str


Told = SubscriptionTold | CustomerLinked | CustomerRefunded | CustomerDeleted


class BillingEvent(Struct, frozen=True):
    """One event of the provider; `told` is None for kinds that change nothing here."""

    id: str
    kind: str
    at: Instant
    told: Told | None


class BillingState(Struct, frozen=True):
    """What follows from all that was told about a workshop."""

    customer_id: str | None
    subscription_id: str | None
    cancels_at_period_end: bool
    paid_until: Instant | None


def state_of(subscriptions: Sequence[Subscription], customers: Sequence[Customer]) -> BillingState:
    """The same for the same facts, in whatever order they came."""
    by_id = {customer.id: customer for customer in customers}
    paying = [
        (until, subscription.id, subscription)
        for subscription in subscriptions
        if (until := subscription.pro_until(by_id.get(subscription.customer_id))) is not None
    ]
    alive = sorted((customer.linked_at or "", customer.id) for customer in customers if customer.deleted_at is None)
    customer_id = alive[-1][1] if alive else None
    if not paying:
        return BillingState(customer_id, None, cancels_at_period_end=False, paid_until=None)
    until, _, best = max(paying, key=lambda entry: entry[:2])
    return BillingState(best.customer_id, best.id, best.cancels_at_period_end, until)


def plan_after(current: Plan, trial_started_at: Instant | None, paid_until: Instant | None) -> Plan:
    """The plan once the provider has been heard. A grant of the host's is never taken away by it."""
    if current.source == "grant" and (current.expires_at is None or current.expires_at >= (paid_until or "")):
        return current
    if paid_until is not None:
        return Plan("pro", paid_until, "subscription")
    if current.source == "grant":
        return current
    if trial_started_at is not None:
        return Plan("pro", later(trial_started_at, TRIAL_SECONDS), "trial")
    return FREE
