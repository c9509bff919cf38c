"""Texts about shared estimates: nothing that a person wrote can look like a link of the service."""

import re
from itertools import product
from typing import get_args

import pytest

from backbench.mail.outbox import render_email
from backbench.mail.sharing_values import (
    contact,
    deposit_rows,
    estimate_label,
    name_row,
    offer_values,
    quoted_text,
    signer,
    subject_label,
    title_values,
    validity,
    workshop_label,
)
from backbench.values.enums import DocumentLocale, DocumentTitle, MessageLink, MessageTone, UserLocale
from backbench.words import words
from tests.support.violations import all_of

SHARING_TEXTS = [kind for kind in words("en").emails if kind.startswith(("estimate_", "decision_", "comment_"))]
LINK = "https://office.example.com/e/#bbl_t"
EVIL = "Win a prize at evil.example/login"


def shared(
    locale: UserLocale, name: str, message: str = "", valid_until: str = "", title: DocumentTitle = "estimate"
) -> str:
    values = {
        "workshop": workshop_label(name, locale),
        "estimate": estimate_label(name, "12/2026", locale),
        "message": message,
        "contact": "",
        "sent_with": words(locale).email.sent_with.format(host="office.example.com"),
        "valid_until": validity(valid_until, title, locale),
        **title_values(title, locale),
        **offer_values("answer", title, locale),
    }
    return render_email("estimate_shared_friendly", locale, LINK, **values).text


def test_every_tone_has_a_text() -> None:
    assert {f"estimate_shared_{tone}" for tone in get_args(MessageTone)} <= set(words("en").emails)


def test_a_shared_estimate_is_from_the_workshop_and_has_the_link() -> None:
    text = shared("en", "Oak & Ash", "The worktop is oak.\nSee you soon!", "20 December 2026")
    assert "Here is your estimate 12/2026 “Oak & Ash”." in text
    assert "It is valid until 20 December 2026." in " ".join(text.split())
    assert "The worktop is oak.\nSee you soon!" in text
    assert f"Open the estimate:\n{LINK}\n" in text
    assert "Kind regards,\nOak & Ash\nsent with Backbench · office.example.com" in text


@pytest.mark.parametrize("locale", ["en", "pl"])
def test_missing_values_leave_no_holes(locale: UserLocale) -> None:
    text = shared(locale, EVIL)
    assert "evil" not in text
    assert "  " not in text
    assert " ." not in text
    assert "\n\n\n" not in text


def test_the_words_of_a_client_are_quoted_and_never_a_link() -> None:
    assert quoted_text("Too expensive.", "en", "app") == "“Too expensive.”"
    assert "evil" not in quoted_text(f"Please\n{EVIL}", "en", "page")
    assert quoted_text(" ", "pl", "app") == ""
    assert (signer("Ada", "en"), signer(EVIL, "en"), signer("", "pl")) == ("Ada", "The client", "Klient")


def test_a_receipt_carries_both_hashes_unbroken() -> None:
    values = {"workshop": "Oak", "contact": "", "estimate": "", "name": "Ada", "decided_at": "now", "total": "€10.00"}
    values |= {"sent_with": ""}
    values |= {"total_label": "Total", "name_row": name_row("Ada", "en"), "deposit_rows": "", "early_start": ""}
    values |= title_values("quotation", "en")
    receipt = render_email("decision_receipt_accepted", "en", **values, document_hash="d" * 64, pdf_hash="e" * 64)
    assert {"d" * 64, "e" * 64} <= set(receipt.text.splitlines())
    assert "simple electronic signature" in receipt.text
    assert "http" not in receipt.text


def test_only_a_telephone_number_and_an_address_are_shown_as_contact() -> None:
    assert contact("+48 600 700 800", "desk@oak.example") == "\n+48 600 700 800\ndesk@oak.example"
    assert contact("\u202a+48 600 700 800\u202c", "") == "\n+48 600 700 800"
    for phone in (EVIL, "600 700 800 or pay at evil.example", "call us", "12"):
        assert contact(phone, "no address") == ""


class Placeholders(dict[str, str]):
    """A value for each placeholder, where a test is about other ones."""

    def __missing__(self, key: str) -> str:
        return ""


@all_of("locale", get_args(UserLocale))
@all_of("kind", SHARING_TEXTS)
def test_emails_call_a_quotation_what_its_pdf_does(locale: DocumentLocale, kind: str) -> None:
    titles: tuple[DocumentTitle, ...] = ("quotation", "cost_estimate")
    for title, link in product(titles, get_args(MessageLink)):
        text = words(locale).emails[kind]
        values = Placeholders(title_values(title, locale), valid_until=validity("1 May", title, locale))
        values.update(offer_values(link, title, locale))
        lines = [text.subject, *text.before, text.button or "", *text.after]
        printed = " ".join(line.format_map(values) for line in lines).lower()
        other = r"wycen|ofer(?!ta|tę|ty)" if locale == "pl" else r"(?<!cost )estimate"
        assert re.search(other, printed) is None
        assert re.search({"en": "quotation|cost estimate", "pl": "ofert|kosztorys"}[locale], printed)


def test_polish_words_agree_with_the_title() -> None:
    assert "Kosztorys jest ważny do 1 maja." in shared("pl", "Dąb", valid_until="1 maja", title="cost_estimate")
    values = title_values("cost_estimate", "pl")
    text = words("pl").emails["decision_recorded_accepted"].before[0]
    printed = text.format_map(Placeholders(values, method="telefonicznie"))
    assert printed == "wykonawca zapisał, że kosztorys został przyjęty telefonicznie."


def test_a_subject_says_which_estimate_whose_and_how_much() -> None:
    label = estimate_label("Oak table", "15/2026", "en")
    assert subject_label(label, "Ewa Nowak", "€10.00") == "15/2026 “Oak table”, Ewa Nowak, €10.00"
    assert subject_label("", "", "€10.00") == "€10.00"


def test_a_decision_without_a_name_has_no_row_for_it() -> None:
    assert (name_row("Ada", "en"), name_row("", "pl"), name_row(EVIL, "en")) == ("Name: Ada\n", "", "")


def test_a_receipt_states_the_deposit_and_where_to_pay_it() -> None:
    assert (
        deposit_rows("€10.00", "PL61109010140000", "Estimate 34/2026", "en")
        == "\nDue with the order: €10.00\nBank account: PL61 1090 1014 0000\nReference: Estimate 34/2026"
    )
    assert deposit_rows("10 zł", "", "Wycena 34/2026", "pl") == "\nDo zapłaty przy zamówieniu: 10 zł"
    assert deposit_rows("", "PL61109010140000", "Estimate 34/2026", "en") == ""


def test_a_name_that_nobody_has_given_is_left_out_and_quotation_marks_are_nested() -> None:
    assert estimate_label("Wycena 23 lis", "1/2026", "pl") == " 1/2026"
    assert estimate_label("Cost estimate Nov 23 (2)", "", "en") == ""
    assert estimate_label("Cztery krzesła „Aga”", "1/2026", "pl") == " 1/2026 „Cztery krzesła «Aga»”"
    assert estimate_label("Chairs “Aga”", "", "en") == " “Chairs ‘Aga’”"
