"""`backbench backup` and `backbench restore`."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import typer

from backbench.commands.configuration import settings
from backbench.commands.database import changed, with_database
from backbench.commands.output import CommandOutput
from backbench.domain.operations.backups import Manifest
from backbench.domain.values import times
from backbench.domain.values.ids import new_id
from backbench.integrations.blobs import Blobs, open_blobs
from backbench.storage.engine.database import Database
from backbench.storage.engine.urls import name_of

FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The backup's folder.")]


def backup(folder: FolderArgument) -> CommandOutput:
    """Back up the database and all files to a new folder."""
    from backbench.actions.operations.backups import back_up

    manifest = _with_stores(lambda db, blobs: back_up(db, blobs, folder, times.now()))
    text = f"{folder.absolute()} has {_counts(manifest)} of {name_of(settings().database_url)}"
    if manifest.missing:
        text += f"\nFiles deleted while the backup was made: {', '.join(manifest.missing)}"
    return CommandOutput(_json(folder, manifest), text)


def restore(folder: FolderArgument) -> CommandOutput:
    """Restore a backup into an empty database and its file store."""
    from backbench.actions.operations.backups import restore as restore_backup

    manifest = _with_stores(lambda db, blobs: restore_backup(db, blobs, folder, new_id), may_create=True)
    text = f"Restored {_counts(manifest)} of {manifest.created_at}"
    return CommandOutput(_json(folder, manifest), f"{changed(text)}\nFiles: {settings().files_url}")


def _with_stores(call: Callable[[Database, Blobs], Awaitable[Manifest]], *, may_create: bool = False) -> Manifest:
    """Calls it with the database, which is not migrated first, and the file store."""

    async def work(db: Database) -> Manifest:
        blobs = open_blobs(settings().files_url)
        try:
            return await call(db, blobs)
        finally:
            await blobs.close()

    return with_database(work, may_create=may_create, migrate=False)


def _counts(manifest: Manifest) -> str:
    return f"{manifest.rows} rows of {len(manifest.tables)} tables and {manifest.files.rows} files"


def _json(folder: Path, manifest: Manifest) -> dict[str, object]:
    return {
        "folder": str(folder),
        "createdAt": manifest.created_at,
        "schema": manifest.schema,
        "rows": manifest.rows,
        "files": manifest.files.rows,
        "missing": manifest.missing,
    }
