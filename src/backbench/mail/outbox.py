"""Emails: their texts as text and HTML in the recipient's language, and the queue of those to be sent."""

import functools
import re
import textwrap
from collections.abc import Mapping
from html import escape
from pathlib import Path
from string import Template
from typing import Literal, Self

from msgspec import Struct

from backbench.accounts.accounts import Account
from backbench.engine.database import Read, Write
from backbench.engine.rows import columns
from backbench.estimating.file_types import StoredFile
from backbench.values.enums import UserLocale
from backbench.values.times import Instant, later
from backbench.words import EmailText, words

EmailKind = Literal[
    "verify",
    "resend",
    "account_exists",
    "reset",
    "activated",
    "api_key_created",
    "password_changed",
    "google_linked",
    "google_unlinked",
    "invitation",
    "invitation_accepted",
    "member_removed",
    "trial_ending",
    "plan_ending",
    "webhook_disabled",
    "webhook_owner_left",
    "goodbye",
    "feedback",
    "estimate_shared",
    "estimate_revised",
    "decision_receipt",
    "decision_recorded",
    "decision_voided",
    "comment_answered",
    "estimate_decided",
    "estimate_commented",
    "order_asked",
]
# Lower numbers are sent first: a person is waiting for an email with a link, and nobody for feedback. What the service
# sends to clients by itself must not delay the password reset of somebody else.
_PRIORITIES: dict[EmailKind, int] = {
    "verify": 0,
    "resend": 0,
    "account_exists": 0,
    "reset": 0,
    "activated": 0,
    "invitation": 0,
    "estimate_shared": 0,
    "feedback": 2,
}
_DEFAULT_PRIORITY = 1
# How long an email that was given up stays in the outbox for the host to see.
FAILED_EMAIL_SECONDS = 30 * 86_400
_DATE = re.compile(r"\b(\d{1,2}) (\w+) (\d{4})\b")
# A SHA-256, in a type in which its digits can be compared.
_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_CODE = r'<span style="font:13px/1.5 ui-monospace,monospace">\g<0></span>'
_SHORT_WORD = re.compile(r"(?<!\w)([aiouwzAIOUWZ]) (?=\S)")
_SERVICE_COLOR = "#8a4b21"
_FIRST_RETRY_SECONDS = 30.0
_MAX_RETRY_SECONDS = 4 * 3600.0
_GIVE_UP_SECONDS = 3 * 86_400


def priority_of(kind: EmailKind) -> int:
    return _PRIORITIES.get(kind, _DEFAULT_PRIORITY)


class NewEmail(Struct, frozen=True):
    """An email to be queued. `details`: JSON in the shape that the kind requires.

    `sender`: the account, the workshop, or the digest of the client address, that caused the email; senders are served
    in turn. `due_at`: when to send it, if not at once.
    """

    kind: EmailKind
    email: str
    locale: UserLocale
    account_id: str | None = None
    invitation_id: str | None = None
    details: str = "{}"
    sender: str = ""
    due_at: Instant | None = None

    @classmethod
    def to_account(cls, kind: EmailKind, account: Account, details: str = "{}", sender: str = "") -> Self:
        return cls(kind, account.email, account.locale, account.id, details=details, sender=sender)

    @classmethod
    def to_client(cls, kind: EmailKind, email: str, locale: UserLocale, details: str, workshop_id: str) -> Self:
        """To a client of the workshop, who may be erased before it is sent: it is found by its sender."""
        return cls(kind, email, locale, details=details, sender=workshop_id)


class QueuedEmail(Struct, frozen=True):
    """A row of the email outbox. Once it is claimed, `tries` includes the current attempt."""

    id: str
    kind: EmailKind
    email: str
    locale: UserLocale
    account_id: str | None
    invitation_id: str | None
    # JSON in the shape that the kind requires; "{}" if the kind requires none.
    details: str
    created_at: Instant
    tries: int

    def next_try(self, now: Instant) -> Instant | None:
        """The time of the next attempt: after 30 s, 1 min, 2 min … 4 h. None three days after the email was queued."""
        after = later(now, min(_FIRST_RETRY_SECONDS * 2.0 ** min(self.tries - 1, 30), _MAX_RETRY_SECONDS))
        return after if after <= later(self.created_at, _GIVE_UP_SECONDS) else None


