"""Mailbox: the emails that the application under test has sent to an address, and the tokens in their links."""

import os
import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import NamedTuple

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
        (each.read_before, parse_email(each.content))
        for each in _stored(app.backbench.settings.mail_path)
        if email in each.head
    ]
    # Ids of one millisecond have no order. What was read before was sent before.
    found = [(read, str(message["Message-ID"]), message) for read, message in messages if message["To"] == email]
    return [message for *_, message in sorted(found, key=lambda each: each[:2])]


class _Stored(NamedTuple):
    read_before: int
    """How many emails had been read when it was looked for."""
    head: str
    content: bytes


# By folder and name. Emails never change. Tests share an application and send thousands, so each is read once, and
# parsed for its recipient only.
_read: dict[Path, dict[str, _Stored]] = {}


def _stored(folder: Path) -> list[_Stored]:
    emails = _read.setdefault(folder, {})
    read_before = len(emails)
    # The first email makes the folder. Pathlib would take five times as long.
    listed = os.listdir(folder) if folder.is_dir() else []  # noqa: PTH208
    names = [name for name in listed if name.endswith(".eml")]
    for name in names:
        if name not in emails:
            content = (folder / name).read_bytes()
            emails[name] = _Stored(read_before, content.partition(b"\r\n\r\n")[0].decode(), content)
    return [emails[name] for name in names]


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
