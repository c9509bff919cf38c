"""Taking turns: what is dear to have many of at once, such as uploads, waits for its turn, account by account."""

import asyncio
import contextlib
from collections.abc import AsyncIterator


class Turns:
    """At most so many at once for each account; one account's waiting is nobody else's."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._queues: dict[str, _Queue] = {}

    @contextlib.asynccontextmanager
    async def turn(self, uid: str) -> AsyncIterator[None]:
        queue = self._queues.setdefault(uid, _Queue(self._most))
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
