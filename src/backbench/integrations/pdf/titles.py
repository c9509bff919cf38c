"""Titles: the faces of the title fonts, and sizes for longer texts."""

from msgspec import Struct

from backbench.integrations.pdf.glyphs import has_letters
from backbench.integrations.pdf.typesetting import BreakableText, breakable, without_repeated_hyphens
from backbench.values.enums import DocumentLocale, TitleFont


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
