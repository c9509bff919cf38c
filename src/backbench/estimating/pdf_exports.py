"""PDF exports of a confirmed estimate: the record of an export, and the request for a new one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench.billing.plans import Plan
from backbench.documents.documents import PdfExportOptions
from backbench.documents.titles import document_name, title_words
from backbench.engine.database import Database, Read, Write
from backbench.engine.lists import NewestFirst
from backbench.engine.rows import columns
from backbench.estimating import files, revisions
from backbench.estimating.document_facts import EstimateRef
from backbench.estimating.documents import PlannedDocument, of_revision
from backbench.estimating.estimates import EstimateRevision
from backbench.estimating.file_types import StoredFile
from backbench.estimating.files import add as files_add
from backbench.estimating.files import pdf_in_use, require_readable
from backbench.estimating.revisions import ConfirmedRevision
from backbench.estimating.stored_blobs import once, written_blob
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.http.streaming import file_or_range
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.enums import DocumentLocale, DocumentTitle
from backbench.values.errors import Conflict, FieldError, NotFound, ValidationError
from backbench.values.pagination import Page, PageQuery
from backbench.values.times import Instant
from backbench.words import words
from backbench.workshops import workshops
from backbench.workshops.audit import Audited


def allowed_options(requested: PdfExportOptions, plan: Plan) -> PdfExportOptions:
    """The brand mark is always on in plans that may not hide it."""
    return requested if plan.may_hide_brand_mark else structs.replace(requested, show_brand_mark=True)


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


def file_name(
    revision: EstimateRevision,
    locale: DocumentLocale,
    preliminary: bool,
    number: str = "",
    title: DocumentTitle = "estimate",
) -> str | UnsetType:
    """The name of the file, such as `Wycena 12-2026 Stół dębowy v2 (wstępna).pdf`. Preliminary is only an estimate."""
    kind = title_words("estimate" if preliminary else title, locale).title
    mark = words(locale).names.preliminary_file if preliminary else ""
    return document_name(kind, number, revision.name, f" v{revision.revision_number}{mark}.pdf")


# Statements


_COLUMNS = columns(PdfExport)


async def exists(db: Read, pdf_export_id: str, estimate_id: str) -> bool:
    """Whether the estimate has this PDF export."""
    found = await db.value(
        "SELECT 1 FROM pdf_exports WHERE id = :id AND estimate_id = :estimate_id",
        id=pdf_export_id,
        estimate_id=estimate_id,
    )
    return found is not None


async def require_exists(db: Read, pdf_export_id: str, estimate_id: str) -> None:
    """Raises NotFound unless the estimate has this PDF export."""
    if not await exists(db, pdf_export_id, estimate_id):
        raise NotFound


def of_estimate(estimate_id: str) -> NewestFirst[PdfExport]:
    """The estimate's PDF exports."""
    select = f"SELECT {_COLUMNS} FROM pdf_exports WHERE estimate_id = :estimate_id"
    return NewestFirst(PdfExport, select, {"estimate_id": estimate_id}, at="generated_at")


async def add(db: Write, workshop_id: str, estimate_id: str, export: PdfExport) -> None:
    """Its file has to be added first."""
    await db.add("pdf_exports", export, workshop_id=workshop_id, estimate_id=estimate_id)


# Verbs


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[PdfExport]:
    """List the PDF exports of an estimate, newest first."""
    return await of_estimate(estimate.id).page(db, query)


class RenderedExport(Struct, frozen=True):
    """A PDF export whose file is rendered and written."""

    export: PdfExport
    file: StoredFile


@asynccontextmanager
async def render(
    db: Database, call: Call, estimate: EstimateRef, body: NewPdfExport, services: Services
) -> AsyncIterator[RenderedExport]:
    async with db.read() as read:
        planned = await planned_export(read, call, estimate, body, call.new_id(), services)
    content = await services.renderer.render(await planned.document.with_logo(services.blobs))
    file = planned.file(len(content))
    async with written_blob(db, services.blobs, file.id, once(content), call.now):
        yield RenderedExport(planned.export, file)


