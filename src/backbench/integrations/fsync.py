"""fsync of folders: makes created, renamed and deleted names durable."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Raises OSError. Does nothing on Windows, which cannot open folders and orders their changes itself."""
    if os.name == "nt":  # pragma: no cover
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
