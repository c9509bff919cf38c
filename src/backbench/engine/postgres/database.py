"""PostgreSQL, the engine for several machines: a connection pool, one transaction per write, retried on conflicts.

Statements of reads, and transactions whose COMMIT was not sent, are repeated when their connection is lost.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from time import monotonic

import asyncpg

from backbench.engine import migrations
from backbench.engine.database import Catalog, Read, Result, Work
from backbench.engine.postgres.cluster import TRIES, Cluster
from backbench.engine.postgres.errors import ConnectionLost, is_undone, unknown_commit
from backbench.engine.postgres.handles import PostgresCatalog, PostgresHandle, Reading, TransactionHandle
from backbench.engine.postgres.migrations import migrate
from backbench.engine.slow_statements import SlowStatements
from backbench.values.errors import DatabaseUnavailable, Unavailable

_LARGEST_POOL = 12
# Until the end of the transaction; earlier versions of PostgreSQL do not have the second one.
_WITHOUT_TIMEOUTS = """
    SELECT set_config(name, '0', true) FROM pg_settings
    WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')
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


class Postgres:
    engine = "postgres"
    catalog: Catalog = PostgresCatalog()
    poll_seconds = 0.5

    def __init__(self, url: str, *, largest_pool: int = _LARGEST_POOL) -> None:
        self.cluster = Cluster(url, largest_pool)
        self._slow = SlowStatements()
        self.catalog = PostgresCatalog(len(self.cluster.hosts.urls))

    def read(self) -> AbstractAsyncContextManager[Read]:
        return Reading(self.cluster, self._slow)

    @contextlib.asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Read]:
        """On a connection of its own: a long read that took one of the pool would delay ordinary requests."""
        async with (
            self.cluster.own_connection() as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            # Its reader writes to a disk or to a slow client between statements.
            await connection.execute(_WITHOUT_TIMEOUTS)
            handle = PostgresHandle(connection)
            try:
                yield handle
            finally:
                handle.end()

    async def write(self, work: Work[Result], /, *, is_long: bool = False) -> Result:
        """Others use the event loop and other connections meanwhile, also where `is_long`."""
        since = 0.0
        recovery = self.cluster.writable_recovery
        for attempt in range(TRIES):
            if recovery.is_waited_for:
                since = since or monotonic()
                await recovery.wait(None, since)
            try:
                return await self._transaction(work)
            except _RETRIABLE_ERRORS:
                # Random waits, so that the transactions that conflicted do not conflict again.
                await asyncio.sleep(random.uniform(0, 0.01 * 2 ** min(attempt, 5)))  # noqa: S311 - no secret
            except ConnectionLost as error:
                since = since or monotonic()
                if not self.cluster.hosts.is_known or attempt == TRIES - 1:
                    raise
                await recovery.wait(error, since)
        raise Unavailable("unavailable", "Too many changes at once; try again", wait=1)

    async def _transaction(self, work: Work[Result]) -> Result:
        """Raises ConnectionLost only if nothing of it is stored."""
        is_committing = False
        try:
            async with self.cluster.connection() as connection:
                transaction = TransactionHandle(connection)
                try:
                    result = await work(transaction)
                    await transaction.commit()
                except Exception:
                    await connection.roll_back()
                    raise
                finally:
                    is_committing = transaction.is_committing
                    transaction.end()
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
        try:
            async with self.cluster.connection() as connection:
                await self._require_usable(connection)
        except ConnectionLost:
            # It may have ended while nobody used it, and so may others of the pool.
            async with self.cluster.own_connection() as connection:
                await self._require_usable(connection)

    async def _require_usable(self, connection: asyncpg.Connection) -> None:
        if await connection.fetchval("SELECT to_regclass('migrations') IS NOT NULL"):
            await migrations.require_usable(PostgresHandle(connection), self.engine)

    async def migrate(self, to: int | None = None) -> int:
        async with self.cluster.connection() as connection:
            return await migrate(connection, self.cluster.own_connection, to)

    async def truncate_log(self) -> None:
        """Does nothing: the server keeps its log for standbys and backups, and reuses it by itself."""

    async def close(self) -> None:
        await self.cluster.close()
