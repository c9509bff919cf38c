"""Migrations of a PostgreSQL database: each in a transaction of its own, which no two nodes have at once."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import asyncpg

from backbench.engine import migrations
from backbench.engine.database import Result
from backbench.values.errors import DatabaseUnavailable

_Connect = Callable[[], AbstractAsyncContextManager[Any]]
# Another node may be rewriting a large table.
_SECONDS = 3600.0
# How long it waits for a table at once, less than requests wait for a connection of the pool; and between two attempts.
_LOCK_WAIT = "1s"
_LOCK_PAUSE_SECONDS = 2.0
# "backben" read as a number; any number would do, as long as every node uses the same.
_LOCK = 0x6261636B62656E
_PREPARED = "SELECT 1 AS prepared"
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


async def migrate(connection: Any, another: _Connect, to: int | None) -> int:
    """Returns how many were applied. `another` opens a second connection. Raises DatabaseUnavailable."""
    applied = 0
    await _require_unicode(connection)
    await _require_prepared_statements(connection, another)
    async with _alone(connection), another() as other:
        await _require_exclusive_locks(other)
        await _create_table(connection)
    while await _with_patience(lambda: _apply_next(connection, to)):
        applied += 1
    await _with_patience(lambda: _collate_columns(connection))
    return applied


async def _require_unicode(connection: Any) -> None:
    encoding = await connection.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise DatabaseUnavailable(f"its encoding is {encoding}, and it must be UTF8")


@contextlib.asynccontextmanager
async def _alone(connection: Any) -> AsyncIterator[None]:
    """A transaction that no two nodes have at once.

    The lock ends with the transaction: behind a pooler that gives each transaction another connection, a lock of the
    session would stay with a connection that it was not taken for.
    """
    async with connection.transaction():
        await connection.execute("SELECT set_config('lock_timeout', '0', true)")
        lock = "SELECT pg_advisory_xact_lock($1)"
        await connection.execute(lock, _LOCK, timeout=_SECONDS)
        await connection.execute("SELECT set_config('lock_timeout', $1, true)", _LOCK_WAIT)
        yield


async def _with_patience(attempt: Callable[[], Awaitable[Result]]) -> Result:
    """Repeats a migration that waited too long for a table which somebody reads, such as an export.

    Other nodes serve requests: while a migration waits for a table, all of their statements on it wait behind it.
    """
    ends_at = asyncio.get_running_loop().time() + _SECONDS
    while True:
        try:
            return await attempt()
        except asyncpg.LockNotAvailableError:
            if asyncio.get_running_loop().time() > ends_at:
                raise
            await asyncio.sleep(_LOCK_PAUSE_SECONDS)


async def _require_prepared_statements(
    connection: Any, another: Callable[[], AbstractAsyncContextManager[Any]]
) -> None:
    """Raises the driver's error if a pooler passes a connection's prepared statement to a server that has it not."""
    await connection.fetchval(_PREPARED)
    async with another() as other, other.transaction():
        # It occupies the connection to the server on which the statement was prepared.
        await other.fetchval("SELECT 1")
        await connection.fetchval(_PREPARED)


async def _require_exclusive_locks(other: Any) -> None:
    """Raises DatabaseUnavailable if the other connection can take the lock as well, which a transaction has.

    Compatible databases may accept advisory locks and ignore them; a second connection may lead to another server.
    """
    if await other.fetchval("SELECT pg_try_advisory_xact_lock($1)", _LOCK):
        raise DatabaseUnavailable("its advisory locks do not exclude other connections; Backbench needs PostgreSQL")


async def _create_table(connection: Any) -> None:
    """In a transaction of its own: nodes read the table while a migration takes its time."""
    await connection.execute(migrations.CREATE_TABLE)
    column = "SELECT 1 FROM pg_attribute WHERE attrelid = 'migrations'::regclass AND attname = 'usable_from'"
    if await connection.fetchval(column) is None:
        await connection.execute(migrations.ADD_COLUMN)


async def _collate_columns(connection: Any) -> None:
    async with _alone(connection):
        await connection.execute(_COLLATE_COLUMNS, timeout=_SECONDS)


async def _apply_next(connection: Any, to: int | None) -> bool:
    async with _alone(connection):
        rows = await connection.fetch("SELECT number, usable_from FROM migrations ORDER BY number")
        pending = migrations.next_pending([migrations.Applied(*row) for row in rows], "postgres", to)
        if pending is None:
            return False
        await connection.execute(pending.sql, timeout=_SECONDS)
        add = "INSERT INTO migrations (number, name, usable_from) VALUES ($1, $2, $3)"
        await connection.execute(add, pending.number, pending.name, pending.usable_from)
        return True
