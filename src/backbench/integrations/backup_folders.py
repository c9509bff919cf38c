"""A backup on disk: a folder of JSON Lines with checksums, complete under its name or not there at all."""

import contextlib
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from backbench.domain.operations.backups import FORMAT, FileContents, Manifest, TableContents
from backbench.domain.values.errors import Conflict

_PIECE = 256 * 1024
_MANIFEST = "manifest.json"
_FILES_LIST = "files.jsonl"
# Names come from files that somebody may have written by hand; none leads out of the folder.
_PLAIN = re.compile(r"[a-z0-9_-]+")


class Lines:
    """A file of JSON Lines under way."""

    def __init__(self, path: Path) -> None:
        self._file = _created(path)
        self._checksum = hashlib.sha256()
        self._rows = 0
        self._encoder = msgspec.json.Encoder()

    def write(self, rows: list[msgspec.Struct]) -> None:
        lines = self._encoder.encode_lines(rows)
        self._file.write(lines)
        self._checksum.update(lines)
        self._rows += len(rows)

    def close(self) -> None:
        """Of no use any more."""
        self._file.close()

    def finish(self) -> TableContents:
        _sync_and_close(self._file)
        return TableContents(self._rows, self._checksum.hexdigest())


class NewFolder:
    """A backup under way, beside the name it will have."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._partial = path.with_name(f".{path.name}.partial-{secrets.token_hex(4)}")
        self._under_way = contextlib.ExitStack()
        for folder in (self._partial, self._partial / "tables", self._partial / "files"):
            # Password hashes are in it: nobody else's eyes.
            folder.mkdir(mode=0o700)

    def table(self, name: str) -> Lines:
        return self._lines(self._partial / "tables" / f"{name}.jsonl")

    def files_list(self) -> Lines:
        return self._lines(self._partial / _FILES_LIST)

    def _lines(self, path: Path) -> Lines:
        return self._under_way.enter_context(contextlib.closing(Lines(path)))

    async def add_file(self, file_id: str, pieces: AsyncIterator[bytes]) -> FileContents:
        checksum = hashlib.sha256()
        size = 0
        path = self._partial / "files" / _file_name(file_id)
        file = _created(path)
        try:
            async for piece in pieces:
                file.write(piece)
                checksum.update(piece)
                size += len(piece)
        except BaseException:
            file.close()
            path.unlink()
            raise
        _sync_and_close(file)
        return FileContents(file_id, size, checksum.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        """Gives the folder its name, durably; from here on it is a backup."""
        file = _created(self._partial / _MANIFEST)
        file.write(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
        _sync_and_close(file)
        for folder in ("tables", "files", "."):
            _sync_folder(self._partial / folder)
        # Replaces an empty folder of that name, and refuses any other.
        self._partial.rename(self.path)
        _sync_folder(self.path.parent)

    def discard(self) -> None:
        self._under_way.close()
        shutil.rmtree(self._partial, ignore_errors=True)


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[NewFolder]:
    """A folder to fill and to `finish`; what was not finished is gone afterwards.

    Conflict when something is there already, or the place cannot be written.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow a link that is to be replaced
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise Conflict("backup_exists", f"{path} exists already and is not an empty folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = NewFolder(path)
        try:
            yield folder
        finally:
            folder.discard()
    except OSError as error:
        raise Conflict("backup_failed", f"Cannot write the backup to {path}: {error.strerror or error}") from error


class Folder:
    """A finished backup. Everything in it is checked before anything is read from it."""

    def __init__(self, path: Path) -> None:
        """Raises Conflict unless `path` is a backup that this version understands."""
        self._path = path
        try:
            text = (path / _MANIFEST).read_bytes()
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
        """Raises Conflict, naming the file, unless every checksum holds and every row is there."""
        for name, contents in self.manifest.tables.items():
            self._verify_lines(self._table(name), contents)
        self._verify_lines(self._path / _FILES_LIST, self.manifest.files)
        for entry in self.files():
            if self._checksum(self._file(entry.id))[0] != entry.sha256:
                raise _damaged(self._file(entry.id))

    def rows(self, name: str) -> Iterator[bytes]:
        with self._table(name).open("rb") as lines:
            yield from lines

    def files(self) -> Iterator[FileContents]:
        decoder = msgspec.json.Decoder(FileContents)
        with (self._path / _FILES_LIST).open("rb") as lines:
            for line in lines:
                yield decoder.decode(line)

    async def file(self, file_id: str) -> AsyncIterator[bytes]:
        with self._file(file_id).open("rb") as stored:
            while piece := stored.read(_PIECE):
                yield piece

    def _table(self, name: str) -> Path:
        return self._path / "tables" / f"{_file_name(name)}.jsonl"

    def _file(self, file_id: str) -> Path:
        return self._path / "files" / _file_name(file_id)

    def _verify_lines(self, path: Path, contents: TableContents) -> None:
        if self._checksum(path) != (contents.sha256, contents.rows):
            raise _damaged(path)

    def _checksum(self, path: Path) -> tuple[str, int]:
        """SHA-256 and the number of line ends."""
        checksum = hashlib.sha256()
        lines = 0
        try:
            with path.open("rb") as file:
                while piece := file.read(_PIECE):
                    checksum.update(piece)
                    lines += piece.count(b"\n")
        except OSError as error:
            raise Conflict("damaged_backup", f"Cannot read {path}: {error.strerror or error}") from None
        return checksum.hexdigest(), lines


class _Format(msgspec.Struct):
    format: int


def _file_name(name: str) -> str:
    if not _PLAIN.fullmatch(name):
        raise Conflict("damaged_backup", f"{name!r} is not the name of a table or a stored file")
    return name


def _damaged(path: Path) -> Conflict:
    return Conflict("damaged_backup", f"{path} is damaged: its checksum does not hold")


def _created(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")


def _sync_and_close(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
