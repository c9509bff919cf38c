"""The sheet: an estimate document as plain words and figures in the client's language, ready to be laid out.

Wording, colours and sizes are decided here; the template only places them. The figures are text already, so
the template computes nothing and client text can never become markup.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from msgspec import Struct, structs

from backbench.domain.documents.documents import DocumentLine, EstimateDocument
from backbench.domain.values.enums import DocumentLocale, TitleFont
from backbench.domain.values.locales import NO_BREAK_SPACE, day, money, number, percent, price, unit_word
from backbench.integrations.pdf.colours import Palette, palette
from backbench.integrations.pdf.glyphs import legible, pieces
from backbench.integrations.pdf.wording import WORDS

# Text between whose pieces a line may end, so that no word is too long for the paper.
Flowing = list[str]

# Widths of the body font's characters in em, as far as figures and units need them.
NARROW, WIDE, WIDEST = 0.3, 0.65, 1.0
RUNNING_TITLE = 80
NARROW_ONES = frozenset(f" {NO_BREAK_SPACE}.,ijltr²")
# What labels are mostly made of. A letter that is not here may be wider, or higher, than a label's row.
WIDER_ONES = "mwABCDGHKMNOQUVWXYĄĆŃÓ%×+"
OTHER_ONES = "abcdefghknopqrstuvxyząćęńóśźżłEFIJLPRSTZĘŁŚŹŻ0123456789-–()/²&:;'"
LABEL_WIDTHS = dict.fromkeys(NARROW_ONES, NARROW) | dict.fromkeys(OTHER_ONES, WIDE) | dict.fromkeys(WIDER_ONES, WIDEST)
# What the table gives its columns (in points; see the template).
TABLE_WIDTH, COLUMN_GAP, NUMBER_WIDTH, LABEL_SIZE = 166 / 25.4 * 72, 6 / 25.4 * 72, 8 / 25.4 * 72, 9


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


class Title(Struct, frozen=True):
    """`size` in points, smaller the longer the text is."""

    pieces: Flowing
    size: float


class Head(Struct, frozen=True):
    name: Title
    logo: str
    tagline: Flowing
    contact: list[Flowing]


class Row(Struct, frozen=True, rename="kebab"):
    """A line of the table; without the breakdown only `label` and `amount`.

    `is_short` where the label certainly stands in one row: its height is known then, and costs nothing to find.
    """

    label: Flowing
    amount: str
    at: str = ""
    quantity: tuple[str, str] = ("", "")
    price: str = ""
    is_short: bool = False


class Column(Struct, frozen=True):
    """`width` in em of the figures; the first column takes what is left."""

    heading: str
    width: float


class Total(Struct, frozen=True):
    label: str
    amount: str
    size: float


class Sheet(Struct, frozen=True, rename="kebab"):
    """What the template places, in the order in which it is read; `watermark` and `brand` may be "".

    `turned` lines at the end begin a new page, so that the sums have company there.
    """

    lang: DocumentLocale
    title: str
    author: str
    face: Face
    colours: Palette
    watermark: str
    head: Head
    running: tuple[Flowing, str]
    kind: str
    heading: Title
    facts: list[tuple[str, Flowing]]
    columns: list[Column]
    rows: list[Row]
    turned: int
    figures: float
    unit_width: float
    notes: list[str]
    sums: list[tuple[str, str]]
    total: Total
    signatures: list[tuple[str, Flowing]]
    footer: Flowing
    brand: str
    pages: tuple[str, str]


def sheet(document: EstimateDocument, turned: int = 0) -> Sheet:
    words = WORDS[document.locale]
    letterhead = document.letterhead
    kind = words["preliminary"] if document.preliminary else words["kind"]
    rows = _rows(document)
    sums = _sums(document)
    columns = _columns(document, rows)
    figures = _figure_size([cell for row in rows for cell in (row.price, row.amount)] + [row[1] for row in sums])
    return Sheet(
        lang=document.locale,
        title=f"{kind}: {legible(document.name)}",
        author=legible(letterhead.name),
        face=FACES[letterhead.title_font],
        colours=palette(letterhead.accent_color),
        watermark=words["watermark"] if document.preliminary else "",
        head=_head(document),
        running=(pieces(_shortened(f"{letterhead.name} · {document.name}")), f"{kind} · {_revision(document)}"),
        kind=kind,
        heading=_title(document.name, (40, 21), (80, 17), (140, 13), (250, 11)),
        facts=_facts(document),
        columns=columns,
        rows=_with_height(rows, _room(columns, figures)) if document.options.breakdown else rows,
        turned=min(turned, len(rows)),
        figures=figures,
        unit_width=_widest(row.quantity[1] for row in rows),
        notes=[words["rough"]] if document.preliminary else [],
        sums=sums,
        total=_total(document),
        signatures=[(words["client"], []), (words["crafter"], pieces(letterhead.crafter_name))],
        footer=pieces(letterhead.footer),
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
        name=_title(letterhead.name, (24, 17), (48, 14), (100, 11.5), (250, 9.5)),
        logo=legible(letterhead.logo),
        tagline=pieces(letterhead.tagline),
        contact=[pieces(entry) for entry in contact if entry],
    )


def _revision(document: EstimateDocument) -> str:
    return f"{WORDS[document.locale]['revision']} {document.revision_number}"


def _shortened(text: str) -> str:
    """For one line: the rest is on the first page."""
    return text if len(text) <= RUNNING_TITLE else text[: RUNNING_TITLE - 1].rstrip() + "…"


def _facts(document: EstimateDocument) -> list[tuple[str, Flowing]]:
    words = WORDS[document.locale]
    facts = [
        (words["recipient"], document.recipient_name if document.options.show_recipient else ""),
        (words["issued"], day(document.issued_on, document.locale)),
        (words["valid"], "" if document.valid_until is None else day(document.valid_until, document.locale)),
        (words["revision"], str(document.revision_number)),
    ]
    return [(label, pieces(value)) for label, value in facts if value]


def _rows(document: EstimateDocument) -> list[Row]:
    """Without the breakdown one row, with the estimate's name, stands for all."""
    if document.options.breakdown:
        return [_row(str(at), line, document) for at, line in enumerate(document.lines, 1)]
    subtotal = money(document.sums.subtotal, document.currency, document.locale)
    return [Row(label=pieces(document.name), amount=subtotal)]


