"""Pages of a PDF as PNG, drawn by PDFium: of a stored PDF, or of the draft of a document that is not stored."""

import re
from collections.abc import Callable, Hashable
from typing import Any

from backbench.integrations.pdf.png import Rows
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