class EmailContent(Struct, frozen=True):
    """A rendered email: its subject, and its body as plain text and as an HTML document."""

    locale: UserLocale
    subject: str
    text: str
    html: str


class Attachment(Struct, frozen=True):
    """A file in an email."""

    name: str
    content_type: str
    content: bytes


class OutgoingEmail(Struct, frozen=True):
    """An email with its recipient. All attempts share one id, so that a receiver can detect duplicates.

    `sender_name`: the name before the address of the service, where it is not that of the service. `via`: what that
    name becomes where the address is not the one that replies go to. `files`: stored files that are to be attached,
    which are read when it is sent.
    """

    id: str
    to: str
    created_at: Instant
    content: EmailContent
    reply_to: str | None = None
    sender_name: str = ""
    via: str = ""
    files: tuple[StoredFile, ...] = ()
    attachments: tuple[Attachment, ...] = ()


def render_email(
    kind: str, locale: UserLocale, link: str | None = None, *, host: str = "", color: str = "", **values: str
) -> EmailContent:
    """`kind` is the name of a text: a kind of email, or one of its variants.

    `link` is the target of the button; `values` replace the placeholders of the text.

    `color`, as #rrggbb, is that of the button where the email is in the name of a workshop; white can be read on it.

    `host`, the host name of the server, is in the closing: a recipient can have accounts on several servers.
    """
    text = _filled(words(locale).emails[kind], values)
    closing = text.closing or words(locale).email.closing
    closing = f"{closing} · {host}" if host else closing
    return EmailContent(
        locale, text.subject, _plain_text(text, locale, link, closing), _html(text, locale, link, closing, color)
    )


def _filled(text: EmailText, values: Mapping[str, str]) -> EmailText:
    return EmailText(
        subject=" ".join(text.subject.format(**values).split()),
        before=[line for line in (line.format(**values).strip() for line in text.before) if line],
        button=None if text.button is None else text.button.format(**values),
        after=[line for line in (line.format(**values).strip() for line in text.after) if line],
        closing=None if text.closing is None else text.closing.format(**values),
    )


def _plain_text(text: EmailText, locale: UserLocale, link: str | None, closing: str) -> str:
    paragraphs = [words(locale).email.greeting, *text.before]
    if text.button and link:
        paragraphs.append(f"{text.button}:\n{link}")
    paragraphs += [*text.after, closing]
    # A wrapped link would not open.
    return "\n\n".join(each if link and link in each else _wrapped(each) for each in paragraphs) + "\n"


def _wrapped(paragraph: str) -> str:
    lines = paragraph.splitlines()
    return "\n".join(textwrap.fill(line, 72, break_long_words=False, break_on_hyphens=False) for line in lines)


def _html(text: EmailText, locale: UserLocale, link: str | None, closing: str, color: str) -> str:
    button = ""
    if text.button and link:
        # In the dark the colour of the service becomes lighter, and that of a workshop stays its own.
        look = {"look": "own" if color else "button", "color": color or _SERVICE_COLOR}
        button = _template("email_button.html").substitute(link=escape(link), label=escape(text.button), **look)
    return _template("email.html").substitute(
        locale=locale,
        subject=escape(text.subject),
        before=_paragraphs([words(locale).email.greeting, *text.before], locale),
        button=button,
        after=_paragraphs([*text.after, closing], locale),
    )


@functools.cache
def _template(name: str) -> Template:
    """The template in this folder, without its indentation and line breaks: only the file needs them."""
    lines = (Path(__file__).parent / name).read_text("utf-8").splitlines()
    return Template("".join(line.strip() for line in lines))


def _paragraphs(lines: list[str], locale: UserLocale) -> str:
    """As HTML. A date is not split, nor the word e-mail, and a Polish word of one letter never ends a line."""
    lines = [_DATE.sub("\\1\u00a0\\2\u00a0\\3", line) for line in lines]
    if words(locale).formats.short_words:
        lines = [_SHORT_WORD.sub("\\1\u00a0", line.replace("e-mail", "e\u2011mail")) for line in lines]
    return "".join("<p>" + _HASH.sub(_CODE, escape(line)).replace("\n", "<br>") + "</p>" for line in lines)


