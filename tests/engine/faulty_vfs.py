"""A VFS whose errors a test turns on and off, between SQLite and the real files."""

import threading

import apsw


class FaultyDisk(apsw.VFS):
    """`is_full`: no file may grow. `is_broken`: nothing can be written; `is_unreadable`: nor read.

    `may_sync`: a sync waits while it is unset.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.name = name
        self.is_full = False
        self.is_broken = False
        self.is_unreadable = False
        self.may_sync = threading.Event()
        self.may_sync.set()
        self.is_syncing = threading.Event()

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return _FaultyFile(self, name, flags)


class _FaultyFile(apsw.VFSFile):
    def __init__(self, disk: FaultyDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._disk = disk

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        if self._disk.is_unreadable:
            raise apsw.IOError
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        if self._disk.is_broken:
            raise apsw.IOError
        if self._disk.is_full and offset + len(data) > super().xFileSize():
            raise apsw.FullError
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.is_syncing.set()
        self._disk.may_sync.wait(60)
        super().xSync(flags)
