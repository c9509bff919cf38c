"""Data quota: how much data a workshop may hold on its plan."""

from backbench.domain.billing.plans import PlanRules
from backbench.domain.values.errors import Conflict
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read
from backbench.storage.workshops import workshops

# Each costs a worker some 150 bytes.
_MOST_LARGE = 10_000


class DataQuota:
    """Checked after a write, in its transaction: its counter then includes what all earlier ones have added."""

    def __init__(self, rules: PlanRules) -> None:
        self._rules = rules
        self._least_bytes = rules.least_data_bytes
        # Workshops that held more when they were written to last, as far as this worker knows.
        self._large: set[str] = set()

    def allowed_unseen(self, workshop_id: str) -> int:
        """The bytes up to which `require` would not raise. 0 for a large workshop: they are to be counted first."""
        return 0 if workshop_id in self._large else self._least_bytes

    async def require(self, db: Read, workshop_id: str, held: int, now: Instant) -> None:
        """Raises Conflict `plan_limit` where `held`, the bytes after the write, exceed the workshop's plan."""
        # The workshop is read only where its plan makes a difference.
        if held <= self._least_bytes:
            self._large.discard(workshop_id)
            return
        if len(self._large) >= _MOST_LARGE:
            self._large.clear()
        self._large.add(workshop_id)
        limit = self._rules.data_bytes((await workshops.find(db, workshop_id)).plan_at(now, self._rules))
        if held > limit:
            raise Conflict(
                "plan_limit",
                "Orders, estimates, grids and their history exceed the data limit of your plan",
                limit=limit,
                current=held,
            )
