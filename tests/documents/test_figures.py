"""Figures of a document: they add up for every choice of options, and hidden percentages give prices people write."""

import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from backbench.documents.figures import DocumentLine, DocumentSums, Rates, document_figures
from backbench.values.currencies import MINOR_DIGITS, minor_digits
from backbench.values.enums import LineItemUnit, PricesEntered, PricesShown
from backbench.values.money import Totals, total
from backbench.values.taxes import Tax, TaxKind


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
            tax_kind=self.rates.tax_kind,
            line_taxes=self.rates.line_taxes,
            prices_entered=self.rates.entered,
            computed="gross" if self.rates.sums_gross else "net",
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
    # Few labels: lines are often equal. The tax is the usual one, or one of the line.
    label = st.sampled_from(["Door", "Frame", "Survey"])
    pairs = st.lists(st.tuples(prices, quantities, st.sampled_from(LINE_TAXES), label), max_size=most)
    percents = st.sampled_from([Decimal(0), Decimal(10), Decimal("12.5")])

    def built(
        entered: list[tuple[Decimal, Decimal, Tax | None, str]],
        rates: tuple[Decimal, Decimal],
        currency: str,
        shown: PricesShown,
        prices_entered: PricesEntered,
        kind: TaxKind,
        rules: int,
    ) -> Job:
        lines = [Line(price, quantity, str(at), label) for at, (price, quantity, _, label) in enumerate(entered)]
        taxes = {str(at): tax for at, (_, _, tax, _) in enumerate(entered) if tax is not None}
        found = Rates(*rates, tax=Decimal(23), line_taxes=taxes, tax_kind=kind, prices=shown, rules=rules)
        if rules > 2:
            found = structs.replace(
                found, prices="gross" if prices_entered == "gross" else shown, entered=prices_entered
            )
        return Job(lines, found, currency)

    both = st.tuples(percents | decimals(markup, 4), percents | decimals(discount, 4))
    currencies = st.sampled_from(["PLN", "JPY", "KWD", *MINOR_DIGITS])
    kinds = st.sampled_from([*["rate"] * 4, "exempt", "outside"])
    net_or_gross = st.sampled_from(["net", "gross"])
    rules = st.sampled_from([1, 2, 3, 3])
    return st.builds(built, pairs, both, currencies, net_or_gross, net_or_gross, kinds, rules)


LINE_TAXES = [None, None, None, Tax(Decimal(8)), Tax(Decimal(8)), Tax("exempt"), Tax("reverse_charge")]
# Everything that can be entered, and what workshops enter.
any_jobs = jobs(decimals(10**9, 4), decimals(10**6, 4), 1000, 100, 12)
usual_quantities = st.integers(1, 60).map(Decimal) | decimals(200, 1, 1) | decimals(100, 2, 1) | st.just(Decimal(1))
usual_jobs = jobs(decimals(10_000, 2, 300), usual_quantities, 40, 25, 30)
toggles = st.booleans()
few = settings(max_examples=50, deadline=None)
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
    assert sums.subtotal + added - taken == (sums.total if sums.is_gross else sums.net)
    gross = [line.gross_amount for line in lines if line.gross_amount is not None]
    if gross and not added and not taken:
        assert sum(gross) == sums.total
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
            if job.rates.of_lines([entered])[0] == Tax(tax.kind or tax.percent or Decimal(0))
        ]
        assert sum(of_rate) == (tax.net + tax.amount if sums.is_gross else tax.net)
        rate = Fraction(tax.percent or 0)
        if job.rates.sums_gross:
            assert Fraction(tax.amount) == half_up(sum(map(Fraction, of_rate)) * rate / (100 + rate), job.currency)
        else:
            assert Fraction(tax.amount) == half_up(Fraction(tax.net) * rate / 100, job.currency)


def odd_prices(job: Job) -> int:
    """Lines with a price of more decimals than the minor unit, or without one."""
    lines, _ = job.figures()
    return sum(is_odd(line, job) for line in lines)


