"""The pool of connections to PostgreSQL, whose COMMIT is never cancelled."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from functools import partial
from time import monotonic
from typing import Any

import asyncpg

from backbench.values.fair_queue import FairQueue, owner

# How long a request waits for the result.
_RESULT_SECONDS = 30.0
# The driver would send a cancellation: never, in effect.
_NEVER_SECONDS = 1_000_000.0


class DatabaseConnection(asyncpg.Connection):
    """`committing` is a statement that commits, with a result that is not known yet. Nothing cancels it."""

    committing: asyncio.Future[Any] | None = None

    async def begin(self) -> None:
        # Not stricter than READ COMMITTED: a stricter one takes its snapshot before its first lock, and knows nothing
        # of what transactions that are less strict have committed since.
        await self.execute("BEGIN ISOLATION LEVEL READ COMMITTED")

    async def commit(self) -> None:
        """Raises PostgresError where the server has rolled back, and reported it; TimeoutError after 30 seconds."""
        if await self.committed(self.execute, "COMMIT") != "COMMIT":
            raise asyncpg.InFailedSQLTransactionError("A statement of the transaction had failed")

    async def committed(self, method: Callable[..., Awaitable[Any]], text: str, *arguments: Any) -> Any:
        """The result of a statement that commits. Raises as `commit` does."""
        # In a task, since the driver cancels a statement at the server when the task that waits for it is cancelled.
        committing = asyncio.ensure_future(method(text, *arguments, timeout=_NEVER_SECONDS))
        self.committing = committing
        # Nobody may be left to see its error.
        committing.add_done_callback(self._end_of_commit)
        await asyncio.wait((committing,), timeout=_RESULT_SECONDS)
        if not committing.done():
            raise TimeoutError
        return committing.result()

    async def roll_back(self) -> None:
        """Does nothing where no transaction is open, or while the result of its COMMIT is unknown."""
        if self.committing is None and not self.is_closed() and self.is_in_transaction():
            await self.execute("ROLLBACK")

    def _end_of_commit(self, committing: asyncio.Future[Any]) -> None:
        self.committing = None
        if not committing.cancelled():
            committing.exception()


# Transactions of one owner: more of them would wait for each other's locks, and are slower than three. And its reads,
# where some of them took long.
MOST_OF_OWNER = 3
# Its reads in any case leave so many connections to others.
LEFT_TO_OTHERS = 2
_LONG_SECONDS = 0.05
_REMEMBERED_SECONDS = 60.0
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
# The owner, None for what the application does by itself; and whether it is a transaction.
_Use = tuple[Hashable, bool]


class ConnectionPool:
    """At most `largest` connections. Those who find none wait, and so does an owner that has its share of them.

    That of an owner (values/fair_queue.py) is MOST_OF_OWNER for transactions, and as many again for reads if one
    of them has taken long within the last minute. Other reads leave LEFT_TO_OTHERS: they are over soon.

    Each connection has a place, from before it is opened until it is closed. Places and connections that become free
    are passed to the owners that wait, in turn, and of an owner to the one that waits longest. So a newcomer finds one
    only where none waits that may have it.
    """

    def __init__(self, connect: Callable[[], Awaitable[Any]], largest: int) -> None:
        self._connect = connect
        self._largest = largest
        self._idle: list[Any] = []
        # How many of them have not been used since the last sweep: those at the beginning of the list.
        self._unused = 0
        # With the time since when, by `monotonic`.
        self._in_use: dict[Any, tuple[_Use, float]] = {}
        self._number_of: dict[_Use, int] = {}
        # Owners whose reads took long, and until when that counts.
        self._long: dict[Hashable, float] = {}
        self._expired: set[Any] = set()
        # Places of connections that are being opened or closed.
        self._changing = 0
        self._closing: dict[asyncio.Task[None], Any] = {}
        self._waiting: FairQueue[_Use, Any] = FairQueue()
        self._sweep: asyncio.TimerHandle | None = None
        self._returned = asyncio.Event()
        self._is_closing = False

    @contextlib.asynccontextmanager
    async def connection(self, seconds: float, *, is_transaction: bool = False) -> AsyncIterator[Any]:
        """A connection for exclusive use. Raises what `acquire` raises."""
        connection = await self.acquire(seconds, is_transaction=is_transaction)
        try:
            yield connection
        except BaseException as error:
            self.release(connection, error)
            raise
        self.release(connection, None)

    def expire(self) -> None:
        """Connections that are open now are not used again."""
        self._expired |= self._in_use.keys()
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

    async def acquire(self, seconds: float, *, is_transaction: bool = False) -> Any:
        """A connection, to be released. Raises TimeoutError where none becomes free, and what `connect` raises."""
        if self._is_closing:
            raise asyncpg.InterfaceError("The connection pool is closed")
        of = (owner.get()(), is_transaction)
        number = self._number_of.get(of, 0)
        if number < MOST_OF_OWNER or self._may_have_another(of):
            while self._idle:
                connection = self._idle.pop()
                self._unused = min(self._unused, len(self._idle))
                if not connection.is_closed():
                    self._number_of[of] = number + 1
                    self._in_use[connection] = of, monotonic()
                    return connection
            if len(self._in_use) + self._changing < self._largest:
                self._changing += 1
                self._count(of)
                return await self._open(of)
        return await self._wait(seconds, of)

    def _may_have_another(self, of: _Use) -> bool:
        account, is_transaction = of
        number = self._number_of.get(of, 0)
        if account is None or number < MOST_OF_OWNER:
            return True
        is_long = self._long.get(account, 0.0) > monotonic()
        return not is_transaction and not is_long and number < self._largest - LEFT_TO_OTHERS

    def _count(self, of: _Use) -> None:
        self._number_of[of] = self._number_of.get(of, 0) + 1

    def _uncount(self, of: _Use) -> None:
        number = self._number_of[of] - 1
        if number:
            self._number_of[of] = number
        else:
            del self._number_of[of]

    def _take_back(self, connection: Any) -> None:
        of, since = self._in_use.pop(connection)
        self._uncount(of)
        now = monotonic()
        if now - since > _LONG_SECONDS and not of[1]:
            self._long = {account: until for account, until in self._long.items() if until > now}
            self._long[of[0]] = now + _REMEMBERED_SECONDS

    async def _open(self, of: _Use) -> Any:
        """Opens a connection in a place that is counted already, also as one of the owner."""
        try:
            connection = await self._connect()
        except BaseException:
            self._uncount(of)
            self._pass_place()
            raise
        self._changing -= 1
        self._in_use[connection] = of, monotonic()
        return connection

    async def _wait(self, seconds: float, of: _Use) -> Any:
        """A connection that was released, or one that is opened in a place that became free."""
        connection = await self._waiting.wait(of, partial(self._give_back, of), seconds)
        if connection is not None and (connection.is_closed() or connection in self._expired):
            # Since it was passed on.
            del self._in_use[connection]
            self._expired.discard(connection)
            connection.terminate()
            self._changing += 1
            connection = None
        return await self._open(of) if connection is None else connection

    def _give_back(self, of: _Use, connection: Any) -> None:
        """What one that waits no more was given: another one takes it."""
        if connection is None:
            self._uncount(of)
            self._pass_place()
        else:
            self.release(connection, None)

    def release(self, connection: Any, error: BaseException | None) -> None:
        """Takes the connection back. After an interrupted statement, or within a transaction, it is closed."""
        self._take_back(connection)
        is_usable = not (connection.is_closed() or isinstance(error, _INTERRUPTIONS) or connection.is_in_transaction())
        if not is_usable or connection in self._expired:
            self._give_up(connection)
        elif not self._wake_next(connection):
            self._idle.append(connection)
            self._returned.set()
            if self._sweep is None and not self._is_closing:
                self._start_sweep()

    def _give_up(self, connection: Any) -> None:
        self._expired.discard(connection)
        self._changing += 1
        # Its owner may have another one.
        if self._idle and self._wake_next(self._idle[-1]):
            self._idle.pop()
            self._unused = min(self._unused, len(self._idle))
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
        """Passes the connection, or its place, to the next owner that may have it. False if none waits for it."""
        found = self._waiting.pop(self._may_have_another)
        if found is None:
            return False
        of, turn = found
        self._count(of)
        if connection is not None:
            self._in_use[connection] = of, monotonic()
        turn.set_result(connection)
        return True

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
