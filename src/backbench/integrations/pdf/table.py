"""Table of an estimate: its columns and rows as texts, with the widths that they need."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import chain

from msgspec import Struct, structs

from backbench.domain.documents.documents import EstimateDocument
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
from backbench.integrations.pdf.wording import LABELS, MISSING, in_words

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


class Row(Struct, frozen=True, rename="kebab"):
    """A row of the table: a quantity as whole part, decimals and unit, and the figures of the columns after it.

    `is_single_line` if the label certainly fits on one line: Typst then has a fixed row height and need not measure it.
    """

    label: BreakableText
    figures: list[str]
    number: str = ""
    quantity: tuple[str, str, str] = ("", "", "")
    is_single_line: bool = False


class Column(Struct, frozen=True):
    """`width` is in em of the figures' size; the first column takes the rest."""

    heading: str
    width: float


class Table(Struct, frozen=True, rename="kebab"):
    """`decimals_width` and `unit_width`, in em, are those of the parts of the quantities.

    Without the breakdown the table has two columns and one row, with the estimate's name and the subtotal.
    """

    number_heading: str
    columns: list[Column]
    rows: list[Row]
    figure_size: float
    decimals_width: float
    unit_width: float


def table(document: EstimateDocument, sums: Sequence[str]) -> Table:
    """The table. `sums` are the figures below it, which have the same size."""
    rows = _rows(document)
    figure_size = _figure_size([*chain.from_iterable(row.figures for row in rows), *sums])
    columns = _columns(document, rows, HEADING_SIZE / figure_size)
    if document.options.breakdown:
        width = _label_width(columns, figure_size)
        rows = [structs.replace(row, is_single_line=_is_single_line(row.label, width)) for row in rows]
    return Table(
        number_heading=LABELS[document.locale]["number"] if document.options.breakdown else "",
        columns=columns,
        rows=rows,
        figure_size=figure_size,
        decimals_width=_widest(row.quantity[1] for row in rows),
        unit_width=_widest(row.quantity[2] for row in rows),
    )


def amount_text(amount: Decimal, document: EstimateDocument) -> str:
    """An amount of the table or below it. A currency without a sign is in the heading and with the total only."""
    if has_sign(document.currency, document.locale):
        return money(amount, document.currency, document.locale)
    return figure(amount, document.currency, document.locale)


def _rows(document: EstimateDocument) -> list[Row]:
    if document.options.breakdown:
        return [_row(str(position), line, document) for position, line in enumerate(document.lines, 1)]
    return [Row(breakable(document.name, document.locale), [amount_text(document.sums.subtotal, document)])]


def _row(position: str, line: DocumentLine, document: EstimateDocument) -> Row:
    rates = [] if line.tax_percent is None else [percent(line.tax_percent, document.locale)]
    return Row(
        number=position,
        label=breakable(line.label, document.locale),
        quantity=_quantity(line, document),
        figures=[*rates, *_price_and_amount(line, document)],
    )


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


def _columns(document: EstimateDocument, rows: list[Row], heading_scale: float) -> list[Column]:
    """`heading_scale` is the size of the headings in that of the figures."""
    labels, is_taxed = LABELS[document.locale], document.sums.tax is not None or bool(document.sums.taxes)
    currency = "" if has_sign(document.currency, document.locale) else f", {document.currency}"
    headings = [in_words(document, "net_amount" if is_taxed else "amount") + currency]
    if document.options.breakdown:
        headings.insert(0, in_words(document, "net_price" if is_taxed else "price") + currency)
        if document.sums.taxes:
            headings.insert(0, in_words(document, "tax"))
    figures = [
        Column(heading, max(heading_scale * _widest([heading]), _widest(row.figures[at] for row in rows)))
        for at, heading in enumerate(headings)
    ]
    if not document.options.breakdown:
        return [Column(labels["label"], 0), *figures]
    wholes = max(heading_scale * _widest([labels["quantity"]]), _widest(row.quantity[0] for row in rows))
    decimals, units = (_widest(row.quantity[at] for row in rows) for at in (1, 2))
    return [Column(labels["label"], 0), Column(labels["quantity"], wholes + decimals + NARROW + units), *figures]


def _label_width(columns: list[Column], figure_size: float) -> float:
    """The width that remains for labels, in em of their font size."""
    taken = sum(column.width * figure_size + COLUMN_GAP for column in columns[1:])
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
