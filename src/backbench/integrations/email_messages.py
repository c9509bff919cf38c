"""Email messages: an email as a MIME message, and the error of one that was not delivered."""

import contextlib
import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from backbench.domain.mail.emails import OutgoingEmail
from backbench.domain.values import times

if TYPE_CHECKING:
    from email.message import EmailMessage

_MAX_REPLY_LENGTH = 500


class DeliveryError(Exception):
    """An email was not delivered.

    `cause` contains no address and may be logged. `reply` is the server's reply, or `cause` if there is none.
    `is_permanent`: another attempt would fail as well.
    """

    def __init__(self, cause: str, reply: str = "", *, is_permanent: bool = False) -> None:
        super().__init__(cause)
        self.cause = cause
        self.reply = (reply or cause)[:_MAX_REPLY_LENGTH]
        self.is_permanent = is_permanent


class Sender:
    """The From address, and the domain of the Message-IDs. Builds MIME messages."""

    def __init__(self, address: str, public_url: str) -> None:
        host = urlsplit(public_url).hostname or "localhost"
        self._domain = "localhost" if is_ip_address(host) else _ascii_host(host)
        self.address = address or f"Backbench <backbench@{self._domain}>"

    def message(self, email: OutgoingEmail) -> "EmailMessage":
        """The MIME message. Every attempt has the same headers."""
        # At first use: a hundredth of a start, and many servers send an email a day.
        from email.message import EmailMessage
        from email.policy import SMTP, SMTPUTF8
        from email.utils import format_datetime

        content = email.content
        message = EmailMessage(SMTPUTF8 if not email.to.isascii() else SMTP)
        message["From"] = self.address
        message["To"] = ascii_domain(email.to)
        message["Subject"] = content.subject
        message["Date"] = format_datetime(times.parse(email.created_at))
        message["Message-ID"] = f"<{email.id}@{self._domain}>"
        # Prevents automatic replies such as holiday notices (RFC 3834).
        message["Auto-Submitted"] = "auto-generated"
        if email.reply_to is not None:
            message["Reply-To"] = ascii_domain(email.reply_to)
        message.set_content(content.text, cte="quoted-printable")
        message.add_alternative(content.html, subtype="html", cte="quoted-printable")
        message["Content-Language"] = content.locale
        return message


def ascii_domain(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local}@{_ascii_host(domain)}"


def _ascii_host(host: str) -> str:
    with contextlib.suppress(UnicodeError):
        return host.encode("idna").decode()
    return host


def is_ip_address(host: str) -> bool:
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return False
