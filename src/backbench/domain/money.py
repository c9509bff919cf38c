"""Money: what an estimate adds up to, in decimals, and how the same sum stands on paper.

A sum is rounded half-up to the currency's minor unit, line by line, as a person with a pencil would do it.
What a client sees always adds up: the shown lines and the rows beneath them make the shown total exactly.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from typing import NamedTuple, Protocol

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.numbers import Number

# Wide enough for the largest estimate with every decimal that its numbers may carry: no step is ever inexact.
EXACT = Context(prec=120)
PLACES_OF_A_PRICE = 4

CURRENCIES = frozenset(
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP "
    "CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG "
    "HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL "
    "MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR "
    "RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD "
    "TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG".split()
)
# ISO 4217: the digits of the minor unit, for the currencies where they are not two.
_MINOR_DIGITS = {
    **dict.fromkeys("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(), 0),
    **dict.fromkeys("BHD IQD JOD KWD LYD OMR TND".split(), 3),
}


def minor_digits(currency: str) -> int:
    return _MINOR_DIGITS.get(currency, 2)


def minor_unit(currency: str) -> Decimal:
    """The smallest sum that is paid in `currency`: 0.01 in most."""
    return Decimal(1).scaleb(-minor_digits(currency))


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


class Totals(Struct, frozen=True):
    """`discount` is positive; net = subtotal + markup - discount; total = net, with `tax` where there is one."""

    currency: str
    lines: list[LineAmount]
    subtotal: Number
    markup: Number
    discount: Number
    net: Number
    total: Number
    tax: Number | UnsetType = UNSET


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
    """The lines and rows for paper: `subtotal` is the sum of `lines`; with markup and without discount it is net.

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
        return [
            ShownLine(line.id, line.unit_price, amount) for line, amount in zip(lines, amounts, strict=True)
        ]
    shares = _apportioned([int(amount.scaleb(digits)) for amount in amounts], int(target.scaleb(digits)))
    factor = target / totals.subtotal
    shown = []
    for line, share in zip(lines, shares, strict=True):
        amount = Decimal(share).scaleb(-digits)
        price = _price_that_gives(amount, line.quantity, line.unit_price * factor, digits)
        shown.append(ShownLine(line.id, price, amount))
    return shown


def _apportioned(weights: list[int], target: int) -> list[int]:
    """`target` in whole units, shared in proportion to `weights`; the largest remainders get what is left over."""
    whole = sum(weights)
    shares = [weight * target // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda at: (-(weights[at] * target % whole), at))
    for at in by_remainder[: target - sum(shares)]:
        shares[at] += 1
    return shares


def _price_that_gives(amount: Decimal, quantity: Decimal, near: Decimal, digits: int) -> Decimal | None:
    """The roundest unit price that does not contradict `amount`: a client who multiplies must find it right."""
    candidates = [near, amount / quantity] if quantity else [near]
    for places in range(digits, PLACES_OF_A_PRICE + 1):
        for candidate in candidates:
            price = _rounded(candidate, Decimal(1).scaleb(-places))
            if _rounded(price * quantity, Decimal(1).scaleb(-digits)) == amount:
                return price
    return None
