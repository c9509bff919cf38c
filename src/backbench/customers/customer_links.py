"""Which orders, estimates, revisions and invoices name a customer."""

from collections.abc import Sequence

from msgspec import Struct, structs

from backbench.engine.database import Read, Value, Write
from backbench.engine.rows import rows_of
from backbench.values.calls import Call
from backbench.values.errors import unknown_member
from backbench.workshops import audit
from backbench.workshops.audit import source_of


class CustomerLinks(Struct, frozen=True):
    """Ids. Revisions are those that were confirmed for the customer."""

    orders: list[str] = []
    estimates: list[str] = []
    revisions: list[str] = []
    invoices: list[str] = []


# Statements


# Without the workshop, by which SQLite would rather look through all of its orders.
_OF_CUSTOMER = "customer_id = :customer_id"
# Of `invoices`: the buyer of one that is older than the link of its order to the customer is the customer as well, and
# the buyer of a draft follows its order. A correction has the buyer of what it corrects.
INVOICE_OF_CUSTOMER = """((customer_id = :customer_id AND (state = 'issued' OR kind = 'correction'))
    OR ((customer_id IS NULL OR (state = 'draft' AND kind <> 'correction'))
        AND order_id IN (SELECT order_id FROM order_details WHERE customer_id = :customer_id)))"""
# Tables, and the columns of what CustomerLinks name.
NAMING = (("order_details", "order_id"), ("estimates", "id"), ("revisions", "id"), ("invoices", "id"))


async def list_estimates(db: Read, customer_id: str) -> list[str]:
    """The ids of the estimates that name the customer, or were confirmed for it."""
    sql = f"SELECT id FROM estimates WHERE {_OF_CUSTOMER} UNION SELECT estimate_id FROM revisions WHERE {_OF_CUSTOMER}"
    return await db.all(str, f"{sql} ORDER BY 1", **_values(customer_id))


async def list_all(db: Read, customer_id: str) -> CustomerLinks:
    """What names the customer."""
    found = [
        await db.all(
            str, f"SELECT {column} FROM {table} WHERE {_OF_CUSTOMER} ORDER BY {column}", **_values(customer_id)
        )
        for table, column in NAMING
    ]
    return CustomerLinks(*found)


async def clear(db: Write, customer_id: str) -> CustomerLinks:
    """Nothing names the customer from now on. Returns what did."""
    return await _replace(db, customer_id, None)


async def move(db: Write, from_id: str, to_id: str) -> CustomerLinks:
    """What named the one customer names the other one from now on. Returns what that is."""
    return await _replace(db, from_id, to_id)


async def _replace(db: Write, customer_id: str, to_id: str | None) -> CustomerLinks:
    """Returns what was changed: what was read before may have been deleted meanwhile."""
    found = [
        sorted(
            await db.all(
                str,
                f"UPDATE {table} SET customer_id = :to_id WHERE {_OF_CUSTOMER} RETURNING {column}",
                to_id=to_id,
                **_values(customer_id),
            )
        )
        for table, column in NAMING
    ]
    return CustomerLinks(*found)


async def move_back(db: Write, links: CustomerLinks, from_id: str, to_id: str) -> CustomerLinks:
    """Of `links`, what still names the one customer names the other one again. Returns what that is."""
    moved = []
    for (table, column), ids in zip(NAMING, structs.astuple(links), strict=True):
        sent = db.catalog.rows_from_json(table, [column])
        sql = (
            f"UPDATE {table} SET customer_id = :to_id WHERE {_OF_CUSTOMER} AND {column} IN ({sent}) RETURNING {column}"
        )
        found = await db.all(str, sql, to_id=to_id, rows=rows_of(ids, column), **_values(from_id)) if ids else []
        moved.append(sorted(found))
    return CustomerLinks(*moved)


def _values(customer_id: str) -> dict[str, Value]:
    return {"customer_id": customer_id}


# Verbs


async def require_known(db: Write, workshop_id: str, customer_id: str, at: str = "") -> None:
    """Raises ValidationError where the workshop has no such customer. It stays until the end of the transaction.

    `at`: the pointer of the part of the body that names the customer.
    """
    await lock_links(db, workshop_id)
    if await lookup_workshop(db, customer_id) != workshop_id:
        raise unknown_member(f"{at}/customerId", "The workshop has no such customer")


async def add_entries_of(db: Write, call: Call, workshop_id: str, links: CustomerLinks) -> None:
    """An entry for each order whose details, and each estimate whose document names another customer from now on."""
    await add_entries(db, call, workshop_id, "order.details_updated", links.orders)
    await add_entries(db, call, workshop_id, "estimate.updated", links.estimates)


async def add_entries(db: Write, call: Call, workshop_id: str, event: str, object_ids: Sequence[str]) -> None:
    """An entry for each of the objects, however many."""
    source = source_of(call)
    if object_ids:
        await audit.add_all(db, [source.change(workshop_id, event, object_id) for object_id in object_ids])


async def add_entry(db: Write, call: Call, workshop_id: str, event: str, object_id: str) -> None:
    await audit.add(db, source_of(call).change(workshop_id, event, object_id))


async def lock_links(db: Write, workshop_id: str) -> None:
    """Locks which customers the orders and estimates of the workshop name, so that nothing comes to name one that is
    deleted, merged or erased at the same time."""
    await db.lock(f"customers {workshop_id}")


async def lookup_workshop(db: Read, customer_id: str) -> str | None:
    """The id of the workshop of a present customer; None where there is no such customer."""
    sql = "SELECT workshop_id FROM customers WHERE id = :id AND state = 'present'"
    workshop_id: str | None = await db.value(sql, id=customer_id)
    return workshop_id
