"""Reads from SQLite on the event loop, and in a thread where a statement takes longer than requests may wait for it.

A statement that has run for ten milliseconds is stopped, and run again on a connection of its own (slow_statements.py).
So no search through a large workshop keeps other requests waiting, for any statement.
"""

import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from time import monotonic, thread_time
from typing import Any

import apsw

from backbench.engine.database import Row, Value
from backbench.engine.slow_statements import SlowStatements
from backbench.engine.sqlite_group_commit import SQLiteHandle, as_bytes
from backbench.engine.sqlite_snapshot import SQLiteSnapshot

_LOOP_SECONDS = 0.01
_NEVER = float("inf")
# SQLite asks after so many steps of its virtual machine, less than a millisecond.
_STEPS = 5_000


class SQLiteReader(SQLiteHandle):
    """`snapshot` opens another connection."""

    def __init__(
        self, connection: apsw.Connection, snapshot: Callable[[], SQLiteSnapshot], slow: SlowStatements
    ) -> None:
        super().__init__(connection)
        self._snapshot = snapshot
        self._slow = slow
        # By `monotonic`, when the statement began. BEGIN and COMMIT are not stopped.
        self._began = _NEVER
        # The processor time of the thread when SQLite first asked during the statement.
        self._asked_at: float | None = None
        connection.set_progress_handler(self._is_too_long, _STEPS)

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        if self._begin(sql, values):
            try:
                return await super().one(type_, sql, **values)
            except apsw.InterruptError:
                self._end_interrupted(sql, values)
        async with self._slowly(values) as read:
            return await read.one(type_, sql, **values)

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        if self._begin(sql, values):
            try:
                return await super().all(type_, sql, **values)
            except apsw.InterruptError:
                self._end_interrupted(sql, values)
        async with self._slowly(values) as read:
            return await read.all(type_, sql, **values)

    async def value(self, sql: str, /, **values: Value) -> Any:
        if self._begin(sql, values):
            try:
                return await super().value(sql, **values)
            except apsw.InterruptError:
                self._end_interrupted(sql, values)
        async with self._slowly(values) as read:
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

    def _begin(self, sql: str, values: Mapping[str, Value]) -> bool:
        """Whether the statement is tried on the event loop."""
        self._began = monotonic()
        self._asked_at = None
        return not self._slow.is_known(sql, values)

    def _end_interrupted(self, sql: str, values: Mapping[str, Value]) -> None:
        # A statement may have waited for the processor or the disk, and takes microseconds the next time.
        if self._asked_at is not None and thread_time() - self._asked_at > _LOOP_SECONDS / 2:
            self._slow.remember(sql, values)

    @contextlib.asynccontextmanager
    async def _slowly(self, values: Mapping[str, Value]) -> AsyncIterator[SQLiteSnapshot]:
        async with self._slow.place(values), self._snapshot() as read:
            yield read

    def _is_too_long(self) -> bool:
        if self._asked_at is None:
            self._asked_at = thread_time()
        return monotonic() - self._began > _LOOP_SECONDS
