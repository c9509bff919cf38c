"""Running subscriptions of a workshop: checked before it is bought for again, or deleted."""

from backbench.domain.billing.billing import NOT_STARTED
from backbench.domain.values.errors import Conflict
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.storage.billing import billing
from backbench.storage.engine.database import Read


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
    customers = {customer.id: customer for customer in await billing.list_customers(db, workshop_id)}
    return [
        subscription.status
        for subscription in await billing.list_subscriptions(db, workshop_id)
        if subscription.is_running(now, customers.get(subscription.customer_id))
    ]
