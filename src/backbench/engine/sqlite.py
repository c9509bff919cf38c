"""SQLite: reads on the event loop, in a thread where a statement takes long, and in snapshots; writes in a queue.

A read that takes longer than requests may wait for it is interrupted, and repeated in a thread.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic, thread_time
from typing import Any

import apsw

from backbench.engine import migrations
from backbench.engine.database import Catalog, Result, Row, Value, Work
from backbench.engine.rows import checked_maker, checked_makers
from backbench.engine.slow_statements import SlowStatements
from backbench.engine.sqlite_files import (
    LOCK_WAIT_MS,
    MIGRATION_WAIT_MS,
    STORAGE_ERRORS,
    connect,
    errors_as_unavailable,
    migrate,
    missing,
    truncate_log,
    unavailable,
)
from backbench.engine.sqlite_queue import (
    BlockingThread,
    FailedAfterWriting,
    PendingWrite,
    SQLiteCatalog,
    SQLiteHandle,
    as_bytes,
    identity,
    run_in_group,
    run_in_savepoint,
)
from backbench.values.errors import Unavailable

_LOOP_SECONDS = 0.01
_NEVER = float("inf")
# SQLite asks after so many steps of its virtual machine, less than a millisecond.
_STEPS = 5_000


class SQLiteSnapshot:
    """Read on a connection that `connect` opens, in one read transaction.

    SQLite waits for the disk, and for other connections while a file is opened, so neither happens on the loop.
    """

    catalog: Catalog = SQLiteCatalog()

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


_LARGEST_GROUP = 64
# A group ends once its transactions have taken this long on the event loop, which nothing else uses meanwhile.
_GROUP_SECONDS = 0.005
# How long reads may go on using a file that was moved away or replaced; writes check every time.
_FILE_CHECK_SECONDS = 1.0


class SQLite:
    engine = "sqlite"
    catalog: Catalog = SQLiteCatalog()
    poll_seconds = 0.25

    def __init__(
        self,
        path: Path,
        *,
        must_exist: bool = False,
        synchronous: str = "FULL",
        vfs: str | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._clock = clock
        self._path = path
        self._synchronous = synchronous
        self._vfs = vfs
        self._reader: SQLiteReader | None = None
        self._slow = SlowStatements()
        self._is_reading = False
        self._writer: SQLiteHandle | None = None
        self._file: tuple[int, int] | None = None
        self._checked_at = 0.0
        self._data_version: tuple[tuple[int, int] | None, int] | None = None
        self._must_exist = must_exist
        self._is_committing = False
        self._queue: deque[PendingWrite] = deque()
        self._queue_task: asyncio.Task[None] | None = None
        self._commit_thread = BlockingThread("sqlite-commit")

    def read(self) -> SQLiteReader:
        """One transaction for all reads of one iteration of the event loop: its locks cost more than a statement.

        An iteration ends before later requests are looked at, so a client that has the response to a write sees it.
        """
        if self._is_reading and self._reader is not None:
            return self._reader
        loop = asyncio.get_running_loop()
        if self._reader is None or loop.time() > self._checked_at + _FILE_CHECK_SECONDS:
            self._check_file()
            self._checked_at = loop.time()
            assert self._reader is not None
        self._reader.control("BEGIN")
        self._is_reading = True
        loop.call_soon(self._end_reading)
        return self._reader

    def _end_reading(self) -> None:
        self._is_reading = False
        if self._reader is not None:
            self._reader.end_read()

    def snapshot(self) -> SQLiteSnapshot:
        return SQLiteSnapshot(self._connect)

    async def write(self, work: Work[Result], /, *, is_long: bool = False) -> Result:
        try:
            return await self._queued(work, is_long)
        except apsw.ConstraintError as error:
            if getattr(error, "extendedresult", 0) != apsw.SQLITE_CONSTRAINT_FOREIGNKEY:
                raise
            # A row that was read before this transaction has been deleted since. As on PostgreSQL, a retry may succeed
            # or fail for its real reason; one is enough, since nothing else writes during it.
            return await self._queued(work, is_long)

    def _queued(self, work: Work[Result], is_long: bool) -> asyncio.Future[Result]:
        pending = PendingWrite(work, asyncio.get_running_loop().create_future(), is_long)
        self._queue.append(pending)
        if self._queue_task is None:
            self._queue_task = asyncio.create_task(self._process_queue())
        return pending.future

    async def may_have_changed(self) -> bool:
        """The data version of the reader's connection changes with each commit of another connection; it costs 3 µs."""
        async with self.read() as db:
            present = (self._file, await db.value("PRAGMA data_version"))
        before, self._data_version = self._data_version, present
        return present != before

    async def ready(self) -> None:
        self._check_file()
        async with self.read() as db:
            # Reads the file, which "SELECT 1" would not.
            if await db.value("SELECT count(*) FROM sqlite_master WHERE name = 'migrations'"):
                await migrations.require_usable(db, self.engine)

    async def migrate(self, to: int | None = None) -> int:
        def apply() -> int:
            with errors_as_unavailable(), contextlib.closing(self._connect()) as connection:
                connection.set_busy_timeout(MIGRATION_WAIT_MS)
                return migrate(connection, self.engine, to)

        return await self._commit_thread.run(apply)

    async def truncate_log(self) -> None:
        def truncate() -> None:
            with errors_as_unavailable(), contextlib.closing(self._connect()) as connection:
                truncate_log(connection)

        await self._commit_thread.run(truncate)

    async def close(self) -> None:
        if self._queue_task is not None:
            await self._queue_task
        self._commit_thread.close()
        self._close_connections()

    # Connections

    def _connect(self) -> apsw.Connection:
        connection = connect(self._path, self._synchronous, self._vfs, must_exist=self._must_exist)
        self._must_exist = True
        return connection

    def _open(self) -> None:
        self._writer = SQLiteHandle(self._connect())
        self._reader = SQLiteReader(self._connect(), self.snapshot, self._slow)
        self._file = identity(self._path)

    def _close_connections(self) -> None:
        if self._reader is not None:
            self._reader.close()
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = self._file = None

    def _check_file(self) -> None:
        """Opens the file if it is not open, or if another file was put in its place.

        Raises Unavailable when there is no file at the path. A write to a file that was moved away would be
        acknowledged and lost.
        """
        present = identity(self._path)
        if self._file is not None and present == self._file:
            return
        # The commit thread may be using the writer; the commit in progress is the last to the old file.
        if not self._is_committing:
            self._close_connections()
        if self._is_committing or (present is None and self._must_exist):
            raise missing(self._path)
        self._open()

    # The queue of writes

    async def _process_queue(self) -> None:
        try:
            while self._queue:
                # Two iterations of the loop let requests that the server has already read join the group.
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                group = self._next_group()
                try:
                    await self._commit(group)
                except (apsw.Error, OSError, Unavailable) as error:
                    reported = error if isinstance(error, Unavailable) else unavailable(error)
                    for pending in group:
                        pending.error = reported
                except BaseException as error:
                    # An unexpected error must not leave the other writes of the group waiting forever.
                    for pending in group:
                        pending.error = pending.error or error
                    if not isinstance(error, Exception):
                        raise
                finally:
                    for pending in group:
                        pending.resolve()
        finally:
            self._queue_task = None

    def _next_group(self) -> list[PendingWrite]:
        """The writes that share the next transaction: a long one has its own."""
        group = [self._queue.popleft()]
        while self._queue and len(group) < _LARGEST_GROUP and not (group[0].is_long or self._queue[0].is_long):
            group.append(self._queue.popleft())
        return group

    async def _commit(self, group: list[PendingWrite]) -> None:
        self._check_file()
        assert self._writer is not None
        self._is_committing = True
        try:
            await self._commit_on(self._writer, group)
        finally:
            self._is_committing = False

    async def _commit_on(self, writer: SQLiteHandle, group: list[PendingWrite]) -> None:
        await self._begin(writer)
        try:
            try:
                if group[0].is_long:
                    await self._commit_thread.run(lambda: run_in_group(writer, group[0]))
                else:
                    for pending in self._within_time(group):
                        run_in_group(writer, pending)
            except FailedAfterWriting as error:
                if group[0].is_long:
                    group[0].error = error.__cause__
                    return
                writer.control("ROLLBACK")
                await self._begin(writer)
                for pending in self._within_time(group):
                    run_in_savepoint(writer, pending)
            await self._commit_thread.run(lambda: writer.control("COMMIT"))
        finally:
            # Still open only when something above failed: a full disk, an unexpected error.
            if writer.in_transaction:
                writer.control("ROLLBACK")

    def _within_time(self, group: list[PendingWrite]) -> Iterator[PendingWrite]:
        """The writes of the group, one at least. Those for which no time is left return to the front of the queue."""
        ends_at = self._clock() + _GROUP_SECONDS
        for index, pending in enumerate(group):
            if index and self._clock() >= ends_at:
                self._queue.extendleft(reversed(group[index:]))
                del group[index:]
                return
            yield pending

    async def _begin(self, writer: SQLiteHandle) -> None:
        writer.set_busy_timeout(0)
        try:
            writer.control("BEGIN IMMEDIATE")
        except apsw.BusyError:
            # Another process is writing: wait for it outside the loop.
            writer.set_busy_timeout(LOCK_WAIT_MS)
            await self._commit_thread.run(lambda: writer.control("BEGIN IMMEDIATE"))
