"""The sheet: an estimate document as plain words and figures in the client's language, ready to be laid out.

All that is decided about wording, colours and sizes is decided here; the template only places it. The figures are
text already, so the template computes nothing and client text can never become markup.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec import Struct

from backbench.domain.documents import DocumentLine, EstimateDocument
from backbench.domain.locales import NO_BREAK_SPACE, day, money, percent, price, quantity
from backbench.domain.words import DocumentLocale, TitleFont
from backbench.outside.pdf.colours import Palette, palette

WORDS: dict[DocumentLocale, dict[str, str]] = {
    "pl": {
        "kind": "Wycena",
        "preliminary": "Wycena wstępna",
        "watermark": "WSTĘPNA",
        "recipient": "Dla",
        "issued": "Data",
        "valid": "Ważna do",
        "revision": "Wersja",
        "number": "Lp.",
        "label": "Opis",
        "quantity": "Ilość",
        "price": "Cena jedn.",
        "amount": "Wartość",
        "subtotal": "Suma pozycji",
        "markup": "Narzut",
        "discount": "Rabat",
        "net": "Netto",
        "tax": "VAT",
        "total": "Razem",
        "client": "Data i podpis klienta",
        "crafter": "Podpis wykonawcy",
        "rough": "Kwoty są orientacyjne i mogą się zmienić po ustaleniu szczegółów.",
        "tax_id": "NIP",
        "page": "Strona",
        "of": "z",
        "brand": "Przygotowano w Backbench",
    },
    "en": {
        "kind": "Estimate",
        "preliminary": "Preliminary estimate",
        "watermark": "PRELIMINARY",
        "recipient": "Prepared for",
        "issued": "Date",
        "valid": "Valid until",
        "revision": "Revision",
        "number": "No.",
        "label": "Description",
        "quantity": "Quantity",
        "price": "Unit price",
        "amount": "Amount",
        "subtotal": "Subtotal",
        "markup": "Markup",
        "discount": "Discount",
        "net": "Net",
        "tax": "VAT",
        "total": "Total",
        "client": "Client: date and signature",
        "crafter": "Workshop: signature",
        "rough": "These figures are a first indication and may change once the details are settled.",
        "tax_id": "Tax ID",
        "page": "Page",
        "of": "of",
        "brand": "Made with Backbench",
    },
}


class Face(Struct, frozen=True):
    """A title font: `scale` evens out how large the fonts look, `tracking` (in em) how loose."""

    font: str
    weight: int
    scale: float
    tracking: float


FACES: dict[TitleFont, Face] = {
    "sans": Face("Inter", 600, 1.0, -0.015),
    "serif": Face("Source Serif 4", 600, 1.04, -0.005),
    "didone": Face("Bodoni Moda", 500, 1.08, 0.0),
    "mono": Face("IBM Plex Mono", 500, 0.9, -0.03),
    "rounded": Face("Nunito", 700, 1.04, -0.005),
}


class Sized(Struct, frozen=True):
    """Text and its size in points, smaller the longer it is."""

    text: str
    size: float


class Head(Struct, frozen=True):
    name: Sized
    logo: str
    tagline: str
    contact: list[str]


class Sheet(Struct, frozen=True):
    """What the template places. Rows and pairs are in the order in which they are read."""

    lang: DocumentLocale
    title: str
    author: str
    face: Face
    colours: Palette
    watermark: str
    kind: str
    head: Head
    running: tuple[str, str]
    heading: Sized
    facts: list[tuple[str, str]]
    columns: list[tuple[str, str]]
    rows: list[list[str]]
    figures: float
    notes: list[str]
    sums: list[tuple[str, str]]
    total: tuple[str, Sized]
    signatures: list[tuple[str, str]]
    footer: str
    brand: str
    pages: tuple[str, str]


def sheet(document: EstimateDocument) -> Sheet:
    words = WORDS[document.locale]
    letterhead = document.letterhead
    kind = words["preliminary"] if document.preliminary else words["kind"]
    columns, rows = _table(document)
    sums = _sums(document)
    total = money(document.sums.total, document.currency, document.locale)
    return Sheet(
        lang=document.locale,
        title=f"{kind}: {document.name}",
        author=letterhead.name,
        face=FACES[letterhead.title_font],
        colours=palette(letterhead.accent_color),
        watermark=words["watermark"] if document.preliminary else "",
        kind=kind,
        head=_head(document),
        running=(f"{letterhead.name} · {document.name}", f"{kind} · {_revision(document)}"),
        heading=_sized(document.name, (40, 21), (80, 17), (140, 13), (250, 11)),
        facts=_facts(document),
        columns=columns,
        rows=rows,
        figures=_figure_size([cell for row in rows for cell in row[2:]] + [amount for _, amount in sums]),
        notes=[words["rough"]] if document.preliminary else [],
        sums=sums,
        total=(words["total"], _sized(total, (18, 15), (24, 12), (99, 9))),
        signatures=[(words["client"], ""), (words["crafter"], letterhead.crafter_name)],
        footer=letterhead.footer,
        brand=words["brand"] if document.options.show_brand_mark else "",
        pages=(words["page"], words["of"]),
    )


def _head(document: EstimateDocument) -> Head:
    letterhead = document.letterhead
    tax_id = letterhead.tax_id
    if re.match(r"[A-Z]{0,2} ?\d", tax_id):
        # A bare number says nothing by itself; "NIP 525..." is complete as the workshop wrote it.
        tax_id = f"{WORDS[document.locale]['tax_id']}{NO_BREAK_SPACE}{tax_id}"
    contact = [letterhead.address, letterhead.phone, letterhead.email, tax_id]
    return Head(
        name=_sized(letterhead.name, (24, 17), (48, 14), (100, 11.5), (250, 9.5)),
        logo=letterhead.logo,
        tagline=letterhead.tagline,
        contact=[entry for entry in contact if entry],
    )


def _revision(document: EstimateDocument) -> str:
    return f"{WORDS[document.locale]['revision']} {document.revision_number}"


def _facts(document: EstimateDocument) -> list[tuple[str, str]]:
    words = WORDS[document.locale]
    recipient = document.recipient_name if document.options.show_recipient else ""
    valid_until = "" if document.valid_until is None else day(document.valid_until, document.locale)
    facts = [
        (words["recipient"], recipient),
        (words["issued"], day(document.issued_on, document.locale)),
        (words["valid"], valid_until),
        (words["revision"], str(document.revision_number)),
    ]
    return [(label, value) for label, value in facts if value]


def _table(document: EstimateDocument) -> tuple[list[tuple[str, str]], list[list[str]]]:
    """The columns (kind, heading) and rows. Without the breakdown one line stands for all."""
    words = WORDS[document.locale]
    if not document.options.breakdown:
        subtotal = money(document.sums.subtotal, document.currency, document.locale)
        return [("label", words["label"]), ("amount", words["amount"])], [[document.name, subtotal]]
    kinds = ["number", "label", "quantity", "price", "amount"]
    rows = [[str(at), *_cells(line, document)] for at, line in enumerate(document.lines, 1)]
    return [(kind, words[kind]) for kind in kinds], rows


def _cells(line: DocumentLine, document: EstimateDocument) -> list[str]:
    locale, currency = document.locale, document.currency
    return [
        line.label,
        quantity(line.quantity, line.unit, locale),
        "" if line.unit_price is None else price(line.unit_price, currency, locale),
        money(line.amount, currency, locale),
    ]


def _sums(document: EstimateDocument) -> list[tuple[str, str]]:
    """The rows above the total: none where the total says it all."""
    words, sums, locale = WORDS[document.locale], document.sums, document.locale

    def row(label: str, amount: Decimal) -> tuple[str, str]:
        return label, money(amount, document.currency, locale)

    rows = []
    if sums.markup is not None or sums.discount is not None:
        rows.append(row(words["subtotal"], sums.subtotal))
    if sums.markup is not None:
        rows.append(row(f"{words['markup']} {percent(sums.markup.percent, locale)}", sums.markup.amount))
    if sums.discount is not None:
        rows.append(
            row(f"{words['discount']} {percent(sums.discount.percent, locale)}", -sums.discount.amount)
        )
    if sums.tax is not None:
        rows.append(row(words["net"], sums.net))
        rows.append(
            row(f"{sums.tax_label or words['tax']} {percent(sums.tax.percent, locale)}", sums.tax.amount)
        )
    return rows


def _sized(text: str, *steps: tuple[int, float]) -> Sized:
    """`text` in the size of the first step whose number of characters it does not exceed."""
    return Sized(text, next((size for length, size in steps if len(text) <= length), steps[-1][1]))


def _figure_size(figures: Sequence[str]) -> float:
    """Small enough for the longest figure to stand in its column."""
    return _sized(max(figures, key=len, default=""), (16, 9), (20, 8), (24, 7), (99, 6)).size
