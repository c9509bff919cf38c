"""PDF exports: the paper that was made of a confirmed estimate, in which language and with what on it."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.domain.billing.plans import Plan
from backbench.domain.documents.documents import EstimateDocument, Letterhead, PdfExportOptions, Rates, document_figures
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import ConfirmedRevision, EstimateRevision
from backbench.domain.estimating.files import safe_name
from backbench.domain.values import times
from backbench.domain.values.enums import DocumentLocale
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import StoredWorkshop


class PdfExport(Struct, frozen=True, rename="camel"):
    """It never carries the bytes; those are a file of the same id."""

    id: str
    revision_number: int
    toggles: PdfExportOptions
    generated_at: Instant
    created_by_uid: str
    locale: DocumentLocale | UnsetType = UNSET
    preliminary: bool | UnsetType = UNSET


class PdfExportsList(Struct, frozen=True, rename="camel"):
    pdf_exports: list[PdfExport]


class NewPdfExport(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Of the latest revision, unless another is named; toggles that are left out are as usual."""

    locale: DocumentLocale
    preliminary: bool
    toggles: PdfExportOptions | UnsetType = UNSET
    revision_number: Annotated[int, Meta(ge=1, le=2**31 - 1)] | UnsetType = UNSET

    def options(self, plan: Plan) -> PdfExportOptions:
        """As they were asked for, with the brand mark where the plan has it always on."""
        asked = PdfExportOptions() if self.toggles is UNSET else self.toggles
        return asked if plan.may_hide_brand_mark else structs.replace(asked, show_brand_mark=True)

    def paper(
        self,
        workshop: StoredWorkshop,
        settings: DocumentSettings,
        confirmed: ConfirmedRevision,
        options: PdfExportOptions,
    ) -> EstimateDocument:
        """All that stands on it. The sums are those of the revision; the letterhead is the workshop's present one."""
        revision = confirmed.revision
        terms = confirmed.terms or settings.terms
        issued_on = times.parse(revision.created_at).date()
        tax = None if terms.tax_percent is UNSET else terms.tax_percent
        rates = Rates(revision.markup_percent, revision.discount_percent, tax, terms.tax_label)
        lines, sums = document_figures(revision.line_items, terms.totals(revision), rates, options)
        return EstimateDocument(
            letterhead=letterhead(workshop, settings),
            name=revision.name,
            recipient_name=confirmed.recipient_name,
            revision_number=revision.revision_number,
            issued_on=issued_on,
            valid_until=settings.valid_until(issued_on),
            locale=self.locale,
            preliminary=self.preliminary,
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


def file_name(revision: EstimateRevision) -> str | UnsetType:
    """What the paper is called once it is saved: Kitchen 2.pdf is the second revision of the kitchen."""
    return safe_name(f"{revision.name[:230]} {revision.revision_number}.pdf")
