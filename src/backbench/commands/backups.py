"""`backbench backup` and `backbench restore`."""

import contextlib
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from backbench.commands.configuration import settings
from backbench.commands.database import changed, with_database
from backbench.commands.output import CommandError, CommandOutput, printable
from backbench.engine.database import Database
from backbench.engine.urls import name_of
from backbench.integrations.backup_folders import (
    LostFile,
    Manifest,
    backup_name,
    complete_backups,
    delete_backups,
    delete_interrupted,
    expired,
)
from backbench.integrations.blobs import Blobs, open_blobs, place_of
from backbench.values import times
from backbench.values.errors import Conflict
from backbench.values.ids import new_id
from backbench.values.os_errors import reason_of
from backbench.values.times import Instant

# The exit status of a backup that is complete but for files that the file store has lost.
FILES_LOST = 3

Made = TypeVar("Made")

FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The backup's folder.")]


def backup(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="The backup's folder.")] = None,
    into: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Instead: a folder of backups; the new one is named by its time.")
    ] = None,
    keep_days: Annotated[
        int | None, typer.Option(min=1, max=3650, help="With --into: delete older backups afterwards.")
    ] = None,
) -> CommandOutput:
    """Back up the database and all files to a new folder."""
    from backbench.hosting.backups import back_up, lost_files

    now = times.now()
    new_folder = _folder(folder, into, keep_days, now)

    async def work(db: Database, blobs: Blobs) -> tuple[Manifest, list[LostFile]]:
        if into is not None:
            _make_folder(into)
            delete_interrupted(into)
        made = await back_up(db, blobs, new_folder, now)
        return made, await lost_files(db, made.missing)

    with _interrupted_by_signals():
        manifest, lost = _with_stores(work)
    text = f"{new_folder.absolute()} has {_counts(manifest)} of {name_of(settings().database_url)}"
    # Only now: a backup that fails deletes none. One without all files deletes none either: older ones may have them.
    deleted = [] if into is None or keep_days is None or lost else _delete_expired(into, now, keep_days)
    if deleted:
        text += f"\nDeleted: {', '.join(deleted)}"
    if lost:
        text += f"\nMissing from the file store and from this backup: {', '.join(map(printable, map(str, lost)))}"
        text += "\n`backbench doctor` says what to do. Older backups are kept; they may have these files."
    output = _json(new_folder, manifest) | {"deleted": deleted, "lost": lost}
    return CommandOutput(output, text, status=FILES_LOST if lost else 0)


@contextlib.contextmanager
def _interrupted_by_signals() -> Iterator[None]:
    """SIGTERM, of a service manager, and SIGHUP, of a terminal, delete the unfinished folder as SIGINT does."""

    def interrupt(*_: object) -> None:
        # The event loop cancels its task on SIGINT. A shell without a terminal has its background jobs ignore that one.
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    # `nohup` ignores SIGHUP.
    ending = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is signal.SIG_DFL]
    for each in ending:
        signal.signal(each, interrupt)
    try:
        yield
    finally:
        for each in ending:
            signal.signal(each, signal.SIG_DFL)


def _folder(folder: Path | None, into: Path | None, keep_days: int | None, now: Instant) -> Path:
    """The folder of the new backup. Raises BadParameter where the arguments do not fit together."""
    if (folder is None) == (into is None):
        raise typer.BadParameter("give either DIR, the backup's folder, or --into DIR, a folder of backups")
    if keep_days is not None and into is None:
        raise typer.BadParameter("--keep-days needs --into")
    if into is None:
        assert folder is not None
        return folder
    return into / backup_name(now)


def _make_folder(into: Path) -> None:
    """Makes the folder of backups, but not its parents: they may be on a disk that is not mounted, or misspelt."""
    try:
        into.mkdir(mode=0o700)
    except FileExistsError:
        pass
    except OSError as error:
        raise CommandError(f"cannot make the folder {into.absolute()}: {reason_of(error)}") from None


def _delete_expired(parent: Path, now: Instant, keep_days: int) -> list[str]:
    try:
        names = expired(complete_backups(parent), now, keep_days)
        delete_backups(parent, names)
    except Conflict as error:
        raise CommandError(error.detail) from None
    return names


def restore(folder: FolderArgument) -> CommandOutput:
    """Restore a backup into an empty database and its file store."""
    from backbench.hosting.backups import restore as restore_backup

    async def work(db: Database, blobs: Blobs) -> Manifest:
        try:
            return await restore_backup(db, blobs, folder, new_id)
        except Conflict as error:
            if error.code != "not_empty":
                raise
            name = name_of(settings().database_url)
            raise CommandError(f"the database {name} is not empty; restore into a new one") from None

    manifest = _with_stores(work, may_create=True)
    text = f"Restored {_counts(manifest)} of {manifest.created_at}"
    if manifest.missing:
        text += f"\n{len(manifest.missing)} files are not in the backup; their records were deleted"
    return CommandOutput(_json(folder, manifest), f"{changed(text)}\nFiles: {place_of(settings().files_url)}")


def _with_stores(call: Callable[[Database, Blobs], Awaitable[Made]], *, may_create: bool = False) -> Made:
    """Calls it with the database, which is not migrated first, and the file store."""

    async def work(db: Database) -> Made:
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
