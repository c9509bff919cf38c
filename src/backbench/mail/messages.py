"""Email messages: an email as a MIME message, and the error of one that was not delivered."""

import contextlib
import ipaddress
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from backbench.mail.outbox import OutgoingEmail
from backbench.values import times
from backbench.values.plain_text import one_line

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

    def content(self, email: OutgoingEmail) -> bytes:
        """The MIME message, as it is sent. Every attempt has the same headers.

        Raises DeliveryError, permanent, for what cannot be a message.
        """
        # At first use: a hundredth of a start, and many servers send an email a day.
        from email.errors import MessageError

        try:
            message = self._message(email)
            content = message.as_bytes()
        except (ValueError, MessageError) as error:
            raise DeliveryError(f"not a valid message: {type(error).__name__}", is_permanent=True) from None
        if header_names(content) != [name.lower() for name in message.keys()]:  # noqa: SIM118 - a message is no dict
            raise DeliveryError("not a valid message: a header in a text", is_permanent=True)
        return content

    def _message(self, email: OutgoingEmail) -> "EmailMessage":
        from email.headerregistry import Address
        from email.message import EmailMessage
        from email.policy import SMTP, SMTPUTF8
        from email.utils import format_datetime, parseaddr

        to = ascii_domain(email.to)
        reply_to = None if email.reply_to is None else ascii_domain(email.reply_to)
        # Only what is before the @ needs a server that takes UTF-8: domains become ASCII, and texts encoded words.
        is_utf8 = not to.isascii()
        message = EmailMessage(SMTPUTF8 if is_utf8 else SMTP)
        message["From"] = self.address
        if email.sender_name:
            own = parseaddr(self.address)[1]
            is_theirs = own.casefold() == (email.reply_to or "").casefold()
            name = _header_text(email.sender_name if is_theirs or not email.via else email.via)
            message.replace_header("From", Address(name, addr_spec=own))
        message["To"] = to
        message["Subject"] = _header_text(email.content.subject)
        message["Date"] = format_datetime(times.parse(email.created_at))
        message["Message-ID"] = f"<{email.id}@{self._domain}>"
        # Prevents automatic replies such as holiday notices (RFC 3834).
        message["Auto-Submitted"] = "auto-generated"
        # An address outside ASCII can be written only in a message that is UTF-8 itself.
        if reply_to is not None and (is_utf8 or reply_to.isascii()):
            message["Reply-To"] = reply_to
        message.set_content(email.content.text, cte="quoted-printable")
        message.add_alternative(email.content.html, subtype="html", cte="quoted-printable")
        message["Content-Language"] = email.content.locale
        for attached in email.attachments:
            kind, _, subtype = attached.content_type.partition("/")
            message.add_attachment(attached.content, maintype=kind, subtype=subtype, filename=attached.name)
        return message


def header_names(content: bytes) -> list[str]:
    """The names of the headers of a message, in lower case, as a program reads them that knows no more than lines."""
    lines = re.split(rb"\r\n|\r|\n", content.partition(b"\r\n\r\n")[0])
    return [line.partition(b":")[0].decode("latin-1").lower() for line in lines if line[:1] not in (b" ", b"\t")]


def _header_text(text: str) -> str:
    """The text on one line, without invisible characters and without the beginning of an encoded word.

    The library decodes encoded words (RFC 2047) in what it is given: one could hide line ends and addresses.
    """
    return one_line(text).replace("=?", "= ?")


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
