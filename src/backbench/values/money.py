"""Money: the totals of an estimate of net or gross prices, with taxes by rate.

Amounts are decimals, rounded half-up to the currency's minor unit line by line.
"""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from typing import Annotated, Literal, Protocol

from msgspec import UNSET, Struct, UnsetType

from backbench.values.currencies import minor_digits, minor_unit
from backbench.values.enums import PricesEntered, PricesShown
from backbench.values.errors import FieldError, ValidationError
from backbench.values.numbers import Column, Number
from backbench.values.scalars import between
from backbench.values.taxes import NO_LINE_TAXES, NoRate, Tax, TaxKind, tax_of, taxes_of_lines

# The smallest unit that any currency has; amounts are stored in it.
THOUSANDTHS = 3
MOST_AMOUNT = 10**9


def thousandths(amount: Decimal) -> int:
    return int(amount.scaleb(THOUSANDTHS))


def of_thousandths(stored: int) -> Number:
    return plain(Decimal(stored).scaleb(-THOUSANDTHS))


# A column of whole thousandths, a decimal everywhere else.
Thousandths = Annotated[Number, Column("thousandths", of_thousandths, thousandths)]
Amount = Annotated[Number, between(0, MOST_AMOUNT, places=THOUSANDTHS)]


def require_exact(amount: Decimal, currency: str) -> None:
    """Raises ValidationError for an amount with more decimals than the currency has."""
    if amount != amount.quantize(minor_unit(currency)):
        detail = f"Amounts in {currency} have at most {minor_digits(currency)} decimals"
        raise ValidationError(FieldError("/amount", "too_precise", detail))


# Wide enough for the largest estimate with all decimals that its numbers may have: no result is inexact.
EXACT = Context(prec=120)


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


class TaxAmount(Struct, frozen=True, kw_only=True):
    """The tax of the lines with one rate: `percent` of `net`, their part of the net sum.

    Of lines whose tax is no rate: `kind`, without label and percent, with an amount of 0.
    """

    label: str | UnsetType = UNSET
    percent: Number | UnsetType = UNSET
    kind: NoRate | UnsetType = UNSET
    net: Number
    amount: Number


class Totals(Struct, frozen=True, kw_only=True, rename="camel"):
    """net = subtotal + markup - discount; `discount` is positive. `tax` is absent if no tax is set.

    With `prices_shown`, lines, subtotal, markup and discount are gross: total = subtotal + markup - discount, and
    net = total - tax.

    `taxes` is present if the lines have different taxes, or one that is no rate: the highest rate first, then the
    kinds. `tax` is the sum of its amounts.
    """

    currency: str
    lines: list[LineAmount]
    subtotal: Number
    markup: Number
    discount: Number
    net: Number
    tax: Number | UnsetType = UNSET
    taxes: list[TaxAmount] | UnsetType = UNSET
    total: Number
    prices_shown: Literal["gross"] | UnsetType = UNSET


def total(
    lines: Sequence[Priced],
    *,
    markup_percent: Decimal,
    discount_percent: Decimal,
    tax_percent: Decimal | None,
    currency: str,
    tax_kind: TaxKind = "rate",
    line_taxes: Mapping[str, Tax] = NO_LINE_TAXES,
    tax_label: str = "",
    prices_entered: PricesEntered = "net",
    computed: PricesShown = "net",
) -> Totals:
    """The totals. Each line is rounded, then markup, discount and taxes, each computed from rounded amounts.

    `line_taxes` are taxes by line id, for lines that do not have that of the estimate. The totals are sums of the
    `computed` prices: taxes are added to a net sum, and are part of a gross one.
    """
    unit, is_gross = minor_unit(currency), computed == "gross"
    with localcontext(EXACT):
        of_lines = taxes_of_lines(lines, tax_of(tax_kind, tax_percent), line_taxes)
        prices = [line.unit_price for line in lines]
        if is_gross and prices_entered == "net":
            prices = gross_prices(lines, of_lines, unit)
        amounts = _amounts(lines, prices, unit)
        subtotal = sum(amounts, Decimal(0))
        markup = percentage(subtotal, markup_percent, unit)
        discount = percentage(subtotal + markup, discount_percent, unit)
        discounted = subtotal + markup - discount
        parts = parts_by_tax(of_lines, amounts, discounted, currency)
        taxes = [_tax_amount(each, part, tax_label, unit, is_gross=is_gross) for each, part in parts.items()]
        tax = sum((entry.amount for entry in taxes), Decimal(0))
        net = discounted - tax if is_gross else discounted
        return Totals(
            currency=currency,
            lines=[LineAmount(line.id, plain(amount)) for line, amount in zip(lines, amounts, strict=True)],
            subtotal=plain(subtotal),
            markup=plain(markup),
            discount=plain(discount),
            net=plain(net),
            tax=plain(tax) if taxes else UNSET,
            taxes=taxes if len(taxes) > 1 or any(each.kind for each in parts) else UNSET,
            total=plain(net + tax),
            prices_shown="gross" if is_gross else UNSET,
        )


