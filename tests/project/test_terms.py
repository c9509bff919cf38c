"""Terms of the texts that clients read: documents, certificates, the client page, consents and emails say one word."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import backbench
from backbench.domain.documents.withdrawal import EARLY_START, PRIVACY, WITHDRAWAL
from backbench.domain.estimating.document_titles import TITLES
from backbench.domain.mail.sharing_texts import SHARING_TEXTS
from backbench.domain.sharing.consents import acceptance
from backbench.integrations.pdf import certificate_wording, wording

PAGE = Path(backbench.__file__).parent / "web" / "e"
# The word that is not used, and the one that is. Of emails, those to owners say "warsztat" to a workshop about itself.
REPLACED_PL = {
    r"\bodcisk": "suma kontrolna",
    r"\bskrót": "suma kontrolna",
    r"zaświadczen": "poświadczenie",
    r"akceptuj": "przyjmuję",
    r"\bzamawiam\b(?! z obowiązkiem)": "zlecam",
    r"unieważn": "cofnięto decyzję",
    r"konto bankowe": "rachunek bankowy",
    r"termin wykonania": "termin realizacji",
    r"po terminie": "nieaktualna",
    r"członek warsztatu": "członek zespołu wykonawcy",
    r"do warsztatu": "do wykonawcy",
    r"podpis odręczny": "podpis na ekranie",
    r"adres(?:em)? (?:internetowy|sieciowy)": "adres IP",
    r"№": "wersja",
    r"\d %": "23%",
}
REPLACED_EN = {r"\be-mail": "email", r"\bmarkup\b": "overheads and profit", r"network address": "IP address"}


def texts(locale: str) -> Iterator[tuple[str, str]]:
    for name, labels in (("wording", wording.LABELS), ("certificate", certificate_wording.LABELS)):
        yield from ((f"{name}.{key}", text) for key, text in labels[locale].items())  # type: ignore[index]
    yield from ((f"method.{key}", text) for key, text in certificate_wording.METHODS[locale].items())  # type: ignore[index]
    for title in TITLES["en"]:
        yield f"consent.{title}", acceptance(locale, title).text  # type: ignore[arg-type]
    yield from ((f"withdrawal.{key}", text) for key, text in WITHDRAWAL[locale].items())  # type: ignore[index]
    yield from (("early start", EARLY_START[locale]), ("privacy", PRIVACY[locale]))  # type: ignore[index]
    for kind, by_locale in SHARING_TEXTS.items():
        email = by_locale[locale]  # type: ignore[index]
        yield from ((f"email {kind}", line) for line in (email.subject, *email.before, *email.after))
    _, english, polish = re.split(r"^const (?:EN|PL) = ", (PAGE / "texts.js").read_text("utf-8"), flags=re.MULTILINE)
    for number, line in enumerate((english if locale == "en" else polish).splitlines()):
        yield f"page {number}", line.partition(":")[2]


@pytest.mark.parametrize(("locale", "replaced"), [("pl", REPLACED_PL), ("en", REPLACED_EN)])
def test_clients_read_the_chosen_terms(locale: str, replaced: dict[str, str]) -> None:
    found = [
        (where, pattern, instead)
        for where, text in texts(locale)
        for pattern, instead in replaced.items()
        if re.search(pattern, text, re.IGNORECASE)
    ]

    assert found == []


def test_the_labels_of_the_page_are_those_of_the_pdf() -> None:
    """Labels without placeholders, which both have under one name."""
    script = (PAGE / "texts.js").read_text("utf-8")
    for locale, part in zip(
        ("en", "pl"), re.split(r"^const (?:EN|PL) = ", script, flags=re.MULTILINE)[1:], strict=True
    ):
        on_page = dict(re.findall(r'^  (\w+): "([^"]*)",$', part, re.MULTILINE))
        in_pdf = wording.LABELS[locale]  # type: ignore[index]
        shared = on_page.keys() & in_pdf.keys() - {"valid"}
        assert len(shared) >= 15
        different = {name for name in shared if on_page[name] != in_pdf[name].removesuffix(":").replace("\n", " ")}
        assert different == set()
