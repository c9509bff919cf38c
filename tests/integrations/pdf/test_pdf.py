"""PDF of an estimate: its texts, figures and appearance."""

import re
from collections.abc import AsyncIterator
from decimal import Decimal
from itertools import product
from typing import get_args

import pytest
from fontTools.ttLib import TTFont
from msgspec.structs import replace

from backbench.documents.documents import ClientRecipient, EstimateDocument, PdfExportOptions
from backbench.documents.figures import Rates
from backbench.integrations.pdf import typesetting
from backbench.integrations.pdf.estimates.layout import page_layout
from backbench.integrations.pdf.letterheads import tax_id_text
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.integrations.pdf.typesetting import typeset
from backbench.integrations.pdf.widths import WIDTHS
from backbench.integrations.processes.pool import Limits
from backbench.values.enums import DocumentLocale, PaperSize, TitleFont, Withdrawal
from backbench.values.taxes import Tax
from tests.integrations.pdf.pdf_text import (
    catalog,
    fonts,
    has_image,
    horizontal_extent,
    information,
    links,
    most_red,
    page_width,
    pages,
    tag_kinds,
    text_of,
)
from tests.integrations.pdf.sample_documents import KITCHEN, WORKSHOP, estimate, item
from tests.support.image_files import png
from tests.support.run.engines import runs_all

pytestmark = pytest.mark.anyio

EVERYTHING = PdfExportOptions(show_markup=True, show_discount=True)
TAXED = Rates(Decimal(0), Decimal(0), tax=Decimal(23))
RATES = Rates(markup=Decimal("12.5"), discount=Decimal(5), tax=Decimal(23))
PRICE = re.compile(r"−?(?:PLN\u00a0)?[\d,]+\.\d\d")


@pytest.fixture(scope="module")
async def renderer(anyio_backend: object) -> AsyncIterator[PdfRenderer]:
    # The time limit has its own test; a busy machine must not reject a document here.
    renderer = PdfRenderer(Limits(seconds=120, cpu_seconds=60))
    yield renderer
    await renderer.close()


async def rendered_text(renderer: PdfRenderer, document: EstimateDocument) -> str:
    return text_of(await renderer.render(document))


def price(text: str) -> Decimal:
    return Decimal(text.replace("−", "-").replace("PLN\u00a0", "").replace(",", ""))


async def test_every_process_renders_the_same_bytes(renderer: PdfRenderer) -> None:
    other = PdfRenderer()
    try:
        assert await renderer.render(estimate()) == await other.render(estimate())
    finally:
        await other.close()


async def test_a_pdf_declares_archive_and_accessibility_standards(renderer: PdfRenderer) -> None:
    metadata = catalog(await renderer.render(estimate()))["/Metadata"].get_object().get_data().decode()

    for declared in ("<pdfaid:part>2<", "<pdfaid:conformance>A<", "<pdfuaid:part>1<"):
        assert declared in metadata


async def test_a_pdf_is_tagged_with_a_table_and_its_headings(renderer: PdfRenderer) -> None:
    root = catalog(await renderer.render(estimate()))
    kinds = tag_kinds(root["/StructTreeRoot"].get_object())

    assert root["/MarkInfo"]["/Marked"]
    assert {"/H1", "/Table", "/TH", "/TD"} <= kinds


async def test_every_font_is_embedded(renderer: PdfRenderer) -> None:
    for font in fonts(await renderer.render(estimate())):
        if font["/Subtype"] == "/Type0":
            descriptor = font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & set(descriptor)
        else:
            assert font["/Subtype"] == "/Type3"


@pytest.mark.parametrize(("locale", "title"), [("pl", "Wycena: Zabudowa kuchni"), ("en", "Estimate: Zabudowa kuchni")])
async def test_a_pdf_has_its_title_and_language(renderer: PdfRenderer, locale: DocumentLocale, title: str) -> None:
    pdf = await renderer.render(estimate(locale=locale))
    found = information(pdf)

    assert (found.title, found.author) == (title, "Stolarnia Dębowa")
    assert catalog(pdf)["/Lang"] == locale


