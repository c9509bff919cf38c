"""Looks an installation over and says what to do: the first thing to run when something is odd."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from urllib.parse import unquote, urlsplit

from backbench import __version__
from backbench.commands.output import CommandOutput
from backbench.domain.operations.doctor import Finding, database_finding, found, outbox_finding, schema_finding
from backbench.domain.values.errors import Unavailable
from backbench.domain.values.ids import new_id
from backbench.integrations.blobs import open_blobs
from backbench.settings import BadSetting, Settings, load
from backbench.storage.engine import migrations
from backbench.storage.engine.database import Read
from backbench.storage.engine.urls import open_database, sqlite_path
from backbench.storage.operations import backups, email_outbox

_LEAST_FREE_BYTES = 512 * 1024**2


def doctor() -> CommandOutput:
    """Check settings, database, files and disk; exit status 1 when something is wrong."""
    findings = list(_findings())
    is_well = not any(finding.state == "wrong" for finding in findings)
    shape = {"ok": is_well, "version": __version__, "findings": findings}
    return CommandOutput(shape, "\n".join(_line(finding) for finding in findings), status=0 if is_well else 1)


def _findings() -> Iterator[Finding]:
    try:
        settings = load()
    except BadSetting as error:
        yield Finding("settings", "wrong", str(error), "Correct it in the environment or in .env.")
        return
    yield Finding("settings", "ok", f"understood; people reach the service at {settings.public_url}")
    yield from asyncio.run(_database(settings.database_url))
    yield _files(settings.files_url)
    yield from _space(settings)
    yield from _exposure(settings)
    yield from _extras(settings)


async def _database(url: str) -> Sequence[Finding]:
    file = sqlite_path(url)
    where = urlsplit(url).hostname or "PostgreSQL" if file is None else str(file)
    if file is not None and not file.exists():
        return [Finding("database", "wrong", f"{file} does not exist yet", "Run `backbench migrate`; it makes it.")]
    db = open_database(url)
    try:
        async with db.read() as read:
            present = await backups.schema_number(read, db.catalog)
            schema = schema_finding(present, migrations.known(db.engine)[-1].number)
            health = [database_finding(check) for check in await db.catalog.health(read)]
            # An older or newer schema may have no outbox, or another one.
            outbox = [await _outbox(read)] if schema.state == "ok" else []
    except Unavailable as refusal:
        do = (
            "See that it is an SQLite database, and that it and its folder are this user's."
            if file
            else "See that the server runs and lets you in."
        )
        return [Finding("database", "wrong", f"{where}: {refusal.detail}", do)]
    finally:
        await db.close()
    return [Finding("database", "ok", f"{where} answers"), schema, *health, *outbox]


async def _outbox(db: Read) -> Finding:
    failing = await email_outbox.list_failing(db)
    retried = [email.last_error for email in failing if email.failed_at is None]
    return outbox_finding(retried, [email.last_error for email in failing])


def _files(url: str) -> Finding:
    folder = _folder_of(url)
    if folder is None:
        return asyncio.run(_bucket(url))
    # The folder is made when the first file comes; until then the place for it has to be writable.
    there = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    try:
        with TemporaryFile(dir=there):
            return Finding("files", "ok", f"{folder} is writable")
    except OSError as error:
        do = f"Let this user write to {there}, or set BACKBENCH_FILES_URL to another place."
        return Finding("files", "wrong", f"{there} is not writable: {error.strerror}", do)


async def _bucket(url: str) -> Finding:
    """Found out by writing, reading and removing a file."""

    async def pieces() -> AsyncIterator[bytes]:
        yield b"the doctor was here"

    blobs = open_blobs(url)
    trial = new_id()
    try:
        await blobs.write(trial, pieces())
        async for _ in blobs.read(trial, 0, 1):
            pass
        await blobs.delete(trial)
    except Unavailable as refusal:
        return Finding("files", "wrong", f"{url}: {refusal.detail}", "See to the bucket and to the AWS_ variables.")
    finally:
        await blobs.close()
    return Finding("files", "ok", f"{url} takes files and gives them back")


def _space(settings: Settings) -> Iterator[Finding]:
    places = {
        place for place in (sqlite_path(settings.database_url), _folder_of(settings.files_url)) if place is not None
    }
    there = {next(parent for parent in place.absolute().parents if parent.exists()) for place in places}
    for place in sorted(there):
        total, _, free = shutil.disk_usage(place)
        if total == 0:
            # Not a disk.
            continue
        says = f"{free / 1024**3:.1f} GiB free in {place}"
        yield found("disk", free >= _LEAST_FREE_BYTES, says, says, "Make room: a full disk stops all writing.")


def _exposure(settings: Settings) -> Iterator[Finding]:
    """What is safe on this machine alone and not beyond it."""
    host = urlsplit(settings.public_url).hostname
    is_here = host in ("127.0.0.1", "::1", "localhost")
    if not is_here and not settings.is_secure:
        do = "Put a proxy with a certificate in front and set BACKBENCH_PUBLIC_URL to its https address."
        yield Finding("https", "wrong", "passwords and cookies cross the network in the clear", do)
    if settings.is_secure and not settings.trusted_proxies:
        do = "Set BACKBENCH_TRUSTED_PROXIES to the proxy's address, so that sign-in limits see each client's own."
        yield Finding("proxies", "note", "none is trusted, so every client counts as the proxy", do)


def _extras(settings: Settings) -> Iterator[Finding]:
    """Parts that may be left out, each with the settings that belong together and the package it needs."""
    # Not at the start of every command: it takes as long as all else together.
    from backbench.app import ai_of, google_of

    if settings.smtp_url:
        yield Finding("mail", "ok", f"goes out through {urlsplit(settings.smtp_url).hostname}")
    else:
        yield Finding("mail", "note", f"not configured: mails are written to {settings.mail_path}")
    google = {"GOOGLE_CLIENT_ID": settings.google_client_id, "GOOGLE_CLIENT_SECRET": settings.google_client_secret}
    yield _part("google", google, lambda: google_of(settings))
    stripe = {
        "STRIPE_SECRET_KEY": settings.stripe_secret_key,
        "STRIPE_WEBHOOK_SECRET": settings.stripe_webhook_secret,
        "STRIPE_PRICE": settings.stripe_price,
    }
    yield _part("stripe", stripe, lambda: _must_be_there("stripe"))
    yield _part("ai", {"AI_PROVIDER": settings.ai_provider}, lambda: ai_of(settings))


def _part(name: str, belonging: dict[str, str], build: Callable[[], object]) -> Finding:
    """Settings that belong together are all there, and what they set up can be built."""
    missing = [f"BACKBENCH_{setting}" for setting, value in belonging.items() if not value]
    if len(missing) == len(belonging):
        return Finding(name, "note", "not configured")
    if missing:
        return Finding(name, "wrong", f"{', '.join(missing)} is missing", "Set it, or take the others away.")
    try:
        build()
    except BadSetting as error:
        return Finding(name, "wrong", str(error), "See docs/guide/settings.md.")
    return Finding(name, "ok", "configured")


def _must_be_there(package: str) -> None:
    if find_spec(package) is None:
        raise BadSetting(f"the package {package} is missing: pip install 'backbench[{package}]'")


def _folder_of(url: str) -> Path | None:
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def _line(finding: Finding) -> str:
    line = f"{finding.state:<6} {finding.part:<11} {finding.says}"
    return line + (f"\n{'':<19}{finding.do}" if finding.do else "")
