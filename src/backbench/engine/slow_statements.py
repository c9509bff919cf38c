"""Slow statements of reads: they are stopped after a short time, and run again one after the other for each workshop.

So searches through a large workshop leave processor, threads and connections to the requests of others. What is known
to be slow is not tried in the ordinary way for a while: each try costs the others the time after which it is stopped.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from time import monotonic

from backbench.engine.database import Value
from backbench.values.errors import Unavailable

# Of all workshops at once, in a worker.
_MOST_AT_ONCE = 2
# Of one workshop, with the one that runs.
_MOST_OF_WORKSHOP = 20
_KNOWN_SECONDS = 60.0
_RETRY_AFTER_SECONDS = 10


class SlowStatements:
    """The slow statements of an engine. Statements belong to the workshop of their value `workshop_id`."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(_MOST_AT_ONCE)
        self._waiting: dict[str, _OfWorkshop] = {}
        # Statement and workshop -> until when, by `monotonic`.
        self._known: dict[tuple[str, Value], float] = {}

    def is_known(self, sql: str, values: Mapping[str, Value]) -> bool:
        """Whether the statement was remembered for this workshop within the last minute."""
        if not self._known:
            return False
        return self._known.get((sql, values.get("workshop_id")), 0.0) > monotonic()

    def remember(self, sql: str, values: Mapping[str, Value]) -> None:
        """The statement takes long itself. One that belongs to no workshop is not remembered: it is of everybody."""
        if "workshop_id" not in values:
            return
        now = monotonic()
        self._known = {key: until for key, until in self._known.items() if until > now}
        self._known[sql, values["workshop_id"]] = now + _KNOWN_SECONDS

    @contextlib.asynccontextmanager
    async def place(self, values: Mapping[str, Value]) -> AsyncIterator[None]:
        """Waits until the statement may run. Raises Unavailable where too many of its workshop wait."""
        workshop_id = values.get("workshop_id")
        if not isinstance(workshop_id, str):
            async with self._places:
                yield
            return
        waiting = self._waiting.setdefault(workshop_id, _OfWorkshop())
        if waiting.number == _MOST_OF_WORKSHOP:
            detail = "Too many requests that take long are queued for this workshop"
            raise Unavailable("unavailable", detail, wait=_RETRY_AFTER_SECONDS)
        waiting.number += 1
        try:
            async with waiting.turn, self._places:
                yield
        finally:
            waiting.number -= 1
            if not waiting.number:
                del self._waiting[workshop_id]


class _OfWorkshop:
    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.number = 0
