"""Per-account concurrency limits for expensive operations, such as uploads and PDF exports."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from backbench.domain.values.errors import Unavailable

_RETRY_AFTER_SECONDS = 10


class ConcurrencyLimit:
    """At most `running` operations at once for each account; accounts do not wait for each other.

    With `waiting`, an account that has as many more waiting already gets Unavailable.
    """

    def __init__(self, running: int, waiting: int | None = None) -> None:
        self._running = running
        self._max_length = None if waiting is None else running + waiting
        self._queues: dict[str, _Queue] = {}

    @contextlib.asynccontextmanager
    async def slot(self, uid: str) -> AsyncIterator[None]:
        """Waits for a slot of the account and holds it for the body. Raises Unavailable where too many wait."""
        queue = self._queues.setdefault(uid, _Queue(self._running))
        if queue.length == self._max_length:
            detail = "Too many requests of this account are queued"
            raise Unavailable("unavailable", detail, wait=_RETRY_AFTER_SECONDS)
        queue.length += 1
        try:
            async with queue.slots:
                yield
        finally:
            queue.length -= 1
            if not queue.length:
                del self._queues[uid]


class _Queue:
    def __init__(self, running: int) -> None:
        self.slots = asyncio.Semaphore(running)
        self.length = 0
