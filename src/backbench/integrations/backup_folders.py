"""Backup folders: their names, manifest and tables as JSON lines."""

import contextlib
import errno
import fcntl
import hashlib
import math
import os
import re
import secrets
import shutil
import stat
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from backbench.integrations.temporary_files import sync_folder
from backbench.values import times
from backbench.values.errors import Conflict
from backbench.values.os_errors import reason_of
from backbench.values.times import Instant

_NAME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z")
_DAY_SECONDS = 86_400
# What is left of a backup that was not finished, or not deleted: the process was killed.
_INTERRUPTED = re.compile(r"\..+\.(partial|deleted)-[0-9a-f]{8}")
# Of a clock that was set back since.
_CLOCK_SECONDS = 300
# A nightly backup is a day old before the next one is made; two hours are for the making of it.
_RECENT_SECONDS = 26 * 3600


def backup_name(now: Instant) -> str:
    """The name of a backup made `now`, such as `2026-11-22T030004Z`: without colons, which some file systems refuse."""
    return f"{now[:10]}T{now[11:19].replace(':', '')}Z"


def time_of(name: str) -> Instant | None:
    """When the backup of that name was made; None for any other name."""
    match = _NAME.fullmatch(name)
    return f"{match[1]}T{match[2]}:{match[3]}:{match[4]}.000Z" if match else None


def expired(names: Iterable[str], now: Instant, keep_days: int) -> list[str]:
    """The backups older than `keep_days`, oldest first. The newest one never expires; other names are not ours."""
    backups = sorted(name for name in names if time_of(name) is not None)
    oldest_kept = backup_name(times.later(now, -keep_days * _DAY_SECONDS))
    return [name for name in backups[:-1] if name < oldest_kept]


def newest(names: Iterable[str]) -> str | None:
    return max((name for name in names if time_of(name) is not None), default=None)


def is_recent(name: str, now: Instant) -> bool:
    return age(name, now) < _RECENT_SECONDS


def age(name: str | None, now: Instant) -> float:
    """In seconds; infinite without a backup, or for another name, or one in the future, which says nothing of today."""
    made = None if name is None else time_of(name)
    seconds = math.inf if made is None else times.seconds_between(made, now)
    return math.inf if seconds < -_CLOCK_SECONDS else max(seconds, 0)


FORMAT = 1


class TableContents(Struct, frozen=True, rename="camel"):
    """The number of rows and the checksum of a JSON Lines file."""

    rows: int
    sha256: str


class FileContents(Struct, frozen=True, rename="camel"):
    """A stored file: a line of `files.jsonl`."""

    id: str
    size_bytes: int
    sha256: str


class LostFile(Struct, frozen=True, rename="camel"):
    """A stored file whose contents are missing from the file store. `workshop`: its name."""

    id: str
    workshop: str
    name: str | None

    def __str__(self) -> str:
        return f"{self.name or self.id} of {self.workshop}"


