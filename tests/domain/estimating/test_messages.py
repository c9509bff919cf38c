"""The built-in message drafts: complete, in the client's language, and with nothing left to fix."""

from datetime import date
from decimal import Decimal
from itertools import product
from typing import get_args

import pytest
from msgspec.structs import replace

from backbench.domain.estimating.messages import MessageDraft, MessageFacts, draft
from backbench.domain.values.enums import DocumentLocale, MessageTone

KITCHEN = MessageFacts(
    estimate_name="Kuchnia {dębowa}",
    total=Decimal("17791.34"),
    currency="PLN",
    workshop_name="Stolarnia Dębowa",
    recipient_name="Anna Wiśniewska",
    tax=Decimal("3326.84"),
    tax_percent=Decimal("8.5"),
    valid_until=date(2026, 12, 21),
    crafter_name="Jan Kowalczyk",
    phone="+48 600 123 456",
    email="jan@stolarniadebowa.pl",
)
BARE = MessageFacts("Naprawa", Decimal(5), "EUR", "Warsztat")

Kind = tuple[DocumentLocale, MessageTone, bool]
KINDS: list[Kind] = list(product(get_args(DocumentLocale), get_args(MessageTone), (False, True)))
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def written(facts: MessageFacts, kind: Kind) -> MessageDraft:
    return draft(facts, *kind)


@every_kind
def test_a_draft_names_the_estimate_in_subject_and_body(kind: Kind) -> None:
    message = written(KITCHEN, kind)

    assert "Kuchnia {dębowa}" in message.subject
    assert "Kuchnia {dębowa}" in message.body


@every_kind
def test_a_draft_names_the_recipient(kind: Kind) -> None:
    assert "Anna Wiśniewska" in written(KITCHEN, kind).body


@every_kind
def test_a_draft_tells_total_and_tax_in_the_locales_form(kind: Kind) -> None:
    in_locale = {
        "pl": "17\u00a0791,34\u00a0zł (w tym VAT 8,5%: 3\u00a0326,84\u00a0zł)",
        "en": "PLN\u00a017,791.34 (including 8.5% VAT: PLN\u00a03,326.84)",
    }

    assert in_locale[kind[0]] in written(KITCHEN, kind).body


@every_kind
def test_a_draft_tells_until_when_it_holds(kind: Kind) -> None:
    in_locale = {"pl": "do 21 grudnia 2026 r.", "en": "until 21 December 2026."}

    assert in_locale[kind[0]] in written(KITCHEN, kind).body


@every_kind
def test_a_draft_ends_with_who_writes_and_where_to_answer(kind: Kind) -> None:
    signature = "\nJan Kowalczyk\nStolarnia Dębowa\n+48 600 123 456\njan@stolarniadebowa.pl"

    assert written(KITCHEN, kind).body.endswith(signature)


@every_kind
def test_a_workshop_named_after_its_crafter_signs_once(kind: Kind) -> None:
    body = written(replace(KITCHEN, workshop_name="Jan Kowalczyk"), kind).body

    assert body.count("Jan Kowalczyk") == 1


@every_kind
def test_a_draft_says_whether_it_is_preliminary(kind: Kind) -> None:
    message = written(KITCHEN, kind)
    marks = ("wstępn", "preliminary", "first estimate")

    assert any(mark in message.body.lower() for mark in marks) == kind[2]
    assert any(mark in message.subject.lower() for mark in marks) == kind[2]


@every_kind
def test_a_draft_without_details_has_no_gaps(kind: Kind) -> None:
    message = written(BARE, kind)

    assert message.body.endswith("\nWarsztat")
    assert "\n\n\n" not in message.body
    assert not any(fault in message.body for fault in ("None", " ,", " .", "()", "  ", ".."))


def test_a_nameless_client_is_greeted_all_the_same() -> None:
    greetings = [written(BARE, kind).body.splitlines()[0] for kind in KINDS]

    assert set(greetings) == {"Szanowni Państwo,", "Dzień dobry,", "Dear Sir or Madam,", "Hello,"}


def test_no_two_drafts_are_alike() -> None:
    assert len({written(KITCHEN, kind).body for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind[0] == "pl"], ids=str)
def test_polish_drafts_do_not_guess_a_clients_gender(kind: Kind) -> None:
    words = written(replace(KITCHEN, recipient_name=""), kind).body.split()

    assert not {"Pan", "Pani", "Pana", "Panią", "Panu"} & set(words)


@every_kind
def test_a_workshops_own_tax_word_is_used(kind: Kind) -> None:
    body = written(replace(KITCHEN, tax_label="MwSt"), kind).body

    assert {"pl": "w tym MwSt 8,5%:", "en": "including 8.5% MwSt:"}[kind[0]] in body
