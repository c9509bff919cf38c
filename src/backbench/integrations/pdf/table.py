"""Table of an estimate: its columns and rows as texts, with the widths that they need."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import chain
from typing import Literal

from msgspec import Struct, structs

from backbench.domain.documents.documents import EstimateDocument, Section
from backbench.domain.documents.figures import DocumentLine
from backbench.domain.values.locales import (
    NO_BREAK_SPACE,
    SEPARATORS,
    figure,
    has_sign,
    money,
    number,
    percent,
    price,
    unit_word,
)
from backbench.integrations.pdf.typesetting import BreakableText, breakable
from backbench.integrations.pdf.wording import LABELS, MISSING, in_words, price_words

# Widths of the body font's characters in em, for numbers and units.
NARROW, WIDE, WIDEST = 0.3, 0.65, 1.0
NARROW_CHARACTERS = frozenset(f" {NO_BREAK_SPACE}.,ijltr²")
_WITHOUT_NARROW = dict.fromkeys(map(ord, NARROW_CHARACTERS))
# The usual characters of labels. A character outside these sets may be wider or taller than the row of a label.
WIDEST_CHARACTERS = "mwABCDGHKMNOQUVWXYĄĆŃÓ%×+"
WIDE_CHARACTERS = "abcdefghknopqrstuvxyząćęńóśźżłEFIJLPRSTZĘŁŚŹŻ0123456789-–()/²&:;'"
LABEL_WIDTHS = (
    dict.fromkeys(NARROW_CHARACTERS, NARROW)
    | dict.fromkeys(WIDE_CHARACTERS, WIDE)
    | dict.fromkeys(WIDEST_CHARACTERS, WIDEST)
)
# Sizes of the table in points, as in the template.
TABLE_WIDTH, COLUMN_GAP, NUMBER_WIDTH, LABEL_SIZE, HEADING_SIZE = 166 / 25.4 * 72, 6 / 25.4 * 72, 8 / 25.4 * 72, 9, 7.5


RowKind = Literal["line", "section", "subtotal"]
# Part of the table's width that labels have at least, if headings on two lines and a smaller gap can give it.
LABEL_SHARE = 0.42
NARROW_GAP = 3.5 / 25.4 * 72
# Longer tables have what is carried forward at the end of each page.
LONG = 40


class Row(Struct, frozen=True, rename="kebab"):
    """A row of the table: a quantity as whole part, decimals and unit, and the figures of the columns after it.

    `is_single_line` if the label certainly fits on one line: Typst then has a fixed row height and need not measure it.
    A `section` has a label alone, a `subtotal` a label and amounts. `carried` is the sum of the lines so far, or "".
    """

    label: BreakableText
    figures: list[str]
    number: str = ""
    quantity: tuple[str, str, str] = ("", "", "")
    is_single_line: bool = False
    kind: RowKind = "line"
    carried: str = ""


class Column(Struct, frozen=True):
    """`width` is in em of the figures' size; the first column takes the rest. `heading` has one or two lines."""

    heading: list[str]
    width: float


class Table(Struct, frozen=True, rename="kebab"):
    """`decimals_width` and `unit_width`, in em, are those of the parts of the quantities; `gap` is in points.

    Without the breakdown it has no rows and is not printed. `carry_words` are the labels of what is carried forward, at
    the end of a page and at the start of the next one.
    """

    number_heading: str
    columns: list[Column]
    rows: list[Row]
    figure_size: float
    decimals_width: float
    unit_width: float
    gap: float
    carry_words: tuple[str, str]


def table(document: EstimateDocument, sums: Sequence[str]) -> Table:
    """The table. `sums` are the figures below it, which have the same size."""
    rows = _rows(document)
    figure_size = _figure_size([*chain.from_iterable(row.figures for row in rows), *sums])
    columns, gap = _fitting_columns(document, rows, figure_size)
    width = _label_width(columns, figure_size, gap)
    rows = [structs.replace(row, is_single_line=_is_single_line(row.label, width)) for row in rows]
    labels = LABELS[document.locale]
    amount = price_words(document, "amount").replace("\n", " ")
    return Table(
        number_heading=labels["number"],
        columns=columns,
        rows=rows,
        figure_size=figure_size,
        decimals_width=_widest(row.quantity[1] for row in rows),
        unit_width=_widest(row.quantity[2] for row in rows),
        gap=gap,
        carry_words=(f"{labels['to_carry']} ({amount})", f"{labels['carried']} ({amount})"),
    )


