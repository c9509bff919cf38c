"""Hand-offs of an estimate: the record of what left the workshop, by which channel."""

from msgspec import UNSET

from backbench.actions.estimating.estimates import find_for, lock_for
from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.handoffs import Handoff, NewHandoff
from backbench.domain.values.errors import UnknownPdfExport
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import handoffs, pdf_exports, revisions


async def list_all(db: Read, call: Call, estimate_id: str, query: PageQuery) -> Page[Handoff]:
    """List the hand-offs of an estimate, newest first."""
    await find_for(db, call, estimate_id)
    return await handoffs.of_estimate(estimate_id).page(db, query)


async def create(db: Write, call: Call, estimate_id: str, body: NewHandoff) -> Audited[Handoff]:
    """Record that an estimate was handed off. Nothing is sent.

    Raises UnknownPdfExport where `pdfExportId` names no PDF export of this estimate.
    """
    estimate = (await lock_for(db, call, estimate_id)).shown
    if body.pdf_export_id is not UNSET and not await pdf_exports.exists(db, body.pdf_export_id, estimate_id):
        raise UnknownPdfExport
    handoff = Handoff(
        id=call.new_id(),
        kind=body.kind,
        locale=body.locale,
        preliminary=body.preliminary,
        tone=body.tone,
        ai_drafted=body.ai_drafted,
        revision_number=await revisions.latest_number(db, estimate_id),
        created_at=call.now,
        created_by_uid=call.uid,
        pdf_export_id=body.pdf_export_id,
    )
    await handoffs.add(db, estimate.workshop_id, estimate_id, handoff)
    return Audited(handoff, estimate.workshop_id, handoff.id)
