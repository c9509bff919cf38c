"""Revisions of an estimate: confirm one, list them, read one and its totals."""

from msgspec import UNSET

from backbench.actions.estimating.documents import DocumentSources, customer_texts, snapshotted
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
from backbench.storage.estimating.estimates import EstimateRef
from backbench.storage.estimating.revisions import ListedRevision
from backbench.storage.orders import owed
from backbench.storage.workshops import confirmations
from backbench.storage.workshops.confirmations import Confirmable


async def confirm(db: Write, call: Call, estimate: Confirmable, services: Services) -> Audited[EstimateConfirmation]:
    """Confirm an estimate: its present state becomes the next revision, which never changes.

    Raises Conflict `plan_limit` where the workshop's plan allows no further revision of this estimate.
    """
    workshop, facts = estimate.workshop, estimate.facts
    taken, limit = facts.latest_revision, workshop.plan_at(call.now, services.plan_rules).revisions_per_estimate
    if limit is not None and taken >= limit:
        detail = f"Your plan allows {limit} revisions per estimate"
        raise Conflict("plan_limit", detail, limit=limit, current=taken)
    settings = await _settings(db, estimate)
    # At the first confirmation the next number of the year, unless the estimate has one of its own.
    series = None if facts.number else await document_numbers.take(db, workshop.id, settings.today(call.now).year)
    number = facts.number or series or ""
    # Its line items stay the JSON that is stored.
    shown = estimate.shown
    revision = as_revision(shown, call.new_id(), taken + 1, call.now, call.uid)
    recipient = await customer_texts(db, facts.facts)
    sources = DocumentSources(workshop, settings, facts.facts, number, recipient)
    confirmed = snapshotted(shown, revision, sources, call.now)
    has_orders = await confirmations.save(db, shown.id, taken + 1, number, series)
    copied = await revisions.add(db, shown, confirmed, str(estimate.read()[1]))
    if has_orders:
        await owed.save_of_estimate(db, shown.id)
    return Audited(EstimateConfirmation(shown, revision), workshop.id, shown.id, copied=copied)


async def _settings(db: Write, stored: Confirmable) -> DocumentSettings:
    """The settings of the documents. An image that becomes part of a revision must not be deleted at the same time."""
    settings = stored.settings.document_settings
    if settings.logo_file_id is UNSET:
        return settings
    await db.lock(f"icons {stored.workshop.id}")
    return await document_settings.find(db, stored.workshop.id)


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[ListedRevision]:
    """List the revisions of an estimate, newest first."""
    return await revisions.of_estimate(estimate.id).page(db, query)


async def get(db: Read, estimate: EstimateRef, revision_number: str) -> EstimateRevision:
    """Read a revision by its number."""
    return await revisions.find(db, estimate.id, _number(revision_number))


async def get_totals(db: Read, estimate: EstimateRef, revision_number: str) -> RevisionTotals:
    """Read the totals of a revision in the currency and with the taxes that it was confirmed with."""
    return revision_totals(await revisions.find_confirmed(db, estimate.id, _number(revision_number)))


def _number(text: str) -> int:
    """A revision number in a path. Raises NotFound."""
    if not text.isdecimal() or len(text) > 9 or text != str(int(text)):
        raise NotFound
    return int(text)
