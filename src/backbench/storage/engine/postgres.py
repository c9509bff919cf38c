"""PostgreSQL, the engine for several machines: a connection pool, one transaction per write, retried on conflicts."""

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from typing import Any

import asyncpg

from backbench.domain.values.errors import DatabaseUnavailable, Unavailable
from backbench.storage.engine import migrations
from backbench.storage.engine.database import Catalog, Read, Result, Row, Value, Work
from backbench.storage.engine.postgres_catalog import PostgresCatalog
from backbench.storage.engine.postgres_errors import UNAVAILABLE_ERRORS, unavailable
from backbench.storage.engine.postgres_pool import ConnectionPool
from backbench.storage.engine.rows import checked_maker, checked_makers
from backbench.storage.engine.servers.hosts import Hosts

_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")
_FIRST_OF_JOINED = re.compile(r"FROM \w+ (\w+) LEFT JOIN ")
_LARGEST_POOL = 10
# For each host in the URL; the hosts are asked at the same time.
_CONNECT_SECONDS = 3.0
_STATEMENT_SECONDS = 30.0
# Another node may be rewriting a large table.
_MIGRATION_SECONDS = 3600.0
_TRIES = 12
# How long it waits for a table at once, less than requests wait for a connection of the pool; and between two attempts.
_LOCK_WAIT = "1s"
_LOCK_PAUSE_SECONDS = 2.0
# "backben" read as a number; any number would do, as long as every node uses the same.
_MIGRATION_LOCK = 0x6261636B62656E

# Gives every text column the collation "C", that of SQLite: byte by byte. The database's own orders ties differently,
# and an upgrade of the C library can change it, which corrupts indexes. Shared migrations cannot name it: SQLite does
# not know it. Changing a column rebuilds its indexes and rewrites no table; in a new table there is nothing to rebuild.
_COLLATE_COLUMNS = """
DO $$
DECLARE
    statement text;
BEGIN
    FOR statement IN
        SELECT format('ALTER TABLE %s %s', c.attrelid::regclass,
            string_agg(format('ALTER COLUMN %I TYPE text COLLATE "C"', c.attname), ', '))
        FROM pg_attribute c JOIN pg_class t ON t.oid = c.attrelid
        WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace AND NOT c.attisdropped
            AND c.atttypid = 'text'::regtype AND c.attcollation <> 'pg_catalog."C"'::regcollation
        GROUP BY c.attrelid
    LOOP
        EXECUTE statement;
    END LOOP;
END
$$
"""

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


class PostgresHandle:
    """Read and Write on one connection."""

    skip_locked = "FOR UPDATE SKIP LOCKED"
    has_functions = True

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        text, names = positional(sql)
        row = await self._connection.fetchrow(text, *[values[name] for name in names])
        if row is None:
            return None
        make = checked_makers.get((type_, sql)) or checked_maker(type_, sql, tuple(row.keys()))
        return make(row)  # type: ignore[no-any-return] # a maker of `type_` returns a `type_`

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        text, names = positional(sql)
        rows = await self._connection.fetch(text, *[values[name] for name in names])
        if not rows:
            return []
        make = checked_makers.get((type_, sql)) or checked_maker(type_, sql, tuple(rows[0].keys()))
        return [make(row) for row in rows]

    async def value(self, sql: str, /, **values: Value) -> Any:
        text, names = positional(sql)
        return await self._connection.fetchval(text, *[values[name] for name in names])

    async def run(self, sql: str, /, **values: Value) -> int:
        text, names = positional(sql)
        tag: str = await self._connection.execute(text, *[values[name] for name in names])
        count = tag.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    async def lock(self, name: str, /) -> None:
        await self._connection.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)

    def locking(self) -> Read:
        return _LockingHandle(self._connection)


class _LockingHandle(PostgresHandle):
    """Locks the rows that `one` returns, as an UPDATE would that changes no key: rows may still refer to them."""

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        return await super().one(type_, _locking(sql), **values)


@cache
def _locking(sql: str) -> str:
    """The statement, locking rows of its first table: those that are joined to it may be missing."""
    joined = _FIRST_OF_JOINED.search(sql)
    return f"{sql} FOR NO KEY UPDATE" + (f" OF {joined[1]}" if joined else "")


