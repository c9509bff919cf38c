"""`backbench doctor`: checks of the server, the database, the file store, the disk and backups."""

import asyncio
import contextlib
import http.client
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Literal
from urllib.parse import urlsplit

import typer

from backbench import __version__
from backbench.accounts import accounts
from backbench.commands.configuration import file_in_use, read_settings
from backbench.commands.database import error_text
from backbench.commands.output import CommandOutput, printable
from backbench.demo.workshop import WORKSHOPS, contents
from backbench.engine import migrations
from backbench.engine.database import Database, Read, Write
from backbench.engine.sqlite_files import DAMAGED, NOT_SQLITE
from backbench.engine.urls import name_of, open_database, sqlite_path
from backbench.env_file import user_name
from backbench.hosting import backups, disk
from backbench.hosting.backups import find_lost_files
from backbench.hosting.disk import files_folder, nearest_folder
from backbench.integrations import backup_folders
from backbench.integrations.backup_folders import complete_backups
from backbench.integrations.blobs import open_blobs, place_of
from backbench.mail import outbox
from backbench.mail.messages import DeliveryError, Sender
from backbench.mail.smtp import SmtpTransport
from backbench.settings import BadSetting, Settings, local_url
from backbench.values import times
from backbench.values.errors import Conflict, DatabaseUnavailable, Unavailable
from backbench.values.health_checks import RESTORE, Finding, database_finding, found, outbox_finding, schema_finding
from backbench.values.ids import new_id
from backbench.values.os_errors import reason_of

_MIN_FREE_BYTES = 512 * 1024**2
_MOST_NAMED = 5


def files(url: str) -> Iterator[Finding]:
    folder = files_folder(url)
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
    """Writes, reads and deletes an object, and asks for the one that is missing then."""

    async def pieces() -> AsyncIterator[bytes]:
        yield b"written by backbench doctor"

    blob_id = new_id()
    try:
        async with contextlib.AsyncExitStack() as opened:
            blobs = open_blobs(url)
            opened.push_async_callback(blobs.close)
            await blobs.write(blob_id, pieces())
            async for _ in blobs.read(blob_id, 0, 1):
                pass
            await blobs.delete(blob_id)
            try:
                await blobs.size(blob_id)
            except Unavailable as error:
                # Without that permission S3 refuses what is missing as it refuses what may not be read.
                do = "Allow the credentials s3:ListBucket: one lost file would end every backup."
                return Finding("files", "wrong", f"{url} does not say which files are missing: {error.detail}", do)
    except Unavailable as error:
        return Finding("files", "wrong", f"{url}: {error.detail}", "Check the bucket and the AWS_ variables.")
    return Finding("files", "ok", f"{url} is readable and writable")


def stored_files(settings: Settings) -> Iterable[Finding]:
    """Whether each file of the database is in the file store, or why that is not known."""
    return asyncio.run(_stored_files(settings))


async def _stored_files(settings: Settings) -> list[Finding]:
    db = open_database(settings.database_url, must_exist=True)
    # What is wrong with the database is a finding of its own.
    state: Literal["note", "wrong"] = "note"
    try:
        async with contextlib.AsyncExitStack() as opened:
            opened.push_async_callback(db.close)
            async with db.read() as read:
                if await backups.schema_number(read, db.catalog) == 0:
                    return [Finding("stored", "note", "no file is stored: the database is new")]
            state = "wrong"
            blobs = open_blobs(settings.files_url)
            opened.push_async_callback(blobs.close)
            lost = await find_lost_files(db, blobs)
    except Unavailable as error:
        says = f"could not be checked: {error_text(error, settings.database_url)}"
        return [Finding("stored", state, says, "Mend what is wrong with the database or the file store first.")]
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
    for space in disk.spaces(settings.database_url, settings.files_url):
        says = f"{space.free / 1024**3:.1f} GiB free in {space.folder}"
        yield found(
            "disk", space.free >= _MIN_FREE_BYTES, says, says, "Free some space: on a full disk every write fails."
        )


def backups_in(parent: Path) -> Iterator[Finding]:
    """Whether the newest complete backup in the folder is about a day old at most, and what interrupted ones left."""
    do = "Check the timer or job that runs `backbench backup --into`, and its log."
    try:
        name, now = backup_folders.newest(complete_backups(parent)), times.now()
        left = backup_folders.interrupted(parent)
    except Conflict as error:
        yield Finding("backups", "wrong", error.detail, do)
        return
    if name is None:
        yield Finding("backups", "wrong", f"no complete backup in {parent.absolute()}", do)
    else:
        says = f"the newest in {parent.absolute()} is {name}"
        is_later = name > backup_folders.backup_name(now)
        wrong = f"{says}, in the future" if is_later else f"{says}: more than a day old"
        do = "Check the clock, then rename it or delete it." if is_later else do
        yield found("backups", backup_folders.is_recent(name, now), says, wrong, do)
    if left:
        says = f"interrupted backups in {parent.absolute()}: {', '.join(map(printable, left))}"
        yield Finding("backups", "note", says, "They have all data. `backbench backup --into` deletes them, or do.")


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


# Shorter than what a supervisor waits for a health check.
_SECONDS = 3.0
_DO = "Read its log. A `serve --host` or `--port` must be the one of the settings for this check."


def server(settings: Settings) -> Finding:
    """Requests `/readyz`, which succeeds while the database can be used."""
    url = local_url(settings.host, settings.port)
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=_SECONDS)
    try:
        connection.request("GET", "/readyz")
        response = connection.getresponse()
        says = response.read(200).decode("utf-8", "replace").strip()
    except OSError as error:
        return Finding("server", "wrong", f"{url} does not respond: {reason_of(error)}", _DO)
    except http.client.HTTPException as error:
        return Finding("server", "wrong", f"{url} is not Backbench: {type(error).__name__}", _DO)
    finally:
        connection.close()
    if response.status == 200 and says == "ready":
        return Finding("server", "ok", f"{url} is ready")
    return Finding("server", "wrong", f"{url} is not ready: status {response.status}, {says}", _DO)


