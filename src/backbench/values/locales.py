"""Locale formats: numbers, money, dates and units in Polish and English, for PDFs and messages.

Polish: 1 234,56 zł with no-break spaces, 1,5 sztuki, 21 listopada 2026. English: PLN 1,234.56, 1.5 pieces,
21 November 2026. The API uses plain JSON numbers and ISO dates instead. The decision `libraries-refused`
compares this with Babel.
"""

from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from backbench.values.currencies import minor_digits, minor_unit
from backbench.values.enums import DocumentLocale, LineItemUnit
from backbench.words import PluralForms, words

NO_BREAK_SPACE = "\u00a0"
MINUS = "\u2212"


def number(value: Decimal, locale: DocumentLocale, *, least_places: int = 0) -> str:
    """`value` with grouped thousands and all its decimals, padded with zeros to `least_places`."""
    whole, _, decimals = format(value.normalize(), ",f").lstrip("-").partition(".")
    formats = words(locale).formats
    grouped = whole.replace(",", formats.thousands)
    decimals = decimals.ljust(least_places, "0")
    sign = MINUS if value < 0 else ""
    return sign + grouped + (formats.decimal + decimals if decimals else "")


def money(amount: Decimal, currency: str, locale: DocumentLocale) -> str:
    """An amount, rounded half-up to the minor unit of the currency."""
    return price(amount.quantize(minor_unit(currency), ROUND_HALF_UP), currency, locale)


def price(amount: Decimal, currency: str, locale: DocumentLocale) -> str:
    """A unit price: like `money`, but decimals beyond the minor unit are kept (0,0425 zł for a screw)."""
    figure = number(abs(amount), locale, least_places=minor_digits(currency))
    sign = MINUS if amount < 0 else ""
    formats = words(locale).formats
    mark = formats.signs.get(currency)
    form = formats.price_with_code if mark is None else formats.price
    return sign + form.format(mark=mark or currency, figure=figure)


def figure(amount: Decimal, currency: str, locale: DocumentLocale, *, exact: bool = False) -> str:
    """An amount without its currency: rounded to the minor unit, or with all its decimals if `exact`."""
    rounded = amount if exact else amount.quantize(minor_unit(currency), ROUND_HALF_UP)
    return number(rounded, locale, least_places=minor_digits(currency))


def has_sign(currency: str, locale: DocumentLocale) -> bool:
    """Whether amounts have a sign such as € in the locale; otherwise they have the currency's code."""
    return currency in words(locale).formats.signs


def percent(value: Decimal, locale: DocumentLocale) -> str:
    """8,5% or 8.5%; no space before the sign in Polish either."""
    return number(value, locale) + "%"


def day(value: date, locale: DocumentLocale) -> str:
    """The date with the month's name: 21 listopada 2026, 21 November 2026."""
    formats = words(locale).formats
    return formats.day.format(day=value.day, month=formats.months[value.month - 1], year=value.year)


def unit_word(value: Decimal, unit: LineItemUnit, locale: DocumentLocale) -> str:
    """The unit in the plural form for `value`; "" for freeform, where the label names the unit."""
    forms = words(locale).units[unit]
    return plural(int(value), forms) if value == value.to_integral_value() else forms.fraction


def plural(number: int, forms: PluralForms) -> str:
    """The form of a noun after a whole number."""
    if number == 1:
        return forms.one
    return forms.few if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else forms.many


def quantity(value: Decimal, unit: LineItemUnit, locale: DocumentLocale) -> str:
    """A quantity with its unit: 2,5 m², 3 pary, 12 hours. The no-break space keeps both on one line."""
    return f"{number(value, locale)}{NO_BREAK_SPACE}{unit_word(value, unit, locale)}".rstrip(NO_BREAK_SPACE)
