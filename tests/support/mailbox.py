"""Mailbox: the emails that the application under test has sent to an address, and the tokens in their links."""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

from backbench.app import Backbench
from tests.people import App
from tests.support.secret_log_check import remember_secrets


async def send_due_emails(backbench: Backbench) -> None:
    """Sends all queued emails."""
    while await backbench.outbox_worker.send_next():
        pass


async def emails_to(app: App, email: str) -> list[EmailMessage]:
    """All emails to the address, oldest first. Sends queued emails first."""
    await send_due_emails(app.backbench)
    messages = [
        (read, parse_email(content))
        for read, content in _stored(app.backbench.settings.mail_path)
        if email in _head(content)
    ]
    # Ids of one millisecond have no order. What was read before was sent before.
    found = [(read, str(message["Message-ID"]), message) for read, message in messages if message["To"] == email]
    return [message for *_, message in sorted(found, key=lambda each: each[:2])]


# Emails never change. Tests share an application and send thousands, so each is read once, and parsed for its recipient
# only. With each is how many were read before it was looked for.
_contents: dict[Path, tuple[int, bytes]] = {}


def _stored(folder: Path) -> list[tuple[int, bytes]]:
    read = len(_contents)
    return [
        _contents.get(file) or _contents.setdefault(file, (read, file.read_bytes())) for file in folder.glob("*.eml")
    ]


def _head(content: bytes) -> str:
    return content.partition(b"\r\n\r\n")[0].decode()


async def last_email_to(app: App, email: str) -> EmailMessage:
    return (await emails_to(app, email))[-1]


async def token_for(app: App, email: str) -> str:
    """The token in the link of the last email to the address."""
    return token_in(await last_email_to(app, email))


def token_in(message: EmailMessage) -> str:
    found = re.search(r"#token=([\w-]+)", text_of(message))
    assert found is not None, text_of(message)
    remember_secrets(found[1])
    return found[1]


def text_of(message: EmailMessage, kind: str = "plain") -> str:
    part = message.get_body((kind,))
    assert isinstance(part, EmailMessage)
    content: str = part.get_content()
    # Polish texts have no-break spaces after words of one letter in HTML.
    return content.replace("\r\n", "\n").replace("\u00a0", " ")


def parse_email(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    return message
