"""`python -m tools.golden_pages`: renders the example PDFs of the guide as PNG into docs/guide/pictures.

They are golden files of the PDF template: after a change of it, render and review them, and commit them with it.
"""

import struct
import zlib
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pypdfium2  # type: ignore[import-untyped]
from msgspec.structs import replace
from tools.golden_documents import (
    EVERYTHING,
    FONTS,
    GLAZURA,
    KITCHEN,
    STOLARNIA,
    bathroom,
    certificate,
    chairs,
    earnest_money,
    exempt,
    furniture,
    kitchen,
    slip,
)

from backbench.documents.documents import EstimateDocument, PdfExportOptions
from backbench.documents.figures import Rates
from backbench.integrations.pdf.render_process import (
    new_compiler,
    render,
    render_certificate,
    render_receipt,
    render_slip,
)

PICTURES = Path(__file__).parents[1] / "docs" / "guide" / "pictures"
HELP_PICTURES = Path(__file__).parents[1] / "src" / "backbench" / "help" / "pictures"
# Shown by pages of the help.
_IN_HELP = ("receipt-pl.png", "slip-en.png")
WIDTH = 680
_A4_WIDTH = 595.276
_FRAME = b"\xd8\xd8\xd8"
# The rows of a page that show the letterhead and the title.
_HEAD = (60, 216)


class Picture(NamedTuple):
    """Rows of RGB bytes."""

    rows: list[bytes]

    def crop(self, first: int, last: int) -> "Picture":
        return Picture(self.rows[first:last])

    def with_border(self) -> "Picture":
        """With a grey border, because the page and the background around it are both white."""
        edge = _FRAME * (len(self.rows[0]) // 3)
        return Picture([edge, *(_FRAME + row[3:-3] + _FRAME for row in self.rows[1:-1]), edge])

    def png(self) -> bytes:
        width, height = len(self.rows[0]) // 3, len(self.rows)
        head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + row for row in self.rows), 9)
        return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def monogram() -> bytes:
    """A logo as PNG, drawn by Typst."""
    source = (
        b"#set page(width: 30mm, height: 15mm, margin: 0pt)\n"
        b'#set align(center + horizon)\n#rect(width: 30mm, height: 15mm, radius: 2mm, fill: rgb("#1F5673"), '
        b'text(font: "Bodoni Moda", weight: 500, size: 22pt, fill: white, "G & F"))'
    )
    png = new_compiler().compile(input=source, format="png", ppi=300)
    assert isinstance(png, bytes)
    return png


def pictures() -> dict[str, Picture]:
    """Every picture of the guide, by file name."""
    taxed = Rates(Decimal(0), Decimal(0), Decimal(23))
    rates = Rates(Decimal(10), Decimal(5), Decimal(23))
    thirty = (KITCHEN * 4)[:30]
    rounded = replace(STOLARNIA, title_font="rounded", accent_color="#E8B020")
    long = pages(kitchen(thirty, rates, EVERYTHING, rounded))
    rated = pages(replace(bathroom(), letterhead=replace(GLAZURA, logo_image=monogram())))
    heads = [
        pages(kitchen(KITCHEN, taxed, PdfExportOptions(), replace(STOLARNIA, title_font=font, accent_color=accent)))[0]
        for font, accent in FONTS
    ]
    return {
        "estimate-pl.png": pages(kitchen(KITCHEN, taxed, PdfExportOptions(), STOLARNIA))[0].with_border(),
        "estimate-pl-two-tax-rates-page-1.png": rated[0].with_border(),
        "estimate-pl-two-tax-rates-page-2.png": rated[1].with_border(),
        "estimate-pl-preliminary.png": pages(
            replace(kitchen(KITCHEN, rates, PdfExportOptions(), STOLARNIA), preliminary=True)
        )[0].with_border(),
        "estimate-pl-gross.png": pages(furniture())[0].with_border(),
        "estimate-en-reverse-charge.png": pages(exempt())[0].with_border(),
        "estimate-en.png": pages(replace(chairs(), preliminary=False))[0].with_border(),
        "estimate-en-preliminary.png": pages(chairs())[0].with_border(),
        "estimate-30-lines-page-1.png": long[0].with_border(),
        "estimate-30-lines-page-2.png": long[1].with_border(),
        "estimate-en-link.png": pages(
            replace(
                chairs(),
                preliminary=False,
                number="47/2026",
                share_url=f"https://office.example.com/e/#bbl_{'a1' * 24}",
            )
        )[0].with_border(),
        "certificate-en.png": pictures_of(render_certificate(new_compiler(), certificate()))[0].with_border(),
        "receipt-pl.png": pictures_of(render_receipt(new_compiler(), earnest_money()))[0].with_border(),
        "slip-en.png": pictures_of(render_slip(new_compiler(), slip()))[0].with_border(),
        "title-fonts.png": Picture([row for head in heads for row in head.crop(*_HEAD).with_border().rows]),
    }


def file_of(name: str) -> Path:
    return (HELP_PICTURES if name in _IN_HELP else PICTURES) / name


def names() -> list[str]:
    """Of the pictures that there are."""
    return sorted([*(path.name for path in PICTURES.glob("*.png")), *_IN_HELP])


def pages(document: EstimateDocument) -> list[Picture]:
    """A picture of each page."""
    return pictures_of(render(new_compiler(), document))


def pictures_of(pdf: bytes) -> list[Picture]:
    with pypdfium2.PdfDocument(pdf) as document:
        return [_picture(page) for page in document]


def _picture(page: pypdfium2.PdfPage) -> Picture:
    bitmap = page.render(scale=WIDTH / _A4_WIDTH, rev_byteorder=True, no_smoothpath=False)
    pixels, stride, channels = bytes(bitmap.buffer), int(bitmap.stride), int(bitmap.n_channels)
    rows = [pixels[at * stride : at * stride + bitmap.width * channels] for at in range(bitmap.height)]
    return Picture([_without_alpha(row, channels) for row in rows])


def _without_alpha(row: bytes, channels: int) -> bytes:
    colours = bytearray(len(row) // channels * 3)
    for channel in range(3):
        colours[channel::3] = row[channel::channels]
    return bytes(colours)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


if __name__ == "__main__":
    for name, picture in pictures().items():
        file_of(name).write_bytes(picture.png())
