"""Sample documents: the estimate of a kitchen, with the differences that a test needs."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from backbench.domain.documents.documents import EstimateDocument, Letterhead, PdfExportOptions, Recipient
from backbench.domain.documents.figures import Rates, document_figures
from backbench.domain.values.enums import DocumentLocale, LineItemUnit
from backbench.domain.values.money import total


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
        line_taxes=rates.line_taxes,
    )
    lines, sums = document_figures(
        items, totals, rates, show_markup=options.show_markup, show_discount=options.show_discount
    )
    defaults = {
        "letterhead": WORKSHOP,
        "name": "Zabudowa kuchni",
        "recipient": Recipient("Anna Wiśniewska"),
        "revision_number": 3,
        "issued_on": date(2026, 11, 21),
        "valid_until": date(2026, 12, 21),
        "preliminary": False,
    }
    shape = {**defaults, **fields}
    return EstimateDocument(locale=locale, options=options, currency=currency, lines=lines, sums=sums, **shape)
