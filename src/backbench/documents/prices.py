"""Unit prices of a document that include a hidden markup or discount, in whole minor units.

The entered prices are scaled to a target and rounded to the minor unit, and a line is its price times its quantity. The
few minor units that are then left go to one line, or to two if no single price takes them. Only if no whole price does,
one line has an odd price: one with more decimals than the minor unit, or none. Decision `whole-unit-prices` has the
figures.
"""

from collections.abc import Hashable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from backbench.values.money import Priced, allocate

# Prices and quantities are entered with at most four decimals, and are computed here as integers of this unit.
PLACES = 4
SCALE = 10**PLACES
# The largest relative change of a price by the units that are left, from preferred to last.
LIMITS = (0.02, 0.1, 0.5)
# A price entered in fractions of the minor unit has them printed if rounding would change it by more than this part.
FINE_SHARE = 4
# Lines that are tried in pairs, and the changes of the first one's price in minor units.
PAIRED_LINES = 12
NUDGES = (1, -1, 2, -2, 3, -3)


class PrintedLine(NamedTuple):
    """`unit_price` is None if no price of at most four decimals, times the quantity, rounds to `amount`."""

    id: str
    unit_price: Decimal | None
    amount: Decimal


def scaled_lines(
    lines: Sequence[Priced],
    amounts: Sequence[Decimal],
    target: Decimal,
    digits: int,
    *,
    keys: Sequence[Hashable],
    factor: Fraction | None = None,
    whole_prices: bool = False,
) -> list[PrintedLine]:
    """The lines with prices that add up to `target`; `amounts` are those of the prices that the lines have.

    Lines of one of the `keys` have one price. `factor` scales the prices where the amounts are all zero: of options.
    With `whole_prices` no price has fractions of the minor unit: None is in place of an odd one.
    """
    weights = [int(amount.scaleb(digits)) for amount in amounts]
    goal = int(target.scaleb(digits))
    scale = (goal, sum(weights)) if factor is None or any(weights) else factor.as_integer_ratio()
    finest = 10 ** (PLACES - digits) if whole_prices else 1
    singles = [_Line.scaled([line], scale, digits, finest) for line in lines]
    if not goal and factor is not None and not any(weights):
        return _allocated(lines, singles, weights, digits)
    # A group of free lines has nothing to scale.
    prices: _Prices | None = [0 for _ in lines]
    if goal:
        prices = _shared_prices(lines, keys, scale, goal, digits, finest) or _whole_prices(singles, goal)
    if prices is None:
        return _allocated(lines, singles, allocate(weights, goal), digits)
    shares = _amounts(singles, prices, goal)
    return [_printed(line.id, price, share, digits) for line, price, share in zip(lines, prices, shares, strict=True)]


def _shared_prices(
    lines: Sequence[Priced], keys: Sequence[Hashable], scale: tuple[int, int], goal: int, digits: int, finest: int
) -> "_Prices | None":
    """A price for each line, the same for lines of one key; None if no such prices add up, or each key occurs once."""
    shared: dict[Hashable, list[int]] = {}
    for at, key in enumerate(keys):
        shared.setdefault(key, []).append(at)
    if len(shared) == len(lines):
        return None
    groups = [_Line.scaled([lines[at] for at in each], scale, digits, finest) for each in shared.values()]
    found = _whole_prices(groups, goal)
    if found is None:
        return None
    prices = {at: price for each, price in zip(shared.values(), found, strict=True) for at in each}
    return [prices[at] for at in range(len(lines))]


