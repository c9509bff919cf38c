"""Taking turns: what is dear to have many of at once, uploads and papers, waits for its turn, account by account."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from backbench.domain.values.errors import Unavailable

_WAIT_SECONDS = 10


class ConcurrencyLimit:
    """At most so many at once for each account; one account's waiting is nobody else's.

    Where `waiting` is given, an account of which more would wait is refused: Unavailable.
    """

    def __init__(self, most: int, waiting: int | None = None) -> None:
        self._most = most
        self._longest = None if waiting is None else most + waiting
        self._queues: dict[str, _Queue] = {}

    @contextlib.asynccontextmanager
    async def turn(self, uid: str) -> AsyncIterator[None]:
        queue = self._queues.setdefault(uid, _Queue(self._most))
        if queue.length == self._longest:
            raise Unavailable("unavailable", "Too many of this account wait already", wait=_WAIT_SECONDS)
        queue.length += 1
        try:
            async with queue.places:
                yield
        finally:
            queue.length -= 1
            if not queue.length:
                del self._queues[uid]


class _Queue:
    def __init__(self, most: int) -> None:
        self.places = asyncio.Semaphore(most)
        self.length = 0
