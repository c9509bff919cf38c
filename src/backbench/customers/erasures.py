"""Erasure of a customer: what is left of the person afterwards, and why."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Literal

import msgspec
import zstandard
from msgspec import Struct
from msgspec.structs import replace

from backbench.customers import customer_links, customers, merges
from backbench.customers.customer_links import INVOICE_OF_CUSTOMER, CustomerLinks, add_entries, add_entries_of
from backbench.customers.customers import Customer, CustomerRecord
from backbench.customers.traces import Traces, WrittenText
from backbench.engine.database import Database, Read, Value, Write
from backbench.engine.rows import rows_of
from backbench.estimating import stored_blobs
from backbench.estimating.document_facts import DocumentFacts
from backbench.http import idempotency
from backbench.http.idempotency import PersonalData, StoredKeys
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.numbers import to_json_text
from backbench.values.times import Instant
from backbench.workshops.tables import SEARCHED, KeptKind, written

# `confirmed`: a document that the workshop has confirmed, or its estimate. `decided`: the evidence of a decision.
# `free_text`: a text that somebody wrote by hand holds a name, phone number or email address of the person.
# `invoice`: it was issued, and books are kept for years.
KeptReason = Literal["confirmed", "decided", "free_text", "invoice"]


class KeptObject(Struct, frozen=True):
    """`id` is that of the object."""

    kind: KeptKind
    id: str
    reason: KeptReason


class Erasure(Struct, frozen=True):
    kept: list[KeptObject]


# Statements


_ORDERS = """(
    SELECT order_id FROM order_details WHERE customer_id = :customer_id
)"""
_ERASED = (
    f"UPDATE orders SET customer_name = '', customer_folded = '' WHERE id IN {_ORDERS}",
    # Questions on the status page of an order are signed by its customer.
    f"UPDATE order_questions SET name = '' WHERE author = 'customer' AND order_id IN {_ORDERS}",
    f"DELETE FROM order_signatures WHERE order_id IN {_ORDERS}",
)

_IS_DRAFT = "customer_id = :customer_id AND latest_revision = 0"
_DRAFTS = f"""
    SELECT id, coalesce(facts, '{{}}') AS facts FROM estimates WHERE {_IS_DRAFT} AND id > :after
    ORDER BY id LIMIT :most
"""


_TEXTS_AT_ONCE = 200
_NAMED_AT_ONCE = 50
Named = tuple[KeptKind, str]


class _Draft(Struct, frozen=True):
    id: str
    facts: DocumentFacts


async def erase_from_orders(db: Write, customer: Customer, now: Instant) -> None:
    """Deletes the name and phone of the customer from its orders."""
    # First: a question of the customer that is being added at this moment has locked them, and is seen after it.
    sql = """
        UPDATE order_details SET phone = NULL, phone_digits = NULL, collected_by = NULL, changed_at = :now
        WHERE customer_id = :customer_id
    """
    await db.run(sql, **_values(customer), now=now)
    for sql in _ERASED:
        await db.run(sql, **_values(customer))


async def erase_from_drafts(db: Write, customer: Customer) -> None:
    """Deletes what the customer's estimates without a revision say about the recipient."""
    values = _values(customer)
    # Locked first: one may be changed or confirmed at this moment.
    await db.run(f"UPDATE estimates SET latest_revision = latest_revision WHERE {_IS_DRAFT}", **values)
    sent = db.catalog.rows_from_json("estimates", ["id", "facts"])
    sql = f"""
        WITH sent (id, facts) AS ({sent})
        UPDATE estimates SET recipient_name = NULL, recipient_folded = '', facts = sent.facts
        FROM sent WHERE estimates.id = sent.id
    """
    after = ""
    while drafts := await db.all(_Draft, _DRAFTS, after=after, most=_TEXTS_AT_ONCE, **values):
        after = drafts[-1].id
        rows = [{"id": each.id, "facts": to_json_text(each.facts.without_recipient())} for each in drafts]
        await db.run(sql, rows=to_json_text(rows))


async def delete_invoices(db: Write, customer: Customer) -> list[str]:
    """Deletes drafts of invoices to the customer. Returns their ids."""
    # Also those whose order had this customer when they were written: they have the name.
    sql = f"DELETE FROM invoices WHERE state = 'draft' AND (customer_id = :customer_id OR {INVOICE_OF_CUSTOMER})"
    return sorted(await db.all(str, f"{sql} RETURNING id", **_values(customer)))


