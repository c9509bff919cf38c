"""What the host of a Backbench sets: environment variables `BACKBENCH_*`, and a `.env` file for those not set.

An unknown or malformed setting stops the start with one clear line.
"""

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from backbench.domain.drafting.providers import AiLimits
from backbench.domain.values.limits import EmailLimits, Limit, SessionLife, SignInLimits, SignUpRules

PREFIX = "BACKBENCH_"
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class BadSetting(Exception):
    """One line that says which setting is wrong, and what it takes."""


class Settings(Struct, frozen=True):
    database_url: str = "sqlite:///data/backbench.db"
    files_url: str = "file:data/files"
    public_url: str = "http://127.0.0.1:8000"
    trusted_proxies: tuple[Network, ...] = ()
    sign_up: Literal["open", "invited", "closed"] = "invited"
    sign_in_limit: Limit = Limit(10, 900)
    sign_in_ceiling: Limit = Limit(100, 900)
    session_idle_days: int = 30
    session_absolute_days: int = 90
    smtp_url: str = ""
    mail_from: str = ""
    mail_folder: str = ""
    mail_limit: Limit = Limit(10, 3600)
    mail_ceiling: Limit = Limit(100, 3600)
    support_email: str = ""
    terms_version: str = "1"
    google_client_id: str = ""
    google_client_secret: str = ""
    google_issuer: str = "https://accounts.google.com"
    ai_url: str = ""
    ai_key: str = ""
    ai_model: str = ""
    ai_provider: Literal["", "openai", "anthropic"] = ""
    ai_output: Literal["json", "schema", "text"] = "json"
    ai_timeout: float = 30
    ai_at_once: int = 4
    ai_synthesis_limit: Limit = Limit(5, 3600)
    ai_draft_limit: Limit = Limit(20, 3600)
    stripe_secret_key: str = ""
    stripe_webhook_secret: str = ""
    stripe_price: str = ""
    stripe_api_url: str = ""
    pro_purchase: bool = True
    metrics_token: str = ""
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def is_secure(self) -> bool:
        """Browsers reach the service over https, so cookies may insist on it."""
        return self.public_url.startswith("https://")

    @property
    def session_life(self) -> SessionLife:
        return SessionLife(self.session_idle_days * 86_400, self.session_absolute_days * 86_400)

    @property
    def mail_path(self) -> Path:
        """Where mails are written without an SMTP server: beside the database, unless set."""
        if self.mail_folder:
            return Path(self.mail_folder)
        is_file = self.database_url.startswith("sqlite:///")
        return (
            Path(unquote(self.database_url.removeprefix("sqlite:///"))).parent if is_file else Path("data")
        ) / "mail"

    @property
    def email_limits(self) -> EmailLimits:
        return EmailLimits(self.mail_limit, self.mail_ceiling)

    @property
    def sign_up_rules(self) -> SignUpRules:
        return SignUpRules(self.sign_up, self.terms_version)

    @property
    def ai_limits(self) -> AiLimits:
        return AiLimits(self.ai_synthesis_limit, self.ai_draft_limit)

    @property
    def sign_in_limits(self) -> SignInLimits:
        return SignInLimits(self.sign_in_limit, self.sign_in_ceiling)


def load(environment: Mapping[str, str] | None = None, file: Path = Path(".env")) -> Settings:
    """The settings; raises BadSetting."""
    given = dict(_of_file(file)) | dict(os.environ if environment is None else environment)
    values: dict[str, Any] = {}
    for name, text in given.items():
        if not name.startswith(PREFIX):
            continue
        field = name.removeprefix(PREFIX).lower()
        if field not in Settings.__struct_fields__:
            raise BadSetting(f"{name} is not a setting; see docs/guide/settings.md")
        if not text.strip():
            # Empty is not set: so compose files and units write what they leave open.
            continue
        try:
            values[field] = _READERS.get(field, str)(text.strip())
        except ValueError as error:
            raise BadSetting(f"{name}{_shown(text)} is not understood: {error}") from None
    return Settings(**values)


def _of_file(file: Path) -> Mapping[str, str]:
    """`NAME=value` lines; quotes around a value are taken off, lines that start with # are left out."""
    if not file.is_file():
        return {}
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"{file} cannot be read: {error}") from None
    values = {}
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix("export ")
        if not text or text.startswith("#"):
            continue
        name, equals, value = text.partition("=")
        if not equals:
            raise BadSetting(f"{file}:{number} is not NAME=value")
        values[name.strip()] = value.strip().strip("'\"")
    return values


