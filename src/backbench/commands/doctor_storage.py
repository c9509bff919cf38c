"""Checks of `backbench doctor` on the database, the file store and the disk. Each tries a write."""

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from urllib.parse import unquote, urlsplit

from backbench.commands.database import error_text
from backbench.demo.workshop import WORKSHOPS, contents
from backbench.domain.operations import backup_names
from backbench.domain.operations.doctor import Finding, database_finding, found, outbox_finding, schema_finding
from backbench.domain.values import times
from backbench.domain.values.errors import Conflict, Unavailable
from backbench.domain.values.ids import new_id
from backbench.domain.values.os_errors import reason_of
from backbench.env_file import user_name
from backbench.integrations.backup_folders import complete_backups
from backbench.integrations.blobs import open_blobs
from backbench.settings import Settings
from backbench.storage.accounts import accounts
from backbench.storage.engine import migrations
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.engine.urls import name_of, open_database, sqlite_path
from backbench.storage.operations import backups, email_outbox

_MIN_FREE_BYTES = 512 * 1024**2


class _Undo(Exception):
    """Rolls the attempt to write back."""


def database(url: str) -> Sequence[Finding]:
    file = sqlite_path(url)
    if file is not None and _is_missing(file):
        do = (
            "Moved, or its disk not mounted? Then bring it back before anything else: only for a first start, "
            "`backbench serve` creates a new, empty one."
        )
        return [Finding("database", "wrong", f"not found at {file.absolute()}", do)]
    return asyncio.run(_open_database(url))


async def _open_database(url: str) -> Sequence[Finding]:
    db = open_database(url, must_exist=True)
    findings: list[Finding] = []
    try:
        async with db.read() as read:
            findings += await _contents(read, db)
        await _try_write(db)
    except Unavailable as error:
        return [Finding("database", "wrong", error_text(error, url), _what_to_do(url)), *findings]
    finally:
        await db.close()
    return [Finding("database", "ok", f"{name_of(url)} is readable and writable"), *findings]


async def _contents(db: Read, database: Database) -> list[Finding]:
    present = await backups.schema_number(db, database.catalog)
    latest = migrations.known(database.engine)[-1].number
    is_usable = present <= latest or await migrations.is_usable(db, database.engine)
    schema = schema_finding(present, latest, is_usable=is_usable)
    health = [database_finding(check) for check in await database.catalog.health(db)]
    # An older or newer schema may have no outbox, or another one.
    rest = [await _outbox(db), *await _demo_accounts(db)] if schema.state != "wrong" else []
    return [schema, *health, *rest]


async def _try_write(db: Database) -> None:
    """Takes a lock, makes a table and a row, and rolls back. Raises Unavailable."""

    async def work(write: Write) -> None:
        await write.lock("doctor")
        await write.run("CREATE TABLE doctor_attempt (id BIGINT PRIMARY KEY)")
        await write.run("INSERT INTO doctor_attempt (id) VALUES (1)")
        raise _Undo

    with contextlib.suppress(_Undo):
        await db.write(work)


async def _outbox(db: Read) -> Finding:
    failing = await email_outbox.list_failing(db)
    retried = [email.last_error for email in failing if email.failed_at is None]
    given_up = [email.last_error for email in failing if email.failed_at is not None]
    return outbox_finding(retried, given_up)


async def _demo_accounts(db: Read) -> list[Finding]:
    """Earlier versions made the demo accounts in the configured database; nobody notices them there."""
    emails = [contents(name).owner.email for name in WORKSHOPS]
    present = [email for email in emails if await accounts.lookup_by_email(db, email) is not None]
    do = "Unless this is the demo's own database: `backbench accounts delete {}`."
    return [
        Finding("demo", "note", f"the demo account {email} is in this database", do.format(email)) for email in present
    ]


def _what_to_do(url: str) -> str:
    if sqlite_path(url) is None:
        return "Check that the server runs, and the host, user, password and database in BACKBENCH_DATABASE_URL."
    return (
        "Check that it is an SQLite database, and that this user owns the file, its -wal and -shm, and their folder: "
        f"as root, `chown -R {user_name() if os.geteuid() else 'USER'} FOLDER` for the user of the service."
    )


def _is_missing(file: Path) -> bool:
    """False for a file that this user may not see: opening it reports why."""
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _nearest_folder(path: Path) -> Path:
    """The closest parent that exists, or the path itself, as far as this user can see."""
    return next(parent for parent in (path.absolute(), *path.absolute().parents) if os.path.exists(parent))  # noqa: PTH110 - Path.exists() raises PermissionError


def files(url: str) -> Iterator[Finding]:
    folder = _folder_of(url)
    if folder is None:
        yield asyncio.run(_bucket(url))
        return
    # The folder is created with the first file; until then its closest existing parent has to be writable.
    existing = _nearest_folder(folder)
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


def disk_space(settings: Settings) -> Iterator[Finding]:
    paths = {path for path in (sqlite_path(settings.database_url), _folder_of(settings.files_url)) if path is not None}
    for folder in sorted({_nearest_folder(path.parent) for path in paths}):
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
        name = backup_names.newest(complete_backups(parent))
    except Conflict as error:
        return Finding("backups", "wrong", error.detail, do)
    if name is None:
        return Finding("backups", "wrong", f"no complete backup in {parent.absolute()}", do)
    says = f"the newest in {parent.absolute()} is {name}"
    return found("backups", backup_names.is_recent(name, times.now()), says, f"{says}: more than a day old", do)


def _folder_of(url: str) -> Path | None:
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None
