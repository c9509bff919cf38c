"""Sample documents: the estimate of a kitchen and a certificate, with the differences that a test needs."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from backbench.documents.certificates import CertificateDocument
from backbench.documents.documents import ClientRecipient, EstimateDocument, Letterhead, PdfExportOptions
from backbench.documents.figures import Rates, document_figures
from backbench.values.enums import DocumentLocale, LineItemUnit
from backbench.values.money import total


class Item(NamedTuple):
    id: str
    label: str
    unit: LineItemUnit
    unit_price: Decimal
    quantity: Decimal


def item(label: str, unit: LineItemUnit = "piece", unit_price: str = "10", quantity: str = "1") -> Item:
    return Item(label, label, unit, Decimal(unit_price), Decimal(quantity))


KITCHEN = [
    item("Oak worktop", "sqm", "890", "2.4"),
    item("Base units", "linear_m", "1450", "3.6"),
    item("Drawers", "piece", "240.15", "6"),
    item("Brass handles", "pair", "78.5", "9"),
    item("Survey", "hour", "120", "2.5"),
    item("Delivery", "freeform", "400", "1"),
]
WORKSHOP = Letterhead(
    name="Stolarnia Dębowa",
    logo="🪵",
    tagline="Meble na wymiar",
    crafter_name="Jan Kowalczyk",
    title_font="serif",
    accent_color="#2F5D50",
    address="ul. Młyńska 14, Nowy Sącz",
    phone="+48 600 123 456",
    email="jan@debowa.example",
    tax_id="7342938841",
    footer="Zaliczka 40% przy zamówieniu.",
)
NO_RATES = Rates(Decimal(0), Decimal(0))


STROKES = [[(10.0, 40.0), (14.5, 12.0), (22.0, 38.5)], [(30.0, 30.0)]]
# A certificate of an acceptance.
ACCEPTED = CertificateDocument(
    locale="en",
    paper_size="A4",
    time_zone="Europe/Warsaw",
    letterhead=WORKSHOP,
    estimate_name="Oak kitchen",
    number="12/2026",
    revision_number=2,
    currency="EUR",
    total=Decimal("1842.5"),
    outcome="accepted",
    method="link",
    name="Anna Wiśniewska",
    reason="",
    decision_id="0192f0c4-7a2e-7b11-9d3c-5a1f2e3d4c5b",
    decided_at="2026-11-22T08:41:07.123Z",
    recorded_at="2026-11-22T08:41:07.123Z",
    recorded_by="",
    document_hash="d0" * 32,
    pdf_hash="e1" * 32,
    consent="I accept this estimate and order the work.",
    signature="drawn",
    strokes=STROKES,
    address="203.0.113.7",
    user_agent="Mozilla/5.0 (iPhone)",
    openings=3,
    first_opened_at="2026-11-21T18:02:11.000Z",
    last_opened_at="2026-11-22T08:39:50.000Z",
    voided_at=None,
    voided_by="",
    void_reason="",
)


def estimate(
    items: Sequence[Item] = KITCHEN,
    *,
    locale: DocumentLocale = "en",
    options: PdfExportOptions | None = None,
    rates: Rates = NO_RATES,
    currency: str = "PLN",
    **fields: Any,
) -> EstimateDocument:
    options = options or PdfExportOptions()
    totals = total(
        items,
        markup_percent=rates.markup,
        discount_percent=rates.discount,
        tax_percent=rates.tax,
        currency=currency,
        tax_kind=rates.tax_kind,
        line_taxes=rates.line_taxes,
        prices_entered=rates.entered,
        computed="gross" if rates.sums_gross else "net",
    )
    lines, sums = document_figures(
        items, totals, rates, show_markup=options.show_markup, show_discount=options.show_discount
    )
    defaults = {
        "letterhead": WORKSHOP,
        "name": "Zabudowa kuchni",
        "recipient": ClientRecipient("Anna Wiśniewska"),
        "revision_number": 3,
        "issued_on": date(2026, 11, 21),
        "valid_until": date(2026, 12, 21),
        "preliminary": False,
    }
    shape = {**defaults, **fields}
    return EstimateDocument(locale=locale, options=options, currency=currency, lines=lines, sums=sums, **shape)
