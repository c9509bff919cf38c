"""Which orders, estimates and revisions name a customer, in the database."""

from backbench.domain.customers.customer_links import CustomerLinks
from backbench.domain.customers.customers import Customer
from backbench.storage.engine.database import Read, Value, Write

# Without the workshop, by which SQLite would rather look through all of its orders.
_OF_CUSTOMER = "customer_id = :customer_id"
# Tables, and the columns of what CustomerLinks name.
_ORDERS, _ESTIMATES, _REVISIONS = ("order_details", "order_id"), ("estimates", "id"), ("revisions", "id")


async def list_of(db: Read, customer: Customer) -> CustomerLinks:
    orders, estimates, revisions = [
        await db.all(str, f"SELECT {column} FROM {table} WHERE {_OF_CUSTOMER} ORDER BY {column}", **_values(customer))
        for table, column in (_ORDERS, _ESTIMATES, _REVISIONS)
    ]
    return CustomerLinks(orders, estimates, revisions)


async def list_estimates(db: Read, customer: Customer) -> list[str]:
    """The ids of the estimates that name the customer, or were confirmed for it."""
    sql = f"SELECT id FROM estimates WHERE {_OF_CUSTOMER} UNION SELECT estimate_id FROM revisions WHERE {_OF_CUSTOMER}"
    return await db.all(str, f"{sql} ORDER BY 1", **_values(customer))


async def clear(db: Write, customer: Customer) -> None:
    """Nothing names the customer from now on."""
    for table, _ in (_ORDERS, _ESTIMATES, _REVISIONS):
        await db.run(f"UPDATE {table} SET customer_id = NULL WHERE {_OF_CUSTOMER}", **_values(customer))


async def move(db: Write, from_customer: Customer, to_id: str) -> None:
    """What named the one customer names the other one from now on."""
    for table, _ in (_ORDERS, _ESTIMATES, _REVISIONS):
        sql = f"UPDATE {table} SET customer_id = :to_id WHERE {_OF_CUSTOMER}"
        await db.run(sql, to_id=to_id, **_values(from_customer))


async def move_back(db: Write, links: CustomerLinks, from_customer: Customer, to_id: str) -> CustomerLinks:
    """Of `links`, what still names the one customer names the other one again. Returns what that is."""
    moved = []
    named = ((_ORDERS, links.orders), (_ESTIMATES, links.estimates), (_REVISIONS, links.revisions))
    for (table, column), ids in named:
        present = set(await db.all(str, f"SELECT {column} FROM {table} WHERE {_OF_CUSTOMER}", **_values(from_customer)))
        moved.append([each for each in ids if each in present])
        sql = f"UPDATE {table} SET customer_id = :to_id WHERE {_OF_CUSTOMER} AND {column} = :id"
        for each in moved[-1]:
            await db.run(sql, to_id=to_id, id=each, **_values(from_customer))
    return CustomerLinks(*moved)


def _values(customer: Customer) -> dict[str, Value]:
    return {"customer_id": customer.id}
