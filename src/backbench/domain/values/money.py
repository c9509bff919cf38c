"""Money: what an estimate adds up to, in decimals, and how the same sum stands on paper.

A sum is rounded half-up to the currency's minor unit, line by line, as a person with a pencil would do it.
What a client sees always adds up: the shown lines and the rows beneath them make the shown total exactly.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from typing import NamedTuple, Protocol

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.values.currencies import minor_digits, minor_unit
from backbench.domain.values.numbers import Number

# Wide enough for the largest estimate with every decimal that its numbers may carry: no sum is ever inexact.
EXACT = Context(prec=120)
PLACES_OF_A_PRICE = 4


class Priced(Protocol):
    """A line of an estimate or of a revision, as far as sums are concerned."""

    @property
    def id(self) -> str: ...
    @property
    def unit_price(self) -> Decimal: ...
    @property
    def quantity(self) -> Decimal: ...


class LineAmount(Struct, frozen=True):
    id: str
    amount: Number


class Totals(Struct, frozen=True, kw_only=True):
    """`discount` is positive; net = subtotal + markup - discount; `tax` is absent where none is set."""

    currency: str
    lines: list[LineAmount]
    subtotal: Number
    markup: Number
    discount: Number
    net: Number
    tax: Number | UnsetType = UNSET
    total: Number


def total(
    lines: Sequence[Priced],
    *,
    markup_percent: Decimal,
    discount_percent: Decimal,
    tax_percent: Decimal | None,
    currency: str,
) -> Totals:
    """The sum of rounded lines; markup, discount and tax are each rounded from the rounded figure before."""
    unit = minor_unit(currency)
    with localcontext(EXACT):
        amounts = [_rounded(line.unit_price * line.quantity, unit) for line in lines]
        subtotal = sum(amounts, Decimal(0))
        markup = _share(subtotal, markup_percent, unit)
        discount = _share(subtotal + markup, discount_percent, unit)
        net = subtotal + markup - discount
        tax = None if tax_percent is None else _share(net, tax_percent, unit)
        return Totals(
            currency=currency,
            lines=[LineAmount(line.id, plain(amount)) for line, amount in zip(lines, amounts, strict=True)],
            subtotal=plain(subtotal),
            markup=plain(markup),
            discount=plain(discount),
            net=plain(net),
            tax=UNSET if tax is None else plain(tax),
            total=plain(net if tax is None else net + tax),
        )


class ShownLine(NamedTuple):
    """`unit_price` is None where no price of at most four decimals gives `amount` for the quantity."""

    id: str
    unit_price: Decimal | None
    amount: Decimal


class Shown(NamedTuple):
    """For paper: `subtotal` is the sum of `lines`, and subtotal + markup - discount is net.

    `markup` and `discount` are None where they are not shown, because they are inside the lines.
    """

    lines: list[ShownLine]
    subtotal: Decimal
    markup: Decimal | None
    discount: Decimal | None


def shown_lines(
    lines: Sequence[Priced],
    totals: Totals,
    *,
    discount_percent: Decimal,
    show_markup: bool,
    show_discount: bool,
) -> Shown:
    """How the estimate stands on paper when markup, discount or both are kept inside the line prices.

    | shown           | the lines add up to                      | rows beneath            |
    |-----------------|------------------------------------------|-------------------------|
    | both            | subtotal, as entered                     | markup, discount        |
    | discount only   | subtotal with markup                     | discount                |
    | markup only     | subtotal less its share of the discount  | markup, likewise less   |
    | neither         | net                                      | none                    |

    The sum is spread over the lines in proportion to their amounts, to the minor unit, by largest remainder.
    """
    with localcontext(EXACT):
        subtotal, markup, discount = totals.subtotal + 0, totals.markup + 0, totals.discount + 0
        if show_markup and show_discount:
            return Shown(_spread(lines, totals, subtotal), subtotal, markup, discount)
        if show_discount:
            marked_up = subtotal + markup
            return Shown(_spread(lines, totals, marked_up), marked_up, None, discount)
        if show_markup:
            reduced = subtotal - _share(subtotal, discount_percent, minor_unit(totals.currency))
            return Shown(_spread(lines, totals, reduced), reduced, totals.net - reduced, None)
        return Shown(_spread(lines, totals, totals.net + 0), totals.net + 0, None, None)


def plain(value: Decimal) -> Number:
    """The same number without trailing zeros or exponent: 12.10 is 12.1, 1E+2 is 100, -0 is 0."""
    return Number(format(value.normalize(EXACT), "f")) if value else Number(0)


def _rounded(value: Decimal, unit: Decimal) -> Decimal:
    return value.quantize(unit, ROUND_HALF_UP)


def _share(value: Decimal, percent: Decimal, unit: Decimal) -> Decimal:
    return _rounded(value * percent / 100, unit)


def _spread(lines: Sequence[Priced], totals: Totals, target: Decimal) -> list[ShownLine]:
    """The lines so scaled that they make `target`; as entered where they make it already."""
    digits = minor_digits(totals.currency)
    amounts = [entry.amount + 0 for entry in totals.lines]
    if target == totals.subtotal:
        return [ShownLine(line.id, line.unit_price, amount) for line, amount in zip(lines, amounts, strict=True)]
    shares = _apportioned([int(amount.scaleb(digits)) for amount in amounts], int(target.scaleb(digits)))
    factor = target / totals.subtotal
    shown = []
    for line, share in zip(lines, shares, strict=True):
        amount = Decimal(share).scaleb(-digits)
        price = _price_that_gives(amount, line.quantity, line.unit_price * factor, digits)
        shown.append(ShownLine(line.id, price, amount))
    return shown


def _apportioned(weights: list[int], target: int) -> list[int]:
    """`target` in whole units, shared in proportion to `weights`; the largest remainders get the rest."""
    whole = sum(weights)
    shares = [weight * target // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda at: (-(weights[at] * target % whole), at))
    for at in by_remainder[: target - sum(shares)]:
        shares[at] += 1
    return shares


def _price_that_gives(amount: Decimal, quantity: Decimal, near: Decimal, digits: int) -> Decimal | None:
    """The roundest unit price that does not contradict `amount`: a client who multiplies finds it right."""
    candidates = [near, amount / quantity] if quantity else [near]
    for places in range(digits, PLACES_OF_A_PRICE + 1):
        for candidate in candidates:
            price = _rounded(candidate, Decimal(1).scaleb(-places))
            if _rounded(price * quantity, Decimal(1).scaleb(-digits)) == amount:
                return price
    return None
