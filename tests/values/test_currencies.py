"""Currencies and their minor units, against the table that ISO 4217's maintenance agency publishes."""

from decimal import Decimal

from iso4217 import Currency

from backbench.values.currencies import MINOR_DIGITS, minor_digits, minor_unit

# Codes of ISO 4217 in which nobody is paid: funds, indexed units of account, and the Arab Monetary Fund's own unit.
UNITS_OF_ACCOUNT = {"BOV", "CHE", "CHW", "CLF", "COU", "MXV", "USN", "UYI", "UYW", "XAD"}


def test_every_currency_of_iso_4217_has_its_minor_unit() -> None:
    # Precious metals, test codes and the like have no minor unit.
    published = {each.code: each.exponent for each in Currency if each.exponent is not None}
    assert {code: digits for code, digits in published.items() if code not in UNITS_OF_ACCOUNT} == MINOR_DIGITS


def test_minor_units() -> None:
    assert [minor_unit(code) for code in ("JPY", "PLN", "KWD")] == [Decimal(1), Decimal("0.01"), Decimal("0.001")]


def test_an_unknown_code_has_two_decimals() -> None:
    assert minor_digits("BGN") == 2
