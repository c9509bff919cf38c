"""Previews of an estimate: its PDF as it would be if the estimate were confirmed now. Nothing is stored."""

from msgspec import UNSET

from backbench.actions.estimating.documents import PlannedDocument, as_it_is, of_revision
from backbench.actions.estimating.estimates import find_for
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import PlanRules
from backbench.domain.documents.previews import PreviewQuery
from backbench.domain.values.times import Instant
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read
from backbench.storage.workshops import workshops


async def find_document(
    db: Read, caller: Caller, estimate_id: str, query: PreviewQuery, now: Instant, plan_rules: PlanRules
) -> PlannedDocument:
    """The preliminary document of an estimate as it stands, with the number of the revision that would come next."""
    estimate = await find_for(db, caller, estimate_id)
    plan = (await workshops.find(db, estimate.workshop_id)).plan_at(now, plan_rules)
    locale = (await accounts.find(db, caller.uid)).locale if query.locale is UNSET else query.locale
    present = await as_it_is(db, estimate, now)
    return await of_revision(db, present, query.options(plan), locale=locale, preliminary=True)
