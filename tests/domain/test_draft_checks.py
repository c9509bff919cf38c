"""Drafted messages: what may go out, and everything that must not."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from backbench.domain.ai import Unfit
from backbench.domain.draft_checks import Line, faults_of_draft, tidied
from backbench.domain.drafts import DraftRequest, material, question
from backbench.domain.estimating.messages import MessageDraft, MessageFacts, draft
from backbench.domain.values.currencies import MINOR_DIGITS
from backbench.domain.values.enums import DocumentLocale, LineItemUnit, MessageTone
from backbench.domain.values.locales import money
from backbench.domain.values.money import plain


class Work(Struct, frozen=True):
    label: str
    unit: LineItemUnit
    quantity: Decimal


KITCHEN = MessageFacts(
    estimate_name="Kuchnia 3A",
    total=Decimal("17791.34"),
    currency="PLN",
    workshop_name="Stolarnia Dębowa",
    recipient_name="Anna Wiśniewska",
    tax=Decimal("3326.84"),
    tax_percent=Decimal("23"),
    valid_until=date(2026, 12, 5),
    crafter_name="Jan Kowalczyk",
    phone="+48 600 123 456",
    email="jan@stolarniadebowa.pl",
)
TABLE = MessageFacts("Oak table", Decimal("1250"), "EUR", "Oak & Ash", recipient_name="Łucja", crafter_name="Anna")
WORK = [
    Work("Krzesło dębowe", "piece", Decimal(6)),
    Work("Oak chair", "piece", Decimal(4)),
    Work("Fitting", "hour", Decimal("2.5")),
    Work("Lacquer 120 g/m²", "sqm", Decimal(14)),
]
Kind = tuple[DocumentLocale, MessageTone, bool]
KINDS: list[Kind] = list(product(get_args(DocumentLocale), get_args(MessageTone), (False, True)))


def faults(
    body: str, facts: MessageFacts = TABLE, locale: DocumentLocale = "en", subject: str = "", lines: Sequence[Line] = ()
) -> list[str]:
    """What is wrong with a message whose body holds this beside a greeting, a signature and nothing else."""
    words = {
        "en": "Thank you for your enquiry. This is our estimate and we are glad to help you with it.",
        "pl": "Dziękujemy za zapytanie. Przesyłamy wycenę, prosimy o wiadomość w razie pytań.",
    }
    written = f"{words[locale]}\n\n{body}\n\n{facts.workshop_name}"
    message = tidied(MessageDraft(subject or facts.estimate_name, written))
    return faults_of_draft(message, facts, lines or WORK, locale, False, "Say no more than what the material says.")


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("facts", [KITCHEN, TABLE], ids=lambda facts: facts.estimate_name)
def test_the_built_in_templates_may_go_out(facts: MessageFacts, kind: Kind) -> None:
    locale, _, preliminary = kind
    assert faults_of_draft(tidied(draft(facts, *kind)), facts, [], locale, preliminary, "") == []


sums = st.decimals(Decimal("0.01"), Decimal("99999999"), places=2)


@given(total=sums, kind=st.sampled_from(KINDS), currency=st.sampled_from(sorted(MINOR_DIGITS)))
def test_every_sum_in_every_currency_may_go_out_as_the_template_writes_it(
    total: Decimal, kind: Kind, currency: str
) -> None:
    total = total.quantize(Decimal(1).scaleb(-MINOR_DIGITS[currency]))
    facts = replace(TABLE, total=plain(total), currency=currency)
    locale, _, preliminary = kind
    assert faults_of_draft(tidied(draft(facts, *kind)), facts, [], locale, preliminary, "") == []


@given(total=sums, other=sums, kind=st.sampled_from(KINDS), data=st.data())
def test_no_other_sum_goes_out_however_it_is_written(
    total: Decimal, other: Decimal, kind: Kind, data: st.DataObject
) -> None:
    locale, _, preliminary = kind
    facts = replace(TABLE, total=plain(total))
    notation = data.draw(st.sampled_from(get_args(DocumentLocale)))
    written = data.draw(
        st.sampled_from([money(other, "EUR", notation), f"{other} EUR", f"€{other}", f"{other:,}€", str(other)])
    )
    message = draft(facts, *kind)
    sent = MessageDraft(message.subject, message.body.replace(money(facts.total, "EUR", locale), written))
    found = faults_of_draft(tidied(sent), facts, [], locale, preliminary, "")
    if other != total:
        assert found


@given(kind=st.sampled_from(KINDS), data=st.data())
def test_no_digit_of_a_message_can_be_changed(kind: Kind, data: st.DataObject) -> None:
    locale, _, preliminary = kind
    facts = replace(KITCHEN, estimate_name="Kuchnia", phone="")
    message = tidied(draft(facts, *kind))
    at = data.draw(st.sampled_from([found.start() for found in re.finditer("[0-9]", message.body)]))
    digit = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != message.body[at]]))
    changed = message.body[:at] + digit + message.body[at + 1 :]
    assert faults_of_draft(MessageDraft(message.subject, changed), facts, [], locale, preliminary, "")


@pytest.mark.parametrize(
    "sentence",
    [
        "The total is €1,250.00.",
        "The total is EUR 1,250.",
        "The total is 1250.00 EUR.",
        "The total is 1.250,00 €.",
        "The total is 1 250,00 euro.",
        "In all, 1'250.00 EUR for 4 chairs.",
        "We would make 4 × Oak chair. The total is €1,250.00.",
        "We would make four oak chairs. The total is €1,250.00.",
        "It includes 14 m² of lacquer and 2.5 hours of fitting; the total is €1,250.00.",
        "It includes Oak chair (4) and Lacquer 120 g/m². The total is €1,250.00.",
        "Feel free to call us. The total is €1,250.00 and one of us will answer.",
    ],
)
def test_an_honest_english_sentence_may_go_out(sentence: str) -> None:
    assert faults(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Łączna kwota: 17\u00a0791,34\u00a0zł.",
        "Łączna kwota wynosi 17 791,34 zł, w tym VAT 23%: 3 326,84 zł.",
        "Kwota 17791,34 PLN (z podatkiem 23 procent).",
        "Kwota 17.791,34 złotych za 6 krzeseł dębowych.",
        "Sześć krzeseł i meble razem: 17 791.34 zł. Ten termin: do 5 grudnia 2026 r.",
        "Całość wychodzi 17 791,34 zł, wycena jest ważna do soboty, 5 grudnia 2026 roku.",
        "Całość wychodzi 17 791,34 zł, wycena jest ważna do 05.12.2026.",
        "Całość wychodzi 17 791,34 zł, wycena jest ważna do 2026-12-05. Dziękujemy z góry, Anna i Jan.",
        "Całość wychodzi 17 791,34 zł. Telefon: +48 600 123 456, poczta: jan@stolarniadebowa.pl, m.in. wieczorem.",
    ],
)
def test_an_honest_polish_sentence_may_go_out(sentence: str) -> None:
    assert faults(sentence, KITCHEN, "pl") == []


@pytest.mark.parametrize(
    "sentence",
    [
        # Another sum, in every dress.
        "The total is €1,251.00.",
        "The total is €1.250.",
        "The total is €1,250,00.",
        "The total is €12,50.00.",
        "The total is 1250.",
        "The total is $1,250.00.",
        "The total is PLN 1,250.00.",
        "The total is ¥1,250.00.",
        "The total is €1,250.00k.",
        "The total is €1,250.00 thousand.",
        "The total is -€1,250.00.",
        "The total is −1,250.00 EUR.",
        "The total is €01,250.00.",
        "The total is €1,250.00０.",
        "The total is €１,２５０.",
        "The total is €١٢٥٠. That is €1,250.00.",
        "The total is €5OO, that is €1,250.00.",
        "The total is €1,250.00½.",
        "The total is €1️⃣, that is €1,250.00.",
        "The total is €9\u200b,1,250.00.",
        "The total is €1,250.00 and 99 cents.",
        "The total is five hundred euros, or €1,250.00.",
        "The total is twelve, or €1,250.00.",
        "The total is MMD euro, or €1,250.00.",
        # The right sum, made another.
        "The total is from €1,250.00.",
        "The total is at least €1,250.00.",
        "The total is €1,250.00 per hour.",
        "The total is €1,250.00/month.",
        "The total is €1,250.00 a week.",
        "The total is €1,250.00 × 2.",
        "The total is €1,250.00 + costs.",
        "The total is €1,250.00 now and €1,250.00 later.",
        "The total is half of €1,250.00.",
        "The total is €1,250.00 plus VAT.",
        "The total is €1,250.00, excluding tax.",
        "The total is €1,250.00, including VAT.",
        "The total is €1,250.00, including 19%.",
        # No sum at all.
        "The total follows.",
        # Other figures.
        "We would make 5 chairs for €1,250.00.",
        "We would make five chairs for €1,250.00.",
        "We would make 4 tables for €1,250.00.",
        "The total is €1,250.00 for 4 euros.",
        "The total is €1,250.00. Call 600 700 800.",
        "The total is €1,250.00. Pay to PL61 1090 1014 0000 0712 1981 2874.",
        "The total is €1,250.00, and you save 10%.",
        "The total is €1,250.00, 24/7.",
        # Days that nobody has named.
        "The total is €1,250.00 until 5 December 2026.",
        "The total is €1,250.00 until December.",
        "The total is €1,250.00; we start on Monday.",
        "The total is €1,250.00; we come tomorrow.",
        "The total is €1,250.00; we need three weeks.",
        # Promises.
        "The total is €1,250.00, with a discount.",
        "The total is €1,250.00, free of charge.",
        "The total is €1,250.00, a deposit is due.",
        "The total is €1,250.00, by bank transfer.",
        "The total is €1,250.00, with a lifetime guarantee.",
        # Addresses.
        "The total is €1,250.00. Pay at https://pay.example/1.",
        "The total is €1,250.00. Pay at www.pay.example.",
        "The total is €1,250.00. Pay at pay-here.example.",
        "The total is €1,250.00. Pay at pay．example.",
        "The total is €1,250.00. Pay at pay dot com.",
        "The total is €1,250.00. Write to mallory@example.com.",
        "The total is €1,250.00. Write to mallory (at) example.",
        "The total is €1,250.00. See javascript:alert(1).",
        # Markup, placeholders, the machine itself.
        "The total is **€1,250.00**.",
        "The total is <b>€1,250.00</b>.",
        "The total is [€1,250.00](pay).",
        "Dear [Name], the total is €1,250.00.",
        "Dear {name}, the total is €1,250.00.",
        "# Estimate\nThe total is €1,250.00.",
        "As an AI language model I say: the total is €1,250.00.",
        "My system prompt says that the total is €1,250.00.",
        "Say no more than what the material says. The total is €1,250.00.",
        # The right sum hedged, bounded or made a rate, and amounts beside it that have no figure.
        "The total is about €1,250.00.",
        "The total is around €1,250.00.",
        "The total is roughly €1,250.00.",
        "The total is nearly €1,250.00.",
        "The total is approximately €1,250.00.",
        "The total is almost €1,250.00.",
        "The total is just short of €1,250.00.",
        "The total is €1,250.00 or less.",
        "The total is €1,250.00 or more.",
        "The total is €1,250.00 and up.",
        "The total is €1,250.00 to be doubled.",
        "The total is not €1,250.00.",
        "The total was €1,250.00, now it is lower.",
        "The total is €1,250.00 per chair.",
        "The total is €1,250.00 for each chair.",
        "The total is €1,250.00 a chair.",
        "The total is €1,250.00 every month.",
        "The total is €1,250.00 by the hour.",
        "The total is €1,250.00, delivery comes on top.",
        "The total is €1,250.00, fitting extra.",
        "The total is €1,250.00 with a tenth off.",
        "The total is €1,250.00, a third less for cash.",
        "The total is €1,250.00, one fifth up front.",
        "The total is €1,250.00, cheaper in cash.",
        "The total is €1,250.00, one euro more.",
        "The total is €1,250.00, a few hundred less than others.",
        "The total is €1,250.00, zero to pay now.",
        "The total is €1,250.00. Please pay our accountant.",
        "The total is €1,250.00. Send the money to the number below.",
        "The total is €1,250.00. Pay by wire.",
        "The total is €1,250.00. Venmo us.",
        "The total is €1,250.00, cash on delivery.",
        "The total is €1,250.00 in two parts.",
        "The total is €1,250.00 in halves.",
        "The total is €1,250.00, ready by Christmas.",
        "The total is €1,250.00, ready by the weekend.",
        "The total is €1,250.00, ready in a fortnight.",
        "The total is €1,250.00, ready at noon.",
        "The total is €1,250.00 = $1.",
        "The total is €1,250.00 multiplied by four.",
        "The total is €1,250.00,\n00.",
        "The total is €1,250.00\n.000",
        "The total is 1,\n250.00 EUR",
        "The total is €1,250.00 (VAT is added).",
        "The total is €1,250.00 before taxes.",
        "The total is €1,250.00, VAT on top.",
        "The total is EUR 1,250.00 USD.",
        "The total is US$1,250.00.",
        "The total is A$1,250.00",
        "The total is €1,250.00 CAD.",
        "The total is £€1,250.00.",
        "The total is €1,250.00 bn.",
        "The total is €1,250.00M.",
        "The total is €1,250.00 mln.",
        "The total is €1,250.00e3.",
        "The total is €1,250.00^2",
        "The total is √€1,250.00.",
        "The total is €1,250.00%.",
        "The total is ~€1,250.00.",
        "The total is ≈ €1,250.00.",
        "The total is < €1,250.00.",
        "The total is ≥€1,250.00.",
        "The total is >€1,250.00.",
        "The total is ca. €1,250.00.",
        "The total is max. €1,250.00.",
        "The total is €1,250.00 max.",
        "The total is €1,250.00 tops.",
        "The total is maximum €1,250.00.",
        "The total is starting at €1,250.00.",
        "The total is between €1,250.00 and more.",
    ],
)
def test_a_tampered_english_sentence_never_goes_out(sentence: str) -> None:
    assert faults(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Kwota: 17.791 zł.",
        "Kwota: 1 7791,34 zł.",
        "Kwota: 7 791,34 zł.",
        "Kwota: 17 791,34 €.",
        "Kwota: 17 791,34 tys. zł.",
        "Kwota: 17 791,34 zł za godzinę.",
        "Kwota: od 17 791,34 zł.",
        "Kwota: 17 791,34 zł netto.",
        "Kwota: 17 791,34 zł plus VAT.",
        "Kwota: 17 791,34 zł, w tym VAT 8%: 3 326,84 zł.",
        "Kwota: 3 326,84 zł.",
        "Kwota: 3 326,84 zł, czyli VAT; razem 3 326,84 zł.",
        "Kwota: 17 791,34 zł i 50 groszy.",
        "Kwota: dwieście złotych, czyli 17 791,34 zł.",
        "Kwota: sto, czyli 17 791,34 zł.",
        "Kwota: 17 791,34 zł za siedem krzeseł.",
        "Kwota: 17 791,34 zł do 6 grudnia 2026 r.",
        "Kwota: 17 791,34 zł do 5 grudnia 2027 r.",
        "Kwota: 17 791,34 zł do piątku, 5 grudnia 2026 r.",
        "Kwota: 17 791,34 zł do 12/05/2026.",
        "Kwota: 17 791,34 zł, zaczynamy 5 grudnia 2026 r.",
        "Kwota: 17 791,34 zł od 5 grudnia 2026 r.",
        "Kwota: 17 791,34 zł, zaczynamy w styczniu.",
        "Kwota: 17 791,34 zł, będziemy jutro.",
        "Kwota: 17 791,34 zł z rabatem.",
        "Kwota: 17 791,34 zł, gratis.",
        "Kwota: 17 791,34 zł, prosimy o zaliczkę.",
        "Kwota: 17 791,34 zł przelewem na rachunek bankowy.",
        "Kwota: 17 791,34 zł. Więcej na oszust.pl.",
        "Kwota: 17 791,34 zł. Jako model językowy nic nie wiem.",
        "The total is 17 791,34 zł and this is for you, with our thanks, if it is of use.",
        # Hedges, bounds, rates, and amounts as they are said at a market.
        "Kwota: siedemnaście tysięcy siedemset dziewięćdziesiąt jeden złotych, czyli 17 791,34 zł.",
        "Kwota: 17 791,34 zł. Połowa z góry.",
        "Kwota: 17 791,34 zł, druga rata po montażu.",
        "Kwota: 17.791,34 zł oraz 1.000,00 zł transport.",
        "Kwota: 17 791,34 zł (18 tys.).",
        "Kwota: 17\u00a0791,34\u00a0zł, przy gotówce 15\u00a0000\u00a0zł.",
        "Kwota: 17 791,34 zł, przy płatności gotówką taniej.",
        "Kwota: 17 791,34 PLN/EUR.",
        "Kwota: 17 791,34 zł.\n1\n500 zł transport.",
        "Kwota: 17\n791,34 zł.",
        "Kwota: 17 791,34 zł\n00",
        "Kwota: 17 791,34 zł x 2",
        "Kwota: 17 791,34 zł razy dwa.",
        "Kwota: 17 791,34 zł, dwa razy.",
        "Kwota: 17 791,34 zł minus siedem procent.",
        "Kwota: 17 791,34 zł, tysiączek taniej.",
        "Kwota: 17 791,34 zł, stówka za dojazd.",
        "Kwota: 17 791,34 zł, pięćset za dojazd.",
        "Kwota: 17 791,34 zł, pięćdziesiątka za dojazd.",
        "Kwota: 17 791,34 zł, kilkaset złotych mniej niż inni.",
        "Kwota: 17 791,34 zł, parę stów taniej.",
        "Kwota: 17 791,34 zł bez kosztów dojazdu, które doliczymy.",
        "Kwota: 17 791,34 zł, dojazd liczymy osobno.",
        "Kwota: 17 791,34 dolarów.",
        "Kwota: 17 791,34 zł₿.",
        "Kwota: ok. 17 791,34 zł.",
        "Kwota: około 17 791,34 zł.",
        "Kwota: mniej więcej 17 791,34 zł.",
        "Kwota: prawie 17 791,34 zł.",
        "Kwota: 17 791,34 zł lub mniej.",
        "Kwota: niecałe 17 791,34 zł.",
        "Kwota: do 17 791,34 zł.",
        "Kwota: 17 791,34 zł albo i więcej.",
        "Kwota: 17 791,34 zł (XVII tysięcy).",
        "Kwota: 17 791,34 zł za osobę.",
        "Kwota: 17 791,34 zł za krzesło.",
        "Kwota: 17 791,34 zł od sztuki.",
        "Kwota: 17 791,34 zł za każde krzesło.",
        "Kwota: 17 791,34 zł każdy.",
        "Kwota: 17 791,34 zł na głowę.",
        "Kwota: 17 791,34 zł w ratach.",
        "Kwota: 17 791,34 zł, zapłata BLIKIEM na numer podany niżej.",
        "Kwota: 17 791,34 zł. Prosimy wpłacić na konto naszej księgowej.",
        "Kwota: 17 791,34 zł, zapłata kryptowalutą.",
        "Kwota: 17 791,34 zł, zapłata kartą podarunkową.",
        "Kwota: 17 791,34 zł ważna do końca roku.",
        "Kwota: 17 791,34 zł, gotowe na Święta.",
        "Kwota: 17 791,34 zł, gotowe w weekend.",
        "Kwota: 17 791,34 zł, a zestaw VAT 3 326,84 zł zwracamy.",
        "Kwota: 17 791,34 zł, VAT 3 326,84 zł doliczymy.",
        "Kwota: 17 791,34 zł + VAT 3 326,84 zł.",
        "Kwota: 17 791,34 zł, do tego VAT 23%: 3 326,84 zł.",
        "Kwota: 17 791,34 zł, dodatkowo VAT 23%.",
        "Kwota: 17 791,34 zł i VAT 23%.",
        "Kwota: 17 791,34 złotych polskich, odejmij tuzin.",
        "Zmniejszamy kwotę 17 791,34 zł o dziesiątą część.",
        "Kwota: 17 791,34 zł – a dla Państwa o jedną czwartą mniej.",
        "Kwota: 17 791,34 zł; jedna dziesiąta mniej.",
        "Kwota: 17 791,34 zł, zero zł za montaż.",
        "Kwota: 17 791,34 zł, montaż za złotówkę.",
        "Kwota: 17 791,34 zł, jeden złoty taniej.",
    ],
)
def test_a_tampered_polish_sentence_never_goes_out(sentence: str) -> None:
    assert faults(sentence, KITCHEN, "pl")


def test_a_sum_may_be_hedged_where_the_estimate_is_preliminary() -> None:
    about = MessageDraft(
        "Preliminary estimate", "Thank you. Our preliminary estimate for you is about €1,250.00.\n\nOak & Ash"
    )
    assert faults_of_draft(tidied(about), TABLE, WORK, "en", True, "") == []


def test_a_sum_in_a_name_is_no_sum_of_the_estimates() -> None:
    facts = replace(TABLE, estimate_name="Table for 1.00 EUR")
    assert faults("Table for 1.00 EUR. The total is €1,250.00.", facts)


def test_a_name_that_is_a_number_hides_no_number() -> None:
    facts = replace(TABLE, estimate_name="250")
    assert faults("The total is 250, that is €1,250.00.", facts, subject="Estimate")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Per", "The total is €1,250.00 per hour."),
        ("Half Moon", "The total is half of €1,250.00."),
        ("From", "The total is from €1,250.00."),
        ("Plus Vat", "The total is €1,250.00 plus Vat."),
        ("Jan Za Darmo", "The total is €1,250.00, za darmo."),
        ("Hundred Euro", "The total is hundred euro, €1,250.00."),
    ],
)
def test_a_clients_name_hides_no_terms(name: str, sentence: str) -> None:
    assert faults(sentence, replace(TABLE, recipient_name=name))


def test_a_client_may_be_called_like_a_month() -> None:
    assert faults("Dear June, the total is €1,250.00.", replace(TABLE, recipient_name="June Per-Olsen Smith"))
    assert faults("Dear June, the total is €1,250.00.", replace(TABLE, recipient_name="June Smith")) == []


def test_a_message_must_be_signed_by_the_workshop() -> None:
    message = tidied(draft(TABLE, "en", "formal", False))
    unsigned = MessageDraft(message.subject, message.body.replace("Oak & Ash", "Elm & Co"))
    assert faults_of_draft(unsigned, TABLE, [], "en", False, "")


@pytest.mark.parametrize("locale", get_args(DocumentLocale))
def test_a_preliminary_estimate_is_called_that_and_no_other_is(locale: DocumentLocale) -> None:
    rough, firm = (tidied(draft(TABLE, locale, "formal", preliminary)) for preliminary in (True, False))
    assert faults_of_draft(firm, TABLE, [], locale, True, "")
    assert faults_of_draft(rough, TABLE, [], locale, False, "")


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_message_in_the_other_language_is_refused(kind: Kind) -> None:
    locale, tone, preliminary = kind
    other: DocumentLocale = "en" if locale == "pl" else "pl"
    assert faults_of_draft(tidied(draft(TABLE, other, tone, preliminary)), TABLE, [], locale, preliminary, "")


@pytest.mark.parametrize(("subject", "body"), [("", "x"), ("x", ""), ("x" * 151, "x"), ("x", "x" * 2001)])
def test_a_message_has_a_length(subject: str, body: str) -> None:
    assert len(faults_of_draft(MessageDraft(subject, body), TABLE, [], "en", False, "")) == 1


@given(st.text(max_size=300), st.sampled_from(get_args(DocumentLocale)))
def test_any_text_can_be_looked_at(text: str, locale: DocumentLocale) -> None:
    message = tidied(MessageDraft(text, text))
    assert all(character.isprintable() or character in "\n\u200d\u00a0" for character in "".join(message.body.split()))
    faults_of_draft(message, KITCHEN, WORK, locale, False, "")


def test_the_model_is_told_what_the_client_may_know_and_no_more() -> None:
    told = material(DraftRequest(KITCHEN, WORK, "pl", "formal", False))
    assert set(told) == {
        "estimateName", "workshopName", "recipientName", "crafterName", "phone", "email", "total", "taxInTotal",
        "validUntil", "work",
    }  # fmt: skip
    assert told["total"] == "17\u00a0791,34\u00a0zł"
    assert told["work"][0] == {"what": "Krzesło dębowe", "quantity": "6\u00a0sztuk"}


def test_a_long_estimate_is_told_in_part() -> None:
    told = material(DraftRequest(KITCHEN, WORK * 100, "pl", "formal", False))
    assert len(told["work"]) == 40


def test_the_check_of_a_question_is_this_one() -> None:
    asked = question(DraftRequest(TABLE, [], "en", "formal", False))
    fit = asked.check(draft(TABLE, "en", "formal", False))
    assert fit.subject == "Estimate: Oak table"
    with pytest.raises(Unfit):
        asked.check(draft(replace(TABLE, total=Decimal(1)), "en", "formal", False))
