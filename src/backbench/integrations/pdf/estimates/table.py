"""The table of an estimate's PDF: lines, labels and sums."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import Literal

from msgspec import Struct, structs

from backbench.documents.documents import EstimateDocument, Section
from backbench.documents.figures import DocumentLine, DocumentTax
from backbench.integrations.pdf.typesetting import BreakableText, breakable, without_repeated_hyphens
from backbench.integrations.pdf.widths import WIDTHS, label_lines
from backbench.integrations.pdf.wording import MISSING, in_words, price_words, tax_label
from backbench.values.locales import (
    NO_BREAK_SPACE,
    figure,
    has_sign,
    money,
    number,
    percent,
    price,
    unit_word,
)
from backbench.values.money import rounded
from backbench.words import words

Rows = list[tuple[str, str]]
# In points: the width of the sums less the gap between label and figure, and sizes of the total.
SUMS_WIDTH = 78 / 25.4 * 72
TOTAL_LABEL_SIZE, LARGEST_TOTAL, SMALLEST_TOTAL = 9, 15.0, 8.0


def sums_rows(document: EstimateDocument) -> tuple[Rows, Rows]:
    """The rows above the total, empty if there is only a total; and those of what a gross total includes."""
    if not document.sums.is_gross:
        return _before_taxes(document) + _taxes(document, document.sums.taxes), []
    included, apart = words(document.locale).paper["included"], document.sums.kinds_apart
    taxes = [tax for tax in document.sums.taxes if tax.kind is None or not apart]
    untaxed = [tax for tax in document.sums.taxes if tax.kind is not None and apart]
    rows = [(included.format(text=text), amount) for text, amount in _taxes(document, taxes)]
    return _before_taxes(document), rows + [_untaxed(tax, document) for tax in untaxed]


def _before_taxes(document: EstimateDocument) -> Rows:
    labels, sums, locale = words(document.locale).paper, document.sums, document.locale
    rows: list[tuple[str, Decimal]] = []
    if sums.markup is not None or sums.discount is not None:
        rows.append((price_words(document, "subtotal"), sums.subtotal))
    if sums.markup is not None:
        rows.append((f"{labels['markup']} {percent(sums.markup.percent, locale)}", sums.markup.amount))
    if sums.discount is not None:
        rows.append((f"{labels['discount']} {percent(sums.discount.percent, locale)}", -sums.discount.amount))
    if sums.is_taxed and not sums.is_gross:
        rows.append((in_words(document, "net"), sums.net))
    return [(text, amount_text(amount, document)) for text, amount in rows]


def _taxes(document: EstimateDocument, taxes: list[DocumentTax]) -> Rows:
    sums, label = document.sums, tax_label(document)
    rows = []
    if sums.tax is not None:
        text = f"{label} {percent(sums.tax.percent, document.locale)}"
        rows.append((text, amount_text(sums.tax.amount, document)))
    return rows + [_tax(tax, document, is_only=len(sums.taxes) == 1) for tax in taxes]


def _untaxed(tax: DocumentTax, document: EstimateDocument) -> tuple[str, str]:
    """The part of a gross total that has no tax in it."""
    label = words(document.locale).paper[f"{tax.kind}_part"].format(label=tax_label(document))
    return label, amount_text(tax.net, document)


def _tax(tax: DocumentTax, document: EstimateDocument, *, is_only: bool) -> tuple[str, str]:
    labels, label, net = words(document.locale).paper, tax_label(document), amount_text(tax.net, document)
    if tax.percent is not None:
        text = labels["tax_of"].format(label=label, percent=percent(tax.percent, document.locale), net=net)
        return text, amount_text(tax.amount, document)
    kind = labels[tax.kind or "outside"].format(label=label)
    return kind if is_only else labels["kind_of"].format(kind=kind, net=net), MISSING


def deposit_rows(document: EstimateDocument) -> Rows:
    """The deposit and what then remains. A preliminary estimate has none: nothing is ordered with it."""
    deposit, labels = document.sums.deposit, words(document.locale).paper
    if deposit is None or document.preliminary:
        return []
    places = Decimal("0.01" if document.texts > 1 else "0.0001")
    share = "" if deposit.percent is None else percent(rounded(deposit.percent, places), document.locale)
    amount = amount_text(deposit.amount, document)
    if deposit.kind is None or deposit.balance is None:
        return [(labels["deposit"].format(percent=share), amount)]
    kind = labels["with_order"].format(kind=f"{labels[deposit.kind]} {share}".rstrip())
    rows = [(kind, amount)]
    return [*rows, (labels["balance"], amount_text(deposit.balance, document))] if deposit.balance else rows


def total_size(label: str, amount: str) -> float:
    """In points: the label stays on one line."""
    left = SUMS_WIDTH - len(label) * WIDE * TOTAL_LABEL_SIZE
    return max(SMALLEST_TOTAL, min(LARGEST_TOTAL, round(left / (len(amount) * WIDE) * 2) / 2))


# Widths of the body font's characters in em, for numbers and units.
NARROW, WIDE = 0.3, 0.65
# Exactly those of tabular figures, and of the separators and no-break spaces among them.
FIGURE, SEPARATOR = 0.6484375, 0.2685546875
NARROW_CHARACTERS = frozenset(f" {NO_BREAK_SPACE}.,ijltr²")
_DIGITS = dict.fromkeys(map(ord, "123456789"), "0")
# Sizes of the table in points, as in the template.
TABLE_WIDTH, COLUMN_GAP, NUMBER_WIDTH, LABEL_SIZE, HEADING_SIZE = 166 / 25.4 * 72, 6 / 25.4 * 72, 8 / 25.4 * 72, 9, 7.5
RowKind = Literal["line", "section", "subtotal"]
# Part of the table's width that labels have at least, if headings on several lines and a smaller gap can give it.
LABEL_SHARE = 0.42
NARROW_GAP = 3.5 / 25.4 * 72
# Longer tables have what is carried forward at the end of each page.
LONG = 40


class Row(Struct, frozen=True, rename="kebab"):
    """A row of the table: a quantity as whole part, decimals and unit, and the figures of the columns after it.

    `lines` are those of the label where they are known: the row then has a fixed height, and Typst need not measure it.
    A `section` has a label alone, a `subtotal` a label and amounts. `carried` is the sum of the lines so far, or "".
    `places` are the spaces before the quantity's number and after it, in em of the figures' size: they align the
    decimal separators and the units.
    """

    label: BreakableText
    figures: list[str]
    number: str = ""
    quantity: tuple[str, str, str] = ("", "", "")
    places: tuple[float, float] = (0, 0)
    lines: list[str] = []
    kind: RowKind = "line"
    carried: str = ""


class Column(Struct, frozen=True):
    """`width` is in em of the figures' size; the first column takes the rest. `heading` has up to three lines."""

    heading: list[str]
    width: float


