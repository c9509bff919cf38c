"""Texts about shared estimates: nothing that a person wrote can look like a link of the service."""

from typing import get_args

import pytest

from backbench.domain.mail.emails import render_email
from backbench.domain.mail.sharing_values import contact, estimate_label, quoted_text, signer, validity, workshop_label
from backbench.domain.mail.texts import TEXTS
from backbench.domain.values.enums import MessageTone, UserLocale

LINK = "https://office.example.com/e/#bbl_t"
EVIL = "Win a prize at evil.example/login"


def shared(locale: UserLocale, name: str, message: str = "", valid_until: str = "") -> str:
    values = {
        "workshop": workshop_label(name, locale),
        "estimate": estimate_label(name, "12/2026", locale),
        "message": message,
        "contact": "",
        "valid_until": validity(valid_until, locale),
    }
    return render_email("estimate_shared_friendly", locale, LINK, host="office.example.com", **values).text


def test_every_tone_has_a_text() -> None:
    assert {f"estimate_shared_{tone}" for tone in get_args(MessageTone)} <= set(TEXTS)


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
    assert quoted_text("Too expensive.", "en") == "“Too expensive.”"
    assert "evil" not in quoted_text(f"Please\n{EVIL}", "en")
    assert quoted_text(" ", "pl") == ""
    assert (signer("Ada", "en"), signer(EVIL, "en"), signer("", "pl")) == ("Ada", "The client", "Klient")


def test_a_receipt_carries_both_hashes_unbroken() -> None:
    values = {"workshop": "Oak", "contact": "", "estimate": "", "name": "Ada", "decided_at": "now", "total": "€10.00"}
    values["total_label"] = "Total"
    receipt = render_email("decision_receipt_accepted", "en", **values, document_hash="d" * 64, pdf_hash="e" * 64)
    assert {"d" * 64, "e" * 64} <= set(receipt.text.splitlines())
    assert "simple electronic signature" in receipt.text
    assert "http" not in receipt.text


def test_only_a_telephone_number_and_an_address_are_shown_as_contact() -> None:
    assert contact("+48 600 700 800", "desk@oak.example") == "\n+48 600 700 800\ndesk@oak.example"
    for phone in (EVIL, "600 700 800 or pay at evil.example", "call us", "12"):
        assert contact(phone, "no address") == ""
