"""Checks of `backbench doctor` on the file store, what is stored in it, the disk and backups."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from urllib.parse import unquote, urlsplit

from backbench.commands.output import printable
from backbench.engine.urls import open_database, sqlite_path
from backbench.env_file import user_name
from backbench.hosting import backups
from backbench.hosting.backups import find_lost_files
from backbench.hosting.doctor import Finding, found
from backbench.integrations import backup_folders
from backbench.integrations.backup_folders import complete_backups
from backbench.integrations.blobs import open_blobs, place_of
from backbench.settings import Settings
from backbench.values import times
from backbench.values.errors import Conflict, Unavailable
from backbench.values.ids import new_id
from backbench.values.os_errors import reason_of

_MIN_FREE_BYTES = 512 * 1024**2
_MOST_NAMED = 5


def nearest_folder(path: Path) -> Path:
    """The closest parent that exists, or the path itself, as far as this user can see."""
    return next(parent for parent in (path.absolute(), *path.absolute().parents) if os.path.exists(parent))  # noqa: PTH110 - Path.exists() raises PermissionError


def files(url: str) -> Iterator[Finding]:
    folder = _folder_of(url)
    if folder is None:
        yield asyncio.run(_bucket(url))
        return
    # The folder is created with the first file; until then its closest existing parent has to be writable.
    existing = nearest_folder(folder)
    try:
        with TemporaryFile(dir=existing):
            pass
    except OSError as error:
        do = f"Let this user write to {existing}, or set BACKBENCH_FILES_URL to another folder."
        says = f"{existing} is not writable by user {user_name()}: {reason_of(error)}"
        yield Finding("files", "wrong", says, do)
    else:
        missing = "" if existing == folder.absolute() else " (it is created with the first file)"
        yield Finding("files", "ok", f"{folder.absolute()} is writable{missing}")


async def _bucket(url: str) -> Finding:
    """Writes, reads and deletes an object."""

    async def pieces() -> AsyncIterator[bytes]:
        yield b"written by backbench doctor"

    blobs = open_blobs(url)
    blob_id = new_id()
    try:
        await blobs.write(blob_id, pieces())
        async for _ in blobs.read(blob_id, 0, 1):
            pass
        await blobs.delete(blob_id)
    except Unavailable as error:
        return Finding("files", "wrong", f"{url}: {error.detail}", "Check the bucket and the AWS_ variables.")
    finally:
        await blobs.close()
    return Finding("files", "ok", f"{url} is readable and writable")


def stored_files(settings: Settings) -> Iterable[Finding]:
    """Whether each file of the database is in the file store; nothing where one of them cannot be reached."""
    return asyncio.run(_stored_files(settings))


async def _stored_files(settings: Settings) -> list[Finding]:
    blobs = open_blobs(settings.files_url)
    db = open_database(settings.database_url, must_exist=True)
    try:
        async with db.read() as read:
            if await backups.schema_number(read, db.catalog) == 0:
                return []
        lost = await find_lost_files(db, blobs)
    except Unavailable:
        return []
    finally:
        await db.close()
        await blobs.close()
    if not lost:
        return [Finding("stored", "ok", "every file is in the file store")]
    named = ", ".join(printable(f"{file} ({file.id})") for file in lost[:_MOST_NAMED])
    more = f" and {len(lost) - _MOST_NAMED} more" if len(lost) > _MOST_NAMED else ""
    do = (
        f"Copy each from `files` of an older backup into {place_of(settings.files_url)}, there into the folder "
        "of the last two characters of its name. If no backup has it, delete it, or its estimate, in the app."
    )
    return [Finding("stored", "wrong", f"missing from the file store: {named}{more}", do)]


def disk_space(settings: Settings) -> Iterator[Finding]:
    paths = {path for path in (sqlite_path(settings.database_url), _folder_of(settings.files_url)) if path is not None}
    for folder in sorted({nearest_folder(path.parent) for path in paths}):
        total, _, free = shutil.disk_usage(folder)
        if total == 0:
            # A virtual file system such as /proc.
            continue
        says = f"{free / 1024**3:.1f} GiB free in {folder}"
        yield found("disk", free >= _MIN_FREE_BYTES, says, says, "Free some space: on a full disk every write fails.")


def backup_age(parent: Path) -> Finding:
    """Whether the newest complete backup in the folder is about a day old at most."""
    do = "Check the timer or job that runs `backbench backup --into`, and its log."
    try:
        name = backup_folders.newest(complete_backups(parent))
    except Conflict as error:
        return Finding("backups", "wrong", error.detail, do)
    if name is None:
        return Finding("backups", "wrong", f"no complete backup in {parent.absolute()}", do)
    says = f"the newest in {parent.absolute()} is {name}"
    return found("backups", backup_folders.is_recent(name, times.now()), says, f"{says}: more than a day old", do)


def _folder_of(url: str) -> Path | None:
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None
