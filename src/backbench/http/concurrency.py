"""Concurrency limits for expensive operations, such as uploads and exports: per account, and in all."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from backbench.values.errors import Unavailable

_RETRY_AFTER_SECONDS = 10


class ConcurrencyLimit:
    """At most `running` operations at once for each account; accounts do not wait for each other.

    With `waiting`, an account that has as many more waiting already gets Unavailable. With `in_all`, so does an
    account while that many operations of all accounts run. An operation that has done its work, and only sends it to a
    client that may be slow, stops counting among those of all accounts: it calls what the slot yields.
    """

    def __init__(self, running: int, waiting: int | None = None, *, in_all: int | None = None) -> None:
        self._running = running
        self._max_length = None if waiting is None else running + waiting
        self._in_all = in_all
        self._queues: dict[str, _Queue] = {}
        self._number_in_use = 0

    @contextlib.asynccontextmanager
    async def slot(self, uid: str) -> AsyncIterator[Callable[[], None]]:
        """Waits for a slot of the account and holds it for the body. Raises Unavailable where too many wait or run."""
        queue = self._queues.setdefault(uid, _Queue(self._running))
        if queue.length == self._max_length:
            raise _unavailable("Too many requests of this account are queued")
        queue.length += 1
        try:
            async with queue.slots:
                if self._number_in_use == self._in_all:
                    raise _unavailable("Too many such requests are running on this server")
                self._number_in_use += 1
                is_counted = True

                def stop_counting() -> None:
                    nonlocal is_counted
                    self._number_in_use -= is_counted
                    is_counted = False

                try:
                    yield stop_counting
                finally:
                    stop_counting()
        finally:
            queue.length -= 1
            if not queue.length:
                del self._queues[uid]


def _unavailable(detail: str) -> Unavailable:
    return Unavailable("unavailable", detail, wait=_RETRY_AFTER_SECONDS)


class _Queue:
    def __init__(self, running: int) -> None:
        self.slots = asyncio.Semaphore(running)
        self.length = 0
