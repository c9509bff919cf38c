"""Sixty estimates, receipts and slips: full pages, no letter that is cut, and the texts and figures of their JSON."""

import ctypes
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from typing import Any, NamedTuple, get_args

import msgspec
import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace

from backbench.documents.documents import EstimateDocument
from backbench.documents.slips import SlipDocument, SlipFormat, SlipMoney
from backbench.integrations.pdf.render_process import new_compiler, render, render_receipt, render_slip
from backbench.integrations.pdf.widths import cut, cut_lines, text_width
from backbench.sharing.client_documents import client_document
from backbench.values.enums import DocumentLocale
from backbench.values.locales import money
from tests.integrations.pdf.document_set import documents
from tests.integrations.pdf.pdf_text import pages, plain_text, text_of
from tests.integrations.pdf.sample_receipts import receipt
from tests.integrations.pdf.test_slips import document as slip
from tests.support.violations import violations

MILLIMETRE = 72 / 25.4
TOP, BOTTOM = 22 * MILLIMETRE, 29 * MILLIMETRE
DOCUMENTS = documents()
# Names of sixteen scripts and widths, one of 250 letters without a space, and lines as in a message.
LONG = ["Wiśniewska-Lewandowska " * 10, "W" * 250, "żółć\n" * 60, "木材 " * 60, "ﬁ🪵∑" * 40]


@pytest.fixture(scope="module")
def compiler() -> Any:
    return new_compiler()


class Found(NamedTuple):
    """What is on the pages of a document, read once: PDFium takes as long for a page as Typst."""

    pages: list[str]
    filled: list[float]
    """The part of the height between the margins that is used, of each page."""
    cut: list[str]
    """The texts that a clip path or the edge of the page cuts, by the boxes of their glyphs."""


@pytest.fixture(scope="module")
def rendered(compiler: Any) -> dict[str, Found]:
    return {name: found_in(render(compiler, document)) for name, document in DOCUMENTS.items()}


def found_in(pdf: bytes) -> Found:
    found = Found([], [], [])
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            text_page = page.get_textpage()
            found.pages.append(plain_text(text_page))
            found.filled.append(_filled(page, text_page))
            found.cut.extend(_cut_texts(page, text_page))
    return found


def cut_texts(pdf: bytes) -> list[str]:
    with pypdfium2.PdfDocument(pdf) as document:
        return [text for page in document for text in _cut_texts(page, page.get_textpage())]


def _cut_texts(page: Any, text_page: Any) -> Iterator[str]:
    whole = (0.0, 0.0, page.get_width(), page.get_height())
    for each in page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_TEXT,)):
        box, limit = each.get_bounds(), _clip(each) or whole
        # A tenth of a point is less than the smallest printer can show.
        if box[2] > box[0] and not _is_within(box, limit, 0.1):
            yield text_page.get_text_bounded(*box) or str(box)


def _clip(text: Any) -> tuple[float, float, float, float] | None:
    """The box of the clip path of an object; None without one."""
    path = pdfium.FPDFPageObj_GetClipPath(text.raw)
    points = []
    for at in range(max(0, pdfium.FPDFClipPath_CountPaths(path))):
        for segment_at in range(pdfium.FPDFClipPath_CountPathSegments(path, at)):
            segment = pdfium.FPDFClipPath_GetPathSegment(path, at, segment_at)
            x, y = ctypes.c_float(), ctypes.c_float()
            pdfium.FPDFPathSegment_GetPoint(segment, x, y)
            points.append((x.value, y.value))
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_within(box: tuple[float, ...], limit: tuple[float, ...], tolerance: float) -> bool:
    left, bottom, right, top = (inner - outer for inner, outer in zip(box, limit, strict=True))
    return left >= -tolerance and bottom >= -tolerance and right <= tolerance and top <= tolerance


def _filled(page: Any, text_page: Any) -> float:
    height = page.get_height()
    feet = [text_page.get_charbox(at)[1] for at in range(text_page.count_chars())]
    lowest = min(foot for foot in feet if foot > BOTTOM)
    return float((height - TOP - lowest) / (height - TOP - BOTTOM))


def test_there_are_sixty_estimates_of_all_kinds() -> None:
    assert len(DOCUMENTS) == 60
    found = list(DOCUMENTS.values())
    assert {document.sums.prices for document in found} == {"net", "gross"}
    assert {1, 6, 30, 120} <= {len(document.lines) for document in found}
    assert {tax.kind for document in found for tax in document.sums.taxes} >= {
        None, "exempt", "outside", "reverse_charge",
    }  # fmt: skip


def test_no_page_after_the_first_is_nearly_empty(rendered: dict[str, Found]) -> None:
    with violations() as case:
        for name, found in rendered.items():
            with case(name):
                assert min(found.filled[1:], default=1) >= 0.2


def test_terms_and_signatures_share_the_page_of_the_sums_where_they_fit(rendered: dict[str, Found]) -> None:
    """A second page with nothing but the closing: only what is too long for one page by more than spaces can spare."""
    alone = {}
    for name, found in rendered.items():
        sums = re.compile(r"(?:Razem|Total).{0,20}(?:zł|PLN|[0-9])")
        first, *others = [
            text for text in found.pages if "formularza odstąpienia" not in text and "withdrawal form" not in text
        ]
        if len(others) == 1 and sums.search(first) and not sums.search(others[0]):
            alone[name] = sum(found.filled[:2])
    # With the distance between the parts, more than a page.
    distance = 9 * MILLIMETRE / (842 - TOP - BOTTOM)
    assert {name: height for name, height in alone.items() if height + distance < 1} == {}
    assert len(alone) <= 3