def doctor(
    quick: Annotated[
        bool, typer.Option("--quick", help="Only ask the running server whether it is ready, as a health check does.")
    ] = False,
    backups: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Check that the newest backup in DIR is recent; else in BACKBENCH_BACKUP_FOLDER."
        ),
    ] = None,
) -> CommandOutput:
    """Check settings, database, files, email and disk; exit status 1 if something is wrong."""
    findings = list(_findings(quick, backups))
    is_ok = not any(finding.state == "wrong" for finding in findings)
    json = {"ok": is_ok, "version": __version__, "findings": findings}
    return CommandOutput(json, "\n".join(map(_text, findings)), status=0 if is_ok else 1)


def _findings(quick: bool, backups: Path | None) -> Iterator[Finding]:
    try:
        settings = read_settings()
    except BadSetting as error:
        yield Finding("settings", "wrong", str(error), "Correct it in the environment or in the settings file.")
        return
    if quick:
        yield server(settings)
        return
    yield Finding("settings", "ok", _summary(settings))
    checks: dict[str, Callable[[], Iterable[Finding]]] = {
        "database": lambda: database(settings.database_url),
        "files": lambda: files(settings.files_url),
        "stored": lambda: stored_files(settings),
        "disk": lambda: disk_space(settings),
        "network": lambda: _network(settings),
        "mail": lambda: _mail(settings),
        "features": lambda: _optional_features(settings),
        "backups": lambda: chain.from_iterable(map(backups_in, _backup_folders(settings, backups))),
    }
    for part, check in checks.items():
        try:
            yield from check()
        except Exception as error:  # noqa: BLE001 - one check that fails must not hide what the others find
            detail = f"the check itself failed: {type(error).__name__}: {error}".replace("\n", " ")
            yield Finding(part, "wrong", detail, "Please report this as a bug of Backbench.")


def _backup_folders(settings: Settings, named: Path | None) -> list[Path]:
    """The one that the command line names, else that of the settings."""
    folder = named or settings.backup_folder
    return [Path(folder)] if folder else []


def _summary(settings: Settings) -> str:
    file = file_in_use()
    source = "no settings file" if file is None else f"read from {file}"
    return f"valid, {source}; listens on {settings.host} port {settings.port}; the public URL is {settings.public_url}"


def _network(settings: Settings) -> Iterator[Finding]:
    """Settings that are safe on this machine, and unsafe if other machines reach the server."""
    host = urlsplit(settings.public_url).hostname
    is_local = host in ("127.0.0.1", "::1", "localhost")
    if not is_local and not settings.is_secure:
        do = "Put a proxy with a certificate in front and set BACKBENCH_PUBLIC_URL to its https address."
        yield Finding("https", "wrong", "passwords and cookies are sent unencrypted", do)
    for url in settings.former_urls:
        do = (
            "Keep the name and its certificate leading to this server. Each phone sends what waits there, then "
            "signs in at the public URL, installs the app from it and allows notifications again."
        )
        yield Finding("address", "note", f"links, status pages and calendars of {url} redirect", do)
    if settings.is_secure and not settings.trusted_proxies:
        do = "Set BACKBENCH_TRUSTED_PROXIES to the proxy's address, so that each client has its own sign-in limit."
        yield Finding("proxies", "note", "no proxy is trusted, so all clients have the proxy's address", do)
    wide = [str(network) for network in settings.trusted_proxies if network.num_addresses > 1]
    if wide:
        do = "List the single address of each proxy: every client in a trusted network can claim any address."
        yield Finding("proxies", "note", f"whole networks are trusted: {', '.join(wide)}", do)


def _mail(settings: Settings) -> Iterator[Finding]:
    """Connects to the SMTP server and signs in, without sending anything."""
    if not settings.smtp_url:
        yield Finding("mail", "note", f"not configured: emails are written to {settings.mail_path.absolute()}")
        return
    transport = SmtpTransport(settings.smtp_url, Sender(settings.mail_from, settings.public_url))
    try:
        server = asyncio.run(transport.check())
    except DeliveryError as error:
        server = urlsplit(settings.smtp_url).hostname or ""
        do = "Check BACKBENCH_SMTP_URL: host, port, user and password."
        yield Finding("mail", "wrong", f"{server} cannot be used: {error.reply}".replace("\n", " "), do)
    else:
        signed_in = " and signs in" if urlsplit(settings.smtp_url).username else ""
        yield Finding("mail", "ok", f"{server} responds{signed_in}")


def _optional_features(settings: Settings) -> Iterator[Finding]:
    """Google, Stripe and AI: whether all their settings are set and their packages installed."""
    # Imported here, since it takes as long as everything else that a command imports.
    from backbench.providers import ai_of, google_of, payments_of

    features: dict[str, Callable[[Settings], object]] = {"google": google_of, "stripe": payments_of, "ai": ai_of}
    for name, build in features.items():
        try:
            built = build(settings)
        except BadSetting as error:
            yield Finding(name, "wrong", str(error), "Set what is missing, or remove the others.")
        else:
            yield Finding(name, "note", "not configured") if built is None else Finding(name, "ok", "configured")


def _text(finding: Finding) -> str:
    line = f"{finding.state:<6} {finding.part:<11} {finding.says}"
    return line + (f"\n{'':<19}{finding.do}" if finding.do else "")
