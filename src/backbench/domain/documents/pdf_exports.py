"""PDF exports of a confirmed estimate: the record of an export, and the request for a new one."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.billing.plans import Plan
from backbench.domain.documents.documents import PdfExportOptions
from backbench.domain.documents.previews import allowed_options
from backbench.domain.estimating.document_titles import title_words
from backbench.domain.estimating.estimates import EstimateRevision
from backbench.domain.estimating.files import document_name
from backbench.domain.values.enums import DocumentLocale, DocumentTitle
from backbench.domain.values.times import Instant


class PdfExport(Struct, frozen=True, rename="camel"):
    """The record of a PDF. Its content is the file with the same id."""

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
    """Body of a request. Defaults: the latest revision, and the default toggles."""

    locale: DocumentLocale
    preliminary: bool
    toggles: PdfExportOptions | UnsetType = UNSET
    revision_number: Annotated[int, Meta(ge=1, le=2**31 - 1)] | UnsetType = UNSET

    def options(self, plan: Plan) -> PdfExportOptions:
        """The requested options, as far as the plan allows them."""
        return allowed_options(PdfExportOptions() if self.toggles is UNSET else self.toggles, plan)


_PRELIMINARY: dict[DocumentLocale, str] = {"pl": " (wstępna)", "en": " (preliminary)"}


def file_name(
    revision: EstimateRevision,
    locale: DocumentLocale,
    preliminary: bool,
    number: str = "",
    title: DocumentTitle = "estimate",
) -> str | UnsetType:
    """The name of the file, such as `Wycena 12-2026 Stół dębowy v2 (wstępna).pdf`. Preliminary is only an estimate."""
    kind = title_words("estimate" if preliminary else title, locale).name
    mark = _PRELIMINARY[locale] if preliminary else ""
    return document_name(kind, number, revision.name, f" v{revision.revision_number}{mark}.pdf")
