"""Lines by their tax: what the lines of each tax add up to, net or with their tax, and the prices that are printed.

The lines of each tax add up to their part of a sum, so that a client can check the table of taxes.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple, Protocol

from backbench.documents.prices import PrintedLine, scaled_lines
from backbench.values.currencies import minor_digits, minor_unit
from backbench.values.enums import LineItemUnit
from backbench.values.money import Priced, Totals, allocated, gross_prices, percentage
from backbench.values.taxes import Tax


class Item(Priced, Protocol):
    """The members of a line item that a document needs."""

    @property
    def label(self) -> str: ...
    @property
    def unit(self) -> LineItemUnit: ...


class _GrossItem(NamedTuple):
    id: str
    label: str
    unit: LineItemUnit
    unit_price: Decimal
    quantity: Decimal


def gross_items(items: Sequence[Item], taxes: Sequence[Tax | None], unit: Decimal) -> list[Item]:
    """Items of net prices with gross ones. To be used in the context EXACT."""
    prices = gross_prices(items, taxes, unit)
    return [
        _GrossItem(item.id, item.label, item.unit, price, item.quantity)
        for item, price in zip(items, prices, strict=True)
    ]


class TaxGroups:
    """The lines of an estimate in groups of one tax each, in the order of a table of taxes.

    `taxes` has the tax of each line; the amounts of the lines in `totals` are those of the items' prices, net or gross.
    To be used in the context EXACT.
    """

    def __init__(self, items: Sequence[Item], taxes: Sequence[Tax | None], totals: Totals) -> None:
        self.taxes = taxes
        self._items, self._currency, self._subtotal = items, totals.currency, totals.subtotal + 0
        self._amounts = [entry.amount + 0 for entry in totals.lines]
        groups: dict[Tax | None, list[int]] = {}
        for at, tax in enumerate(taxes):
            groups.setdefault(tax, []).append(at)
        order = sorted(groups, key=lambda tax: (0, Decimal(0)) if tax is None else tax.order)
        self._groups = {tax: groups[tax] for tax in order}

    @property
    def has_several(self) -> bool:
        return len(self._groups) > 1

    def with_tax(self, net: Decimal) -> Decimal:
        """A sum of the lines with the taxes of its parts."""
        return sum((part + self._tax(tax, part) for tax, part in self._parts(net)), Decimal(0))

    def printed(
        self, target: Decimal, *, adds_taxes: bool, equal_prices: bool, whole_prices: bool
    ) -> list[PrintedLine]:
        """The lines with prices that add up to `target`; as they are if they already do.

        `adds_taxes`: to `target` with its taxes. `equal_prices`: lines with the same label, unit and price are printed
        with the same price. `whole_prices`: no scaled price has fractions of the minor unit.
        """
        printed: dict[int, PrintedLine] = {}
        for tax, part in self._parts(target):
            group = self._groups[tax]
            items, amounts = [self._items[at] for at in group], [self._amounts[at] for at in group]
            factor = self._factor(tax, target, adds_taxes=adds_taxes)
            if factor == 1:
                as_they_are = zip(items, amounts, strict=True)
                scaled = [PrintedLine(item.id, item.unit_price, amount) for item, amount in as_they_are]
            else:
                goal = part + self._tax(tax, part) if adds_taxes else part
                keys = [(item.label, item.unit, item.unit_price) for item in items] if equal_prices else group
                # An earlier release printed a group of options without a price.
                scaled = scaled_lines(
                    items,
                    amounts,
                    goal,
                    minor_digits(self._currency),
                    keys=keys,
                    factor=factor if equal_prices else None,
                    whole_prices=whole_prices,
                )
            printed.update(zip(group, scaled, strict=True))
        return [printed[at] for at in range(len(self._items))]

    def gross_amounts(self, printed: Sequence[PrintedLine], net: Decimal) -> list[Decimal]:
        """The amounts of printed lines, which add up to `net`, with their tax."""
        found: dict[int, Decimal] = {}
        for tax, part in self._parts(net):
            group = self._groups[tax]
            amounts = [printed[at].amount for at in group]
            found.update(zip(group, allocated(amounts, part + self._tax(tax, part), self._currency), strict=True))
        return [found[at] for at in range(len(self._items))]

    def _parts(self, net: Decimal) -> list[tuple[Tax | None, Decimal]]:
        """The part of a sum of the lines that each tax is of."""
        if len(self._groups) < 2:
            return [(tax, net) for tax in self._groups]
        weights = [sum((self._amounts[at] for at in group), Decimal(0)) for group in self._groups.values()]
        return list(zip(self._groups, allocated(weights, net, self._currency), strict=True))

    def _tax(self, tax: Tax | None, net: Decimal) -> Decimal:
        return Decimal(0) if tax is None else percentage(net, tax.rate, minor_unit(self._currency))

    def _factor(self, tax: Tax | None, target: Decimal, *, adds_taxes: bool) -> Fraction:
        """What prices are multiplied with before they are rounded."""
        net = Fraction(target) / Fraction(self._subtotal) if self._subtotal else Fraction(1)
        return net * (1 + Fraction(tax.rate) / 100) if adds_taxes and tax is not None else net
