"""Carrying mails out: over SMTP, or into files where no SMTP server is set up."""

import asyncio
import contextlib
import ipaddress
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime, parseaddr
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

import aiosmtplib
import structlog

from backbench.domain.mail.emails import Envelope
from backbench.domain.values import times

log = structlog.get_logger()

_STEP_SECONDS = 20.0
# Well below the lease of the outbox.
_SEND_SECONDS = 90.0
_LONGEST_WORDS = 500


class NotDelivered(Exception):
    """`cause` is fit for a log; `words` are what the other side said; `is_final` when trying again cannot help."""

    def __init__(self, cause: str, words: str = "", *, is_final: bool = False) -> None:
        super().__init__(cause)
        self.cause = cause
        self.words = (words or cause)[:_LONGEST_WORDS]
        self.is_final = is_final


class Carrier(Protocol):
    async def carry(self, envelope: Envelope, kind: str) -> str:
        """Where the mail is now, for the log. Raises NotDelivered."""
        ...


class Sender:
    """Who the mails come from, and whose name their Message-IDs bear."""

    def __init__(self, address: str, public_url: str) -> None:
        host = urlsplit(public_url).hostname or "localhost"
        self._host = "localhost" if _is_number(host) else _ascii_host(host)
        self.address = address or f"Backbench <backbench@{self._host}>"

    def message(self, envelope: Envelope) -> EmailMessage:
        """The same for every try of an envelope, but for its link."""
        letter = envelope.letter
        message = EmailMessage(SMTPUTF8 if not envelope.to.isascii() else SMTP)
        message["From"] = self.address
        message["To"] = _ascii_domain(envelope.to)
        message["Subject"] = letter.subject
        message["Date"] = format_datetime(times.parse(envelope.at))
        message["Message-ID"] = f"<{envelope.id}@{self._host}>"
        # So that holiday notices are not sent to a robot.
        message["Auto-Submitted"] = "auto-generated"
        if envelope.reply_to is not None:
            message["Reply-To"] = _ascii_domain(envelope.reply_to)
        message.set_content(letter.text, cte="quoted-printable")
        message.add_alternative(letter.html, subtype="html", cte="quoted-printable")
        message["Content-Language"] = letter.locale
        return message


class Smtp:
    """`smtp://user:password@host:587`, which takes to TLS when the server offers it, or `smtps://` from the start.

    A password crosses to another machine only under TLS, whatever the server offers.
    """

    def __init__(self, url: str, sender: Sender, *, seconds: float = _STEP_SECONDS) -> None:
        """`seconds` is how long the server may take to answer one step."""
        parts = urlsplit(url)
        self._sender = sender
        self._seconds = seconds
        self._host = parts.hostname or "localhost"
        self._port = parts.port
        self._is_tls = parts.scheme == "smtps"
        self._user = unquote(parts.username) if parts.username else None
        self._password = unquote(parts.password) if parts.password else None
        self._must_start_tls = True if self._user and not _is_here(self._host) else None

    async def carry(self, envelope: Envelope, kind: str) -> str:
        try:
            async with asyncio.timeout(_SEND_SECONDS):
                await self._send(self._sender.message(envelope), _ascii_domain(envelope.to))
        except aiosmtplib.SMTPRecipientsRefused as refusal:
            reply = refusal.recipients[0]
            raise _refused("recipient", reply.code, reply.message) from None
        except aiosmtplib.SMTPDataError as reply:
            raise _refused("content", reply.code, reply.message) from None
        except aiosmtplib.SMTPNotSupported as reply:
            raise NotDelivered("address not supported by the server", str(reply), is_final=True) from None
        except aiosmtplib.SMTPResponseException as reply:
            # The server does not take anything from us now: a matter of settings, so the mail waits for them.
            raise NotDelivered(f"{type(reply).__name__} {reply.code}", reply.message) from None
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as trouble:
            raise NotDelivered(type(trouble).__name__, str(trouble)) from None
        return self._host

    async def _send(self, message: EmailMessage, to: str) -> None:
        await aiosmtplib.send(
            message,
            sender=parseaddr(self._sender.address)[1],
            recipients=[to],
            hostname=self._host,
            port=self._port,
            username=self._user,
            password=self._password,
            use_tls=self._is_tls,
            start_tls=False if self._is_tls else self._must_start_tls,
            timeout=self._seconds,
        )


class Folder:
    """Writes each mail as an .eml file that any mail program opens; for trying out, and for hosts without SMTP."""

    def __init__(self, path: Path, sender: Sender) -> None:
        self._path = path
        self._sender = sender

    async def carry(self, envelope: Envelope, kind: str) -> str:
        stamp = envelope.at[:19].replace(":", "").replace("-", "")
        file = self._path / f"{stamp}-{kind}-{envelope.id}.eml"
        content = self._sender.message(envelope).as_bytes()
        try:
            await asyncio.to_thread(_write, file, content)
        except OSError as trouble:
            raise NotDelivered(type(trouble).__name__, str(trouble)) from None
        return str(file)


def carrier(smtp_url: str, folder: Path, sender: Sender) -> Carrier:
    if smtp_url:
        return Smtp(smtp_url, sender)
    log.warning("no SMTP server is set up: mails are written to files", folder=str(folder))
    return Folder(folder, sender)


def _write(file: Path, content: bytes) -> None:
    """Whole or not at all, and for nobody else's eyes: links in mails open accounts."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = file.with_suffix(".part")
    part.touch(mode=0o600)
    part.write_bytes(content)
    part.replace(file)


def _refused(what: str, code: int, words: str) -> NotDelivered:
    """5xx is the server's last word on this mail, 4xx is not."""
    return NotDelivered(f"{what} refused {code}", f"{code} {words}", is_final=500 <= code < 600)


def _ascii_domain(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local}@{_ascii_host(domain)}"


def _ascii_host(host: str) -> str:
    with contextlib.suppress(UnicodeError):
        return host.encode("idna").decode()
    return host


def _is_number(host: str) -> bool:
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return False


def _is_here(host: str) -> bool:
    return host == "localhost" or (_is_number(host) and ipaddress.ip_address(host).is_loopback)
