"""Reading the mails that a shop writes: those of one person, newest last, and the secret out of a link."""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from backbench.app import Backbench
from tests.people import Shop
from tests.support.canaries import remember


async def send_all(app: Backbench) -> None:
    """Sends whatever is due."""
    while await app.outbox_worker.send_next():
        pass


async def mails_to(shop: Shop, email: str) -> list[EmailMessage]:
    """Every mail that the shop has written to the address, oldest first."""
    await send_all(shop.app)
    letters = [read(file.read_bytes()) for file in shop.app.settings.mail_path.glob("*.eml")]
    return sorted((letter for letter in letters if letter["To"] == email), key=lambda letter: str(letter["Message-ID"]))


async def last_mail_to(shop: Shop, email: str) -> EmailMessage:
    return (await mails_to(shop, email))[-1]


async def token_for(shop: Shop, email: str) -> str:
    """The secret in the link of the last mail to the address."""
    return token_in(await last_mail_to(shop, email))


def token_in(mail: EmailMessage) -> str:
    found = re.search(r"#token=([\w-]+)", text_of(mail))
    assert found is not None, text_of(mail)
    remember(found[1])
    return found[1]


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    part = mail.get_body((kind,))
    assert isinstance(part, EmailMessage)
    content: str = part.get_content()
    return content.replace("\r\n", "\n")


def read(content: bytes) -> EmailMessage:
    mail = message_from_bytes(content, policy=default)
    assert isinstance(mail, EmailMessage)
    return mail
