"""The servers of a PostgreSQL cluster: connections to the one that can be written to, and recovery from its loss."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from time import monotonic
from typing import Any

import asyncpg

from backbench.engine.postgres.errors import UNAVAILABLE_ERRORS, ConnectionLost, failure
from backbench.engine.postgres.hosts import Hosts
from backbench.engine.postgres.pool import ConnectionPool
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


TRIES = 12
# For each host in the URL; the hosts are asked at the same time.
_CONNECT_SECONDS = 3.0
_STATEMENT_SECONDS = 30.0


class Cluster:
    """Errors that mean that the database cannot be used are raised as DatabaseUnavailable."""

    def __init__(self, url: str, largest_pool: int) -> None:
        self._pool = ConnectionPool(self._connect, largest_pool)
        self.hosts = Hosts(url, _CONNECT_SECONDS, self._pool.abort)
        self._recovery = Recovery(self._require_usable)
        # A standby, or a server whose disk is protected, can be read from.
        self.writable_recovery = Recovery(self._require_writable)

    async def close(self) -> None:
        try:
            await self._pool.close()
        finally:
            for part in (self.hosts, self._recovery, self.writable_recovery):
                part.close()

    async def acquire(self) -> Any:
        """A connection of the pool, from a server that can be used: waits for one. Raises DatabaseUnavailable."""
        if not self._recovery.is_waited_for:
            try:
                return await self._pool.acquire(self.hosts.seconds)
            except (DatabaseUnavailable, *UNAVAILABLE_ERRORS) as error:
                return await self.acquire_again(None, error, monotonic())
        return await self.acquire_again(None, None, monotonic())

    async def acquire_again(self, connection: Any, error: Exception | None, since: float) -> Any:
        """Another connection, after `error` on this one or without one."""
        if connection is not None:
            self._pool.release(connection, error)
        for _ in range(TRIES):
            lost = None if error is None else self._failure(error, connection)
            if error is not None and (not isinstance(lost, ConnectionLost) or not self.hosts.is_known):
                raise lost or error from error
            await self._recovery.wait(lost, since)
            try:
                return await self._pool.acquire(self.hosts.seconds)
            except (DatabaseUnavailable, *UNAVAILABLE_ERRORS) as next_error:
                error, connection = next_error, None
        assert error is not None
        raise self._failure(error, None) or error from error

    def release(self, connection: Any, error: BaseException | None) -> None:
        """Raises DatabaseUnavailable where that is what the error means."""
        self._pool.release(connection, error)
        if error is not None:
            meant = self._failure(error, connection)
            if meant is not None and meant is not error:
                raise meant from error

    def put_back(self, connection: Any, error: Exception | None) -> None:
        """Returns a connection to the pool. After `error`, an interrupted statement, it is not used again."""
        self._pool.release(connection, error)

    def is_lost(self, error: Exception, connection: Any) -> bool:
        return isinstance(failure(error, connection), ConnectionLost)

    def connection(self) -> AbstractAsyncContextManager[Any]:
        """One of the pool for a transaction, without waiting for a server that was lost."""
        return _Used(self)

    async def acquire_now(self) -> Any:
        try:
            return await self._pool.acquire(self.hosts.seconds, is_transaction=True)
        except (DatabaseUnavailable, *UNAVAILABLE_ERRORS) as error:
            meant = self._failure(error, None)
            if meant is None or meant is error:
                raise
            raise meant from error

    @contextlib.asynccontextmanager
    async def own_connection(self) -> AsyncIterator[Any]:
        connection = None
        try:
            connection = await self._connect()
            try:
                yield connection
            finally:
                await connection.close(timeout=_CONNECT_SECONDS)
        except (DatabaseUnavailable, *UNAVAILABLE_ERRORS) as error:
            meant = self._failure(error, connection)
            if meant is None or meant is error:
                raise
            raise meant from error

    async def _connect(self) -> Any:
        return await self.hosts.connect(command_timeout=_STATEMENT_SECONDS)

    def _failure(self, error: BaseException, connection: Any) -> DatabaseUnavailable | None:
        meant = failure(error, connection)
        if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
            # The server was made a standby: new connections look for the new primary.
            self._pool.expire()
        if isinstance(meant, ConnectionLost):
            self.hosts.ask_all_next()
        elif isinstance(error, TimeoutError):
            self.hosts.look_for_newer()
        return meant

    # For recovery

    async def _require_usable(self) -> None:
        await self._try_to_connect(must_write=False)

    async def _require_writable(self) -> None:
        await self._try_to_connect(must_write=True)

    async def _try_to_connect(self, *, must_write: bool) -> None:
        """Raises DatabaseUnavailable."""
        connection = None
        try:
            connection = await self._connect()
            if must_write and await connection.fetchval("SHOW transaction_read_only") == "on":
                raise ConnectionLost("the server is read-only")
        except asyncpg.TooManyConnectionsError:
            # It responds.
            return
        except (DatabaseUnavailable, *UNAVAILABLE_ERRORS) as error:
            raise self._failure(error, connection) or error from error
        finally:
            if connection is not None:
                connection.terminate()


class _Used:
    """A connection of the pool, in use."""

    __slots__ = ("_cluster", "_connection")

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def __aenter__(self) -> Any:
        self._connection = await self._cluster.acquire_now()
        return self._connection

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self._cluster.release(self._connection, error)
