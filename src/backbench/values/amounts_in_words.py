"""Amounts in words, as receipts state them: "sto dwadzieścia trzy złote 50/100".

The minor unit is a fraction in figures, which every currency has a form of: 00/100, 500/1000, and none for whole units.
"""

from decimal import Decimal

from backbench.values.currencies import minor_digits
from backbench.values.enums import DocumentLocale
from backbench.values.locales import plural
from backbench.words import CurrencyInWords, NumberWords, words

# Of the largest scale that there are words for.
_MOST = 10**12


def in_words(amount: Decimal, currency: str, locale: DocumentLocale) -> str:
    """An amount in whole minor units, from 0 to below a trillion units. Raises ValueError for another."""
    if not 0 <= amount < _MOST:
        raise ValueError("No words for this amount")
    number_words, digits = words(locale).number_words, minor_digits(currency)
    units = int(amount)
    named = number_words.currencies.get(currency)
    text = f"{_cardinal(units, number_words, named)} {currency if named is None else plural(units, named.forms)}"
    return f"{text} {int((amount - units).scaleb(digits)):0{digits}}/{10**digits}" if digits else text


def _cardinal(number: int, own: NumberWords, currency: CurrencyInWords | None) -> str:
    """The number; its last digit agrees with the gender of the currency."""
    if currency is not None and number == 1:
        return currency.one
    if number == 0:
        return own.zero
    groups = [number // 1000**at % 1000 for at in range(len(own.scales) + 1)]
    parts = [f"{_group(group, own)} {plural(group, own.scales[at])}" for at, group in enumerate(groups[1:]) if group]
    parts.reverse()
    if groups[0]:
        last = _group(groups[0], own)
        is_two = currency is not None and number % 10 == 2 and number % 100 != 12
        if currency is not None and is_two:
            last = last.removesuffix(own.ones[2]) + currency.two
        parts.append(own.joined.format(last) if parts and groups[0] < 100 else last)
    return " ".join(parts)


def _group(number: int, own: NumberWords) -> str:
    """From 1 to 999."""
    hundreds, rest = own.hundreds[number // 100], _below_hundred(number % 100, own)
    if not hundreds or not rest:
        return hundreds or rest
    return f"{hundreds} {own.joined.format(rest)}"


def _below_hundred(number: int, own: NumberWords) -> str:
    if number < 20:
        return own.ones[number]
    tens, ones = own.tens[number // 10], own.ones[number % 10]
    return f"{tens}{own.tens_joint}{ones}" if ones else tens
