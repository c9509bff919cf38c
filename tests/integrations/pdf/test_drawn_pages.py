"""Pages as PNG, at the requested width, drawn from a PDF: the draft of a document, or a stored one."""

import zlib
from collections.abc import AsyncIterator
from decimal import Decimal

import pypdfium2  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace

from backbench.documents.documents import EstimateDocument, Section
from backbench.integrations.pdf.drawing import OPEN_PDFS, PdfPages, with_device_colours
from backbench.integrations.pdf.render_protocol import DrawnPage, PageRequest
from backbench.integrations.pdf.renderer import PdfRenderer, RenderError
from backbench.integrations.processes.pool import Limits
from tests.integrations.pdf.png_size import pixel_size
from tests.integrations.pdf.sample_documents import estimate, item

pytestmark = pytest.mark.anyio
LONG = estimate([item(f"Line {at}") for at in range(60)])


@pytest.fixture(scope="module")
async def renderer(anyio_backend: object) -> AsyncIterator[PdfRenderer]:
    renderer = PdfRenderer(Limits(processes=1, seconds=120, cpu_seconds=60))
    yield renderer
    await renderer.close()


def size(page: DrawnPage) -> tuple[int, int]:
    assert page.png
    return pixel_size(page.png)


@pytest.mark.parametrize("width", [320, 1080, 1600])
async def test_a_page_has_the_requested_width(renderer: PdfRenderer, width: int) -> None:
    for document in (estimate(), estimate(paper_size="Letter")):
        assert size(await renderer.draw_page(document, 1, width))[0] == width


async def test_each_page_of_the_pdf_is_drawn(renderer: PdfRenderer) -> None:
    with pypdfium2.PdfDocument(await renderer.render(LONG)) as pdf:
        count = len(pdf)
    drawn = [await renderer.draw_page(LONG, number, 320) for number in range(1, count + 1)]

    assert count > 1
    assert [page.page_count for page in drawn] == [count] * count
    assert len({page.png for page in drawn}) == count


@pytest.mark.parametrize("number", [0, 4, -1])
async def test_beyond_the_last_page_there_is_only_the_count(renderer: PdfRenderer, number: int) -> None:
    assert await renderer.draw_page(LONG, number, 320) == DrawnPage(None, 3)


async def test_a_changed_document_is_drawn_again(renderer: PdfRenderer) -> None:
    first = await renderer.draw_page(estimate(), 1, 320)
    changed = await renderer.draw_page(estimate(name="Other"), 1, 320)

    assert first.png != changed.png
    assert await renderer.draw_page(estimate(), 1, 320) == first


async def test_a_preview_has_the_pixels_of_the_pdf(renderer: PdfRenderer) -> None:
    pdf = await renderer.render(LONG)
    for number in (1, 2, 3):
        preview = await renderer.draw_page(LONG, number, 320)
        assert preview.png
        assert preview == await renderer.draw_stored_page(pdf, number, 320)


@pytest.mark.parametrize("place", ["label", "section"])
async def test_a_j_with_a_combining_accent_has_no_dot(renderer: PdfRenderer, place: str) -> None:
    """In the Dutch "míj́n", which the font's feature ccmp does: the table looks for it where a text may have marks."""

    def document(text: str) -> EstimateDocument:
        if place == "label":
            return estimate([item(text)])
        return replace(estimate([item("a")]), sections=[Section(text, 0, 1, Decimal(10))])

    accented, dotless, plain = [
        await renderer.draw_page(document(text), 1, 1600)
        for text in ("Mi\u0301j\u0301n", "Mi\u0301\u0237\u0301n", "Mi\u0301jn")
    ]
    assert accented.png == dotless.png != plain.png


async def test_a_pdf_is_made_once_for_its_pages_and_widths(renderer: PdfRenderer) -> None:
    pdf = await renderer.render(LONG)
    pages = PdfPages()
    made: list[int] = []

    def draw(key: int, number: int, width: int) -> DrawnPage:
        def make() -> bytes:
            made.append(key)
            return pdf

        return pages.draw(key, make, PageRequest(number, width))

    for number, width in ((1, 320), (2, 320), (1, 390)):
        assert size(draw(0, number, width))[0] == width
    assert made == [0]
    for key in (*range(1, OPEN_PDFS + 1), 0):
        draw(key, 1, 320)
    assert made == [0, *range(1, OPEN_PDFS + 1), 0]


@pytest.mark.parametrize("width", [320, 390, 1080, 1599, 1600])
async def test_a_page_of_a_stored_pdf_has_the_requested_width(renderer: PdfRenderer, width: int) -> None:
    for paper_size, ratio in (("A4", 297 / 210), ("Letter", 11 / 8.5)):
        pdf = await renderer.render(estimate(paper_size=paper_size))
        drawn_width, height = size(await renderer.draw_stored_page(pdf, 1, width))
        assert drawn_width == width
        assert abs(height - width * ratio) <= 1


async def test_a_page_of_a_stored_pdf_has_the_pixels_of_that_page(renderer: PdfRenderer) -> None:
    pdf = await renderer.render(LONG)
    with pypdfium2.PdfDocument(pdf) as opened:
        for number, page in enumerate(opened, 1):
            bitmap = page.render(scale=319.99 / page.get_width(), rev_byteorder=True)
            drawn = await renderer.draw_stored_page(pdf, number, 320)
            assert drawn.png
            assert drawn.page_count == len(opened)
            expected = [
                bytes(bitmap.buffer)[row * bitmap.stride : row * bitmap.stride + 3 * bitmap.width]
                for row in range(bitmap.height)
            ]
            # Colours are rounded once less without their profiles.
            assert largest_difference(pixels(drawn.png), expected) <= 1


async def test_colour_profiles_are_not_prepared_for_a_drawing(renderer: PdfRenderer) -> None:
    """PDFium takes milliseconds for each, and they are those of the screen."""
    pdf = await renderer.render(estimate())
    assert pdf.count(b"/ICCBased") == 2

    drawn = with_device_colours(pdf)
    assert (drawn.count(b"/ICCBased"), drawn.count(b"/DeviceRGB "), drawn.count(b"/DeviceGray ")) == (0, 1, 1)
    assert len(drawn) == len(pdf)


async def test_beyond_the_last_page_of_a_stored_pdf_there_is_only_the_count(renderer: PdfRenderer) -> None:
    pdf = await renderer.render(LONG)
    for number in (0, 4):
        assert await renderer.draw_stored_page(pdf, number, 320) == DrawnPage(None, 3)


async def test_a_stored_file_that_is_no_pdf_is_an_error_and_the_process_continues(renderer: PdfRenderer) -> None:
    with pytest.raises(RenderError):
        await renderer.draw_stored_page(b"%PDF-1.7 but nothing else", 1, 320)
    assert (await renderer.draw_page(estimate(), 1, 320)).png


def largest_difference(rows: list[bytes], others: list[bytes]) -> int:
    assert list(map(len, rows)) == list(map(len, others))
    differences = (
        abs(a - b)
        for row, other in zip(rows, others, strict=True)
        if row != other
        for a, b in zip(row, other, strict=True)
    )
    return max(differences, default=0)


def pixels(png: bytes) -> list[bytes]:
    """The rows of an RGB image without filters, in one piece of data."""
    start = png.index(b"IDAT")
    rows = zlib.decompress(png[start + 4 : start + 4 + int.from_bytes(png[start - 4 : start], "big")])
    width, height = pixel_size(png)
    return [rows[at * (3 * width + 1) + 1 : (at + 1) * (3 * width + 1)] for at in range(height)]
