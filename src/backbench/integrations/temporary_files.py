"""Temporary files for long reads, and fsync of folders, which makes names durable."""

import asyncio
import os
from collections.abc import AsyncGenerator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Self

from backbench.values.errors import Unavailable


def sync_folder(folder: Path) -> None:
    """Raises OSError. Does nothing on Windows, which cannot open folders and orders their changes itself."""
    if os.name == "nt":  # pragma: no cover
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


PIECE_BYTES = 256 * 1024
# Smaller content stays in memory.
_IN_MEMORY_BYTES = 1024 * 1024


class TemporaryContent:
    """Content that is written first and read afterwards. Its file is deleted at the end of the `async with`."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(_IN_MEMORY_BYTES)  # noqa: SIM115 - closed by __aexit__
        self._pending = bytearray()
        self.size = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        # Closing waits for a write that a cancelled request has left running in its thread.
        await asyncio.shield(asyncio.to_thread(self._file.close))

    async def write(self, piece: bytes) -> None:
        """Raises Unavailable where the disk is full. Small pieces are gathered: each write is a hop to a thread."""
        self._pending += piece
        self.size += len(piece)
        if len(self._pending) >= PIECE_BYTES:
            await self._flush()

    async def read(self, start: int = 0, end: int | None = None) -> AsyncGenerator[bytes, None]:
        """The content from `start` up to `end`, in pieces of up to 256 KiB."""
        await self._flush()
        end = self.size if end is None else end
        while start < end:
            piece = await asyncio.to_thread(self._read, start, min(PIECE_BYTES, end - start))
            yield piece
            start += len(piece)

    async def _flush(self) -> None:
        piece, self._pending = bytes(self._pending), bytearray()
        try:
            await asyncio.to_thread(self._append, piece)
        except OSError as error:
            raise Unavailable(
                "unavailable", "The disk has no space for the temporary file of the response", wait=60
            ) from error

    def _append(self, piece: bytes) -> None:
        self._file.write(piece)
        # A full disk is reported here, and not where the file is read or closed.
        self._file.flush()

    def _read(self, start: int, length: int) -> bytes:
        self._file.seek(start)
        piece = self._file.read(length)
        if not piece:
            raise OSError("the temporary file is shorter than what was written to it")
        return piece
