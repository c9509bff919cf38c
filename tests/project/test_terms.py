"""Terms of the texts that people read: documents, certificates, pages, consents, emails and the app say one word."""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import backbench
from backbench.words import LOCALES, words

PACKAGE = Path(backbench.__file__).parent
WEB = PACKAGE / "web"
PAGE = WEB / "e"
# The word that is not used, and the one that is. Of emails, those to owners say "warsztat" to a workshop about itself.
REPLACED_PL = {
    r"\bodcisk": "suma kontrolna",
    r"\bskrót": "suma kontrolna",
    r"zaświadczen": "poświadczenie",
    r"akceptuj": "przyjmuję",
    r"\bzamawiam\b(?! z obowiązkiem)": "zlecam",
    r"unieważn": "cofnięto decyzję",
    r"konto bankowe|numer konta": "rachunek bankowy",
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


# Modules with texts for members; those of all others are for clients.
FOR_MEMBERS = {"imports/fields.py"}
# Tables of the words for members, and emails to clients, of whom some also go to owners.
MEMBER_TABLES = {"push", "push_texts", "csv", "csv_values", "csv_units"}
TO_CLIENTS = ("estimate_", "decision_", "comment_")
# It lists words that drafts of a language model must not have.
NOT_READ = {"language"}
# Where a language begins in a script that has both.
LANGUAGE = re.compile(r"^ *(?:const )?(EN|PL|en|pl|ENGLISH|OFFER)(?: =|:) [{[]", re.MULTILINE)
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`')
Texts = Iterator[tuple[str, str]]


def strings_in(tree: ast.AST, where: str) -> Texts:
    """Without the keys of mappings, which nobody reads."""
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield f"{where}:{tree.lineno}", tree.value
    children = tree.values if isinstance(tree, ast.Dict) else ast.iter_child_nodes(tree)
    for child in children:
        yield from strings_in(child, where)


def texts_of_module(path: str, source: str, locale: str) -> Texts:
    """The strings of a language: those with its key in a mapping."""
    if f'"{locale}"' not in source:
        # Parsing takes most of the time, and few modules have the key.
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if key is not None and locale in {text for _, text in strings_in(key, "")}:
                    yield from strings_in(value, path)


def texts_of_script(path: str, script: str, locale: str) -> Texts:
    """The strings of a language: by the name of the file, or behind the name of the language in a file with both."""
    script = re.sub(r"^\s*(?://|/?\*).*$", "", script, flags=re.MULTILINE)
    if "/words/" in path:
        yield from ((path, text) for text in texts_of_pairs(script, 0 if locale == "en" else 1))
        return
    named = re.search(r"[/_](en|pl)(?:/\w|\.js)", path)
    parts = [named[1], script] if named else LANGUAGE.split(script)[1:]
    for language, part in zip(parts[::2], parts[1::2], strict=True):
        if ("en" if language.lower() in ("en", "english") else "pl") == locale:
            yield from ((path, first or second) for first, second in QUOTED.findall(part))


def texts_of_pairs(script: str, index: int) -> Iterable[str]:
    """The strings of a language, in a module where each word has its texts in both, one after the other."""
    for _, entry in re.findall(r"^( +)\w+: \[(.*?)\],$(?!\n\1 )", script, re.MULTILINE | re.DOTALL):
        lines = [line for line in entry.split("\n") if line.strip()]
        # The functions of both languages are on lines of their own.
        half = len(lines) // 2
        found = [first or second for first, second in QUOTED.findall("\n".join(lines[index * half :][: half or 1]))]
        if half:
            yield from found
        else:
            yield from found[index * len(found) // 2 :][: len(found) // 2]


def texts_of_words(toml: str, *, for_members: bool) -> Texts:
    """The texts of a file of words."""
    for path, text in strings_of(tomllib.loads(toml), ""):
        table, _, rest = path.partition(".")
        is_for_members = (
            table in MEMBER_TABLES
            or path in ("email.keys", "email.more_keys")
            or (table == "emails" and not rest.startswith(TO_CLIENTS))
        )
        if table not in NOT_READ and is_for_members == for_members:
            yield path, text


def strings_of(value: Any, path: str) -> Texts:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for name, each in entries:
            yield from strings_of(each, f"{path}.{name}".lstrip("."))


def python_texts(locale: str, *, for_members: bool) -> Texts:
    yield from texts_of_words((PACKAGE / "words" / f"{locale}.toml").read_text("utf-8"), for_members=for_members)
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if (name in FOR_MEMBERS) == for_members:
            yield from texts_of_module(name, path.read_text("utf-8"), locale)


def script_texts(locale: str, scripts: Iterable[Path]) -> Texts:
    for path in sorted(scripts):
        yield from texts_of_script(path.relative_to(WEB).as_posix(), path.read_text("utf-8"), locale)


def client_texts(locale: str) -> Texts:
    yield from python_texts(locale, for_members=False)
    yield from script_texts(locale, [*PAGE.glob("*.js"), *(WEB / "o").glob("*.js")])


def member_texts(locale: str) -> Texts:
    yield from python_texts(locale, for_members=True)
    yield from script_texts(locale, [WEB / "mail-links.js", *(WEB / "app" / "words").rglob("*.js")])


def replaced_words(texts: Iterable[tuple[str, str]], replaced: Mapping[str, str], flags: int = 0) -> list[Any]:
    compiled = [(re.compile(pattern, flags), instead) for pattern, instead in replaced.items()]
    return [(where, text, instead) for where, text in texts for pattern, instead in compiled if pattern.search(text)]


@pytest.mark.parametrize(("locale", "replaced"), [("pl", REPLACED_PL), ("en", REPLACED_EN)])
def test_clients_read_the_chosen_terms(locale: str, replaced: dict[str, str]) -> None:
    found = list(client_texts(locale))
    assert len(found) > 500
    assert replaced_words(found, replaced, re.IGNORECASE) == []


@pytest.mark.parametrize(("locale", "replaced"), [("pl", REPLACED_IN_APP_PL), ("en", REPLACED_IN_APP_EN)])
def test_members_read_the_chosen_terms(locale: str, replaced: dict[str, str]) -> None:
    found = list(member_texts(locale))
    assert len(found) > 1500
    assert replaced_words(found, replaced) == []


# One place of each kind, and a text in it that is replaced by one with a word that is not used.
PLACES = [
    ("pl", "e/texts_pl.js", "Wykonawca przechowuje go razem", "Akceptuję to razem"),
    ("en", "e/texts_en.js", "The workshop keeps it, with", "The workshop e-mails it, with"),
    ("pl", "e/payment_texts.js", "Rachunek bankowy", "Konto bankowe"),
    ("pl", "e/titles.js", "Nieaktualny", "Po terminie"),
    ("pl", "o/texts.js", "Zbyt wiele prób", "Skrót"),
    ("pl", "words", "Przyjmuję {the}", "Akceptuję {the}"),
    ("en", "words", "my IP address", "my network address"),
    ("pl", "words", "Otwórz {accusative}", "Zaakceptuj {accusative}"),
    ("en", "words", "sent with Backbench", "e-mail sent with Backbench"),
    ("pl", "words", "Rachunek bankowy", "Konto bankowe"),
    ("pl", "words", "Z poważaniem", "Z pracowni"),
    ("pl", "words", "Powinno być gotowe do: {day}.", "Termin wykonania: {day}."),
    ("pl", "words", "Termin realizacji:", "Termin wykonania:"),
    ("en", "words", "Overheads and profit", "Markup"),
    ("pl", "words", "Poświadczenie decyzji", "Zaświadczenie decyzji"),
    ("pl", "app/words/tiles.js", "Jednostka", "Liczone na"),
    ("en", "app/words/send.js", "Create an order", "It’s a job"),
    ("pl", "mail-links.js", "Ustaw hasło", "Hasło darmowe"),
    ("pl", "words", "warsztatu", "pracowni"),
]


@pytest.mark.parametrize(("locale", "name", "text", "other"), PLACES)
def test_a_word_that_is_not_used_is_found_in_every_place(locale: str, name: str, text: str, other: str) -> None:
    is_for_members = name.startswith(("app/", "mail-links")) or "warsztatu" in text
    file = PACKAGE / "words" / f"{locale}.toml" if name == "words" else WEB / name
    source = file.read_text("utf-8")
    assert text in source
    changed = source.replace(text, other)
    if name == "words":
        found = texts_of_words(changed, for_members=is_for_members)
    else:
        found = texts_of_script(name, changed, locale)
    if is_for_members:
        replaced = REPLACED_IN_APP_PL if locale == "pl" else REPLACED_IN_APP_EN
        assert replaced_words(found, replaced) != []
    else:
        assert replaced_words(found, REPLACED_PL if locale == "pl" else REPLACED_EN, re.IGNORECASE) != []


def test_the_labels_of_the_page_are_those_of_the_pdf() -> None:
    """Labels without placeholders, which both have under one name."""
    for locale in LOCALES:
        in_pdf = words(locale).paper
        script = (PAGE / f"texts_{locale}.js").read_text("utf-8")
        on_page = dict(re.findall(r'^  (\w+): "([^"]*)",$', script, re.MULTILINE))
        shared = on_page.keys() & in_pdf.keys() - {"valid"}
        assert len(shared) >= 15
        different = {name for name in shared if on_page[name] != in_pdf[name].removesuffix(":").replace("\n", " ")}
        assert different == set()
