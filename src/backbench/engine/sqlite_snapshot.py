"""Snapshot of an SQLite database for long reads: a connection of its own, whose blocking calls run in a thread."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import apsw

from backbench.engine.blocking_thread import BlockingThread
from backbench.engine.database import Row, Value
from backbench.engine.rows import checked_maker, checked_makers
from backbench.engine.sqlite_files import STORAGE_ERRORS, unavailable
from backbench.engine.sqlite_group_commit import as_bytes


class SQLiteSnapshot:
    """Read on a connection that `connect` opens, in one read transaction.

    SQLite waits for the disk, and for other connections while a file is opened, so neither happens on the loop.
    """

    def __init__(self, connect: Callable[[], apsw.Connection]) -> None:
        self._connect = connect
        self._thread = BlockingThread("sqlite-snapshot")
        self._connection: apsw.Connection | None = None

    async def __aenter__(self) -> "SQLiteSnapshot":
        try:
            await self._thread.run(self._open)
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        await self._close()
        if isinstance(error, STORAGE_ERRORS):
            raise unavailable(error) from error

    def _open(self) -> None:
        self._connection = self._connect()
        self._connection.execute("BEGIN")

    async def _close(self) -> None:
        def close() -> None:
            if self._connection is not None:
                self._connection.close()

        # A cancelled read may have left a statement running in the thread, and closing waits for it.
        closed = self._thread.run(close)
        self._thread.close_later()
        await asyncio.shield(closed)

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        return next(iter(await self.all(type_, sql, **values)), None)

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        columns, rows = await self._thread.run(lambda: self._fetch(sql, values))
        if not rows:
            return []
        make = checked_makers.get((type_, sql)) or checked_maker(type_, sql, columns)
        return [make(row) for row in rows]

    async def value(self, sql: str, /, **values: Value) -> Any:
        _, rows = await self._thread.run(lambda: self._fetch(sql, values))
        return rows[0][0] if rows else None

    async def utf8(self, sql: str, /, **values: Value) -> bytes | None:
        found: bytes | None = await self.value(as_bytes(sql), **values)
        return found

    def _fetch(self, sql: str, values: dict[str, Value]) -> tuple[Sequence[str], list[Any]]:
        """The names of the columns, known only where there is a row, and the rows."""
        assert self._connection is not None
        cursor = self._connection.execute(sql, values)
        first = cursor.fetchone()
        if first is None:
            return (), []
        columns = [column[0] for column in cursor.get_description()]
        return columns, [first, *cursor]
