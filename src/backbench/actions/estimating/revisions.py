"""Revisions of an estimate: confirm one, list them, read one and its totals."""

from msgspec import UNSET

from backbench.actions.authorization import require_role
from backbench.actions.estimating.documents import DocumentSources, customer_texts, snapshotted
from backbench.actions.estimating.estimates import find_for
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.confirmed_revisions import RevisionTotals, as_revision, revision_totals
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import EstimateConfirmation, EstimateRevision
from backbench.domain.values.errors import Conflict, NotFound
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_numbers, document_settings, revisions
from backbench.storage.estimating.revisions import ListedRevision
from backbench.storage.orders import owed
from backbench.storage.workshops import confirmations
from backbench.storage.workshops.confirmations import Confirmable


async def confirm(db: Write, call: Call, estimate_id: str, services: Services) -> Audited[EstimateConfirmation]:
    """Confirm an estimate: its present state becomes the next revision, which never changes.

    Raises Conflict `plan_limit` where the workshop's plan allows no further revision of this estimate.
    """
    stored = await _lock_for(db, call, estimate_id)
    workshop, facts = stored.workshop, stored.facts
    taken, limit = facts.latest_revision, workshop.plan_at(call.now, services.plan_rules).revisions_per_estimate
    if limit is not None and taken >= limit:
        detail = f"Your plan allows {limit} revisions per estimate"
        raise Conflict("plan_limit", detail, limit=limit, current=taken)
    settings = await _settings(db, stored)
    # At the first confirmation the next number of the year, unless the estimate has one of its own.
    series = None if facts.number else await document_numbers.take(db, workshop.id, settings.today(call.now).year)
    number = facts.number or series or ""
    # Its line items stay the JSON that is stored.
    estimate = stored.shown
    revision = as_revision(estimate, call.new_id(), taken + 1, call.now, call.uid)
    recipient = await customer_texts(db, facts.facts)
    sources = DocumentSources(workshop, settings, facts.facts, number, recipient)
    confirmed = snapshotted(estimate, revision, sources, call.now)
    has_orders = await confirmations.save(db, estimate_id, taken + 1, number, series)
    copied = await revisions.add(db, estimate, confirmed, str(stored.read()[1]))
    if has_orders:
        await owed.save_of_estimate(db, estimate_id)
    return Audited(EstimateConfirmation(estimate, revision), workshop.id, estimate_id, copied=copied)


async def _lock_for(db: Write, call: Call, estimate_id: str) -> Confirmable:
    """The estimate, locked: its snapshot, its number and the count against the plan belong to one state of it.

    Raises NotFound, Forbidden.
    """
    stored = await confirmations.lock(db, estimate_id, call.uid)
    if stored is None:
        await find_for(db, call, estimate_id)
        raise NotFound
    require_role(call, stored.workshop.id, stored.role)
    return stored


async def _settings(db: Write, stored: Confirmable) -> DocumentSettings:
    """The settings of the documents. An image that becomes part of a revision must not be deleted at the same time."""
    settings = stored.settings.document_settings
    if settings.logo_file_id is UNSET:
        return settings
    await db.lock(f"icons {stored.workshop.id}")
    return await document_settings.find(db, stored.workshop.id)


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
