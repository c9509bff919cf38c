"""SMTP: sends emails to a server. Imported where one is configured."""

import asyncio
import ipaddress
from email.utils import parseaddr
from typing import Any
from urllib.parse import unquote, urlsplit

import aiosmtplib

from backbench.mail.messages import DeliveryError, Sender, ascii_domain, is_ip_address
from backbench.mail.outbox import OutgoingEmail
from backbench.values.os_errors import reason_of

_STEP_SECONDS = 20.0
# Up to the reply to RCPT, all steps together. Until then a server has nothing of the email that could be a duplicate.
_CONNECT_SECONDS = 90.0
# From DATA to the reply to the content. A server that scans the content replies late, and a sender that no longer
# waits sends a duplicate: RFC 5321, section 4.5.3.2.6, asks for ten minutes. One more for a slow upload.
_CONTENT_SECONDS = 660.0


class SmtpTransport:
    """SMTP. `smtp://user:password@host:587` uses STARTTLS if the server offers it; `smtps://` is TLS from the start.

    A password is sent to another machine only over TLS; without TLS the email is not sent.
    """

    def __init__(self, url: str, sender: Sender, *, content_seconds: float = _CONTENT_SECONDS) -> None:
        """`content_seconds`: from DATA to the reply to the content. The connection and the sign-in have 20 a step."""
        parts = urlsplit(url)
        self._sender = sender
        self._content_seconds = content_seconds
        self._host = parts.hostname or "localhost"
        self._port = parts.port
        self._is_tls = parts.scheme == "smtps"
        self._user = unquote(parts.username) if parts.username else None
        self._password = unquote(parts.password) if parts.password else None
        self._must_start_tls = True if self._user and not _is_loopback(self._host) else None

    async def check(self) -> str:
        """Connects and signs in without sending anything; returns the server. Raises DeliveryError."""
        try:
            async with asyncio.timeout(_CONNECT_SECONDS), aiosmtplib.SMTP(**self._connection()):
                return self._host
        except aiosmtplib.SMTPResponseException as error:
            raise DeliveryError(f"rejected {error.code}", f"{error.code} {error.message}") from None
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise DeliveryError(type(error).__name__, _reason(error)) from None

    async def send(self, email: OutgoingEmail, kind: str) -> str:
        try:
            await self._send(self._sender.content(email), ascii_domain(email.to))
        except aiosmtplib.SMTPRecipientRefused as error:
            raise _rejected("recipient", error.code, error.message) from None
        except aiosmtplib.SMTPDataError as error:
            raise _rejected("content", error.code, error.message) from None
        except aiosmtplib.SMTPNotSupported as error:
            raise DeliveryError("address not supported by the server", str(error), is_permanent=True) from None
        except aiosmtplib.SMTPResponseException as error:
            # The server rejects every email of this sender. That is a matter of settings, so the email is retried.
            raise DeliveryError(f"{type(error).__name__} {error.code}", error.message) from None
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise DeliveryError(type(error).__name__, str(error) or "timed out") from None
        return self._host

    async def _send(self, content: bytes, to: str) -> None:
        is_accepted = False
        try:
            async with asyncio.timeout(_CONNECT_SECONDS) as limit, aiosmtplib.SMTP(**self._connection()) as client:
                await self._transfer(client, content, to, limit)
                is_accepted = True
                limit.reschedule(None)
        except asyncio.CancelledError:
            # While it waits for the reply to QUIT, the server has the email: it counts as sent, and is not sent again.
            if not is_accepted:
                raise

    async def _transfer(self, client: aiosmtplib.SMTP, content: bytes, to: str, limit: asyncio.Timeout) -> None:
        """In steps, because each ends at another time, and a rejection is not followed by the wait for RSET."""
        sender, options, encoding = parseaddr(self._sender.address)[1], [], "ascii"
        if client.is_ehlo_or_helo_needed:
            await client.ehlo()
        if client.supports_extension("size"):
            options.append(f"SIZE={len(content)}")
        if not to.isascii():
            if not client.supports_extension("smtputf8"):
                raise aiosmtplib.SMTPNotSupported("SMTPUTF8 is not supported by this server")
            options.append("SMTPUTF8")
            encoding = "utf-8"
        try:
            await client.mail(sender, options=options, encoding=encoding, timeout=None)
            await client.rcpt(to, encoding=encoding, timeout=None)
            limit.reschedule(asyncio.get_running_loop().time() + self._content_seconds)
            await client.data(content, timeout=None)
        except asyncio.CancelledError:
            # Too late, or this service stops. QUIT would wait for the reply to what was sent.
            client.close()
            raise

    def _connection(self) -> dict[str, Any]:
        return {
            "hostname": self._host,
            "port": self._port,
            "username": self._user,
            "password": self._password,
            "use_tls": self._is_tls,
            "start_tls": False if self._is_tls else self._must_start_tls,
            "timeout": _STEP_SECONDS,
        }


def _reason(error: Exception) -> str:
    """The cause in plain words. aiosmtplib wraps what the system reports, and copies its numbers."""
    cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
    if isinstance(cause, aiosmtplib.SMTPException) and not isinstance(cause, TimeoutError):
        return str(cause)
    return reason_of(cause) if isinstance(cause, OSError) else str(cause)


def _rejected(what: str, code: int, reply: str) -> DeliveryError:
    """5xx is permanent, 4xx is not (RFC 5321, section 4.2.1)."""
    return DeliveryError(f"{what} rejected {code}", f"{code} {reply}", is_permanent=500 <= code < 600)


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (is_ip_address(host) and ipaddress.ip_address(host).is_loopback)
