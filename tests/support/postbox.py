"""Mailbox: the emails that the application under test has sent to an address, and the tokens in their links."""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from backbench.app import Backbench
from tests.people import Shop
from tests.support.canaries import remember


async def send_all(app: Backbench) -> None:
    """Sends all queued emails."""
    while await app.outbox_worker.send_next():
        pass


async def mails_to(shop: Shop, email: str) -> list[EmailMessage]:
    """All emails to the address, oldest first. Sends queued emails first."""
    await send_all(shop.app)
    messages = [read(file.read_bytes()) for file in shop.app.settings.mail_path.glob("*.eml")]
    return sorted(
        (message for message in messages if message["To"] == email), key=lambda message: str(message["Message-ID"])
    )


async def last_mail_to(shop: Shop, email: str) -> EmailMessage:
    return (await mails_to(shop, email))[-1]


async def token_for(shop: Shop, email: str) -> str:
    """The token in the link of the last email to the address."""
    return token_in(await last_mail_to(shop, email))


def token_in(message: EmailMessage) -> str:
    found = re.search(r"#token=([\w-]+)", text_of(message))
    assert found is not None, text_of(message)
    remember(found[1])
    return found[1]


def text_of(message: EmailMessage, kind: str = "plain") -> str:
    part = message.get_body((kind,))
    assert isinstance(part, EmailMessage)
    content: str = part.get_content()
    return content.replace("\r\n", "\n")


def read(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    return message