async def list_confirmed(db: Read, customer: Customer) -> list[KeptObject]:
    """The customer's confirmed estimates with their revisions, the decisions about them, and issued invoices."""
    confirmed = """
        SELECT DISTINCT estimate_id FROM revisions WHERE customer_id = :customer_id
        UNION SELECT id FROM estimates
        WHERE customer_id = :customer_id AND latest_revision > 0
    """
    return await db.all(
        KeptObject,
        f"""
        SELECT 'estimate' AS kind, id, 'confirmed' AS reason FROM estimates WHERE id IN ({confirmed})
        UNION ALL SELECT 'revision' AS kind, id, 'confirmed' AS reason FROM revisions
        WHERE estimate_id IN ({confirmed})
        UNION ALL SELECT 'decision' AS kind, id, 'decided' AS reason FROM decisions WHERE estimate_id IN ({confirmed})
        UNION ALL SELECT 'invoice' AS kind, id, 'invoice' AS reason FROM invoices
        WHERE {INVOICE_OF_CUSTOMER} AND state = 'issued'
        ORDER BY kind, id
        """,
        **_values(customer),
    )


async def list_traces(db: Read, workshop_id: str, traces: Traces) -> list[Named]:
    """The kinds and ids of the objects whose texts name the person."""
    found: dict[Named, None] = {}
    for kind, table in SEARCHED:
        sql = f"""
            {written(table)} WHERE {table.workshop} = :workshop_id AND {table.id} > :after
            ORDER BY {table.id} LIMIT :most
        """
        after = ""
        while texts := await db.all(WrittenText, sql, workshop_id=workshop_id, after=after, most=_TEXTS_AT_ONCE):
            # In a thread: texts may be long, and other requests are served meanwhile.
            found |= await asyncio.to_thread(_named_in, kind, texts, traces)
            after = texts[-1].id
    return list(found)


async def list_still_named(db: Write, found: Sequence[Named], traces: Traces) -> list[Named]:
    """Those whose texts name the person as they are now."""
    named: dict[Named, None] = {}
    for kind, table in SEARCHED:
        ids = [id_ for of_kind, id_ in found if of_kind == kind]
        sql = f"{written(table)} WHERE {table.id} IN ({db.catalog.rows_from_json('customers', ['id'])})"
        for start in range(0, len(ids), _NAMED_AT_ONCE):
            texts = await db.all(WrittenText, sql, rows=rows_of(ids[start : start + _NAMED_AT_ONCE]))
            named |= _named_in(kind, texts, traces)
    return [each for each in found if each in named]


def _named_in(kind: KeptKind, texts: Sequence[WrittenText], traces: Traces) -> dict[Named, None]:
    return {(kind, each.id): None for each in texts if traces.are_in(each)}


# In lower case. Links that were emailed by a release before this one have the account as their sender.
_EMAILED = (
    """DELETE FROM outbox WHERE account_id IS NULL AND invitation_id IS NULL AND lower(email) IN (SELECT id FROM sent)
    AND (sender = :workshop_id OR EXISTS (
        SELECT 1 FROM links l WHERE l.workshop_id = :workshop_id AND outbox.details LIKE '%' || l.id || '%'
    ))""",
    """UPDATE links SET mailed_to = NULL
    WHERE workshop_id = :workshop_id AND lower(mailed_to) IN (SELECT id FROM sent)""",
    """UPDATE links SET receipt_email = NULL
    WHERE workshop_id = :workshop_id AND lower(receipt_email) IN (SELECT id FROM sent)""",
    # Evidence of decisions has the address of its link itself.
    """UPDATE link_tokens SET mailed_to = NULL WHERE lower(mailed_to) IN (SELECT id FROM sent)
    AND link_id IN (SELECT id FROM links WHERE workshop_id = :workshop_id)""",
)


async def erase_emails(db: Write, workshop_id: str, emails: Collection[str]) -> None:
    """Deletes the emails of the workshop to these addresses that are to be sent, or were given up.

    No link has such an address afterwards: nothing more is emailed to it.
    """
    sent = db.catalog.rows_from_json("customers", ["id"])
    rows = rows_of(sorted({email.lower() for email in emails}))
    for sql in _EMAILED:
        await db.run(f"WITH sent (id) AS ({sent}) {sql}", workshop_id=workshop_id, rows=rows)


