"""How Polish and English clients write numbers, sums, dates and units.

Polish: 1 234,56 zł with no-break spaces, 1,5 sztuki, 21 listopada 2026. English: PLN 1,234.56, 1.5 pieces,
21 November 2026. On paper and in messages alike; the interface of the service itself stays plain JSON.
"""

from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from backbench.domain.values.currencies import minor_digits, minor_unit
from backbench.domain.values.enums import DocumentLocale, LineItemUnit

NO_BREAK_SPACE = "\u00a0"
MINUS = "\u2212"


class Separators(NamedTuple):
    thousands: str
    decimal: str


SEPARATORS: dict[DocumentLocale, Separators] = {
    "pl": Separators(NO_BREAK_SPACE, ","),
    "en": Separators(",", "."),
}
# What stands for a currency where its code would look foreign; all others keep their code.
_SIGNS: dict[DocumentLocale, dict[str, str]] = {
    "pl": {"PLN": "zł", "EUR": "€", "GBP": "£", "CZK": "Kč"},
    "en": {"EUR": "€", "GBP": "£", "USD": "$"},
}
_MONTHS: dict[DocumentLocale, str] = {
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "en": "January February March April May June July August September October November December",
}


def number(value: Decimal, locale: DocumentLocale, *, least_places: int = 0) -> str:
    """`value` with its own decimals and at least `least_places` of them, thousands apart."""
    text = format(value.normalize(), "f")
    whole, _, decimals = text.lstrip("-").partition(".")
    separators = SEPARATORS[locale]
    grouped = f"{int(whole):,}".replace(",", separators.thousands)
    decimals = decimals.ljust(least_places, "0")
    sign = MINUS if value < 0 else ""
    return sign + grouped + (separators.decimal + decimals if decimals else "")


def money(amount: Decimal, currency: str, locale: DocumentLocale) -> str:
    """A sum, rounded half-up to what the currency can be paid in."""
    return price(amount.quantize(minor_unit(currency), ROUND_HALF_UP), currency, locale)


def price(amount: Decimal, currency: str, locale: DocumentLocale) -> str:
    """A unit price: like a sum, but it keeps decimals beyond the minor unit (0.0425 zł a screw)."""
    figure = number(abs(amount), locale, least_places=minor_digits(currency))
    sign = MINUS if amount < 0 else ""
    mark = _SIGNS[locale].get(currency, currency)
    if locale == "pl":
        return f"{sign}{figure}{NO_BREAK_SPACE}{mark}"
    return f"{sign}{mark}{figure}" if mark != currency else f"{sign}{mark}{NO_BREAK_SPACE}{figure}"


def percent(value: Decimal, locale: DocumentLocale) -> str:
    """8,5% and 8.5%: Polish, too, writes the sign without a space."""
    return number(value, locale) + "%"


def day(value: date, locale: DocumentLocale) -> str:
    return f"{value.day} {_MONTHS[locale].split()[value.month - 1]} {value.year}"


class Forms(NamedTuple):
    """A noun after a number: 1 sztuka, 2 sztuki, 5 sztuk, 1,5 sztuki; 1 piece, 2, 5 and 1.5 pieces."""

    one: str
    few: str
    many: str
    fraction: str


def _same(word: str) -> Forms:
    return Forms(word, word, word, word)


def _english(one: str, many: str) -> Forms:
    return Forms(one, many, many, many)


UNITS: dict[DocumentLocale, dict[LineItemUnit, Forms]] = {
    "pl": {
        "sqm": _same("m²"),
        "linear_m": _same("mb"),
        "piece": Forms("sztuka", "sztuki", "sztuk", "sztuki"),
        "pair": Forms("para", "pary", "par", "pary"),
        "hour": Forms("godzina", "godziny", "godzin", "godziny"),
        "job": Forms("usługa", "usługi", "usług", "usługi"),
        "freeform": _same(""),
    },
    "en": {
        "sqm": _same("m²"),
        "linear_m": _same("lin. m"),
        "piece": _english("piece", "pieces"),
        "pair": _english("pair", "pairs"),
        "hour": _english("hour", "hours"),
        "job": _english("job", "jobs"),
        "freeform": _same(""),
    },
}


def unit_word(value: Decimal, unit: LineItemUnit, locale: DocumentLocale) -> str:
    """The unit's name in the form that `value` asks for; "" for freeform, whose label says it all."""
    forms = UNITS[locale][unit]
    if value != value.to_integral_value():
        return forms.fraction
    if value == 1:
        return forms.one
    return forms.few if value % 10 in (2, 3, 4) and value % 100 not in (12, 13, 14) else forms.many


def quantity(value: Decimal, unit: LineItemUnit, locale: DocumentLocale) -> str:
    """How much of it: 2,5 m², 3 pary, 12 hours; number and word never part at a line's end."""
    return f"{number(value, locale)}{NO_BREAK_SPACE}{unit_word(value, unit, locale)}".rstrip(NO_BREAK_SPACE)
