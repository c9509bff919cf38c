"""Revisions of an estimate: confirm one, list them, read one and its totals."""

from backbench.actions.estimating.documents import DocumentSources, snapshotted
from backbench.actions.estimating.estimates import find_for, lock_for
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.confirmed_revisions import RevisionTotals, as_revision, revision_totals
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import Estimate, EstimateConfirmation, EstimateRevision
from backbench.domain.values.errors import Conflict, NotFound
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_facts, document_settings, revisions
from backbench.storage.estimating.document_facts import StoredFacts
from backbench.storage.estimating.revisions import ListedRevision
from backbench.storage.workshops import workshops


async def confirm(db: Write, call: Call, estimate_id: str, services: Services) -> Audited[EstimateConfirmation]:
    """Confirm an estimate: its present state becomes the next revision, which never changes.

    Raises Conflict `plan_limit` where the workshop's plan allows no further revision of this estimate.
    """
    # Locked first: the snapshot, its number and the count against the plan belong to one state of the estimate.
    await db.lock(f"estimate {estimate_id}")
    stored = await lock_for(db, call, estimate_id)
    # Its line items stay the JSON that is stored.
    estimate = stored.shown
    workshop = await workshops.find(db, estimate.workshop_id)
    plan = workshop.plan_at(call.now, services.plan_rules)
    taken = await revisions.latest_number(db, estimate_id)
    limit = plan.revisions_per_estimate
    if limit is not None and taken >= limit:
        detail = f"Your plan allows {limit} revisions per estimate"
        raise Conflict("plan_limit", detail, limit=limit, current=taken)
    # An image that becomes part of a revision must not be deleted at the same time.
    await db.lock(f"icons {estimate.workshop_id}")
    number = await revisions.take_next_number(db, estimate_id)
    revision = as_revision(estimate, call.new_id(), number, call.now, call.uid)
    facts = await document_facts.find(db, estimate_id)
    settings = await document_settings.find(db, estimate.workshop_id)
    series = await _document_number(db, estimate, facts, settings, call.now)
    confirmed = snapshotted(estimate, revision, DocumentSources(workshop, settings, facts.facts, series), call.now)
    await revisions.add(db, estimate, confirmed, str(stored.read()[1]))
    return Audited(EstimateConfirmation(estimate, revision), estimate.workshop_id, estimate_id)


async def _document_number(
    db: Write, estimate: Estimate, stored: StoredFacts, settings: DocumentSettings, now: Instant
) -> str:
    """The number of the estimate's documents: at its first confirmation the next one of the year."""
    if stored.number is not None:
        return stored.number
    number = await document_facts.take_number(db, estimate.workshop_id, settings.today(now).year)
    await document_facts.save_series_number(db, estimate.id, number)
    return number


async def list_all(db: Read, call: Call, estimate_id: str, query: PageQuery) -> Page[ListedRevision]:
    """List the revisions of an estimate, newest first."""
    await find_for(db, call, estimate_id)
    return await revisions.of_estimate(estimate_id).page(db, query)


async def get(db: Read, call: Call, estimate_id: str, revision_number: str) -> EstimateRevision:
    """Read a revision by its number."""
    await find_for(db, call, estimate_id)
    return await revisions.find(db, estimate_id, _number(revision_number))


async def get_totals(db: Read, call: Call, estimate_id: str, revision_number: str) -> RevisionTotals:
    """Read the totals of a revision in the currency and with the taxes that it was confirmed with."""
    await find_for(db, call, estimate_id)
    return revision_totals(await revisions.find_confirmed(db, estimate_id, _number(revision_number)))


def _number(text: str) -> int:
    """A revision number in a path. Raises NotFound."""
    if not text.isdecimal() or len(text) > 9 or text != str(int(text)):
        raise NotFound
    return int(text)
