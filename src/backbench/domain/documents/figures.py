"""Figures of a document: the lines and sums that are printed, with a markup or discount shown or included in the lines.

The figures always add up: the lines to the subtotal, and the subtotal and the rows below it to the total.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from typing import Protocol

from msgspec import UNSET, Struct

from backbench.domain.documents.prices import PrintedLine, scaled_lines
from backbench.domain.values.currencies import minor_digits, minor_unit
from backbench.domain.values.enums import LineItemUnit
from backbench.domain.values.money import EXACT, NO_LINE_TAXES, Priced, Totals, allocated, line_rates, percentage


class DocumentLine(Struct, frozen=True):
    """`unit_price` is None if no price of at most four decimals, times the quantity, rounds to `amount`.

    With a price of 0 the line is free of charge, with a quantity of 0 it is an option that is not in the sums.
    `tax_percent` is None unless the lines have different tax rates.
    """

    label: str
    unit: LineItemUnit
    quantity: Decimal
    unit_price: Decimal | None
    amount: Decimal
    tax_percent: Decimal | None = None


class DocumentRow(Struct, frozen=True):
    """Markup, discount or tax: `percent` of the figure above it. The `amount` of a discount is positive."""

    percent: Decimal
    amount: Decimal


class DocumentTax(Struct, frozen=True):
    """The tax of one rate: `percent` of `net`, the part of the net sum that it is due on."""

    percent: Decimal
    net: Decimal
    amount: Decimal


class DocumentSums(Struct, frozen=True):
    """A row that is None is not printed. `tax_label` is the workshop's own label, or "" for the locale's.

    `taxes` is empty unless the lines have different tax rates; `tax` is then None. `deposit` is part of the total, due
    when the client orders.
    """

    subtotal: Decimal
    markup: DocumentRow | None
    discount: DocumentRow | None
    net: Decimal
    tax: DocumentRow | None
    tax_label: str
    total: Decimal
    taxes: list[DocumentTax] = []
    deposit: DocumentRow | None = None


class Item(Priced, Protocol):
    """The members of a line item that a document needs."""

    @property
    def label(self) -> str: ...
    @property
    def unit(self) -> LineItemUnit: ...


class Rates(Struct, frozen=True):
    """The percentages of an estimate and of its tax. `line_taxes` are by line id, for lines with another tax rate."""

    markup: Decimal
    discount: Decimal
    tax: Decimal | None = None
    tax_label: str = ""
    line_taxes: Mapping[str, Decimal] = NO_LINE_TAXES
    deposit: Decimal | None = None


def document_figures(
    items: Sequence[Item], totals: Totals, rates: Rates, *, show_markup: bool, show_discount: bool
) -> tuple[list[DocumentLine], DocumentSums]:
    """The lines and sums. What has no row is included in the line prices:

    | shown           | the lines add up to                      | rows below              |
    |-----------------|------------------------------------------|-------------------------|
    | both            | subtotal, as entered                     | markup, discount        |
    | discount only   | subtotal with markup                     | discount                |
    | markup only     | subtotal less its share of the discount  | markup, likewise less   |
    | neither         | net                                      | none                    |
    """
    with localcontext(EXACT):
        subtotal = totals.subtotal + (0 if show_markup else totals.markup)
        if not show_discount and show_markup:
            subtotal -= percentage(subtotal, rates.discount, minor_unit(totals.currency))
        elif not show_discount:
            subtotal = totals.net + 0
        discount = totals.discount if show_discount else Decimal(0)
        printed = _printed_lines(items, totals, subtotal, rates)
        lines = [
            DocumentLine(item.label, item.unit, item.quantity, line.unit_price, line.amount, rate)
            for item, line, rate in zip(items, printed, _shown_rates(items, totals, rates), strict=True)
        ]
        sums = DocumentSums(
            subtotal=subtotal,
            markup=_row(rates.markup, totals.net - subtotal + discount, show_markup),
            discount=_row(rates.discount, discount, show_discount),
            net=totals.net,
            tax=_tax(items, totals, rates),
            tax_label=rates.tax_label,
            taxes=_taxes(totals),
            total=totals.total,
            deposit=_deposit(totals, rates),
        )
    return lines, sums


def _row(percent: Decimal, amount: Decimal, is_shown: bool) -> DocumentRow | None:
    """None for 0 %: such a row is not printed."""
    return DocumentRow(percent, amount) if is_shown and percent else None


def _deposit(totals: Totals, rates: Rates) -> DocumentRow | None:
    if not rates.deposit:
        return None
    return DocumentRow(rates.deposit, percentage(totals.total, rates.deposit, minor_unit(totals.currency)))


def _shown_rates(items: Sequence[Item], totals: Totals, rates: Rates) -> Sequence[Decimal | None]:
    if totals.taxes is UNSET:
        return [None for _ in items]
    return line_rates(items, rates.tax, rates.line_taxes)


def _tax(items: Sequence[Item], totals: Totals, rates: Rates) -> DocumentRow | None:
    rate = line_rates(items, rates.tax, rates.line_taxes)[0]
    return None if rate is None or totals.tax is UNSET or totals.taxes else DocumentRow(rate, totals.tax)


def _taxes(totals: Totals) -> list[DocumentTax]:
    if totals.taxes is UNSET:
        return []
    return [DocumentTax(tax.percent, tax.net, tax.amount) for tax in totals.taxes]


def _printed_lines(items: Sequence[Item], totals: Totals, target: Decimal, rates: Rates) -> list[PrintedLine]:
    """The lines with prices that add up to `target`; as entered if they already do."""
    amounts = [entry.amount + 0 for entry in totals.lines]
    if target == totals.subtotal:
        return [PrintedLine(item.id, item.unit_price, amount) for item, amount in zip(items, amounts, strict=True)]
    digits = minor_digits(totals.currency)
    if totals.taxes is UNSET:
        return scaled_lines(items, amounts, target, digits)
    # The lines of each rate add up to their part of the target, so that a client can check the table of taxes.
    groups: dict[Decimal | None, list[int]] = {tax.percent: [] for tax in totals.taxes}
    for at, rate in enumerate(line_rates(items, rates.tax, rates.line_taxes)):
        groups[rate].append(at)
    weights = [sum((amounts[at] for at in group), Decimal(0)) for group in groups.values()]
    printed: dict[int, PrintedLine] = {}
    for group, part in zip(groups.values(), allocated(weights, target, totals.currency), strict=True):
        scaled = scaled_lines([items[at] for at in group], [amounts[at] for at in group], part, digits)
        printed.update(zip(group, scaled, strict=True))
    return [printed[at] for at in range(len(items))]
