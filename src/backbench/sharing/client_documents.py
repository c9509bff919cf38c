"""Client documents: what a link shows, as canonical JSON (RFC 8785) with its SHA-256, and as a summary."""

import hashlib
import json
from datetime import date
from decimal import Decimal
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.documents.documents import ClientRecipient, EstimateDocument, Letterhead
from backbench.documents.figures import DocumentSums
from backbench.values.enums import (
    Breakdown,
    DepositKind,
    DocumentLocale,
    DocumentTitle,
    LineItemUnit,
    PricesShown,
    TitleFont,
)
from backbench.values.money import EXACT
from backbench.values.shapes import Made, made_of
from backbench.values.taxes import NoRate
from backbench.words import words

# Larger integers are not exact in every implementation of JSON.
_MAX_INTEGER = 2**53 - 1


def canonical(value: object) -> bytes:
    """The canonical JSON of dicts, lists, strings, booleans, integers and None.

    Raises TypeError for any other type, a float or decimal too; ValueError for an integer above 2^53 - 1 and for a
    lone surrogate.
    """
    return json.dumps(_ordered(value), ensure_ascii=False, separators=(",", ":")).encode()


def sha256_hex(content: bytes) -> str:
    """64 lower-case hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def _ordered(value: Any) -> Any:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        if abs(value) > _MAX_INTEGER:
            raise ValueError("Canonical JSON has no integer above 2^53 - 1")
        return value
    if isinstance(value, dict):
        # The order of UTF-16 code units, not of code points: an emoji is before U+FF5E.
        return {name: _ordered(value[name]) for name in sorted(value, key=_utf16)}
    if isinstance(value, list):
        return [_ordered(each) for each in value]
    raise TypeError(f"{type(value).__name__} has no canonical JSON")


def _utf16(name: str) -> bytes:
    # Called on the type: it raises TypeError for a name that is no string.
    return str.encode(name, "utf-16-be")


def figure(value: Decimal) -> str:
    """The number without trailing zeros or exponent: 12.10 is "12.1"."""
    return format(value.normalize(EXACT), "f") if value else "0"


Figure = Annotated[str, Meta(pattern=r"^-?[0-9]+(\.[0-9]+)?(?![\s\S])"), Made(figure)]


class ClientLetterhead(Struct, frozen=True, rename="camel", omit_defaults=True):
    name: str
    title_font: TitleFont
    logo: str = ""
    tagline: str = ""
    crafter_name: str = ""
    accent_color: str = ""
    address: str = ""
    phone: str = ""
    email: str = ""
    website: str = ""
    tax_id: str = ""
    registration: str = ""
    iban: str = ""
    footer: str = ""
    privacy_url: str = ""


class ClientLine(Struct, frozen=True, rename="camel", omit_defaults=True):
    """Without the breakdown there is one line: the name of the estimate and the subtotal; unpriced lines have neither
    price nor amount. `tax_percent` or `tax_kind` is there if the lines have different taxes.
    """

    label: str
    amount: Figure | UnsetType = UNSET
    unit: LineItemUnit | UnsetType = UNSET
    quantity: Figure | UnsetType = UNSET
    unit_price: Figure | UnsetType = UNSET
    tax_percent: Figure | UnsetType = UNSET
    tax_kind: NoRate | UnsetType = UNSET
    gross_amount: Figure | UnsetType = UNSET


class ClientSection(Struct, frozen=True, rename="camel"):
    """A heading before the line at position `first`, counted from 0, and the sum of the `lines` from there on."""

    heading: str
    first: int
    lines: int
    amount: Figure | UnsetType = UNSET
    gross_amount: Figure | UnsetType = UNSET


class ClientRow(Struct, frozen=True):
    """Markup, discount or tax. The amount of a discount is positive."""

    percent: Figure
    amount: Figure


class ClientTax(Struct, frozen=True, kw_only=True):
    """The tax of a rate, or of a kind that is no rate."""

    percent: Figure | UnsetType = UNSET
    kind: NoRate | UnsetType = UNSET
    net: Figure
    amount: Figure


class ClientDeposit(Struct, frozen=True, kw_only=True):
    """Part of the total, due with the order; `balance` is what then remains."""

    percent: Figure | UnsetType = UNSET
    amount: Figure
    kind: DepositKind | UnsetType = UNSET
    balance: Figure | UnsetType = UNSET


class ClientSums(Struct, frozen=True, rename="camel", omit_defaults=True, kw_only=True):
    """The sums as the PDF shows them.

    `taxes` has entries if the lines have different taxes, or one that is no rate; `tax` is then absent. Where `prices`
    are gross, subtotal, markup and discount add up to the total, which the taxes are part of.
    """

    subtotal: Figure
    markup: ClientRow | UnsetType = UNSET
    discount: ClientRow | UnsetType = UNSET
    net: Figure
    tax_label: str
    tax: ClientRow | UnsetType = UNSET
    taxes: list[ClientTax]
    total: Figure
    deposit: ClientDeposit | UnsetType = UNSET
    prices: PricesShown = "net"


class ClientDocument(Struct, frozen=True, rename="camel", omit_defaults=True, kw_only=True):
    letterhead: ClientLetterhead
    locale: DocumentLocale
    name: str
    number: str = ""
    revision_number: int
    issued_on: date
    valid_until: date | UnsetType = UNSET
    recipient: ClientRecipient | UnsetType = UNSET
    intro: str = ""
    terms: str = ""
    lead_time: str = ""
    tax_note: str = ""
    currency: str
    lines: list[ClientLine]
    sums: ClientSums
    document_title: DocumentTitle = "estimate"
    breakdown: Breakdown | UnsetType = UNSET
    sections: list[ClientSection] = []
    withdrawal: str = ""
    withdrawal_form: str = ""
    early_start: str = ""


def client_document(document: EstimateDocument) -> ClientDocument:
    """What the page shows of a document: its texts and figures, as its options show them."""
    is_shown = document.options.show_recipient and document.recipient != ClientRecipient()
    return made_of(
        ClientDocument,
        document,
        letterhead=_letterhead(document.letterhead),
        recipient=document.recipient if is_shown else UNSET,
        lines=_lines(document),
        sums=_sums(document.sums),
        document_title=document.title,
        breakdown="unpriced" if document.shown_breakdown == "unpriced" else UNSET,
        sections=_sections(document),
        withdrawal=document.withdrawal_sentence,
        withdrawal_form=withdrawal_form_text(document),
        early_start=words(document.locale).consent.early_start if document.withdrawal == "start_early" else "",
    )


def withdrawal_form_text(document: EstimateDocument) -> str:
    """The model form of withdrawal, an entry a line; "" where none is attached."""
    if not document.has_withdrawal_form:
        return ""
    form, letterhead = words(document.locale).withdrawal_form, document.letterhead
    sender = ", ".join(
        " ".join(each.split()) for each in (letterhead.name, letterhead.address, letterhead.email) if each
    )
    entries = [f"{form.to} {sender}", form.notice, form.dated, form.name, form.address, form.signature, form.date]
    return "\n".join([form.heading, form.instruction, *entries, form.note])


def canonical_document(document: ClientDocument) -> bytes:
    """The canonical JSON whose SHA-256 is the `documentHash`."""
    return canonical(msgspec.to_builtins(document))


def _letterhead(letterhead: Letterhead) -> ClientLetterhead:
    logo = letterhead.logo if letterhead.show_logo else ""
    return made_of(ClientLetterhead, letterhead, logo=logo, accent_color=letterhead.accent_color or "")


def _lines(document: EstimateDocument) -> list[ClientLine]:
    if document.shown_breakdown == "none":
        return [ClientLine(document.name, figure(document.sums.subtotal))]
    if document.shown_breakdown == "unpriced":
        return [ClientLine(line.label, unit=line.unit, quantity=figure(line.quantity)) for line in document.lines]
    return [made_of(ClientLine, line) for line in document.lines]


def _sections(document: EstimateDocument) -> list[ClientSection]:
    """Unpriced ones have no sums either: a section of one line would give its price away."""
    if document.shown_breakdown == "none":
        return []
    if document.shown_breakdown == "unpriced":
        return [ClientSection(section.heading, section.first, section.lines) for section in document.sections]
    return [made_of(ClientSection, section) for section in document.sections]


def _sums(sums: DocumentSums) -> ClientSums:
    prices: PricesShown = "gross" if sums.is_gross else "net"
    return made_of(ClientSums, sums, tax_label=sums.tax_label or "VAT", prices=prices)


class DocumentSummary(Struct, frozen=True):
    """What emails and certificates say of a document. `is_taxed`: whether the total includes a tax."""

    workshop_name: str
    name: str
    number: str
    currency: str
    total: Decimal
    title: DocumentTitle = "estimate"
    is_taxed: bool = False
    tax_label: str = ""
    deposit: Decimal | None = None
    iban: str = ""


def summary_of(canonical_json: str) -> DocumentSummary:
    """The summary of a document that was stored as canonical JSON."""
    stored: dict[str, Any] = msgspec.json.decode(canonical_json)
    sums = stored["sums"]
    return DocumentSummary(
        stored["letterhead"]["name"],
        stored["name"],
        stored.get("number", ""),
        stored["currency"],
        Decimal(sums["total"]),
        stored.get("documentTitle", "estimate"),
        "tax" in sums or any("percent" in tax for tax in sums["taxes"]),
        sums["taxLabel"],
        Decimal(sums["deposit"]["amount"]) if "deposit" in sums else None,
        stored["letterhead"].get("iban", ""),
    )


def offers_early_start(canonical_json: str) -> bool:
    """Whether a document that was stored as canonical JSON lets the client ask for an early start."""
    return "earlyStart" in msgspec.json.decode(canonical_json)
