"""Rendering of emails: every kind in both languages, as text and as HTML."""

import re
from typing import get_args

from backbench.mail.outbox import EmailKind, render_email
from backbench.mail.sharing_values import offer_values, title_values
from backbench.values.enums import UserLocale
from backbench.words import words
from tests.support.violations import all_of

LINK = "https://office.example.com/join/?a=1&b=2#token=$t"
VALUES = {
    "keys": "",
    "key": "bbk_AbCd1234",
    "inviter": "Eve <b>",
    "member": "Marek",
    "workshop": "the workshop “Oak & Ash $5”",
    "date": "27 November 2026",
    "storage": "50 MB",
    "revisions": "3",
    "receiver": "n8n.example",
    "topic": "Feedback",
    "title": "Grids",
    "sender": "Anna <anna@example.com>",
    "message": "Hello",
    "where": "/grids",
    "estimate": " 12/2026 “Oak table”",
    "name_row": "Name: Ada\n",
    "deposit_rows": "\nDue with the order: 552.00 €\nBank account: PL61 1090 1014 0000 0712 1981 2874\n"
    "Reference: Estimate 12/2026",
    "early_start": "Request for an early start: “Please start the work.”",
    "subject": "12/2026 “Oak table”, Ada, 1,842.00 €",
    "decided_at": "27 November 2026, 10:15",
    "valid_until": "It is valid until 27 December 2026.",
    "total": "1,842.00 €",
    "total_label": "Total",
    "document_hash": "d" * 64,
    "pdf_hash": "e" * 64,
    "reason": "",
    "text": "“Is delivery included?”",
    "texts": "Jan:\n“Is delivery included?”",
    "contact": "\n+48 600 700 800",
    "sent_with": "\nsent with Backbench · office.example.com",
    "method": "by phone",
    "revision": "2",
    "order": "214 “Oak table”",
    "answer_shown": "Your answer there appears on the client’s page.",
}
TITLE = {
    locale: VALUES | title_values("quotation", locale) | offer_values("answer", "quotation", locale)
    for locale in get_args(UserLocale)
}
KINDS = sorted(words("en").emails)
LOCALES = get_args(UserLocale)
# Phrases that emails had before.
REPLACED = re.compile(r"\bmail\b|e-mail address|Good work|all is well|would like to work", re.IGNORECASE)


def test_every_kind_of_email_has_a_text() -> None:
    # A kind with variants has a text for each of them; a repeated verification is a verification.
    kinds = set(get_args(EmailKind)) - {"resend"}
    assert [kind for kind in sorted(kinds) if not any(name.startswith(kind) for name in KINDS)] == []
    assert [name for name in KINDS if not name.startswith(get_args(EmailKind))] == []


@all_of("locale", LOCALES)
@all_of("kind", KINDS)
def test_every_kind_of_email_renders_without_placeholders_and_with_a_short_subject(
    kind: str, locale: UserLocale
) -> None:
    content = render_email(kind, locale, LINK, host="office.example.com", **TITLE[locale])
    assert 10 <= len(content.subject) <= 60
    assert not content.subject.endswith(".")
    for body in (content.subject, content.text, re.sub(r"<style>.*</style>", "", content.html)):
        assert "{" not in body
        assert "  " not in body
    assert "Backbench · office.example.com" in content.text
    assert all(line == line.strip() for line in content.text.splitlines())
    assert (LINK in content.text) == ("token=$t" in content.html) == (words(locale).emails[kind].button is not None)


@all_of("kind", sorted(set(KINDS) - {"feedback"}))
def test_english_emails_use_the_replaced_terms_no_more(kind: str) -> None:
    text = words("en").emails[kind]
    assert [each for each in (text.subject, *text.before, *text.after) if REPLACED.search(each)] == []


def test_values_are_escaped_in_html_and_plain_in_text() -> None:
    content = render_email("invitation", "en", LINK, **VALUES)
    assert "<p>Eve &lt;b&gt; has invited you to join the workshop “Oak &amp; Ash $5” on Backbench.</p>" in content.html
    assert 'href="https://office.example.com/join/?a=1&amp;b=2#token=$t"' in content.html
    assert "Eve <b> has invited you to join the workshop “Oak & Ash $5” on Backbench." in content.text.replace(
        "\n", " "
    )


def test_html_has_colours_for_dark_screens_and_a_width_for_phones() -> None:
    html = render_email("reset", "pl", LINK, **VALUES).html
    assert '<meta name="color-scheme" content="light dark">' in html
    assert "prefers-color-scheme: dark" in html
    assert 'content="width=device-width,initial-scale=1"' in html


def test_the_button_has_the_colour_of_the_workshop_and_hashes_are_last() -> None:
    html = render_email("decision_recorded_accepted", "en", LINK, color="#2f5d50", **TITLE["en"]).html
    assert 'class="own"' in html
    assert "background:#2f5d50" in html
    for kind in KINDS:
        text = render_email(kind, "en", LINK, **TITLE["en"]).text
        if "d" * 64 in text:
            rest = text.partition("e" * 64)[2].strip().split("\n\n")
            assert len(rest) == 1, kind
            assert text.index("d" * 64) > text.index("Total")


def test_an_email_without_a_link_has_no_button() -> None:
    assert "<a " not in render_email("goodbye", "pl", **VALUES).html


def test_a_date_is_not_split_and_a_hash_is_set_in_digits_of_one_width() -> None:
    assert "27\u00a0December\u00a02026" in render_email("estimate_revised", "en", LINK, **TITLE["en"]).html
    receipt = render_email("decision_receipt_accepted", "en", **TITLE["en"])
    assert f'monospace">{"d" * 64}</span>' in receipt.html
    assert f"\n{'d' * 64}\n" in receipt.text
