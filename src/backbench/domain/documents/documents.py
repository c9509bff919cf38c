"""Documents: what stands on the paper that a workshop hands to its client.

An `EstimateDocument` is complete: whoever draws it needs no rule, no sum and no clock. Its figures add up as a
client would add them: lines to the subtotal, subtotal and rows to the total, whatever is shown.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Protocol

from msgspec import UNSET, Struct

from backbench.domain.values.enums import DocumentLocale, LineItemUnit, TitleFont
from backbench.domain.values.money import Priced, Totals, printed_amounts


class PdfExportOptions(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What of an estimate the client sees.

    breakdown: the lines; without them one line bears the estimate's name and their sum.
    show_markup, show_discount: as a row of its own; otherwise it is inside the line prices.
    """

    breakdown: bool = True
    show_markup: bool = False
    show_discount: bool = False
    show_recipient: bool = True
    show_brand_mark: bool = True


class Letterhead(Struct, frozen=True):
    """Who hands the paper out. `logo` is one emoji, `accent_color` #RRGGBB; empty texts are left out."""

    name: str
    logo: str
    tagline: str = ""
    crafter_name: str = ""
    title_font: TitleFont = "sans"
    accent_color: str | None = None
    address: str = ""
    phone: str = ""
    email: str = ""
    tax_id: str = ""
    footer: str = ""


class DocumentLine(Struct, frozen=True):
    """`unit_price` is None where a rounded one would contradict `amount`."""

    label: str
    unit: LineItemUnit
    quantity: Decimal
    unit_price: Decimal | None
    amount: Decimal


class DocumentRow(Struct, frozen=True):
    """Markup, discount or tax: `percent` of the figure above it; `amount` of a discount is positive."""

    percent: Decimal
    amount: Decimal


class DocumentSums(Struct, frozen=True):
    """Rows that are None do not appear. `tax_label` is the workshop's own word, or "" for the locale's."""

    subtotal: Decimal
    markup: DocumentRow | None
    discount: DocumentRow | None
    net: Decimal
    tax: DocumentRow | None
    tax_label: str
    total: Decimal


class EstimateDocument(Struct, frozen=True):
    letterhead: Letterhead
    name: str
    recipient_name: str
    revision_number: int
    issued_on: date
    valid_until: date | None
    locale: DocumentLocale
    preliminary: bool
    options: PdfExportOptions
    currency: str
    lines: list[DocumentLine]
    sums: DocumentSums


class Item(Priced, Protocol):
    """A line item, as far as paper is concerned."""

    @property
    def label(self) -> str: ...
    @property
    def unit(self) -> LineItemUnit: ...


class Rates(Struct, frozen=True):
    """The percentages of an estimate and of its workshop's tax."""

    markup: Decimal
    discount: Decimal
    tax: Decimal | None = None
    tax_label: str = ""


def document_figures(
    items: Sequence[Item], totals: Totals, rates: Rates, options: PdfExportOptions
) -> tuple[list[DocumentLine], DocumentSums]:
    """The lines and sums of an `EstimateDocument`, with what is not to be shown inside the line prices."""
    shown = printed_amounts(
        items,
        totals,
        discount_percent=rates.discount,
        show_markup=options.show_markup,
        show_discount=options.show_discount,
    )
    lines = [
        DocumentLine(item.label, item.unit, item.quantity, line.unit_price, line.amount)
        for item, line in zip(items, shown.lines, strict=True)
    ]
    sums = DocumentSums(
        subtotal=shown.subtotal,
        markup=_row(rates.markup, shown.markup),
        discount=_row(rates.discount, shown.discount),
        net=totals.net,
        tax=None if totals.tax is UNSET or rates.tax is None else DocumentRow(rates.tax, totals.tax),
        tax_label=rates.tax_label,
        total=totals.total,
    )
    return lines, sums


def _row(percent: Decimal, amount: Decimal | None) -> DocumentRow | None:
    """No row says "discount 0%"."""
    return None if amount is None or not percent else DocumentRow(percent, amount)
