"""Typesetting of client text: no-break spaces where a line must not end, and texts as lines of segments."""

import re

import regex

from backbench.integrations.pdf.glyphs import segments
from backbench.values.enums import DocumentLocale
from backbench.values.locales import NO_BREAK_SPACE

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
    return _SHORT_WORD.sub(NO_BREAK_SPACE, text) if locale == "pl" else text


def breakable(text: str, locale: DocumentLocale) -> BreakableText:
    return segments(typeset(text.strip(), locale))


def text_lines(text: str, locale: DocumentLocale) -> list[BreakableText]:
    """One entry for each line of `text`. An empty line has no segments."""
    return [breakable(line.strip(), locale) for line in text.strip().split("\n")] if text.strip() else []


def without_repeated_hyphens(text: BreakableText) -> BreakableText:
    """Segments that end after each hyphen in a word: Typst repeats a hyphen in Polish where a line breaks at one."""
    return [part for segment in text for part in _HYPHENATED.findall(segment)]
