"""Data quota: how much data a workshop may hold on its plan."""

from backbench.billing.plans import PlanRules
from backbench.engine.database import Write
from backbench.values.errors import Conflict
from backbench.values.times import Instant, later
from backbench.workshops import counters, workshops

# The rows of a smaller workshop are summed up in a few milliseconds.
_LARGE_BYTES = 16 * 1024 * 1024
# How long a large workshop that is full is refused without another sum, and of how many workshops that is known.
_FULL_SECONDS = 10
_MOST_FULL = 10_000


class DataQuota:
    """Checked after a write, in its transaction: its counter then includes what all earlier ones have added."""

    def __init__(self, rules: PlanRules) -> None:
        self._rules = rules
        # Large workshops that were full when their rows were summed up: until when that is good enough, and the sum.
        self._full: dict[str, tuple[Instant, int]] = {}

    async def require(self, db: Write, workshop_id: str, held: int, now: Instant, may_exceed: bool) -> None:
        """Raises Conflict `plan_limit` where the workshop holds more than its plan allows.

        A client with a link may add a tenth more, which is `may_exceed`: the client can make no space, and a decision
        must not wait for it.

        `held` is what `audit.add` returned: the bytes after the write, or more. They are counted exactly before
        anything is refused, for a large workshop once in ten seconds: the sum takes longer than a request may.
        """
        limit = self._rules.data_bytes((await workshops.find(db, workshop_id)).plan_at(now, self._rules))
        most = limit + limit // 10 if may_exceed else limit
        if held <= most:
            return
        until, known = self._full.get(workshop_id, ("", 0))
        if until > now and known > most:
            raise _too_much(limit, held)
        exactly = await counters.correct(db, workshop_id)
        if exactly > most:
            if exactly > _LARGE_BYTES:
                self._remember(workshop_id, exactly, now)
            raise _too_much(limit, exactly)

    def _remember(self, workshop_id: str, exactly: int, now: Instant) -> None:
        if len(self._full) >= _MOST_FULL:
            self._full.clear()
        self._full[workshop_id] = later(now, _FULL_SECONDS), exactly


def _too_much(limit: int, held: int) -> Conflict:
    return Conflict(
        "plan_limit",
        "Orders, estimates, grids and their history exceed the data limit of your plan",
        limit=limit,
        current=held,
    )