class _Line(NamedTuple):
    """Lines of one price in integers; mostly a single one.

    `exact` is the scaled price as a fraction, `price` that price in multiples of `step`; `finest` is the smallest step.
    """

    quantities: tuple[int, ...]
    quantity: int
    exact: tuple[int, int]
    price: int
    step: int
    # A product of price and quantity in units of this many to one minor unit.
    unit: int
    finest: int

    @classmethod
    def scaled(cls, lines: Sequence[Priced], scale: tuple[int, int], digits: int, finest: int) -> "_Line":
        entered = int(lines[0].unit_price.scaleb(PLACES))
        above, below = entered * scale[0], scale[1] or 1
        step = _step(entered, above, below, digits, finest)
        # A price that is not zero stays so: zero is printed as free of charge.
        price = max(_rounded(above, below * step) * step, step if above else 0)
        quantities = tuple(int(line.quantity.scaleb(PLACES)) for line in lines)
        return cls(quantities, sum(quantities), (above, below), price, step, 10 ** (2 * PLACES - digits), finest)

    @property
    def is_single(self) -> bool:
        return len(self.quantities) == 1

    @property
    def finer_steps(self) -> Iterator[int]:
        """The price steps below the minor unit, in ten-thousandths: 10 and 1 for a currency of two decimals."""
        step = self.unit // SCALE // 10
        while step >= self.finest:
            yield step
            step //= 10

    def amount(self, price: int) -> int:
        return sum(_rounded(price * quantity, self.unit) for quantity in self.quantities)

    def price_of(self, amount: int, step: int, limit: float) -> int | None:
        """A price in multiples of `step` that gives `amount`, near the scaled price."""
        if amount <= 0 or not self.quantity or not self.price:
            return None
        low = amount * self.unit // self.quantity // step * step
        for price in (low, low + step):
            if price > 0 and self.amount(price) == amount and self._is_near(price, limit):
                return price
        return None

    def _is_near(self, price: int, limit: float) -> bool:
        above, below = self.exact
        return abs(price * below - above) <= max(self.step * below, limit * above)


def _step(entered: int, above: int, below: int, digits: int, finest: int) -> int:
    """The minor unit. Finer for prices entered in fractions of it, such as 0.0042, that rounding would change much."""
    step: int = 10 ** (PLACES - digits)
    while step > finest and entered % step:
        if abs(_rounded(above, below * step) * step * below - above) * FINE_SHARE <= above:
            break
        step //= 10
    return step


def _rounded(above: int, below: int) -> int:
    """The quotient rounded half-up."""
    return (2 * above + below) // (2 * below)


_Prices = list[int | None]


def _whole_prices(lines: list[_Line], goal: int) -> _Prices | None:
    """A price for each line, so that the amounts add up to `goal`. At most one of them is odd, or None."""
    nearest = [line.price for line in lines]
    starts = [nearest, _balanced(lines, goal)]
    for limit in LIMITS:
        for start in starts:
            if (found := _with_the_rest(lines, start, goal, limit)) is not None:
                return found
        for start in starts:
            if (found := _with_one_odd_price(lines, start, goal, limit)) is not None:
                return found
    return None


def _balanced(lines: list[_Line], goal: int) -> list[int]:
    """Prices rounded up or down so that what is left is small: the lines of the largest quantities first."""
    prices = [line.price for line in lines]
    rest = goal - sum(line.amount(price) for line, price in zip(lines, prices, strict=True))
    for at in sorted(range(len(lines)), key=lambda at: (-lines[at].quantity * lines[at].step, at)):
        line = lines[at]
        other = line.price + (line.step if line.price * line.exact[1] < line.exact[0] else -line.step)
        change = line.amount(other) - line.amount(line.price)
        if line.price and other > 0 and abs(rest - change) < abs(rest):
            prices[at] = other
            rest -= change
    return prices


def _rest(lines: list[_Line], prices: list[int], goal: int) -> int:
    return goal - sum(line.amount(price) for line, price in zip(lines, prices, strict=True))


def _by_amount(lines: list[_Line], prices: list[int]) -> list[int]:
    """The positions of the lines, from the largest amount to the smallest: there the rest changes least.

    Lines that share their price with others are last.
    """
    return sorted(range(len(lines)), key=lambda at: (not lines[at].is_single, -lines[at].amount(prices[at]), at))


