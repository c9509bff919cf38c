"""Glyph coverage of the bundled fonts, and substitutes for other characters.

A PDF/A file must not contain a character without a glyph. A character that no font has is replaced by its plain form or
by a box, so that the estimate can be rendered. All other text is unchanged.
"""

import functools
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

import regex

from backbench.values.enums import TitleFont
from backbench.values.scalars import REVERSING

FONTS = Path(__file__).parent / "fonts"
BOX = "□"
# Of the title fonts; that of "sans" is the font of running text.
_TITLE_FILES: dict[TitleFont, str] = {
    "serif": "SourceSerif4-SemiBold",
    "didone": "BodoniModa-Medium",
    "mono": "IBMPlexMono-Medium",
    "rounded": "Nunito-Bold",
}
MAX_WORD_LENGTH = 24
SEGMENT_LENGTH = 6

# What most texts consist of, which is shown as it is: printable ASCII and letters of Latin-1 and Polish.
PLAIN = frozenset(map(chr, range(0x20, 0x7F))) | frozenset(map(chr, range(0xA0, 0x180))) - {"\u00ad", "\u0149"}

# Joiners, direction marks and variation selectors have no glyph; every shaper removes them.
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064") | frozenset(
    map(chr, range(0xFE00, 0xFE10))
)
# A line may break after a hyphen or a slash between letters, so Wiśniewska-Lewandowska is two words.
_LONG_WORD = regex.compile(rf"(?:[^\s/-]|(?<!\p{{Latin}})[/-]|[/-](?!\p{{Latin}})){{{MAX_WORD_LENGTH + 1},}}")
_HAS_MARKS = regex.compile(r"\X\p{M}|\p{M}")
_CONTROL = regex.compile(r"\p{Cc}")
# More would overlap the lines above and below; no living language stacks as many.
_EXCESS_MARKS = regex.compile(r"(\p{Mn}{6})\p{Mn}+")
_CLUSTER = regex.compile(r"\X")


def legible(text: str) -> str:
    """`text` with substitutes for characters without a glyph, and a space for each control character."""
    if PLAIN.issuperset(text):
        return text
    text = REVERSING.sub("", _CONTROL.sub(" ", text).replace("\ufeff", ""))
    if _HAS_MARKS.search(text):
        text = _EXCESS_MARKS.sub(r"\1", text)
        text = "".join(map(_with_supported_marks, _CLUSTER.findall(text)))
    unknown = {ord(character): _substitute(character) for character in set(text) - known()}
    return text.translate(unknown) if unknown else text


def segments(text: str) -> list[str]:
    """`text` in segments between which a line may break. Only words longer than 24 characters are split."""
    text = legible(text)
    # Counted first: the pattern takes longer than the rest of this.
    if max(map(len, text.split()), default=0) <= MAX_WORD_LENGTH:
        return [text] if text else []
    found, end = [], 0
    for word in _LONG_WORD.finditer(text):
        clusters = _CLUSTER.findall(word.group())
        found.append(text[end : word.start()])
        found += ["".join(clusters[at : at + SEGMENT_LENGTH]) for at in range(0, len(clusters), SEGMENT_LENGTH)]
        end = word.end()
    return [segment for segment in [*found, text[end:]] if segment]


def _with_supported_marks(cluster: str) -> str:
    """A letter with its combining marks, or without them if no font has both."""
    if len(cluster) == 1:
        return cluster
    spellings = [set(spelling) - _INVISIBLE for spelling in (cluster, normalize("NFC", cluster))]
    return cluster if any(spelling <= font for font in coverage().values() for spelling in spellings) else cluster[0]


def _substitute(character: str) -> str:
    """The compatibility decomposition of a character (ﬁ is fi, 𝓐 is A), or a box."""
    plain = normalize("NFKC", character)
    return plain if known().issuperset(plain) else BOX


@functools.cache
def known() -> frozenset[str]:
    """Every character that has a glyph or is invisible."""
    return _INVISIBLE.union(*coverage().values())


@functools.cache
def coverage() -> dict[str, frozenset[str]]:
    """The characters of each font of running text, in the template's order of fallback."""
    return _coverage("coverage.txt")


def has_letters(font: TitleFont, text: str) -> bool:
    """Whether a title font has all letters of the text."""
    found = _coverage("title-coverage.txt")[_TITLE_FILES[font]]
    return all(each in found for each in legible(text) if each.isalpha())


@functools.cache
def _coverage(file: str) -> dict[str, frozenset[str]]:
    lines = (FONTS / file).read_text(encoding="ascii").splitlines()
    return {font: frozenset(_characters(ranges)) for font, _, ranges in (line.partition(" ") for line in lines)}


def _characters(ranges: str) -> Iterator[str]:
    for each in ranges.split():
        first, _, last = each.partition("-")
        yield from map(chr, range(int(first, 16), int(last or first, 16) + 1))
