"""Terms of the texts that people read: documents, certificates, pages, consents, emails and the app say one word."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import backbench
from backbench.domain.documents.withdrawal import EARLY_START, PRIVACY, WITHDRAWAL
from backbench.domain.estimating.document_titles import TITLES
from backbench.domain.mail.sharing_texts import SHARING_TEXTS
from backbench.domain.sharing.consents import acceptance
from backbench.integrations.pdf import certificate_wording, receipt_layout, slip_layout, wording

WEB = Path(backbench.__file__).parent / "web"
PAGE = WEB / "e"
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
    r"członek warsztatu|osob\w+ z warsztatu": "członek zespołu wykonawcy",
    r"do warsztatu": "do wykonawcy",
    r"pracowni": "wykonawca",
    r"\bza darmo\b|darmow": "bezpłatny",
    r"podpis odręczny": "podpis na ekranie",
    r"adres(?:em)? (?:internetowy|sieciowy)": "adres IP",
    r"№": "wersja",
    r"\d %": "23%",
    r"\w …": "…, closed up",
}
REPLACED_EN = {
    r"\be-mail": "email",
    r"\bmarkup\b": "overheads and profit",
    r"network address": "IP address",
    r"№": "no.",
    r"\d %": "23%",
    r"\w …": "…, closed up",
}
# The app has words for the workshop where they are not those of the documents.
REPLACED_IN_APP_PL = {
    r"[Aa]kceptuj(?!ę regulamin)|[Zz]aakceptowan|akceptacj": "przyjąć",
    r"[Uu]nieważni\w* (?:decyzj|odpowied)": "cofnąć decyzję",
    r"[Zz]aświadczen": "poświadczenie",
    r"\b[Oo]dcisk": "suma kontrolna",
    r"[Ss]iatk": "zestaw",
    r"usł\.|[Uu]sługa\b": "kpl., komplet",
    r"[Kk]onto bankowe|[Nn]umer\w* konta|[Pp]odaj konto": "rachunek bankowy",
    r"[Tt]ermin wykonania": "termin realizacji",
    r"[Pp]racowni": "warsztat",
    r"[Oo]piekun\w* serwera|kto prowadzi serwer": "administrator serwera",
    r"Wykonano w Backbench|Made with Backbench": "Przygotowano w Backbench",
    r"darmow|\bza darmo\b": "bezpłatny",
    r"na ścianę|na ścianie \(": "Ekran na ścianie",
    r"[Kk]omentarz": "pytanie lub uwaga",
    r"№": "wersja, nr",
    r"[}\d] %": "23%",
    r"\w …": "…, closed up",
    r"\bpro\b(?!:)": "Pro",
    r"[Rr]odzaj\w* rob[oó]t|Liczone na|Jest zlecenie": "rodzaje prac, jednostka, utwórz zlecenie",
}
REPLACED_IN_APP_EN = {
    r"\b[Ee]-mail": "email",
    r"№": "revision, no.",
    r"[}\d] %": "23%",
    r"\w …": "…, closed up",
    r"\bpro\b(?!:)": "Pro",
    r"\b[Ss]tands? on\b": "appears on, as shown on",
    r"\b[Tt]aken? (?:it |the \w+ )?back|declared void": "withdraw",
    r"[Ii]t’s a job|[Mm]ake the order": "create an order",
    r"for ever\b|at the present": "permanently, at the moment",
}


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
    for name, labels in (("slip", slip_layout.LABELS), ("receipt", receipt_layout.LABELS)):
        yield from ((f"{name}.{key}", text) for key, text in labels[locale].items())  # type: ignore[index]
    for page in ("e", "o"):
        script = (WEB / page / "texts.js").read_text("utf-8")
        _, english, polish = re.split(r"^const (?:EN|PL) = ", script, flags=re.MULTILINE)
        for number, line in enumerate((english if locale == "en" else polish).splitlines()):
            yield f"page {page} {number}", line.partition(":")[2]


@pytest.mark.parametrize(("locale", "replaced"), [("pl", REPLACED_PL), ("en", REPLACED_EN)])
def test_clients_read_the_chosen_terms(locale: str, replaced: dict[str, str]) -> None:
    found = [
        (where, pattern, instead)
        for where, text in texts(locale)
        for pattern, instead in replaced.items()
        if re.search(pattern, text, re.IGNORECASE)
    ]

    assert found == []


@pytest.mark.parametrize(("locale", "replaced"), [("pl", REPLACED_IN_APP_PL), ("en", REPLACED_IN_APP_EN)])
def test_the_app_has_the_chosen_terms(locale: str, replaced: dict[str, str]) -> None:
    words = [
        (f"{path.name}:{number}", line.partition(": ")[2] or line)
        for path in sorted((WEB / "app" / "i18n" / locale).glob("*.js"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if not line.lstrip().startswith(("/", "*"))
    ]
    found = [
        (where, text, instead)
        for where, text in words
        for pattern, instead in replaced.items()
        if re.search(pattern, text)
    ]

    assert len(words) > 500
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
