"""Example documents of the guide, as their templates get them."""

import math
from collections.abc import Sequence
from datetime import date
from decimal import Decimal, localcontext

from msgspec.structs import replace
from tests.integrations.pdf.sample_documents import ACCEPTED, Item, estimate, item
from tests.integrations.pdf.sample_receipts import receipt

from backbench.documents.certificates import CertificateDocument
from backbench.documents.documents import ClientRecipient, EstimateDocument, Letterhead, PdfExportOptions, Section
from backbench.documents.figures import Rates
from backbench.documents.receipts import ReceiptDocument
from backbench.documents.slips import SlipDocument, SlipMoney
from backbench.values.enums import TitleFont
from backbench.values.money import EXACT
from backbench.values.taxes import Tax

KITCHEN = [
    item("Blat dębowy olejowany, grubość 40 mm, krawędzie fazowane", "sqm", "890", "2.4"),
    item("Szafki dolne z płyty fornirowanej dębem", "linear_m", "1450", "3.6"),
    item("Szafki górne do sufitu, fronty lakierowane mat", "linear_m", "1180", "2.8"),
    item("Szuflady z cichym domykiem", "piece", "240", "6"),
    item("Uchwyty mosiężne", "pair", "78.5", "9"),
    item("Montaż zlewu i baterii", "job", "350", "1"),
    item("Pomiar i projekt", "hour", "120", "2.5"),
    item("Transport i wniesienie", "freeform", "400", "1"),
    item("Cokół drewniany wraz z kratką wentylacyjną, malowany na kolor ściany po uzgodnieniu odcienia "
         "z klientem na podstawie próbki", "linear_m", "95", "6.4"),
]  # fmt: skip
CHAIRS = [
    item("Reupholster wingback chair, seat and back", "piece", "420", "2"),
    item("Wool fabric, herringbone", "linear_m", "64", "7.5"),
    item("New webbing and horsehair filling", "job", "180", "1"),
    item("Hand-stitched piping", "linear_m", "18.5", "11"),
    item("Workshop hours", "hour", "48", "12"),
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
    item("Skucie starych płytek i wywóz gruzu", "job", "1200", "1"),
    item("Hydroizolacja podpłytkowa", "sqm", "65", "9.35"),
    item("Układanie płytek 60 × 120 cm", "sqm", "210", "24.8"),
    item("Biały montaż", "piece", "180", "4"),
    item("Konsultacja i pomiar w domu klienta", "hour", "0", "2"),
    item("Ogrzewanie podłogowe elektryczne", "sqm", "240", "0"),
    item("Szafka pod umywalkę na wymiar, dąb olejowany", "piece", "2150", "1"),
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


def kitchen(items: Sequence[Item], rates: Rates, options: PdfExportOptions, letterhead: Letterhead) -> EstimateDocument:
    return estimate(
        items,
        locale="pl",
        options=options,
        rates=rates,
        letterhead=letterhead,
        name="Zabudowa kuchni z blatem dębowym",
        recipient=ClientRecipient("Anna i Piotr Wiśniewscy"),
        revision_number=2,
    )


def chairs() -> EstimateDocument:
    return estimate(
        CHAIRS,
        options=EVERYTHING,
        rates=Rates(Decimal(0), Decimal(5), Decimal(20)),
        currency="GBP",
        letterhead=HARROW,
        name="Pair of wingback chairs",
        recipient=ClientRecipient("Margaret Whitlock"),
        revision_number=2,
        preliminary=True,
    )


def bathroom() -> EstimateDocument:
    """With every fact: an image as logo, two tax rates, a deposit and terms."""
    return estimate(
        BATHROOM,
        locale="pl",
        rates=Rates(
            Decimal(12), Decimal(0), Decimal(8), line_taxes={BATHROOM[-1].id: Tax(Decimal(23))}, deposit=Decimal(30)
        ),
        letterhead=GLAZURA,
        name="Remont łazienki w mieszkaniu",
        number="12/2026",
        revision_number=2,
        recipient=ClientRecipient(
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
        withdrawal="fourteen_days",
    )


def furniture() -> EstimateDocument:
    """An offer in gross prices: sections, an earnest deposit, and all that is below the sums."""
    document = estimate(
        KITCHEN[1:6],
        locale="pl",
        rates=Rates(
            Decimal(0), Decimal(0), Decimal(23), deposit_amount=Decimal(5000), deposit_kind="earnest", prices="gross"
        ),
        letterhead=replace(STOLARNIA, iban="PL61109010140000071219812874", footer=""),
        name="Zabudowa kuchni",
        number="18/2026",
        recipient=ClientRecipient("Anna Wiśniewska", "ul. Polna 7\n05-500 Piaseczno"),
        title="quotation",
        lead_time="4–6 tygodni",
        terms="1. Zmiany zakresu uzgadniamy pisemnie albo e-mailem.\n2. Gwarancja: 24 miesiące.",
        withdrawal="bespoke",
    )
    with localcontext(EXACT):
        parts = [("Szafki", 0, 2), ("Wyposażenie", 2, 3)]
        sums = [sum((line.amount for line in document.lines[at : at + count]), Decimal(0)) for _, at, count in parts]
    sections = [Section(heading, at, count, amount) for (heading, at, count), amount in zip(parts, sums, strict=True)]
    return replace(document, sections=sections)


def exempt() -> EstimateDocument:
    """An estimate under reverse charge, in English."""
    return estimate(
        CHAIRS,
        rates=Rates(Decimal(0), Decimal(0), tax_kind="reverse_charge", deposit=Decimal(40)),
        currency="EUR",
        letterhead=HARROW,
        name="Pair of wingback chairs",
        recipient=ClientRecipient("Atelier Brun GmbH", "Lange Gasse 4\n1080 Wien", "ATU12345678"),
        number="48/2026",
        tax_note="VAT reverse charge: Article 196 of Directive 2006/112/EC.",
    )


def earnest_money() -> ReceiptDocument:
    """The receipt of a deposit that the estimate calls earnest money."""
    return receipt(
        kind="deposit", deposit_kind="earnest", method="transfer", amount=Decimal(5000), paid=Decimal(5000),
        agreed=Decimal("23518.85"), due=Decimal("18518.85"), customer_name="Anna Wiśniewska",
    )  # fmt: skip


def slip() -> SlipDocument:
    """On A5, for a chair that was left at an upholsterer."""
    return SlipDocument(
        format="a5", locale="en", workshop_name="Harrow & Daughter", number=214, piece=1, pieces=2,
        workshop_contact=["3 Canal Street", "Bath BA1 2AB", "+44 1225 555 0134", "Mon–Fri 9–17"],
        title="Pair of wingback chairs", customer_name="Margaret Whitlock", phone="+44 7700 900 461",
        description="Wingback chair, oak frame, green velvet", condition="Left arm loose, seat torn at the front",
        serial="Parker Knoll 1123", place="Rack C2", received_on=date(2026, 11, 22), due_on=date(2026, 12, 18),
        due_time="", price_limit=None, currency="GBP", address=f"https://office.example.com/o/#bbo_{'a1' * 24}",
        money=SlipMoney("GBP", Decimal(640), Decimal(200), Decimal(440)), tax_id="GB 123 4567 89",
        terms="Kept free of charge for 60 days after the day on this slip, then for £2 a day. Please bring the slip.",
    )  # fmt: skip


def certificate() -> CertificateDocument:
    """Of an acceptance with a drawn signature."""
    wave = [(8.0 * step, 40 - 30 * math.sin(step / 1.4) * (1 - step / 30)) for step in range(24)]
    return replace(
        ACCEPTED,
        time_zone="Europe/London",
        letterhead=HARROW,
        estimate_name="Pair of wingback chairs",
        recipient_name="Margaret Whitlock",
        number="47/2026",
        currency="GBP",
        total=Decimal("2461.86"),
        name="Margaret Whitlock",
        decided_at="2026-11-22T09:41:07.000Z",
        recorded_at="2026-11-22T09:41:07.000Z",
        document_hash="4fcf3ae40dc003cae308ddb699a0d2524bada9bf2dacc1f4f7306989e39adf92",
        pdf_hash="9b0a8d1fb1d1e6b1c7a2d7e0f5a3c4e8d6b2918f7a5c3e1d0b9f8e7d6c5b4a39",
        consent="I accept this estimate and order the work described in it.",
        strokes=[wave, [(200.0, 30.0), (214.0, 22.0)]],
        user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1",
        last_opened_at="2026-11-22T09:39:50.000Z",
    )