_COLUMNS = columns(QueuedEmail)


class FailingEmail(Struct, frozen=True):
    """An email that could not be sent: given up at `failed_at`, or to be retried."""

    id: str
    kind: EmailKind
    email: str
    failed_at: Instant | None
    last_error: str


async def add(db: Write, email_id: str, new: NewEmail, at: Instant) -> None:
    turn = 0
    if new.sender:
        sql = "SELECT count(*) FROM outbox WHERE sender = :sender AND failed_at IS NULL"
        turn = await db.value(sql, sender=new.sender)
    await db.add(
        "outbox",
        id=email_id,
        kind=new.kind,
        email=new.email,
        locale=new.locale,
        account_id=new.account_id,
        invitation_id=new.invitation_id,
        details=new.details,
        created_at=at,
        tries=0,
        due_at=new.due_at or at,
        priority=priority_of(new.kind),
        sender=new.sender,
        turn=turn,
    )


async def has_due(db: Read, now: Instant) -> bool:
    sql = "SELECT 1 FROM outbox WHERE failed_at IS NULL AND due_at <= :now LIMIT 1"
    return await db.value(sql, now=now) is not None


async def count_waiting(db: Read) -> int:
    """The emails that are to be sent, now or at the next try."""
    return int(await db.value("SELECT count(*) FROM outbox WHERE failed_at IS NULL"))


async def count_failed(db: Read) -> int:
    """The emails that were given up, until they are deleted."""
    return int(await db.value("SELECT count(*) FROM outbox WHERE failed_at IS NOT NULL"))


async def claim(db: Write, now: Instant, lease: float) -> QueuedEmail | None:
    """The next email that is due, leased to the caller for `lease` seconds; None when none is due.

    By priority, then by turn, so that the sender of a hundred emails does not delay the first email of another.
    """
    return await db.one(
        QueuedEmail,
        f"""
        UPDATE outbox SET due_at = :lease_until, tries = tries + 1
        WHERE failed_at IS NULL AND due_at <= :now AND id = (
            SELECT id FROM outbox WHERE failed_at IS NULL AND due_at <= :now
            ORDER BY priority, turn, due_at, id LIMIT 1 {db.skip_locked}
        )
        RETURNING {_COLUMNS}
        """,
        now=now,
        lease_until=later(now, lease),
    )


async def delete(db: Write, queued: QueuedEmail) -> bool:
    """False when the lease has expired and another worker has claimed the email since."""
    return await db.run("DELETE FROM outbox WHERE id = :id AND tries = :tries", id=queued.id, tries=queued.tries) > 0


async def save_retry(db: Write, queued: QueuedEmail, error: str, due_at: Instant) -> None:
    await db.run(
        "UPDATE outbox SET due_at = :due_at, last_error = :error WHERE id = :id AND tries = :tries",
        id=queued.id,
        tries=queued.tries,
        error=error,
        due_at=due_at,
    )


async def save_failure(db: Write, queued: QueuedEmail, error: str, at: Instant) -> None:
    """Records the failure and its reason, and deletes the details of the email."""
    await db.run(
        """
        UPDATE outbox SET failed_at = :at, last_error = :error, details = '{}'
        WHERE id = :id AND tries = :tries
        """,
        id=queued.id,
        tries=queued.tries,
        error=error,
        at=at,
    )


async def list_failing(db: Read) -> list[FailingEmail]:
    """Every email that failed at least once, newest first."""
    return await db.all(
        FailingEmail,
        "SELECT id, kind, email, failed_at, last_error FROM outbox WHERE last_error IS NOT NULL ORDER BY id DESC",
    )


async def delete_expired(db: Write, now: Instant) -> int:
    """Deletes emails that were given up a retention period ago. Returns how many."""
    return await db.run("DELETE FROM outbox WHERE failed_at <= :before", before=later(now, -FAILED_EMAIL_SECONDS))
