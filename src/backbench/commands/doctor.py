"""`backbench doctor`: checks an installation and says what to do about each problem."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from backbench import __version__
from backbench.commands import doctor_files, doctor_server, doctor_storage
from backbench.commands.configuration import file_in_use, read_settings
from backbench.commands.output import CommandOutput
from backbench.hosting.doctor import Finding
from backbench.integrations.email_messages import DeliveryError, Sender
from backbench.integrations.smtp import SmtpTransport
from backbench.settings import BadSetting, Settings


def doctor(
    quick: Annotated[
        bool, typer.Option("--quick", help="Only ask the running server whether it is ready, as a health check does.")
    ] = False,
    backups: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also check that the newest backup in DIR is recent.")
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
        yield doctor_server.server(settings)
        return
    yield Finding("settings", "ok", _summary(settings))
    checks: dict[str, Callable[[], Iterable[Finding]]] = {
        "database": lambda: doctor_storage.database(settings.database_url),
        "files": lambda: doctor_files.files(settings.files_url),
        "stored": lambda: doctor_files.stored_files(settings),
        "disk": lambda: doctor_files.disk_space(settings),
        "network": lambda: _network(settings),
        "mail": lambda: _mail(settings),
        "features": lambda: _optional_features(settings),
        "backups": lambda: [] if backups is None else [doctor_files.backup_age(backups)],
    }
    for part, check in checks.items():
        try:
            yield from check()
        except Exception as error:  # noqa: BLE001 - one check that fails must not hide what the others find
            detail = f"the check itself failed: {type(error).__name__}: {error}".replace("\n", " ")
            yield Finding(part, "wrong", detail, "Please report this as a bug of Backbench.")


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