class Postgres:
    engine = "postgres"
    catalog: Catalog = PostgresCatalog()
    poll_seconds = 0.5

    def __init__(self, url: str, *, largest_pool: int = _LARGEST_POOL) -> None:
        self._pool = ConnectionPool(self._connect, largest_pool)
        self._hosts = Hosts(url, _CONNECT_SECONDS, self._pool.abort)

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[Read]:
        async with self._connection() as connection:
            yield PostgresHandle(connection)

    @contextlib.asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Read]:
        """On a connection of its own: a long read that took one of the pool would delay ordinary requests."""
        async with (
            self._own_connection() as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            yield PostgresHandle(connection)

    async def write(self, work: Work[Result], /) -> Result:
        # Not stricter: a stricter one takes its snapshot before its first lock, and knows nothing of what transactions
        # that are less strict have committed since.
        isolation = "read_committed"
        for attempt in range(_TRIES):
            try:
                async with self._connection() as connection, connection.transaction(isolation=isolation):
                    return await work(PostgresHandle(connection))
            except _RETRIABLE_ERRORS:
                # Random waits, so that the transactions that conflicted do not conflict again.
                await asyncio.sleep(random.uniform(0, 0.01 * 2 ** min(attempt, 5)))  # noqa: S311 - no secret
        raise Unavailable("unavailable", "Too many changes at once; try again", wait=1)

    async def may_have_changed(self) -> bool:
        """PostgreSQL has no counter of commits that costs less than the statement which follows."""
        return True

    async def ready(self) -> None:
        async with self._connection() as connection:
            if await connection.fetchval("SELECT to_regclass('migrations') IS NOT NULL"):
                await migrations.require_usable(PostgresHandle(connection), self.engine)

    async def migrate(self, to: int | None = None) -> int:
        applied = 0
        async with self._connection() as connection:
            await _require_unicode(connection)
            async with _migration(connection), self._own_connection() as other:
                await _require_exclusive_locks(other)
                await _create_table(connection)
            while await _with_patience(lambda: _apply_next(connection, to)):
                applied += 1
            await _with_patience(lambda: _collate_columns(connection))
        return applied

    async def close(self) -> None:
        try:
            await self._pool.close()
        finally:
            self._hosts.close()

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        try:
            async with self._pool.connection(self._hosts.seconds) as connection:
                yield connection
        except asyncpg.ClientConfigurationError as error:
            raise unavailable(error) from error
        except UNAVAILABLE_ERRORS as error:
            if isinstance(error, ValueError):
                # A value that the statement cannot take is a programming error, which asyncpg counts as InterfaceError.
                raise
            if isinstance(error, asyncpg.ReadOnlySQLTransactionError):
                # The server was made a standby: new connections look for the new primary.
                self._pool.expire()
            self._hosts.ask_all_next()
            raise unavailable(error) from error

    @contextlib.asynccontextmanager
    async def _own_connection(self) -> AsyncIterator[Any]:
        try:
            connection = await self._connect()
            try:
                yield connection
            finally:
                await connection.close(timeout=_CONNECT_SECONDS)
        except asyncpg.ClientConfigurationError as error:
            raise unavailable(error) from error
        except UNAVAILABLE_ERRORS as error:
            if isinstance(error, ValueError):
                # As above.
                raise
            raise unavailable(error) from error

    async def _connect(self) -> Any:
        return await self._hosts.connect(command_timeout=_STATEMENT_SECONDS)


async def _require_unicode(connection: Any) -> None:
    encoding = await connection.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise DatabaseUnavailable(f"its encoding is {encoding}, and it must be UTF8")


@contextlib.asynccontextmanager
async def _migration(connection: Any) -> AsyncIterator[None]:
    """A transaction that no two nodes have at once.

    The lock ends with the transaction: behind a pooler that gives each transaction another connection, a lock of the
    session would stay with a connection that it was not taken for.
    """
    async with connection.transaction():
        lock = "SELECT pg_advisory_xact_lock($1)"
        await connection.execute(lock, _MIGRATION_LOCK, timeout=_MIGRATION_SECONDS)
        await connection.execute("SELECT set_config('lock_timeout', $1, true)", _LOCK_WAIT)
        yield


async def _with_patience(attempt: Callable[[], Awaitable[Result]]) -> Result:
    """Repeats a migration that waited too long for a table which somebody reads, such as an export.

    Other nodes serve requests: while a migration waits for a table, all of their statements on it wait behind it.
    """
    ends_at = asyncio.get_running_loop().time() + _MIGRATION_SECONDS
    while True:
        try:
            return await attempt()
        except asyncpg.LockNotAvailableError:
            if asyncio.get_running_loop().time() > ends_at:
                raise
            await asyncio.sleep(_LOCK_PAUSE_SECONDS)


async def _require_exclusive_locks(other: Any) -> None:
    """Raises DatabaseUnavailable if the other connection can take the lock as well, which a transaction has.

    Compatible databases may accept advisory locks and ignore them; a second connection may lead to another server.
    """
    if await other.fetchval("SELECT pg_try_advisory_xact_lock($1)", _MIGRATION_LOCK):
        raise DatabaseUnavailable("its advisory locks do not exclude other connections; Backbench needs PostgreSQL")


async def _create_table(connection: Any) -> None:
    """In a transaction of its own: nodes read the table while a migration takes its time."""
    await connection.execute(migrations.CREATE_TABLE)
    column = "SELECT 1 FROM pg_attribute WHERE attrelid = 'migrations'::regclass AND attname = 'usable_from'"
    if await connection.fetchval(column) is None:
        await connection.execute(migrations.ADD_COLUMN)


async def _collate_columns(connection: Any) -> None:
    async with _migration(connection):
        await connection.execute(_COLLATE_COLUMNS, timeout=_MIGRATION_SECONDS)


async def _apply_next(connection: Any, to: int | None) -> bool:
    async with _migration(connection):
        rows = await connection.fetch("SELECT number, usable_from FROM migrations ORDER BY number")
        pending = migrations.next_pending([migrations.Applied(*row) for row in rows], Postgres.engine, to)
        if pending is None:
            return False
        await connection.execute(pending.sql, timeout=_MIGRATION_SECONDS)
        add = "INSERT INTO migrations (number, name, usable_from) VALUES ($1, $2, $3)"
        await connection.execute(add, pending.number, pending.name, pending.usable_from)
        return True
