"""Connection pool for PostgreSQL: connections are reused, the one that was used last first.

The driver's own pool starts a task for each acquisition and each release, and wraps each call: a fifth of the processor
time of a GET. A connection of this pool is passed on as it is, and nothing of its session is reset: statements that
change a session are not used (a test searches for them).
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import asyncpg

_IDLE_SECONDS = 300.0
_CLOSE_SECONDS = 3.0
# A commit that waits for its standby keeps its place: else the server would soon have no connection left for reads.
_COMMIT_SECONDS = 300.0
# Raised in the middle of a statement: the connection may still be busy with it, or the server is about to close it.
_INTERRUPTIONS = (
    asyncio.CancelledError,
    GeneratorExit,
    BaseExceptionGroup,
    TimeoutError,
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.DatabaseDroppedError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.TransactionTimeoutError,
)


class ConnectionPool:
    """At most `largest` connections. Those who find none wait, and are served in turn.

    Each connection has a place, from before it is opened until it is closed. Places and connections that become free
    are passed to the one that waits longest, so a newcomer finds one only where none waits.
    """

    def __init__(self, connect: Callable[[], Awaitable[Any]], largest: int) -> None:
        self._connect = connect
        self._largest = largest
        self._idle: list[Any] = []
        # How many of them have not been used since the last sweep: those at the beginning of the list.
        self._unused = 0
        self._in_use: set[Any] = set()
        self._expired: set[Any] = set()
        # Places of connections that are being opened or closed.
        self._changing = 0
        self._closing: dict[asyncio.Task[None], Any] = {}
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._sweep: asyncio.TimerHandle | None = None
        self._returned = asyncio.Event()
        self._is_closing = False

    @contextlib.asynccontextmanager
    async def connection(self, seconds: float) -> AsyncIterator[Any]:
        """A connection for exclusive use. Raises what `acquire` raises."""
        connection = await self.acquire(seconds)
        try:
            yield connection
        except BaseException as error:
            self.release(connection, error)
            raise
        self.release(connection, None)

    def expire(self) -> None:
        """Connections that are open now are not used again."""
        self._expired |= self._in_use
        self._terminate_idle(len(self._idle))

    def abort(self) -> None:
        """The same, and their statements end with an error."""
        self.expire()
        for connection in self._in_use:
            connection.terminate()
        for closing in self._closing:
            closing.cancel()

    async def close(self) -> None:
        """Waits for the connections in use, and for those who wait for one. Cancelled, it ends them."""
        self._is_closing = True
        for closing, connection in self._closing.items():
            if connection.committing is not None:
                # The server waits on for its standby.
                closing.cancel()
        if self._sweep is not None:
            self._sweep.cancel()
        try:
            while self._in_use or self._changing:
                self._returned.clear()
                await self._returned.wait()
            while self._idle:
                with contextlib.suppress(TimeoutError, OSError, asyncpg.InterfaceError, asyncpg.PostgresError):
                    await self._idle.pop().close(timeout=_CLOSE_SECONDS)
        except asyncio.CancelledError:
            for connection in (*self._idle, *self._in_use):
                connection.terminate()
            raise

    async def acquire(self, seconds: float) -> Any:
        """A connection, to be released. Raises TimeoutError where none becomes free, and what `connect` raises."""
        if self._is_closing:
            raise asyncpg.InterfaceError("The connection pool is closed")
        while self._idle:
            connection = self._idle.pop()
            self._unused = min(self._unused, len(self._idle))
            if not connection.is_closed():
                self._in_use.add(connection)
                return connection
        if len(self._in_use) + self._changing >= self._largest:
            connection = await self._wait(seconds)
            if connection is not None:
                return connection
        else:
            self._changing += 1
        return await self._open()

    async def _open(self) -> Any:
        """Opens a connection in a place that is counted already."""
        try:
            connection = await self._connect()
        except BaseException:
            self._pass_place()
            raise
        self._changing -= 1
        self._in_use.add(connection)
        return connection

    async def _wait(self, seconds: float) -> Any:
        """A connection that was released; None for a place in which one can be opened."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[Any] = loop.create_future()
        self._waiting.append(turn)
        timer = loop.call_later(seconds, _end, turn)
        try:
            connection = await turn
        except BaseException:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                # It got its turn at the same moment, so another one takes it.
                if turn.result() is None:
                    self._pass_place()
                else:
                    self.release(turn.result(), None)
            raise
        finally:
            timer.cancel()
        if connection is not None and (connection.is_closed() or connection in self._expired):
            # Since it was passed on.
            self._in_use.discard(connection)
            self._expired.discard(connection)
            connection.terminate()
            self._changing += 1
            return None
        return connection

    def release(self, connection: Any, error: BaseException | None) -> None:
        """Takes the connection back. After an interrupted statement, or within a transaction, it is closed."""
        is_usable = not (connection.is_closed() or isinstance(error, _INTERRUPTIONS) or connection.is_in_transaction())
        if not is_usable or connection in self._expired:
            self._give_up(connection)
        elif not self._wake_next(connection):
            self._in_use.discard(connection)
            self._idle.append(connection)
            self._returned.set()
            if self._sweep is None and not self._is_closing:
                self._start_sweep()

    def _give_up(self, connection: Any) -> None:
        self._in_use.discard(connection)
        self._expired.discard(connection)
        self._changing += 1
        if connection.is_closed():
            connection.terminate()
            self._pass_place()
        else:
            closing = asyncio.get_running_loop().create_task(self._close(connection))
            self._closing[closing] = connection
            closing.add_done_callback(self._end_of_closing)

    async def _close(self, connection: Any) -> None:
        """Cancels the statement first. It would run to its end otherwise, with its locks, beyond the largest number.

        A COMMIT is not cancelled (postgres/connections.py).
        """
        if connection.committing is not None:
            await asyncio.wait((connection.committing,), timeout=_COMMIT_SECONDS)
            if connection.committing is not None:
                connection.terminate()
                return
        try:
            await connection.close(timeout=_CLOSE_SECONDS)
        except (TimeoutError, OSError, asyncpg.InterfaceError, asyncpg.PostgresError):
            connection.terminate()

    def _end_of_closing(self, closing: asyncio.Task[None]) -> None:
        """Not within the task: one that is cancelled before its first step does nothing at all."""
        connection = self._closing.pop(closing)
        if not connection.is_closed():
            connection.terminate()
        self._pass_place()

    def _pass_place(self) -> None:
        if not self._wake_next(None):
            self._changing -= 1
            self._returned.set()

    def _wake_next(self, connection: Any) -> bool:
        """Passes the connection, or its place, to the one that waits longest. False if none waits."""
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
        self._terminate_idle(self._unused)
        self._sweep = None
        if self._idle:
            self._start_sweep()

    def _terminate_idle(self, count: int) -> None:
        """Those at the beginning of the list."""
        for connection in self._idle[:count]:
            connection.terminate()
        del self._idle[:count]
        self._unused = 0


def _end(turn: asyncio.Future[Any]) -> None:
    if not turn.done():
        turn.set_exception(TimeoutError())