async def create(
    db: Write, call: Call, estimate: EstimateRef, body: NewPdfExport, prepared: RenderedExport, services: Services
) -> Audited[PdfExport]:
    """Create a PDF of a revision. The same revision, language and toggles give the same bytes.

    PDFs of one account are rendered one after the other, so that accounts do not wait for each other. Raises Conflict
    `not_confirmed` where the estimate has no revision, `plan_limit` where the file exceeds the plan's storage.
    """
    file = prepared.file
    await files_add(db, file, call.now, services.plan_rules)
    await add(db, file.workshop_id, estimate.id, prepared.export)
    return Audited(prepared.export, file.workshop_id, file.id)


async def delete(db: Write, call: Call, estimate: EstimateRef, pdf_export_id: str) -> None:
    """Delete a PDF export and its file. Hand-offs that name it stay as they are.

    Raises Conflict `pdf_in_use` while a link shows it, and for good once a client has decided about it.
    """
    file = await find_file(db, call, estimate.id, pdf_export_id)
    if await files.is_bound(db, pdf_export_id):
        raise pdf_in_use()
    await files.delete_row(db, file.id)


async def find_file(db: Read, call: Call, estimate_id: str, pdf_export_id: str) -> StoredFile:
    """The file. Raises NotFound where the estimate has no such export, Forbidden for a key that may not read it."""
    await require_exists(db, pdf_export_id, estimate_id)
    await require_readable(db, call, pdf_export_id)
    return await files.find(db, pdf_export_id)


class PlannedExport(Struct, frozen=True):
    """The document to render, and the record of its PDF export."""

    document: PlannedDocument
    export: PdfExport
    workshop_id: str
    estimate_id: str
    name: str | UnsetType
    # As entered: not checked to be an address.
    recipient_email: str

    def file(self, size: int) -> StoredFile:
        return StoredFile(
            id=self.export.id,
            workshop_id=self.workshop_id,
            category="estimate_pdf",
            content_type="application/pdf",
            size_bytes=size,
            uploaded_by_uid=self.export.created_by_uid,
            created_at=self.export.generated_at,
            name=self.name,
            estimate_id=self.estimate_id,
        )


async def planned_export(
    db: Read, call: Call, estimate: EstimateRef, body: NewPdfExport, id_: str, services: Services
) -> PlannedExport:
    """The document and the record of a PDF export that is to be made. Raises Conflict."""
    workshop = await workshops.find(db, estimate.workshop_id)
    confirmed = await _revision(db, estimate.id, body)
    options = body.options(workshop.plan_at(call.now, services.plan_rules))
    export = PdfExport(
        id=id_,
        revision_number=confirmed.revision.revision_number,
        toggles=options,
        generated_at=call.now,
        created_by_uid=call.uid,
        locale=body.locale,
        preliminary=body.preliminary,
    )
    document = await of_revision(db, confirmed, options, locale=body.locale, preliminary=body.preliminary)
    title = confirmed.facts.title(confirmed.snapshot.settings)
    name = file_name(confirmed.revision, body.locale, body.preliminary, confirmed.snapshot.number, title)
    email = confirmed.facts.recipient_email
    return PlannedExport(document, export, workshop.id, estimate.id, name, "" if email is UNSET else email)


async def _revision(db: Read, estimate_id: str, body: NewPdfExport) -> ConfirmedRevision:
    """The requested revision, or the latest."""
    latest = await revisions.latest_number(db, estimate_id)
    if latest == 0:
        raise Conflict("not_confirmed", "This estimate has no confirmed revision yet")
    wanted = latest if body.revision_number is UNSET else body.revision_number
    if wanted > latest:
        raise ValidationError(FieldError("/revisionNumber", "unknown", "This estimate has no such revision"))
    return await revisions.find_confirmed(db, estimate_id, wanted)


# Over HTTP


async def download(
    db: Read, call: Call, estimate: EstimateRef, pdf_export_id: str, request: Request, services: Services
) -> Response:
    """Download a PDF export, inline, or one range of it with a Range header."""
    file = await find_file(db, call, estimate.id, pdf_export_id)
    return file_or_range(request, services.blobs, file, inline=True)
