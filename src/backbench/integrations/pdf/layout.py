"""Page layout model: the texts, colours and sizes of an estimate in the client's language, as the template places them.

All labels, colours and sizes are chosen here; the template only places them. Numbers are already formatted as text.
The template therefore computes nothing, and client text cannot become markup.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from msgspec import Struct, structs

from backbench.domain.documents.documents import EstimateDocument
from backbench.domain.documents.figures import DocumentLine
from backbench.domain.values.enums import DocumentLocale, TitleFont
from backbench.domain.values.locales import NO_BREAK_SPACE, day, money, number, percent, price, unit_word
from backbench.integrations.pdf.colours import Palette, palette
from backbench.integrations.pdf.glyphs import legible, segments
from backbench.integrations.pdf.wording import LABELS

# Text in segments between which a line may break, so that no word is wider than the page.
BreakableText = list[str]

# Widths of the body font's characters in em, for numbers and units.
NARROW, WIDE, WIDEST = 0.3, 0.65, 1.0
RUNNING_HEAD_LENGTH = 80
NARROW_CHARACTERS = frozenset(f" {NO_BREAK_SPACE}.,ijltr²")
# The usual characters of labels. A character outside these sets may be wider or taller than the row of a label.
WIDEST_CHARACTERS = "mwABCDGHKMNOQUVWXYĄĆŃÓ%×+"
WIDE_CHARACTERS = "abcdefghknopqrstuvxyząćęńóśźżłEFIJLPRSTZĘŁŚŹŻ0123456789-–()/²&:;'"
LABEL_WIDTHS = (
    dict.fromkeys(NARROW_CHARACTERS, NARROW)
    | dict.fromkeys(WIDE_CHARACTERS, WIDE)
    | dict.fromkeys(WIDEST_CHARACTERS, WIDEST)
)
# Sizes of the table in points, as in the template.
TABLE_WIDTH, COLUMN_GAP, NUMBER_WIDTH, LABEL_SIZE = 166 / 25.4 * 72, 6 / 25.4 * 72, 8 / 25.4 * 72, 9


class TitleFace(Struct, frozen=True):
    """A title font. `scale` and `tracking` (in em) even out the apparent size and spacing of the fonts."""

    font: str
    weight: int
    scale: float
    tracking: float


TITLE_FACES: dict[TitleFont, TitleFace] = {
    "sans": TitleFace("Inter", 600, 1.0, -0.015),
    "serif": TitleFace("Source Serif 4", 600, 1.04, -0.005),
    "didone": TitleFace("Bodoni Moda", 500, 1.08, 0.0),
    "mono": TitleFace("IBM Plex Mono", 500, 0.9, -0.03),
    "rounded": TitleFace("Nunito", 700, 1.04, -0.005),
}


class Title(Struct, frozen=True):
    """`size` is in points, and smaller for longer texts."""

    segments: BreakableText
    size: float


class LetterheadLayout(Struct, frozen=True):
    name: Title
    logo: str
    tagline: BreakableText
    contact: list[BreakableText]


class Row(Struct, frozen=True, rename="kebab"):
    """A row of the table. Without the breakdown only `label` and `amount` are set.

    `is_single_line` if the label certainly fits on one line: Typst then has a fixed row height and need not measure it.
    """

    label: BreakableText
    amount: str
    number: str = ""
    quantity: tuple[str, str] = ("", "")
    price: str = ""
    is_single_line: bool = False


class Column(Struct, frozen=True):
    """`width` is in em of the figures' size; the first column takes the rest."""

    heading: str
    width: float


class Total(Struct, frozen=True):
    label: str
    amount: str
    size: float


class PageLayout(Struct, frozen=True, rename="kebab"):
    """The input of the template, in reading order. `watermark` and `brand` may be "".

    The last `moved_lines` lines start a new page, so that the sums are not alone there.
    """

    lang: DocumentLocale
    title: str
    author: str
    face: TitleFace
    colours: Palette
    watermark: str
    letterhead: LetterheadLayout
    running_head: tuple[BreakableText, str]
    kind: str
    heading: Title
    facts: list[tuple[str, BreakableText]]
    columns: list[Column]
    rows: list[Row]
    moved_lines: int
    figure_size: float
    unit_width: float
    remarks: list[str]
    sums: list[tuple[str, str]]
    total: Total
    signatures: list[tuple[str, BreakableText]]
    footer: BreakableText
    brand: str
    pages: tuple[str, str]


