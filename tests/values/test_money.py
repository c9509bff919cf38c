"""Money: totals and taxes by rate, compared with an independent calculation in fractions."""

from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from backbench.values import numbers
from backbench.values.currencies import MINOR_DIGITS, minor_digits
from backbench.values.money import LineAmount, TaxAmount, Totals, plain, total
from backbench.values.taxes import NO_RATES, Tax, TaxKind


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


def rated(tax_percent: str | None, line_taxes: dict[str, str], net: str = "10", tax_kind: TaxKind = "rate") -> Totals:
    """Three lines of 10, 20 and 70 with a markup of 10%."""
    entered = [Line(id_, Decimal(price), Decimal(1)) for id_, price in (("a", net), ("b", "20"), ("c", "70"))]
    return total(
        entered,
        markup_percent=Decimal(10),
        discount_percent=Decimal(0),
        tax_percent=None if tax_percent is None else Decimal(tax_percent),
        currency="PLN",
        tax_kind=tax_kind,
        line_taxes={id_: Tax(rate if rate in NO_RATES else Decimal(rate)) for id_, rate in line_taxes.items()},
        tax_label="VAT",
    )


def tax_amount(percent: int, net: int, amount: str) -> TaxAmount:
    return TaxAmount(
        label="VAT", percent=numbers.Number(percent), net=numbers.Number(net), amount=numbers.Number(amount)
    )


def test_a_kind_that_is_no_rate_has_a_row_without_percent_and_no_tax() -> None:
    zero = numbers.Number(0)
    mixed = rated("23", {"b": "exempt", "c": "reverse_charge"})
    exempt = rated(None, {}, tax_kind="exempt")

    assert mixed.taxes == [
        tax_amount(23, 11, "2.53"),
        TaxAmount(kind="exempt", net=numbers.Number(22), amount=zero),
        TaxAmount(kind="reverse_charge", net=numbers.Number(77), amount=zero),
    ]
    assert numbers.to_json(exempt.taxes) == b'[{"kind":"exempt","net":110,"amount":0}]'
    assert (exempt.tax, exempt.total) == (zero, numbers.Number(110))


def test_lines_of_different_rates_have_taxes_by_rate_that_add_up() -> None:
    totals = rated("23", {"b": "8", "c": "8"})

    assert totals.taxes == [
        tax_amount(23, 11, "2.53"),
        tax_amount(8, 99, "7.92"),
    ]
    assert (totals.tax, totals.total) == (numbers.Number("10.45"), numbers.Number("120.45"))


def test_a_line_without_a_rate_has_none_where_others_have_one() -> None:
    totals = rated(None, {"b": "8"})

    assert [(str(tax.percent), str(tax.amount)) for tax in totals.taxes or []] == [("8", "1.76"), ("0", "0")]


@pytest.mark.parametrize("line_taxes", [{}, {"a": "8", "b": "8", "c": "8"}, {"unknown": "5"}])
def test_one_rate_for_all_lines_has_no_table_of_taxes(line_taxes: dict[str, str]) -> None:
    totals = rated("8", line_taxes)

    assert totals.taxes is UNSET
    assert totals.tax == numbers.Number("8.8")


def test_tax_is_absent_if_the_workshop_has_none() -> None:
    job = Job([], Decimal(0), Decimal(0), None, "PLN")

    assert numbers.to_json(job.totals()).endswith(b'"net":0,"total":0}')


def test_half_a_grosz_is_rounded_up() -> None:
    job = Job([Line("a", Decimal("0.335"), Decimal(3))], Decimal(0), Decimal(0), None, "PLN")

    assert job.totals().lines == [LineAmount("a", numbers.Number("1.01"))]


def test_the_largest_estimate_is_exact() -> None:
    largest = [Line(str(at), Decimal("999999999.9999"), Decimal("999999.9999")) for at in range(500)]
    job = Job(largest, Decimal(1000), Decimal(0), Decimal(23), "PLN")

    assert job.totals().subtotal == 500 * Decimal("999999999899900.00")


@pytest.mark.parametrize(("currency", "digits"), [("PLN", 2), ("JPY", 0), ("KWD", 3), ("EUR", 2)])
def test_a_currency_has_the_minor_unit_of_iso_4217(currency: str, digits: int) -> None:
    assert MINOR_DIGITS[currency] == digits
