"""Deletion of an estimate, with its revisions, PDF exports, hand-offs and links."""

from backbench.customers.customer_links import add_entries
from backbench.engine.database import Write
from backbench.estimating import document_facts, files
from backbench.estimating.document_facts import EstimateRef
from backbench.orders import balances, issued_invoices
from backbench.sharing import decisions
from backbench.values.calls import Call
from backbench.values.errors import Conflict


async def delete_rows(db: Write, estimate_id: str) -> None:
    """Deletes the estimate with its revisions, PDF exports and hand-offs."""
    await files.delete_of_estimate(db, estimate_id)
    await db.run("DELETE FROM estimates WHERE id = :id", id=estimate_id)


async def delete(db: Write, call: Call, estimate: EstimateRef) -> None:
    """Delete an estimate with its revisions, PDF exports, hand-offs and links, and drafts of invoices in its figures.

    Orders made from it stay, and so does the evidence of decisions about it.

    Raises Conflict `accepted` while a client's acceptance of it stands, `has_invoices` where an issued invoice is
    based on it.
    """
    if await decisions.standing_outcome(db, estimate.id) == "accepted":
        raise Conflict("accepted", "A client has accepted this estimate; void the decision first")
    await issued_invoices.require_none(db, "estimate_id", estimate.id)
    drafts = await issued_invoices.delete_drafts_of_estimate(db, estimate.id)
    await decisions.keep(db, estimate.id)
    await document_facts.release_number(db, estimate)
    await delete_rows(db, estimate.id)
    order_ids = await balances.save_owed_of_estimate(db, estimate.id)
    await files.delete_unused_logos(db, estimate.workshop_id)
    await add_entries(db, call, estimate.workshop_id, "invoice.deleted", drafts)
    await add_entries(db, call, estimate.workshop_id, "order.details_updated", order_ids)
