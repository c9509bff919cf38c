"""What a member does with estimates: tap them together, confirm them, hand them off."""

from msgspec import UNSET

from backbench.actions.authorization import require_member
from backbench.domain.accounts.sessions import Caller
from backbench.domain.estimating.estimates import (
    Estimate,
    EstimateConfirmation,
    EstimateEdit,
    EstimateRevision,
    EstimateRevisionsList,
    EstimatesList,
    MostUsedLineItemsList,
    MostUsedQuery,
    NewEstimate,
    OrderFromEstimate,
)
from backbench.domain.estimating.handoffs import Handoff, HandoffsList, NewHandoff
from backbench.domain.values.errors import Conflict, NotFound, UnknownPdfExport
from backbench.domain.values.ids import NewId, with_ids
from backbench.domain.values.money import Totals
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import Order
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings, estimates, handoffs, line_uses, pdf_exports
from backbench.storage.workshops import orders, workshops


async def show_all(db: Read, caller: Caller, workshop_id: str, query: PageQuery) -> Page:
    """EstimatesList as JSON; a page of it where a limit was asked for."""
    await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    shown, following = await estimates.list_page(db, workshop_id, query)
    return Page(to_json(EstimatesList(shown)), following)


async def create(
    db: Write, caller: Caller, workshop_id: str, body: NewEstimate, now: Instant, new_id: NewId
) -> Estimate:
    await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    estimate = body.to_estimate(workshop_id, new_id, now)
    await estimates.add(db, estimate)
    return estimate


async def show(db: Read, caller: Caller, estimate_id: str) -> Estimate:
    return await find_for(db, caller, estimate_id)


async def edit(
    db: Write, caller: Caller, estimate_id: str, body: EstimateEdit, now: Instant, new_id: NewId
) -> Estimate:
    await find_for(db, caller, estimate_id)
    line_items = None if body.line_items is UNSET else with_ids(body.line_items, new_id)
    return await estimates.save_edit(db, estimate_id, body, line_items, now)


async def delete(db: Write, caller: Caller, estimate_id: str) -> None:
    """Removes the estimate with its revisions, PDFs and hand-offs. Orders that were made of it stay."""
    await db.lock(f"estimate {estimate_id}")
    await find_for(db, caller, estimate_id)
    await estimates.delete(db, estimate_id)


async def duplicate(db: Write, caller: Caller, estimate_id: str, now: Instant, new_id: NewId) -> Estimate:
    """The same name, recipient, percentages and lines; no revisions, PDFs or hand-offs."""
    estimate = (await find_for(db, caller, estimate_id)).duplicate(new_id(), now)
    await estimates.add(db, estimate)
    return estimate


async def totals(db: Read, caller: Caller, estimate_id: str) -> Totals:
    """What the estimate comes to as it stands, in the workshop's currency."""
    estimate = await find_for(db, caller, estimate_id)
    settings = await document_settings.find(db, estimate.workshop_id)
    return settings.terms.totals(estimate)


async def most_used(db: Read, caller: Caller, workshop_id: str, query: MostUsedQuery) -> MostUsedLineItemsList:
    """The line items that most of the workshop's estimates use."""
    await workshops.find(db, workshop_id)
    await require_member(db, caller, workshop_id)
    return MostUsedLineItemsList(await line_uses.most_used(db, workshop_id, query.limit))


async def start_work(
    db: Write, caller: Caller, estimate_id: str, body: OrderFromEstimate, now: Instant, new_id: NewId
) -> Order:
    """The estimate became work: an order to do, named after it unless it is given other words."""
    estimate = await find_for(db, caller, estimate_id)
    order = body.to_new_order(estimate).to_order(estimate.workshop_id, new_id(), now)
    await orders.add(db, order)
    return order


async def confirm(db: Write, caller: Caller, estimate_id: str, now: Instant, new_id: NewId) -> EstimateConfirmation:
    """Snapshots the estimate into its next revision, which never changes. Conflict at the plan's limit."""
    # Held first: the snapshot, its number and the count against the plan belong to one moment.
    await db.lock(f"estimate {estimate_id}")
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
    settings = await document_settings.find(db, estimate.workshop_id)
    await estimates.add_revision(db, estimate, revision, settings.terms)
    return EstimateConfirmation(estimate, revision)


async def show_revisions(db: Read, caller: Caller, estimate_id: str, query: PageQuery) -> Page:
    """EstimateRevisionsList as JSON; a page of it where a limit was asked for."""
    await find_for(db, caller, estimate_id)
    shown, following = await estimates.revisions(db, estimate_id, query)
    return Page(to_json(EstimateRevisionsList(shown)), following)


async def show_revision(db: Read, caller: Caller, estimate_id: str, revision_number: str) -> EstimateRevision:
    await find_for(db, caller, estimate_id)
    if not revision_number.isdecimal() or len(revision_number) > 9 or revision_number != str(int(revision_number)):
        raise NotFound
    return await estimates.find_revision(db, estimate_id, int(revision_number))


async def show_handoffs(db: Read, caller: Caller, estimate_id: str, query: PageQuery) -> Page:
    """HandoffsList as JSON; a page of it where a limit was asked for."""
    await find_for(db, caller, estimate_id)
    shown, following = await handoffs.list_page(db, estimate_id, query)
    return Page(to_json(HandoffsList(shown)), following)


async def hand_off(
    db: Write, caller: Caller, estimate_id: str, body: NewHandoff, now: Instant, new_id: NewId
) -> Handoff:
    """Records that a hand-off happened; it sends nothing."""
    await db.lock(f"estimate {estimate_id}")
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
    await require_member(db, caller, estimate.workshop_id)
    return estimate
