"""Estimate documents: the contents of the PDF that a workshop hands to its client.

An `EstimateDocument` is complete: rendering it needs no further rule, sum or clock. Its figures add up for every choice
of options: the lines to the subtotal, and the subtotal and the rows below it to the total.
"""

from datetime import date
from decimal import Decimal

from msgspec import UNSET, Struct, UnsetType

from backbench.documents.figures import DocumentLine, DocumentSums
from backbench.values.enums import Breakdown, DocumentLocale, DocumentTitle, PaperSize, TitleFont, Withdrawal
from backbench.words import words


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
    privacy_url: str = ""


class ClientRecipient(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The client. `address` and `site_address`, where the work is done, may have several lines."""

    name: str = ""
    address: str = ""
    tax_id: str = ""
    email: str = ""
    phone: str = ""
    site_address: str = ""

    @property
    def is_firm(self) -> bool:
        return self.tax_id.strip() != ""


class Section(Struct, frozen=True):
    """A heading before the line at position `first`, and the sum of the `lines` from there on."""

    heading: str
    first: int
    lines: int
    amount: Decimal
    gross_amount: Decimal | None = None


class EstimateDocument(Struct, frozen=True):
    """Texts that are empty, and a `valid_until` that is None, are not printed.

    Every text is in the document's language. `intro`, `terms`, `lead_time` and `tax_note` may have several lines.
    `issued_on` is the date in the workshop's time zone. `lines` and `sums` are those of `document_figures`.
    `share_url` is the address of the page on which the client can accept the estimate. `breakdown` is that of the
    estimate, which the option of the same name can turn off; `sections` have lines to be before. A `preview` is marked
    preliminary, and is otherwise what the client gets. `texts` are those of its revision: what a later release
    has added to documents is not in those of an earlier one. Where it `offers_options`, a line with a quantity of 0 is
    one.
    """

    letterhead: Letterhead
    name: str
    recipient: ClientRecipient
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
    share_url: str = ""
    title: DocumentTitle = "estimate"
    breakdown: Breakdown = "full"
    sections: list[Section] = []
    withdrawal: Withdrawal = "none"
    preview: bool = False
    texts: int = 2
    offers_options: bool = True

    @property
    def is_for_firm(self) -> bool:
        """Without what only consumers have to know."""
        return self.texts > 1 and self.recipient.is_firm

    @property
    def has_withdrawal_form(self) -> bool:
        return self.texts > 1 and self.withdrawal in ("fourteen_days", "start_early")

    @property
    def withdrawal_sentence(self) -> str:
        own = words(self.locale)
        return (own.withdrawal if self.texts > 1 else own.withdrawal_without_form)[self.withdrawal]

    @property
    def shown_breakdown(self) -> Breakdown:
        return self.breakdown if self.options.breakdown else "none"


def _text(value: str | UnsetType) -> str:
    return "" if value is UNSET else value


def _or_none(value: Decimal | UnsetType) -> Decimal | None:
    return None if value is UNSET else value