def _with_the_rest(lines: list[_Line], prices: list[int], goal: int, limit: float) -> _Prices | None:
    """The prices with what is left put into one whole price, or into two."""
    rest = _rest(lines, prices, goal)
    if not rest:
        return list(prices)
    order = _by_amount(lines, prices)
    changes = _single_changes(lines, prices, rest, limit, order) or _paired_changes(lines, prices, rest, limit, order)
    return None if changes is None else [changes.get(at, price) for at, price in enumerate(prices)]


def _single_changes(
    lines: list[_Line], prices: list[int], rest: int, limit: float, order: list[int]
) -> dict[int, int] | None:
    for at in order:
        price = lines[at].price_of(lines[at].amount(prices[at]) + rest, lines[at].step, limit)
        if price is not None:
            return {at: price}
    return None


def _paired_changes(
    lines: list[_Line], prices: list[int], rest: int, limit: float, order: list[int]
) -> dict[int, int] | None:
    # Lines of one quantity change by the same amounts, so the largest of each is enough.
    largest: dict[tuple[int, ...], int] = {}
    for at in order:
        largest.setdefault(lines[at].quantities, at)
    distinct = list(largest.values())[:PAIRED_LINES]
    for nudge in NUDGES:
        for at in distinct:
            line = lines[at]
            price = prices[at] + nudge * line.step
            if price <= 0 or not prices[at]:
                continue
            left = rest - line.amount(price) + line.amount(prices[at])
            others = [other for other in distinct if other != at]
            if (changes := _single_changes(lines, prices, left, limit, others)) is not None:
                return {at: price, **changes}
    return None


def _with_one_odd_price(lines: list[_Line], prices: list[int], goal: int, limit: float) -> _Prices | None:
    """The prices with what is left put into one line, whose price has as few decimals as possible, or is None."""
    rest = _rest(lines, prices, goal)
    order = _by_amount(lines, prices)
    for step in lines[0].finer_steps:
        for at in order:
            price = lines[at].price_of(lines[at].amount(prices[at]) + rest, step, limit)
            if price is not None:
                return [price if each == at else old for each, old in enumerate(prices)]
    at = order[0]
    amount = lines[at].amount(prices[at])
    if amount and lines[at].is_single and abs(rest) <= limit * amount:
        return [None if each == at else old for each, old in enumerate(prices)]
    return None


def _amounts(lines: list[_Line], prices: _Prices, goal: int) -> list[int]:
    """The amounts of the prices. A line without a price has what the others leave."""
    found = [0 if price is None else line.amount(price) for line, price in zip(lines, prices, strict=True)]
    rest = goal - sum(found)
    return [rest if price is None else amount for price, amount in zip(prices, found, strict=True)]


def _allocated(lines: Sequence[Priced], scaled: list[_Line], shares: list[int], digits: int) -> list[PrintedLine]:
    """`shares` as the amounts, each with the price of fewest decimals: where whole prices cannot add up at all."""
    printed = []
    for line, each, share in zip(lines, scaled, shares, strict=True):
        steps = (10 ** (PLACES - digits), *each.finer_steps)
        fitting = (each.price_of(share, step, 1) for step in steps)
        price = next((price for price in fitting if price is not None), None)
        zero = each.price if not share and not each.amount(each.price) else None
        printed.append(_printed(line.id, zero if price is None else price, share, digits))
    return printed


def _printed(id_: str, price: int | None, amount: int, digits: int) -> PrintedLine:
    return PrintedLine(id_, None if price is None else _decimal(price, digits), Decimal(amount).scaleb(-digits))


def _decimal(price: int, digits: int) -> Decimal:
    """With the decimals of the currency, or as many more as the price has."""
    exact = Decimal(price).scaleb(-PLACES)
    places = max(digits, -int(exact.normalize().as_tuple().exponent)) if price else digits
    return exact.quantize(Decimal(1).scaleb(-places))
