"""Conditions below an estimate: texts as paragraphs, with items of lists, in one column or two."""

import re
from collections.abc import Sequence

from msgspec import Struct, structs

from backbench.documents.documents import EstimateDocument
from backbench.integrations.pdf.estimates.label_lines import WIDTHS
from backbench.integrations.pdf.glyphs import segments
from backbench.integrations.pdf.typesetting import BreakableText, text_lines
from backbench.values.enums import DocumentLocale

# The marker of an item of a list.
_ITEM = re.compile(r"\s*(\d{1,3}[.)](?!\d)|§\s?\d*[.)]?|[–•*-](?=\s))\s*")
# Texts of so many characters are in two columns: shorter ones have lines that can be read, longer ones go over pages.
TWO_COLUMNS = range(600, 3000)
# Where space is short, shorter ones too.
TWO_COMPACT_COLUMNS = range(250, 3000)
# A paragraph of so many characters has at most four lines, and is not split between pages.
SHORT_PARAGRAPH = 260


class ConditionText(Struct, frozen=True):
    """A text with its label, or "". `is_code`: a number, in which no line breaks."""

    text: str
    label: str = ""
    is_code: bool = False


class Paragraph(Struct, frozen=True, rename="kebab"):
    """Lines of text, after a label in bold or the marker of an item of a list. Either may be "".

    `indent`, in em, is that of the text of all items. `is_whole`: of few lines.
    """

    label: str
    lines: list[BreakableText]
    marker: str = ""
    indent: float = 0
    is_whole: bool = True


def conditions_layout(
    document: EstimateDocument, texts: Sequence[ConditionText], *, is_compact: bool = False
) -> list[list[Paragraph]]:
    """The paragraphs in their columns; no column without a text."""
    paragraphs = _indented([paragraph for text in texts for paragraph in _paragraphs(text, document.locale)])
    lengths = [_length(paragraph) for paragraph in paragraphs]
    if sum(lengths) not in (TWO_COMPACT_COLUMNS if is_compact else TWO_COLUMNS) or len(paragraphs) < 2:
        return [paragraphs] if paragraphs else []
    at = _balanced(lengths)
    return [paragraphs[:at], paragraphs[at:]]


def _indented(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """With one indent for all items of lists, behind the widest marker."""
    widths = (sum(WIDTHS.get(character, 1) for character in paragraph.marker + " ") for paragraph in paragraphs)
    indent = max(widths, default=0)
    return [structs.replace(each, indent=indent) if each.marker else each for each in paragraphs]


def _paragraphs(text: ConditionText, locale: DocumentLocale) -> list[Paragraph]:
    """A paragraph for each block of lines, and for each item of a list."""
    if text.is_code:
        return [Paragraph(text.label, [segments(text.text)])]
    found: list[list[str]] = [[]]
    for line in text.text.strip().split("\n"):
        if not line.strip():
            found.append([])
        elif found[-1] and (_ITEM.match(line) or _follows_item(line, found[-1])):
            found.append([line])
        else:
            found[-1].append(line)
    blocks = [lines for lines in found if lines]
    return [_paragraph(text.label if at == 0 else "", lines, locale) for at, lines in enumerate(blocks)]


def _follows_item(line: str, before: list[str]) -> bool:
    """Whether a line begins a paragraph after an item of a list: one in lower case continues the item."""
    return _ITEM.match(before[0]) is not None and not line.lstrip()[:1].islower()


def _paragraph(label: str, lines: list[str], locale: DocumentLocale) -> Paragraph:
    text = "\n".join(lines)
    item = None if label else _ITEM.match(text)
    marker, rest = (item[1], text[item.end() :]) if item else ("", text)
    return Paragraph(label, text_lines(rest, locale), marker, is_whole=len(text) <= SHORT_PARAGRAPH)


def _length(paragraph: Paragraph) -> int:
    """In characters; a line counts as at least 40, and the space between paragraphs as 40 as well."""
    return 40 + sum(max(40, sum(map(len, line))) for line in paragraph.lines)


def _balanced(lengths: list[int]) -> int:
    """The number of paragraphs in the first of two columns of nearly the same length."""
    whole = sum(lengths)
    return min(range(1, len(lengths)), key=lambda at: abs(2 * sum(lengths[:at]) - whole))
