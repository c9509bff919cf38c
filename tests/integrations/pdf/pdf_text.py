"""Text, metadata, tags and pixels of a PDF."""

from io import BytesIO
from typing import Any

import pypdfium2  # type: ignore[import-untyped]
from pypdf import PdfReader


def pages(pdf: bytes) -> list[str]:
    """The extracted text of each page."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [plain_text(page.get_textpage()) for page in document]


def plain_text(text_page: Any) -> str:
    text: str = text_page.get_text_range()
    return text.replace("\r\n", "\n")


def page_count(pdf: bytes) -> int:
    """Without loading the pages, which takes as long as to make them."""
    with pypdfium2.PdfDocument(pdf) as document:
        return len(document)


def text_of(pdf: bytes) -> str:
    return "\n".join(pages(pdf))


def catalog(pdf: bytes) -> Any:
    return PdfReader(BytesIO(pdf)).trailer["/Root"]


def information(pdf: bytes) -> Any:
    return PdfReader(BytesIO(pdf)).metadata


def fonts(pdf: bytes) -> list[Any]:
    """The fonts of the first page."""
    resources: Any = PdfReader(BytesIO(pdf)).pages[0]["/Resources"]
    return [font.get_object() for font in resources["/Font"].values()]


def tag_kinds(node: Any) -> set[str]:
    """The kinds of the tags in the tree under `node`."""
    if isinstance(node, list):
        return set().union(*(tag_kinds(child.get_object()) for child in node))
    if not isinstance(node, dict):
        return set()
    own = {str(node["/S"])} if "/S" in node else set()
    return own | (tag_kinds(node["/K"].get_object()) if "/K" in node else set())


def horizontal_extent(pdf: bytes) -> tuple[float, float]:
    """The outermost left and right edge of any character, as distances from the page's edges, in points."""
    left, right = 1000.0, 1000.0
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            text = page.get_textpage()
            for at in range(text.count_chars()):
                first, _, last, _ = text.get_charbox(at)
                left, right = min(left, first), min(right, page.get_width() - last)
    return left, right


def most_red(pdf: bytes, box: tuple[int, int, int, int]) -> int:
    """How red the reddest pixel within `box` is (left, top, right, bottom in points), from 0 to 255."""
    left, top, right, bottom = box
    with pypdfium2.PdfDocument(pdf) as document:
        bitmap = document[0].render(scale=1)
        pixels: bytes = bytes(bitmap.buffer)
        stride, channels = int(bitmap.stride), int(bitmap.n_channels)
    starts = [y * stride + x * channels for y in range(top, bottom) for x in range(left, right)]
    # PDFium's order is blue, green, red.
    return max(pixels[at + 2] - max(pixels[at], pixels[at + 1]) for at in starts)


def links(pdf: bytes) -> set[str]:
    """The addresses of the links on the first page."""
    annotations: Any = PdfReader(BytesIO(pdf)).pages[0].get("/Annots", [])
    return {str(each.get_object()["/A"]["/URI"]) for each in annotations}


def has_image(pdf: bytes) -> bool:
    """Whether the first page has a bitmap; emoji are glyphs of a font."""
    resources: Any = PdfReader(BytesIO(pdf)).pages[0]["/Resources"]
    return "/XObject" in resources and any(
        each.get_object()["/Subtype"] == "/Image" for each in resources["/XObject"].values()
    )


def page_width(pdf: bytes) -> float:
    return float(PdfReader(BytesIO(pdf)).pages[0].mediabox.width)


def distances(pdf: bytes, above: str, below: str) -> list[float]:
    """The points between the foot of a text and the head of another one below it, for each page that has both."""
    found = []
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            text = page.get_textpage()
            boxes = {each: _extent(text, each) for each in (above, below)}
            if None not in boxes.values():
                (foot, _), (_, head) = boxes[above] or (0, 0), boxes[below] or (0, 0)
                found.append(foot - head)
    return found


def _extent(text: Any, wanted: str) -> tuple[float, float] | None:
    """The foot and head of the last occurrence of a text, measured from the foot of the page."""
    at = text.get_text_range().rfind(wanted)
    if at < 0:
        return None
    # PDFium counts UTF-16 code units: an emoji is two.
    at = len(text.get_text_range()[:at].encode("utf-16-le")) // 2
    boxes = [text.get_charbox(each) for each in range(at, at + len(wanted))]
    return min(box[1] for box in boxes), max(box[3] for box in boxes)