async def test_a_polish_document_is_in_polish(renderer: PdfRenderer) -> None:
    text = await rendered_text(renderer, estimate(locale="pl", rates=TAXED))

    for expected in (
        "WYCENA",
        "Anna Wiśniewska",
        "21 listopada 2026",
        "21 grudnia 2026",
        "Lp. Opis Ilość",
        "2,4\u00a0m² 890,00\u00a0zł 2\u00a0136,00\u00a0zł",
        "9\u00a0 par ",
        "2,5\u00a0godziny ",
        "NIP\u00a07342938841",
        "VAT 23%",
        "Cena netto Wartość netto",
        "Razem netto",
        "Razem brutto",
        "Przyjmuję wycenę i zlecam wykonanie prac.",
        "Data i podpis klienta",
        "Strona 1 z 1",
        "Przygotowano w Backbench",
    ):
        assert expected in text


async def test_an_english_document_is_in_english(renderer: PdfRenderer) -> None:
    text = await rendered_text(renderer, estimate(rates=RATES))

    for expected in (
        "ESTIMATE",
        "21 November 2026",
        "No. Description Quantity",
        "Unit price\nexcl. VAT, PLN\nAmount\nexcl. VAT, PLN",
        "9\u00a0 pairs ",
        "2.5\u00a0hours ",
        "Tax ID\u00a07342938841",
        "Total excl. VAT",
        "Total incl. VAT PLN\u00a0",
        "I accept this estimate and order the work.",
        "Client: date and signature",
        "Page 1 of 1",
        "Made with Backbench",
    ):
        assert expected in text


async def test_the_letterhead_shows_the_workshops_profile(renderer: PdfRenderer) -> None:
    text = await rendered_text(renderer, estimate())

    for printed in (WORKSHOP.name, WORKSHOP.tagline, WORKSHOP.crafter_name, WORKSHOP.address, WORKSHOP.phone):
        assert printed in text
    assert WORKSHOP.email in text
    assert WORKSHOP.footer in text


@pytest.mark.parametrize("taxed", [False, True])
@pytest.mark.parametrize(("breakdown", "markup", "discount"), list(product([True, False], repeat=3)))
async def test_printed_figures_add_up_for_every_option(
    renderer: PdfRenderer, breakdown: bool, markup: bool, discount: bool, taxed: bool
) -> None:
    options = PdfExportOptions(breakdown=breakdown, show_markup=markup, show_discount=discount)
    rates = RATES if taxed else replace(RATES, tax=None)
    text = await rendered_text(renderer, estimate(options=options, rates=rates))
    head, below = re.split("Total (?:incl. VAT )?PLN", text)

    labels = [line.label for line in KITCHEN] if breakdown else []
    rows = [line for line in head.splitlines() if any(label in line for label in labels)]
    if not breakdown:
        # Without lines the first sum is what they add up to; with nothing above the total it is the total itself.
        rows = re.findall(r"(?m)^(?:Subtotal|Total excl\. VAT).*$", head)[:1] or [below]
    lines = sum(price(PRICE.findall(row)[-1]) for row in rows)
    extras = [line for line in head.splitlines() if line.startswith(("Overheads", "Discount", "VAT"))]

    assert len(rows) == (len(labels) or 1)
    assert len(extras) == markup + discount + taxed
    assert lines + sum(price(PRICE.findall(row)[-1]) for row in extras) == price(PRICE.findall(below)[0])


async def test_without_the_breakdown_no_line_is_printed(renderer: PdfRenderer) -> None:
    text = await rendered_text(renderer, estimate(options=PdfExportOptions(breakdown=False)))

    assert not any(line.label in text for line in KITCHEN)


async def test_a_hidden_markup_or_discount_is_not_printed(renderer: PdfRenderer) -> None:
    text = await rendered_text(renderer, estimate(rates=RATES))

    assert not any(word in text for word in ("Overheads", "Discount", "12.5%", "5%", "Subtotal"))


