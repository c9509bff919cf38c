"""Drawing on PDF pages: colours that are readable on white, rectangles, PNG images, strokes of signatures."""

import re
import struct
import zlib
from collections.abc import Callable, Hashable, Sequence
from ctypes import Array, c_ubyte
from typing import Any

from isal import isal_zlib

from backbench.integrations.pdf.render_protocol import DrawnPage, PageRequest

# Open PDFs have their fonts loaded: a client that shows one page then asks for the next.
OPEN_PDFS = 4
_PROFILED = re.compile(rb"\[/ICCBased (\d+) 0 R\]")
_COMPONENTS = rb"\n%b 0 obj\n<<[^>]*?/N (\d)"


class UnreadablePdf(Exception):
    """The file is no PDF that can be drawn."""


class PdfPages:
    """Draws pages, and keeps the PDFs drawn last open."""

    def __init__(self) -> None:
        # From the least to the most recently used.
        self._open: dict[Hashable, Any] = {}

    def draw(self, key: Hashable, make: Callable[[], bytes], page: PageRequest) -> DrawnPage:
        """A page of the PDF with that key, `page.width` pixels wide; `make` makes the PDF unless it is open.

        Raises UnreadablePdf.
        """
        # Imported when it is first needed: most processes only render documents.
        from pypdfium2 import PdfDocument, PdfiumError  # type: ignore[import-untyped]

        try:
            pdf = self._open.pop(key, None)
            if pdf is None:
                pdf = PdfDocument(with_device_colours(make()))
            self._open[key] = pdf
            self._close_others()
            count = len(pdf)
            return DrawnPage(_png(pdf[page.number - 1], page.width) if 1 <= page.number <= count else None, count)
        except PdfiumError as error:
            raise UnreadablePdf(str(error)) from error

    def _close_others(self) -> None:
        while len(self._open) > OPEN_PDFS:
            self._open.pop(next(iter(self._open))).close()


def with_device_colours(pdf: bytes) -> bytes:
    """`pdf` to draw: with the screen's colours in place of the profiles of sRGB and grey that Typst embeds.

    The pixels are the same but for one step of rounding, and PDFium takes a third of a first page's time to prepare
    those profiles.
    """

    def device(found: re.Match[bytes]) -> bytes:
        profile = re.search(_COMPONENTS % found[1], pdf)
        names = {b"1": b"/DeviceGray", b"3": b"/DeviceRGB"}
        # As long as before: the PDF names the offsets of its objects.
        return names.get(profile[1] if profile else b"", found[0]).ljust(len(found[0]))

    return _PROFILED.sub(device, pdf)


def _png(page: Any, width: int) -> bytes:
    from pypdfium2 import PdfBitmap

    rows: list[Rows] = []

    class White(PdfBitmap):  # type: ignore[misc]  # The library has no types.
        def fill_rect(self, *_: object) -> None:
            """It is white already: PDFium takes a tenth of a page's time for it."""

    def with_filter_bytes(width: int, height: int, **options: object) -> PdfBitmap:
        rows.append(Rows(width, height))
        return White.new_native(width, height, buffer=rows[0].pixels, stride=rows[0].stride, **options)

    # Slightly less than the width, which is rounded up.
    scale = (width - 0.01) / page.get_width()
    page.render(scale=scale, rev_byteorder=True, bitmap_maker=with_filter_bytes).close()
    page.close()
    return rows[0].png()


# ISA-L takes a sixth of the time of zlib's lowest level, and makes a page a sixth larger.
COMPRESSION_LEVEL = 1
# A colour with eight bits a channel, not interlaced, in PNG's terms.
_RGB = (8, 2, 0, 0, 0)


class Rows:
    """The rows of an image as PNG has them: before each row a byte with its filter, of which 0 is none.

    `pixels` starts after the first of these bytes; rows are `stride` bytes apart. It is white, and drawn into without a
    copy.
    """

    def __init__(self, width: int, height: int) -> None:
        self._width = width
        self._height = height
        self.stride = 3 * width + 1
        # White, except for the filters.
        self._bytes = bytearray(b"\xff") * (1 + self.stride * height)
        self._bytes[:: self.stride] = bytes(height + 1)
        self.pixels: Array[c_ubyte] = (c_ubyte * (self.stride * height)).from_buffer(self._bytes, 1)

    def png(self) -> bytes:
        # The last byte would be the filter of another row.
        pixels = isal_zlib.compress(memoryview(self._bytes)[:-1], COMPRESSION_LEVEL)
        head = struct.pack(">IIBBBBB", self._width, self._height, *_RGB)
        return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


Point = tuple[float, float]
_PEN = 2.4
_INK = "#211f1d"


def signature_svg(strokes: Sequence[Sequence[Point]]) -> str:
    """The strokes in their bounding box; "" without a point. The pen is 2.4 units wide."""
    points = [point for stroke in strokes for point in stroke]
    if not points:
        return ""
    left, top = min(x for x, _ in points) - _PEN, min(y for _, y in points) - _PEN
    width = max(x for x, _ in points) + _PEN - left
    height = max(y for _, y in points) + _PEN - top
    path = " ".join(_stroke_path(stroke) for stroke in strokes if stroke)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.2f}" height="{height:.2f}" '
        f'viewBox="{left:.2f} {top:.2f} {width:.2f} {height:.2f}">'
        f'<path d="{path}" fill="none" stroke="{_INK}" stroke-width="{_PEN}" stroke-linecap="round" '
        'stroke-linejoin="round"/></svg>'
    )


def _stroke_path(stroke: Sequence[Point]) -> str:
    """Curves through all points (Catmull-Rom). A single point is a line of no length, which the pen draws as a dot."""
    parts = [f"M{stroke[0][0]:.2f} {stroke[0][1]:.2f}"]
    if len(stroke) == 1:
        return f"{parts[0]}h0.01"
    around = [stroke[0], *stroke, stroke[-1]]
    for before, start, end, after in zip(around, around[1:], around[2:], around[3:], strict=False):
        first = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        second = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        parts.append("C" + " ".join(f"{x:.2f} {y:.2f}" for x, y in (first, second, end)))
    return "".join(parts)
