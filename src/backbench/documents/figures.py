"""Figures of a document: the lines and sums that are printed, with a markup or discount shown or included in the lines.

The figures always add up: the lines to the subtotal, and the subtotal and the rows below it to the total.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext

from msgspec import UNSET, Struct, structs

from backbench.documents.tax_groups import Item, TaxGroups, gross_items
from backbench.values.currencies import minor_unit
from backbench.values.enums import DepositKind, LineItemUnit, PricesEntered, PricesShown
from backbench.values.money import EXACT, Priced, Totals, deposit, percentage
from backbench.values.taxes import NO_LINE_TAXES, NoRate, Tax, TaxKind, tax_of, taxes_of_lines


class DocumentLine(Struct, frozen=True):
    """`unit_price` is None if no price of at most four decimals, times the quantity, rounds to `amount`.

    With a price of 0 the line is free of charge, with a quantity of 0 it is an option that is not in the sums.
    `tax_percent` or `tax_kind` is there if the lines have different taxes; `gross_amount` if net prices are shown, too.
    """

    label: str
    unit: LineItemUnit
    quantity: Decimal
    unit_price: Decimal | None
    amount: Decimal
    tax_percent: Decimal | None = None
    tax_kind: NoRate | None = None
    gross_amount: Decimal | None = None


class DocumentRow(Struct, frozen=True):
    """Markup, discount or tax: `percent` of the figure above it. The `amount` of a discount is positive."""

    percent: Decimal
    amount: Decimal


class DocumentTax(Struct, frozen=True):
    """The tax of one rate: `percent` of `net`, the part of the net sum that it is due on; or a `kind` without one."""

    percent: Decimal | None
    net: Decimal
    amount: Decimal
    kind: NoRate | None = None


class DocumentDeposit(Struct, frozen=True):
    """Due when the client orders. `percent` is that of the total, None for a fixed amount; `balance` what then remains.

    Revisions of an earlier release have neither `kind` nor `balance`.
    """

    percent: Decimal | None
    amount: Decimal
    kind: DepositKind | None = None
    balance: Decimal | None = None


class DocumentSums(Struct, frozen=True):
    """A row that is None is not printed. `tax_label` is the workshop's own label, or "" for the locale's.

    `taxes` is empty unless the lines have different taxes, or one that is no rate; `tax` is then None. Where `prices`
    are gross, subtotal, markup and discount are gross as well, and add up to the total; the taxes are part of it. With
    `kinds_apart`, what has no rate is then named as a part of the total, not as a tax in it.
    """

    subtotal: Decimal
    markup: DocumentRow | None
    discount: DocumentRow | None
    net: Decimal
    tax: DocumentRow | None
    tax_label: str
    total: Decimal
    taxes: list[DocumentTax] = []
    deposit: DocumentDeposit | None = None
    prices: PricesShown = "net"
    kinds_apart: bool = False

    @property
    def is_taxed(self) -> bool:
        """Whether net and gross differ."""
        return self.tax is not None or any(tax.kind is None for tax in self.taxes)

    @property
    def is_gross(self) -> bool:
        return self.is_taxed and self.prices == "gross"


class Rates(Struct, frozen=True):
    """The percentages of an estimate and of its tax, and its deposit. `line_taxes` are by line id.

    `rules` are those of the revision: see `DocumentSnapshot`.
    """

    markup: Decimal
    discount: Decimal
    tax: Decimal | None = None
    tax_label: str = ""
    line_taxes: Mapping[str, Tax] = NO_LINE_TAXES
    deposit: Decimal | None = None
    tax_kind: TaxKind = "rate"
    deposit_amount: Decimal | None = None
    deposit_kind: DepositKind = "advance"
    prices: PricesShown = "net"
    entered: PricesEntered = "net"
    rules: int = 3

    def of_lines(self, items: Sequence[Priced]) -> list[Tax | None]:
        """The tax of each line."""
        return taxes_of_lines(items, tax_of(self.tax_kind, self.tax), self.line_taxes)

    @property
    def sums_gross(self) -> bool:
        """Whether totals are sums of gross prices: `computed` of the revision's terms."""
        return self.prices == "gross" and self.rules > 2

    @property
    def adds_taxes(self) -> bool:
        """Whether gross prices are found for net totals: by the rules of earlier releases."""
        return self.prices == "gross" and self.rules < 3


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

    With gross prices all of it is gross, and the last is the total.
    """
    with localcontext(EXACT):
        discounted = (totals.total if rates.sums_gross else totals.net) + 0
        subtotal = totals.subtotal + (0 if show_markup else totals.markup)
        if not show_discount and show_markup:
            subtotal -= percentage(subtotal, rates.discount, minor_unit(totals.currency))
        elif not show_discount:
            subtotal = discounted
        discount = totals.discount if show_discount else Decimal(0)
        taxes = rates.of_lines(items)[: len(items)]
        if rates.sums_gross and rates.entered == "net":
            items = gross_items(items, taxes, minor_unit(totals.currency))
        groups = TaxGroups(items, taxes, totals)
        sums = DocumentSums(
            subtotal=subtotal,
            markup=_row(rates.markup, discounted - subtotal + discount, show_markup),
            discount=_row(rates.discount, discount, show_discount),
            net=totals.net,
            tax=_tax(items, totals, rates),
            tax_label=rates.tax_label,
            taxes=_taxes(totals),
            total=totals.total,
            deposit=deposit_of(totals, rates),
            prices=rates.prices,
            kinds_apart=rates.rules > 2,
        )
        lines = _lines(items, groups, sums, rates)
        return lines, _with_taxes(sums, groups, discount) if sums.is_gross and rates.adds_taxes else sums


def _lines(items: Sequence[Item], groups: TaxGroups, sums: DocumentSums, rates: Rates) -> list[DocumentLine]:
    printed = groups.printed(
        sums.subtotal,
        adds_taxes=sums.is_gross and rates.adds_taxes,
        equal_prices=rates.rules > 1,
        # A price that a consumer pays has no fractions of the minor unit.
        whole_prices=rates.sums_gross,
    )
    has_gross = sums.is_taxed and groups.has_several and not sums.is_gross and _has_gross_column(sums, rates)
    gross = groups.gross_amounts(printed, sums.subtotal) if has_gross else [None for _ in items]
    taxes = groups.taxes if groups.has_several else [None for _ in items]
    return [
        DocumentLine(
            label=item.label,
            unit=item.unit,
            quantity=item.quantity,
            unit_price=line.unit_price,
            amount=line.amount,
            tax_percent=None if tax is None else tax.percent,
            tax_kind=None if tax is None else tax.kind,
            gross_amount=with_tax,
        )
        for item, line, tax, with_tax in zip(items, printed, taxes, gross, strict=True)
    ]


def _has_gross_column(sums: DocumentSums, rates: Rates) -> bool:
    """Next to a row of percent, the gross amounts of lines add up to no sum of the document."""
    return rates.rules == 2 or (rates.rules > 2 and sums.markup is None and sums.discount is None)


def _with_taxes(sums: DocumentSums, groups: TaxGroups, discount: Decimal) -> DocumentSums:
    """The sums above the total with their tax, so that they add up to the total."""
    subtotal, before_discount = groups.with_tax(sums.subtotal), groups.with_tax(sums.net + discount)
    return structs.replace(
        sums,
        subtotal=subtotal,
        markup=None if sums.markup is None else DocumentRow(sums.markup.percent, before_discount - subtotal),
        discount=None if sums.discount is None else DocumentRow(sums.discount.percent, before_discount - sums.total),
    )


def _row(percent: Decimal, amount: Decimal, is_shown: bool) -> DocumentRow | None:
    """None for 0 %: such a row is not printed."""
    return DocumentRow(percent, amount) if is_shown and percent else None


def deposit_of(totals: Totals, rates: Rates) -> DocumentDeposit | None:
    """None where nothing is to be paid. An amount is at most the total."""
    amount = deposit(totals.total, totals.currency, rates.deposit, rates.deposit_amount)
    if not amount:
        return None
    if rates.rules < 2:
        return DocumentDeposit(rates.deposit, amount)
    return DocumentDeposit(rates.deposit, amount, rates.deposit_kind, totals.total - amount)


def _tax(items: Sequence[Item], totals: Totals, rates: Rates) -> DocumentRow | None:
    tax = rates.of_lines(items)[0]
    return None if tax is None or totals.tax is UNSET or totals.taxes else DocumentRow(tax.rate, totals.tax)


def _taxes(totals: Totals) -> list[DocumentTax]:
    if totals.taxes is UNSET:
        return []
    return [
        DocumentTax(None if tax.percent is UNSET else tax.percent, tax.net, tax.amount, tax.kind or None)
        for tax in totals.taxes
    ]
