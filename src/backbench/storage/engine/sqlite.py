"""SQLite, the embedded default: durable, one file, no server.

Reads run on the event loop: they take microseconds and never suspend. Writes wait in a queue; whoever is waiting
shares one transaction and is answered after its commit. The statements run on the loop as well
(a thread would fight it for the interpreter lock at every one of them); what sleeps, waiting for another process's
lock and for the disk, happens in one thread beside it.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from pathlib import Path

import apsw

from backbench.domain.values.errors import Unavailable
from backbench.storage.engine.blocking_thread import BlockingThread
from backbench.storage.engine.database import Read, Result, Work
from backbench.storage.engine.sqlite_files import (
    LOCK_WAIT_MS,
    MIGRATION_WAIT_MS,
    connect,
    identity,
    migrate,
    unavailable,
)
from backbench.storage.engine.sqlite_group_commit import FailedAfterWriting, Handle, Waiting, step, step_apart

_LARGEST_GROUP = 64
# How long reads may go on from a file that somebody has moved away or replaced; writes look every time.
_LOOK_SECONDS = 1.0


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
        self._queue: deque[Waiting] = deque()
        self._group: asyncio.Task[None] | None = None
        self._beside = BlockingThread("sqlite-commit")

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
        waiting = Waiting(work, asyncio.get_running_loop().create_future())
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
                connection.set_busy_timeout(MIGRATION_WAIT_MS)
                return migrate(connection, self.engine, to)

        return await self._beside.run(apply)

    async def close(self) -> None:
        if self._group is not None:
            await self._group
        self._beside.close()
        self._drop()

    # Connections

    def _connect(self) -> apsw.Connection:
        connection = connect(self._path, self._synchronous, self._vfs, must_exist=self._exists)
        self._exists = True
        return connection

    def _open(self) -> None:
        self._writer = self._connect()
        self._reader = Handle(self._connect())
        self._file = identity(self._path)

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
        present = identity(self._path)
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
                    refusal = error if isinstance(error, Unavailable) else unavailable(error)
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

    async def _commit(self, group: list[Waiting]) -> None:
        self._check_file()
        assert self._writer is not None
        self._is_committing = True
        try:
            await self._commit_on(self._writer, group)
        finally:
            self._is_committing = False

    async def _commit_on(self, writer: apsw.Connection, group: list[Waiting]) -> None:
        await self._begin(writer)
        try:
            handle = Handle(writer)
            try:
                for waiting in group:
                    step(writer, handle, waiting)
            except FailedAfterWriting:
                writer.execute("ROLLBACK")
                await self._begin(writer)
                for waiting in group:
                    step_apart(writer, handle, waiting)
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
            writer.set_busy_timeout(LOCK_WAIT_MS)
            await self._beside.run(lambda: writer.execute("BEGIN IMMEDIATE"))
