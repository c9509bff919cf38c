"""Localized text: the same text in both languages of the service."""

from msgspec import Struct

from backbench.values.enums import DocumentLocale
from backbench.values.scalars import LongText, OptionalName


class LocalizedText(Struct, frozen=True, forbid_unknown_fields=True):
    en: str
    pl: str


class LocalizedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """One line in both languages."""

    en: OptionalName
    pl: OptionalName


class LocalizedLines(Struct, frozen=True, forbid_unknown_fields=True):
    """A text of several lines in both languages."""

    en: LongText
    pl: LongText


# Quotation marks around a text, and those that the text itself has then.
_QUOTES: dict[DocumentLocale, str] = {"en": "“{}”", "pl": "„{}”"}
_INNER_QUOTES = {"en": str.maketrans("“”", "‘’"), "pl": str.maketrans("„”", "«»")}


def quoted(text: str, locale: DocumentLocale) -> str:
    """In quotation marks: „Cztery krzesła «Aga»”."""
    return _QUOTES[locale].format(text.translate(_INNER_QUOTES[locale]))


def in_locale(text: str | LocalizedLine | LocalizedLines, locale: DocumentLocale) -> str:
    """The text in the language of a document. A text that is not localized is the same in both."""
    if isinstance(text, str):
        return text
    return text.pl if locale == "pl" else text.en


class LocalizedKeywords(Struct, frozen=True):
    en: tuple[str, ...]
    pl: tuple[str, ...]
