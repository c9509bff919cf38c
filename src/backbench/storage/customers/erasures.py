"""Erasure of a customer in the database: what is deleted of the person, what stays, and where texts name it.

An area that stores texts about a person adds a line to WRITTEN, and where its columns identify one, a statement here.
"""

import asyncio
from collections.abc import Collection, Sequence

from msgspec import Struct

from backbench.domain.customers.customers import Customer
from backbench.domain.customers.erasures import KeptKind, KeptObject, WrittenText
from backbench.domain.customers.traces import Traces
from backbench.domain.estimating.document_facts import DocumentFacts
from backbench.domain.values.numbers import to_json_text
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.parameters import rows_of
from backbench.storage.estimating import orphaned_blobs

_ORDERS = """(
    SELECT order_id FROM order_details WHERE customer_id = :customer_id
)"""
_ERASED = (
    # First: a question of the customer that is being added at this moment has locked them, and is seen after it.
    """UPDATE order_details SET phone = NULL, phone_digits = NULL, collected_by = NULL
    WHERE customer_id = :customer_id""",
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


class _Written(Struct, frozen=True):
    """A table with texts that somebody wrote: the column of their object's id, names that stand alone, and the rest."""

    kind: KeptKind
    table: str
    id: str
    names: Sequence[str]
    texts: Sequence[str]

    @property
    def select(self) -> str:
        names, texts = (
            " || '\n' || ".join(f"coalesce({column}, '')" for column in columns) or "''"
            for columns in (self.names, self.texts)
        )
        return f"SELECT {self.id} AS id, {names} AS names, {texts} AS text FROM {self.table}"


_DECISION: tuple[Sequence[str], Sequence[str]] = (("name",), ("reason", "void_reason"))
WRITTEN = (
    _Written("workshop", "workshops", "id", (), ("context_notes",)),
    _Written("customer", "customers", "id", (), ("notes",)),
    _Written("order", "orders", "id", ("customer_name",), ("title", "notes")),
    _Written("order", "order_details", "order_id", ("collected_by",), ("phone", "item", "place")),
    _Written("question", "order_questions", "id", ("name",), ("text",)),
    _Written("photo", "photos", "id", (), ("caption",)),
    _Written("payment", "payments", "id", (), ("note", "reason")),
    _Written("estimate", "estimates", "id", ("recipient_name",), ("name", "facts", "line_items")),
    _Written("comment", "link_comments", "id", ("name",), ("text",)),
    _Written("decision", "decisions", "id", *_DECISION),
    _Written("decision", "kept_decisions", "id", *_DECISION),
)
_TEXTS_AT_ONCE = 200
_NAMED_AT_ONCE = 50
Named = tuple[KeptKind, str]


class _Draft(Struct, frozen=True):
    id: str
    facts: DocumentFacts


async def erase_from_orders(db: Write, customer: Customer) -> None:
    """Deletes the name and phone of the customer from its orders."""
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


async def list_confirmed(db: Read, customer: Customer) -> list[KeptObject]:
    """The customer's confirmed estimates with their revisions, and the decisions about them."""
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
        ORDER BY kind, id
        """,
        **_values(customer),
    )


async def list_traces(db: Read, workshop_id: str, traces: Traces) -> list[Named]:
    """The kinds and ids of the objects whose texts name the person."""
    found: dict[Named, None] = {}
    for written in WRITTEN:
        of_workshop = "id" if written.kind == "workshop" else "workshop_id"
        sql = f"""
            {written.select} WHERE {of_workshop} = :workshop_id AND {written.id} > :after
            ORDER BY {written.id} LIMIT :most
        """
        after = ""
        while texts := await db.all(WrittenText, sql, workshop_id=workshop_id, after=after, most=_TEXTS_AT_ONCE):
            # In a thread: texts may be long, and other requests are served meanwhile.
            found |= await asyncio.to_thread(_named_in, written.kind, texts, traces)
            after = texts[-1].id
    return list(found)


async def list_still_named(db: Write, found: Sequence[Named], traces: Traces) -> list[Named]:
    """Those whose texts name the person as they are now."""
    named: dict[Named, None] = {}
    for written in WRITTEN:
        ids = [id_ for kind, id_ in found if kind == written.kind]
        sql = f"{written.select} WHERE {written.id} IN ({db.catalog.rows_from_json('customers', ['id'])})"
        for start in range(0, len(ids), _NAMED_AT_ONCE):
            texts = await db.all(WrittenText, sql, rows=rows_of(ids[start : start + _NAMED_AT_ONCE]))
            named |= _named_in(written.kind, texts, traces)
    return [each for each in found if each in named]


def _named_in(kind: KeptKind, texts: Sequence[WrittenText], traces: Traces) -> dict[Named, None]:
    return {(kind, each.id): None for each in texts if traces.are_in(each)}


async def delete_emails(db: Write, workshop_id: str, emails: Collection[str]) -> None:
    """Deletes the emails of the workshop to these addresses that are still to be sent, or were given up."""
    sql = """
        DELETE FROM outbox WHERE sender = :workshop_id AND account_id IS NULL AND invitation_id IS NULL
            AND lower(email) IN (SELECT lower(sent.id) FROM sent)
    """
    sent = db.catalog.rows_from_json("customers", ["id"])
    await db.run(f"WITH sent (id) AS ({sent}) {sql}", workshop_id=workshop_id, rows=rows_of(sorted(emails)))


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
            await orphaned_blobs.abandon(db, import_id)
