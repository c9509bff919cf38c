"""Migrations of a PostgreSQL database: each in a transaction of its own, which no two nodes have at once."""

import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from backbench.domain.values.errors import DatabaseUnavailable
from backbench.storage.engine import migrations

_Connect = Callable[[], AbstractAsyncContextManager[Any]]

# Another node may be rewriting a large table.
_SECONDS = 3600.0
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
    while await _apply_next(connection, to):
        applied += 1
    async with _alone(connection):
        await connection.execute(_COLLATE_COLUMNS, timeout=_SECONDS)
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
        lock = "SELECT pg_advisory_xact_lock($1)"
        await connection.execute(lock, _LOCK, timeout=_SECONDS)
        yield


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


async def _apply_next(connection: Any, to: int | None) -> bool:
    async with _alone(connection):
        await connection.execute(migrations.CREATE_TABLE)
        applied = [row[0] for row in await connection.fetch("SELECT number FROM migrations ORDER BY number")]
        pending = migrations.next_pending(applied, "postgres", to)
        if pending is None:
            return False
        await connection.execute(pending.sql, timeout=_SECONDS)
        await connection.execute("INSERT INTO migrations (number, name) VALUES ($1, $2)", pending.number, pending.name)
        return True
