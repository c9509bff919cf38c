"""Transactions on PostgreSQL: the handle for the statements of one."""

from backbench.engine.database import Catalog, Read, Value
from backbench.engine.parameters import positional
from backbench.engine.postgres.catalog import PostgresCatalog
from backbench.engine.postgres.connections import DatabaseConnection
from backbench.engine.postgres.handles import LockingHandle, PostgresHandle
from backbench.engine.rows import RowWriter

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"


class TransactionHandle(PostgresHandle, RowWriter):
    """Read and Write."""

    catalog: Catalog = PostgresCatalog()
    skip_locked = "FOR UPDATE SKIP LOCKED"
    has_changes_in_with = True

    def __init__(self, connection: DatabaseConnection) -> None:
        super().__init__(connection)

    async def run(self, sql: str, /, **values: Value) -> int:
        text, names = positional(sql)
        tag: str = await self._connection.execute(text, *[values[name] for name in names])
        count = tag.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    async def lock(self, name: str, /) -> None:
        await self._connection.execute(_LOCK, name)

    def locking(self, *tables: str) -> Read:
        return LockingHandle(self, tables)
