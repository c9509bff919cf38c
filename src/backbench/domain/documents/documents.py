"""Estimate documents: the contents of the PDF that a workshop hands to its client.

An `EstimateDocument` is complete: rendering it needs no further rule, sum or clock. Its figures add up for every choice
of options: the lines to the subtotal, and the subtotal and the rows below it to the total.
"""

from datetime import date
from typing import Literal

from msgspec import UNSET, Struct

from backbench.domain.documents.figures import DocumentLine, DocumentSums, Rates, document_figures
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import ConfirmedRevision
from backbench.domain.values import times
from backbench.domain.values.enums import DocumentLocale, TitleFont
from backbench.domain.workshops.workshops import StoredWorkshop

PaperSize = Literal["A4", "Letter"]


class PdfExportOptions(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Which parts of an estimate the client sees.

    breakdown: the lines; without it there is one line with the estimate's name and the subtotal.
    show_markup, show_discount: a row for each; otherwise the line prices include it.
    """

    breakdown: bool = True
    show_markup: bool = False
    show_discount: bool = False
    show_recipient: bool = True
    show_brand_mark: bool = True


class Letterhead(Struct, frozen=True):
    """The workshop. `logo` is one emoji, `accent_color` is #RRGGBB. Empty texts are not printed.

    `logo_image` is a PNG, JPEG or WebP that is printed instead of the emoji; without `show_logo` there is neither.
    `address` and `footer` may have several lines. `iban` is printed in groups of four.
    """

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
    website: str = ""
    registration: str = ""
    iban: str = ""
    logo_image: bytes | None = None
    show_logo: bool = True


class Recipient(Struct, frozen=True):
    """The client. `address` and `site_address`, where the work is done, may have several lines."""

    name: str = ""
    address: str = ""
    tax_id: str = ""
    email: str = ""
    phone: str = ""
    site_address: str = ""


class EstimateDocument(Struct, frozen=True):
    """Texts that are empty, and a `valid_until` that is None, are not printed.

    Every text is in the document's language. `intro`, `terms`, `lead_time` and `tax_note` may have several lines.
    `issued_on` is the date in the workshop's time zone. `lines` and `sums` are those of `document_figures`.
    """

    letterhead: Letterhead
    name: str
    recipient: Recipient
    revision_number: int
    issued_on: date
    valid_until: date | None
    locale: DocumentLocale
    preliminary: bool
    options: PdfExportOptions
    currency: str
    lines: list[DocumentLine]
    sums: DocumentSums
    number: str = ""
    intro: str = ""
    terms: str = ""
    lead_time: str = ""
    tax_note: str = ""
    paper_size: PaperSize = "A4"


def estimate_document(
    workshop: StoredWorkshop,
    settings: DocumentSettings,
    confirmed: ConfirmedRevision,
    options: PdfExportOptions,
    *,
    locale: DocumentLocale,
    preliminary: bool,
) -> EstimateDocument:
    """A confirmed revision as a document: the revision's own sums, and the workshop's present letterhead."""
    revision = confirmed.revision
    terms = confirmed.terms or settings.terms
    issued_on = times.parse(revision.created_at).date()
    tax = None if terms.tax_percent is UNSET else terms.tax_percent
    rates = Rates(revision.markup_percent, revision.discount_percent, tax, terms.tax_label)
    lines, sums = document_figures(
        revision.line_items,
        terms.totals(revision),
        rates,
        show_markup=options.show_markup,
        show_discount=options.show_discount,
    )
    return EstimateDocument(
        letterhead=letterhead(workshop, settings),
        name=revision.name,
        recipient=Recipient(confirmed.recipient_name),
        revision_number=revision.revision_number,
        issued_on=issued_on,
        valid_until=settings.valid_until(issued_on),
        locale=locale,
        preliminary=preliminary,
        options=options,
        currency=terms.currency,
        lines=lines,
        sums=sums,
    )


def letterhead(workshop: StoredWorkshop, settings: DocumentSettings) -> Letterhead:
    return Letterhead(
        name=workshop.name,
        logo=workshop.logo,
        tagline=workshop.tagline,
        crafter_name=workshop.crafter_name,
        title_font=workshop.title_font,
        accent_color=workshop.accent_color,
        address=settings.address,
        phone=settings.phone,
        email=settings.email,
        tax_id=settings.tax_id,
        footer=settings.footer,
    )
