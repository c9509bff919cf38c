"""Disks of the data: the folders of the database and of the files, and how much is free there."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from backbench.engine.urls import sqlite_path


class DiskSpace(Struct, frozen=True):
    """Of the file system of `folder`, in bytes."""

    folder: Path
    total: int
    free: int


def spaces(database_url: str, files_url: str) -> Iterator[DiskSpace]:
    """Of each folder with data on this machine. Raises OSError."""
    paths = {path for path in (sqlite_path(database_url), files_folder(files_url)) if path is not None}
    for folder in sorted({nearest_folder(path.parent) for path in paths}):
        total, _, free = shutil.disk_usage(folder)
        # A virtual file system such as /proc has no size.
        if total:
            yield DiskSpace(folder, total, free)


def files_folder(url: str) -> Path | None:
    """None where files are in a bucket."""
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def nearest_folder(path: Path) -> Path:
    """The closest parent that exists, or the path itself, as far as this user can see."""
    return next(parent for parent in (path.absolute(), *path.absolute().parents) if os.path.exists(parent))  # noqa: PTH110 - Path.exists() raises PermissionError