async def test_a_row_of_zero_percent_is_not_printed(renderer: PdfRenderer) -> None:
    text = await rendered_text(renderer, estimate(options=EVERYTHING))

    assert not any(word in text for word in ("Markup", "Discount"))


async def test_the_recipient_can_be_left_out(renderer: PdfRenderer) -> None:
    text = await rendered_text(renderer, estimate(options=PdfExportOptions(show_recipient=False)))

    assert "Anna Wiśniewska" not in text
    assert "Prepared for" not in text


async def test_the_brand_mark_can_be_left_out(renderer: PdfRenderer) -> None:
    assert "Backbench" not in await rendered_text(renderer, estimate(options=PdfExportOptions(show_brand_mark=False)))


@pytest.mark.parametrize(("locale", "kind"), [("pl", "WYCENA WSTĘPNA"), ("en", "PRELIMINARY ESTIMATE")])
async def test_a_preliminary_estimate_is_marked_on_every_page(
    renderer: PdfRenderer, locale: DocumentLocale, kind: str
) -> None:
    many = [item(f"Line {at}") for at in range(60)]
    found = pages(await renderer.render(estimate(many, locale=locale, preliminary=True)))

    assert kind in found[0]
    assert len(found) > 1
    assert all(kind.lower() in page.lower() for page in found)


async def test_500_lines_fill_numbered_pages_with_repeated_headings(renderer: PdfRenderer) -> None:
    many = [item(f"Line number {at};") for at in range(1, 501)]
    found = pages(await renderer.render(estimate(many)))

    for at, page in enumerate(found, 1):
        assert f"Page {at} of {len(found)}" in page
        assert ("Description Quantity" in page) == ("Line number" in page)
    assert re.findall(r"Line number (\d+);", "".join(found)) == [str(at) for at in range(1, 501)]


@pytest.mark.parametrize("count", [19, 20, 24, 28, 29, 47, 58])
async def test_the_sums_are_never_alone_on_a_page(renderer: PdfRenderer, count: int) -> None:
    found = pages(await renderer.render(estimate([item(f"Line {at};") for at in range(count)], rates=RATES)))

    assert "Line" in found[-1]
    assert "Amount" in found[-1]
    assert "Total" in found[-1]
    assert sum(page.count("Line") for page in found) == count


async def test_a_line_is_never_split_between_pages(renderer: PdfRenderer) -> None:
    long = [item(f"Begin{at} {'word ' * 40}end{at}") for at in range(40)]
    # For different amounts of space at the end of a page.
    for before in range(0, 12, 2):
        for page in pages(await renderer.render(estimate([item("Short")] * before + long))):
            assert re.findall(r"Begin(\d+)", page) == re.findall(r"end(\d+)", page)


async def test_lines_of_labels_fit_their_column(renderer: PdfRenderer) -> None:
    """A row whose lines are known has a fixed height: one more line of its label would overlap the next row."""
    words = ["Blat", "dębowy", "WWW", "mm", "fil", "ważny:", "100%", "(jodła)", "AVATTY", "f", "3-osobowy", "“oak”"]
    every = [character for character in WIDTHS if not character.isspace()]
    labels = [
        *(" ".join(words[at % len(words)] for at in range(first, first + 23)) for first in range(len(words))),
        *(" ".join([character * 5] * 12) for character in every),
    ]
    document = estimate([item(label) for label in labels])
    lines = [line for row in page_layout(document).table.rows for line in row.lines]
    assert len(lines) > 2 * len(labels)

    printed = [" ".join(line.split()) for page in pages(await renderer.render(document)) for line in page.splitlines()]
    assert [line for line in lines if not any(line in each for each in printed)] == []


def test_a_label_with_a_character_of_unknown_width_is_measured() -> None:
    rows = page_layout(estimate([item("Oak"), item("橡木"), item("W" * 60)])).table.rows

    assert [row.lines for row in rows] == [["Oak"], [], []]


