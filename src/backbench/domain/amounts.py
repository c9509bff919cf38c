"""Figures in running text: where they stand, what they say in either locale's notation, and in which money.

A text of one locale may use the other's notation where nobody can misread it: 1234.56 is clear to a Polish client,
1.234 is not, and has no value here.
"""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from backbench.domain.values.currencies import MINOR_DIGITS
from backbench.domain.values.enums import DocumentLocale

_SPACES = " \u00a0\u2009\u202f"
_APART = rf"{_SPACES}'’"
_FIGURE = re.compile(rf"[0-9]+(?:[{_APART}][0-9]{{3}}(?![0-9])|[.,][0-9]+)*")
_NOTATIONS: dict[DocumentLocale, re.Pattern[str]] = {
    "en": re.compile(
        rf"(?P<whole>[1-9][0-9]{{0,2}}(?P<apart>[,{_APART}])[0-9]{{3}}(?:(?P=apart)[0-9]{{3}})*|0|[1-9][0-9]*)"
        r"(?:\.(?P<decimals>[0-9]+))?"
    ),
    "pl": re.compile(
        rf"(?P<whole>[1-9][0-9]{{0,2}}(?P<apart>[{_APART}])[0-9]{{3}}(?:(?P=apart)[0-9]{{3}})*|0|[1-9][0-9]*"
        r"|[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?=,))(?:,(?P<decimals>[0-9]+))?"
    ),
}
_SIGNS = {"€": "EUR", "£": "GBP", "$": "USD"}
_NAMES = {
    name: currency
    for currency, names in {
        "PLN": "zł zl złoty złote złotych złotego złotymi złotówki złotówek zloty zlotys zloties zlotych",
        "EUR": "eur euro euros",
        "GBP": "gbp pound pounds funt funty funtów funta",
        "USD": "usd dollar dollars dolar dolary dolarów dolara",
        "CZK": "kč czk koron korona korony koruna crown crowns",
        "CHF": "chf frank franki franków franc francs",
        "minor": "grosz grosze groszy gr cent cents centy centów pence penny",
    }.items()
    for name in names.split()
}
# Names that mean nothing but money, so that one without a figure beside it stands for a sum in words.
_ONLY_MONEY = re.compile(
    r"(?<!\w)(?:zł|złot(?:ych|ego)|złotów\w+|pln|eur|euros?|usd|gbp|dollars?|dolar\w{0,3}|funt(?:y|ów|a)?|cents|pence"
    r"|pennies|grosz\w*|centów|jed\w+\s(?:złot|cent)\w*|one\s(?:pound|crown|franc|cent|penny|zloty)s?)(?!\w)",
    re.IGNORECASE,
)
_STRUCK = re.compile("[0-9][\u0300-\u036f\u20d0-\u20ff\ufe0f\u200d]")
_WORD_AFTER = re.compile(rf"[{_SPACES}]?([^\W\d_]+)")
_WORD_BEFORE = re.compile(rf"([^\W\d_]+)[{_SPACES}]?$")


class Figure(NamedTuple):
    """`value` is None where the notation is nobody's; `currencies` are those of the marks right beside it."""

    start: int
    end: int
    text: str
    value: Decimal | None
    currencies: frozenset[str]


def figures(text: str, locale: DocumentLocale) -> Iterator[Figure]:
    """Every figure, in the order of the text. `start` and `end` take in the marks of money."""
    for match in _FIGURE.finditer(text):
        before, opens = _mark_before(text, match.start())
        after, closes = _mark_after(text, match.end())
        marks = frozenset(mark for mark in (before, after) if mark)
        yield Figure(opens, closes, match[0], value_of(match[0], locale), marks)


def value_of(text: str, locale: DocumentLocale) -> Decimal | None:
    """What the figure says to a reader of the locale."""
    own = _NOTATIONS[locale].fullmatch(text)
    if own:
        return _decimal(own)
    foreign = _NOTATIONS["pl" if locale == "en" else "en"].fullmatch(text)
    # Three digits after the only separator are thousands to one reader and thousandths to the other.
    if foreign and len(foreign["decimals"] or "") != 3:
        return _decimal(foreign)
    return None


def money_without_figures(text: str, known: list[Figure]) -> bool:
    """Whether money is named where no figure stands beside it: "five hundred euro"."""
    rest = list(text)
    for figure in known:
        rest[figure.start : figure.end] = " " * (figure.end - figure.start)
    left = "".join(rest)
    return bool(_ONLY_MONEY.search(left)) or any(unicodedata.category(character) == "Sc" for character in left)


def has_strange_digits(text: str) -> bool:
    """Digits of other scripts, fractions, circled numbers, struck-out digits: figures that only look like some."""
    # The square and cube of a unit are none.
    plain = re.sub(r"(?<=m)[²³]", "", text)
    is_strange = any(unicodedata.category(character) in ("Nd", "Nl", "No") for character in plain if character > "9")
    return is_strange or _STRUCK.search(plain) is not None


def _decimal(match: re.Match[str]) -> Decimal:
    return Decimal(re.sub("[^0-9]", "", match["whole"]) + "." + (match["decimals"] or "0"))


def _mark_after(text: str, end: int) -> tuple[str | None, int]:
    """The currency named right after, and where its mark ends."""
    at = end + 1 if text[end : end + 1] and text[end] in _SPACES else end
    if text[at : at + 1] and unicodedata.category(text[at]) == "Sc":
        return _SIGNS.get(text[at], "unknown"), at + 1
    word = _WORD_AFTER.match(text, end)
    currency = _named(word[1]) if word else None
    return (currency, word.end()) if word and currency else (None, end)


def _mark_before(text: str, start: int) -> tuple[str | None, int]:
    at = start - 2 if text[start - 1 : start] and text[start - 1] in _SPACES else start - 1
    if at >= 0 and unicodedata.category(text[at]) == "Sc":
        return _SIGNS.get(text[at], "unknown"), at
    word = _WORD_BEFORE.search(text, max(0, start - 16), start)
    currency = _named(word[1]) if word else None
    return (currency, word.start()) if word and currency else (None, start)


def _named(word: str) -> str | None:
    """The currency that the word means: a code in capitals, or a name in either language."""
    return word if word in MINOR_DIGITS else _NAMES.get(word.casefold())
