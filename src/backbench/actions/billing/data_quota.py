"""Data quota: how much data a workshop may hold on its plan."""

from backbench.domain.billing.plans import PlanRules
from backbench.domain.values.errors import Conflict
from backbench.domain.values.times import Instant, later
from backbench.storage.engine.database import Write
from backbench.storage.workshops import counters, workshops

# The rows of a smaller workshop are summed up in a few milliseconds.
_LARGE_BYTES = 16 * 1024 * 1024
# How long a large workshop that is full is refused without another sum, and of how many workshops that is known.
_FULL_SECONDS = 10
_MOST_FULL = 10_000


class DataQuota:
    """Checked after a write, in its transaction: its counter then includes what all earlier ones have added."""

    def __init__(self, rules: PlanRules) -> None:
        self._rules = rules
        # Large workshops that were full when their rows were summed up: until when that is good enough.
        self._full: dict[str, Instant] = {}

    async def require(self, db: Write, workshop_id: str, held: int, now: Instant) -> None:
        """Raises Conflict `plan_limit` where the workshop holds more than its plan allows.

        `held` is what `audit.add` returned: the bytes after the write, or more. They are counted exactly before
        anything is refused, for a large workshop once in ten seconds: the sum takes longer than a request may.
        """
        # The workshop is read only where its plan makes a difference.
        if held <= self._rules.least_data_bytes:
            return
        limit = self._rules.data_bytes((await workshops.find(db, workshop_id)).plan_at(now, self._rules))
        if held <= limit:
            return
        if self._full.get(workshop_id, "") > now:
            raise _too_much(limit, held)
        exactly = await counters.correct(db, workshop_id)
        if exactly > limit:
            if exactly > _LARGE_BYTES:
                self._remember(workshop_id, now)
            raise _too_much(limit, exactly)

    def _remember(self, workshop_id: str, now: Instant) -> None:
        if len(self._full) >= _MOST_FULL:
            self._full.clear()
        self._full[workshop_id] = later(now, _FULL_SECONDS)


def _too_much(limit: int, held: int) -> Conflict:
    return Conflict(
        "plan_limit",
        "Orders, estimates, grids and their history exceed the data limit of your plan",
        limit=limit,
        current=held,
    )
