"""Slips as they are printed: paper, code and texts, read back from the PDF."""

import io
from datetime import date
from decimal import Decimal
from typing import Any, get_args

import pypdf
import pypdfium2  # type: ignore[import-untyped] # the library ships no types
import pytest
import typst
import zxingcpp

from backbench.documents.slips import SlipDocument, SlipFormat
from backbench.integrations.pdf.render_process import new_compiler, render_slip
from backbench.integrations.pdf.slip_layout import SIZES, slip_layout

FORMATS: tuple[SlipFormat, ...] = get_args(SlipFormat)
TOKEN = "bbo_e1QH1xbTO1GmcMlSzbQIWr8okCqb0Vtj2f41EJCb6062HR2fJ"
POINTS = 72 / 25.4


@pytest.fixture(scope="module")
def compiler() -> typst.Compiler:
    return new_compiler()


def document(**others: Any) -> SlipDocument:
    values: dict[str, Any] = {
        "format": "a5", "locale": "en", "workshop_name": "Ćma", "workshop_contact": ["Długa 5, Łódź", "600 100 200"],
        "number": 214, "piece": 2, "pieces": 3, "title": "Ring, two claws", "customer_name": "Ewa Nowak",
        "phone": "+48 601 222 333", "description": "Ring, red stone", "condition": "One claw bent", "serial": "A-17",
        "place": "drawer B3", "received_on": date(2026, 11, 22), "due_on": date(2026, 12, 4), "due_time": "16:00",
        "price_limit": Decimal(150), "currency": "PLN", "address": f"https://workshop.example.com/o/#{TOKEN}",
    }  # fmt: skip
    return SlipDocument(**{**values, **others})


def codes_of(pdf: bytes, dots_per_inch: float = 203) -> list[str]:
    """What an independent reader finds on the first page, drawn in black and white as a label printer does."""
    page = pypdfium2.PdfDocument(pdf)[0]
    bitmap = page.render(scale=dots_per_inch / 72, grayscale=True)
    grey = bytes(bitmap.buffer)
    rows = [grey[at * bitmap.stride : at * bitmap.stride + bitmap.width] for at in range(bitmap.height)]
    dots = bytes(255 if value > 127 else 0 for value in b"".join(rows))
    image = memoryview(dots).cast("B", (bitmap.height, bitmap.width))
    return [found.text for found in zxingcpp.read_barcodes(image)]


def text_of(pdf: bytes) -> str:
    return pypdf.PdfReader(io.BytesIO(pdf)).pages[0].extract_text()


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("host", ["192.168.1.20:8000", "workshop.example.com", "a-rather-long-name-of-a-workshop." * 3])
def test_each_slip_has_exactly_one_code_that_a_label_printer_prints_readably(
    compiler: typst.Compiler, format_: SlipFormat, host: str
) -> None:
    address = f"https://{host}/o/#{TOKEN}"
    assert codes_of(render_slip(compiler, document(format=format_, address=address))) == [address]


@pytest.mark.parametrize("format_", FORMATS)
def test_the_code_is_large_enough_and_its_modules_are_whole_dots(format_: SlipFormat) -> None:
    layout = slip_layout(document(format=format_))
    modules = layout.code_side / (layout.quiet / 4)
    dots = layout.quiet / 4 * 203 / 25.4
    assert layout.code_side >= 14
    assert modules == pytest.approx(round(modules))
    assert dots == pytest.approx(round(dots))
    assert dots >= 3


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("locale", ["en", "pl"])
@pytest.mark.parametrize("is_long", [False, True])
def test_a_slip_is_one_page_of_exactly_its_paper(
    compiler: typst.Compiler, format_: SlipFormat, locale: str, is_long: bool
) -> None:
    texts: dict[str, Any] = {}
    if is_long:
        texts = {"title": "Wiśniewska " * 22, "description": "W" * 500, "condition": "ab\n" * 660, "place": "W" * 50}
    pages = pypdf.PdfReader(io.BytesIO(render_slip(compiler, document(format=format_, locale=locale, **texts)))).pages
    assert len(pages) == 1
    width, height = SIZES[format_]
    assert float(pages[0].mediabox.width) / POINTS == pytest.approx(width, abs=0.1)
    if height:
        assert float(pages[0].mediabox.height) / POINTS == pytest.approx(height, abs=0.1)


@pytest.mark.parametrize("format_", FORMATS)
def test_a_slip_has_number_title_and_piece(compiler: typst.Compiler, format_: SlipFormat) -> None:
    text = " ".join(text_of(render_slip(compiler, document(format=format_))).split())
    assert all(expected in text for expected in ("214", "Ring, two claws", "Piece 2 of 3", "4 December 2026, 16:00"))


@pytest.mark.parametrize("format_", FORMATS)
def test_the_number_is_at_least_18_points_high(compiler: typst.Compiler, format_: SlipFormat) -> None:
    sizes = []

    def visit(text: str, _: Any, matrix: list[float], __: Any, size: float) -> None:
        if "214" in text:
            sizes.append(abs(size * matrix[3]))

    reader = pypdf.PdfReader(io.BytesIO(render_slip(compiler, document(format=format_))))
    reader.pages[0].extract_text(visitor_text=visit)
    assert max(sizes) >= 18


def test_the_customers_half_comes_first_and_has_no_place_and_no_phone(compiler: typst.Compiler) -> None:
    # The groups of a telephone number have no-break spaces.
    text = text_of(render_slip(compiler, document())).replace("\u00a0", " ")
    customer, _, workshop = text.partition("For the workshop")
    assert "For the customer" in customer
    assert "A-17" in customer
    for private in ("drawer B3", "601 222 333"):
        assert (private in customer, private in workshop) == (False, True)