def page_layout(document: EstimateDocument, moved_lines: int = 0) -> PageLayout:
    labels = LABELS[document.locale]
    letterhead = document.letterhead
    kind = labels["preliminary"] if document.preliminary else labels["kind"]
    rows = _rows(document)
    sums = _sums(document)
    columns = _columns(document, rows)
    figure_size = _figure_size([cell for row in rows for cell in (row.price, row.amount)] + [row[1] for row in sums])
    return PageLayout(
        lang=document.locale,
        title=f"{kind}: {legible(document.name)}",
        author=legible(letterhead.name),
        face=TITLE_FACES[letterhead.title_font],
        colours=palette(letterhead.accent_color),
        watermark=labels["watermark"] if document.preliminary else "",
        letterhead=_letterhead(document),
        running_head=(segments(_shortened(f"{letterhead.name} · {document.name}")), f"{kind} · {_revision(document)}"),
        kind=kind,
        heading=_title(document.name, (40, 21), (80, 17), (140, 13), (250, 11)),
        facts=_facts(document),
        columns=columns,
        rows=_with_line_counts(rows, _label_width(columns, figure_size)) if document.options.breakdown else rows,
        moved_lines=min(moved_lines, len(rows)),
        figure_size=figure_size,
        unit_width=_widest(row.quantity[1] for row in rows),
        remarks=[labels["rough"]] if document.preliminary else [],
        sums=sums,
        total=_total(document),
        signatures=[(labels["client"], []), (labels["crafter"], segments(letterhead.crafter_name))],
        footer=segments(letterhead.footer),
        brand=labels["brand"] if document.options.show_brand_mark else "",
        pages=(labels["page"], labels["of"]),
    )


def _letterhead(document: EstimateDocument) -> LetterheadLayout:
    letterhead = document.letterhead
    tax_id = letterhead.tax_id
    if re.match(r"[A-Z]{0,2} ?\d", tax_id):
        # A number alone needs a label; "NIP 525..." is printed as entered.
        tax_id = f"{LABELS[document.locale]['tax_id']}{NO_BREAK_SPACE}{tax_id}"
    contact = [letterhead.address, letterhead.phone, letterhead.email, tax_id]
    return LetterheadLayout(
        name=_title(letterhead.name, (24, 17), (48, 14), (100, 11.5), (250, 9.5)),
        logo=legible(letterhead.logo),
        tagline=segments(letterhead.tagline),
        contact=[segments(entry) for entry in contact if entry],
    )


def _revision(document: EstimateDocument) -> str:
    return f"{LABELS[document.locale]['revision']} {document.revision_number}"


def _shortened(text: str) -> str:
    """Cut to one line: the first page shows the whole text."""
    return text if len(text) <= RUNNING_HEAD_LENGTH else text[: RUNNING_HEAD_LENGTH - 1].rstrip() + "…"


def _facts(document: EstimateDocument) -> list[tuple[str, BreakableText]]:
    labels = LABELS[document.locale]
    facts = [
        (labels["recipient"], document.recipient_name if document.options.show_recipient else ""),
        (labels["issued"], day(document.issued_on, document.locale)),
        (labels["valid"], "" if document.valid_until is None else day(document.valid_until, document.locale)),
        (labels["revision"], str(document.revision_number)),
    ]
    return [(label, segments(value)) for label, value in facts if value]


def _rows(document: EstimateDocument) -> list[Row]:
    """A row for each line, or without the breakdown one row with the estimate's name and the subtotal."""
    if document.options.breakdown:
        return [_row(str(position), line, document) for position, line in enumerate(document.lines, 1)]
    subtotal = money(document.sums.subtotal, document.currency, document.locale)
    return [Row(label=segments(document.name), amount=subtotal)]