def _row(at: str, line: DocumentLine, document: EstimateDocument) -> Row:
    locale, currency = document.locale, document.currency
    return Row(
        at=at,
        label=pieces(line.label),
        quantity=(number(line.quantity, locale), unit_word(line.quantity, line.unit, locale)),
        price="" if line.unit_price is None else price(line.unit_price, currency, locale),
        amount=money(line.amount, currency, locale),
    )


def _room(columns: list[Column], figures: float) -> float:
    """The width that is left for labels, in em of theirs."""
    taken = sum(column.width * figures + COLUMN_GAP for column in columns[1:])
    return (TABLE_WIDTH - taken - NUMBER_WIDTH) / LABEL_SIZE


def _with_height(rows: list[Row], room: float) -> list[Row]:
    return [structs.replace(row, is_short=_is_short(row.label, room)) for row in rows]


def _is_short(label: Flowing, room: float) -> bool:
    """False where a letter might be wider or higher than known here; then the height is found by drawing."""
    text = "".join(label)
    return LABEL_WIDTHS.keys() >= set(text) and sum(map(LABEL_WIDTHS.__getitem__, text)) <= room


def _columns(document: EstimateDocument, rows: list[Row]) -> list[Column]:
    words = WORDS[document.locale]
    first, last = words["label"], words["amount"]
    amounts = Column(last, _widest([last, *(row.amount for row in rows)]))
    if not document.options.breakdown:
        return [Column(first, 0), amounts]
    counts = _widest([words["quantity"], *(row.quantity[0] for row in rows)])
    units = _widest(row.quantity[1] for row in rows)
    prices = _widest([words["price"], *(row.price for row in rows)])
    return [
        Column(first, 0),
        Column(words["quantity"], counts + NARROW + units),
        Column(words["price"], prices),
        amounts,
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
        rows.append(row(f"{words['discount']} {percent(sums.discount.percent, locale)}", -sums.discount.amount))
    if sums.tax is not None:
        label = legible(sums.tax_label) or words["tax"]
        rows.append(row(words["net"], sums.net))
        rows.append(row(f"{label} {percent(sums.tax.percent, locale)}", sums.tax.amount))
    return rows


def _total(document: EstimateDocument) -> Total:
    amount = money(document.sums.total, document.currency, document.locale)
    return Total(WORDS[document.locale]["total"], amount, _step(amount, (18, 15), (24, 12), (99, 9)))


def _title(text: str, *steps: tuple[int, float]) -> Title:
    return Title(pieces(text), _step(text, *steps))


def _step(text: str, *steps: tuple[int, float]) -> float:
    """The size of the first step whose number of characters `text` does not exceed."""
    return next((size for length, size in steps if len(text) <= length), steps[-1][1])


def _figure_size(figures: Sequence[str]) -> float:
    """Small enough for the longest figure to stand in its column."""
    return _step(max(figures, key=len, default=""), (16, 9), (20, 8), (24, 7), (99, 6))


def _widest(texts: Iterable[str]) -> float:
    """In em of the body font, rather too much than too little: nothing may wrap in a column of figures."""
    widths = (sum(NARROW if character in NARROW_ONES else WIDE for character in text) for text in texts)
    return max(widths, default=0)