def amount_text(amount: Decimal, document: EstimateDocument) -> str:
    """An amount of the table or below it. A currency without a sign is in the heading and with the total only."""
    if has_sign(document.currency, document.locale):
        return money(amount, document.currency, document.locale)
    return figure(amount, document.currency, document.locale)


def _rows(document: EstimateDocument) -> list[Row]:
    """The lines, with the headings and subtotals of their sections. A figure of the last row is never missing."""
    if document.shown_breakdown == "none":
        return []
    is_priced = document.shown_breakdown == "full"
    starts = {section.first: section for section in document.sections}
    ends = {section.first + section.lines: section for section in document.sections}
    rows, carried = [], Decimal(0)
    for at, line in enumerate(document.lines):
        rows += _section_rows(ends.get(at), starts.get(at), document)
        carried += line.amount
        row = _row(str(at + 1), line, document)
        if is_priced and len(document.lines) > LONG:
            row = structs.replace(row, carried=amount_text(carried, document))
        rows.append(row)
    return rows + _section_rows(ends.get(len(document.lines)), None, document)


def _section_rows(ended: Section | None, started: Section | None, document: EstimateDocument) -> list[Row]:
    rows = []
    if ended is not None and document.shown_breakdown == "full":
        label = LABELS[document.locale]["section_sum"].format(heading=ended.heading)
        amounts = [ended.amount] if ended.gross_amount is None else [ended.amount, ended.gross_amount]
        figures = [amount_text(amount, document) for amount in amounts]
        rows.append(Row(breakable(label, document.locale), figures, kind="subtotal"))
    if started is not None:
        rows.append(Row(breakable(started.heading, document.locale), [], kind="section"))
    return rows


def _row(position: str, line: DocumentLine, document: EstimateDocument) -> Row:
    rates = [] if line.tax_percent is None else [percent(line.tax_percent, document.locale)]
    if line.tax_kind is not None:
        rates = [LABELS[document.locale][f"{line.tax_kind}_short"]]
    gross = [] if line.gross_amount is None else [_gross_amount(line, line.gross_amount, document)]
    is_priced = document.shown_breakdown == "full"
    return Row(
        number=position,
        label=breakable(line.label, document.locale),
        quantity=_quantity(line, document),
        figures=[*rates, *_price_and_amount(line, document), *gross] if is_priced else [],
    )


def _gross_amount(line: DocumentLine, gross_amount: Decimal, document: EstimateDocument) -> str:
    if not line.quantity:
        return MISSING
    return amount_text(gross_amount, document) if line.unit_price != 0 else LABELS[document.locale]["free"]


def _quantity(line: DocumentLine, document: EstimateDocument) -> tuple[str, str, str]:
    """The whole part, the decimals with their separator, and the unit. A free-form quantity of 1 says nothing."""
    locale = document.locale
    if not line.quantity:
        return "", "", LABELS[locale]["optional"]
    if line.unit == "freeform" and line.quantity == 1:
        return "", "", ""
    separator = SEPARATORS[locale].decimal
    whole, found, decimals = number(line.quantity, locale).partition(separator)
    return whole, found + decimals, "×" if line.unit == "freeform" else unit_word(line.quantity, line.unit, locale)


def _price_and_amount(line: DocumentLine, document: EstimateDocument) -> tuple[str, str]:
    """A price of 0 is free of charge; a quantity of 0 is an option, which has no amount."""
    free = LABELS[document.locale]["free"]
    if line.unit_price is None:
        return MISSING, amount_text(line.amount, document)
    if not line.quantity:
        return _price(line.unit_price, document) if line.unit_price else free, MISSING
    if not line.unit_price:
        return MISSING, free
    return _price(line.unit_price, document), amount_text(line.amount, document)