def _row(position: str, line: DocumentLine, document: EstimateDocument) -> Row:
    locale, currency = document.locale, document.currency
    return Row(
        number=position,
        label=segments(line.label),
        quantity=(number(line.quantity, locale), unit_word(line.quantity, line.unit, locale)),
        price="" if line.unit_price is None else price(line.unit_price, currency, locale),
        amount=money(line.amount, currency, locale),
    )


def _label_width(columns: list[Column], figure_size: float) -> float:
    """The width that remains for labels, in em of their font size."""
    taken = sum(column.width * figure_size + COLUMN_GAP for column in columns[1:])
    return (TABLE_WIDTH - taken - NUMBER_WIDTH) / LABEL_SIZE


def _with_line_counts(rows: list[Row], label_width: float) -> list[Row]:
    return [structs.replace(row, is_single_line=_is_single_line(row.label, label_width)) for row in rows]


def _is_single_line(label: BreakableText, label_width: float) -> bool:
    """False if a character may be wider or taller than known here; Typst then measures the row."""
    text = "".join(label)
    return LABEL_WIDTHS.keys() >= set(text) and sum(map(LABEL_WIDTHS.__getitem__, text)) <= label_width


def _columns(document: EstimateDocument, rows: list[Row]) -> list[Column]:
    labels = LABELS[document.locale]
    first, last = labels["label"], labels["amount"]
    amounts = Column(last, _widest([last, *(row.amount for row in rows)]))
    if not document.options.breakdown:
        return [Column(first, 0), amounts]
    counts = _widest([labels["quantity"], *(row.quantity[0] for row in rows)])
    units = _widest(row.quantity[1] for row in rows)
    prices = _widest([labels["price"], *(row.price for row in rows)])
    return [
        Column(first, 0),
        Column(labels["quantity"], counts + NARROW + units),
        Column(labels["price"], prices),
        amounts,
    ]


def _sums(document: EstimateDocument) -> list[tuple[str, str]]:
    """The rows above the total; empty if there is only a total."""
    labels, sums, locale = LABELS[document.locale], document.sums, document.locale

    def row(label: str, amount: Decimal) -> tuple[str, str]:
        return label, money(amount, document.currency, locale)

    rows = []
    if sums.markup is not None or sums.discount is not None:
        rows.append(row(labels["subtotal"], sums.subtotal))
    if sums.markup is not None:
        rows.append(row(f"{labels['markup']} {percent(sums.markup.percent, locale)}", sums.markup.amount))
    if sums.discount is not None:
        rows.append(row(f"{labels['discount']} {percent(sums.discount.percent, locale)}", -sums.discount.amount))
    if sums.tax is not None:
        label = legible(sums.tax_label) or labels["tax"]
        rows.append(row(labels["net"], sums.net))
        rows.append(row(f"{label} {percent(sums.tax.percent, locale)}", sums.tax.amount))
    return rows


def _total(document: EstimateDocument) -> Total:
    amount = money(document.sums.total, document.currency, document.locale)
    return Total(LABELS[document.locale]["total"], amount, _step(amount, (18, 15), (24, 12), (99, 9)))


def _title(text: str, *steps: tuple[int, float]) -> Title:
    return Title(segments(text), _step(text, *steps))


def _step(text: str, *steps: tuple[int, float]) -> float:
    """`steps` are pairs of length and size. The size of the first step that is at least as long as `text`."""
    return next((size for length, size in steps if len(text) <= length), steps[-1][1])


def _figure_size(figures: Sequence[str]) -> float:
    """In points: small enough for the longest figure to fit its column."""
    return _step(max(figures, key=len, default=""), (16, 9), (20, 8), (24, 7), (99, 6))


def _widest(texts: Iterable[str]) -> float:
    """An upper bound of the widest text in em of the body font: a column of figures must not wrap."""
    widths = (sum(NARROW if character in NARROW_CHARACTERS else WIDE for character in text) for text in texts)
    return max(widths, default=0)
