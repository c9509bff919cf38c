"""PostgreSQL, the engine for several machines: a connection pool, one transaction per write, retried on conflicts.

Statements of reads, and transactions whose COMMIT was not sent, are repeated when their connection is lost.
"""

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from functools import cache
from time import monotonic
from typing import Any

import asyncpg

from backbench.domain.values.errors import DatabaseUnavailable, Unavailable
from backbench.storage.engine.database import Catalog, Read, Result, Row, Value, Work
from backbench.storage.engine.postgres_catalog import PostgresCatalog
from backbench.storage.engine.postgres_errors import (
    UNAVAILABLE_ERRORS,
    ConnectionLost,
    failure,
    is_undone,
    unknown_commit,
)
from backbench.storage.engine.postgres_migrations import migrate
from backbench.storage.engine.postgres_pool import ConnectionPool
from backbench.storage.engine.rows import checked_maker, checked_makers
from backbench.storage.engine.servers.hosts import Hosts
from backbench.storage.engine.servers.recovery import Recovery

_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")
_FIRST_OF_JOINED = re.compile(r"FROM \w+ (\w+) LEFT JOIN ")
_LARGEST_POOL = 10
# For each host in the URL; the hosts are asked at the same time.
_CONNECT_SECONDS = 3.0
_STATEMENT_SECONDS = 30.0
_TRIES = 12

# Nothing has been written, and a retry may succeed or fail for its real reason: with a foreign key violation, a row was
# deleted between being read and being referred to. The last two: a newer node has changed a table since this connection
# prepared its statement.
_RETRIABLE_ERRORS = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.ForeignKeyViolationError,
    asyncpg.InvalidCachedStatementError,
    asyncpg.OutdatedSchemaCacheError,
)


@cache
def positional(sql: str) -> tuple[str, tuple[str, ...]]:
    """The statement with `$1` in place of `:name`, and the names in that order."""
    names: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${names.setdefault(match[1], len(names) + 1)}"

    return _PARAMETER.sub(number, sql), tuple(names)