def _values(customer: Customer) -> dict[str, Value]:
    return {"customer_id": customer.id}


# Files that wait to be imported


async def list_waiting_imports(db: Read, workshop_id: str) -> list[str]:
    """The ids of files that are not imported yet."""
    sql = "SELECT id FROM imports WHERE workshop_id = :workshop_id AND state = 'proposed' ORDER BY id"
    return await db.all(str, sql, workshop_id=workshop_id)


async def delete_waiting_imports(db: Write, ids: Sequence[str]) -> None:
    """Deletes files that are still not imported, with what is kept of them."""
    for import_id in ids:
        if await db.run("DELETE FROM imports WHERE id = :id AND state = 'proposed'", id=import_id):
            await stored_blobs.abandon(db, import_id)


async def erase_file_names(db: Write, workshop_id: str, traces: Traces) -> None:
    """Deletes the names of files that name the person. What was imported of them is searched where it is."""
    sql = "SELECT id, '' AS names, file_name AS text FROM imports WHERE workshop_id = :workshop_id ORDER BY id"
    files = await db.all(WrittenText, sql, workshop_id=workshop_id)
    # An underscore joins the words of a text.
    named = [each.id for each in files if traces.are_in(replace(each, text=each.text.replace("_", " ")))]
    sent = db.catalog.rows_from_json("imports", ["id"])
    await db.run(f"UPDATE imports SET file_name = '' WHERE id IN ({sent})", rows=rows_of(named))


# Verbs


class Found(Struct, frozen=True):
    """What names the person of the customer before anything is erased.

    Texts of the workshop, stored responses, and the ids of files that wait to be imported.
    """

    texts: list[Named]
    responses: list[StoredKeys]
    imports: list[str]


async def find_texts(db: Database, record: CustomerRecord, services: Services) -> Found:
    """What names the person. Reading all of the workshop takes too long for a transaction. Raises NotFound."""
    customer = record.present
    async with db.snapshot() as read:
        records = [customer, *await customers.list_merged(read, customer.id)]
        traces = Traces(records)
        personal = _personal_data(records, await customer_links.list_all(read, customer.id), traces)
        texts = await list_traces(read, customer.workshop_id, traces)
        responses = await idempotency.find_personal(read, personal)
        waiting = await list_waiting_imports(read, customer.workshop_id)
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


async def erase(db: Write, call: Call, record: CustomerRecord, prepared: Found) -> Erasure:
    """Erase a customer: the record, its name and contacts in orders and in estimates that were never confirmed.

    Files that wait to be imported and name the person are deleted, and so are drafts of invoices. What stays is listed:
    confirmed documents, decisions, issued invoices, and texts that somebody wrote by hand.
    """
    # In any state until here: a repetition with the same Idempotency-Key gets the list once more.
    customer = record.present
    records = [customer, *await customers.list_merged(db, customer.id)]
    traces = Traces(records)
    kept = await list_confirmed(db, customer)
    await erase_from_orders(db, customer, call.now)
    await erase_from_drafts(db, customer)
    drafts = await delete_invoices(db, customer)
    await erase_emails(db, customer.workshop_id, {email for record in records for email in record.emails})
    links = await customer_links.clear(db, customer.id)
    await merges.erase(db, [record.id for record in records], call.now)
    # Run later, they would make the person anew.
    await delete_waiting_imports(db, prepared.imports)
    await erase_file_names(db, customer.workshop_id, traces)
    personal = _personal_data(records, links, traces)
    await idempotency.erase_responses(db, personal, prepared.responses)
    listed = {(each.kind, each.id) for each in kept}
    texts = [each for each in prepared.texts if each not in listed]
    kept += [KeptObject(kind, id_, "free_text") for kind, id_ in await list_still_named(db, texts, traces)]
    await add_entries(db, call, customer.workshop_id, "order.updated", links.orders)
    await add_entries_of(db, call, customer.workshop_id, links)
    await add_entries(db, call, customer.workshop_id, "invoice.deleted", drafts)
    return Erasure(kept)


def _personal_data(records: Sequence[Customer], links: CustomerLinks, traces: Traces) -> PersonalData:
    named = {*links.orders, *links.estimates, *links.invoices, *(record.id for record in records)}
    return PersonalData(records[0].workshop_id, named, traces.are_in_response)
