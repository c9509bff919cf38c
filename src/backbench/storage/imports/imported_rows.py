"""Imported rows in the database: a chunk of them in each statement."""

from collections.abc import Sequence

from msgspec import Struct, json

from backbench.domain.customers.customers import Customer
from backbench.domain.imports.chunks import Chunk
from backbench.domain.imports.records import ImportedCustomer
from backbench.domain.values.times import Instant
from backbench.storage.customers.customers import COLUMNS as CUSTOMER_COLUMNS
from backbench.storage.engine.database import Catalog, Read, Write

_ORDER = ("title", "title_folded", "customer_name", "customer_folded", "notes", "status", "created_at",
    "last_activity_at", "status_history")  # fmt: skip
_DETAILS = ("phone", "phone_digits", "item", "item_folded", "due_on", "due_time", "price_limit", "place",
    "collected_at")  # fmt: skip
_CUSTOMER = ImportedCustomer.__struct_fields__
# What an import may add to a customer that exists.
_FILLED = ("phones", "emails", "notes", "address", "site_address", "tax_id", "locale", "search_text", "phone_digits")


class _Link(Struct, frozen=True):
    order_id: str
    customer_id: str


class SharedKey(Struct, frozen=True):
    """A record of a file, and a customer with something in common."""

    row_id: str
    customer_id: str
    name: str


async def find_shared(db: Read, catalog: Catalog, workshop_id: str, chunk: Chunk) -> list[SharedKey]:
    """The customers that have a phone, email address or tax id of the chunk, the oldest first."""
    # Keys are looked up for the rows. Both engines would read all keys of the workshop and search the chunk for each
    # of them: SQLite but for CROSS JOIN, PostgreSQL if it knew that the id of the workshop is the same in all rows.
    sql = f"""
        WITH sent (row_id, key, workshop_id) AS MATERIALIZED (
            SELECT chunk.*, CAST(:workshop_id AS TEXT)
            FROM ({catalog.rows_from_json("customer_keys", ["customer_id", "key"])}) AS chunk
        )
        SELECT DISTINCT sent.row_id, c.id AS customer_id, c.name
        FROM sent CROSS JOIN customer_keys k CROSS JOIN customers c
        WHERE k.workshop_id = sent.workshop_id AND k.key = sent.key AND c.id = k.customer_id AND c.state = 'present'
        ORDER BY row_id, customer_id
    """
    return await db.all(SharedKey, sql, rows=chunk.keys, workshop_id=workshop_id)


# Customers


async def add_customers(db: Write, catalog: Catalog, workshop_id: str, chunk: Chunk, now: Instant) -> None:
    sent = catalog.rows_from_json("customers", _CUSTOMER)
    names = ", ".join(_CUSTOMER)
    await db.run(
        f"""
        WITH sent ({names}) AS ({sent})
        INSERT INTO customers ({names}, workshop_id, created_at, updated_at, state)
        SELECT {names}, :workshop_id, :now, :now, 'present' FROM sent
        """,
        rows=chunk.rows,
        workshop_id=workshop_id,
        now=now,
    )
    await _add_keys(db, catalog, workshop_id, chunk.keys)


async def lock_customers(db: Write, catalog: Catalog, ids: Sequence[str]) -> list[Customer]:
    """The customers, locked against changes by others until the end of the transaction."""
    rows = json.encode([{"id": id_} for id_ in ids]).decode()
    condition = f"id IN ({catalog.rows_from_json('customers', ['id'])}) AND state = 'present'"
    await db.run(f"UPDATE customers SET state = state WHERE {condition}", rows=rows)
    return await db.all(Customer, f"SELECT {CUSTOMER_COLUMNS} FROM customers c WHERE {condition}", rows=rows)


async def save_filled(db: Write, catalog: Catalog, workshop_id: str, chunk: Chunk, now: Instant) -> None:
    """Saves customers that were locked in the same transaction."""
    names = ("id", *_FILLED)
    await db.run(
        f"""
        WITH sent ({", ".join(names)}) AS ({catalog.rows_from_json("customers", names)})
        UPDATE customers SET {", ".join(f"{name} = sent.{name}" for name in _FILLED)}, updated_at = :now
        FROM sent WHERE customers.id = sent.id
        """,
        rows=chunk.rows,
        now=now,
    )
    ids = catalog.rows_from_json("customers", ["id"])
    await db.run(f"DELETE FROM customer_keys WHERE customer_id IN ({ids})", rows=chunk.rows)
    await _add_keys(db, catalog, workshop_id, chunk.keys)


async def _add_keys(db: Write, catalog: Catalog, workshop_id: str, keys: str) -> None:
    await db.run(
        f"""
        WITH sent (customer_id, key) AS ({catalog.rows_from_json("customer_keys", ["customer_id", "key"])})
        INSERT INTO customer_keys (workshop_id, key, customer_id) SELECT :workshop_id, key, customer_id FROM sent
        """,
        rows=keys,
        workshop_id=workshop_id,
    )


# Orders


async def add_orders(db: Write, catalog: Catalog, workshop_id: str, chunk: Chunk) -> None:
    """A trigger makes the details of each, with the next number. Without a price nothing is owed for them."""
    names = ", ".join(_ORDER)
    order_columns = catalog.rows_from_json("orders", ("id", *_ORDER))
    await db.run(
        f"""
        WITH sent (id, {names}) AS ({order_columns})
        INSERT INTO orders (id, workshop_id, {names}) SELECT id, :workshop_id, {names} FROM sent
        """,
        rows=chunk.rows,
        workshop_id=workshop_id,
    )
    details = ("order_id", *_DETAILS)
    await db.run(
        f"""
        WITH sent ({", ".join(details)}) AS ({catalog.rows_from_json("order_details", details)})
        UPDATE order_details SET {", ".join(f"{name} = sent.{name}" for name in _DETAILS)},
            owed_thousandths = CASE WHEN sent.collected_at IS NULL THEN NULL ELSE 0 END
        FROM sent WHERE order_details.order_id = sent.order_id
        """,
        rows=chunk.rows,
    )


async def link_customers(db: Write, catalog: Catalog, linked: dict[str, str]) -> None:
    """Records the customer of each order: `linked` has ids of customers by order."""
    rows = [_Link(order_id, customer_id) for order_id, customer_id in linked.items()]
    await db.run(
        f"""
        WITH sent (order_id, customer_id) AS ({catalog.rows_from_json("order_details", ["order_id", "customer_id"])})
        UPDATE order_details SET customer_id = sent.customer_id FROM sent WHERE order_details.order_id = sent.order_id
        """,
        rows=json.encode(rows).decode(),
    )
