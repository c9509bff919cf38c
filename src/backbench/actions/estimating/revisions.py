"""Revisions of an estimate: confirm one, list them, read one."""

from backbench.actions.estimating.estimates import find_for, lock_for
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import PlanRules
from backbench.domain.estimating.estimates import EstimateConfirmation, EstimateRevision
from backbench.domain.values.errors import Conflict, NotFound
from backbench.domain.values.ids import NewId
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_settings, estimates
from backbench.storage.estimating.estimates import ListedRevision
from backbench.storage.workshops import workshops


async def confirm(
    db: Write, caller: Caller, estimate_id: str, now: Instant, new_id: NewId, plan_rules: PlanRules
) -> Audited[EstimateConfirmation]:
    """Confirm an estimate: its present state becomes the next revision, which never changes.

    Raises Conflict `plan_limit` where the workshop's plan allows no further revision of this estimate.
    """
    # Locked first: the snapshot, its number and the count against the plan belong to one state of the estimate.
    await db.lock(f"estimate {estimate_id}")
    estimate = (await lock_for(db, caller, estimate_id)).decoded()
    plan = (await workshops.find(db, estimate.workshop_id)).plan_at(now, plan_rules)
    taken = await estimates.latest_revision_number(db, estimate_id)
    limit = plan.revisions_per_estimate
    if limit is not None and taken >= limit:
        detail = f"Your plan allows {limit} revisions per estimate"
        raise Conflict("plan_limit", detail, limit=limit, current=taken)
    revision = EstimateRevision(
        id=new_id(),
        revision_number=await estimates.take_next_revision_number(db, estimate_id),
        created_at=now,
        created_by_uid=caller.uid,
        name=estimate.name,
        markup_percent=estimate.markup_percent,
        discount_percent=estimate.discount_percent,
        line_items=estimate.line_items,
    )
    settings = await document_settings.find(db, estimate.workshop_id)
    await estimates.add_revision(db, estimate, revision, settings.terms)
    return Audited(EstimateConfirmation(estimate, revision), estimate.workshop_id, estimate_id)


async def list_all(db: Read, caller: Caller, estimate_id: str, query: PageQuery) -> Page[ListedRevision]:
    """List the revisions of an estimate, newest first."""
    await find_for(db, caller, estimate_id)
    return await estimates.revisions_of(estimate_id).page(db, query)


async def get(db: Read, caller: Caller, estimate_id: str, revision_number: str) -> EstimateRevision:
    """Read a revision by its number."""
    await find_for(db, caller, estimate_id)
    if not revision_number.isdecimal() or len(revision_number) > 9 or revision_number != str(int(revision_number)):
        raise NotFound
    return await estimates.find_revision(db, estimate_id, int(revision_number))
