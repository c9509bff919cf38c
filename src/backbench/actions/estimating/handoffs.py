"""Hand-offs of an estimate: the record of what left the workshop, by which channel."""

from msgspec import UNSET

from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.handoffs import Handoff, NewHandoff
from backbench.domain.values.errors import UnknownPdfExport
from backbench.domain.values.pagination import Page, PageQuery
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import handoffs, pdf_exports, revisions
from backbench.storage.estimating.estimates import EstimateRef


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[Handoff]:
    """List the hand-offs of an estimate, newest first."""
    return await handoffs.of_estimate(estimate.id).page(db, query)


async def create(db: Write, call: Call, estimate: EstimateRef, body: NewHandoff) -> Handoff:
    """Record that an estimate was handed off. Nothing is sent.

    Raises UnknownPdfExport where `pdfExportId` names no PDF export of this estimate.
    """
    if body.pdf_export_id is not UNSET and not await pdf_exports.exists(db, body.pdf_export_id, estimate.id):
        raise UnknownPdfExport
    handoff = Handoff(
        id=call.new_id(),
        kind=body.kind,
        locale=body.locale,
        preliminary=body.preliminary,
        tone=body.tone,
        ai_drafted=body.ai_drafted,
        revision_number=await revisions.latest_number(db, estimate.id),
        created_at=call.now,
        created_by_uid=call.uid,
        pdf_export_id=body.pdf_export_id,
    )
    await handoffs.add(db, estimate.workshop_id, estimate.id, handoff)
    return handoff
