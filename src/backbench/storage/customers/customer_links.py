"""Which orders, estimates and revisions name a customer, in the database."""

from backbench.domain.customers.customer_links import CustomerLinks
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.parameters import rows_of

# Without the workshop, by which SQLite would rather look through all of its orders.
_OF_CUSTOMER = "customer_id = :customer_id"
# Tables, and the columns of what CustomerLinks name.
_ORDERS, _ESTIMATES, _REVISIONS = ("order_details", "order_id"), ("estimates", "id"), ("revisions", "id")


async def list_estimates(db: Read, customer_id: str) -> list[str]:
    """The ids of the estimates that name the customer, or were confirmed for it."""
    sql = f"SELECT id FROM estimates WHERE {_OF_CUSTOMER} UNION SELECT estimate_id FROM revisions WHERE {_OF_CUSTOMER}"
    return await db.all(str, f"{sql} ORDER BY 1", **_values(customer_id))


async def list_all(db: Read, customer_id: str) -> CustomerLinks:
    """What names the customer."""
    orders, estimates, revisions = [
        await db.all(
            str, f"SELECT {column} FROM {table} WHERE {_OF_CUSTOMER} ORDER BY {column}", **_values(customer_id)
        )
        for table, column in (_ORDERS, _ESTIMATES, _REVISIONS)
    ]
    return CustomerLinks(orders, estimates, revisions)


async def clear(db: Write, customer_id: str) -> CustomerLinks:
    """Nothing names the customer from now on. Returns what did."""
    return await _replace(db, customer_id, None)


async def move(db: Write, from_id: str, to_id: str) -> CustomerLinks:
    """What named the one customer names the other one from now on. Returns what that is."""
    return await _replace(db, from_id, to_id)


async def _replace(db: Write, customer_id: str, to_id: str | None) -> CustomerLinks:
    """Returns what was changed: what was read before may have been deleted meanwhile."""
    orders, estimates, revisions = [
        sorted(
            await db.all(
                str,
                f"UPDATE {table} SET customer_id = :to_id WHERE {_OF_CUSTOMER} RETURNING {column}",
                to_id=to_id,
                **_values(customer_id),
            )
        )
        for table, column in (_ORDERS, _ESTIMATES, _REVISIONS)
    ]
    return CustomerLinks(orders, estimates, revisions)


async def move_back(db: Write, links: CustomerLinks, from_id: str, to_id: str) -> CustomerLinks:
    """Of `links`, what still names the one customer names the other one again. Returns what that is."""
    moved = []
    named = ((_ORDERS, links.orders), (_ESTIMATES, links.estimates), (_REVISIONS, links.revisions))
    for (table, column), ids in named:
        sent = db.catalog.rows_from_json(table, [column])
        sql = (
            f"UPDATE {table} SET customer_id = :to_id WHERE {_OF_CUSTOMER} AND {column} IN ({sent}) RETURNING {column}"
        )
        found = await db.all(str, sql, to_id=to_id, rows=rows_of(ids, column), **_values(from_id)) if ids else []
        moved.append(sorted(found))
    return CustomerLinks(*moved)


def _values(customer_id: str) -> dict[str, Value]:
    return {"customer_id": customer_id}
