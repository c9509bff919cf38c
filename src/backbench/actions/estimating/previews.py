"""Previews of an estimate: its PDF as it would be if the estimate were confirmed now. Nothing is stored."""

from msgspec import UNSET, structs

from backbench.actions.estimating.documents import PlannedDocument, as_it_is, of_revision
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.previews import PreviewQuery
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read
from backbench.storage.estimating.estimates import StoredEstimate
from backbench.storage.workshops import workshops


async def find_document(
    db: Read, call: Call, estimate: StoredEstimate, query: PreviewQuery, services: Services
) -> PlannedDocument:
    """The document that confirming now would make, marked preliminary, with the number of the revision to come."""
    plan = (await workshops.find(db, estimate.shown.workshop_id)).plan_at(call.now, services.plan_rules)
    locale = (await accounts.find(db, call.uid)).locale if query.locale is UNSET else query.locale
    present = await as_it_is(db, estimate.decoded, call.now)
    planned = await of_revision(db, present, query.options(plan), locale=locale, preliminary=False)
    return structs.replace(planned, document=structs.replace(planned.document, preview=True))
