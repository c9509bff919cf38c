"""`backbench doctor`: checks an installation and says what to do about each problem."""

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

_MIN_FREE_BYTES = 512 * 1024**2


def doctor() -> CommandOutput:
    """Check settings, database, files and disk; exit status 1 if something is wrong."""
    findings = list(_findings())
    is_ok = not any(finding.state == "wrong" for finding in findings)
    json = {"ok": is_ok, "version": __version__, "findings": findings}
    return CommandOutput(json, "\n".join(map(_text, findings)), status=0 if is_ok else 1)


def _findings() -> Iterator[Finding]:
    try:
        settings = load()
    except BadSetting as error:
        yield Finding("settings", "wrong", str(error), "Correct it in the environment or in .env.")
        return
    yield Finding("settings", "ok", f"valid; the public URL is {settings.public_url}")
    yield from asyncio.run(_database(settings.database_url))
    yield _files(settings.files_url)
    yield from _disk_space(settings)
    yield from _network(settings)
    yield from _optional_features(settings)


async def _database(url: str) -> Sequence[Finding]:
    file = sqlite_path(url)
    name = urlsplit(url).hostname or "PostgreSQL" if file is None else str(file)
    if file is not None and not file.exists():
        return [
            Finding("database", "wrong", f"{file} does not exist yet", "Run `backbench migrate`, which creates it.")
        ]
    db = open_database(url)
    try:
        async with db.read() as read:
            present = await backups.schema_number(read, db.catalog)
            schema = schema_finding(present, migrations.known(db.engine)[-1].number)
            health = [database_finding(check) for check in await db.catalog.health(read)]
            # An older or newer schema may have no outbox, or another one.
            outbox = [await _outbox(read)] if schema.state == "ok" else []
    except Unavailable as error:
        do = (
            "Check that it is an SQLite database, and that this user owns it and its folder."
            if file
            else "Check that the server runs and accepts this user and password."
        )
        return [Finding("database", "wrong", f"{name}: {error.detail}", do)]
    finally:
        await db.close()
    return [Finding("database", "ok", f"{name} is reachable"), schema, *health, *outbox]


async def _outbox(db: Read) -> Finding:
    failing = await email_outbox.list_failing(db)
    retried = [email.last_error for email in failing if email.failed_at is None]
    given_up = [email.last_error for email in failing if email.failed_at is not None]
    return outbox_finding(retried, given_up)


def _files(url: str) -> Finding:
    folder = _folder_of(url)
    if folder is None:
        return asyncio.run(_bucket(url))
    # The folder is created with the first file; until then its closest existing parent has to be writable.
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    try:
        with TemporaryFile(dir=existing):
            return Finding("files", "ok", f"{folder} is writable")
    except OSError as error:
        do = f"Let this user write to {existing}, or set BACKBENCH_FILES_URL to another folder."
        return Finding("files", "wrong", f"{existing} is not writable: {error.strerror}", do)


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


def _disk_space(settings: Settings) -> Iterator[Finding]:
    paths = {path for path in (sqlite_path(settings.database_url), _folder_of(settings.files_url)) if path is not None}
    folders = {next(parent for parent in path.absolute().parents if parent.exists()) for path in paths}
    for folder in sorted(folders):
        total, _, free = shutil.disk_usage(folder)
        if total == 0:
            # A virtual file system such as /proc.
            continue
        says = f"{free / 1024**3:.1f} GiB free in {folder}"
        yield found("disk", free >= _MIN_FREE_BYTES, says, says, "Free some space: on a full disk every write fails.")


def _network(settings: Settings) -> Iterator[Finding]:
    """Settings that are safe on this machine, and unsafe if other machines reach the server."""
    host = urlsplit(settings.public_url).hostname
    is_local = host in ("127.0.0.1", "::1", "localhost")
    if not is_local and not settings.is_secure:
        do = "Put a proxy with a certificate in front and set BACKBENCH_PUBLIC_URL to its https address."
        yield Finding("https", "wrong", "passwords and cookies are sent unencrypted", do)
    if settings.is_secure and not settings.trusted_proxies:
        do = "Set BACKBENCH_TRUSTED_PROXIES to the proxy's address, so that each client has its own sign-in limit."
        yield Finding("proxies", "note", "no proxy is trusted, so all clients have the proxy's address", do)


def _optional_features(settings: Settings) -> Iterator[Finding]:
    """Email, Google, Stripe and AI: whether all their settings are set and their packages installed."""
    # Imported here, since it takes as long as everything else that a command imports.
    from backbench.app import ai_of, google_of

    if settings.smtp_url:
        yield Finding("mail", "ok", f"sent through {urlsplit(settings.smtp_url).hostname}")
    else:
        yield Finding("mail", "note", f"not configured: emails are written to {settings.mail_path}")
    google = {"GOOGLE_CLIENT_ID": settings.google_client_id, "GOOGLE_CLIENT_SECRET": settings.google_client_secret}
    yield _feature("google", google, lambda: google_of(settings))
    stripe = {
        "STRIPE_SECRET_KEY": settings.stripe_secret_key,
        "STRIPE_WEBHOOK_SECRET": settings.stripe_webhook_secret,
        "STRIPE_PRICE": settings.stripe_price,
    }
    yield _feature("stripe", stripe, lambda: _require_package("stripe"))
    yield _feature("ai", {"AI_PROVIDER": settings.ai_provider}, lambda: ai_of(settings))


def _feature(name: str, settings: dict[str, str], build: Callable[[], object]) -> Finding:
    """`settings` are set together or not at all; if they are set, `build` must not raise BadSetting."""
    missing = [f"BACKBENCH_{setting}" for setting, value in settings.items() if not value]
    if len(missing) == len(settings):
        return Finding(name, "note", "not configured")
    if missing:
        return Finding(name, "wrong", f"{', '.join(missing)} is missing", "Set it, or remove the others.")
    try:
        build()
    except BadSetting as error:
        return Finding(name, "wrong", str(error), "See docs/guide/settings.md.")
    return Finding(name, "ok", "configured")


def _require_package(package: str) -> None:
    if find_spec(package) is None:
        raise BadSetting(f"the package {package} is missing: pip install 'backbench[{package}]'")


def _folder_of(url: str) -> Path | None:
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def _text(finding: Finding) -> str:
    line = f"{finding.state:<6} {finding.part:<11} {finding.says}"
    return line + (f"\n{'':<19}{finding.do}" if finding.do else "")
