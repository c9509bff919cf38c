"""Headings: what columns are called in files of other programs (headings.toml), and how well one is that of a field."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files as resources
from typing import Any, Literal

from msgspec import Struct

from backbench.imports.cells import BASES, Terms, folded, terms_of, with_bases
from backbench.values.enums import PricesEntered

ImportKind = Literal["tiles", "customers", "orders"]


class Heading(Struct, frozen=True):
    """A heading as it is compared, also without what is in brackets; and its number, such as 2 of "Phone 2 - Value"."""

    keys: tuple[str, ...]
    words: tuple[str, ...]
    outside: tuple[str, ...]
    number: int | None


@cache
def heading_of(text: str) -> Heading:
    words = _words(text)
    plain = tuple(word for word in words if not word.isdecimal())
    number = next((int(word) for word in words if word.isdecimal() and len(word) < 3), None)
    outside = tuple(word for word in _words(_without_brackets(text)) if not word.isdecimal())
    return Heading(("".join(plain), "".join(outside)) if outside else ("".join(plain),), plain, outside, number)


def _words(text: str) -> list[str]:
    """The words of a heading, folded: `E-mail 1 - Value`, `unitPrice`, `Szt.`"""
    spaced = _spaced(text)
    for sign in "-_/.()[]{}:,;#'’|*%":
        spaced = spaced.replace(sign, " ")
    # A digit at the end of a word is a number of its own: Telefon2.
    return [each for word in spaced.split() for each in _split_number(folded(word)) if each]


def _spaced(text: str) -> str:
    return "".join(
        f" {each}" if each.isupper() and before.islower() else each
        for before, each in zip(f" {text}", text, strict=False)
    )


def _split_number(word: str) -> tuple[str, str]:
    letters = word.rstrip("0123456789")
    return (letters, word[len(letters) :]) if letters else ("", word)


def _without_brackets(text: str) -> str:
    depth, kept = 0, []
    for each in text:
        depth += each in "([{"
        if not depth:
            kept.append(each)
        depth -= each in ")]}" and depth > 0
    return "".join(kept)


@cache
def amounts_of(text: str) -> Terms:
    """What a heading says of the amounts below it."""
    return terms_of(_spaced(text))


@cache
def headings() -> dict[str, Any]:
    # No start needs it.
    import tomllib

    return tomllib.loads(resources("backbench.imports").joinpath("headings.toml").read_text("utf-8"))


@cache
def left_out() -> frozenset[str]:
    return frozenset(heading_of(text).keys[0] for text in headings()["left_out"]["headings"])


@cache
def known_headings(kind: ImportKind) -> dict[str, list[Heading]]:
    """The headings of each entry of the kind, the best first. The name of a field is one of its headings."""
    found = {words: [heading_of(text) for text in (*texts, words)] for words, texts in headings()[kind].items()}
    if kind == "tiles":
        found |= {basis: [heading_of(text) for text in texts] for basis, texts in headings()["prices"].items()}
    return found


def is_known(kind: ImportKind, text: str) -> bool:
    """Whether a cell is a heading of a field, or one that is known to be of none."""
    found = heading_of(text)
    basis, price = basis_of(found) if kind == "tiles" else (None, found)
    if basis is not None and price.keys[0] in ("", *_all_headings(kind)):
        return True
    return bool(found.keys[0]) and any(key in left_out() or key in _all_headings(kind) for key in found.keys)


@cache
def _all_headings(kind: ImportKind) -> frozenset[str]:
    return frozenset(each.keys[0] for headings in known_headings(kind).values() for each in headings)


def basis_of(heading: Heading) -> tuple[PricesEntered | None, Heading]:
    """Whether a heading says that its prices are with tax or without, and the heading without the word that does."""
    for basis, words in BASES.items():
        if words & {*heading.words}:
            left, outside = ([word for word in some if word not in words] for some in (heading.words, heading.outside))
            return basis, Heading(("".join(left), "".join(outside)), tuple(outside), tuple(outside), heading.number)
        if (match(heading, known_headings("tiles")[basis]) or 0) >= 100:
            return basis, heading_of("")
    return None, heading


def basis_of_prices(text: str) -> PricesEntered | None:
    """Whether the heading of a column of prices says that they are with tax or without."""
    return basis_of(heading_of(with_bases(text)))[0]


def match(heading: Heading, known: Sequence[Heading], *, is_repeated: bool = False) -> float | None:
    """How well a heading is one of those: above 100 where it is one, below where it begins or ends like one."""
    for rank, each in enumerate(known):
        is_same = each.number == heading.number or (each.number is None and (is_repeated or heading.number == 1))
        if is_same and each.keys[0] in heading.keys:
            return 200 - rank
    if any(key in left_out() for key in heading.keys):
        return None
    best = None
    for rank, each in enumerate(known):
        length = len(each.words)
        if (
            0 < length < len(heading.words)
            and len(each.keys[0]) >= 4
            and each.words in (heading.words[:length], heading.words[-length:])
        ):
            best = max(best or 0, 100 * length / len(heading.words) - rank / 100)
    return best
