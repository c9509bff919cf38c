"""Localized text: the same text in both languages of the service."""

from msgspec import UNSET, Struct, UnsetType

from backbench.values.enums import DocumentLocale
from backbench.values.scalars import LongText, OptionalName
from backbench.words import words


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


def quoted(text: str, locale: DocumentLocale) -> str:
    """In quotation marks: „Cztery krzesła «Aga»”."""
    formats = words(locale).formats
    return formats.quotes.format(text.translate(str.maketrans(*formats.inner_quotes)))


def in_locale(text: str | LocalizedLine | LocalizedLines, locale: DocumentLocale) -> str:
    """The text in the language of a document. A text that is not localized is the same in both."""
    if isinstance(text, str):
        return text
    return text.pl if locale == "pl" else text.en


class LocalizedKeywords(Struct, frozen=True):
    en: tuple[str, ...]
    pl: tuple[str, ...]


MAX_NAME_LENGTH = 250
# Control and format characters (which may reverse text), and characters that file systems do not allow.
_UNSAFE = r'[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]'


def safe_name(file_name: str) -> str | UnsetType:
    """The name of an uploaded file without folders and without unsafe characters; UNSET if nothing is left."""
    # At first use: the library takes a thirtieth of a start.
    import regex

    last = file_name.replace("\\", "/").rpartition("/")[2]
    name = regex.sub(_UNSAFE, "", last).strip(" .")[:MAX_NAME_LENGTH]
    return name or UNSET
