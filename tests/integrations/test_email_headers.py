"""Headers of emails: no name, title or subject writes a header or the body, in the bytes that are sent."""

import base64
import email
import email.header
import email.policy
import re
from typing import Any

import pytest

from backbench.mail import outbox
from backbench.mail.messages import DeliveryError, Sender, header_names
from backbench.mail.outbox import Attachment, EmailContent, NewEmail, OutgoingEmail
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App, pointers
from tests.support.mailbox import emails_to, send_due_emails
from tests.support.shared_links import share

SENDER = Sender("", "https://office.example.com")
NOW = times.now()

# Names are in a name, a subject and a body. What a mail program does with each is written beside it.
HOSTILE = [
    "A\r\n\r\nPay at http://evil.example/x",
    "A\r\nReply-To: ceo@bank.example",
    "A\nFrom: Billing <ceo@bank.example>",
    "pay at evil.example/x",
    "A\u2028Bcc: a@b.example",
]


def encoded_word(text: str, charset: str = "utf-8", form: str = "B") -> str:
    if form == "B":
        return f"=?{charset}?B?{base64.b64encode(text.encode()).decode()}?="
    return f"=?{charset}?Q?{''.join(f'={byte:02X}' for byte in text.encode())}?="


EXPECTED_HEADERS = [
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "auto-submitted",
    "reply-to",
    "mime-version",
    "content-type",
    "content-language",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", ["B", "Q", "plain", "split"])
def test_no_name_or_subject_writes_a_header_or_the_body(text: str, form: str) -> None:
    word = text if form == "plain" else encoded_word(text, form="B" if form == "split" else form)
    word = f"Oak {word[:2]}\u200b{word[2:]}" if form == "split" else word
    content = EmailContent("en", f"Estimate from {word}", "the text\n", "<p>the text</p>")
    to = "anna@example.com"
    sent = OutgoingEmail(new_id(), to, NOW, content, reply_to="workshop@example.com", sender_name=word)
    raw = SENDER.content(sent)
    head, _, body = raw.partition(b"\r\n\r\n")
    assert header_names(raw) == sorted(header_names(raw), key=EXPECTED_HEADERS.index)
    assert header_names(raw) == EXPECTED_HEADERS
    assert re.search(rb"(?<!\r)\n|\r(?!\n)", raw) is None, "every line ends as a line of a message ends"
    assert re.match(rb"--=+\d+==\r\nContent-Type: text/plain", body)
    if form != "plain":
        # A program that decodes once or twice gets neither an address nor a line end.
        assert text.encode() not in head
        parsed = email.message_from_bytes(raw, policy=email.policy.compat32)
        for name in ("Subject", "From"):
            unfolded = re.sub(r"\r\n(?=[ \t])", "", parsed[name])
            decoded = str(email.header.make_header(email.header.decode_header(unfolded)))
            assert "evil" not in decoded
            assert "ceo" not in decoded
            assert "\n" not in decoded


@pytest.mark.parametrize("address", [encoded_word("a\r\nb", form="Q") + "@x.pl", "=?utf-8?Q?a?=@x.pl"])
async def test_an_address_that_is_an_encoded_word_is_refused_and_never_retried(app: App, address: str) -> None:
    anna = await app.person("Anna")
    refused = await anna.post(f"/workshops/{anna.workshop}/invitations", {"email": address, "role": "member"})
    assert pointers(refused) == ["/email"]


def test_what_cannot_be_a_message_is_a_permanent_error(monkeypatch: pytest.MonkeyPatch) -> None:
    content = EmailContent("en", "Hello", "text\n", "<p>text</p>")
    broken = OutgoingEmail(new_id(), encoded_word("a\r\nb", form="Q") + "@x.pl", NOW, content)
    with pytest.raises(DeliveryError) as raised:
        SENDER.content(broken)
    assert raised.value.is_permanent
    # As on a Python that lets a header through.
    monkeypatch.setattr("email.message.EmailMessage.as_bytes", lambda _: b"From: a\r\nBcc: x@y.pl\r\n\r\ntext")
    with pytest.raises(DeliveryError) as raised:
        SENDER.content(OutgoingEmail(new_id(), "anna@example.com", NOW, content))
    assert raised.value.is_permanent


async def test_a_broken_address_in_the_outbox_is_given_up_at_once(app: App) -> None:
    address = encoded_word("a\r\nb", form="Q") + f"{new_id()}@x.pl"
    await app.db.write(lambda db: outbox.add(db, new_id(), NewEmail("goodbye", address, "en"), NOW))
    await send_due_emails(app.backbench)
    async with app.db.read() as db:
        failing: list[Any] = [each for each in await outbox.list_failing(db) if each.email == address]
    assert [each.failed_at is not None for each in failing] == [True]
    assert failing[0].last_error.startswith("not a valid message")


@pytest.mark.parametrize("text", HOSTILE)
async def test_a_workshops_name_writes_no_email_to_a_stranger(app: App, text: str) -> None:
    anna = await app.owner()
    renamed = await anna.patch(f"/workshops/{anna.workshop}", {"name": f"Oak {encoded_word(text)}"})
    assert renamed.status_code == 200, renamed.text
    shared = await share(anna)
    stranger = f"jan.{shared.id}@example.com"
    await anna.post(f"/links/{shared.link['id']}/mail", {"email": stranger, "tone": "friendly"})
    [message] = await emails_to(app, stranger)
    assert message["Subject"] == "Your estimate from The workshop"
    assert message["Reply-To"] is None
    assert encoded_word(text) not in message.as_string()


def test_an_attachment_arrives_as_it_was() -> None:
    content = EmailContent("pl", "Dąb", "text\n", "<p>text</p>")
    pdf = Attachment("Wycena 12-2026 dąb.pdf", "application/pdf", bytes(range(256)) * 40)
    sent = OutgoingEmail(new_id(), "anna@example.com", NOW, content, sender_name="Dąb i Jesion", attachments=(pdf,))
    message = email.message_from_bytes(SENDER.content(sent), policy=email.policy.default)
    [attached] = message.iter_attachments()
    assert (attached.get_filename(), attached.get_content_type()) == (pdf.name, "application/pdf")
    assert attached.get_payload(decode=True) == pdf.content
    assert message["From"] == "Dąb i Jesion <backbench@office.example.com>"


@pytest.mark.parametrize(
    ("reply_to", "sender"),
    [
        ("office@oak.example", "Oak & Ash via Backbench <Desk@oak.example>"),
        (None, "Oak & Ash via Backbench <Desk@oak.example>"),
        ("desk@oak.example", "Oak & Ash <Desk@oak.example>"),
    ],
)
def test_a_workshop_is_the_sender_alone_only_with_its_own_address(reply_to: str | None, sender: str) -> None:
    content = EmailContent("en", "Estimate", "text\n", "<p>text</p>")
    sent = OutgoingEmail(
        new_id(), "jan@example.com", NOW, content, reply_to, "Oak & Ash", via="Oak & Ash via Backbench"
    )

    raw = Sender("Office <Desk@oak.example>", "https://office.example.com").content(sent)

    assert str(email.message_from_bytes(raw, policy=email.policy.default)["From"]).replace('"', "") == sender
