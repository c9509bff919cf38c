"""Reads from SQLite on the event loop, and in a thread where a statement takes longer than requests may wait for it.

A statement that has run for ten milliseconds is stopped, and run again on a connection of its own. So no search through
a large workshop keeps other requests waiting, for any statement.
"""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

import apsw

from backbench.storage.engine.database import Row, Value
from backbench.storage.engine.sqlite_group_commit import SQLiteHandle, as_bytes
from backbench.storage.engine.sqlite_snapshot import SQLiteSnapshot

_LOOP_SECONDS = 0.01
_NEVER = float("inf")
# SQLite asks after so many steps of its virtual machine, less than a millisecond.
_STEPS = 5_000
# Others wait: each has a thread.
_MOST_THREADS = 2


class SQLiteReader(SQLiteHandle):
    """`snapshot` opens another connection."""

    def __init__(self, connection: apsw.Connection, snapshot: Callable[[], SQLiteSnapshot]) -> None:
        super().__init__(connection)
        self._snapshot = snapshot
        self._threads = asyncio.Semaphore(_MOST_THREADS)
        # By `monotonic`, when the statement began. BEGIN and COMMIT are not stopped.
        self._began = _NEVER
        connection.set_progress_handler(self._is_too_long, _STEPS)

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        self._began = monotonic()
        try:
            return await super().one(type_, sql, **values)
        except apsw.InterruptError:
            async with self._threads, self._snapshot() as read:
                return await read.one(type_, sql, **values)

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        self._began = monotonic()
        try:
            return await super().all(type_, sql, **values)
        except apsw.InterruptError:
            async with self._threads, self._snapshot() as read:
                return await read.all(type_, sql, **values)

    async def value(self, sql: str, /, **values: Value) -> Any:
        self._began = monotonic()
        try:
            return await super().value(sql, **values)
        except apsw.InterruptError:
            async with self._threads, self._snapshot() as read:
                return await read.value(sql, **values)

    async def utf8(self, sql: str, /, **values: Value) -> bytes | None:
        found: bytes | None = await self.value(as_bytes(sql), **values)
        return found

    def control(self, sql: str) -> None:
        self._began = _NEVER
        super().control(sql)

    def end_read(self) -> None:
        self._began = _NEVER
        super().end_read()

    def _is_too_long(self) -> bool:
        return monotonic() - self._began > _LOOP_SECONDS
