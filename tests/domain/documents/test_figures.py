"""Figures of a document: they add up for every choice of options, and hidden percentages give prices people write."""

import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backbench.domain.documents.figures import DocumentLine, DocumentSums, Rates, document_figures
from backbench.domain.values.currencies import MINOR_DIGITS, minor_digits
from backbench.domain.values.enums import LineItemUnit
from backbench.domain.values.money import Totals, total


class Line(NamedTuple):
    unit_price: Decimal
    quantity: Decimal
    id: str = "a"
    label: str = "Line"
    unit: LineItemUnit = "piece"


class Job(NamedTuple):
    lines: list[Line]
    rates: Rates
    currency: str = "PLN"

    def totals(self) -> Totals:
        return total(
            self.lines,
            markup_percent=self.rates.markup,
            discount_percent=self.rates.discount,
            tax_percent=self.rates.tax,
            currency=self.currency,
            line_taxes=self.rates.line_taxes,
        )

    def figures(self, markup: bool = False, discount: bool = False) -> tuple[list[DocumentLine], DocumentSums]:
        return document_figures(self.lines, self.totals(), self.rates, show_markup=markup, show_discount=discount)

    def prices(self) -> list[str | None]:
        lines, _ = self.figures()
        return [None if line.unit_price is None else str(line.unit_price) for line in lines]


def job(*lines: tuple[str, str], markup: str = "0", discount: str = "0", currency: str = "PLN") -> Job:
    entered = [Line(Decimal(price), Decimal(quantity), str(at)) for at, (price, quantity) in enumerate(lines)]
    return Job(entered, Rates(Decimal(markup), Decimal(discount)), currency)


def decimals(most: int, places: int, least: int = 0) -> st.SearchStrategy[Decimal]:
    top = most * 10**places
    small_or_large = st.integers(least, min(top, 10**5)) | st.integers(least, top)
    return small_or_large.map(lambda units: Decimal(units).scaleb(-places))


def jobs(
    prices: st.SearchStrategy[Decimal], quantities: st.SearchStrategy[Decimal], markup: int, discount: int, most: int
) -> st.SearchStrategy[Job]:
    pairs = st.lists(st.tuples(prices, quantities, st.booleans()), max_size=most)
    percents = st.sampled_from([Decimal(0), Decimal(10), Decimal("12.5")])

    def built(entered: list[tuple[Decimal, Decimal, bool]], rates: tuple[Decimal, Decimal], currency: str) -> Job:
        lines = [Line(price, quantity, str(at)) for at, (price, quantity, _) in enumerate(entered)]
        reduced = {str(at): Decimal(8) for at, (_, _, is_reduced) in enumerate(entered) if is_reduced}
        return Job(lines, Rates(*rates, tax=Decimal(23), line_taxes=reduced), currency)

    both = st.tuples(percents | decimals(markup, 4), percents | decimals(discount, 4))
    return st.builds(built, pairs, both, st.sampled_from(["PLN", "JPY", "KWD", *MINOR_DIGITS]))


# Everything that can be entered, and what workshops enter.
any_jobs = jobs(decimals(10**9, 4), decimals(10**6, 4), 1000, 100, 12)
usual_quantities = st.integers(1, 60).map(Decimal) | decimals(200, 1, 1) | decimals(100, 2, 1) | st.just(Decimal(1))
usual_jobs = jobs(decimals(10_000, 2, 300), usual_quantities, 40, 25, 30)
toggles = st.booleans()
few = settings(max_examples=100, deadline=None)
many = settings(max_examples=3000, deadline=None)


def half_up(exact: Fraction, currency: str) -> Fraction:
    units = 10 ** minor_digits(currency)
    return Fraction(floor(exact * units + Fraction(1, 2)), units)


def decimals_of(price: Decimal) -> int:
    return max(0, -int(price.normalize().as_tuple().exponent))


def check_sums(job: Job, markup: bool, discount: bool) -> None:
    """Lines and rows add up, a price times its quantity is its amount, and no amount is negative."""
    lines, sums = job.figures(markup, discount)

    assert sum(line.amount for line in lines) == sums.subtotal
    added = sums.markup.amount if sums.markup else Decimal(0)
    taken = sums.discount.amount if sums.discount else Decimal(0)
    assert sums.subtotal + added - taken == sums.net
    assert sums.net + (sums.tax.amount if sums.tax else sum(tax.amount for tax in sums.taxes)) == sums.total
    assert (sums.markup is not None) == (markup and job.rates.markup != 0)
    assert (sums.discount is not None) == (discount and job.rates.discount != 0)
    for line in lines:
        assert line.amount >= 0
        if line.unit_price is not None:
            product = Fraction(line.unit_price) * Fraction(line.quantity)
            assert half_up(product, job.currency) == Fraction(line.amount)


def check_taxes(job: Job) -> None:
    """The lines of each rate add up to the net sum of that rate."""
    lines, sums = job.figures()
    for tax in sums.taxes:
        of_rate = [
            line.amount
            for entered, line in zip(job.lines, lines, strict=True)
            if job.rates.line_taxes.get(entered.id, job.rates.tax) == tax.percent
        ]
        assert sum(of_rate) == tax.net
        assert Fraction(tax.amount) == half_up(Fraction(tax.net * tax.percent / 100), job.currency)


