"""Putting everything aside, and getting it back."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import typer

from backbench.commands.database import in_database, settings
from backbench.commands.output import CommandOutput
from backbench.domain.operations.backups import Manifest
from backbench.domain.values import times
from backbench.integrations.blobs import Blobs, open_blobs
from backbench.storage.engine.database import Database

FolderWord = Annotated[Path, typer.Argument(metavar="DIR", help="The backup's folder.")]


def backup(folder: FolderWord) -> CommandOutput:
    """Put everything as it is now into a new folder."""
    from backbench.actions.operations.backups import back_up

    manifest = _with_files(lambda db, blobs: back_up(db, blobs, folder, times.now()))
    words = f"{folder} holds {_counted(manifest)}"
    if manifest.missing:
        words += f"\nRemoved while the backup was made: {', '.join(manifest.missing)}"
    return CommandOutput(_shape(folder, manifest), words)


def restore(folder: FolderWord) -> CommandOutput:
    """Fill an empty database and its file store from a backup."""
    from backbench.actions.operations.backups import restore as fill

    manifest = _with_files(lambda db, blobs: fill(db, blobs, folder))
    return CommandOutput(_shape(folder, manifest), f"Restored {_counted(manifest)} of {manifest.created_at}")


def _with_files(call: Callable[[Database, Blobs], Awaitable[Manifest]]) -> Manifest:
    """What `call` gives, with the database as it is and the file store."""

    async def work(db: Database) -> Manifest:
        blobs = open_blobs(settings().files_url)
        try:
            return await call(db, blobs)
        finally:
            await blobs.close()

    return in_database(work, migrates=False)


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
