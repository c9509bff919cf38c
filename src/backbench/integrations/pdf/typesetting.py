"""Typesetting: glyphs of the bundled fonts and substitutes for others, texts that fit, title fonts."""

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

import regex
from msgspec import Struct

from backbench.values.enums import DocumentLocale, TitleFont
from backbench.values.locales import NO_BREAK_SPACE
from backbench.values.scalars import REVERSING
from backbench.words import words

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
# An address of the web or of email in a text: it breaks after a slash or an @ alone, where its parts fit on a line.
_ADDRESS = regex.compile(r"(?:https?://|www\.)\S+|[^\s/@]+\.\p{Latin}{2,}/\S*|[^\s@]+@[^\s@]+\.[^\s@]+")
_ADDRESS_PART = regex.compile(r"[^/@]*[/@]+|[^/@]+")
MAX_ADDRESS_PART = 40
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
        found.append(text[end : word.start()])
        found += _parts(word.group())
        end = word.end()
    return [segment for segment in [*found, text[end:]] if segment]


def _parts(word: str) -> list[str]:
    """A long word in parts: of an address what is between its slashes, else a few characters each."""
    parts = _ADDRESS_PART.findall(word) if _ADDRESS.fullmatch(word) else [word]
    if len(parts) > 1 and max(map(len, parts)) <= MAX_ADDRESS_PART:
        return parts
    clusters = _CLUSTER.findall(word)
    return ["".join(clusters[at : at + SEGMENT_LENGTH]) for at in range(0, len(clusters), SEGMENT_LENGTH)]


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


# Text in segments between which a line may break, so that no word is wider than the page.
BreakableText = list[str]
# Each begins with the space that it replaces, which re looks for first.
_NUMBER_AND_UNIT = re.compile(
    r" (?:(?<=\d )(?=(?:\d{3}(?!\d)|"
    r"mm|cm|dm|m|km|g|dag|kg|t|l|ml|h|min|szt|zł|pcs|in|ft|W|kW|V|A|Ah|[%°€£×x²³])(?![^\W\d_²³]))"
    r"|(?:(?<=\d[×x] )|(?<=\d [×x] ))(?=\d))"
)
# Polish never leaves a word of one letter at the end of a line.
_SHORT_WORD = re.compile(r" (?<=[aiouwzAIOUWZ] )(?<![^\W_][aiouwzAIOUWZ] )(?=\S)")
_HYPHENATED = regex.compile(r"(?:[^-]|(?<!\p{L})-|-(?!\p{L}))+-?|-")


def typeset(text: str, locale: DocumentLocale) -> str:
    """`text` with no-break spaces within a number, before its unit, and after Polish words of one letter."""
    text = _NUMBER_AND_UNIT.sub(NO_BREAK_SPACE, text)
    return _SHORT_WORD.sub(NO_BREAK_SPACE, text) if words(locale).formats.short_words else text


def breakable(text: str, locale: DocumentLocale) -> BreakableText:
    return segments(typeset(text.strip(), locale))


def text_lines(text: str, locale: DocumentLocale) -> list[BreakableText]:
    """One entry for each line of `text`. An empty line has no segments."""
    return [breakable(line.strip(), locale) for line in text.strip().split("\n")] if text.strip() else []


def without_repeated_hyphens(text: BreakableText) -> BreakableText:
    """Segments that end after each hyphen in a word: Typst repeats a hyphen in Polish where a line breaks at one."""
    return [part for segment in text for part in _HYPHENATED.findall(segment)]


class TitleFace(Struct, frozen=True):
    """A title font. `scale` and `tracking` (in em) even out the apparent size and spacing of the fonts."""

    font: str
    weight: int
    scale: float
    tracking: float


TITLE_FACES: dict[TitleFont, TitleFace] = {
    "sans": TitleFace("Inter", 600, 1.0, -0.015),
    "serif": TitleFace("Source Serif 4", 600, 1.04, -0.005),
    "didone": TitleFace("Bodoni Moda", 500, 1.08, 0.0),
    "mono": TitleFace("IBM Plex Mono", 500, 0.9, -0.03),
    "rounded": TitleFace("Nunito", 700, 1.04, -0.005),
}


class Title(Struct, frozen=True):
    """`size` is in points, and smaller for longer texts."""

    segments: BreakableText
    size: float


def title_layout(text: str, locale: DocumentLocale, *steps: tuple[int, float]) -> Title:
    return Title(without_repeated_hyphens(breakable(text, locale)), _step(text, *steps))


def title_face(font: TitleFont, text: str) -> TitleFace:
    """The face of the workshop; Inter for a text with letters that it lacks, so that a title is in one face."""
    return TITLE_FACES[font if font == "sans" or has_letters(font, text) else "sans"]


def _step(text: str, *steps: tuple[int, float]) -> float:
    """`steps` are pairs of length and size. The size of the first step that is at least as long as `text`."""
    return next((size for length, size in steps if len(text) <= length), steps[-1][1])
