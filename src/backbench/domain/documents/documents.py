"""Estimate documents: the contents of the PDF that a workshop hands to its client.

An `EstimateDocument` is complete: rendering it needs no further rule, sum or clock. Its figures add up for every choice
of options: the lines to the subtotal, and the subtotal and the rows below it to the total.
"""

from datetime import date
from decimal import Decimal, localcontext

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.documents.figures import DocumentLine, DocumentSums, Rates, document_figures
from backbench.domain.estimating.confirmed_revisions import ConfirmedRevision, DocumentSnapshot
from backbench.domain.estimating.document_facts import DocumentFacts
from backbench.domain.values.enums import Breakdown, DocumentLocale, DocumentTitle, PaperSize, TitleFont, Withdrawal
from backbench.domain.values.money import EXACT
from backbench.domain.values.text import in_locale


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


class Recipient(Struct, frozen=True):
    """The client. `address` and `site_address`, where the work is done, may have several lines."""

    name: str = ""
    address: str = ""
    tax_id: str = ""
    email: str = ""
    phone: str = ""
    site_address: str = ""


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
    preliminary, and is otherwise what the client gets.
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
    share_url: str = ""
    title: DocumentTitle = "estimate"
    breakdown: Breakdown = "full"
    sections: list[Section] = []
    withdrawal: Withdrawal = "none"
    preview: bool = False

    @property
    def shown_breakdown(self) -> Breakdown:
        return self.breakdown if self.options.breakdown else "none"


def estimate_document(
    confirmed: ConfirmedRevision,
    options: PdfExportOptions,
    *,
    locale: DocumentLocale,
    preliminary: bool,
    logo_image: bytes | None = None,
) -> EstimateDocument:
    """A confirmed revision as a document, from nothing but what was stored with the revision, and the logo's file."""
    revision, terms, facts, snapshot = confirmed.revision, confirmed.terms, confirmed.facts, confirmed.snapshot
    lines, sums = document_figures(
        revision.line_items,
        terms.totals(revision),
        rates_of(confirmed, locale),
        show_markup=options.show_markup,
        show_discount=options.show_discount,
    )
    return EstimateDocument(
        letterhead=letterhead(snapshot, locale, logo_image),
        name=revision.name,
        recipient=recipient(confirmed.recipient_name, facts),
        revision_number=revision.revision_number,
        issued_on=snapshot.issued_on,
        valid_until=None if preliminary else snapshot.valid_until,
        locale=locale,
        preliminary=preliminary,
        options=options,
        currency=terms.currency,
        lines=lines,
        sums=sums,
        number=snapshot.number,
        intro=_text(facts.intro),
        terms=facts.terms_in(snapshot.settings, locale),
        lead_time=_text(facts.lead_time),
        tax_note=_text(facts.tax_note),
        paper_size=snapshot.settings.paper_size,
        title=facts.title(snapshot.settings),
        breakdown="full" if facts.breakdown is UNSET else facts.breakdown,
        sections=sections([item.id for item in revision.line_items], lines, facts),
        withdrawal=facts.withdrawal_in(snapshot.settings),
    )


def rates_of(confirmed: ConfirmedRevision, locale: DocumentLocale) -> Rates:
    """The percentages of a revision, its taxes and its deposit."""
    revision, terms = confirmed.revision, confirmed.terms
    return Rates(
        revision.markup_percent,
        revision.discount_percent,
        _or_none(terms.tax_percent),
        in_locale(terms.tax_label, locale),
        terms.line_taxes,
        _or_none(terms.deposit_percent),
        tax_kind=terms.tax_kind,
        deposit_amount=_or_none(terms.deposit_amount),
        deposit_kind=terms.deposit_kind,
        prices=terms.prices_shown,
        entered=terms.prices_entered,
        rules=confirmed.snapshot.rules,
    )


def sections(ids: list[str], lines: list[DocumentLine], facts: DocumentFacts) -> list[Section]:
    """The sections of the lines with these ids. Lines before the first heading are in none."""
    headings = {} if facts.sections is UNSET else facts.sections
    starts = [at for at, id_ in enumerate(ids) if id_ in headings]
    found = []
    for first, end in zip(starts, [*starts[1:], len(ids)], strict=False):
        part = lines[first:end]
        gross = [line.gross_amount for line in part if line.gross_amount is not None]
        with localcontext(EXACT):
            amount = sum((line.amount for line in part), Decimal(0))
            gross_amount = sum(gross, Decimal(0)) if gross else None
        found.append(Section(headings[ids[first]], first, len(part), amount, gross_amount))
    return found


def letterhead(snapshot: DocumentSnapshot, locale: DocumentLocale, logo_image: bytes | None) -> Letterhead:
    settings = snapshot.settings
    return Letterhead(
        name=snapshot.name,
        logo=snapshot.logo,
        tagline=snapshot.tagline_in(locale),
        crafter_name=snapshot.crafter_name,
        title_font=snapshot.title_font,
        accent_color=snapshot.accent_color,
        address=settings.address,
        phone=settings.phone,
        email=settings.email,
        tax_id=settings.tax_id,
        footer=settings.footer,
        website=_text(settings.website),
        registration=_text(settings.registration),
        iban=_text(settings.iban),
        logo_image=logo_image,
        show_logo=settings.show_logo,
        privacy_url=_text(settings.privacy_url),
    )


def recipient(name: str, facts: DocumentFacts) -> Recipient:
    return Recipient(
        name=name,
        address=_text(facts.recipient_address),
        tax_id=_text(facts.recipient_tax_id),
        email=_text(facts.recipient_email),
        phone=_text(facts.recipient_phone),
        site_address=_text(facts.site_address),
    )


def _text(value: str | UnsetType) -> str:
    return "" if value is UNSET else value


def _or_none(value: Decimal | UnsetType) -> Decimal | None:
    return None if value is UNSET else value
