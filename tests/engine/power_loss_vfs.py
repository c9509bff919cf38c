"""A VFS that simulates power loss: what was written and never synced is lost, completely or in part.

It is between SQLite and the real files. A cut does not stop the engine: it is a copy of what the disk would contain at
that moment, written to a separate folder, where the database is opened as after the outage.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

import apsw

_SECTOR = 512
_JOURNALS = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_SUPER_JOURNAL


class _Content:
    """One file: its synced content, and the changes since it was last synced."""

    def __init__(self, safe: bytes) -> None:
        self.safe = bytearray(safe)
        # (offset, bytes written there), or (new size, None) for a truncation.
        self.unsafe: list[tuple[int, bytes | None]] = []

    def sync(self) -> None:
        for offset, written in self.unsafe:
            _apply(self.safe, offset, written)
        self.unsafe.clear()

    def after_cut(self, chance: Random, kept: float) -> bytes:
        """The synced content; each sector that was not synced is there with the probability `kept`."""
        content = bytearray(self.safe)
        for offset, written in self.unsafe:
            if written is None:
                if chance.random() < kept:
                    _apply(content, offset, None)
                continue
            for start in range(0, len(written), _SECTOR):
                if chance.random() < kept:
                    _apply(content, offset + start, written[start : start + _SECTOR])
        return bytes(content)


def _apply(content: bytearray, offset: int, written: bytes | None) -> None:
    if written is None:
        del content[offset:]
        return
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(written)] = written


class PowerLossDisk(apsw.VFS):
    """Files by name, and which of the names are synced: a name is synced with its folder."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name, "")
        self.name = name
        self.files = {str(path): _Content(path.read_bytes()) for path in folder.glob("*") if path.suffix != ".db-shm"}
        self.safe_names = dict(self.files)
        self.lock = threading.RLock()
        # Called before every write and sync: where a test cuts.
        self.at_each_step: Callable[[], None] = lambda: None

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return _File(self, name, flags)

    def xDelete(self, name: str, sync_folder: bool) -> None:  # noqa: N802 - SQLite's name
        with self.lock:
            super().xDelete(name, sync_folder)
            self.files.pop(name, None)
            if sync_folder:
                self.sync_folder()

    def sync_folder(self) -> None:
        self.safe_names = dict(self.files)

    def after_cut(self, chance: Random, kept: float) -> dict[str, bytes]:
        """The content of the disk when the power is back, by file name."""
        with self.lock:
            names = dict(self.safe_names)
            if chance.random() < kept:
                names = dict(self.files)
            return {Path(name).name: content.after_cut(chance, kept) for name, content in names.items()}


class _File(apsw.VFSFile):
    def __init__(self, disk: PowerLossDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._disk = disk
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        with disk.lock:
            # A file without a name is a temporary one of SQLite, which is not needed after an outage.
            self._content = _Content(b"") if path is None else disk.files.setdefault(path, _Content(b""))
        # SQLite's own files for Unix do the same with the first sync of a journal that they made.
        self._syncs_folder = bool(flags[0] & _JOURNALS and flags[0] & apsw.SQLITE_OPEN_CREATE)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        with self._disk.lock:
            self._disk.at_each_step()
            super().xWrite(data, offset)
            self._content.unsafe.append((offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802 - SQLite's name
        with self._disk.lock:
            super().xTruncate(size)
            self._content.unsafe.append((size, None))

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        with self._disk.lock:
            # The real sync is left out: it proves nothing here and takes its time.
            self._disk.at_each_step()
            self._content.sync()
            if self._syncs_folder:
                self._disk.sync_folder()
                self._syncs_folder = False
