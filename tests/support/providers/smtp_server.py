"""Test server of SMTP: records emails; can reject, delay or interrupt a delivery."""

import asyncio
import contextlib
import datetime
import ipaddress
import ssl
import warnings
from collections.abc import AsyncIterator, Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.mailbox import parse_email
from tests.support.providers.servers import protocol_server

OK = "250 OK"


class PostOffice:
    """The handler of the server: recorded emails, and the replies to send."""

    def __init__(self) -> None:
        self.url = ""
        self.emails: list[EmailMessage] = []
        self.envelopes: list[Envelope] = []
        self.was_tls: list[bool] = []
        self.logins: list[tuple[str, str]] = []
        self.answer_to_recipient = OK
        self.answer_to_content = OK
        self.is_login_right = True
        self.delay = 0.0
        # The command that it never replies to; `has_command` once that has come.
        self.silent_at = ""
        self.has_command = asyncio.Event()
        self.is_receiving = asyncio.Event()
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.is_leaving = asyncio.Event()
        self.may_leave = asyncio.Event()
        self.may_leave.set()
        self.when_delivered: Callable[[], None] = lambda: None

    async def _reply_to(self, command: str) -> None:
        if command == self.silent_at:
            self.has_command.set()
            await asyncio.Event().wait()

    async def handle_MAIL(  # noqa: N802 - aiosmtpd requires this name
        self, server: SMTP, session: Session, transaction: Envelope, address: str, options: list[str]
    ) -> str:
        await self._reply_to("MAIL")
        transaction.mail_from = address
        transaction.mail_options += options
        return OK

    async def handle_RSET(self, server: SMTP, session: Session, transaction: Envelope) -> str:  # noqa: N802 - as above
        await self._reply_to("RSET")
        return OK

    async def handle_RCPT(  # noqa: N802 - aiosmtpd requires this name
        self, server: SMTP, session: Session, transaction: Envelope, address: str, options: list[str]
    ) -> str:
        await self._reply_to("RCPT")
        if self.answer_to_recipient == OK:
            transaction.rcpt_tos.append(address)
        return self.answer_to_recipient

    async def handle_DATA(self, server: SMTP, session: Session, transaction: Envelope) -> str:  # noqa: N802 - as above
        self.is_receiving.set()
        await self.may_go_on.wait()
        await asyncio.sleep(self.delay)
        if self.answer_to_content == OK:
            assert isinstance(transaction.content, bytes)
            self.emails.append(parse_email(transaction.content))
            self.envelopes.append(transaction)
            self.was_tls.append(session.ssl is not None)
        self.when_delivered()
        return self.answer_to_content

    async def handle_QUIT(self, server: SMTP, session: Session, transaction: Envelope) -> str:  # noqa: N802 - as above
        self.is_leaving.set()
        await self.may_leave.wait()
        return "221 Bye"

    def log_in(self, server: SMTP, session: Session, transaction: Envelope, mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append((data.login.decode(), data.password.decode()))
        return AuthResult(success=self.is_login_right, handled=False)

    def to(self, email: str) -> list[EmailMessage]:
        return [mail for mail in self.emails if mail["To"] == email]


@contextlib.asynccontextmanager
async def post_office(
    *, login: str = "", tls: ssl.SSLContext | None = None, is_tls_from_the_start: bool = False
) -> AsyncIterator[PostOffice]:
    """`login` is `user:password@` for the URL; with `tls` the server offers STARTTLS or implicit TLS."""
    office = PostOffice()

    def session() -> SMTP:
        with warnings.catch_warnings():
            # It warns of unencrypted passwords, which do not leave this machine.
            warnings.simplefilter("ignore")
            return SMTP(
                office,
                hostname="smtp.example.com",
                enable_SMTPUTF8=True,
                authenticator=office.log_in,
                auth_required=bool(login),
                auth_require_tls=False,
                tls_context=None if is_tls_from_the_start else tls,
                timeout=3600,
            )

    scheme = "smtps" if is_tls_from_the_start else "smtp"
    async with protocol_server(session, tls=tls if is_tls_from_the_start else None) as port:
        office.url = f"{scheme}://{login}localhost:{port}" if tls else f"{scheme}://{login}127.0.0.1:{port}"
        yield office


def certificate(folder: Path, name: str = "localhost") -> Path:
    """A key and a self-signed certificate, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName(name), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    signed_certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + signed_certificate.public_bytes(serialization.Encoding.PEM)
    )
    return file


def tls_server(file: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
