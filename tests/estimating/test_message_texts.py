"""Message templates: complete, in the client's language, and ready to send."""

from datetime import date
from decimal import Decimal
from itertools import product
from typing import get_args

import pytest
from msgspec.structs import replace

from backbench.estimating.message_texts import MessageDraft, MessageFacts, draft
from backbench.values.enums import DepositKind, DocumentLocale, MessageChannel, MessageTone, UserLocale
from tests.support.violations import all_of

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
KINDS: list[Kind] = list(product(get_args(UserLocale), get_args(MessageTone), (False, True)))
every_kind = all_of("kind", KINDS, ids=str)


def drafted(facts: MessageFacts, kind: Kind) -> MessageDraft:
    return draft(facts, *kind)


@every_kind
def test_a_draft_names_the_estimate_in_subject_and_body(kind: Kind) -> None:
    message = drafted(KITCHEN, kind)

    assert "Kuchnia {dębowa}" in message.subject
    assert "Kuchnia {dębowa}" in message.body


@pytest.mark.parametrize(
    ("kind", "name", "greeting"),
    [
        (("en", "formal", False), "Anna Wiśniewska", "Dear Anna Wiśniewska,"),
        (("en", "friendly", False), "Anna", "Hi Anna,"),
        (("en", "friendly", False), "Anna i Tomasz Lewandowscy", "Hello,"),
        (("pl", "formal", False), "Anna Wiśniewska", "Szanowni Państwo,"),
        (("pl", "friendly", True), "Anna", "Dzień dobry,"),
    ],
)
def test_a_client_is_greeted_by_a_name_that_fits(kind: Kind, name: str, greeting: str) -> None:
    assert drafted(replace(KITCHEN, recipient_name=name), kind).body.startswith(f"{greeting}\n")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind[0] == "pl"], ids=str)
def test_a_polish_draft_does_not_name_its_reader(kind: Kind) -> None:
    assert "Wiśniewska" not in drafted(KITCHEN, kind).body


@every_kind
def test_a_revised_estimate_is_called_so_where_the_client_may_know_an_earlier_one(kind: Kind) -> None:
    words = {"pl": ("poprawion", "wersja 2"), "en": ("revised", "revision 2")}[kind[0]]
    first, second = (drafted(replace(KITCHEN, revision_number=2, is_revised=known), kind) for known in (False, True))

    assert not any(word in first.body for word in words)
    assert all(word in second.body for word in words)
    assert words[0] in second.subject.lower()


@every_kind
def test_a_draft_mentions_the_pdf_only_if_it_goes_with_it(kind: Kind) -> None:
    word = {"pl": "załącznik", "en": "attached"}[kind[0]]

    assert word in drafted(replace(KITCHEN, with_pdf=True), kind).body
    assert word not in drafted(KITCHEN, kind).body


@every_kind
def test_a_chat_message_is_short_and_complete(kind: Kind) -> None:
    body = drafted(replace(KITCHEN, channel="message"), kind).body

    assert "\n\n" not in body
    assert len(body) < 420
    assert all(text in body for text in ("Kuchnia {dębowa}", "17", "791", "Stolarnia Dębowa"))


@every_kind
def test_a_draft_states_total_and_tax_in_the_format_of_the_locale(kind: Kind) -> None:
    in_locale = {
        "pl": "17\u00a0791,34\u00a0zł (w tym 3\u00a0326,84\u00a0zł VAT 8,5%)",
        "en": "PLN\u00a017,791.34 (including 8.5% VAT: PLN\u00a03,326.84)",
    }

    assert in_locale[kind[0]] in drafted(KITCHEN, kind).body


@every_kind
def test_a_draft_states_the_end_of_its_validity_unless_preliminary(kind: Kind) -> None:
    in_locale = {"pl": "do 21 grudnia 2026\u00a0r.", "en": "until 21 December 2026."}

    assert (in_locale[kind[0]] in drafted(KITCHEN, kind).body) is not kind[2]


@every_kind
def test_a_draft_ends_with_names_and_contact(kind: Kind) -> None:
    signature = "\nJan Kowalczyk\nStolarnia Dębowa\n+48 600 123 456\njan@stolarniadebowa.pl"

    assert drafted(KITCHEN, kind).body.endswith(signature)


