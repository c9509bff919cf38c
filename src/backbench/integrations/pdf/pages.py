"""Pages of a PDF as PNG, drawn by PDFium: of a stored PDF, or of the draft of a document that is not stored."""

from collections.abc import Callable, Hashable
from typing import Any

from backbench.integrations.pdf.png import Rows
from backbench.integrations.pdf.render_protocol import DrawnPage, PageRequest

# Open PDFs have their fonts loaded: a client that shows one page then asks for the next.
OPEN_PDFS = 4


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
                pdf = PdfDocument(make())
            self._open[key] = pdf
            self._close_others()
            count = len(pdf)
            return DrawnPage(_png(pdf[page.number - 1], page.width) if 1 <= page.number <= count else None, count)
        except PdfiumError as error:
            raise UnreadablePdf(str(error)) from error

    def _close_others(self) -> None:
        while len(self._open) > OPEN_PDFS:
            self._open.pop(next(iter(self._open))).close()


def _png(page: Any, width: int) -> bytes:
    from pypdfium2 import PdfBitmap

    rows: list[Rows] = []

    def with_filter_bytes(width: int, height: int, **options: object) -> PdfBitmap:
        rows.append(Rows(width, height))
        return PdfBitmap.new_native(width, height, buffer=rows[0].pixels, stride=rows[0].stride, **options)

    # Slightly less than the width, which is rounded up.
    scale = (width - 0.01) / page.get_width()
    page.render(scale=scale, rev_byteorder=True, bitmap_maker=with_filter_bytes).close()
    page.close()
    return rows[0].png()