def test_no_letter_of_an_estimate_is_cut(rendered: dict[str, Found]) -> None:
    assert {name: found.cut for name, found in rendered.items() if found.cut} == {}


@pytest.mark.parametrize("format_", get_args(SlipFormat))
def test_no_letter_of_a_slip_is_cut(compiler: Any, format_: SlipFormat) -> None:
    with violations() as case:
        for text, has_place in product(LONG, (False, True)):
            with case(f"{text[:20]!r}, {has_place=}"):
                assert cut_texts(render_slip(compiler, long_slip(format_, text, has_place=has_place))) == []


def long_slip(format_: SlipFormat, text: str, *, has_place: bool) -> SlipDocument:
    return slip(
        format=format_, title=" ".join(text.split())[:250], description=text, condition=text * 8, terms=text[:400],
        place=text.split()[0][:50], customer_name=" ".join(text.split())[:250], number=12345, due_time="16:00",
        money=SlipMoney("PLN", Decimal(123456), Decimal(23456), Decimal(100000)), tax_id="734-293-88-41",
        workshop_contact=[f"Linia {at}" for at in range(8)], has_place=has_place,
    )  # fmt: skip


def test_the_check_finds_a_letter_that_is_cut(compiler: Any) -> None:
    source = b"#set page(width: 60mm, height: 40mm)\n#box(height: 0.5em, clip: true)[Gj]"
    assert len(cut_texts(compiler.compile(input=source, format="pdf"))) == 1


@pytest.mark.parametrize("format_", ["label-62x29", "label-54x25"])
@pytest.mark.parametrize("has_place", [False, True])
@pytest.mark.parametrize("locale", ["en", "pl"])
def test_nothing_on_a_label_lies_on_something_else(
    compiler: Any, format_: SlipFormat, has_place: bool, locale: DocumentLocale
) -> None:
    title = "Krzesło dębowe z wyplatanym siedziskiem i podłokietnikami po dziadku, do odnowienia, drugie z czterech"
    pdf = render_slip(compiler, slip(format=format_, title=title, locale=locale, has_place=has_place, due_time="16:00"))
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[0]
        boxes = [each.get_bounds() for each in page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_TEXT,))]
        code = [each.get_bounds() for each in page.get_objects() if each.type == pdfium.FPDF_PAGEOBJ_PATH]
    boxes += code[:1]
    overlaps = [
        (one, other)
        for at, one in enumerate(boxes)
        for other in boxes[at + 1 :]
        if min(one[2], other[2]) - max(one[0], other[0]) > 0.5 and min(one[3], other[3]) - max(one[1], other[1]) > 0.5
    ]
    assert overlaps == []
    text = " ".join(text_of(pdf).split())
    assert "…" in text
    assert ("drawer B3" in text) is has_place


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)
    elif isinstance(value, str):
        yield value


def test_a_document_says_what_its_json_says(rendered: dict[str, Found]) -> None:
    with violations() as case:
        for name, found in rendered.items():
            with case(name):
                assert missing_texts(DOCUMENTS[name], "\n".join(found.pages)) == []


def missing_texts(document: EstimateDocument, printed: str) -> list[str]:
    """The texts and figures of the JSON of a document that are not printed."""
    shown = msgspec.to_builtins(client_document(document))
    text = squeezed(printed)
    numbers = re.sub(r"[^0-9.,]", " ", text)
    sums = shown["sums"]
    amounts = [sums["total"], *[each[key] for each in sums["taxes"] for key in ("net", "amount") if each[key] != "0"]]
    amounts += [line["amount"] for line in shown["lines"]] + [line["unitPrice"] for line in shown["lines"]]
    amounts += [sums["deposit"][key] for key in ("amount", "balance")] if "deposit" in sums else []
    figures = {money(Decimal(amount), document.currency, document.locale) for amount in amounts}
    texts = [shown["name"], shown["number"], *(line["label"] for line in shown["lines"])]
    texts += [line for key in ("intro", "terms", "leadTime", "withdrawal") for line in shown.get(key, "").split("\n")]
    texts += strings(shown.get("recipient", {})) if document.options.show_recipient else []
    texts += [*shown["letterhead"]["address"].split("\n"), shown["letterhead"]["phone"], shown["letterhead"]["email"]]
    texts += [each["heading"] for each in shown.get("sections", [])]
    return [each for each in texts if squeezed(each) not in text] + [
        each
        for each in figures
        if squeezed(re.sub(r"[^0-9.,]", "", each)) not in numbers and squeezed(each.replace("PLN", "")) not in text
    ]


def squeezed(text: str) -> str:
    """Without spaces, and without the numbers of a list, which stand apart from it."""
    return re.sub(r"\s+", "", re.sub(r"^\d\.", "", text))


def test_a_receipt_and_its_refund_cut_nothing_and_have_one_page(compiler: Any) -> None:
    for kind in ("payment", "deposit", "refund"):
        for text in LONG:
            long = " ".join(text.split())[:250]
            document = receipt(kind=kind, customer_name=long, title=long, note=long, workshop_name=long)
            pdf = render_receipt(compiler, replace(document, amount=Decimal("999999999.99")))
            assert len(pages(pdf)) == 1
            assert cut_texts(pdf) == []


def test_a_cut_text_is_no_wider_than_its_place() -> None:
    for text in LONG:
        short = cut(text, 20)
        assert text_width(short) <= 20
        assert short.endswith("…")
        lines = cut_lines(text, 12, 3)
        assert len(lines) == 3
        assert all(text_width(line) <= 12 for line in lines)
    assert cut("Stół", 20) == "Stół"
    assert cut_lines("Stół dębowy", 20, 3) == ["Stół dębowy"]
