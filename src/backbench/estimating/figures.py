"""Figures of a list of line items: its length and its sum, from which a total is computed without the lines.

A line is rounded to the minor unit of the currency, which a workshop can change: there is a sum for each number of
decimals that a currency can have.
"""

from collections.abc import Iterable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext

from msgspec import Struct

from backbench.values.currencies import DECIMALS, minor_digits
from backbench.values.money import EXACT, Priced, total_of_sum
from backbench.values.numbers import Number

# Larger totals are not summed up: sums of a million of them would exceed 64 bits. Ten thousand million, in thousandths.
_MOST_SUMMED = 10**13
# The end of a validity that is not stated.
_ALWAYS_VALID = "9999-12-31"


class Figures(Struct, frozen=True):
    """`lines` is the number of line items, `sums` the sum of their amounts for each of DECIMALS."""

    lines: int
    sums: tuple[Decimal, ...]

    @classmethod
    def of(cls, lines: Iterable[Priced]) -> "Figures":
        return NO_LINES.plus(lines)

    @classmethod
    def parse(cls, text: str) -> "Figures":
        """The inverse of `str`."""
        lines, *sums = text.split(" ")
        return cls(int(lines), tuple(map(Decimal, sums)))

    def __str__(self) -> str:
        return " ".join([str(self.lines), *(format(each, "f") for each in self.sums)])

    def plus(self, lines: Iterable[Priced]) -> "Figures":
        """With more line items."""
        return self._changed(lines, 1)

    def minus(self, lines: Iterable[Priced]) -> "Figures":
        """With fewer line items."""
        return self._changed(lines, -1)

    def total(
        self, *, markup_percent: Decimal, discount_percent: Decimal, tax_percent: Decimal | None, currency: str
    ) -> Number:
        """The total of an estimate with these line items."""
        return total_of_sum(
            self.sums[DECIMALS.index(minor_digits(currency))],
            markup_percent=markup_percent,
            discount_percent=discount_percent,
            tax_percent=tax_percent,
            currency=currency,
        )

    def _changed(self, lines: Iterable[Priced], sign: int) -> "Figures":
        with localcontext(EXACT):
            exact = [sign * line.unit_price * line.quantity for line in lines]
            sums = tuple(
                sum([amount.quantize(unit, ROUND_HALF_UP) for amount in exact], before)
                for unit, before in zip(_UNITS, self.sums, strict=True)
            )
        return Figures(self.lines + sign * len(exact), sums)


def summed_total(total: Decimal) -> int | None:
    """A total in thousandths, as the numbers of a workshop sum it up; None where it is too large."""
    thousandths = int(total.scaleb(3))
    return thousandths if thousandths <= _MOST_SUMMED else None


def last_valid_day(valid_until: date | None) -> str:
    """The last day of a validity as it sorts as text."""
    return _ALWAYS_VALID if valid_until is None else valid_until.isoformat()


_UNITS = [Decimal(1).scaleb(-decimals) for decimals in DECIMALS]
NO_LINES = Figures(0, tuple(Decimal(0).scaleb(-decimals) for decimals in DECIMALS))
