"""Words: both languages have the same ones, with the same placeholders, and none is forgotten or left over."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import backbench
from backbench.words import LOCALES, read, words

PACKAGE = Path(backbench.__file__).parent
# Of formats, currencies and languages, whose entries differ by language.
OWN = ("formats.signs", "language", "fragments")
# Placeholders for forms of the title: a sentence of one language needs others.
TITLE = {field.name for field in msgspec.structs.fields(type(words("en").titles["estimate"]))}
PLACEHOLDER = re.compile(r"\{([a-z_]*)\}")


def source(locale: str) -> str:
    return (PACKAGE / "words" / f"{locale}.toml").read_text("utf-8")


def texts(locale: str) -> dict[str, str]:
    """Each text by its place; emails with their fragments."""

    def walk(value: Any, path: str) -> Iterator[tuple[str, str]]:
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, dict):
            for name, each in value.items():
                yield from walk(each, f"{path}.{name}".lstrip("."))
        elif isinstance(value, list | tuple):
            # Paragraphs are not counted: a language may need one more.
            yield path, "\n".join(map(str, value))

    found = dict(walk(msgspec.to_builtins(read(source(locale))), ""))
    return {path: text for path, text in found.items() if not path.startswith(OWN)}


def test_all_languages_have_the_same_words() -> None:
    names = {locale: set(texts(locale)) for locale in LOCALES}
    assert all(names[locale] == names["en"] for locale in LOCALES)


def test_each_word_has_the_same_placeholders_in_all_languages() -> None:
    placeholders = {
        locale: {path: set(PLACEHOLDER.findall(text)) - TITLE for path, text in texts(locale).items()}
        for locale in LOCALES
    }
    # The total of a Polish document is gross; its label does not name the tax. Subjects name what their language needs.
    free = re.compile(
        r"paper\.(?:net|gross|total)\w*|certificate\.total_with_tax|email\.total_with_tax|emails\.\w+\.(?:subject|before)|messages\."
    )
    different = {
        path: (found, placeholders["pl"][path])
        for path, found in placeholders["en"].items()
        if found != placeholders["pl"][path] and not free.match(path)
    }
    assert different == {}


@pytest.mark.parametrize("locale", LOCALES)
def test_every_unit_has_its_plural_forms(locale: Any) -> None:
    for unit, forms in words(locale).units.items():
        assert bool(forms.one) == bool(forms.few) == bool(forms.many) == bool(forms.fraction), unit


@pytest.mark.parametrize("locale", LOCALES)
def test_every_fragment_is_used(locale: str) -> None:
    raw = tomllib.loads(source(locale))
    assert [name for name in raw["fragments"] if f"{{+{name}}}" not in source(locale).partition("[emails.")[2]] == []
    assert "{+" not in "".join(texts(locale).values())


def test_every_label_is_used() -> None:
    code = "".join(path.read_text("utf-8") for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.typ")])
    found = words("en")
    # Put together from the kind of a tax, a price or a title.
    made = re.compile(r"(?:exempt|reverse_charge|outside|net|gross|link|advance|earnest)(?:_\w+)?")
    for labels in (found.paper, found.receipt, found.slip, found.certificate, found.csv):
        named = {name: re.compile(rf"""["'.]{name.replace("_", "[_-]")}\b""") for name in labels}
        assert [name for name, use in named.items() if not use.search(code) and not made.fullmatch(name)] == []


def test_a_missing_word_names_itself() -> None:
    with pytest.raises(ValueError, match=r"these words are missing: units\.hour$"):
        read(re.sub(r'^hour = \[".*\n', "", source("en"), count=1, flags=re.MULTILINE))
    with pytest.raises(ValueError, match="the_workshop"):
        read(re.sub(r"^the_workshop = .*\n", "", source("en"), flags=re.MULTILINE))
    with pytest.raises(ValueError, match="nobody"):
        read(source("en").replace("somebody = ", 'nobody = "Nobody"\nsomebody = '))
