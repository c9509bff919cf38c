"""Writes that share one transaction of SQLite, and the handle through which statements reach it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import apsw

from backbench.storage.engine.database import Read, Row, Value, Work, Write
from backbench.storage.engine.rows import maker
from backbench.storage.engine.sqlite_files import FAULTS, unavailable


class Handle:
    """Read and Write on one connection. Its methods are coroutines that never suspend."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._execute = connection.execute

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        row = self._execute(sql, values).fetchone()
        return None if row is None else maker(type_)(row)

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        make = maker(type_)
        return [make(row) for row in self._execute(sql, values)]

    async def value(self, sql: str, /, **values: Value) -> Any:
        row = self._execute(sql, values).fetchone()
        return None if row is None else row[0]

    async def run(self, sql: str, /, **values: Value) -> int:
        before = self._connection.total_changes()
        self._execute(sql, values).fetchall()
        return self._connection.total_changes() - before

    async def lock(self, name: str, /) -> None:
        """Nothing to do: SQLite has one writer at a time."""

    def begin(self) -> None:
        self._execute("BEGIN")

    def end(self) -> None:
        # A fault of the disk may have ended it already.
        if self._connection.in_transaction:
            self._execute("COMMIT")

    def close(self) -> None:
        self._connection.close()

    async def __aenter__(self) -> Read:
        return self

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, FAULTS):
            raise unavailable(error) from error


class Waiting:
    """A transaction in the queue, and what became of it."""

    __slots__ = ("answer", "error", "result", "work")

    def __init__(self, work: Work[Any], answer: asyncio.Future[Any]) -> None:
        self.work = work
        self.answer = answer
        self.result: Any = None
        self.error: BaseException | None = None

    def tell(self) -> None:
        # A client that hung up has cancelled its future; the write stands all the same.
        if self.answer.done():
            return
        if self.error is None:
            self.answer.set_result(self.result)
        else:
            self.answer.set_exception(self.error)


class FailedAfterWriting(Exception):
    """A transaction of the group changed something and then refused; its neighbours must not suffer."""


def step(writer: apsw.Connection, handle: Write, waiting: Waiting) -> None:
    """Runs one transaction of the group. Most that refuse have changed nothing, so nothing has to be undone."""
    before = writer.total_changes()
    try:
        waiting.result = _finish(waiting.work(handle))
    except FAULTS:
        raise
    except Exception as error:
        if writer.total_changes() != before:
            raise FailedAfterWriting from error
        waiting.error = error


def step_apart(writer: apsw.Connection, handle: Write, waiting: Waiting) -> None:
    """The same inside a savepoint of its own, run again from the start; a refusal undoes it alone."""
    waiting.result = waiting.error = None
    writer.execute("SAVEPOINT one")
    try:
        waiting.result = _finish(waiting.work(handle))
    except FAULTS:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        waiting.error = error
        writer.execute("ROLLBACK TO one")
    writer.execute("RELEASE one")


def _finish(work: Any) -> Any:
    """Drives a coroutine that waits for nothing but this engine, which never suspends."""
    coroutine: Coroutine[Any, Any, Any] = work
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise RuntimeError("a transaction waited for something other than its database")
