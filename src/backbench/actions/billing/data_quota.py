"""Data quota: how much data a workshop may hold on its plan."""

from backbench.domain.billing.plans import PlanRules
from backbench.domain.values.errors import Conflict
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Write
from backbench.storage.workshops import counters, workshops


class DataQuota:
    """Checked after a write, in its transaction: its counter then includes what all earlier ones have added."""

    def __init__(self, rules: PlanRules) -> None:
        self._rules = rules

    async def require(self, db: Write, workshop_id: str, held: int, now: Instant) -> None:
        """Raises Conflict `plan_limit` where the workshop holds more than its plan allows.

        `held` is what `audit.add` returned: the bytes after the write, or more. They are counted exactly before
        anything is refused.
        """
        # The workshop is read only where its plan makes a difference.
        if held <= self._rules.least_data_bytes:
            return
        limit = self._rules.data_bytes((await workshops.find(db, workshop_id)).plan_at(now, self._rules))
        if held <= limit:
            return
        exactly = await counters.correct(db, workshop_id)
        if exactly > limit:
            raise Conflict(
                "plan_limit",
                "Orders, estimates, grids and their history exceed the data limit of your plan",
                limit=limit,
                current=exactly,
            )