def test_only_words_that_are_too_long_are_split() -> None:
    for whole in ("Wiśniewska-Lewandowska-Kowalczyk", "https://example.com/made/to/measure", "Stół, krzesła i ława"):
        assert typesetting.segments(whole) == [whole]
    for cut in ("Donaudampfschifffahrtsgesellschaft", "1-2-3-4-5-6-7-8-9-0-1-2-3-4-5", "-" * 30, "ж/" * 20):
        assert len(typesetting.segments(cut)) > 1
        assert "".join(typesetting.segments(cut)) == cut


async def test_long_texts_stay_within_the_margins(renderer: PdfRenderer) -> None:
    workshop = replace(WORKSHOP, name="W" * 250, tagline="t" * 250, email="e" * 250, footer="f" * 250)
    longest = [
        item("W" * 250, "linear_m", "1000000000", "1000000"),
        item("łąka " * 50, "hour", "0.0001", "0.0001"),
    ]
    pdf = await renderer.render(
        estimate(
            longest,
            letterhead=workshop,
            name="N" * 250,
            recipient=ClientRecipient("R" * 250),
            rates=RATES,
            options=EVERYTHING,
        )
    )

    left, right = horizontal_extent(pdf)

    assert min(left, right) >= 55


CORPUS = [
    '#import "@preview/x:0.1.0": *',
    '#eval("1+1") #{2 + 2} #sys.inputs',
    "*bold* _emph_ `raw` $x^2$ <label> @ref",
    "\\ \\u{41} // no comment /* nor this */ ~ -- ---",
    "= Heading",
    "- list",
    "+ enum",
    "/ term: x",
    "[link](http://a.b) https://a.b/?c=d&e=f#g",
    "{{ mustache }} ${shell} %s <script>alert(1)</script>",
    "\"quotes\" 'single' „polskie” …",
    "fi fl ffi",
    "Zażółć gęślą jaźń",
    "Za\u0301z\u0307o\u0301łc\u0301",
    "e\u0323\u0302 n\u0303",
    "👩🏽\u200d🎨 🪵 🇵🇱 1️⃣ ☎️",
    "⌀25 mm → 30×40 ≥ ½ ✓ ★ µ Ω",
    "Ελληνικά Русский Հայերեն ქართული",
    "漢字かな 한국어",
    "שלום",
    "مرحبا",
    "नमस्ते",
    "ไทย",
]


@pytest.mark.parametrize("label", CORPUS)
async def test_client_text_is_printed_unchanged(renderer: PdfRenderer, label: str) -> None:
    # Between a number and its unit is a no-break space.
    text = await rendered_text(renderer, estimate([item(label)]))
    assert label in text.replace("\u00a0", " ")


@pytest.mark.parametrize(("fancy", "plain"), [("ﬁt", "fit"), ("𝓞𝓪𝓴", "Oak"), ("ox\ue000", "ox□")])
async def test_a_character_without_a_glyph_becomes_plain_text_or_a_box(
    renderer: PdfRenderer, fancy: str, plain: str
) -> None:
    assert f" {plain} " in await rendered_text(renderer, estimate([item(fancy)]))


LARGE_FONTS = {"NotoColorEmoji", "DroidSansFallback"}


def test_every_covered_character_has_a_glyph() -> None:
    for font, covered in typesetting.coverage().items():
        with TTFont(typesetting.FONTS / f"{font}.ttf", lazy=True) as file:
            assert {ord(character) for character in covered} - file.getBestCmap().keys() == set(), font


async def test_covered_characters_are_rendered(renderer: PdfRenderer) -> None:
    """Of the two large fonts every sixteenth: to render all of them takes seconds, which a run of all tests does."""
    covered = "".join(
        "".join(sorted(covered)[:: 16 if font in LARGE_FONTS and not runs_all() else 1])
        for font, covered in typesetting.coverage().items()
    )
    labels = [covered[at : at + 100] for at in range(0, len(covered), 100)]

    assert await renderer.render(estimate([item(label) for label in labels]))