class Table(Struct, frozen=True, rename="kebab"):
    """`unit_width`, in em, is that of the quantities' units; `gap` is in points.

    Without the breakdown it has no rows and is not printed. `carry_words` are the labels of what is carried forward, at
    the end of a page and at the start of the next one.
    """

    number_heading: str
    columns: list[Column]
    rows: list[Row]
    figure_size: float
    unit_width: float
    gap: float
    carry_words: tuple[str, str]


def table(document: EstimateDocument, sums: Sequence[str]) -> Table:
    """The table. `sums` are the figures below it, which have the same size."""
    rows = _rows(document)
    figure_size = _figure_size([*chain.from_iterable(row.figures for row in rows), *sums])
    columns, gap = _fitting_columns(document, rows, figure_size)
    width = _label_width(columns, figure_size, gap)
    units = _widest_unit(rows)
    decimals = max((_exact_width(row.quantity[1]) for row in rows), default=0)
    placed = []
    # Where the decimals of all rows begin.
    at = columns[1].width + gap / figure_size - units - SEPARATOR - decimals
    for row in rows:
        places = at - _exact_width(row.quantity[0]), decimals - _exact_width(row.quantity[1])
        lines = label_lines(row.label, width) if row.kind == "line" else []
        label = row.label if lines else without_repeated_hyphens(row.label)
        placed.append(structs.replace(row, label=label, lines=lines, places=places))
    labels = words(document.locale).paper
    amount = price_words(document, "amount").replace("\n", " ")
    return Table(
        number_heading=labels["number"],
        columns=columns,
        rows=placed,
        figure_size=figure_size,
        unit_width=units,
        gap=gap,
        carry_words=(f"{labels['to_carry']} ({amount})", f"{labels['carried']} ({amount})"),
    )