@every_kind
def test_a_workshop_named_after_its_crafter_signs_once(kind: Kind) -> None:
    body = drafted(replace(KITCHEN, workshop_name="Jan Kowalczyk"), kind).body

    assert body.count("Jan Kowalczyk") == 1


@every_kind
def test_a_draft_says_whether_it_is_preliminary(kind: Kind) -> None:
    message = drafted(KITCHEN, kind)
    marks = ("wstępn", "preliminary")

    assert any(mark in message.body.lower() for mark in marks) == kind[2]
    assert any(mark in message.subject.lower() for mark in marks) == kind[2]


@every_kind
def test_a_draft_without_details_has_no_gaps(kind: Kind) -> None:
    message = drafted(BARE, kind)

    assert message.body.endswith("\nWarsztat")
    assert "\n\n\n" not in message.body
    assert not any(gap in message.body for gap in ("None", " ,", " .", "()", "  ", ".."))


def test_a_client_without_a_name_is_greeted() -> None:
    greetings = [drafted(BARE, kind).body.splitlines()[0] for kind in KINDS]

    assert set(greetings) == {"Szanowni Państwo,", "Dzień dobry,", "Dear Sir or Madam,", "Hello,"}


def test_no_two_drafts_are_alike() -> None:
    assert len({drafted(KITCHEN, kind).body for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind[0] == "pl"], ids=str)
def test_polish_drafts_do_not_guess_a_clients_gender(kind: Kind) -> None:
    words = drafted(replace(KITCHEN, recipient_name=""), kind).body.split()

    assert not {"Pan", "Pani", "Pana", "Panią", "Panu"} & set(words)


@every_kind
def test_the_workshops_tax_label_is_used(kind: Kind) -> None:
    body = drafted(replace(KITCHEN, tax_label="MwSt"), kind).body

    assert {"pl": "zł MwSt 8,5%)", "en": "including 8.5% MwSt:"}[kind[0]] in body


@all_of("channel", ["message", "email"])
@every_kind
def test_a_draft_with_a_link_leads_there_and_asks_for_no_reply(kind: Kind, channel: MessageChannel) -> None:
    facts = replace(KITCHEN, channel=channel)
    plain = drafted(facts, kind).body
    answered, read = (drafted(replace(facts, link=link), kind).body for link in ("answer", "read"))
    asks = {
        ("en", "friendly"): "just reply to this message",
        ("en", "formal"): "please confirm by that date",
        ("pl", "friendly"): "wystarczy krótka odpowiedź",
        ("pl", "formal"): "prosimy o potwierdzenie",
    }[kind[:2]]

    assert "{link}" not in plain
    assert [body.count(":\n{link}\n") for body in (answered, read)] == [1, 1]
    assert (asks in plain, asks in answered, asks in read) == (not kind[2], False, not kind[2])
    accept = {"pl": "przyjąć", "en": "accept"}[kind[0]]
    assert (accept in answered, accept in read) == (True, False)


@every_kind
def test_a_name_that_the_app_gave_is_left_out_of_the_sentence(kind: Kind) -> None:
    for name in ("Estimate 23 Nov", "Wycena 2 gru (2)"):
        assert name not in drafted(replace(KITCHEN, estimate_name=name), kind).body
    assert "Wycena kuchni" in drafted(replace(KITCHEN, estimate_name="Wycena kuchni"), kind).body


@pytest.mark.parametrize(
    ("deposit_kind", "english", "polish"),
    [
        ("advance", "The deposit with the order is ", "Zaliczka przy zamówieniu: "),
        ("earnest", "The earnest money with the order is ", "Zadatek przy zamówieniu: "),
    ],
)
def test_a_deposit_is_called_as_in_the_document(deposit_kind: DepositKind, english: str, polish: str) -> None:
    facts = replace(KITCHEN, deposit=Decimal(500), deposit_kind=deposit_kind)

    assert english in drafted(facts, ("en", "formal", False)).body
    assert polish in drafted(facts, ("pl", "formal", False)).body
