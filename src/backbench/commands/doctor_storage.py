"""Checks of `backbench doctor` on the database; one tries a write."""

import asyncio
import contextlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from backbench.accounts import accounts
from backbench.commands.database import error_text
from backbench.commands.doctor_files import nearest_folder
from backbench.demo.workshop import WORKSHOPS, contents
from backbench.engine import migrations
from backbench.engine.database import Database, Read, Write
from backbench.engine.sqlite_files import DAMAGED, NOT_SQLITE
from backbench.engine.urls import name_of, open_database, sqlite_path
from backbench.env_file import user_name
from backbench.hosting import backups
from backbench.hosting.doctor import RESTORE, Finding, database_finding, outbox_finding, schema_finding
from backbench.mail import outbox
from backbench.values.errors import DatabaseUnavailable, Unavailable

# Below this, a transaction may find no room for its part of the write-ahead log.
_FULL_BYTES = 64 * 1024


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
        return [Finding("database", "wrong", error_text(error, url), _what_to_do(url, error)), *findings]
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
    failing = await outbox.list_failing(db)
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


def _what_to_do(url: str, error: Unavailable) -> str:
    file = sqlite_path(url)
    if file is None:
        return "Check that the server runs, and the host, user, password and database in BACKBENCH_DATABASE_URL."
    # SQLite names a full disk in several ways, by what it tried to write.
    _, _, free = shutil.disk_usage(nearest_folder(file.parent))
    if free < _FULL_BYTES:
        return f"The disk is full: free some space in {file.parent.absolute()}. No stored data is lost."
    reason = error.reason if isinstance(error, DatabaseUnavailable) else ""
    if reason in (DAMAGED, NOT_SQLITE):
        return RESTORE if reason == DAMAGED else f"If BACKBENCH_DATABASE_URL names the right file: {RESTORE}"
    return (
        "Check that this user owns the file, its -wal and -shm, and their folder: "
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