def odd_prices(job: Job) -> int:
    """Lines with a price of more decimals than the minor unit, or without one."""
    lines, _ = job.figures()
    digits = minor_digits(job.currency)
    return sum(line.unit_price is None or decimals_of(line.unit_price) > digits for line in lines)


def check_prices(job: Job) -> None:
    """At most one line has an odd price, for each tax rate. Without anything hidden the prices are those entered."""
    if job.figures()[1].subtotal != job.totals().subtotal:
        assert odd_prices(job) <= max(1, len(job.figures()[1].taxes))


@few
@given(any_jobs, toggles, toggles)
def test_lines_and_rows_add_up_to_the_total_for_all_toggles(job: Job, markup: bool, discount: bool) -> None:
    check_sums(job, markup, discount)


@few
@given(any_jobs)
def test_the_lines_of_each_tax_rate_add_up_to_its_net_sum(job: Job) -> None:
    check_taxes(job)


@few
@given(usual_jobs)
def test_at_most_one_line_has_an_odd_price(job: Job) -> None:
    check_prices(job)


@pytest.mark.prove
@pytest.mark.parametrize("check", [check_prices, check_taxes, lambda job: check_sums(job, False, False)])
def test_thousands_of_estimates_have_figures_that_add_up(check: Callable[[Job], None]) -> None:
    many(given(usual_jobs | any_jobs if check is check_taxes else usual_jobs)(check))()


def test_a_simulation_of_marked_up_estimates_has_few_odd_prices() -> None:
    """The simulation of decision `whole-unit-prices`: before prices were whole, 94% of its estimates had odd ones."""
    generator = random.Random(7)
    found = [odd_prices(simulated(generator)) for _ in range(300)]

    assert sum(count > 0 for count in found) <= 6
    assert max(found) <= 1


def simulated(generator: random.Random) -> Job:
    lines = [
        Line(
            generator.choice([Decimal(5 * generator.randint(5, 60)), generator.randint(1000, 90_000) / Decimal(100)]),
            generator.choice(
                [Decimal(1), Decimal(generator.randint(2, 30)), generator.randint(100, 9000) / Decimal(100)]
            ),
            str(at),
        )
        for at in range(generator.randint(3, 15))
    ]
    return Job(lines, Rates(Decimal(generator.randint(5, 25)), Decimal(generator.choice([0, 5]))))


def test_a_hidden_markup_is_included_in_whole_prices() -> None:
    assert job(("120", "2.5"), ("45", "4"), markup="10").prices() == ["132.00", "49.50"]


def test_what_is_left_is_added_to_the_largest_line_that_can_take_it() -> None:
    # 11.11 becomes 12.4432, and three of 12.44 are 0.01 less than the total.
    assert job(("11.11", "3"), ("100", "1"), ("200", "1"), markup="12").prices() == ["12.44", "112.00", "224.01"]


def test_two_prices_share_what_no_single_price_can_take() -> None:
    # 0.03 is left: no multiple of 2 or of 5, but 5 - 2.
    prices = job(("10.03", "2"), ("10.01", "5"), markup="1").prices()

    assert prices == ["10.13", "10.11"]


def test_equal_lines_have_equal_prices_but_for_the_one_that_takes_the_rest() -> None:
    prices = job(*[("49.99", "3")] * 6, ("80", "1"), markup="7").prices()

    assert len(set(prices[:6])) == 1


def test_a_single_line_may_need_an_odd_price() -> None:
    assert job(("44.55", "18"), markup="12").prices() == ["49.896"]


def test_a_line_without_a_possible_price_has_its_amount_only() -> None:
    lines, sums = job(("12.5", "1000.5"), markup="33.3333").figures()

    assert [(line.unit_price, line.amount) for line in lines] == [(None, sums.net)]


@pytest.mark.parametrize(("currency", "digits"), [("JPY", 0), ("KWD", 3)])
def test_prices_are_whole_in_the_minor_unit_of_the_currency(currency: str, digits: int) -> None:
    found = job(("3600", "4.5"), ("1200", "3"), ("980", "1"), markup="12.5", currency=currency).prices()

    assert [len(price.partition(".")[2]) for price in found if price] == [digits] * 3


def test_a_free_line_stays_free_and_an_option_has_its_price_scaled() -> None:
    lines, _ = job(("0", "3"), ("40", "0"), ("100", "1"), markup="10").figures()

    assert [(str(line.unit_price), str(line.amount)) for line in lines] == [
        ("0.00", "0.00"),
        ("44.00", "0.00"),
        ("110.00", "110.00"),
    ]


@pytest.mark.parametrize(("entered", "printed"), [("0.0425", "0.05"), ("0.0042", "0.005")])
def test_a_price_of_fractions_is_whole_unless_rounding_changes_it_by_a_quarter(entered: str, printed: str) -> None:
    assert job((entered, "200"), ("100", "1"), markup="10").prices()[0] == printed


def test_without_hidden_percentages_the_prices_are_those_entered() -> None:
    assert job(("0.0425", "200"), ("12.345", "1")).prices() == ["0.0425", "12.345"]


def test_a_price_is_never_rounded_to_zero() -> None:
    prices = job(("0.01", "10"), ("500", "1"), discount="60").prices()

    assert prices[0] == "0.01"


def test_a_discount_of_100_percent_makes_every_line_free() -> None:
    lines, sums = job(("12", "3"), ("5", "1"), discount="100").figures()

    assert [(str(line.unit_price), str(line.amount)) for line in lines] == [("0.00", "0.00")] * 2
    assert sums.total == 0
