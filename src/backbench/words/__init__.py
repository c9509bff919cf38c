"""Words of the service: one file for each language, read as Structs.

`{name}` in a text is a placeholder. Both files have the same words and each word the same placeholders, which
`tests/test_words.py` holds them to.
"""

import threading
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

from backbench.values.enums import (
    DecisionMethod,
    DocumentLocale,
    DocumentTitle,
    LineItemUnit,
    MessageLink,
    MessageTone,
    PaymentMethod,
    UserLocale,
    Withdrawal,
)

LOCALES: tuple[UserLocale, ...] = get_args(UserLocale)


class _Words(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Formats(_Words, frozen=True):
    """Of numbers, money and dates. `signs`: of currencies; others are written with their code.

    `quotes`: around a text, and `inner_quotes` those that the text itself has then, before and after. `short_words`: a
    word of one letter never ends a line.
    """

    thousands: str
    decimal: str
    price: str
    price_with_code: str
    day: str
    months: tuple[str, ...]
    quotes: str
    inner_quotes: tuple[str, str]
    csv_delimiter: str
    short_words: bool
    signs: Mapping[str, str]


class PluralForms(_Words, frozen=True, array_like=True):
    """A noun by the plural category of its number, as in CLDR: 1 sztuka, 2 sztuki, 5 sztuk, 1,5 sztuki.

    CLDR calls `fraction` "other". English uses `one` for 1, and one form for the rest.
    """

    one: str
    few: str
    many: str
    fraction: str


class CurrencyInWords(_Words, frozen=True):
    """A currency after a number in words. `one` and `two` are those numbers in its gender."""

    one: str
    two: str
    forms: PluralForms


class NumberWords(_Words, frozen=True):
    """Cardinal numbers: `ones` from 0 to 19, where 0 is "", `tens` and `hundreds` by their digit.

    `scales` are thousand, million and so on. `joined`: what is below a hundred after what is above it. Amounts in other
    currencies have the code.
    """

    zero: str
    ones: tuple[str, ...]
    tens: tuple[str, ...]
    hundreds: tuple[str, ...]
    scales: tuple[PluralForms, ...]
    joined: str
    tens_joint: str
    currencies: Mapping[str, CurrencyInWords]


class TitleWords(_Words, frozen=True):
    """What a document is called, in the forms that sentences need.

    `inside` is "in it", `it` the object of a verb, `validity` the label of its last day."""

    title: str
    noun: str
    a_noun: str
    accusative: str
    genitive: str
    this_genitive: str
    the: str
    inside: str
    it: str
    was: str
    valid: str
    validity: str
    accepted: str
    declined: str
    revised: str
    revised_accusative: str


class FormWords(_Words, frozen=True):
    """The model form of withdrawal: Directive 2011/83/EU, Annex I (B)."""

    heading: str
    instruction: str
    to: str
    notice: str
    dated: str
    name: str
    address: str
    signature: str
    date: str
    note: str


class ConsentWords(_Words, frozen=True):
    accept: str
    early_start: str
    privacy: str
    more_on_privacy: str


class NameWords(_Words, frozen=True):
    """Of files, transfers and entries of calendars."""

    preliminary_file: str
    payment: str
    calendar_expires: str
    calendar_order: str
    demo_calendar: str


class PushWords(_Words, frozen=True):
    morning: str
    test: str


class MessageParts(_Words, frozen=True):
    """What all messages with an estimate share."""

    name: str
    version: str
    advance: str
    earnest: str
    with_tax: str
    with_tax_without_rate: str


class MessageWords(_Words, frozen=True):
    """A message with an estimate. The opening depends on whether it is the first revision, and comes with the PDF.

    `unnamed`: where the client is not greeted by name. `reply` asks for an answer by message.
    """

    subject: str
    subject_revised: str
    greeting: str
    greeting_unnamed: str
    opening: str
    opening_with_pdf: str
    opening_revised: str
    opening_revised_with_pdf: str
    total: str
    offer: str
    closing: str
    closing_unnamed: str
    link_answer: str
    link_read: str
    validity: str = ""
    reply: str = ""


class OrderMessageParts(_Words, frozen=True):
    order: str
    at: str
    page: str
    invoice: str
    hours: str


class OrderMessageWords(_Words, frozen=True):
    """`news` names the order by {order}, `due` the day by {day}, `pay` what is still to pay by {amount}.

    `due` and `pay` are used where there is a day or something to pay. `hours`: with the opening hours.
    """

    subject: str
    news: str
    due: str = ""
    pay: str = ""
    hours: bool = False


OrderMessageKind = Literal["received", "waiting", "delayed", "ready", "reminder", "payment"]


class OrderMessageTone(_Words, frozen=True):
    greeting: str
    closing: str
    kinds: Mapping[OrderMessageKind, OrderMessageWords]


# Where a text can be read that is left out of an email.
TextPlace = Literal["app", "page", "workshop"]


class EmailParts(_Words, frozen=True):
    """What several emails share. `the_workshop` is in the case that follows "of"."""

    greeting: str
    closing: str
    sent_with: str
    somebody: str
    a_workshop: str
    the_workshop: str
    keys: str
    more_keys: str
    workshop: str
    via: str
    signer: str
    validity: str
    name_row: str
    deposit: str
    account: str
    transfer_title: str
    early_start: str
    answer_shown: str
    with_address: str
    instead: Mapping[TextPlace, str]
    total: str
    total_with_tax: str


class OfferWords(_Words, frozen=True):
    """What an email says of the page of a link: `offer_voided` after a decision that was voided."""

    offer_formal: str
    offer_friendly: str
    offer_voided: str
    keep_link_formal: str
    keep_link_friendly: str


class EmailText(_Words, frozen=True):
    """The paragraphs before and after the button, and its label; `button` is None for an email without a link.

    `closing` replaces the usual one.
    """

    subject: str
    before: list[str]
    after: list[str] = []
    button: str | None = None
    closing: str | None = None


class LanguageWords(_Words, frozen=True):
    """How a language model is asked for this language, and word lists: see `values/languages.py`."""

    name: str
    common: str
    numbers: str
    money: str
    dates: str
    terms: str
    limits: str
    approximations: str
    preliminary: str
    until: str
    tones: Mapping[MessageTone, str]


class Words(_Words, frozen=True):
    """All words of a language. `paper`, `receipt`, `invoice`, `slip`, `certificate` and `csv` are labels by name."""

    formats: Formats
    units: Mapping[LineItemUnit, PluralForms]
    number_words: NumberWords
    titles: Mapping[DocumentTitle, TitleWords]
    paper: Mapping[str, str]
    withdrawal: Mapping[Withdrawal, str]
    withdrawal_without_form: Mapping[Withdrawal, str]
    withdrawal_form: FormWords
    consent: ConsentWords
    receipt: Mapping[str, str]
    receipt_methods: Mapping[PaymentMethod, str]
    invoice: Mapping[str, str]
    certificate: Mapping[str, str]
    certificate_methods: Mapping[DecisionMethod, str]
    slip: Mapping[str, str]
    names: NameWords
    csv: Mapping[str, str]
    csv_values: Mapping[str, str]
    csv_units: Mapping[LineItemUnit, str]
    push: Mapping[str, str]
    push_texts: PushWords
    message: MessageParts
    messages: Mapping[str, MessageWords]
    order_message: OrderMessageParts
    order_messages: Mapping[MessageTone, OrderMessageTone]
    email: EmailParts
    offers: Mapping[MessageLink, OfferWords]
    email_methods: Mapping[DecisionMethod, str]
    help: Mapping[str, str]
    fragments: Mapping[str, str]
    emails: Mapping[str, EmailText]
    language: LanguageWords


# msgspec crashes where two threads are the first to use a type.
_reading = threading.Lock()


@cache
def words(locale: DocumentLocale) -> Words:
    """The words of a language, read once. Raises ValueError where one is missing."""
    with _reading:
        return read((Path(__file__).parent / f"{locale}.toml").read_text("utf-8"))


def read(toml: str) -> Words:
    """The words of a file. Raises ValueError where one is missing, unknown or of another type."""
    # At first use: a server starts without it.
    import tomllib

    raw = tomllib.loads(toml)
    raw["emails"] = _with_fragments(raw.get("emails", {}), raw.get("fragments", {}))
    found = msgspec.convert(raw, Words)
    missing = sorted(_missing(Words, found, ""))
    if missing:
        raise ValueError(f"these words are missing: {', '.join(missing)}")
    return found


def _with_fragments(value: Any, fragments: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _with_fragments(each, fragments) for name, each in value.items()}
    if isinstance(value, list):
        return [_with_fragments(each, fragments) for each in value]
    for name, text in fragments.items():
        value = value.replace(f"{{+{name}}}", text)
    return value


def _missing(type_: Any, value: Any, path: str) -> Iterator[str]:
    """Keys of tables that one of the keys' type lacks."""
    if isinstance(value, Struct):
        for field in msgspec.structs.fields(type(value)):
            yield from _missing(field.type, getattr(value, field.name), f"{path}.{field.name}".lstrip("."))
    elif isinstance(value, dict):
        keys, of_values = get_args(type_)
        if get_origin(keys) is Literal:
            yield from (f"{path}.{key}" for key in get_args(keys) if key not in value)
        for key, each in value.items():
            yield from _missing(of_values, each, f"{path}.{key}")
