"""Money: totals and printed amounts, compared with an independent calculation in fractions."""

from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backbench.domain.values import numbers
from backbench.domain.values.currencies import MINOR_DIGITS, minor_digits, minor_unit
from backbench.domain.values.money import LineAmount, Totals, plain, printed_amounts, total


class Line(NamedTuple):
    id: str
    unit_price: Decimal
    quantity: Decimal


class Job(NamedTuple):
    lines: list[Line]
    markup_percent: Decimal
    discount_percent: Decimal
    tax_percent: Decimal | None
    currency: str

    def totals(self) -> Totals:
        return total(
            self.lines,
            markup_percent=self.markup_percent,
            discount_percent=self.discount_percent,
            tax_percent=self.tax_percent,
            currency=self.currency,
        )


def decimals(most: int, places: int) -> st.SearchStrategy[Decimal]:
    top = most * 10**places
    small_or_large = st.integers(0, min(top, 10**5)) | st.integers(0, top)
    return small_or_large.map(lambda units: Decimal(units).scaleb(-places))


lines = st.lists(st.tuples(decimals(10**9, 4), decimals(10**6, 4)), max_size=12).map(
    lambda pairs: [Line(str(at), price, quantity) for at, (price, quantity) in enumerate(pairs)]
)
percents = st.sampled_from([Decimal(0), Decimal(10), Decimal("12.5"), Decimal(100)])
jobs = st.builds(
    Job,
    lines=lines,
    markup_percent=percents | decimals(1000, 4),
    discount_percent=percents | decimals(100, 4),
    tax_percent=st.none() | st.just(Decimal(23)) | decimals(100, 4),
    currency=st.sampled_from(["PLN", "EUR", "JPY", "KWD"]),
)
toggles = st.booleans()
quick = settings(max_examples=100, deadline=None)


def half_up(exact: Fraction, currency: str) -> Fraction:
    units = 10 ** minor_digits(currency)
    return Fraction(floor(exact * units + Fraction(1, 2)), units)


@quick
@given(jobs)
def test_totals_equal_an_independent_calculation(job: Job) -> None:
    totals = job.totals()
    amounts = [half_up(Fraction(line.unit_price) * Fraction(line.quantity), job.currency) for line in job.lines]
    subtotal = sum(amounts, Fraction(0))
    markup = half_up(subtotal * Fraction(job.markup_percent) / 100, job.currency)
    discount = half_up((subtotal + markup) * Fraction(job.discount_percent) / 100, job.currency)
    net = subtotal + markup - discount
    tax = Fraction(0) if job.tax_percent is None else half_up(net * Fraction(job.tax_percent) / 100, job.currency)

    assert [Fraction(line.amount) for line in totals.lines] == amounts
    found = (totals.subtotal, totals.markup, totals.discount, totals.net, totals.total)
    assert tuple(map(Fraction, found)) == (subtotal, markup, discount, net, net + tax)


@quick
@given(jobs, toggles, toggles)
def test_printed_lines_and_rows_add_up_to_the_total_for_all_toggles(job: Job, markup: bool, discount: bool) -> None:
    totals = job.totals()
    printed = printed_amounts(
        job.lines, totals, discount_percent=job.discount_percent, show_markup=markup, show_discount=discount
    )

    assert sum(line.amount for line in printed.lines) == printed.subtotal
    assert printed.subtotal + (printed.markup or 0) - (printed.discount or 0) == totals.net
    assert (printed.markup is not None, printed.discount is not None) == (markup, discount)
    assert (printed.markup or 0) >= 0


@quick
@given(jobs, toggles, toggles)
def test_a_printed_unit_price_times_its_quantity_is_the_printed_amount(job: Job, markup: bool, discount: bool) -> None:
    printed = printed_amounts(
        job.lines,
        job.totals(),
        discount_percent=job.discount_percent,
        show_markup=markup,
        show_discount=discount,
    )

    for entered, line in zip(job.lines, printed.lines, strict=True):
        if line.unit_price is not None:
            product = Fraction(line.unit_price) * Fraction(entered.quantity)
            assert half_up(product, job.currency) == Fraction(line.amount)