class Manifest(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The contents of a backup. `files` describes the list of stored files.

    `missing` has the ids of files whose blobs could not be copied: deleted after the snapshot of the rows, or lost.
    """

    format: int
    backbench: str
    schema: int
    created_at: Instant
    tables: dict[str, TableContents]
    files: TableContents
    missing: list[str]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())


_CHUNK_BYTES = 256 * 1024
_MANIFEST = "manifest.json"
_FILES_LIST = "files.jsonl"
# Names come from files that may have been edited by hand. None may lead out of the folder.
_SAFE_NAME = re.compile(r"[a-z0-9_-]+")


class JsonLinesWriter:
    """Writes a JSON Lines file, counting its rows and computing its checksum."""

    def __init__(self, path: Path) -> None:
        self._file = _create(path)
        self._checksum = hashlib.sha256()
        self._rows = 0
        self._encoder = msgspec.json.Encoder()

    def write(self, rows: list[msgspec.Struct]) -> None:
        lines = self._encoder.encode_lines(rows)
        self._file.write(lines)
        self._checksum.update(lines)
        self._rows += len(rows)

    def close(self) -> None:
        """Closes the file without syncing it."""
        self._file.close()

    def finish(self) -> TableContents:
        """Syncs and closes the file."""
        _sync_and_close(self._file)
        return TableContents(self._rows, self._checksum.hexdigest())


class BackupWriter:
    """Writes a backup into a temporary folder next to its final path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._partial = path.with_name(f".{path.name}.partial-{secrets.token_hex(4)}")
        self._open_files = contextlib.ExitStack()
        for folder in (self._partial, self._partial / "tables", self._partial / "files"):
            # It contains password hashes: only the service's own account may read it.
            folder.mkdir(mode=0o700)
        self._open_files.enter_context(_locked(self._partial))

    def table(self, name: str) -> JsonLinesWriter:
        return self._lines(self._partial / "tables" / f"{name}.jsonl")

    def files_list(self) -> JsonLinesWriter:
        return self._lines(self._partial / _FILES_LIST)

    def _lines(self, path: Path) -> JsonLinesWriter:
        return self._open_files.enter_context(contextlib.closing(JsonLinesWriter(path)))

    async def add_file(self, file_id: str, chunks: AsyncIterator[bytes]) -> FileContents:
        checksum = hashlib.sha256()
        size = 0
        path = self._partial / "files" / _file_name(file_id)
        file = _create(path)
        try:
            async for chunk in chunks:
                file.write(chunk)
                checksum.update(chunk)
                size += len(chunk)
        except BaseException:
            file.close()
            path.unlink()
            raise
        _sync_and_close(file)
        return FileContents(file_id, size, checksum.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        """Writes the manifest and renames the folder to its final path, durably."""
        file = _create(self._partial / _MANIFEST)
        file.write(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
        _sync_and_close(file)
        for folder in ("tables", "files", "."):
            sync_folder(self._partial / folder)
        # Replaces an empty folder of that name; raises OSError for any other.
        self._partial.rename(self.path)
        sync_folder(self.path.parent)

    def discard(self) -> None:
        self._open_files.close()
        shutil.rmtree(self._partial, ignore_errors=True)


def complete_backups(parent: Path) -> list[str]:
    """The names of the folders in `parent` that are complete backups. Raises Conflict if it cannot be read."""
    try:
        return [folder.name for folder in parent.iterdir() if (folder / _MANIFEST).is_file()]
    except OSError as error:
        raise Conflict("backups_unreadable", f"{parent.absolute()} cannot be read: {reason_of(error)}") from None


def delete_backups(parent: Path, names: Iterable[str]) -> None:
    """Deletes these backups. Raises Conflict where one cannot be deleted."""
    try:
        for name in names:
            # Renamed first: an interrupted deletion leaves no folder that looks like a complete backup.
            doomed = parent / f".{name}.deleted-{secrets.token_hex(4)}"
            with _locked(parent / name):
                (parent / name).rename(doomed)
                shutil.rmtree(doomed)
    except OSError as error:
        raise Conflict("backup_not_deleted", f"{name} cannot be deleted: {reason_of(error)}") from None


def interrupted(parent: Path) -> list[str]:
    """What killed backups and deletions have left in `parent`. Raises OSError if it cannot be read."""
    names = sorted(path.name for path in parent.iterdir() if _INTERRUPTED.fullmatch(path.name))
    return [name for name in names if not _is_in_use(parent / name)]


def delete_interrupted(parent: Path) -> None:
    """Deletes what killed backups have left: it has password hashes and files. What cannot be deleted now stays."""
    with contextlib.suppress(OSError):
        for name in interrupted(parent):
            with contextlib.suppress(OSError), _locked(parent / name) as is_locked:
                if is_locked:
                    shutil.rmtree(parent / name, ignore_errors=True)


def _is_in_use(folder: Path) -> bool:
    try:
        with _locked(folder):
            return False
    except BlockingIOError:
        return True
    except OSError:
        # Of another user, or no folder.
        return False


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Locks a folder that is written or deleted. Raises BlockingIOError while another process has the lock.

    False where the file system has no locks for folders, as NFS.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def create_backup(path: Path) -> Iterator[BackupWriter]:
    """A backup to write and to `finish`. An unfinished backup is deleted at the end of the context.

    Raises Conflict if `path` is not empty or cannot be written.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow a link that must be replaced
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise Conflict("backup_exists", f"{path} exists already and is not an empty folder")
        # Not created: it may be a folder of a disk that is not mounted, or misspelt.
        if not path.parent.exists():
            raise Conflict("no_folder", f"There is no folder {path.parent}")
        backup = BackupWriter(path)
        try:
            yield backup
        finally:
            backup.discard()
    except OSError as error:
        raise Conflict("backup_failed", f"Cannot write the backup to {path}: {error.strerror or error}") from error


class BackupReader:
    """Reads a finished backup. Call `verify` before reading its contents."""

    def __init__(self, path: Path) -> None:
        """Raises Conflict unless `path` is a backup that this version supports."""
        self._path = path
        try:
            for folder in (path / "tables", path / "files"):
                if folder.is_symlink():
                    raise Conflict("damaged_backup", f"{folder} is a link, which a backup does not have")
            with _open(path / _MANIFEST) as manifest:
                text = manifest.read()
            if msgspec.json.decode(text, type=_Format).format > FORMAT:
                raise Conflict("newer_backup", f"{path} was made by a newer Backbench")
            self.manifest = msgspec.json.decode(text, type=Manifest)
        except FileNotFoundError:
            raise Conflict("no_backup", f"{path} is not a backup: it has no {_MANIFEST}") from None
        except OSError as error:
            raise Conflict("no_backup", f"Cannot read {path}: {error.strerror or error}") from None
        except msgspec.MsgspecError as error:
            raise Conflict("damaged_backup", f"{path / _MANIFEST} is damaged: {error}") from None

    def verify(self) -> None:
        """Raises Conflict with the name of the file if a checksum or a number of rows does not match."""
        for name, contents in self.manifest.tables.items():
            self._verify_lines(self._table(name), contents)
        self._verify_lines(self._path / _FILES_LIST, self.manifest.files)
        for entry in self.files():
            if self._checksum(self._file(entry.id))[0] != entry.sha256:
                raise _damaged(self._file(entry.id))

    def rows(self, name: str) -> Iterator[bytes]:
        with _open(self._table(name)) as lines:
            yield from lines

    def files(self) -> Iterator[FileContents]:
        decoder = msgspec.json.Decoder(FileContents)
        with _open(self._path / _FILES_LIST) as lines:
            for line in lines:
                yield decoder.decode(line)

    async def file(self, file_id: str) -> AsyncIterator[bytes]:
        with _open(self._file(file_id)) as stored:
            while chunk := stored.read(_CHUNK_BYTES):
                yield chunk

    def _table(self, name: str) -> Path:
        return self._path / "tables" / f"{_file_name(name)}.jsonl"

    def _file(self, file_id: str) -> Path:
        return self._path / "files" / _file_name(file_id)

    def _verify_lines(self, path: Path, contents: TableContents) -> None:
        if self._checksum(path) != (contents.sha256, contents.rows):
            raise _damaged(path)

    def _checksum(self, path: Path) -> tuple[str, int]:
        """The SHA-256 and the number of line breaks."""
        checksum = hashlib.sha256()
        lines = 0
        try:
            with _open(path) as file:
                while chunk := file.read(_CHUNK_BYTES):
                    checksum.update(chunk)
                    lines += chunk.count(b"\n")
        except OSError as error:
            raise Conflict("damaged_backup", f"Cannot read {path}: {error.strerror or error}") from None
        return checksum.hexdigest(), lines


def _open(path: Path) -> BinaryIO:
    """A regular file of the backup. A link would restore a file from outside it as an upload that can be downloaded.

    Raises OSError for a link, and for anything else that is no regular file, such as a pipe that never ends.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


class _Format(msgspec.Struct):
    format: int


def _file_name(name: str) -> str:
    if not _SAFE_NAME.fullmatch(name):
        raise Conflict("damaged_backup", f"{name!r} is not a valid name of a table or a stored file")
    return name


def _damaged(path: Path) -> Conflict:
    return Conflict("damaged_backup", f"{path} is damaged: its checksum does not match")


def _create(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")


def _sync_and_close(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()
