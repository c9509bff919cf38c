"""Erase a customer: everything about the person but confirmed documents, which are listed."""

import asyncio
from collections.abc import Sequence

import msgspec
import zstandard
from msgspec import Struct

from backbench.actions.customers.customer_links import add_entries, add_entries_of
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.customers.customer_links import CustomerLinks
from backbench.domain.customers.customers import Customer
from backbench.domain.customers.erasures import Erasure, KeptObject, WrittenText
from backbench.domain.customers.traces import Traces
from backbench.storage.customers import customer_links, erasures, merged_customers
from backbench.storage.customers.erasures import Named
from backbench.storage.engine.database import Database, Write
from backbench.storage.operations import idempotency
from backbench.storage.operations.idempotency import PersonalData, StoredKeys


class Found(Struct, frozen=True):
    """What names the person of the customer before anything is erased.

    Texts of the workshop, stored responses, and the ids of files that wait to be imported.
    """

    texts: list[Named]
    responses: StoredKeys
    imports: list[str]


async def find_texts(db: Database, customer: Customer, services: Services) -> Found:
    """What names the person. Reading all of the workshop takes too long for a transaction."""
    async with db.snapshot() as read:
        records = [customer, *await merged_customers.list_all(read, customer.id)]
        traces = Traces(records)
        personal = _personal_data(records, await customer_links.list_all(read, customer.id), traces)
        texts = await erasures.list_traces(read, customer.workshop_id, traces)
        responses = await idempotency.find_personal(read, personal)
        waiting = await erasures.list_waiting_imports(read, customer.workshop_id)
    return Found(texts, responses, [each for each in waiting if await _is_named(services, each, traces)])


async def _is_named(services: Services, import_id: str, traces: Traces) -> bool:
    """Whether a row of the file names the person. False where the file is no longer kept."""
    size = await services.blobs.size(import_id)
    if size is None:
        return False
    table = b"".join([piece async for piece in services.blobs.read(import_id, 0, size)])
    return await asyncio.to_thread(_is_in_row, table, traces)


def _is_in_row(table: bytes, traces: Traces) -> bool:
    """`table` is that of `imports/tables.py`: rows of a number and cells, most of which are texts."""
    rows = msgspec.msgpack.decode(zstandard.decompress(table))["rows"]
    return any(traces.are_in(WrittenText("", "\n".join(map(str, cells)), "")) for _, cells in rows)


async def erase(db: Write, call: Call, customer: Customer, prepared: Found) -> Erasure:
    """Erase a customer: the record, its name and contacts in orders and in estimates that were never confirmed.

    Files that wait to be imported and name the person are deleted. What stays is listed: confirmed documents,
    decisions, and texts that somebody wrote by hand.
    """
    records = [customer, *await merged_customers.list_all(db, customer.id)]
    traces = Traces(records)
    kept = await erasures.list_confirmed(db, customer)
    await erasures.erase_from_orders(db, customer)
    await erasures.erase_from_drafts(db, customer)
    await erasures.delete_emails(db, customer.workshop_id, {email for record in records for email in record.emails})
    links = await customer_links.clear(db, customer.id)
    await merged_customers.erase(db, [record.id for record in records], call.now)
    # Run later, they would make the person anew.
    await erasures.delete_waiting_imports(db, prepared.imports)
    personal = _personal_data(records, links, traces)
    await idempotency.erase_responses(db, personal, prepared.responses)
    listed = {(each.kind, each.id) for each in kept}
    texts = [each for each in prepared.texts if each not in listed]
    kept += [KeptObject(kind, id_, "free_text") for kind, id_ in await erasures.list_still_named(db, texts, traces)]
    await add_entries(db, call, customer.workshop_id, "order.updated", links.orders)
    await add_entries_of(db, call, customer.workshop_id, links)
    return Erasure(kept)


def _personal_data(records: Sequence[Customer], links: CustomerLinks, traces: Traces) -> PersonalData:
    named = {*links.orders, *links.estimates, *(record.id for record in records)}
    return PersonalData(records[0].workshop_id, named, traces.are_in_response)
