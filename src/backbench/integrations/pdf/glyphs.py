"""Which characters the bundled fonts can draw, and what stands in for the rest.

A PDF/A file must not contain a character without a glyph, so one that no font has becomes a plainer one or a box:
visible, and better than a refused estimate. Everything that can be drawn is left exactly as it was written.
"""

import functools
from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

import regex

FONTS = Path(__file__).parent / "fonts"
BOX = "□"
LONGEST_WORD = 24
PIECE = 6

# Joiners, direction marks and variation selectors have no glyph of their own; every shaper swallows them.
_UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064") | frozenset(
    map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xFE00, 0xFE10)])
)
# After a hyphen or a slash between letters a line may end anyway, so Wiśniewska-Lewandowska is two words.
_LONG_WORD = regex.compile(rf"(?:[^\s/-]|(?<!\p{{Latin}})[/-]|[/-](?!\p{{Latin}})){{{LONGEST_WORD + 1},}}")
_MARKED = regex.compile(r"\X\p{M}|\p{M}")
_CONTROL = regex.compile(r"\p{Cc}")
# More would be drawn across the lines above and below; no living language stacks as many.
_TOO_MANY_MARKS = regex.compile(r"(\p{Mn}{6})\p{Mn}+")
_CLUSTER = regex.compile(r"\X")


def legible(text: str) -> str:
    """`text` with a box for what cannot be drawn and a space for a control character."""
    if text.isascii() and text.isprintable():
        return text
    text = _CONTROL.sub(" ", text).replace("\ufeff", "")
    if _MARKED.search(text):
        text = _TOO_MANY_MARKS.sub(r"\1", text)
        text = "".join(map(_drawable, _CLUSTER.findall(text)))
    unknown = {ord(character): _substitute(character) for character in set(text) - known()}
    return text.translate(unknown) if unknown else text


def pieces(text: str) -> list[str]:
    """`text` in pieces between which a line may end: only words too long for any line are cut."""
    text = legible(text)
    if len(text) <= LONGEST_WORD:
        return [text] if text else []
    found, done = [], 0
    for word in _LONG_WORD.finditer(text):
        clusters = _CLUSTER.findall(word.group())
        found.append(text[done : word.start()])
        found += ["".join(clusters[at : at + PIECE]) for at in range(0, len(clusters), PIECE)]
        done = word.end()
    return [piece for piece in [*found, text[done:]] if piece]


def _drawable(cluster: str) -> str:
    """A letter with its marks; without them where no font has both."""
    if len(cluster) == 1:
        return cluster
    spellings = [set(spelling) - _UNSEEN for spelling in (cluster, normalize("NFC", cluster))]
    return cluster if any(spelling <= font for font in coverage().values() for spelling in spellings) else cluster[0]


def _substitute(character: str) -> str:
    """The plain letters of a fancy one (ﬁ is fi, 𝓐 is A), or a box."""
    plain = normalize("NFKC", character)
    return plain if known().issuperset(plain) else BOX


@functools.cache
def known() -> frozenset[str]:
    """Every character that can be drawn, or that leaves no trace."""
    return _UNSEEN.union(*coverage().values())


@functools.cache
def coverage() -> dict[str, frozenset[str]]:
    """What each font of running text draws, in the order in which the template tries them."""
    lines = (FONTS / "coverage.txt").read_text(encoding="ascii").splitlines()
    return {font: frozenset(_characters(ranges)) for font, _, ranges in (line.partition(" ") for line in lines)}


def _characters(ranges: str) -> Iterator[str]:
    for each in ranges.split():
        first, _, last = each.partition("-")
        yield from map(chr, range(int(first, 16), int(last or first, 16) + 1))
