"""Languages of drafts: how each is requested, and its words for what a draft must not say.

The lists are in the files of words. In them, `*` is any ending or beginning and `_` is white space.
Words without accents also match with them; a word with accents matches only with them (pięć: piec is a stove).
"""

import re
import unicodedata
from functools import cache, cached_property

from backbench.values.enums import DocumentLocale
from backbench.words import LanguageWords, words

# Letters that are no base letter with an accent to Unicode.
_BASE_LETTERS = str.maketrans("łøđħŧıŋĸ", "lodhtink")


class Language:
    """Word lists of a language.

    common: words found in nearly every text, by which a text's language is recognized.
    numbers, money, dates, terms: words that no draft may contain, in any language.
    limits: words that make a sum another one where they share its paragraph ("from", "per", "half of").
    approximations: likewise ("about"), allowed in a message about a preliminary estimate.
    preliminary: words of which a message about a preliminary estimate needs one, and others must have none.
    until: phrases that precede the date of validity.
    """

    def __init__(self, words: LanguageWords) -> None:
        self.words = words

    @cached_property
    def common_words(self) -> frozenset[str]:
        return frozenset(self.words.common.split())

    @cached_property
    def forbidden(self) -> re.Pattern[str]:
        return pattern(self.words.numbers, self.words.money, self.words.dates, self.words.terms)


@cache
def language(locale: DocumentLocale) -> Language:
    return Language(words(locale).language)


@cache
def pattern(*lists: str) -> re.Pattern[str]:
    """Matches any word or phrase of the lists in case-folded text."""
    phrases = " ".join(lists).split()
    alternatives = (re.escape(phrase).replace(r"\*", r"\w*").replace("_", r"\s+") for phrase in phrases)
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)")


def found_in(text: str, words: re.Pattern[str]) -> list[str]:
    """The listed words that occur in the text, in any case, with or without accents."""
    lowered = text.casefold()
    return list(dict.fromkeys([*words.findall(lowered), *words.findall(without_accents(lowered))]))


def without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(_BASE_LETTERS))
    return "".join(character for character in decomposed if not unicodedata.combining(character))
