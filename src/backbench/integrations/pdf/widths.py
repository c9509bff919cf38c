"""Widths of texts in the font of running text, so that lines are known, and cut, before a document is laid out."""

from functools import lru_cache

from backbench.integrations.pdf.typesetting import BreakableText, legible

# Upper bounds of the widths in Inter, in em: the advance of each character and the most that a pair kerns apart.
_CHARACTERS = {
    0.26: "ijlłí", 0.28: "’", 0.3: "I .,:!'\u00a0", 0.32: ";", 0.36: "t", 0.38: ")/", 0.4: "frř(", 0.44: "1„",
    0.46: "-”“²³°", 0.48: '"', 0.5: "–", 0.52: "?*", 0.54: "sśš", 0.56: "kzźżž", 0.58: "avxyąäàâáýJL",
    0.6: "cehnćęńéèêñçčFŁ57", 0.62: "goquóöüßůúEĘÉ238£", 0.64: "bdpPZŹŻ69#§", 0.66: "BRSŚ04&$", 0.68: "T×+=€",
    0.7: "KXY", 0.72: "AVĄÄ", 0.74: "CDĆ", 0.76: "GHUÜ", 0.78: "NOQŃÓÖ", 0.82: "w¼", 0.86: "½", 0.88: "m", 0.92: "M",
    0.98: "@", 1.0: "%—", 1.02: "W",
}  # fmt: skip
WIDTHS = {character: width for width, characters in _CHARACTERS.items() for character in characters}
_KNOWN = frozenset(WIDTHS)


# Descriptions consist of the same words, in an estimate as in the next one.
@lru_cache(2048)
def _word_width(word: str) -> float:
    return sum(map(WIDTHS.__getitem__, word))


def label_lines(label: BreakableText, width: float) -> list[str]:
    """The lines of a label at a width in em; empty if only Typst can tell, which then measures the row.

    That is the case with a character that may be wider or taller than known here, and with a word wider than a line.
    """
    if len(label) != 1 or not _KNOWN.issuperset(label[0]):
        return []
    lines, rest = [""], 0.0
    for word in label[0].split(" "):
        taken = _word_width(word)
        if taken > width:
            return []
        if lines[-1] and taken + WIDTHS[" "] <= rest:
            lines[-1] += " " + word
            rest -= taken + WIDTHS[" "]
        elif lines == [""]:
            lines, rest = [word], width - taken
        else:
            lines.append(word)
            rest = width - taken
    return lines


# Of what is not known here: ideographs are as wide as high, emoji wider.
_WIDEST = 1.3
# The font of headings, weight 600, is wider than the one of text by at most so much.
SEMIBOLD = 1.06


def text_width(text: str) -> float:
    """An upper bound in em."""
    return sum(WIDTHS.get(character, _WIDEST) for character in text)


def cut(text: str, width: float) -> str:
    """The text, or as much of it as is `width` em wide with an ellipsis after it."""
    text = legible(text)
    if text_width(text) <= width:
        return text
    left, kept = width - text_width("…"), []
    for character in text:
        left -= WIDTHS.get(character, _WIDEST)
        if left < 0:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def cut_lines(text: str, width: float, most: int) -> list[str]:
    """The text in at most so many lines of a width in em; an ellipsis is where the last one is cut."""
    found: list[str] = []
    rest = " ".join(legible(text).split())
    while rest:
        if len(found) == most - 1:
            return [*found, cut(rest, width)]
        line = _first_line(rest, width)
        found.append(line)
        rest = rest[len(line) :].lstrip()
    return found


def _first_line(text: str, width: float) -> str:
    """As many words as fit, or as much of the first one. A line may end after a hyphen or a slash, too."""
    taken, end = 0.0, 0
    for at, character in enumerate(text):
        if character == " ":
            end = at
        taken += WIDTHS.get(character, _WIDEST)
        if taken > width:
            return text[: end or at or 1].rstrip()
        if character in "-/":
            end = at + 1
    return text
