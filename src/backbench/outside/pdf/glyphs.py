"""Which characters the bundled fonts can draw, and what stands in for the rest.

A PDF/A file must not contain a character without a glyph, so one that no font has becomes a box: visible, and
better than a refused estimate. Everything that can be drawn is left exactly as the client is called.
"""

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from unicodedata import category, normalize

import regex

FONTS = Path(__file__).parent / "fonts"
BOX = "□"
# Joiners, direction marks and variation selectors: no glyph of their own, swallowed by every shaper.
INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064") | frozenset(
    map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xFE00, 0xFE10)])
)
# More would be drawn across the lines above and below; no living language stacks as many.
TOO_MANY_MARKS = regex.compile(r"(\p{Mn}{6})\p{Mn}+")
LONGEST_WORD = 24
PIECE = 6


def legible(text: str) -> str:
    """`text` with a box for what cannot be drawn, and a space for what is not a character to be drawn."""
    if _latin(text) and not TOO_MANY_MARKS.search(text):
        return text
    return "".join(_drawable(cluster) for cluster in regex.findall(r"\X", text))


def pieces(text: str) -> list[str]:
    """`text` in pieces between which a line may end: words of a usual length are not cut."""
    found = [""]
    for word in re.split(r"(?<= )(?=[^ ])", legible(text)):
        clusters = regex.findall(r"\X", word)
        if len(clusters) <= LONGEST_WORD:
            found[-1] += word
        else:
            found += ["".join(clusters[at : at + PIECE]) for at in range(0, len(clusters), PIECE)] + [""]
    return [piece for piece in found if piece]


def _drawable(cluster: str) -> str:
    if category(cluster[0]) == "Cc":
        return " "
    cluster = TOO_MANY_MARKS.sub(r"\1", cluster)
    seen = set(cluster) - INVISIBLE - {"\ufeff"}
    composed = set(normalize("NFC", cluster)) - INVISIBLE - {"\ufeff"}
    if any(seen <= font or composed <= font for font in _fonts()):
        return cluster.replace("\ufeff", "")
    # Marks of one script on a letter of another: no font has both, so the letter stands alone.
    return cluster[0] if any(cluster[0] in font for font in _fonts()) else BOX


@functools.cache
def _coverage() -> tuple[str, ...]:
    """A line for each font, in the order in which the template tries them: its name and its ranges."""
    return tuple((FONTS / "coverage.txt").read_text(encoding="ascii").splitlines())


@functools.cache
def _font(at: int) -> frozenset[str]:
    ranges = [each.partition("-") for each in _coverage()[at].split()[1:]]
    bounds = [(int(first, 16), int(last or first, 16)) for first, _, last in ranges]
    return frozenset(chr(code) for first, last in bounds for code in range(first, last + 1))


def _fonts() -> Iterator[frozenset[str]]:
    """Read when they are first asked for: most workshops never leave the first."""
    return map(_font, range(len(_coverage())))


@functools.cache
def _latin_pattern() -> re.Pattern[str]:
    return re.compile("[" + "".join(map(re.escape, sorted(_font(0)))) + "]*")


def _latin(text: str) -> bool:
    """Whether the body font can draw all of it: nearly every text there is."""
    return _latin_pattern().fullmatch(text) is not None
