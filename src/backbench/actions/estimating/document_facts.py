"""Document facts of an estimate: what its PDF states that the Estimate shape does not have."""

from msgspec import UNSET

from backbench.actions.customers.customer_links import require_known
from backbench.domain.accounts.calls import Call
from backbench.domain.estimating.document_facts import DocumentFacts
from backbench.domain.values.errors import Forbidden, ValidationError
from backbench.domain.workshops.audit import Unchanged
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import document_facts
from backbench.storage.estimating.estimates import EstimateRef


async def get(db: Read, estimate: EstimateRef) -> DocumentFacts:
    """Read the document facts of an estimate; none if it has none of its own."""
    return (await document_facts.find(db, estimate.id)).facts


async def replace(
    db: Write, call: Call, estimate: EstimateRef, body: DocumentFacts
) -> DocumentFacts | Unchanged[DocumentFacts]:
    """Replace the document facts of an estimate as a whole, except for `pricesEntered`, which stays where it is absent.

    Revisions keep the facts that they were confirmed with.

    Raises Conflict `number_taken` where the number is that of another document of the workshop.
    """
    stored = await document_facts.find(db, estimate.id)
    facts = body.replacing(stored.facts)
    if field_errors := facts.field_errors():
        raise ValidationError(*field_errors)
    if facts.customer_id is not UNSET and facts.customer_id != stored.customer_id:
        # What the estimate shows states the address and the tax id of the record.
        if not call.caller.may("customers:read"):
            raise Forbidden(missing_scope="customers:read")
        await require_known(db, estimate.workshop_id, facts.customer_id)
    is_changed = await document_facts.save(db, estimate, stored, facts, call.now)
    return facts if is_changed else Unchanged(facts)
