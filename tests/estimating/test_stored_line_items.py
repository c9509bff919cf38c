"""Line items as JSON: each change in the text gives what decoding, changing and encoding the list gives."""

from decimal import Decimal
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, structs

from backbench.estimating.line_items import Figures, LineItem, LineItems
from backbench.values.money import EXACT, total
from backbench.values.numbers import Number, to_json

# Texts that look like the ends and beginnings of line items.
HOSTILE = ['"', '\\"', '{"id":', '},{"id":"a",', "},{", '"},', "\\", "a", "ó🪚", "\u2028", '{"id":"a","label":']
seeds = st.integers(0, 2**64)


class Generator:
    """Line items from a seed, which is faster than strategies for each member."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def text(self) -> str:
        return "".join(self._random.choices(HOSTILE, k=self._random.randrange(1, 4)))

    def number(self) -> Number:
        digits = self._random.randrange(10 ** self._random.randrange(1, 10))
        return Number(Number(Decimal(digits).scaleb(-self._random.randrange(5))).shortest())

    def line(self) -> LineItem:
        unit, button = self._random.choice(["piece", "sqm"]), self._random.choice([UNSET, self.text()])
        return LineItem(self.text(), self.text(), unit, self.number(), self.number(), button)  # type: ignore[arg-type]

    def lines(self) -> list[LineItem]:
        return list({line.id: line for line in [self.line() for _ in range(self._random.randrange(6))]}.values())


def uses_of(items: list[LineItem]) -> dict[tuple[str, str], str]:
    return {(line.label, line.unit): line.unit_price.shortest() for line in items}


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_each_change_gives_the_bytes_of_the_encoded_list(seed: int) -> None:
    generator = Generator(seed)
    items, new = generator.lines(), generator.line()
    stored = LineItems.stored(to_json(items), len(items))
    assert (stored.json, len(stored), stored.uses()) == (to_json(items), len(items), uses_of(items))
    for at, line in enumerate(items):
        changed = structs.replace(new, id=line.id)
        assert stored.lookup(line.id) == line
        assert stored.replaced(changed).json == to_json([*items[:at], changed, *items[at + 1 :]])
        assert stored.removed(line.id).json == to_json([*items[:at], *items[at + 1 :]])
    if all(line.id != new.id for line in items):
        assert new.id not in stored
        assert stored.lookup(new.id) is None
        assert stored.added(new).json == to_json([*items, new])


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_lines_written_with_spaces_or_in_another_order_are_found(seed: int) -> None:
    items = Generator(seed).lines()
    reordered = [dict(reversed(msgspec.json.decode(to_json(line)).items())) for line in items]
    spaced = msgspec.json.format(msgspec.json.encode(reordered), indent=1)
    for json in (msgspec.json.encode(reordered), spaced, msgspec.json.format(to_json(items), indent=0)):
        stored = LineItems.stored(json, len(items))
        assert [stored.lookup(line.id) for line in items] == items


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_figures_of_changed_lines_are_those_of_the_list(seed: int) -> None:
    generator = Generator(seed)
    items, more = generator.lines(), generator.lines()
    figures = Figures.of(items)
    assert figures.plus(more).minus(more) == figures
    assert str(figures.plus(more)) == str(Figures.of([*items, *more]))
    percents: dict[str, Any] = {
        "markup_percent": Decimal(seed % 90) / 8,
        "discount_percent": Decimal(seed % 7),
        "currency": "PLN",
    }
    for tax in (None, Decimal("23"), Decimal("7.7")):
        assert figures.total(**percents, tax_percent=tax) == total(items, **percents, tax_percent=tax).total
    assert figures.sums[1] == sum((_rounded(line.unit_price * line.quantity) for line in items), Decimal(0))


def _rounded(amount: Decimal) -> Decimal:
    return Decimal(int(amount * 100 + Decimal("0.5"))) / 100


@settings(max_examples=60, deadline=None)
@given(st.integers(-(10**30), 10**30), st.integers(0, 35), st.integers(0, 9))
def test_the_shortest_form_of_a_number_is_that_of_its_normal_form(digits: int, places: int, zeros: int) -> None:
    number = Number(Decimal(digits * 10**zeros).scaleb(-places, EXACT))
    assert number.shortest() == (format(number.normalize(), "f") if number else "0")
