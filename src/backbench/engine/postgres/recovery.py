"""Recovery from a lost server: statements and transactions that can be repeated wait until it can be used again.

One attempt to connect stands for all that wait, so a server that starts is not overrun. Nobody waits longer than
ten seconds after the connection was lost, and so a request with several statements does not either.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from time import monotonic

from backbench.engine.postgres.errors import ConnectionLost
from backbench.values.errors import DatabaseUnavailable

_SECONDS = 10.0
# Each may hold the body of its request, at most 256 KiB.
_MOST_WAITING = 400
_FIRST_WAIT_SECONDS = 0.02
_LONGEST_WAIT_SECONDS = 0.25
# Once nobody waits any longer.
_LATER_WAIT_SECONDS = 1.0


class Recovery:
    """`attempt` returns if the server can be used, and raises DatabaseUnavailable otherwise."""

    def __init__(self, attempt: Callable[[], Awaitable[None]]) -> None:
        self._attempt = attempt
        self._attempts: asyncio.Task[None] | None = None
        self._lost_at = 0.0
        self._failure: DatabaseUnavailable | None = None
        self._waiting = 0

    @property
    def is_waited_for(self) -> bool:
        """Whether the server was lost so recently that a request waits for it before its first statement."""
        return self._attempts is not None and monotonic() < self._lost_at + _SECONDS

    async def wait(self, error: DatabaseUnavailable | None, since: float) -> None:
        """Returns when the server can be used again. `since`: when the caller began to wait, by `monotonic`.

        Raises `error`, or the newest one, after the ten seconds, or where too many wait.
        """
        attempts = self._attempts or self._begin()
        seconds = min(since, self._lost_at) + _SECONDS - monotonic()
        if seconds <= 0 or self._waiting >= _MOST_WAITING:
            raise error or self._newest_failure()
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(attempts)
        except TimeoutError:
            raise (self._failure or error or self._newest_failure()) from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        if self._attempts is not None:
            self._attempts.cancel()

    def _begin(self) -> asyncio.Task[None]:
        self._lost_at, self._failure = monotonic(), None
        self._attempts = asyncio.get_running_loop().create_task(self._try_until_usable())
        return self._attempts

    async def _try_until_usable(self) -> None:
        wait = _FIRST_WAIT_SECONDS
        try:
            while True:
                try:
                    return await self._attempt()
                except DatabaseUnavailable as error:
                    self._failure = error
                # Random waits, so that several processes do not connect at the same time.
                await asyncio.sleep(random.uniform(0.5, 1.0) * wait)  # noqa: S311 - no secret
                is_recent = monotonic() < self._lost_at + _SECONDS
                wait = min(2 * wait, _LONGEST_WAIT_SECONDS) if is_recent else _LATER_WAIT_SECONDS
        finally:
            self._attempts = None

    def _newest_failure(self) -> DatabaseUnavailable:
        return self._failure or ConnectionLost("the connection was lost", is_unreachable=True)
