"""PostgreSQL, to scale out: a pool of connections, a transaction a write, retried when the server asks for it."""

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import asyncpg
from asyncpg.connect_utils import SessionAttribute

from backbench.domain.values.errors import Unavailable
from backbench.storage.engine import migrations
from backbench.storage.engine.database import Read, Result, Row, Value, Work
from backbench.storage.engine.rows import maker

_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")
_LARGEST_POOL = 10
# For each host that the URL names.
_CONNECT_SECONDS = 3.0
_STATEMENT_SECONDS = 30.0
# Another node may be rewriting a large table.
_MIGRATION_SECONDS = 3600.0
_TRIES = 12
# "backbench" read as a number; any one will do, so long as every node takes the same.
_MIGRATION_LOCK = 0x6261636B62656E

# Nothing has been written, and the same again may succeed, or find its reason to be refused: a row may be removed
# between being read and being referred to. The last two: a newer node has changed a table since this connection
# prepared its statement.
_RETRIABLE = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.ForeignKeyViolationError,
    asyncpg.InvalidCachedStatementError,
    asyncpg.OutdatedSchemaCacheError,
)
_OUT_OF_REACH = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.TargetServerAttributeNotMatched,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InsufficientPrivilegeError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.TransactionTimeoutError,
    asyncpg.LockNotAvailableError,
    # A full disk, no memory, too many connections; a shutdown, a cancelled statement; a failing disk.
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.PostgresSystemError,
    TimeoutError,
    OSError,
)


@cache
def numbered(sql: str) -> tuple[str, tuple[str, ...]]:
    """The statement with `:name` written as `$1`, and the names in that order."""
    names: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${names.setdefault(match[1], len(names) + 1)}"

    return _PARAMETER.sub(number, sql), tuple(names)


def hosts_apart(url: str) -> list[str]:
    """The URL for each host that it names, so that a host that says nothing uses up its own time only."""
    parts = urlsplit(url)
    who, at, hosts = parts.netloc.rpartition("@")
    return [parts._replace(netloc=f"{who}{at}{host}").geturl() for host in hosts.split(",")]


class Handle:
    """Read and Write on one connection."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        text, names = numbered(sql)
        row = await self._connection.fetchrow(text, *[values[name] for name in names])
        return None if row is None else maker(type_)(row)

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        text, names = numbered(sql)
        make = maker(type_)
        return [make(row) for row in await self._connection.fetch(text, *[values[name] for name in names])]

    async def value(self, sql: str, /, **values: Value) -> Any:
        text, names = numbered(sql)
        return await self._connection.fetchval(text, *[values[name] for name in names])

    async def run(self, sql: str, /, **values: Value) -> int:
        text, names = numbered(sql)
        tag: str = await self._connection.execute(text, *[values[name] for name in names])
        count = tag.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    async def lock(self, name: str, /) -> None:
        await self._connection.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)


async def _keep_promises(connection: Any) -> None:
    """A server may be set to acknowledge what a crash would lose; a stricter setting than ours stays."""
    await connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )


async def _leave_as_is(_connection: object) -> None:
    """Our transactions leave nothing behind that the pool would have to reset with a round trip."""


class Postgres:
    engine = "postgres"

    def __init__(self, url: str, *, largest_pool: int = _LARGEST_POOL) -> None:
        self._urls = hosts_apart(url)
        self._largest_pool = largest_pool
        self._pool: Any = None
        self._opening = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[Read]:
        async with self._connection() as connection:
            yield Handle(connection)

    @contextlib.asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Read]:
        async with (
            self._connection() as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            yield Handle(connection)

    async def write(self, work: Work[Result], /, *, alone: bool = False) -> Result:
        isolation = "serializable" if alone else "read_committed"
        for attempt in range(_TRIES):
            try:
                async with self._connection() as connection, connection.transaction(isolation=isolation):
                    return await work(Handle(connection))
            except _RETRIABLE:
                # Apart by chance, so that those who met do not meet again.
                await asyncio.sleep(random.uniform(0, 0.01 * 2 ** min(attempt, 5)))  # noqa: S311 - no secret
        raise Unavailable("unavailable", "Too many changes at once; try again", wait=1)

    async def ready(self) -> None:
        async with self._connection() as connection:
            await connection.fetchval("SELECT 1")

    async def migrate(self, to: int | None = None) -> int:
        applied = 0
        async with self._connection() as connection:
            lock = "SELECT pg_advisory_lock($1)"
            await connection.execute(lock, _MIGRATION_LOCK, timeout=_MIGRATION_SECONDS)
            try:
                while await _apply_next(connection, to):
                    applied += 1
            finally:
                await connection.execute("SELECT pg_advisory_unlock($1)", _MIGRATION_LOCK)
        return applied

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        try:
            pool = self._pool or await self._open()
            async with pool.acquire(timeout=_CONNECT_SECONDS * len(self._urls)) as connection:
                yield connection
        except _OUT_OF_REACH as error:
            if isinstance(error, ValueError):
                # A value that the statement cannot take is a fault of ours; asyncpg counts it to its interface.
                raise
            if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
                # The server was made a standby: the next connections look for the one that leads now.
                await self._pool.expire_connections()
            detail = f"The database cannot be used now ({type(error).__name__})"
            raise Unavailable("unavailable", detail, wait=5) from error

    async def _open(self) -> Any:
        async with self._opening:
            if self._pool is None:
                self._pool = await asyncpg.create_pool(
                    min_size=0,
                    max_size=self._largest_pool,
                    command_timeout=_STATEMENT_SECONDS,
                    connect=self._connect,
                    init=_keep_promises,
                    reset=_leave_as_is,
                )
        return self._pool

    async def _connect(self, *_: object, **options: Any) -> Any:
        """A connection to the first host that leads; the one that led before is asked first."""
        # A standby would read from the past and refuse writes. With one host there is no choice.
        wanted = SessionAttribute.primary if len(self._urls) > 1 else None
        failure: BaseException | None = None
        for url in tuple(self._urls):
            attributes = None if "target_session_attrs=" in url else wanted
            try:
                connection = await asyncpg.connect(
                    url, timeout=_CONNECT_SECONDS, target_session_attrs=attributes, **options
                )
            except _OUT_OF_REACH as error:
                failure = error
            else:
                self._urls.sort(key=lambda other: other != url)
                return connection
        assert failure is not None
        raise failure


async def _apply_next(connection: Any, to: int | None) -> bool:
    async with connection.transaction():
        await connection.execute(migrations.REGISTER)
        done = [row[0] for row in await connection.fetch("SELECT number FROM migrations ORDER BY number")]
        following = migrations.following(done, Postgres.engine, to)
        if following is None:
            return False
        await connection.execute(following.sql, timeout=_MIGRATION_SECONDS)
        await connection.execute(
            "INSERT INTO migrations (number, name) VALUES ($1, $2)", following.number, following.name
        )
        return True
