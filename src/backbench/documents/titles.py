"""Titles of documents: the word for an estimate, and its forms in sentences, by what the workshop calls it."""

import re
from functools import cache

from msgspec import UnsetType

from backbench.values.enums import DocumentLocale, DocumentTitle
from backbench.values.text import safe_name
from backbench.words import LOCALES, TitleWords, words


@cache
def _generated() -> re.Pattern[str]:
    names = "|".join(title.title for locale in LOCALES for title in words(locale).titles.values())
    day = r"(?:\d{1,2} \w{3,5}\.?|\w{3,5}\.? \d{1,2})(?: \(\d+\))?"
    return re.compile(rf"(?:{names}) {day}", re.IGNORECASE)


def is_generated(name: str) -> bool:
    """Whether a name says no more than what the document is: "Estimate 23 Nov", as the app names a new one."""
    return _generated().fullmatch(name) is not None


def title_words(title: DocumentTitle, locale: DocumentLocale) -> TitleWords:
    return words(locale).titles[title]


def transfer_title(title: DocumentTitle, number: str, locale: DocumentLocale) -> str:
    """The title of a transfer before there is an order, such as "Wycena 34/2026"."""
    return f"{title_words(title, locale).title} {number}".rstrip()


def document_name(kind: str, number: str, name: str, end: str) -> str | UnsetType:
    """The name of the file of a document, such as `Wycena 12-2026 Stół dębowy v2.pdf` with the end ` v2.pdf`."""
    # A slash in a name would be taken for a folder.
    numbered = f"{kind} {number}".rstrip().replace("/", "-")
    return safe_name(f"{numbered} {name.replace('/', '-')}"[: 240 - len(end)] + end)