def _shown(text: str) -> str:
    """The value for the message; not where it may hold a password."""
    return "" if "@" in text else f"={text!r}"


def _limit(text: str) -> Limit:
    count, slash, window = text.partition("/")
    if not slash or not count.isdigit() or not window.isdigit() or int(count) < 1 or int(window) < 1:
        raise ValueError("expected count/seconds, such as 10/900")
    return Limit(int(count), int(window))


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or not least <= int(text) <= most:
            raise ValueError(f"expected a whole number from {least} to {most}")
        return int(text)

    return read


def _networks(text: str) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


def _one_of(*allowed: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in allowed:
            raise ValueError("expected one of " + ", ".join(word or "(nothing)" for word in allowed))
        return text

    return read


def _switch(text: str) -> bool:
    if text.lower() not in ("on", "off", "true", "false", "1", "0"):
        raise ValueError("expected on or off")
    return text.lower() in ("on", "true", "1")


def _url(*schemes: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text and urlsplit(text).scheme not in schemes:
            raise ValueError("expected a URL that starts with " + " or ".join(f"{scheme}:" for scheme in schemes))
        return text

    return read


def _database_url(text: str) -> str:
    parts = urlsplit(_url("sqlite", "postgresql", "postgres")(text))
    is_file = parts.scheme == "sqlite"
    # Reading the port is what finds it malformed; several hosts with a comma between them have no one port.
    is_malformed = "," not in parts.netloc and parts.port == 0
    if (is_file and (not text.startswith("sqlite:///") or parts.path == "/")) or is_malformed:
        raise ValueError("expected something like sqlite:///data/backbench.db or postgresql://user@host/name")
    return text


def _files_url(text: str) -> str:
    parts = urlsplit(_url("file", "s3")(text))
    # file://data/files names a machine called data.
    if (parts.scheme == "s3" and not parts.netloc) or (parts.scheme == "file" and (parts.netloc or not parts.path)):
        raise ValueError("expected something like file:data/files, file:///var/lib/files or s3://bucket/prefix")
    return text


def _public_url(text: str) -> str:
    parts = urlsplit(_url("http", "https")(text))
    # The service stands at the root of its host; a path would be in links and nowhere else.
    if not parts.hostname or parts.port == 0 or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("expected something like https://office.example.com, without a path")
    return text.rstrip("/")


def _api_url(text: str) -> str:
    parts = urlsplit(_url("http", "https")(text))
    if not parts.hostname or parts.port == 0 or parts.username is not None or parts.query or parts.fragment:
        raise ValueError("expected something like http://127.0.0.1:11434/v1, without a password")
    return text.rstrip("/")


def _smtp_url(text: str) -> str:
    parts = urlsplit(_url("smtp", "smtps")(text))
    if not parts.hostname or parts.port == 0:
        raise ValueError("expected something like smtp://user:password@mail.example.com:587")
    return text


def _mailbox(text: str) -> str:
    address = parseaddr(text)[1]
    if text and (not re.fullmatch(r"[^@\s]+@[^@\s]+", address) or not text.isprintable()):
        raise ValueError("expected office@example.com or Our Workshop <office@example.com>")
    return text


_READERS: dict[str, Callable[[str], Any]] = {
    "database_url": _database_url,
    "files_url": _files_url,
    "public_url": _public_url,
    "trusted_proxies": _networks,
    "sign_up": _one_of("open", "invited", "closed"),
    "sign_in_limit": _limit,
    "sign_in_ceiling": _limit,
    "session_idle_days": _whole(1, 3650),
    "session_absolute_days": _whole(1, 3650),
    "smtp_url": _smtp_url,
    "mail_from": _mailbox,
    "support_email": _mailbox,
    "mail_limit": _limit,
    "mail_ceiling": _limit,
    "google_issuer": _url("http", "https"),
    "ai_url": _api_url,
    "ai_provider": _one_of("", "openai", "anthropic"),
    "ai_output": _one_of("json", "schema", "text"),
    "ai_timeout": _whole(1, 600),
    "ai_at_once": _whole(1, 100),
    "ai_synthesis_limit": _limit,
    "ai_draft_limit": _limit,
    "stripe_api_url": _url("http", "https"),
    "pro_purchase": _switch,
    "log_level": _one_of("debug", "info", "warning", "error"),
}
