"""The file of an SQLite database: opened durably, migrated, and told apart from one that took its place."""

import os
import time
from pathlib import Path

import apsw

from backbench.domain.values.errors import Unavailable
from backbench.storage.engine import migrations

LOCK_WAIT_MS = 10_000
# Another node may be rewriting a large table.
MIGRATION_WAIT_MS = 3_600_000
# These are nobody's fault in particular, and may have ended the whole transaction instead of one statement of it.
FAULTS = (
    apsw.FullError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.NoMemError,
    apsw.BusyError,
)
_CACHE_KIB = 16 * 1024


def connect(path: Path, synchronous: str, vfs: str | None, *, must_exist: bool) -> apsw.Connection:
    """Raises Unavailable where the file cannot be opened, or `must_exist` and is not there."""
    try:
        flags = apsw.SQLITE_OPEN_READWRITE
        # A file that was there and is not is lost: a new, empty one in its place would hide that.
        if not must_exist:
            flags |= apsw.SQLITE_OPEN_CREATE
            _make_folder(path.parent)
            # For nobody else's eyes, in whatever folder it stands; SQLite makes the files beside it alike.
            path.touch(mode=0o600)
        connection = apsw.Connection(str(path), flags=flags, vfs=vfs)
        connection.set_busy_timeout(LOCK_WAIT_MS)
        _write_ahead(connection)
        connection.pragma("synchronous", synchronous)
        # On macOS a plain sync stops at the drive's cache; elsewhere this changes nothing.
        connection.pragma("fullfsync", True)
        connection.pragma("foreign_keys", True)
        connection.pragma("cache_size", -_CACHE_KIB)
        # Without it a join is planned anew for every set of values: four times the cost of a session's look-up.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    except (apsw.Error, OSError) as error:
        raise unavailable(error) from error
    return connection


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
    deadline = time.monotonic() + LOCK_WAIT_MS / 1000
    while True:
        try:
            connection.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        # Gone, or behind a folder that is gone, not mounted, not ours any more.
        return None
    return (found.st_dev, found.st_ino)


def unavailable(error: Exception) -> Unavailable:
    if isinstance(error, apsw.FullError):
        return Unavailable("unavailable", "The disk is full; reading still works", wait=30)
    return Unavailable("unavailable", f"The database cannot be used now ({type(error).__name__})", wait=5)


def migrate(connection: apsw.Connection, engine: str, to: int | None) -> int:
    """Each migration in a transaction of its own, under the write lock, so that two nodes never apply one twice."""
    applied = 0
    while True:
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute(migrations.REGISTER)
            done = [row[0] for row in connection.execute("SELECT number FROM migrations ORDER BY number")]
            following = migrations.following(done, engine, to)
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