def gross_prices(lines: Sequence[Priced], taxes: Sequence[Tax | None], unit: Decimal) -> list[Decimal]:
    """The net unit prices of lines with their taxes, in whole minor units. A price without a tax on it stays as it is.

    To be used in the context EXACT.
    """
    return [
        rounded(line.unit_price * (100 + tax.rate) / 100, unit) if tax is not None and tax.rate else line.unit_price
        for line, tax in zip(lines, taxes, strict=False)
    ]


def gross_subtotal(lines: Sequence[Priced], tax: Tax | None, line_taxes: Mapping[str, Tax], currency: str) -> Decimal:
    """The subtotal that `total` gives for lines of net prices that are shown gross."""
    unit = minor_unit(currency)
    with localcontext(EXACT):
        prices = gross_prices(lines, taxes_of_lines(lines, tax, line_taxes), unit)
        return sum(_amounts(lines, prices, unit), Decimal(0))


def total_of_sum(
    subtotal: Decimal,
    *,
    markup_percent: Decimal,
    discount_percent: Decimal,
    tax_percent: Decimal | None,
    currency: str,
) -> Number:
    """The total that `total` gives for lines with this sum and one tax rate, without computing the other amounts.

    A sum of gross prices has no `tax_percent` to add.
    """
    unit = minor_unit(currency)
    with localcontext(EXACT):
        marked_up = subtotal + percentage(subtotal, markup_percent, unit)
        net = marked_up - percentage(marked_up, discount_percent, unit)
        return plain(net if tax_percent is None else net + percentage(net, tax_percent, unit))


def deposit(total_: Decimal, currency: str, percent: Decimal | None, fixed: Decimal | None) -> Decimal:
    """What is due with the order of a total: a fixed amount of at most the total, or a percentage; 0 without either."""
    unit = minor_unit(currency)
    with localcontext(EXACT):
        if fixed is not None:
            return min(rounded(fixed, unit), total_ + 0)
        return percentage(total_, percent or Decimal(0), unit)


def _amounts(lines: Sequence[Priced], prices: Sequence[Decimal], unit: Decimal) -> list[Decimal]:
    return [rounded(price * line.quantity, unit) for line, price in zip(lines, prices, strict=True)]


def _tax_amount(tax: Tax, part: Decimal, label: str, unit: Decimal, *, is_gross: bool) -> TaxAmount:
    """`part` is the part of the net sum that the tax is due on; of a gross sum, with the tax."""
    amount = rounded(part * tax.rate / (100 + tax.rate), unit) if is_gross else percentage(part, tax.rate, unit)
    net = plain(part - amount if is_gross else part)
    if tax.kind is not None:
        return TaxAmount(kind=tax.kind, net=net, amount=plain(amount))
    return TaxAmount(label=label, percent=plain(tax.rate), net=net, amount=plain(amount))


def allocate(weights: Sequence[int], target: int) -> list[int]:
    """`target` in minor units, allocated in proportion to `weights` by largest remainder."""
    total_weight = sum(weights) or 1
    shares = [weight * target // total_weight for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda at: (-(weights[at] * target % total_weight), at))
    for at in by_remainder[: target - sum(shares)]:
        shares[at] += 1
    return shares


def allocated(amounts: Sequence[Decimal], target: Decimal, currency: str) -> list[Decimal]:
    """`target`, allocated in proportion to `amounts`, in whole minor units of the currency."""
    digits = minor_digits(currency)
    shares = allocate([int(amount.scaleb(digits)) for amount in amounts], int(target.scaleb(digits)))
    return [Decimal(share).scaleb(-digits) for share in shares]


def parts_by_tax(taxes: list[Tax | None], amounts: list[Decimal], sum_: Decimal, currency: str) -> dict[Tax, Decimal]:
    """The part of a net or gross sum that each tax is of, in the order of a table of taxes. They add up to the sum."""
    found = {tax: Decimal(0) for tax in sorted({tax for tax in taxes if tax is not None}, key=lambda tax: tax.order)}
    for tax, amount in zip(taxes, amounts, strict=False):
        if tax is not None:
            found[tax] += amount
    if len(found) < 2:
        return dict.fromkeys(found, sum_)
    return dict(zip(found, allocated(list(found.values()), sum_, currency), strict=True))


def plain(value: Decimal) -> Number:
    """The same number without trailing zeros or exponent: 12.10 is 12.1, 1E+2 is 100, -0 is 0."""
    return Number(format(value.normalize(EXACT), "f")) if value else Number(0)


def rounded(value: Decimal, unit: Decimal) -> Decimal:
    """Half-up, to whole units."""
    return value.quantize(unit, ROUND_HALF_UP)


def percentage(value: Decimal, percent: Decimal, unit: Decimal) -> Decimal:
    return rounded(value * percent / 100, unit)
