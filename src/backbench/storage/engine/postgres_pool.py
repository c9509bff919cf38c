"""Connection pool for PostgreSQL: connections are reused, the one that was used last first.

The driver's own pool starts a task for each acquisition and each release, and wraps each call: a fifth of the processor
time of a GET. A connection of this pool is passed on as it is.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import asyncpg

_IDLE_SECONDS = 300.0
_CLOSE_SECONDS = 3.0
# Raised in the middle of a statement: the connection may still be busy with it, or lost.
_INTERRUPTIONS = (asyncio.CancelledError, TimeoutError, OSError, asyncpg.InterfaceError, GeneratorExit)


class ConnectionPool:
    """At most `largest` connections. Those who find none wait, and are served in turn."""

    def __init__(self, connect: Callable[[], Awaitable[Any]], largest: int) -> None:
        self._connect = connect
        self._largest = largest
        self._idle: list[Any] = []
        # How many of them have not been used since the last sweep: those at the beginning of the list.
        self._unused = 0
        self._in_use: set[Any] = set()
        self._expired: set[Any] = set()
        self._opening = 0
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._sweep: asyncio.TimerHandle | None = None
        self._returned = asyncio.Event()
        self._is_closing = False

    @contextlib.asynccontextmanager
    async def connection(self, seconds: float) -> AsyncIterator[Any]:
        """A connection for exclusive use. Raises TimeoutError where none becomes free, and what `connect` raises."""
        connection = await self._acquire(seconds)
        try:
            yield connection
        except BaseException as error:
            self._release(connection, error)
            raise
        self._release(connection, None)

    def expire(self) -> None:
        """Connections that are open now are not used again."""
        self._expired |= self._in_use
        for connection in self._idle:
            connection.terminate()
        self._idle.clear()

    async def close(self) -> None:
        """Waits for the connections in use."""
        self._is_closing = True
        if self._sweep is not None:
            self._sweep.cancel()
        while self._in_use or self._opening:
            self._returned.clear()
            await self._returned.wait()
        for connection in self._idle:
            with contextlib.suppress(TimeoutError, OSError, asyncpg.InterfaceError, asyncpg.PostgresError):
                await connection.close(timeout=_CLOSE_SECONDS)
        self._idle.clear()

    async def _acquire(self, seconds: float) -> Any:
        while True:
            while self._idle:
                connection = self._idle.pop()
                self._unused = min(self._unused, len(self._idle))
                if not connection.is_closed():
                    self._in_use.add(connection)
                    return connection
            if len(self._in_use) + self._opening < self._largest:
                return await self._open()
            connection = await self._wait(seconds)
            if connection is not None:
                return connection

    async def _open(self) -> Any:
        self._opening += 1
        try:
            connection = await self._connect()
        except BaseException:
            self._wake_next(None)
            raise
        finally:
            self._opening -= 1
            self._returned.set()
        self._in_use.add(connection)
        return connection

    async def _wait(self, seconds: float) -> Any:
        """A connection that was released; None where one can be opened."""
        turn: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            async with asyncio.timeout(seconds):
                return await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                # It got its turn at the same moment, so another one takes it.
                if turn.result() is None:
                    self._wake_next(None)
                else:
                    self._release(turn.result(), None)
            raise

    def _release(self, connection: Any, error: BaseException | None) -> None:
        """Takes the connection back. After an interrupted statement, or within a transaction, it is given up."""
        self._returned.set()
        is_usable = not (connection.is_closed() or isinstance(error, _INTERRUPTIONS) or connection.is_in_transaction())
        if is_usable and connection not in self._expired:
            if self._wake_next(connection):
                return
            self._in_use.discard(connection)
            self._idle.append(connection)
            if self._sweep is None and not self._is_closing:
                self._start_sweep()
            return
        self._in_use.discard(connection)
        self._expired.discard(connection)
        connection.terminate()
        self._wake_next(None)

    def _wake_next(self, connection: Any) -> bool:
        """Passes the connection, or the permission to open one, to the one that waits longest. False if none waits."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(connection)
                return True
        return False

    def _start_sweep(self) -> None:
        self._unused = len(self._idle)
        self._sweep = asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._close_unused)

    def _close_unused(self) -> None:
        for connection in self._idle[: self._unused]:
            connection.terminate()
        del self._idle[: self._unused]
        self._sweep = None
        if self._idle:
            self._start_sweep()
