"""SQLite, the embedded default: durable, one file, no server.

Reads run on the event loop: they take microseconds and never suspend. Writes wait in a queue; whoever is waiting
shares one transaction and is answered after its commit. The statements run on the loop as well
(a thread would fight it for the interpreter lock at every one of them); what sleeps, waiting for another process's
lock and for the disk, happens in one thread beside it.
"""

import asyncio
import contextlib
import os
import time
from collections import deque
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

import apsw

from backbench.domain.errors import Unavailable
from backbench.storage import migrations
from backbench.storage.beside import Beside
from backbench.storage.database import Read, Result, Row, Value, Work, Write
from backbench.storage.rows import maker

_LOCK_WAIT_MS = 10_000
# Another node may be rewriting a large table.
_MIGRATION_WAIT_MS = 3_600_000
_LARGEST_GROUP = 64
# These are nobody's fault in particular, and may have ended the whole transaction instead of one statement of it.
_FAULTS = (
    apsw.FullError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.NoMemError,
    apsw.BusyError,
)
# How long reads may go on from a file that somebody has moved away or replaced; writes look every time.
_LOOK_SECONDS = 1.0
_CACHE_KIB = 16 * 1024


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

    async def hold(self, name: str, /) -> None:
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
        if isinstance(error, _FAULTS):
            raise _unavailable(error) from error


class _Waiting:
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


