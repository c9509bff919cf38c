"""Sixty estimates as workshops hand them over: both languages, taxes, lengths, names, faces and sizes of paper."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple, get_args

from msgspec.structs import replace

from backbench.documents.documents import ClientRecipient, EstimateDocument, Letterhead, PdfExportOptions, Section
from backbench.documents.figures import Rates
from backbench.values.enums import DocumentLocale, TitleFont
from backbench.values.taxes import Tax
from tests.integrations.pdf.sample_documents import Item, estimate, item

NET = Rates(Decimal(0), Decimal(0), tax=Decimal(23))
GROSS = replace(NET, prices="gross", entered="gross")
SHOWN_GROSS = replace(NET, prices="gross")


class _Texts(NamedTuple):
    """What a workshop writes in one language."""

    workshop: Letterhead
    labels: list[str]
    sections: tuple[str, str]
    intro: str
    terms: str
    lead_time: str
    tax_note: str
    firm: ClientRecipient
    person: ClientRecipient
    name: str
    long_name: str


_WORKSHOP = Letterhead(
    name="Stolarnia Kowalska", logo="🪵", tagline="Meble na wymiar od 1987", crafter_name="Anna Kowalska",
    title_font="serif", accent_color="#2F5D50", address="ul. Młyńska 14\n33-300 Nowy Sącz", phone="+48 600 123 456",
    email="pracownia@kowalska.example", website="https://kowalska.example", tax_id="734-293-88-41",
    registration="CEIDG", iban="PL61109010140000071219812874",
    privacy_url="https://kowalska.example/prywatnosc/klienci-i-zamowienia",
    footer="Dziękujemy za zaufanie.",
)  # fmt: skip
_TEXTS: dict[DocumentLocale, _Texts] = {
    "pl": _Texts(
        _WORKSHOP,
        ["Blat dębowy olejowany", "Szafki dolne z frontami fornirowanymi", "Szuflady z cichym domykiem",
         "Uchwyty mosiężne", "Pomiar", "Transport i wniesienie na trzecie piętro bez windy"],
        ("Kuchnia", "Spiżarnia"),
        "Zgodnie z rozmową z 12 listopada przesyłamy wycenę zabudowy kuchni.\nPomiar wykonamy w umówionym terminie.",
        "1. Cena obejmuje montaż.\n2. Gwarancja 24 miesiące.\n3. Zmiany zakresu wyceniamy osobno, na piśmie.\n"
        "4. Odbiór potwierdza protokół; usterki zgłoszone w ciągu siedmiu dni usuwamy bez opłat.",
        "4 tygodnie od zamówienia",
        "Zwolnienie na podstawie art. 113 ust. 1 ustawy o VAT.",
        ClientRecipient(
            "Wytwórnia Mebli Kuchennych i Biurowych sp. z o.o.", "ul. Przemysłowa 21\n30-702 Kraków", "PL6762345678",
            "zakupy@meble.example", "+48 12 345 67 89", "ul. Długa 5/7, 31-146 Kraków",
        ),
        ClientRecipient("Ewa Śmigły-Żak", "ul. Lipowa 3/12\n33-300 Nowy Sącz", "", "ewa@lipowa.example"),
        "Zabudowa kuchni",
        "Zabudowa kuchni z wyspą, spiżarnią i ławą przy oknie w mieszkaniu przy ulicy Lipowej, z poddaszem",
    ),
    "en": _Texts(
        replace(
            _WORKSHOP, name="Byrne & Joinery", tagline="Made to measure since 1987", crafter_name="Aoife Byrne",
            address="14 Mill Lane\nKilkenny R95 XA12", phone="+353 56 123 4567", email="office@byrnejoinery.example",
            website="https://byrnejoinery.example", tax_id="IE1234567FA", registration="CRO 512345",
            iban="IE29AIBK93115212345678", privacy_url="https://byrnejoinery.example/privacy/customers-and-orders",
            footer="Thank you for your trust.",
        ),
        ["Oak worktop, oiled", "Base units with veneered fronts", "Drawers with soft close", "Brass handles", "Survey",
         "Delivery to the third floor, without a lift"],
        ("Kitchen", "Pantry"),
        "As agreed on 12 November, here is our estimate for the kitchen.\nThe survey is on the day that we agreed.",
        "1. The price includes fitting.\n2. Guarantee of 24 months.\n3. Changes are priced apart, in writing.\n"
        "4. A record is signed on completion; faults named within seven days are mended without charge.",
        "4 weeks from the order",
        "Reverse charge: the customer accounts for the VAT.",
        ClientRecipient(
            "Kitchen and Office Furniture Makers of Leinster Ltd", "21 Industry Road\nDublin D02 AF30", "IE7654321AB",
            "buying@makers.example", "+353 1 234 5678", "5 Long Street, Dublin D08 XY12",
        ),
        ClientRecipient("Ellen Marsh-Doyle", "3 Lime Street, Flat 12\nKilkenny R95 AB34", "", "ellen@lime.example"),
        "Fitted kitchen",
        "Fitted kitchen with an island, a pantry and a bench below the window in the flat on Lime Street, with attic",
    ),
}  # fmt: skip
_QUANTITIES = (
    ("sqm", "890", "2.4"), ("linear_m", "1450", "3.6"), ("piece", "240.15", "6"), ("pair", "78.5", "9"),
    ("hour", "120", "2.5"), ("freeform", "400", "1"),
)  # fmt: skip


def _items(labels: list[str], count: int) -> list[Item]:
    found = []
    for at in range(count):
        unit, price, quantity = _QUANTITIES[at % 6]
        label = labels[at % 6] if count <= 6 else f"{labels[at % 6]}, {at + 1}"
        found.append(item(label, unit, price, quantity))  # type: ignore[arg-type] # one of the units
    return found


def documents() -> dict[str, EstimateDocument]:
    """The sixty by name, such as `pl-gross-30`."""
    return {f"{locale}-{name}": document for locale in _TEXTS for name, document in _of(locale, _TEXTS[locale])}


def _of(locale: DocumentLocale, texts: _Texts) -> Iterator[tuple[str, EstimateDocument]]:
    def made(count: int = 6, rates: Rates = NET, **fields: Any) -> EstimateDocument:
        usual = {
            "letterhead": texts.workshop, "name": texts.name, "number": "34/2026", "recipient": texts.person,
            "terms": texts.terms, "lead_time": texts.lead_time, "withdrawal": "bespoke",
        }  # fmt: skip
        items = _items(texts.labels, count)
        return estimate(items, locale=locale, rates=rates, **{**usual, **fields})

    labels = texts.labels
    two = {labels[4]: Tax(Decimal(8))}
    three = two | {labels[5]: Tax(Decimal(5))}
    sections = [Section(texts.sections[0], 0, 4, Decimal(0)), Section(texts.sections[1], 4, 2, Decimal(0))]
    deposit = {"deposit": Decimal(30), "deposit_kind": "earnest"}
    for count in (1, 6, 30, 120):
        yield f"net-{count}", made(count)
        yield f"gross-{count}", made(count, GROSS)
    yield "two-rates", made(rates=replace(NET, line_taxes=two), recipient=texts.firm)
    yield "two-rates-4", made(4, replace(NET, line_taxes={labels[3]: Tax(Decimal(8))}), recipient=texts.firm)
    yield "three-rates", made(rates=replace(NET, line_taxes=three))
    yield "three-rates-gross", made(rates=replace(GROSS, line_taxes=three))
    yield "exempt-part", made(rates=replace(GROSS, line_taxes={labels[4]: Tax("exempt")}))
    yield "outside-part", made(rates=replace(NET, line_taxes={labels[5]: Tax("outside")}))
    yield "exempt", made(rates=replace(NET, tax=None, tax_kind="exempt"), tax_note=texts.tax_note)
    charge = replace(NET, tax=None, tax_kind="reverse_charge")
    yield "reverse-charge", made(rates=charge, recipient=texts.firm, tax_note=texts.tax_note)
    yield "sections", made(sections=_summed(made(), sections))
    gross = made(rates=replace(SHOWN_GROSS, **deposit))
    yield "sections-deposit", replace(gross, sections=_summed(gross, sections), intro=texts.intro)
    shown = PdfExportOptions(show_markup=True, show_discount=True)
    yield "percentages", made(rates=replace(NET, markup=Decimal(10), discount=Decimal(5)), options=shown)
    yield "intro-4", made(4, intro=texts.intro)
    long = replace(texts.workshop, name=texts.workshop.name + " · " + texts.long_name[:60])
    yield "long-names", made(name=texts.long_name, letterhead=long, recipient=texts.firm)
    yield "long-names-30", made(30, name=texts.long_name, letterhead=long)
    yield "link", made(share_url="https://office.example.com/e/#bbl_" + "a1" * 24)
    yield "letter", made(paper_size="Letter", rates=GROSS)
    yield "withdrawal", made(rates=replace(GROSS, **deposit), withdrawal="start_early")
    for font in get_args(TitleFont):
        yield f"face-{font}", made(5, GROSS, letterhead=replace(texts.workshop, title_font=font))


def _summed(document: EstimateDocument, sections: list[Section]) -> list[Section]:
    return [
        replace(each, amount=sum((line.amount for line in document.lines[each.first :][: each.lines]), Decimal(0)))
        for each in sections
    ]
