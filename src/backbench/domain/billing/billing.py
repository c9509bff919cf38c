"""Billing: what the payment provider tells, and the plan that follows from it."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from backbench.domain.billing.plans import FREE, Plan
from backbench.domain.values.times import Instant, later

TRIAL_SECONDS = 14 * 86_400
# A renewal that could not be charged leaves the workshop on pro for a week, while the provider tries again.
GRACE_SECONDS = 7 * 86_400
# A payment may be dated a moment before the period that it pays for.
_PAID_BEFORE_SECONDS = 300
# Later than every moment: what does not expire.
_NEVER = "9999-12-31T23:59:59.999Z"

SubscriptionStatus = Literal[
    "incomplete", "incomplete_expired", "trialing", "active", "past_due", "paused", "unpaid", "canceled"
]
# The first payment is still to come, or never came.
NOT_BEGUN: tuple[SubscriptionStatus, ...] = ("incomplete", "incomplete_expired")
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
        if customer is not None and (customer.deleted_at is not None or customer.is_refunded_since(self)):
            return None
        if self.status in ("active", "trialing"):
            return self.period_ends_at
        if self.status == "past_due":
            return min(self.period_ends_at, later(self.period_starts_at, GRACE_SECONDS))
        return None

    def runs_at(self, now: Instant, customer: "Customer | None") -> bool:
        """Whether the provider may go on charging for it, paid for or not.

        One of whose renewal nothing was told within the grace after its period counts no more: it cannot be ended
        here, and must not hold the workshop for ever.
        """
        if self.status in ("canceled", "incomplete_expired") or (customer is not None and customer.deleted_at):
            return False
        silence = 0 if self.cancels_at_period_end else GRACE_SECONDS
        return now < later(self.period_ends_at, silence)


class Customer(Struct, frozen=True):
    """The provider's customer behind a workshop. `refunded_at`: when the newest payment that went back was made."""

    id: str
    workshop_id: str | None
    linked_at: Instant | None
    refunded_at: Instant | None
    deleted_at: Instant | None

    def is_refunded_since(self, subscription: Subscription) -> bool:
        """Whether the payment for the subscription's period went back."""
        return self.refunded_at is not None and self.refunded_at >= later(
            subscription.period_starts_at, -_PAID_BEFORE_SECONDS
        )


class SubscriptionTold(Struct, frozen=True):
    subscription: Subscription


class CustomerLinked(Struct, frozen=True):
    """A checkout was completed: the customer belongs to the workshop."""

    customer_id: str
    workshop_id: str


class CustomerRefunded(Struct, frozen=True):
    """A payment made at `paid_at` went back whole."""

    customer_id: str
    paid_at: Instant


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
    gone = {customer.id for customer in customers if customer.deleted_at is not None}
    known = {subscription.customer_id: "" for subscription in subscriptions}
    known |= {customer.id: customer.linked_at or "" for customer in customers}
    alive = [(linked_at, customer) for customer, linked_at in known.items() if customer not in gone]
    customer_id = max(alive)[1] if alive else None
    if not paying:
        return BillingState(customer_id, None, cancels_at_period_end=False, paid_until=None)
    until, _, best = max(paying, key=lambda entry: entry[:2])
    return BillingState(best.customer_id, best.id, best.cancels_at_period_end, until)


def plan_after(given: Plan | None, trial_started_at: Instant | None, paid_until: Instant | None) -> Plan:
    """The plan once the provider has been heard: whatever lasts longest of what the host has `given`, of what is paid
    for, and of the trial. So it needs no other look when one of them ends, and takes none away."""
    known = [FREE] if given is None else [given]
    if paid_until is not None:
        known.append(Plan("pro", paid_until, "subscription"))
    if trial_started_at is not None:
        known.append(Plan("pro", later(trial_started_at, TRIAL_SECONDS), "trial"))
    return max(known, key=_lasts)


def _lasts(plan: Plan) -> Instant:
    """Until when; of two that last alike, the first is chosen."""
    return "" if plan.plan == "free" else plan.expires_at or _NEVER