def _price(unit_price: Decimal, document: EstimateDocument) -> str:
    if has_sign(document.currency, document.locale):
        return price(unit_price, document.currency, document.locale)
    return figure(unit_price, document.currency, document.locale, exact=True)


def _fitting_columns(document: EstimateDocument, rows: list[Row], figure_size: float) -> tuple[list[Column], float]:
    """The columns and the gap between them: headings on two lines and a small gap where labels would be too narrow."""
    heading_scale = HEADING_SIZE / figure_size
    for has_two_lines, gap in ((False, COLUMN_GAP), (True, COLUMN_GAP), (True, NARROW_GAP)):
        columns = _columns(document, rows, heading_scale, has_two_lines=has_two_lines)
        if _label_width(columns, figure_size, gap) * LABEL_SIZE >= LABEL_SHARE * TABLE_WIDTH:
            break
    return columns, gap


def _columns(document: EstimateDocument, rows: list[Row], heading_scale: float, *, has_two_lines: bool) -> list[Column]:
    """`heading_scale` is the size of the headings in that of the figures."""
    labels = LABELS[document.locale]
    headings = [_heading(text, has_two_lines=has_two_lines) for text in _figure_headings(document)]
    lines = [row for row in rows if row.kind == "line"]
    figures = [
        Column(heading, max(heading_scale * _widest(heading), _widest(texts)))
        for heading, texts in zip(headings, _figures_of_columns(rows, len(headings)), strict=True)
    ]
    wholes = max(heading_scale * _widest([labels["quantity"]]), _widest(row.quantity[0] for row in lines))
    decimals, units = (_widest(row.quantity[at] for row in lines) for at in (1, 2))
    quantity = Column([labels["quantity"]], wholes + decimals + NARROW + units)
    return [Column([labels["label"]], 0), quantity, *figures]


def _figure_headings(document: EstimateDocument) -> list[str]:
    """Those of the columns after the quantity."""
    if document.shown_breakdown != "full":
        return []
    currency = "" if has_sign(document.currency, document.locale) else f", {document.currency}"
    headings = [price_words(document, "price") + currency, price_words(document, "amount") + currency]
    if any(line.tax_percent is not None or line.tax_kind is not None for line in document.lines):
        headings.insert(0, in_words(document, "tax"))
    if any(line.gross_amount is not None for line in document.lines):
        headings.append(in_words(document, "gross_amount") + currency)
    return headings


def _heading(text: str, *, has_two_lines: bool) -> list[str]:
    return text.split("\n") if has_two_lines else [text.replace("\n", " ")]


def _figures_of_columns(rows: list[Row], count: int) -> list[list[str]]:
    """The figures of each column. A subtotal has those of the amounts, which are the last ones but the rows' own."""
    found: list[list[str]] = [[] for _ in range(count)]
    for row in rows:
        first = count - len(row.figures) if row.kind == "subtotal" else 0
        for at, text in enumerate(row.figures):
            found[first + at].append(text)
    return found


def _label_width(columns: list[Column], figure_size: float, gap: float) -> float:
    """The width that remains for labels, in em of their font size."""
    taken = sum(column.width * figure_size + gap for column in columns[1:])
    return (TABLE_WIDTH - taken - NUMBER_WIDTH) / LABEL_SIZE


def _is_single_line(label: BreakableText, label_width: float) -> bool:
    """False if a character may be wider or taller than known here; Typst then measures the row."""
    text = "".join(label)
    return LABEL_WIDTHS.keys() >= set(text) and sum(map(LABEL_WIDTHS.__getitem__, text)) <= label_width


def _figure_size(figures: Sequence[str]) -> float:
    """In points: small enough for the longest figure to fit its column."""
    longest = max(map(len, figures), default=0)
    return next((size for length, size in ((16, 9), (20, 8), (24, 7)) if longest <= length), 6)


def _widest(texts: Iterable[str]) -> float:
    """An upper bound of the widest text in em of the body font: a column of figures must not wrap."""
    return max(map(_width, texts), default=0)


def _width(text: str) -> float:
    wide = len(text.translate(_WITHOUT_NARROW))
    return wide * WIDE + (len(text) - wide) * NARROW
