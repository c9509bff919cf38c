"""PDF exports of an estimate: list, create and delete; the file of one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import UNSET, Struct, UnsetType

from backbench.actions.estimating.documents import PlannedDocument, of_revision
from backbench.actions.estimating.files import add, pdf_in_use, require_readable
from backbench.actions.services import Services
from backbench.actions.stored_blobs import once, written_blob
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.pdf_exports import NewPdfExport, PdfExport, file_name
from backbench.domain.estimating.confirmed_revisions import ConfirmedRevision
from backbench.domain.estimating.files import StoredFile
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.estimating import files, pdf_exports, revisions
from backbench.storage.estimating.estimates import EstimateRef
from backbench.storage.sharing import links
from backbench.storage.workshops import workshops


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[PdfExport]:
    """List the PDF exports of an estimate, newest first."""
    return await pdf_exports.of_estimate(estimate.id).page(db, query)


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
    await add(db, file, call.now, services.plan_rules)
    await pdf_exports.add(db, file.workshop_id, estimate.id, prepared.export)
    return Audited(prepared.export, file.workshop_id, file.id)


async def delete(db: Write, call: Call, estimate: EstimateRef, pdf_export_id: str) -> None:
    """Delete a PDF export and its file. Hand-offs that name it stay as they are.

    Raises Conflict `pdf_in_use` while a link shows it, and for good once a client has decided about it.
    """
    file = await find_file(db, call, estimate.id, pdf_export_id)
    if await links.is_bound(db, pdf_export_id):
        raise pdf_in_use()
    await files.delete(db, file)


async def find_file(db: Read, call: Call, estimate_id: str, pdf_export_id: str) -> StoredFile:
    """The file. Raises NotFound where the estimate has no such export, Forbidden for a key that may not read it."""
    await pdf_exports.require_exists(db, pdf_export_id, estimate_id)
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
