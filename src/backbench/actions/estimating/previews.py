"""Previews of an estimate: its PDF as it would be if the estimate were confirmed now. Nothing is stored."""

from msgspec import UNSET

from backbench.actions.estimating.estimates import find_for
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import PlanRules
from backbench.domain.documents.documents import EstimateDocument, estimate_document
from backbench.domain.documents.previews import PreviewQuery
from backbench.domain.estimating.estimates import ConfirmedRevision, Estimate, EstimateRevision
from backbench.domain.values.times import Instant
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read
from backbench.storage.estimating import document_settings, estimates
from backbench.storage.workshops import workshops


async def find_document(
    db: Read, caller: Caller, estimate_id: str, query: PreviewQuery, now: Instant, plan_rules: PlanRules
) -> EstimateDocument:
    """The preliminary document of an estimate as it stands, with the number of the revision that would come next."""
    estimate = await find_for(db, caller, estimate_id)
    workshop = await workshops.find(db, estimate.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    latest = await estimates.latest_revision_number(db, estimate_id)
    next_revision = _revision(estimate, latest + 1, caller, now)
    recipient = "" if estimate.recipient_name is UNSET else estimate.recipient_name
    return estimate_document(
        workshop,
        settings,
        ConfirmedRevision(next_revision, recipient, settings.terms),
        query.options(workshop.plan_at(now, plan_rules)),
        locale=(await accounts.find(db, caller.uid)).locale if query.locale is UNSET else query.locale,
        preliminary=True,
    )


def _revision(estimate: Estimate, number: int, caller: Caller, now: Instant) -> EstimateRevision:
    """The revision that confirming would add. It has no id, because it is not stored."""
    return EstimateRevision(
        id="",
        revision_number=number,
        created_at=now,
        created_by_uid=caller.uid,
        name=estimate.name,
        markup_percent=estimate.markup_percent,
        discount_percent=estimate.discount_percent,
        line_items=estimate.line_items,
    )
