"""Putting everything aside, and getting it back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

import typer

from backbench.actions.backups import FileStore
from backbench.commands.database import in_database
from backbench.commands.speech import Said
from backbench.domain import times
from backbench.domain.backups import Manifest
from backbench.domain.errors import Conflict, NotFound

FolderWord = Annotated[Path, typer.Argument(metavar="DIR", help="The backup's folder.")]


def backup(folder: FolderWord) -> Said:
    """Put everything as it is now into a new folder."""
    from backbench.actions.backups import back_up

    manifest = in_database(lambda db: back_up(db, files(), folder, times.now()), migrates=False)
    words = f"{folder} holds {_counted(manifest)}"
    if manifest.missing:
        words += f"\nNot in the file store when their turn came: {', '.join(manifest.missing)}"
    return Said(_shape(folder, manifest), words)


def restore(folder: FolderWord) -> Said:
    """Fill an empty database and its file store from a backup."""
    from backbench.actions.backups import restore as fill

    manifest = in_database(lambda db: fill(db, files(), folder), migrates=False)
    return Said(_shape(folder, manifest), f"Restored {_counted(manifest)} of {manifest.created_at}")


class _NoFiles:
    """Stands in until there is a file store."""

    async def read(self, key: str) -> AsyncIterator[bytes]:
        raise NotFound
        yield b""

    async def write(self, key: str, pieces: AsyncIterator[bytes]) -> None:
        raise Conflict("no_file_store", "There is no file store to restore into")


def files() -> FileStore:
    return _NoFiles()


def _counted(manifest: Manifest) -> str:
    return f"{manifest.rows} rows of {len(manifest.tables)} tables and {manifest.files.rows} files"


def _shape(folder: Path, manifest: Manifest) -> dict[str, object]:
    return {
        "folder": str(folder),
        "createdAt": manifest.created_at,
        "schema": manifest.schema,
        "rows": manifest.rows,
        "files": manifest.files.rows,
        "missing": manifest.missing,
    }
