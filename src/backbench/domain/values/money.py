"""Money: the totals of an estimate, and the amounts that its document prints.

Amounts are decimals, rounded half-up to the currency's minor unit line by line. The printed amounts always add up:
the lines and the rows below them equal the printed total exactly.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from typing import NamedTuple, Protocol

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.values.currencies import minor_digits, minor_unit
from backbench.domain.values.numbers import Number

# Wide enough for the largest estimate with all decimals that its numbers may have: no result is inexact.
EXACT = Context(prec=120)
MAX_PRICE_DECIMALS = 4


class Priced(Protocol):
    """The fields of a line item that amounts are computed from."""

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
    """net = subtotal + markup - discount; `discount` is positive. `tax` is absent if no tax is set."""

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
    """The totals. Each line is rounded, then markup, discount and tax, each computed from rounded amounts."""
    unit = minor_unit(currency)
    with localcontext(EXACT):
        amounts = [_round(line.unit_price * line.quantity, unit) for line in lines]
        subtotal = sum(amounts, Decimal(0))
        markup = _percentage(subtotal, markup_percent, unit)
        discount = _percentage(subtotal + markup, discount_percent, unit)
        net = subtotal + markup - discount
        tax = None if tax_percent is None else _percentage(net, tax_percent, unit)
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


class PrintedLine(NamedTuple):
    """`unit_price` is None if no price of at most four decimals, times the quantity, rounds to `amount`."""

    id: str
    unit_price: Decimal | None
    amount: Decimal


class PrintedAmounts(NamedTuple):
    """The amounts of a document. `subtotal` is the sum of `lines`; subtotal + markup - discount = net.

    `markup` and `discount` are None if they are not printed but included in the lines.
    """

    lines: list[PrintedLine]
    subtotal: Decimal
    markup: Decimal | None
    discount: Decimal | None


def printed_amounts(
    lines: Sequence[Priced],
    totals: Totals,
    *,
    discount_percent: Decimal,
    show_markup: bool,
    show_discount: bool,
) -> PrintedAmounts:
    """The amounts to print when markup, discount or both are included in the line prices.

    | shown           | the lines add up to                      | rows below              |
    |-----------------|------------------------------------------|-------------------------|
    | both            | subtotal, as entered                     | markup, discount        |
    | discount only   | subtotal with markup                     | discount                |
    | markup only     | subtotal less its share of the discount  | markup, likewise less   |
    | neither         | net                                      | none                    |

    The sum is allocated to the lines in proportion to their amounts, to the minor unit, by largest remainder.
    """
    with localcontext(EXACT):
        subtotal, markup, discount = totals.subtotal + 0, totals.markup + 0, totals.discount + 0
        if show_markup and show_discount:
            return PrintedAmounts(_allocated_lines(lines, totals, subtotal), subtotal, markup, discount)
        if show_discount:
            marked_up = subtotal + markup
            return PrintedAmounts(_allocated_lines(lines, totals, marked_up), marked_up, None, discount)
        if show_markup:
            reduced = subtotal - _percentage(subtotal, discount_percent, minor_unit(totals.currency))
            return PrintedAmounts(_allocated_lines(lines, totals, reduced), reduced, totals.net - reduced, None)
        return PrintedAmounts(_allocated_lines(lines, totals, totals.net + 0), totals.net + 0, None, None)


def plain(value: Decimal) -> Number:
    """The same number without trailing zeros or exponent: 12.10 is 12.1, 1E+2 is 100, -0 is 0."""
    return Number(format(value.normalize(EXACT), "f")) if value else Number(0)


def _round(value: Decimal, unit: Decimal) -> Decimal:
    return value.quantize(unit, ROUND_HALF_UP)


def _percentage(value: Decimal, percent: Decimal, unit: Decimal) -> Decimal:
    return _round(value * percent / 100, unit)


def _allocated_lines(lines: Sequence[Priced], totals: Totals, target: Decimal) -> list[PrintedLine]:
    """The lines, scaled to add up to `target`; unchanged if they already do."""
    digits = minor_digits(totals.currency)
    amounts = [entry.amount + 0 for entry in totals.lines]
    if target == totals.subtotal:
        return [PrintedLine(line.id, line.unit_price, amount) for line, amount in zip(lines, amounts, strict=True)]
    shares = _allocate([int(amount.scaleb(digits)) for amount in amounts], int(target.scaleb(digits)))
    factor = target / totals.subtotal
    printed = []
    for line, share in zip(lines, shares, strict=True):
        amount = Decimal(share).scaleb(-digits)
        price = _consistent_unit_price(amount, line.quantity, line.unit_price * factor, digits)
        printed.append(PrintedLine(line.id, price, amount))
    return printed


def _allocate(weights: list[int], target: int) -> list[int]:
    """`target` in minor units, allocated in proportion to `weights` by largest remainder."""
    total_weight = sum(weights)
    shares = [weight * target // total_weight for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda at: (-(weights[at] * target % total_weight), at))
    for at in by_remainder[: target - sum(shares)]:
        shares[at] += 1
    return shares


def _consistent_unit_price(amount: Decimal, quantity: Decimal, near: Decimal, digits: int) -> Decimal | None:
    """The unit price with the fewest decimals that, times `quantity`, rounds to `amount`; None if there is none."""
    candidates = [near, amount / quantity] if quantity else [near]
    for places in range(digits, MAX_PRICE_DECIMALS + 1):
        for candidate in candidates:
            price = _round(candidate, Decimal(1).scaleb(-places))
            if _round(price * quantity, Decimal(1).scaleb(-digits)) == amount:
                return price
    return None
