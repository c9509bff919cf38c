"""Pages as PNG: drawn by the template of the PDF, at the requested width."""

from collections.abc import AsyncIterator

import pypdfium2  # type: ignore[import-untyped]
import pytest

from backbench.integrations.pdf.render_protocol import DrawnPage
from backbench.integrations.pdf.renderer import Limits, PdfRenderer
from tests.integrations.pdf.sample_documents import estimate, item

pytestmark = pytest.mark.anyio
LONG = estimate([item(f"Line {at}") for at in range(60)])


@pytest.fixture(scope="module")
async def renderer(anyio_backend: object) -> AsyncIterator[PdfRenderer]:
    renderer = PdfRenderer(Limits(processes=1, seconds=120, cpu_seconds=60))
    yield renderer
    await renderer.close()


def size(page: DrawnPage) -> tuple[int, int]:
    """Width and height in pixels."""
    assert page.png
    assert page.png.startswith(b"\x89PNG")
    return int.from_bytes(page.png[16:20], "big"), int.from_bytes(page.png[20:24], "big")


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
