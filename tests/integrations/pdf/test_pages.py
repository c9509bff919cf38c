"""Pages of an estimate: distances, last pages, long texts, and what is carried forward."""

from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from typst import TypstError

from backbench.documents.documents import ClientRecipient, EstimateDocument, Section
from backbench.documents.figures import Rates
from backbench.integrations.pdf.estimates.layout import ConditionText, Fit, conditions_layout, page_layout
from backbench.integrations.pdf.render_process import new_compiler, render, source
from backbench.values.taxes import Tax
from tests.integrations.pdf.pdf_text import distances, horizontal_extent, page_count, pages, text_of
from tests.integrations.pdf.sample_documents import KITCHEN, WORKSHOP, estimate, item

MILLIMETRE = 72 / 25.4
IBAN = replace(WORKSHOP, iban="PL61109010140000071219812874", footer="Thank you.")
TAXED = Rates(Decimal(0), Decimal(0), tax=Decimal(23))
WITH_DEPOSIT = replace(TAXED, deposit=Decimal(30))


@pytest.fixture(scope="module")
def compiler() -> Any:
    return new_compiler()


@pytest.mark.parametrize("rates", [TAXED, WITH_DEPOSIT])
@pytest.mark.parametrize("terms", ["", "Pay within 7 days.", "One sentence of the terms. " * 40])
@pytest.mark.parametrize("share_url", ["", "https://example.com/e/#bbl_1"])
def test_terms_never_touch_the_sums(compiler: Any, rates: Rates, terms: str, share_url: str) -> None:
    document = estimate(rates=rates, letterhead=IBAN, lead_time="3 weeks", terms=terms, share_url=share_url)
    last = "Balance on completion" if rates.deposit else "Total incl. VAT"
    found = distances(render(compiler, document), last, "Terms")

    # A page with both has them at a distance; long terms may be on a page of their own.
    assert found or len(terms) > 800
    assert all(distance >= 8 * MILLIMETRE for distance in found)


def numbered(count: int) -> list[Any]:
    return [item(f"Line {at}", unit_price="100") for at in range(count)]


def pages_with(compiler: Any, document: EstimateDocument, *, is_compact: bool) -> int:
    """The number of pages with that much space and the last page as it comes, or with two lines moved to it."""
    for moved_lines in (0, 2):
        fit = Fit(is_compact=is_compact, moved_lines=moved_lines, may_end_short=True)
        with suppress(TypstError):
            return page_count(compiler.compile(input=source("estimate", page_layout(document, fit)), format="pdf"))
    raise AssertionError("with moved lines every document can be compiled")


# Other heights of what follows the sums: for each, 26 documents that begin and end the last page at other lines.
@pytest.mark.parametrize(
    "terms",
    [
        pytest.param("", marks=pytest.mark.all_only),
        pytest.param("Pay within 7 days.", marks=pytest.mark.all_only),
        "One sentence of the terms. " * 20,
    ],
)
def test_a_last_page_is_not_nearly_empty_where_less_space_spares_it(compiler: Any, terms: str) -> None:
    """For some numbers of lines the usual space would leave the signatures, or a few lines, to the last page."""
    spared, found = [], []
    for count in range(4, 30):
        document = estimate(numbered(count), rates=TAXED, letterhead=IBAN, terms=terms)
        found.append(page_count(render(compiler, document)))
        usual = pages_with(compiler, document, is_compact=False)
        # Where less space would not spare a page, a second document need not be made.
        compact = pages_with(compiler, document, is_compact=True) if usual > 1 else usual
        if compact < usual:
            spared.append(count)
            assert found[-1] == compact

    assert spared != []
    assert found == sorted(found)


def test_a_long_table_carries_its_sum_from_page_to_page(compiler: Any) -> None:
    found = pages(render(compiler, estimate(numbered(90), rates=TAXED)))
    lines = [text.count("Line ") for text in found]

    assert len(found) > 2
    carried = f"{100 * lines[0]:,}.00"
    assert f"To carry forward (Amount excl. VAT) {carried}" in " ".join(found[0].split())
    assert f"Carried forward (Amount excl. VAT) {carried}" in " ".join(found[1].split())
    assert "To carry forward" not in found[-1]
    assert "carry" not in text_of(render(compiler, estimate(numbered(40), rates=TAXED)))


def test_sections_have_headings_and_sums(compiler: Any) -> None:
    document = estimate(numbered(5), rates=TAXED)
    sections = [Section("Kitchen", 1, 2, Decimal(200)), Section("Hall", 3, 2, Decimal(200))]
    text = " ".join(text_of(render(compiler, replace(document, sections=sections))).split())

    assert "1 Line 0 1 piece 100.00 100.00 Kitchen 2 Line 1" in text
    assert "100.00 Subtotal: Kitchen 200.00 Hall 4 Line 3" in text
    unpriced = " ".join(text_of(render(compiler, replace(document, sections=sections, breakdown="unpriced"))).split())
    assert "Kitchen 2 Line 1 1 piece 3 Line 2 1 piece Hall" in unpriced
    assert "100.00" not in unpriced


def test_an_address_is_printed_without_a_repeated_hyphen(compiler: Any) -> None:
    email = "biuro.sprzedazy@przedsiebiorstwo-wielobranzowe-kowalski.example"
    document = estimate(locale="pl", letterhead=replace(WORKSHOP, email=email), number="WYC/2026/11/KRAKÓW/000123-B")
    text = text_of(render(compiler, document))

    assert email in text.replace("\n", "")
    assert "KRAKÓW/000123-B" in text
    title = "Zabudowa dla pani Anny Ґудзь-Єфименко-Wiśniewskiej-Kowalskiej, " * 3
    assert "--" not in text_of(render(compiler, replace(document, name=title))).replace("\n", "")
    label = "panel-akustyczny-z-lamelami-" * 8
    # PDFium extracts a hyphen at the end of a line as U+FFFE.
    assert label in text_of(render(compiler, estimate([item(label)], locale="pl"))).replace("\ufffe", "-")


