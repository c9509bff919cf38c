"""Files of an SQLite database: its lock, its identity, and permissions."""

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import apsw

from backbench.engine import migrations
from backbench.values.errors import DatabaseUnavailable, Unavailable
from backbench.values.os_errors import reason_of

Result = TypeVar("Result")
_Call = tuple[Callable[[], Any], asyncio.AbstractEventLoop, asyncio.Future[Any]]


def _set_exception(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)


LOCK_WAIT_MS = 10_000
# Another node may be rewriting a large table.
MIGRATION_WAIT_MS = 3_600_000
# Errors of the disk, the file or the machine, not of one statement. They may have ended the whole transaction.
STORAGE_ERRORS = (
    apsw.FullError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.NoMemError,
    apsw.BusyError,
)
DAMAGED = "the file is damaged"
NOT_SQLITE = "the file is not an SQLite database"
_REASONS: dict[type[apsw.Error], str] = {
    apsw.IOError: "the disk reported an error",
    apsw.CantOpenError: "the file cannot be opened",
    apsw.ReadOnlyError: "its files are read-only for this user",
    apsw.CorruptError: DAMAGED,
    apsw.NotADBError: NOT_SQLITE,
    apsw.NoMemError: "out of memory",
    apsw.BusyError: "another process has locked it",
}
_CACHE_KIB = 16 * 1024


def connect(path: Path, synchronous: str, vfs: str | None, *, must_exist: bool) -> apsw.Connection:
    """Raises Unavailable where the file cannot be opened, or `must_exist` and it does not."""
    try:
        flags = apsw.SQLITE_OPEN_READWRITE
        # A file that existed and is missing is lost: a new, empty one in its place would hide that.
        if not must_exist:
            flags |= apsw.SQLITE_OPEN_CREATE
            _make_folder(path.parent)
            # Readable by this user alone, regardless of its folder; SQLite gives -wal and -shm the same mode.
            path.touch(mode=0o600)
        connection = apsw.Connection(str(path), flags=flags, vfs=vfs)
        connection.set_busy_timeout(LOCK_WAIT_MS)
        _use_write_ahead_log(connection)
        connection.pragma("synchronous", synchronous)
        # On macOS a plain sync stops at the drive's cache; elsewhere this changes nothing.
        connection.pragma("fullfsync", True)
        connection.pragma("foreign_keys", True)
        # What is deleted or replaced is overwritten in the file: an erased person is in no free page.
        connection.pragma("secure_delete", True)
        connection.pragma("cache_size", -_CACHE_KIB)
        # Without it a join is planned again for each set of values, which makes a session lookup four times as slow.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    except (apsw.Error, OSError) as error:
        raise unavailable(error) from error
    return connection


def _make_folder(folder: Path) -> None:
    """Makes the folder and its parents, and syncs their names: SQLite syncs only the names of its files.

    Without it a power cut could lose a new folder with everything in it.
    """
    if folder.exists():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    above = os.open(folder.parent, os.O_RDONLY)
    try:
        os.fsync(above)
    finally:
        os.close(above)


def _use_write_ahead_log(connection: apsw.Connection) -> None:
    """Retries while another connection opens the same new file: SQLite's busy timeout does not cover this."""
    deadline = time.monotonic() + LOCK_WAIT_MS / 1000
    while True:
        try:
            connection.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def missing(path: Path) -> Unavailable:
    """The error for a file that `identity` does not find."""
    try:
        path.stat()
    except FileNotFoundError:
        return Unavailable("unavailable", "The database file is missing", wait=5)
    except OSError as error:
        return unavailable(error)
    return Unavailable("unavailable", "The database file was replaced", wait=5)


def unavailable(error: Exception) -> Unavailable:
    if isinstance(error, apsw.FullError):
        return Unavailable("unavailable", "The disk is full; reading still works", wait=30)
    if isinstance(error, OSError):
        return DatabaseUnavailable(reason_of(error))
    reasons = (reason for kind, reason in _REASONS.items() if isinstance(error, kind))
    return DatabaseUnavailable(next(reasons, "SQLite reported an error"))


@contextlib.contextmanager
def errors_as_unavailable() -> Iterator[None]:
    """Raises Unavailable for errors of the disk, the file or the machine."""
    try:
        yield
    except STORAGE_ERRORS as error:
        raise unavailable(error) from error


def truncate_log(connection: apsw.Connection) -> None:
    """Copies the write-ahead log into the file and empties it, where nobody is reading or writing at this moment."""
    connection.set_busy_timeout(0)
    # The next call does it.
    with contextlib.suppress(apsw.BusyError):
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def migrate(connection: apsw.Connection, engine: str, to: int | None) -> int:
    """Applies each migration in its own transaction, under the write lock, so that two nodes never apply one twice."""
    with _under_write_lock(connection):
        connection.execute(migrations.CREATE_TABLE)
        if not list(connection.execute("SELECT 1 FROM pragma_table_info('migrations') WHERE name = 'usable_from'")):
            connection.execute(migrations.ADD_COLUMN)
    count = 0
    while True:
        with _under_write_lock(connection):
            rows = connection.execute("SELECT number, usable_from FROM migrations ORDER BY number")
            pending = migrations.next_pending([migrations.Applied(*row) for row in rows], engine, to)
            if pending is None:
                return count
            connection.execute(pending.sql)
            connection.execute(
                "INSERT INTO migrations (number, name, usable_from) VALUES (?, ?, ?)",
                (pending.number, pending.name, pending.usable_from),
            )
        count += 1


@contextlib.contextmanager
def _under_write_lock(connection: apsw.Connection) -> Iterator[None]:
    """A transaction that waits for the one of another node, also where it will change nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
