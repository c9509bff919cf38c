"""Titles of documents: the word for an estimate, and its forms in sentences, by what the workshop calls it."""

import re

from msgspec import Struct, UnsetType

from backbench.values.enums import DocumentLocale, DocumentTitle
from backbench.values.text import safe_name


class TitleWords(Struct, frozen=True):
    """The forms of the word: `accusative` and `genitive` are used in Polish alone. `the` is "this" with the word.

    `inside` is "in it", `valid` the label of the end of validity.
    """

    name: str
    noun: str
    accusative: str
    genitive: str
    the: str
    inside: str
    valid: str
    accepted: str
    declined: str


TITLES: dict[DocumentLocale, dict[DocumentTitle, TitleWords]] = {
    "pl": {
        "estimate": TitleWords(
            "Wycena", "wycena", "wycenę", "wyceny", "tę wycenę", "niej", "Ważna do", "przyjęta", "odrzucona"
        ),
        "quotation": TitleWords(
            "Oferta", "oferta", "ofertę", "oferty", "tę ofertę", "niej", "Ważna do", "przyjęta", "odrzucona"
        ),
        "cost_estimate": TitleWords(
            "Kosztorys", "kosztorys", "kosztorys", "kosztorysu", "ten kosztorys", "nim", "Ważny do", "przyjęty",
            "odrzucony",
        ),
    },
    "en": {
        "estimate": TitleWords(
            "Estimate", "estimate", "estimate", "estimate", "this estimate", "it", "Valid until", "accepted", "declined"
        ),
        "quotation": TitleWords(
            "Quotation", "quotation", "quotation", "quotation", "this quotation", "it", "Valid until", "accepted",
            "declined",
        ),
        "cost_estimate": TitleWords(
            "Cost estimate", "cost estimate", "cost estimate", "cost estimate", "this cost estimate", "it",
            "Valid until", "accepted", "declined",
        ),
    },
}  # fmt: skip
_NAMES = "|".join(words.name for titles in TITLES.values() for words in titles.values())
_GENERATED = re.compile(rf"(?:{_NAMES}) (?:\d{{1,2}} \w{{3,5}}\.?|\w{{3,5}}\.? \d{{1,2}})(?: \(\d+\))?", re.IGNORECASE)


def is_generated(name: str) -> bool:
    """Whether a name says no more than what the document is: "Estimate 23 Nov", as the app names a new one."""
    return _GENERATED.fullmatch(name) is not None


def title_words(title: DocumentTitle, locale: DocumentLocale) -> TitleWords:
    return TITLES[locale][title]


def document_name(kind: str, number: str, name: str, end: str) -> str | UnsetType:
    """The name of the file of a document, such as `Wycena 12-2026 Stół dębowy v2.pdf` with the end ` v2.pdf`."""
    # A slash in a name would be taken for a folder.
    numbered = f"{kind} {number}".rstrip().replace("/", "-")
    return safe_name(f"{numbered} {name.replace('/', '-')}"[: 240 - len(end)] + end)
