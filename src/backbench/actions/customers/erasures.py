"""Erase a customer: everything about the person but confirmed documents, which are listed."""

from msgspec import Struct

from backbench.actions.customers.customer_links import add_entries_of, add_entry
from backbench.actions.customers.customers import lock_with_links, present
from backbench.domain.accounts.calls import Call
from backbench.domain.customers.erasures import Erasure, KeptKind, KeptObject
from backbench.domain.customers.traces import Traces
from backbench.domain.workshops.audit import Audited
from backbench.storage.customers import customer_links, customers, erasures, merged_customers
from backbench.storage.engine.database import Database, Write
from backbench.storage.operations import idempotency


class Found(Struct, frozen=True):
    """Objects of the workshop whose texts name the person of the customer, before anything is erased."""

    objects: list[tuple[KeptKind, str]]


async def find_texts(db: Database, call: Call, customer_id: str) -> Found:
    """The texts that name the person. Reading all of the workshop takes too long for a transaction."""
    async with db.snapshot() as read:
        customer = present(call, await customers.find(read, customer_id, call.uid))
        traces = Traces([customer, *await merged_customers.list_all(read, customer_id)])
        return Found(await erasures.list_traces(read, customer.workshop_id, traces))


async def erase(db: Write, call: Call, customer_id: str, prepared: Found) -> Audited[Erasure]:
    """Erase a customer: the record, its name and contacts in orders and in estimates that were never confirmed.

    What stays is listed: confirmed documents, decisions, and texts that somebody wrote by hand.
    """
    customer = await lock_with_links(db, call, customer_id)
    records = [customer, *await merged_customers.list_all(db, customer_id)]
    traces = Traces(records)
    kept = await erasures.list_confirmed(db, customer)
    await erasures.erase_from_orders(db, customer)
    await erasures.erase_from_drafts(db, customer)
    await erasures.delete_emails(db, customer.workshop_id, {email for record in records for email in record.emails})
    links = await customer_links.clear(db, customer)
    for record in records:
        await merged_customers.erase(db, record.id, call.now)
    named = {*links.orders, *links.estimates, *(record.id for record in records)}
    await idempotency.erase_responses(db, customer.workshop_id, named, traces.are_in_response)
    listed = {(each.kind, each.id) for each in kept}
    kept += [
        KeptObject(kind, id_, "free_text")
        for kind, id_ in prepared.objects
        if (kind, id_) not in listed and await erasures.has_traces(db, kind, id_, traces)
    ]
    for order_id in links.orders:
        await add_entry(db, call, customer.workshop_id, "order.updated", order_id)
    await add_entries_of(db, call, customer.workshop_id, links)
    return Audited(Erasure(kept), customer.workshop_id, customer_id)