@lru_cache(1024)
def _exact_width(number: str) -> float:
    """Of tabular figures and separators, in em of the body font."""
    return sum(FIGURE if character.isdigit() else SEPARATOR for character in number)


def amount_text(amount: Decimal, document: EstimateDocument) -> str:
    """An amount of the table or below it. A currency without a sign is in the heading and with the total only."""
    if has_sign(document.currency, document.locale):
        return money(amount, document.currency, document.locale)
    return figure(amount, document.currency, document.locale)


def _rows(document: EstimateDocument) -> list[Row]:
    """The lines, with the headings and subtotals of their sections. A figure of the last row is never missing."""
    if document.shown_breakdown == "none":
        return []
    is_carried = document.shown_breakdown == "full" and len(document.lines) > LONG
    starts = {section.first: section for section in document.sections}
    ends = {section.first + section.lines: section for section in document.sections}
    rows, carried = [], Decimal(0)
    for at, line in enumerate(document.lines):
        rows += _section_rows(ends.get(at), starts.get(at), document)
        carried += line.amount
        rows.append(_row(str(at + 1), line, document, amount_text(carried, document) if is_carried else ""))
    return rows + _section_rows(ends.get(len(document.lines)), None, document)


def _section_rows(ended: Section | None, started: Section | None, document: EstimateDocument) -> list[Row]:
    rows = []
    if ended is not None and document.shown_breakdown == "full":
        label = words(document.locale).paper["section_sum"].format(heading=ended.heading)
        amounts = [ended.amount] if ended.gross_amount is None else [ended.amount, ended.gross_amount]
        figures = [amount_text(amount, document) for amount in amounts]
        rows.append(Row(breakable(label, document.locale), figures, kind="subtotal"))
    if started is not None:
        rows.append(Row(breakable(started.heading, document.locale), [], kind="section"))
    return rows


def _row(position: str, line: DocumentLine, document: EstimateDocument, carried: str) -> Row:
    rates = [] if line.tax_percent is None else [percent(line.tax_percent, document.locale)]
    if line.tax_kind is not None:
        rates = [words(document.locale).paper[f"{line.tax_kind}_short"]]
    gross = [] if line.gross_amount is None else [_gross_amount(line, line.gross_amount, document)]
    is_priced = document.shown_breakdown == "full"
    return Row(
        number=position,
        label=breakable(line.label, document.locale),
        quantity=_quantity(line, document),
        figures=[*rates, *_price_and_amount(line, document), *gross] if is_priced else [],
        carried=carried,
    )


def _is_option(line: DocumentLine, document: EstimateDocument) -> bool:
    return not line.quantity and document.offers_options


def _gross_amount(line: DocumentLine, gross_amount: Decimal, document: EstimateDocument) -> str:
    if _is_option(line, document):
        return MISSING
    return amount_text(gross_amount, document) if line.unit_price != 0 else words(document.locale).paper["free"]


def _quantity(line: DocumentLine, document: EstimateDocument) -> tuple[str, str, str]:
    """The whole part, the decimals with their separator, and the unit. A free-form quantity of 1 says nothing."""
    locale = document.locale
    if _is_option(line, document):
        return "", "", words(locale).paper["optional"]
    if line.unit == "freeform" and line.quantity == 1:
        return "", "", ""
    separator = words(locale).formats.decimal
    whole, found, decimals = number(line.quantity, locale).partition(separator)
    return whole, found + decimals, "×" if line.unit == "freeform" else unit_word(line.quantity, line.unit, locale)


def _price_and_amount(line: DocumentLine, document: EstimateDocument) -> tuple[str, str]:
    """A price of 0 is free of charge; an option has no amount."""
    free = words(document.locale).paper["free"]
    if line.unit_price is None:
        return MISSING, amount_text(line.amount, document)
    if _is_option(line, document):
        return _price(line.unit_price, document) if line.unit_price else free, MISSING
    if not line.unit_price and line.quantity:
        return MISSING, free
    return _price(line.unit_price, document), amount_text(line.amount, document)


