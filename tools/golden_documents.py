"""Example documents of the guide: estimates and a certificate, as their templates get them."""

import math
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from backbench.domain.documents.certificates import CertificateDocument
from backbench.domain.documents.documents import EstimateDocument, Letterhead, PdfExportOptions, Recipient
from backbench.domain.documents.figures import Rates, document_figures
from backbench.domain.values.enums import LineItemUnit, TitleFont
from backbench.domain.values.money import total


class Line(NamedTuple):
    label: str
    unit: LineItemUnit
    price: str
    amount: str

    @property
    def id(self) -> str:
        return self.label

    @property
    def unit_price(self) -> Decimal:
        return Decimal(self.price)

    @property
    def quantity(self) -> Decimal:
        return Decimal(self.amount)


KITCHEN = [
    Line("Blat dębowy olejowany, grubość 40 mm, krawędzie fazowane", "sqm", "890", "2.4"),
    Line("Szafki dolne z płyty fornirowanej dębem", "linear_m", "1450", "3.6"),
    Line("Szafki górne do sufitu, fronty lakierowane mat", "linear_m", "1180", "2.8"),
    Line("Szuflady z cichym domykiem", "piece", "240", "6"),
    Line("Uchwyty mosiężne", "pair", "78.5", "9"),
    Line("Montaż zlewu i baterii", "job", "350", "1"),
    Line("Pomiar i projekt", "hour", "120", "2.5"),
    Line("Transport i wniesienie", "freeform", "400", "1"),
    Line("Cokół drewniany wraz z kratką wentylacyjną, malowany na kolor ściany po uzgodnieniu odcienia "
         "z klientem na podstawie próbki", "linear_m", "95", "6.4"),
]  # fmt: skip
CHAIRS = [
    Line("Reupholster wingback chair, seat and back", "piece", "420", "2"),
    Line("Wool fabric, herringbone", "linear_m", "64", "7.5"),
    Line("New webbing and horsehair filling", "job", "180", "1"),
    Line("Hand-stitched piping", "linear_m", "18.5", "11"),
    Line("Workshop hours", "hour", "48", "12"),
]
STOLARNIA = Letterhead(
    name="Stolarnia Dębowa",
    logo="🪵",
    tagline="Meble na wymiar z litego drewna",
    crafter_name="Jan Kowalczyk",
    title_font="serif",
    accent_color="#2F5D50",
    address="ul. Młyńska 14, 33-300 Nowy Sącz",
    phone="+48 600 123 456",
    email="jan@stolarniadebowa.pl",
    tax_id="7342938841",
    footer="Konto: PL61 1090 1014 0000 0712 1981 2874 · Zaliczka 40% przy zamówieniu, reszta po montażu.",
)
HARROW = Letterhead(
    name="Harrow & Thread",
    logo="🪑",
    tagline="Traditional upholstery, made to last",
    crafter_name="Ellen Marsh",
    title_font="didone",
    accent_color="#8A3324",
    address="3 Tannery Yard, Lewes BN7 2AN",
    phone="+44 1273 555 018",
    email="ellen@harrowandthread.co.uk",
    tax_id="GB 123 4567 89",
    footer="Deposit of 30% on acceptance. Fabric is ordered once the estimate is signed.",
)
BATHROOM = [
    Line("Skucie starych płytek i wywóz gruzu", "job", "1200", "1"),
    Line("Hydroizolacja podpłytkowa", "sqm", "65", "9.35"),
    Line("Układanie płytek 60 × 120 cm", "sqm", "210", "24.8"),
    Line("Biały montaż", "piece", "180", "4"),
    Line("Konsultacja i pomiar w domu klienta", "hour", "0", "2"),
    Line("Ogrzewanie podłogowe elektryczne", "sqm", "240", "0"),
    Line("Szafka pod umywalkę na wymiar, dąb olejowany", "piece", "2150", "1"),
]
GLAZURA = Letterhead(
    name="Glazura i Fuga",
    logo="🧱",
    tagline="Łazienki od projektu po fugę",
    crafter_name="Marek Zieliński",
    accent_color="#1F5673",
    address="ul. Rzemieślnicza 14 lok. 3\n05-500 Piaseczno",
    phone="+48 602 345 678",
    email="biuro@glazuraifuga.pl",
    website="glazuraifuga.pl",
    tax_id="1231234567",
    registration="REGON 123456785",
    iban="PL61109010140000071219812874",
)
EVERYTHING = PdfExportOptions(show_markup=True, show_discount=True)
FONTS: list[tuple[TitleFont, str]] = [
    ("sans", "#C8501E"),
    ("serif", "#7B1E3A"),
    ("didone", "#123C69"),
    ("mono", "#2E6B2E"),
    ("rounded", "#FFE94A"),
]