def test_a_long_name_has_a_row_of_its_own() -> None:
    long = "Przedsiębiorstwo Usługowo-Handlowe Kowalski i Synowie sp. z o.o."

    assert page_layout(estimate()).parties == []
    assert len(page_layout(estimate(recipient=ClientRecipient(long))).parties) == 1


@pytest.mark.parametrize("currency", ["PLN", "KWD"])
def test_descriptions_have_two_fifths_of_the_width(currency: str) -> None:
    items = [item(f"Line {at}", unit_price="12345.67", quantity="12.5") for at in range(3)]
    table = page_layout(estimate(items, currency=currency, rates=TAXED)).table
    figures = sum(column.width * table.figure_size + table.gap for column in table.columns[1:])

    assert figures <= 0.58 * 166 * MILLIMETRE


@pytest.mark.parametrize("currency", ["EUR", "KWD"])
def test_descriptions_have_two_fifths_of_the_width_with_two_rates(currency: str) -> None:
    items = [item(f"Line {at}", unit_price="345.67", quantity="2") for at in range(3)]
    rates = Rates(Decimal(0), Decimal(0), Decimal(23), line_taxes={items[0].id: Tax(Decimal(8))})
    table = page_layout(estimate(items, currency=currency, rates=rates)).table
    figures = sum(column.width * table.figure_size + table.gap for column in table.columns[1:])

    assert figures <= 0.58 * 166 * MILLIMETRE


def test_terms_are_paragraphs_with_hanging_items() -> None:
    terms = "Guarantee of 24 months.\n1. First, which goes on\nover two lines.\n§ 2. Second.\n– third\n\nThe end."
    (column,) = conditions_layout(estimate(), [ConditionText(terms)])

    assert [(paragraph.marker, len(paragraph.lines)) for paragraph in column] == [
        ("", 1), ("1.", 2), ("§ 2.", 1), ("–", 1), ("", 1)
    ]  # fmt: skip
    # The text of all items begins at one place, also on the lines after the first.
    assert len({paragraph.indent for paragraph in column if paragraph.marker}) == 1
    (measure,) = conditions_layout(estimate(), [ConditionText("2.5 m of oak, and 3.5 m of ash.")])
    assert measure[0].marker == ""
    assert [len(each) for each in conditions_layout(estimate(), [ConditionText("Sentence. " * 40)] * 2)] == [1, 1]


def test_a_total_of_many_figures_is_on_the_line_of_its_label(compiler: Any) -> None:
    huge = [item("Gold", unit_price="999999999.999", quantity="99999")]
    text = text_of(render(compiler, estimate(huge, rates=TAXED, currency="KWD")))

    assert "Total incl. VAT KWD 122,998,769,999,877.001" in text.replace("\u00a0", " ")


def test_nothing_to_pay_and_a_preliminary_estimate_have_no_deposit(compiler: Any) -> None:
    free = estimate([item("Warranty", unit_price="0")], rates=WITH_DEPOSIT)

    assert "Deposit" not in text_of(render(compiler, free))
    assert "Deposit" not in text_of(render(compiler, estimate(rates=WITH_DEPOSIT, preliminary=True)))


def test_a_title_is_in_one_face() -> None:
    assert page_layout(estimate(name="Kuchnia dębowa")).face.font == "Source Serif 4"
    didone = replace(WORKSHOP, title_font="didone")
    assert page_layout(estimate(letterhead=didone, name="Кухня")).face.font == "Inter"


def test_a_wide_logo_is_above_the_name_and_wider(compiler: Any) -> None:
    def logo_width(width: int) -> float:
        logo = replace(WORKSHOP, logo_image=drawn(width))
        return image_width(render(compiler, estimate(letterhead=logo)))

    assert logo_width(280) == pytest.approx(34 * MILLIMETRE, abs=1)
    assert logo_width(800) == pytest.approx(70 * MILLIMETRE, abs=1)


def drawn(width: int) -> bytes:
    """An image that is 100 points high, as PNG."""
    source = f'#set page(width: {width}pt, height: 100pt, margin: 0pt, fill: rgb("#1F5673"))'
    image = new_compiler().compile(input=source.encode(), format="png", ppi=72)
    assert isinstance(image, bytes)
    return image


def image_width(pdf: bytes) -> float:
    """The width of the first image of the first page, in points."""
    import pypdfium2  # type: ignore[import-untyped]
    from pypdfium2 import raw

    with pypdfium2.PdfDocument(pdf) as document:
        image = next(iter(document[0].get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE])))
        left, _, right, _ = image.get_bounds()
        return float(right - left)


def test_reversing_characters_are_not_printed(compiler: Any) -> None:
    text = text_of(render(compiler, estimate(recipient=ClientRecipient("Jan \u202eKowalski\u202c"))))

    assert "Jan Kowalski" in text


def test_nothing_leaves_the_margins(compiler: Any) -> None:
    document: EstimateDocument = estimate(
        [item(line.label, line.unit, "123456.78", "1234.5") for line in KITCHEN],
        rates=replace(WITH_DEPOSIT, prices="gross"),
        letterhead=IBAN,
        terms="1. " + "W" * 300 + "\n" + "Sentence. " * 60,
        number="WYC/2026/11/KRAKÓW/" + "0" * 60,
    )
    left, right = horizontal_extent(render(compiler, document))

    assert min(left, right) >= 21.9 * MILLIMETRE