async def test_markup_in_client_text_is_printed_as_text(renderer: PdfRenderer) -> None:
    sign = "#panic() *x* $y$"
    texts = ("name", "tagline", "crafter_name", "address", "phone", "email", "tax_id", "footer")
    workshop = replace(WORKSHOP, **{name: f"{name}: {sign}" for name in texts})
    rates = replace(RATES, tax_label=f"tax_label: {sign}")
    document = estimate(
        letterhead=workshop, name=f"title: {sign}", recipient=ClientRecipient(f"to: {sign}"), rates=rates
    )
    text = await rendered_text(renderer, document)

    for name in (*texts, "title", "to", "tax_label"):
        assert f"{name}: {sign}" in text


@pytest.mark.parametrize("strange", ["\U0001d4d0", "\ue000", "\u1208", "\U000f0000", "x\u05b8\u0e34", "\ufffe", "\x07"])
async def test_a_character_without_a_glyph_does_not_affect_other_text(renderer: PdfRenderer, strange: str) -> None:
    assert "oak" in await rendered_text(renderer, estimate([item(f"oak {strange} oak")]))


@pytest.mark.parametrize(
    ("title_font", "family"),
    [
        ("sans", "Inter"),
        ("serif", "SourceSerif4"),
        ("didone", "BodoniModa"),
        ("mono", "IBMPlexMono"),
        ("rounded", "Nunito"),
    ],
)
async def test_a_title_is_set_in_the_workshops_font(renderer: PdfRenderer, title_font: TitleFont, family: str) -> None:
    pdf = await renderer.render(estimate(letterhead=replace(WORKSHOP, title_font=title_font)))
    names = [str(font.get("/BaseFont", "")) for font in fonts(pdf)]

    assert any(family in name for name in names)


def test_every_title_font_is_tested() -> None:
    assert set(get_args(TitleFont)) == {"sans", "serif", "didone", "mono", "rounded"}


async def test_the_logo_is_in_colour(renderer: PdfRenderer) -> None:
    pdf = await renderer.render(estimate(letterhead=replace(WORKSHOP, logo="🍓", accent_color=None)))

    assert most_red(pdf, (62, 62, 105, 105)) > 80


async def test_an_estimate_without_lines_is_rendered(renderer: PdfRenderer) -> None:
    assert "PLN\u00a00.00" in await rendered_text(renderer, estimate([]))


async def test_a_unit_price_that_contradicts_the_amount_is_not_printed(renderer: PdfRenderer) -> None:
    rope = [item("Rope", "linear_m", "12.5", "1000.5")]
    text = await rendered_text(renderer, estimate(rope, rates=Rates(Decimal("33.3333"), Decimal(0))))

    assert "1 Rope 1,000.5\u00a0m – 16,675.00" in re.sub(r" +", " ", text)


FULL = estimate(
    locale="pl",
    rates=Rates(Decimal(0), Decimal(0), Decimal(23), line_taxes={"Survey": Tax(Decimal(8))}, deposit=Decimal(40)),
    letterhead=replace(
        WORKSHOP,
        address="ul. Młyńska 14\n33-300 Nowy Sącz",
        website="debowa.example",
        registration="REGON 123456785",
        iban="PL61109010140000071219812874",
    ),
    recipient=ClientRecipient(
        "Anna Wiśniewska", "ul. Polna 7\n05-500 Piaseczno", "5252525252", "anna@example.com", "600 700 800", "Leśna 2"
    ),
    number="12/2026",
    intro="Dzień dobry,\nponiżej wycena.",
    terms="Gwarancja 24 miesiące.",
    lead_time="4–6 tygodni",
    tax_note="Stawka 8% dla lokali mieszkalnych.",
)


