"""What a member does with the papers of an estimate: have one drawn, hand it out, put it away."""

from collections.abc import AsyncIterator

from msgspec import UNSET, Struct, UnsetType

from backbench.actions.estimating.estimates import find_for
from backbench.actions.estimating.files import add, keep
from backbench.actions.workshops.audit import note
from backbench.domain.accounts.sessions import Caller
from backbench.domain.documents.documents import EstimateDocument, estimate_document
from backbench.domain.documents.pdf_exports import NewPdfExport, PdfExport, PdfExportsList, file_name
from backbench.domain.estimating.estimates import ConfirmedRevision
from backbench.domain.estimating.files import StoredFile
from backbench.domain.values.errors import Conflict, FieldError, ValidationError
from backbench.domain.values.ids import NewId
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.integrations.blobs import Blobs
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.estimating import document_settings, estimates, files, pdf_exports
from backbench.storage.operations.idempotency import KeepAnswer, store_nothing
from backbench.storage.workshops import workshops


async def show_all(db: Read, caller: Caller, estimate_id: str, query: PageQuery) -> Page:
    """PdfExportsList as JSON; a page of it where a limit was asked for."""
    await find_for(db, caller, estimate_id)
    shown, following = await pdf_exports.list_page(db, estimate_id, query)
    return Page(to_json(PdfExportsList(shown)), following)


async def create(
    db: Database,
    caller: Caller,
    estimate_id: str,
    body: NewPdfExport,
    renderer: PdfRenderer,
    blobs: Blobs,
    now: Instant,
    new_id: NewId,
    store_response: KeepAnswer = store_nothing,
) -> PdfExport:
    """Draws a revision on paper: the same revision, language and toggles give the same bytes.

    Conflict where the estimate was never confirmed, or where the plan has no room for the file.
    """
    async with db.read() as read:
        order = await _ordered(read, caller, estimate_id, body, new_id(), now)
    # Drawing takes longer than a transaction may.
    content = await renderer.render(order.document)
    file = order.file(len(content))

    async def record(write: Write) -> PdfExport:
        await write.lock(f"estimate {estimate_id}")
        await find_for(write, caller, estimate_id)
        await add(write, file, now)
        await pdf_exports.add(write, file.workshop_id, estimate_id, order.export)
        await note(write, caller, file.workshop_id, "pdf_exports.create", file.id, now, new_id)
        await store_response(write, order.export)
        return order.export

    return await keep(db, blobs, file.id, _once(content), record, now)


async def delete(db: Write, caller: Caller, estimate_id: str, pdf_export_id: str) -> None:
    """Its bytes go with it; hand-offs that name it stay as they are."""
    await files.delete(db, await find_file_for(db, caller, estimate_id, pdf_export_id))


async def find_file_for(db: Read, caller: Caller, estimate_id: str, pdf_export_id: str) -> StoredFile:
    """The PDF; NotFound when the estimate has no such export, NotAllowed when it is another workshop's."""
    await find_for(db, caller, estimate_id)
    await pdf_exports.require_belongs(db, pdf_export_id, estimate_id)
    return await files.find(db, pdf_export_id)


class _Order(Struct, frozen=True):
    """A paper to be drawn, and the record that it will get."""

    document: EstimateDocument
    export: PdfExport
    workshop_id: str
    estimate_id: str
    name: str | UnsetType

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


async def _ordered(db: Read, caller: Caller, estimate_id: str, body: NewPdfExport, id_: str, now: Instant) -> _Order:
    estimate = await find_for(db, caller, estimate_id)
    workshop = await workshops.find(db, estimate.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    confirmed = await _revision(db, estimate_id, body)
    options = body.options(workshop.plan_at(now))
    export = PdfExport(
        id=id_,
        revision_number=confirmed.revision.revision_number,
        toggles=options,
        generated_at=now,
        created_by_uid=caller.uid,
        locale=body.locale,
        preliminary=body.preliminary,
    )
    document = estimate_document(
        workshop, settings, confirmed, options, locale=body.locale, preliminary=body.preliminary
    )
    return _Order(document, export, workshop.id, estimate_id, file_name(confirmed.revision))


async def _revision(db: Read, estimate_id: str, body: NewPdfExport) -> ConfirmedRevision:
    """The one that was asked for, or the latest."""
    latest = await estimates.latest_number(db, estimate_id)
    if latest == 0:
        raise Conflict("not_confirmed", "Confirm the estimate first: paper shows what was confirmed")
    wanted = latest if body.revision_number is UNSET else body.revision_number
    if wanted > latest:
        raise ValidationError(FieldError("/revisionNumber", "unknown", "The estimate has no such revision"))
    return await estimates.find_confirmed(db, estimate_id, wanted)


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
