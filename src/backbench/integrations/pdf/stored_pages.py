"""Stored pages: a page of a stored PDF as PNG, drawn from the bytes of the PDF by PDFium."""

import struct
import zlib

from backbench.integrations.pdf.render_protocol import DrawnPage, PageRequest

# A higher level makes the image a tenth smaller and takes twice as long.
COMPRESSION_LEVEL = 2
# A colour with eight bits a channel, not interlaced, in PNG's terms.
_RGB = (8, 2, 0, 0, 0)


class UnreadablePdf(Exception):
    """The stored file is no PDF that can be drawn."""


def draw_stored_page(pdf: bytes, page: PageRequest) -> DrawnPage:
    """A page of `pdf`, `page.width` pixels wide. Raises UnreadablePdf."""
    # Imported when it is first needed: most processes only render documents.
    import pypdfium2  # type: ignore[import-untyped]

    try:
        with pypdfium2.PdfDocument(pdf) as document:
            count = len(document)
            drawn = _png(document[page.number - 1], page.width) if 1 <= page.number <= count else None
            return DrawnPage(drawn, count)
    except pypdfium2.PdfiumError as error:
        raise UnreadablePdf(str(error)) from error


def _png(page, width: int) -> bytes:  # type: ignore[no-untyped-def]
    from pypdfium2 import PdfBitmap

    def with_filter_bytes(width: int, height: int, **options: object) -> PdfBitmap:
        """A bitmap with a byte after each row."""
        return PdfBitmap.new_native(width, height, stride=3 * width + 1, **options)

    # Slightly less than the width, which is rounded up.
    scale = (width - 0.01) / page.get_width()
    bitmap = page.render(scale=scale, rev_byteorder=True, bitmap_maker=with_filter_bytes)
    # PNG has a byte with the filter before each row; 0 is none.
    rows = b"\0" + bytes(bitmap.buffer)[:-1]
    pixels = zlib.compress(rows, COMPRESSION_LEVEL)
    head = struct.pack(">IIBBBBB", bitmap.width, bitmap.height, *_RGB)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