async def test_every_fact_of_a_document_is_printed(renderer: PdfRenderer) -> None:
    text = (await rendered_text(renderer, FULL)).replace("\u00a0", " ")

    for expected in (
        "ul. Młyńska 14\n33-300 Nowy Sącz",
        "debowa.example",
        "REGON 123456785",
        "Numer 12/2026",
        "ul. Polna 7\n05-500 Piaseczno\nNIP 5252525252\nanna@example.com\n600 700 800",
        "Miejsce prac\nLeśna 2",
        "Dzień dobry,\nponiżej wycena.",
        "VAT 8% od 300,00 zł 24,00 zł",
        "VAT 23% od 9 903,40 zł 2 277,78 zł",
        "5 Survey 2,5 godziny 8% 120,00 zł 300,00 zł 324,00 zł",
        "Razem brutto 12 505,18 zł",
        "Zaliczka 40%, przy zamówieniu 5 002,07 zł",
        "Pozostaje po wykonaniu 7 503,11 zł",
        "Stawka 8% dla lokali mieszkalnych.",
        "Warunki\nTermin realizacji: 4–6 tygodni\nGwarancja 24 miesiące.",
        "Rachunek bankowy: PL61 1090 1014 0000 0712 1981 2874",
    ):
        assert expected in text


async def test_facts_can_be_empty(renderer: PdfRenderer) -> None:
    bare = replace(WORKSHOP, footer="", tax_id="", address="")
    text = await rendered_text(renderer, estimate(letterhead=bare, recipient=ClientRecipient()))

    assert not any(word in text for word in ("Terms", "Deposit", "Number", "Prepared for", "Site", "Tax ID"))


async def test_a_preliminary_estimate_has_no_validity_and_no_signatures(renderer: PdfRenderer) -> None:
    text = await rendered_text(renderer, estimate(preliminary=True))

    assert not any(word in text for word in ("Valid until", "21 December", "signature", "I accept"))


async def test_the_kind_of_a_document_can_be_searched(renderer: PdfRenderer) -> None:
    for preliminary in (False, True):
        assert "ESTIMATE\n" in await rendered_text(renderer, estimate(preliminary=preliminary))


async def test_terms_are_part_of_the_tagged_text(renderer: PdfRenderer) -> None:
    kinds = tag_kinds(catalog(await renderer.render(estimate()))["/StructTreeRoot"].get_object())
    without = estimate(letterhead=replace(WORKSHOP, footer=""))

    assert "/H2" in kinds
    assert "/H2" not in tag_kinds(catalog(await renderer.render(without))["/StructTreeRoot"].get_object())


async def test_email_telephone_and_website_are_links(renderer: PdfRenderer) -> None:
    assert links(await renderer.render(FULL)) == {
        "tel:+48600123456",
        "mailto:jan@debowa.example",
        "https://debowa.example",
        "mailto:anna@example.com",
        "tel:600700800",
    }


async def test_a_document_can_have_an_image_as_logo_or_none(renderer: PdfRenderer) -> None:
    image = replace(WORKSHOP, logo_image=png(16, 16))
    pdf = await renderer.render(estimate(letterhead=image))
    neither = replace(image, show_logo=False)

    assert "🪵" not in text_of(pdf)
    assert has_image(pdf)
    assert not has_image(await renderer.render(estimate(letterhead=neither)))


@pytest.mark.parametrize(("paper_size", "width"), [("A4", 595), ("Letter", 612)])
async def test_a_document_has_the_workshops_paper_size(
    renderer: PdfRenderer, paper_size: PaperSize, width: int
) -> None:
    assert int(page_width(await renderer.render(estimate(paper_size=paper_size)))) == width


@pytest.mark.parametrize(
    ("tax_id", "pl", "en"),
    [
        ("7342938841", "NIP 7342938841", "Tax ID 7342938841"),
        ("734-293-88-41", "NIP 734-293-88-41", "Tax ID 734-293-88-41"),
        ("PL7342938841", "NIP PL7342938841", "VAT no. PL7342938841"),
        ("GB 123 4567 89", "Nr VAT GB 123 4567 89", "VAT no. GB 123 4567 89"),
        ("IE 0000000X", "Nr VAT IE 0000000X", "VAT no. IE 0000000X"),
        ("ATU12345678", "Nr VAT ATU12345678", "VAT no. ATU12345678"),
        ("NIP 525", "NIP 525", "NIP 525"),
    ],
)
def test_a_tax_id_has_the_name_of_its_country(tax_id: str, pl: str, en: str) -> None:
    found = [tax_id_text(tax_id, locale).replace("\u00a0", " ") for locale in ("pl", "en")]

    assert found == [pl, en]