class SQLite:
    engine = "sqlite"

    def __init__(self, path: Path, *, exists: bool = False, synchronous: str = "FULL", vfs: str | None = None) -> None:
        self._path = path
        self._synchronous = synchronous
        self._vfs = vfs
        self._reader: Handle | None = None
        self._is_reading = False
        self._writer: apsw.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._looked_at = 0.0
        self._exists = exists
        self._is_committing = False
        self._queue: deque[_Waiting] = deque()
        self._group: asyncio.Task[None] | None = None
        self._beside = Beside("sqlite-commit")

    def read(self) -> Handle:
        """One transaction for all reads of one turn of the event loop: its locks cost more than a statement.

        A turn ends before anything that arrives later is looked at, so nobody who was told of a write misses it.
        """
        if self._is_reading and self._reader is not None:
            return self._reader
        loop = asyncio.get_running_loop()
        if self._reader is None or loop.time() > self._looked_at + _LOOK_SECONDS:
            self._check_file()
            self._looked_at = loop.time()
            assert self._reader is not None
        self._reader.begin()
        self._is_reading = True
        loop.call_soon(self._end_reading)
        return self._reader

    def _end_reading(self) -> None:
        self._is_reading = False
        if self._reader is not None:
            self._reader.end()

    @contextlib.asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Read]:
        with contextlib.closing(self._connect()) as connection:
            connection.execute("BEGIN")
            yield Handle(connection)

    async def write(self, work: Work[Result], /, *, alone: bool = False) -> Result:
        """`alone` costs nothing here: there is one writer at a time."""
        waiting = _Waiting(work, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        if self._group is None:
            self._group = asyncio.create_task(self._work_off())
        result: Result = await waiting.answer
        return result

    async def ready(self) -> None:
        self._check_file()
        async with self.read() as db:
            # Touches the file, as "SELECT 1" would not.
            await db.value("SELECT count(*) FROM sqlite_master")

    async def migrate(self, to: int | None = None) -> int:
        def apply() -> int:
            with contextlib.closing(self._connect()) as connection:
                connection.set_busy_timeout(_MIGRATION_WAIT_MS)
                return _migrate(connection, to)

        return await self._beside.run(apply)

    async def close(self) -> None:
        if self._group is not None:
            await self._group
        self._beside.close()
        self._drop()

    # Connections

    def _connect(self) -> apsw.Connection:
        try:
            flags = apsw.SQLITE_OPEN_READWRITE
            # A file that was there and is not is lost: a new, empty one in its place would hide that.
            if not self._exists:
                flags |= apsw.SQLITE_OPEN_CREATE
                _make_folder(self._path.parent)
                # For nobody else's eyes, in whatever folder it stands; SQLite makes the files beside it alike.
                self._path.touch(mode=0o600)
            connection = apsw.Connection(str(self._path), flags=flags, vfs=self._vfs)
            connection.set_busy_timeout(_LOCK_WAIT_MS)
            _write_ahead(connection)
            connection.pragma("synchronous", self._synchronous)
            # On macOS a plain sync stops at the drive's cache; elsewhere this changes nothing.
            connection.pragma("fullfsync", True)
            connection.pragma("foreign_keys", True)
            connection.pragma("cache_size", -_CACHE_KIB)
            # Without it a join is planned anew for every set of values: four times the cost of a session's look-up.
            connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        except (apsw.Error, OSError) as error:
            raise _unavailable(error) from error
        self._exists = True
        return connection

    def _open(self) -> None:
        self._writer = self._connect()
        self._reader = Handle(self._connect())
        self._file = _identity(self._path)

    def _drop(self) -> None:
        if self._reader is not None:
            self._reader.close()
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = self._file = None

    def _check_file(self) -> None:
        """Raises Unavailable when the file we hold is no longer the one at its path; reopens what took its place.

        A write into a file that somebody has moved away would be acknowledged and lost.
        """
        present = _identity(self._path)
        if self._file is not None and present == self._file:
            return
        # The writer may be in the hands of the other thread; the commit under way is the last to the old file.
        if not self._is_committing:
            self._drop()
        if self._is_committing or (present is None and self._exists):
            raise Unavailable("unavailable", "The database file is gone", wait=5)
        self._open()

    # The queue of writes

    async def _work_off(self) -> None:
        try:
            while self._queue:
                # Requests that the server has read already join the group: two turns of the loop bring them here.
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                group = [self._queue.popleft() for _ in range(min(len(self._queue), _LARGEST_GROUP))]
                try:
                    await self._commit(group)
                except (apsw.Error, OSError, Unavailable) as error:
                    refusal = error if isinstance(error, Unavailable) else _unavailable(error)
                    for waiting in group:
                        waiting.error = refusal
                except BaseException as error:
                    # A fault of ours must not leave the others waiting for ever.
                    for waiting in group:
                        waiting.error = waiting.error or error
                    if not isinstance(error, Exception):
                        raise
                finally:
                    for waiting in group:
                        waiting.tell()
        finally:
            self._group = None

    async def _commit(self, group: list[_Waiting]) -> None:
        self._check_file()
        assert self._writer is not None
        self._is_committing = True
        try:
            await self._commit_on(self._writer, group)
        finally:
            self._is_committing = False

    async def _commit_on(self, writer: apsw.Connection, group: list[_Waiting]) -> None:
        await self._begin(writer)
        try:
            handle = Handle(writer)
            try:
                for waiting in group:
                    _step(writer, handle, waiting)
            except _RefusedAfterWriting:
                writer.execute("ROLLBACK")
                await self._begin(writer)
                for waiting in group:
                    _step_apart(writer, handle, waiting)
            await self._beside.run(lambda: writer.execute("COMMIT"))
        finally:
            # Still open only when something above failed: a full disk, a fault of ours.
            if writer.in_transaction:
                writer.execute("ROLLBACK")

    async def _begin(self, writer: apsw.Connection) -> None:
        writer.set_busy_timeout(0)
        try:
            writer.execute("BEGIN IMMEDIATE")
        except apsw.BusyError:
            # Another process is writing: wait for it beside the loop.
            writer.set_busy_timeout(_LOCK_WAIT_MS)
            await self._beside.run(lambda: writer.execute("BEGIN IMMEDIATE"))


class _RefusedAfterWriting(Exception):
    """A transaction of the group changed something and then refused; its neighbours must not suffer."""


def _step(writer: apsw.Connection, handle: Write, waiting: _Waiting) -> None:
    """Runs one transaction of the group. Most that refuse have changed nothing, so nothing has to be undone."""
    before = writer.total_changes()
    try:
        waiting.result = _finish(waiting.work(handle))
    except _FAULTS:
        raise
    except Exception as error:
        if writer.total_changes() != before:
            raise _RefusedAfterWriting from error
        waiting.error = error


def _step_apart(writer: apsw.Connection, handle: Write, waiting: _Waiting) -> None:
    """The same inside a savepoint of its own, run again from the start; a refusal undoes it alone."""
    waiting.result = waiting.error = None
    writer.execute("SAVEPOINT one")
    try:
        waiting.result = _finish(waiting.work(handle))
    except _FAULTS:
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


def _make_folder(folder: Path) -> None:
    """SQLite syncs the names of its files; that of a new folder is ours, or a power cut takes it and all inside."""
    if folder.exists():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    above = os.open(folder.parent, os.O_RDONLY)
    try:
        os.fsync(above)
    finally:
        os.close(above)


def _write_ahead(connection: apsw.Connection) -> None:
    """Two that open a new file at once get in each other's way here, where SQLite itself does not wait."""
    deadline = time.monotonic() + _LOCK_WAIT_MS / 1000
    while True:
        try:
            connection.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        # Gone, or behind a folder that is gone, not mounted, not ours any more.
        return None
    return (found.st_dev, found.st_ino)


def _unavailable(error: Exception) -> Unavailable:
    if isinstance(error, apsw.FullError):
        return Unavailable("unavailable", "The disk is full; reading still works", wait=30)
    return Unavailable("unavailable", f"The database cannot be used now ({type(error).__name__})", wait=5)


def _migrate(connection: apsw.Connection, to: int | None) -> int:
    """Each migration in a transaction of its own, under the write lock, so that two nodes never apply one twice."""
    applied = 0
    while True:
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute(migrations.REGISTER)
            done = [row[0] for row in connection.execute("SELECT number FROM migrations ORDER BY number")]
            following = migrations.following(done, SQLite.engine, to)
            if following is None:
                return applied
            connection.execute(following.sql)
            connection.execute(
                "INSERT INTO migrations (number, name) VALUES (?, ?)", (following.number, following.name)
            )
            connection.execute("COMMIT")
            applied += 1
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
