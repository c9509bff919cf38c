"""Figures in running text, as Polish and English clients read them."""

from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backbench.domain.amounts import figures, value_of
from backbench.domain.values.enums import DocumentLocale
from backbench.domain.values.locales import money, number


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("1,234.56", "en", "1234.56"),
        ("1,234.56", "pl", "1234.56"),
        ("1 234,56", "pl", "1234.56"),
        ("1\u00a0234,56", "en", "1234.56"),
        ("1\u202f234\u202f567,5", "pl", "1234567.5"),
        ("1'234.50", "en", "1234.50"),
        ("1.234,56", "pl", "1234.56"),
        ("1234", "pl", "1234"),
        ("1,234", "en", "1234"),
        ("1,234", "pl", "1.234"),
        ("1.234", "en", "1.234"),
        ("0,5", "en", "0.5"),
        ("1.234", "pl", None),
        ("1,23,456", "en", None),
        ("1,234 567", "en", None),
        ("12.05.2026", "en", None),
        ("007", "en", None),
        ("00", "pl", None),
    ],
)
def test_a_figure_is_read_as_a_client_of_the_locale_reads_it(
    text: str, locale: DocumentLocale, value: str | None
) -> None:
    assert value_of(text, locale) == (None if value is None else Decimal(value))


@given(
    st.decimals(0, Decimal("1e9"), allow_nan=False, places=4),
    st.sampled_from(get_args(DocumentLocale)),
)
def test_what_the_service_writes_reads_back(value: Decimal, locale: DocumentLocale) -> None:
    assert value_of(number(value, locale), locale) == value


@given(
    st.decimals(0, Decimal("1e9"), allow_nan=False, places=2),
    st.sampled_from(["PLN", "EUR", "GBP", "USD", "CZK", "CHF", "SEK"]),
    st.sampled_from(get_args(DocumentLocale)),
)
def test_a_sum_that_the_service_writes_is_one_figure_in_its_currency(
    value: Decimal, currency: str, locale: DocumentLocale
) -> None:
    written = f"It is {money(value, currency, locale)}."
    (found,) = figures(written, locale)
    assert (found.value, found.currencies) == (value, frozenset({currency}))
    assert written[found.start : found.end] == money(value, currency, locale)


@given(st.text("0123456789., \u00a0'zł€EURx", max_size=40), st.sampled_from(get_args(DocumentLocale)))
def test_no_digit_is_left_outside_a_figure(text: str, locale: DocumentLocale) -> None:
    rest = list(text)
    for found in figures(text, locale):
        rest[found.start : found.end] = " " * (found.end - found.start)
    assert not any(character.isdigit() for character in rest)