def _price(unit_price: Decimal, document: EstimateDocument) -> str:
    if has_sign(document.currency, document.locale):
        return price(unit_price, document.currency, document.locale)
    return figure(unit_price, document.currency, document.locale, exact=True)


def _fitting_columns(document: EstimateDocument, rows: list[Row], figure_size: float) -> tuple[list[Column], float]:
    """The columns and the gap between them: more lines of headings and a small gap where labels would be too narrow."""
    heading_scale, widths = HEADING_SIZE / figure_size, _widths(rows, len(_figure_headings(document)))
    for heading_lines, gap in ((1, COLUMN_GAP), (2, COLUMN_GAP), (2, NARROW_GAP), (3, NARROW_GAP)):
        columns = _columns(document, widths, heading_scale, heading_lines)
        if _label_width(columns, figure_size, gap) * LABEL_SIZE >= LABEL_SHARE * TABLE_WIDTH:
            break
    return columns, gap


def _columns(document: EstimateDocument, widths: list[float], heading_scale: float, heading_lines: int) -> list[Column]:
    """`widths` are those of the quantity's number, its unit, and the figures; `heading_scale` is the headings' size in
    that of the figures."""
    labels = words(document.locale).paper
    headings = [_heading(text, heading_lines) for text in _figure_headings(document)]
    numbers, units, *figures = widths
    quantity = max(heading_scale * _widest([labels["quantity"]]), numbers) + units
    columns = [
        Column(heading, max(heading_scale * _widest(heading), width))
        for heading, width in zip(headings, figures, strict=True)
    ]
    return [Column([labels["label"]], 0), Column([labels["quantity"]], quantity), *columns]


def _widths(rows: list[Row], count: int) -> list[float]:
    """The widths in em of the quantities' numbers, of their units, and of the figures in each of `count` columns."""
    lines = [row for row in rows if row.kind == "line"]
    whole, decimals = (max((_exact_width(row.quantity[at]) for row in lines), default=0) for at in range(2))
    return [
        whole + decimals,
        NARROW + _widest_unit(lines),
        *map(_widest_figure, _figures_of_columns(rows, count)),
    ]


def _figure_headings(document: EstimateDocument) -> list[str]:
    """Those of the columns after the quantity."""
    if document.shown_breakdown != "full":
        return []
    currency = "" if has_sign(document.currency, document.locale) else f",\n{document.currency}"
    headings = [price_words(document, "price") + currency, price_words(document, "amount") + currency]
    if any(line.tax_percent is not None or line.tax_kind is not None for line in document.lines):
        headings.insert(0, in_words(document, "tax"))
    if any(line.gross_amount is not None for line in document.lines):
        headings.append(in_words(document, "gross_amount") + currency)
    return headings


def _heading(text: str, lines: int) -> list[str]:
    return [line.replace("\n", " ") for line in text.split("\n", lines - 1)]


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


def _figure_size(figures: Sequence[str]) -> float:
    """In points: small enough for the longest figure to fit its column."""
    longest = max(map(len, figures), default=0)
    return next((size for length, size in ((16, 9), (20, 8), (24, 7)) if longest <= length), 6)


def _widest_unit(rows: list[Row]) -> float:
    """In em, closely: a wider one would be on a line of its own."""
    units = {row.quantity[2] for row in rows}
    return max((sum(WIDTHS.get(character, 1) for character in unit) for unit in units), default=0)


def _widest_figure(texts: Iterable[str]) -> float:
    """An upper bound in em of the body font, close enough to leave labels their width."""
    # All digits are as wide, so hundreds of figures have a few forms.
    forms = {text.translate(_DIGITS) for text in texts}
    return max((sum(FIGURE if each == "0" else WIDTHS.get(each, 1) for each in form) for form in forms), default=0)


def _widest(texts: Iterable[str]) -> float:
    """An upper bound of the widest heading in em of the body font."""
    narrow = ((len(text), sum(each in NARROW_CHARACTERS for each in text)) for text in texts)
    return max(((length - count) * WIDE + count * NARROW for length, count in narrow), default=0)
