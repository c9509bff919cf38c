"""Words: both languages have the same ones, with the same placeholders, and none is forgotten or left over."""

import re
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
# What Polish does not say: the label of a price names no tax, a greeting no client, and an email "the workshop".
NO_TAX = (
    *(f"paper.{name}" for name in ("net_price", "net_amount", "gross_price", "gross_amount", "gross_subtotal", "net")),
    *(f"{labels}.total_with_tax" for labels in ("paper", "certificate", "email")),
)
NO_WORKSHOP = ("comment_answered", "decision_voided", "decision_recorded_accepted", "decision_recorded_declined")
UNSAID = {
    **{path: {"tax"} for path in NO_TAX},
    **{f"messages.{kind}.greeting": {"recipient"} for kind in words("en").messages},
    **{f"emails.{kind}.before": {"workshop"} for kind in NO_WORKSHOP},
}
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
    different = {
        path: (found, placeholders["pl"][path])
        for path, found in placeholders["en"].items()
        if found - UNSAID.get(path, set()) != placeholders["pl"][path]
    }
    assert different == {}
    assert [path for path in UNSAID if path not in placeholders["en"]] == []


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
    # Put together from the kind of a tax, a price, a title or a payment.
    made = re.compile(
        r"(?:exempt|reverse_charge|outside|net|gross|link|advance|earnest)(?:_\w+)?|(?:deposit|payment|refund)_confirmed"
    )
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


def test_words_are_read_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two threads are the first to use a type, msgspec crashes."""
    reading: list[str] = []
    together: list[int] = []

    def slowly(toml: str) -> None:
        reading.append(toml)
        time.sleep(0.02)
        together.append(len(reading))
        reading.pop()

    monkeypatch.setattr("backbench.words.read", slowly)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(words.__wrapped__, ["en"] * 4))
    assert together == [1, 1, 1, 1]
