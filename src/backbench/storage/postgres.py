"""PostgreSQL, to scale out: a pool of connections, a transaction a write, retried when the server asks for it."""

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import asyncpg

from backbench.domain.errors import Unavailable
from backbench.storage import migrations
from backbench.storage.database import Read, Result, Row, Value, Work
from backbench.storage.rows import maker

_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")
_LARGEST_POOL = 10
_CONNECT_SECONDS = 5.0
_STATEMENT_SECONDS = 30.0
_TRIES = 12
# "backbench" read as a number; any one will do, so long as every node takes the same.
_MIGRATION_LOCK = 0x6261636B62656E

# A row may be removed between being read and being referred to; the next try finds that it is gone.
_RETRIABLE = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.ForeignKeyViolationError,
)
_OUT_OF_REACH = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.InvalidCatalogNameError,
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

    async def hold(self, name: str, /) -> None:
        await self._connection.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)


async def _leave_as_is(_connection: object) -> None:
    """Our transactions leave nothing behind that the pool would have to reset with a round trip."""


class Postgres:
    engine = "postgres"

    def __init__(self, url: str, *, largest_pool: int = _LARGEST_POOL) -> None:
        self._url = url
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
            await connection.execute("SELECT pg_advisory_lock($1)", _MIGRATION_LOCK)
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
            async with pool.acquire(timeout=_CONNECT_SECONDS) as connection:
                yield connection
        except _OUT_OF_REACH as error:
            if isinstance(error, ValueError):
                # A value that the statement cannot take is a fault of ours; asyncpg counts it to its interface.
                raise
            detail = f"The database cannot be used now ({type(error).__name__})"
            raise Unavailable("unavailable", detail, wait=5) from error

    async def _open(self) -> Any:
        async with self._opening:
            if self._pool is None:
                self._pool = await asyncpg.create_pool(
                    self._url,
                    min_size=0,
                    max_size=self._largest_pool,
                    timeout=_CONNECT_SECONDS,
                    command_timeout=_STATEMENT_SECONDS,
                    reset=_leave_as_is,
                )
        return self._pool


async def _apply_next(connection: Any, to: int | None) -> bool:
    async with connection.transaction():
        await connection.execute(migrations.REGISTER)
        done = [row[0] for row in await connection.fetch("SELECT number FROM migrations ORDER BY number")]
        following = migrations.following(done, Postgres.engine, to)
        if following is None:
            return False
        await connection.execute(following.sql)
        await connection.execute(
            "INSERT INTO migrations (number, name) VALUES ($1, $2)", following.number, following.name
        )
        return True