class _Ended:
    """In place of the connection of a handle whose transaction has ended."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("A database handle was used after its end")


_ENDED: Any = _Ended()


class PostgresHandle:
    """Read and Write on one connection."""

    skip_locked = "FOR UPDATE SKIP LOCKED"
    has_functions = True

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        text, names = positional(sql)
        arguments = [values[name] for name in names]
        try:
            row = await self._connection.fetchrow(text, *arguments)
        except UNAVAILABLE_ERRORS as error:
            row = await self._repeat(error, "fetchrow", text, arguments)
        if row is None:
            return None
        make = checked_makers.get((type_, sql)) or checked_maker(type_, sql, tuple(row.keys()))
        return make(row)  # type: ignore[no-any-return] # a maker of `type_` returns a `type_`

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        text, names = positional(sql)
        arguments = [values[name] for name in names]
        try:
            rows = await self._connection.fetch(text, *arguments)
        except UNAVAILABLE_ERRORS as error:
            rows = await self._repeat(error, "fetch", text, arguments)
        if not rows:
            return []
        make = checked_makers.get((type_, sql)) or checked_maker(type_, sql, tuple(rows[0].keys()))
        return [make(row) for row in rows]

    async def value(self, sql: str, /, **values: Value) -> Any:
        text, names = positional(sql)
        arguments = [values[name] for name in names]
        try:
            return await self._connection.fetchval(text, *arguments)
        except UNAVAILABLE_ERRORS as error:
            return await self._repeat(error, "fetchval", text, arguments)

    async def run(self, sql: str, /, **values: Value) -> int:
        text, names = positional(sql)
        tag: str = await self._connection.execute(text, *[values[name] for name in names])
        count = tag.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    async def lock(self, name: str, /) -> None:
        await self._connection.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)

    def locking(self) -> Read:
        return _LockingHandle(self)

    def end(self) -> None:
        """Statements on this handle raise RuntimeError from now on: its connection may have another user."""
        self._connection = _ENDED

    async def _repeat(self, error: Exception, method: str, text: str, arguments: list[Value]) -> Any:
        """The result of a SELECT that failed. Within a transaction it is the whole transaction that is repeated."""
        raise error


class _LockingHandle:
    """Locks the rows that `one` returns, as an UPDATE would that changes no key: rows may still refer to them."""

    def __init__(self, handle: PostgresHandle) -> None:
        self._handle = handle
        self.all, self.value = handle.all, handle.value

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        return await self._handle.one(type_, _locking(sql), **values)


@cache
def _locking(sql: str) -> str:
    """The statement, locking rows of its first table: those that are joined to it may be missing."""
    joined = _FIRST_OF_JOINED.search(sql)
    return f"{sql} FOR NO KEY UPDATE" + (f" OF {joined[1]}" if joined else "")


class _Reading(PostgresHandle):
    """A read, from the acquisition of its connection to the release. Each of its statements sees what is committed, on
    this connection or on another one."""

    def __init__(self, database: "Postgres") -> None:
        self._database = database
        self._connection = _ENDED

    async def __aenter__(self) -> Read:
        self._connection = await self._database.acquire()
        return self

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        connection, self._connection = self._connection, _ENDED
        if connection is not _ENDED:
            self._database.release(connection, error)

    async def _repeat(self, error: Exception, method: str, text: str, arguments: list[Value]) -> Any:
        since = monotonic()
        for _ in range(_TRIES):
            if not self._database.is_lost(error, self._connection):
                break
            connection, self._connection = self._connection, _ENDED
            self._connection = await self._database.acquire_again(connection, error, since)
            try:
                return await getattr(self._connection, method)(text, *arguments)
            except UNAVAILABLE_ERRORS as next_error:
                error = next_error
        raise error


class Postgres:
    engine = "postgres"
    catalog: Catalog = PostgresCatalog()
    poll_seconds = 0.5

    def __init__(self, url: str, *, largest_pool: int = _LARGEST_POOL) -> None:
        self._pool = ConnectionPool(self._connect, largest_pool)
        self._hosts = Hosts(url, _CONNECT_SECONDS, self._pool.abort)
        self.catalog = PostgresCatalog(len(self._hosts.urls))
        self._recovery = Recovery(self._require_usable)
        # A standby, or a server whose disk is protected, can be read from.
        self._writable_recovery = Recovery(self._require_writable)

    def read(self) -> AbstractAsyncContextManager[Read]:
        return _Reading(self)

    @contextlib.asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Read]:
        """On a connection of its own: a long read that took one of the pool would delay ordinary requests."""
        async with (
            self._own_connection() as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            handle = PostgresHandle(connection)
            try:
                yield handle
            finally:
                handle.end()

    async def write(self, work: Work[Result], /) -> Result:
        since = 0.0
        for attempt in range(_TRIES):
            if self._writable_recovery.is_waited_for:
                since = since or monotonic()
                await self._writable_recovery.wait(None, since)
            try:
                return await self._transaction(work)
            except _RETRIABLE_ERRORS:
                # Random waits, so that the transactions that conflicted do not conflict again.
                await asyncio.sleep(random.uniform(0, 0.01 * 2 ** min(attempt, 5)))  # noqa: S311 - no secret
            except ConnectionLost as error:
                since = since or monotonic()
                if not self._hosts.is_known or attempt == _TRIES - 1:
                    raise
                await self._writable_recovery.wait(error, since)
        raise Unavailable("unavailable", "Too many changes at once; try again", wait=1)

    async def _transaction(self, work: Work[Result]) -> Result:
        """Raises ConnectionLost only if nothing of it is stored."""
        is_committing = False
        try:
            # Not stricter: a stricter one takes its snapshot before its first lock, and knows nothing of what
            # transactions that are less strict have committed since.
            async with self._connection() as connection, connection.transaction(isolation="read_committed"):
                handle = PostgresHandle(connection)
                try:
                    result = await work(handle)
                finally:
                    handle.end()
                is_committing = True
        except DatabaseUnavailable as error:
            # A statement that took too long is among them: the server may have committed and wait for its standby.
            if is_committing and not is_undone(error.__cause__):
                raise unknown_commit() from error
            raise
        return result

    async def may_have_changed(self) -> bool:
        """PostgreSQL has no counter of commits that costs less than the statement which follows."""
        return True

    async def ready(self) -> None:
        async with self._connection() as connection:
            await connection.fetchval("SELECT 1")

    async def migrate(self, to: int | None = None) -> int:
        async with self._connection() as connection:
            return await migrate(connection, self._own_connection, to)

    async def close(self) -> None:
        try:
            await self._pool.close()
        finally:
            for part in (self._hosts, self._recovery, self._writable_recovery):
                part.close()

    # For reads

    async def acquire(self) -> Any:
        """A connection of the pool, from a server that can be used: waits for one. Raises DatabaseUnavailable."""
        if not self._recovery.is_waited_for:
            try:
                return await self._pool.acquire(self._hosts.seconds)
            except (DatabaseUnavailable, *UNAVAILABLE_ERRORS) as error:
                return await self.acquire_again(None, error, monotonic())
        return await self.acquire_again(None, None, monotonic())

    async def acquire_again(self, connection: Any, error: Exception | None, since: float) -> Any:
        """Another connection, after `error` on this one or without one."""
        if connection is not None:
            self._pool.release(connection, error)
        for _ in range(_TRIES):
            lost = None if error is None else self._failure(error, connection)
            if error is not None and (not isinstance(lost, ConnectionLost) or not self._hosts.is_known):
                raise lost or error from error
            await self._recovery.wait(lost, since)
            try:
                return await self._pool.acquire(self._hosts.seconds)
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

    def is_lost(self, error: Exception, connection: Any) -> bool:
        return isinstance(failure(error, connection), ConnectionLost)

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        connection = None
        try:
            async with self._pool.connection(self._hosts.seconds) as connection:
                yield connection
        except (DatabaseUnavailable, *UNAVAILABLE_ERRORS) as error:
            meant = self._failure(error, connection)
            if meant is None or meant is error:
                raise
            raise meant from error

    @contextlib.asynccontextmanager
    async def _own_connection(self) -> AsyncIterator[Any]:
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
        return await self._hosts.connect(command_timeout=_STATEMENT_SECONDS)

    def _failure(self, error: BaseException, connection: Any) -> DatabaseUnavailable | None:
        meant = failure(error, connection)
        if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
            # The server was made a standby: new connections look for the new primary.
            self._pool.expire()
        if isinstance(meant, ConnectionLost):
            self._hosts.ask_all_next()
        elif isinstance(error, TimeoutError):
            self._hosts.look_for_newer()
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