def check_prices(job: Job) -> None:
    """Lines of at most one item have an odd price, for each tax."""
    lines, sums = job.figures()
    if sums.subtotal == job.totals().subtotal:
        return
    scaled = [
        (at, line)
        for at, (entered, line) in enumerate(zip(job.lines, lines, strict=True))
        if is_odd(line, job) and line.unit_price != entered.unit_price
    ]
    odd = {line.label if job.rates.rules > 1 else at for at, line in scaled}
    assert len(odd) <= max(1, len(sums.taxes))


def check_equal_prices(job: Job) -> None:
    """Equal items of one tax have one price where an item that occurs once can take the rest."""
    lines, _ = job.figures()
    if job.rates.rules < 2:
        return
    found: dict[Tax | None, dict[object, list[Decimal | None]]] = {}
    for entered, line in zip(job.lines, lines, strict=True):
        tax = job.rates.of_lines([entered])[0]
        found.setdefault(tax, {}).setdefault((entered.label, entered.unit_price), []).append(line.unit_price)
    for items in found.values():
        # Where each item is there twice, none may be able to take an odd grosz.
        if any(len(prices) == 1 for prices in items.values()):
            assert all(len(set(prices)) == 1 for prices in items.values()) or any(is_odd(line, job) for line in lines)


def is_odd(line: DocumentLine, job: Job) -> bool:
    return line.unit_price is None or decimals_of(line.unit_price) > minor_digits(job.currency)


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


@few
@given(usual_jobs)
def test_equal_items_have_one_price(job: Job) -> None:
    check_equal_prices(job)


@pytest.mark.prove
@pytest.mark.parametrize(
    "check", [check_prices, check_equal_prices, check_taxes, lambda job: check_sums(job, False, False)]
)
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


def test_equal_items_share_a_price_and_another_line_takes_the_rest() -> None:
    equal = [Line(Decimal("434.32"), Decimal(each), str(at), "Door") for at, each in enumerate([2, 5, 1])]
    others = [Line(Decimal(120), Decimal(1), "x", "Frame")]
    rates = Rates(Decimal(12), Decimal(0))

    assert Job(equal + others, rates).prices() == ["486.44", "486.44", "486.44", "134.39"]
    # A revision of an earlier release keeps its prices, of which the largest line took the rest.
    old = Job(equal + others, structs.replace(rates, rules=1)).prices()
    assert old == ["486.44", "486.44", "486.43", "134.40"]


def test_gross_prices_are_whole_and_add_up_to_the_total() -> None:
    entered = [Line(Decimal("808.42"), Decimal(2), "a", "Door"), Line(Decimal(45), Decimal(1), "b", "Frame")]
    rates = Rates(Decimal(0), Decimal(0), Decimal(23), prices="gross")
    lines, sums = Job(entered, rates).figures()

    assert [(str(line.unit_price), str(line.amount)) for line in lines] == [("994.36", "1988.72"), ("55.35", "55.35")]
    assert str(sums.subtotal) == str(sums.total) == "2044.07"
    # A revision of an earlier release keeps the prices that were found for its net total.
    assert Job(entered, structs.replace(rates, rules=2)).prices() == ["994.36", "55.34"]


def test_an_option_alone_in_its_rate_has_its_gross_price() -> None:
    entered = [Line(Decimal(100), Decimal(1), "a"), Line(Decimal(50), Decimal(0), "b")]
    taxes = {"b": Tax(Decimal(8))}
    lines, _ = Job(entered, Rates(Decimal(10), Decimal(0), Decimal(23), line_taxes=taxes, prices="gross")).figures()

    assert [str(line.unit_price) for line in lines] == ["135.30", "59.40"]


def test_a_deposit_is_a_percentage_of_the_total_or_an_amount_up_to_it() -> None:
    base = Rates(Decimal(0), Decimal(0), Decimal(23))

    def deposit(**fields: Any) -> tuple[str, str] | None:
        found = Job([Line(Decimal(100), Decimal(1))], structs.replace(base, **fields)).figures()[1].deposit
        return None if found is None else (str(found.amount), str(found.balance))

    assert deposit(deposit=Decimal("33.3333")) == ("41.00", "82.00")
    assert deposit(deposit_amount=Decimal(50)) == ("50.00", "73.00")
    assert deposit(deposit_amount=Decimal(5000)) == ("123", "0")
    assert deposit(deposit=Decimal(0)) is None


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
