"""Worker files: what the workers of a server publish for each other, one file per worker in a temporary folder.

`backbench serve` makes the folder and deletes it. A worker that was replaced leaves its file, so that sums never fall.
"""

import asyncio
import os
import secrets
from pathlib import Path

FOLDER_VARIABLE = "_BACKBENCH_WORKER_FOLDER"
_SUFFIX = ".json"


class WorkerFiles:
    """The files of the workers. Without a folder, in a process of its own, there is no other worker."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._name = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock = asyncio.Lock()

    async def exchange(self, own: bytes) -> list[bytes]:
        """Publishes the content of this worker, and returns that of every worker, its own included.

        What one worker has reported has always been published before: a later report of another is never lower.
        """
        if self._folder is None:
            return [own]
        async with self._lock:
            return await asyncio.to_thread(self._exchange, self._folder, own)

    def _exchange(self, folder: Path, own: bytes) -> list[bytes]:
        new = folder / f"{self._name}.new"
        new.write_bytes(own)
        new.replace(folder / f"{self._name}{_SUFFIX}")
        return [file.read_bytes() for file in sorted(folder.glob(f"*{_SUFFIX}"))]