@quick
@given(jobs, toggles, toggles)
def test_no_line_deviates_a_minor_unit_from_its_exact_share(job: Job, markup: bool, discount: bool) -> None:
    totals = job.totals()
    printed = printed_amounts(
        job.lines, totals, discount_percent=job.discount_percent, show_markup=markup, show_discount=discount
    )

    for entered, line in zip(totals.lines, printed.lines, strict=True):
        exact = Fraction(0)
        if totals.subtotal:
            exact = Fraction(entered.amount) * Fraction(printed.subtotal) / Fraction(totals.subtotal)
        assert abs(Fraction(line.amount) - exact) < Fraction(minor_unit(job.currency))
        assert line.amount.as_tuple().exponent == -minor_digits(job.currency) or line.amount == entered.amount


@quick
@given(jobs)
def test_a_printed_markup_is_its_percentage_of_the_printed_lines(job: Job) -> None:
    printed = printed_amounts(
        job.lines, job.totals(), discount_percent=job.discount_percent, show_markup=True, show_discount=False
    )
    share = Fraction(job.markup_percent) / 100

    # Markup, discount and the lines' share of it are each rounded once.
    tolerance = (Fraction(3, 2) + share / 2) * Fraction(minor_unit(job.currency))
    assert abs(Fraction(printed.markup or 0) - Fraction(printed.subtotal) * share) <= tolerance


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12.10", "12.1"),
        ("1E+2", "100"),
        ("-0.00", "0"),
        ("0.0001", "0.0001"),
        ("500", "500"),
    ],
)
def test_a_number_has_no_trailing_zeros_or_exponent(text: str, expected: str) -> None:
    assert str(plain(Decimal(text))) == expected


def test_totals_are_json_numbers_in_the_order_of_the_contract() -> None:
    job = Job([Line("a", Decimal("12.10"), Decimal(1))], Decimal(10), Decimal(0), Decimal(23), "PLN")

    assert numbers.to_json(job.totals()) == (
        b'{"currency":"PLN","lines":[{"id":"a","amount":12.1}],"subtotal":12.1,"markup":1.21,"discount":0,'
        b'"net":13.31,"tax":3.06,"total":16.37}'
    )


def test_tax_is_absent_if_the_workshop_has_none() -> None:
    job = Job([], Decimal(0), Decimal(0), None, "PLN")

    assert numbers.to_json(job.totals()).endswith(b'"net":0,"total":0}')


def test_half_a_grosz_is_rounded_up() -> None:
    job = Job([Line("a", Decimal("0.335"), Decimal(3))], Decimal(0), Decimal(0), None, "PLN")

    assert job.totals().lines == [LineAmount("a", numbers.Number("1.01"))]


def test_a_hidden_markup_is_included_in_round_unit_prices() -> None:
    job = Job(
        [Line("top", Decimal(120), Decimal("2.5")), Line("legs", Decimal(45), Decimal(4))],
        Decimal(10),
        Decimal(0),
        None,
        "PLN",
    )
    printed = printed_amounts(
        job.lines, job.totals(), discount_percent=Decimal(0), show_markup=False, show_discount=False
    )

    assert [(line.unit_price, line.amount) for line in printed.lines] == [
        (Decimal("132.00"), Decimal("330.00")),
        (Decimal("49.50"), Decimal("198.00")),
    ]


def test_a_unit_price_that_contradicts_its_amount_is_left_out() -> None:
    job = Job([Line("screws", Decimal("0.0001"), Decimal(999_999))], Decimal("0.01"), Decimal(0), None, "PLN")
    printed = printed_amounts(
        job.lines, job.totals(), discount_percent=Decimal(0), show_markup=False, show_discount=True
    )

    assert [(line.unit_price, line.amount) for line in printed.lines] == [(None, Decimal("100.01"))]


def test_the_largest_estimate_is_exact() -> None:
    largest = [Line(str(at), Decimal("999999999.9999"), Decimal("999999.9999")) for at in range(500)]
    job = Job(largest, Decimal(1000), Decimal(0), Decimal(23), "PLN")

    assert job.totals().subtotal == 500 * Decimal("999999999899900.00")


@pytest.mark.parametrize(("currency", "digits"), [("PLN", 2), ("JPY", 0), ("KWD", 3), ("EUR", 2)])
def test_a_currency_has_the_minor_unit_of_iso_4217(currency: str, digits: int) -> None:
    assert MINOR_DIGITS[currency] == digits
