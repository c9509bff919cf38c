"""Mails: what the service writes to people, as text and as HTML, in their language.

A mail is first only queued: what it is about, and to whom. What it says, and the secret in its link, are decided when
it is sent, so that no secret ever stands in the database and an answer takes the same time whoever the mail is for.
"""

import textwrap
from collections.abc import Mapping
from html import escape
from typing import Literal

from msgspec import Struct

from backbench.domain.mail.texts import CLOSING, GREETING, WORDS, Words
from backbench.domain.values.enums import UserLocale
from backbench.domain.values.times import Instant, later

MailKind = Literal[
    "verify",
    "resend",
    "account_exists",
    "reset",
    "password_changed",
    "google_linked",
    "invitation",
    "goodbye",
    "feedback",
]
# How long an email that was given up stays in the outbox for the host to see.
FAILED_EMAIL_SECONDS = 30 * 86_400
_FIRST_WAIT = 30.0
_LONGEST_WAIT = 4 * 3600.0
_GIVE_UP_SECONDS = 3 * 86_400
_LONGEST_NAME = 60


class QueuedEmail(Struct, frozen=True):
    """A mail to be written. `tries` counts this one as well, once it is claimed."""

    id: str
    kind: MailKind
    email: str
    locale: UserLocale
    account_id: str | None
    invitation_id: str | None
    # JSON, of the shape that the kind needs; "{}" where it needs none.
    details: str
    created_at: Instant
    tries: int

    def next_try(self, now: Instant) -> Instant | None:
        """When to try again after a failure: 30 s, 1 min, 2 min … 4 h; None when it is time to give up."""
        after = later(now, min(_FIRST_WAIT * 2.0 ** min(self.tries - 1, 30), _LONGEST_WAIT))
        return after if after <= later(self.created_at, _GIVE_UP_SECONDS) else None


class Letter(Struct, frozen=True):
    """A mail as it is read."""

    locale: UserLocale
    subject: str
    text: str
    html: str


class Envelope(Struct, frozen=True):
    """A letter on its way. Its id stays the same over every try, so that a receiver can tell a twin."""

    id: str
    to: str
    at: Instant
    letter: Letter
    reply_to: str | None = None


def letter(kind: str, locale: UserLocale, link: str | None = None, **values: str) -> Letter:
    """`link` is where the button leads; `values` are what the words leave open."""
    words = _filled(WORDS[kind][locale], values)
    return Letter(locale, words.subject, _text(words, locale, link), _html(words, locale, link))


def quoted(name: str) -> str:
    """A name that somebody else chose, cut to a length that cannot carry a message of its own."""
    words = " ".join(name.split())
    return words if len(words) <= _LONGEST_NAME else words[: _LONGEST_NAME - 1] + "…"


def _filled(words: Words, values: Mapping[str, str]) -> Words:
    return Words(
        subject=" ".join(words.subject.format(**values).split()),
        before=[line for line in (line.format(**values) for line in words.before) if line],
        button=words.button,
        after=[line.format(**values) for line in words.after],
    )


def _text(words: Words, locale: UserLocale, link: str | None) -> str:
    parts = [GREETING[locale], *words.before]
    if words.button and link:
        parts.append(f"{words.button}:\n{link}")
    parts += [*words.after, CLOSING[locale]]
    return "\n\n".join(part if link and link in part else _wrapped(part) for part in parts) + "\n"


def _wrapped(part: str) -> str:
    lines = part.splitlines()
    return "\n".join(textwrap.fill(line, 72, break_long_words=False, break_on_hyphens=False) for line in lines)


def _html(words: Words, locale: UserLocale, link: str | None) -> str:
    parts = [_paragraph(line) for line in (GREETING[locale], *words.before)]
    if words.button and link:
        parts.append(
            f'<p style="margin:28px 0"><a href="{escape(link)}" style="background:#8a4b21;color:#fff;'
            f'padding:12px 22px;border-radius:6px;text-decoration:none">{escape(words.button)}</a></p>'
            f'<p style="font-size:13px;color:#6d6259;word-break:break-all">{escape(link)}</p>'
        )
    parts += [_paragraph(line) for line in (*words.after, CLOSING[locale])]
    return (
        f'<!doctype html><html lang="{locale}"><head><meta charset="utf-8"><title>{escape(words.subject)}</title>'
        '</head><body style="margin:0;background:#faf7f2"><div style="max-width:520px;margin:0 auto;padding:32px 20px;'
        'font:16px/1.6 system-ui,-apple-system,Segoe UI,sans-serif;color:#2b2622">'
        + "".join(parts)
        + "</div></body></html>"
    )


def _paragraph(line: str) -> str:
    return "<p>" + escape(line).replace("\n", "<br>") + "</p>"