def test_free_and_optional_lines_say_so() -> None:
    lines = [item("Free", unit_price="0"), item("Option", quantity="0", unit_price="40"), item("Both", "job", "0", "0")]
    rows = page_layout(estimate(lines, locale="pl")).table.rows

    assert [(row.quantity[2], *row.figures) for row in rows] == [
        ("sztuka", "–", "gratis"),
        ("opcja", "40,00\u00a0zł", "–"),
        ("opcja", "gratis", "–"),
    ]


def test_a_free_form_quantity_of_one_is_not_printed() -> None:
    rows = page_layout(estimate([item("a", "freeform"), item("b", "freeform", quantity="14.35")])).table.rows

    assert [row.quantity for row in rows] == [("", "", ""), ("14", ".35", "×")]


def test_a_currency_code_is_in_the_headings_and_with_the_total_only() -> None:
    layout = page_layout(estimate(currency="CHF"))

    assert [column.heading for column in layout.table.columns[2:]] == [["Unit price, CHF"], ["Amount, CHF"]]
    assert "CHF" not in "".join("".join(row.figures) for row in layout.table.rows)
    assert layout.total.amount.startswith("CHF")


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Listwa 40 mm i kątownik", "Listwa 40~mm i~kątownik"),
        ("Płyta 2 × 3 m z ABS", "Płyta 2~×~3~m z~ABS"),
        ("Halina i Zbigniew", "Halina i~Zbigniew"),
        ("5 metrów, 3 małe", "5 metrów, 3 małe"),
        ("Kapitał 1 250 000 zł, tel. 601 234 567", "Kapitał 1~250~000~zł, tel. 601~234~567"),
        ("Pokój 12, 3000 sztuk", "Pokój 12, 3000 sztuk"),
    ],
)
def test_a_polish_line_does_not_end_after_a_short_word_or_a_number(text: str, typed: str) -> None:
    assert typeset(text, "pl").replace("\u00a0", "~") == typed


TERMS = """1. Cena obejmuje transport i montaż na terenie Krakowa; poza Krakowem doliczamy 2,50 zł za kilometr.
2. Gwarancja: 24 miesiące na okucia i 12 miesięcy na powłoki.
§ 3 Zmiany po zatwierdzeniu projektu wyceniamy osobno, o ile wpływają na materiał lub czas pracy."""


@pytest.mark.parametrize("lines", range(4, 13))
@pytest.mark.parametrize(("withdrawal", "lead_time"), [("start_early", "6 tygodni"), ("none", "Bez zwłoki. " * 30)])
async def test_signatures_are_on_a_page_with_terms_that_has_the_number(
    renderer: PdfRenderer, lines: int, withdrawal: Withdrawal, lead_time: str
) -> None:
    letterhead = replace(WORKSHOP, iban="PL61109010140000071219812874", footer="Dopisek na końcu.")
    letterhead = replace(letterhead, privacy_url="https://debowa.example/rodo", registration="KRS\n0000123456\nKraków")
    items = [item(f"Szafka {number}") for number in range(lines)]
    document = estimate(items, locale="pl", number="12/2026", letterhead=letterhead)
    document = replace(document, terms=TERMS, lead_time=lead_time, withdrawal=withdrawal)
    document = replace(document, recipient=ClientRecipient("Ewa Nowak", "ul. Długa 1\n31-147 Kraków"))

    rendered = pages(await renderer.render(document))
    # The form to withdraw is a page of its own.
    last = rendered[-2 if withdrawal == "start_early" else -1]

    assert "Dopisek na końcu." in last
    assert "Przyjmuję wycenę i zlecam wykonanie prac." in last
    assert "12/2026" in last
