"""ZIP archives written as a stream: no entry, and nothing of the archive's size, is held in memory.

Sizes and checksums follow each entry (data descriptors), in ZIP64 form, so that an entry may have any size.
"""

import asyncio
import hashlib
import io
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from msgspec import Struct

from backbench.values.times import Instant, parse


class ArchiveEntry(Struct, frozen=True):
    """An entry of the archive: its size and SHA-256 before compression."""

    path: str
    bytes: int
    sha256: str


class ZipStream:
    """Each method gives the bytes of the archive that have become ready; `entries` are those written so far."""

    def __init__(self, at: Instant) -> None:
        self.entries: list[ArchiveEntry] = []
        self._date = parse(at).timetuple()[:6]
        self._output = _Output()
        self._zip = zipfile.ZipFile(self._output, "w")

    async def add(
        self, path: str, pieces: AsyncIterator[bytes], *, compress: bool = True
    ) -> AsyncGenerator[bytes, None]:
        """Adds an entry. Compression and checksums run in a thread, piece by piece."""
        info = zipfile.ZipInfo(path, self._date)
        info.compress_type = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
        info.external_attr = 0o600 << 16
        digest = hashlib.sha256()
        size = 0
        with self._zip.open(info, "w", force_zip64=True) as entry:
            async for piece in pieces:
                size += len(piece)
                await asyncio.to_thread(_write, entry, digest, piece)
                if ready := self._output.take():
                    yield ready
        self.entries.append(ArchiveEntry(path, size, digest.hexdigest()))
        if ready := self._output.take():
            yield ready

    def finish(self) -> bytes:
        """The end of the archive: its directory."""
        self._zip.close()
        return self._output.take()


def _write(entry: Any, digest: Any, piece: bytes) -> None:
    digest.update(piece)
    entry.write(piece)


class _Output(io.RawIOBase):
    """Collects what `zipfile` writes. It cannot be sought in, so sizes and checksums follow the content."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._written += piece
        return len(piece)

    def take(self) -> bytes:
        ready = bytes(self._written)
        self._written.clear()
        return ready
