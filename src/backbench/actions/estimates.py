"""What a member does with estimates: tap them together, confirm them, hand them off."""

from msgspec import UNSET

from backbench.actions.access import must_be_member
from backbench.domain.errors import Conflict, UnknownPdfExport
from backbench.domain.estimates import (
    Estimate,
    EstimateConfirmation,
    EstimateEdit,
    EstimateRevision,
    EstimatesList,
    NewEstimate,
    kept,
)
from backbench.domain.handoffs import Handoff, NewHandoff
from backbench.domain.ids import NewId
from backbench.domain.sessions import Caller
from backbench.domain.times import Instant
from backbench.storage import estimates, handoffs, pdf_exports, workshops
from backbench.storage.database import Read, Write


async def show_all(db: Read, caller: Caller, workshop_id: str) -> EstimatesList:
    await workshops.find(db, workshop_id)
    await must_be_member(db, caller, workshop_id)
    return EstimatesList(await estimates.all_of(db, workshop_id))


async def create(
    db: Write, caller: Caller, workshop_id: str, body: NewEstimate, now: Instant, new_id: NewId
) -> Estimate:
    await workshops.find(db, workshop_id)
    await must_be_member(db, caller, workshop_id)
    estimate = body.drawn_up(workshop_id, new_id, now)
    await estimates.add(db, estimate)
    return estimate


async def show(db: Read, caller: Caller, estimate_id: str) -> Estimate:
    return await find_for(db, caller, estimate_id)


async def edit(
    db: Write, caller: Caller, estimate_id: str, body: EstimateEdit, now: Instant, new_id: NewId
) -> Estimate:
    await find_for(db, caller, estimate_id)
    line_items = None if body.line_items is UNSET else kept(body.line_items, new_id)
    return await estimates.save_edit(db, estimate_id, body, line_items, now)


async def confirm(
    db: Write, caller: Caller, estimate_id: str, now: Instant, new_id: NewId
) -> EstimateConfirmation:
    """Snapshots the estimate into its next revision, which never changes. Conflict at the plan's limit."""
    # Held first: the snapshot, its number and the count against the plan belong to one moment.
    await db.hold(f"estimate {estimate_id}")
    estimate = await find_for(db, caller, estimate_id)
    plan = (await workshops.find(db, estimate.workshop_id)).plan_at(now)
    taken = await estimates.latest_number(db, estimate_id)
    limit = plan.revisions_per_estimate
    if limit is not None and taken >= limit:
        raise Conflict("plan_limit", "The plan's revisions of this estimate are used up", limit=limit, current=taken)
    revision = EstimateRevision(
        id=new_id(),
        revision_number=await estimates.take_next_number(db, estimate_id),
        created_at=now,
        created_by_uid=caller.uid,
        name=estimate.name,
        markup_percent=estimate.markup_percent,
        discount_percent=estimate.discount_percent,
        line_items=estimate.line_items,
    )
    await estimates.add_revision(db, estimate, revision)
    return EstimateConfirmation(estimate, revision)


async def hand_off(
    db: Write, caller: Caller, estimate_id: str, body: NewHandoff, now: Instant, new_id: NewId
) -> Handoff:
    """Records that a hand-off happened; it sends nothing."""
    estimate = await find_for(db, caller, estimate_id)
    if body.pdf_export_id is not UNSET and not await pdf_exports.belongs(db, body.pdf_export_id, estimate_id):
        raise UnknownPdfExport
    handoff = Handoff(
        id=new_id(),
        kind=body.kind,
        locale=body.locale,
        preliminary=body.preliminary,
        tone=body.tone,
        ai_drafted=body.ai_drafted,
        revision_number=await estimates.latest_number(db, estimate_id),
        created_at=now,
        created_by_uid=caller.uid,
        pdf_export_id=body.pdf_export_id,
    )
    await handoffs.add(db, estimate.workshop_id, estimate_id, handoff)
    return handoff


async def find_for(db: Read, caller: Caller, estimate_id: str) -> Estimate:
    """The estimate; NotFound when there is none, NotAllowed when it is another workshop's."""
    estimate = await estimates.find(db, estimate_id)
    await must_be_member(db, caller, estimate.workshop_id)
    return estimate

