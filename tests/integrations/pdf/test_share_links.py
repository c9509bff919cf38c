"""The link of a client page on its PDF: a QR code and a short address, and nothing without a link."""

from io import BytesIO
from typing import Any

import pypdf
import pytest
import segno

from backbench.integrations.pdf.render_process import new_compiler, render
from backbench.integrations.qr_code import qr_svg
from tests.integrations.pdf.pdf_text import text_of
from tests.integrations.pdf.sample_documents import estimate

URL = "https://office.example.com/e/#bbl_" + "a1" * 24


@pytest.fixture(scope="module")
def compiler() -> Any:
    return new_compiler()


def links(pdf: bytes) -> list[str]:
    pages = pypdf.PdfReader(BytesIO(pdf)).pages
    notes = [note.get_object() for page in pages for note in page.get("/Annots", [])]
    return [str(note["/A"]["/URI"]) for note in notes if "/A" in note]


def test_the_pdf_of_a_link_has_its_address_as_link_and_prints_no_address_that_opens_nothing(compiler: Any) -> None:
    pdf = render(compiler, estimate(share_url=URL))
    assert URL in links(pdf)
    assert "scan the code, or tap here" in text_of(pdf)
    assert "office.example.com" not in text_of(pdf)
    assert "bbl_" not in text_of(pdf)


def test_other_pdfs_have_neither_code_nor_address(compiler: Any) -> None:
    pdf = render(compiler, estimate())
    assert not [link for link in links(pdf) if "/e/" in link]
    assert "online" not in text_of(pdf)


def test_the_code_has_every_dark_module_of_the_address_once() -> None:
    drawn = set()
    for part in qr_svg(URL).partition('d="')[2].partition('"')[0].split("M")[1:]:
        column, row = part.partition("h")[0].split()
        length = int(part.partition("h")[2].partition("v")[0])
        drawn |= {(int(row), int(column) + at) for at in range(length)}
    matrix = segno.make(URL, error="m", micro=False, boost_error=False).matrix
    assert drawn == {
        (row, column) for row, modules in enumerate(matrix) for column, is_dark in enumerate(modules) if is_dark
    }