def kitchen(lines: Sequence[Line], rates: Rates, options: PdfExportOptions, letterhead: Letterhead) -> EstimateDocument:
    totals = total(
        lines, markup_percent=rates.markup, discount_percent=rates.discount, tax_percent=rates.tax, currency="PLN"
    )
    shown, sums = document_figures(
        lines, totals, rates, show_markup=options.show_markup, show_discount=options.show_discount
    )
    return EstimateDocument(
        letterhead=letterhead,
        name="Zabudowa kuchni z blatem dębowym",
        recipient=Recipient("Anna i Piotr Wiśniewscy"),
        revision_number=2,
        issued_on=date(2026, 11, 21),
        valid_until=date(2026, 12, 21),
        locale="pl",
        preliminary=False,
        options=options,
        currency="PLN",
        lines=shown,
        sums=sums,
    )


def chairs() -> EstimateDocument:
    rates = Rates(Decimal(0), Decimal(5), Decimal(20))
    totals = total(CHAIRS, markup_percent=rates.markup, discount_percent=rates.discount, tax_percent=rates.tax,
                   currency="GBP")  # fmt: skip
    lines, sums = document_figures(CHAIRS, totals, rates, show_markup=True, show_discount=True)
    return replace(
        kitchen([], rates, EVERYTHING, HARROW),
        name="Pair of wingback chairs",
        recipient=Recipient("Margaret Whitlock"),
        locale="en",
        preliminary=True,
        currency="GBP",
        lines=lines,
        sums=sums,
    )


def bathroom() -> EstimateDocument:
    """With every fact: an image as logo, two tax rates, a deposit and terms."""
    rates = Rates(
        Decimal(12), Decimal(0), Decimal(8), line_taxes={BATHROOM[-1].label: Decimal(23)}, deposit=Decimal(30)
    )
    totals = total(BATHROOM, markup_percent=rates.markup, discount_percent=rates.discount, tax_percent=rates.tax,
                   currency="PLN", line_taxes=rates.line_taxes)  # fmt: skip
    lines, sums = document_figures(BATHROOM, totals, rates, show_markup=False, show_discount=False)
    return replace(
        kitchen([], rates, PdfExportOptions(), GLAZURA),
        name="Remont łazienki w mieszkaniu",
        number="12/2026",
        recipient=Recipient(
            "Halina i Zbigniew Nowakowie",
            "ul. Polna 7 m. 4\n05-500 Piaseczno",
            email="h.nowak@example.com",
            phone="+48 601 222 333",
            site_address="ul. Leśna 2\n05-501 Mysiadło",
        ),
        intro="Dziękujemy za rozmowę i możliwość obejrzenia łazienki. Poniżej wycena prac z materiałem.",
        lead_time="3 tygodnie od wpłaty zaliczki.",
        tax_note="Stawka VAT 8% dotyczy prac w lokalu mieszkalnym.",
        terms="Na wykonane prace udzielamy 24 miesięcy gwarancji.",
        lines=lines,
        sums=sums,
    )


def certificate() -> CertificateDocument:
    """Of an acceptance with a drawn signature."""
    wave = [(8.0 * step, 40 - 30 * math.sin(step / 1.4) * (1 - step / 30)) for step in range(24)]
    return CertificateDocument(
        locale="en",
        paper_size="A4",
        time_zone="Europe/London",
        letterhead=HARROW,
        estimate_name="Pair of wingback chairs",
        recipient_name="Margaret Whitlock",
        number="47/2026",
        revision_number=2,
        currency="GBP",
        total=Decimal("2461.86"),
        outcome="accepted",
        method="link",
        name="Margaret Whitlock",
        reason="",
        decision_id="0192f0c4-7a2e-7b11-9d3c-5a1f2e3d4c5b",
        decided_at="2026-11-22T09:41:07.000Z",
        recorded_at="2026-11-22T09:41:07.000Z",
        recorded_by="",
        document_hash="4fcf3ae40dc003cae308ddb699a0d2524bada9bf2dacc1f4f7306989e39adf92",
        pdf_hash="9b0a8d1fb1d1e6b1c7a2d7e0f5a3c4e8d6b2918f7a5c3e1d0b9f8e7d6c5b4a39",
        consent="I accept this estimate and order the work described in it.",
        signature="drawn",
        strokes=[wave, [(200.0, 30.0), (214.0, 22.0)]],
        address="203.0.113.7",
        user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1",
        openings=3,
        first_opened_at="2026-11-21T18:02:11.000Z",
        last_opened_at="2026-11-22T09:39:50.000Z",
        voided_at=None,
        voided_by="",
        void_reason="",
    )
