"""Numbers, sums, dates and units as Polish and English clients write them."""

from datetime import date
from decimal import Decimal

import pytest

from backbench.values.enums import DocumentLocale, LineItemUnit
from backbench.values.locales import day, money, number, percent, price, quantity
from tests.support.violations import all_of


@all_of(
    ("amount", "currency", "locale", "written"),
    [
        ("1234.56", "PLN", "pl", "1\u00a0234,56\u00a0zł"),
        ("1234.56", "PLN", "en", "PLN\u00a01,234.56"),
        ("1234567.8", "EUR", "pl", "1\u00a0234\u00a0567,80\u00a0€"),
        ("1234567.8", "EUR", "en", "€1,234,567.80"),
        ("0.5", "GBP", "en", "£0.50"),
        ("999", "PLN", "pl", "999,00\u00a0zł"),
        ("1500", "JPY", "pl", "1\u00a0500\u00a0¥"),
        ("1500", "JPY", "en", "¥1,500"),
        ("1.5", "KWD", "en", "KWD\u00a01.500"),
        ("0", "USD", "en", "$0.00"),
        ("-20", "PLN", "pl", "−20,00\u00a0zł"),
        ("-20", "USD", "en", "−$20.00"),
        ("0.005", "PLN", "pl", "0,01\u00a0zł"),
    ],
)
def test_a_sum_is_written_as_its_readers_write_it(
    amount: str, currency: str, locale: DocumentLocale, written: str
) -> None:
    assert money(Decimal(amount), currency, locale) == written


def test_a_unit_price_keeps_its_fine_decimals() -> None:
    assert price(Decimal("0.0425"), "PLN", "pl") == "0,0425\u00a0zł"


def test_a_unit_price_has_at_least_the_currencys_decimals() -> None:
    assert price(Decimal("12.1"), "PLN", "en") == "PLN\u00a012.10"


@pytest.mark.parametrize(
    ("value", "locale", "written"),
    [
        ("12.50", "pl", "12,5"),
        ("12.50", "en", "12.5"),
        ("1E+3", "pl", "1\u00a0000"),
        ("1000000", "en", "1,000,000"),
        ("0", "pl", "0"),
        ("0.0001", "en", "0.0001"),
    ],
)
def test_a_number_has_no_needless_zeros(value: str, locale: DocumentLocale, written: str) -> None:
    assert number(Decimal(value), locale) == written


def test_a_percentage_has_the_locales_comma() -> None:
    assert (percent(Decimal("8.5"), "pl"), percent(Decimal("8.5"), "en")) == ("8,5%", "8.5%")


@pytest.mark.parametrize(("locale", "written"), [("pl", "21 listopada 2026"), ("en", "21 November 2026")])
def test_a_date_is_written_out(locale: DocumentLocale, written: str) -> None:
    assert day(date(2026, 11, 21), locale) == written


@pytest.mark.parametrize(
    ("locale", "first", "last"),
    [("pl", "1 stycznia 2027", "31 grudnia 2027"), ("en", "1 January 2027", "31 December 2027")],
)
def test_the_year_has_all_its_months(locale: DocumentLocale, first: str, last: str) -> None:
    assert (day(date(2027, 1, 1), locale), day(date(2027, 12, 31), locale)) == (first, last)


@all_of(
    ("count", "piece"),
    [
        ("0", "0 sztuk"),
        ("1", "1 sztuka"),
        ("1.0", "1 sztuka"),
        ("2", "2 sztuki"),
        ("4", "4 sztuki"),
        ("5", "5 sztuk"),
        ("11", "11 sztuk"),
        ("12", "12 sztuk"),
        ("14", "14 sztuk"),
        ("21", "21 sztuk"),
        ("22", "22 sztuki"),
        ("112", "112 sztuk"),
        ("122", "122 sztuki"),
        ("1003", "1 003 sztuki"),
        ("1.5", "1,5 sztuki"),
        ("0.25", "0,25 sztuki"),
        ("10.5", "10,5 sztuki"),
    ],
)
def test_polish_nouns_take_the_form_their_number_asks_for(count: str, piece: str) -> None:
    assert quantity(Decimal(count), "piece", "pl").replace("\u00a0", " ") == piece


@pytest.mark.parametrize(
    ("unit", "forms"),
    [
        ("pair", ["1 para", "2 pary", "5 par", "1,5 pary"]),
        ("hour", ["1 godzina", "2 godziny", "5 godzin", "1,5 godziny"]),
        ("job", ["1 kpl.", "2 kpl.", "5 kpl.", "1,5 kpl."]),
        ("sqm", ["1 m²", "2 m²", "5 m²", "1,5 m²"]),
        ("linear_m", ["1 mb", "2 mb", "5 mb", "1,5 mb"]),
        ("freeform", ["1", "2", "5", "1,5"]),
    ],
)
def test_every_polish_unit_has_its_forms(unit: LineItemUnit, forms: list[str]) -> None:
    written = [quantity(Decimal(count), unit, "pl") for count in ("1", "2", "5", "1.5")]

    assert [text.replace("\u00a0", " ") for text in written] == forms


@pytest.mark.parametrize(
    ("unit", "forms"),
    [
        ("piece", ["1 piece", "2 pieces", "0.5 pieces", "0 pieces"]),
        ("hour", ["1 hour", "2 hours", "0.5 hours", "0 hours"]),
        ("linear_m", ["1 m", "2 m", "0.5 m", "0 m"]),
    ],
)
def test_english_units_are_singular_for_one_only(unit: LineItemUnit, forms: list[str]) -> None:
    written = [quantity(Decimal(count), unit, "en") for count in ("1", "2", "0.5", "0")]

    assert [text.replace("\u00a0", " ") for text in written] == forms
