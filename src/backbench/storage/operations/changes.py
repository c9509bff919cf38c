"""Changes in the database: what the log of a workshop names after a version, and its present state."""

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from backbench.domain.customers.customers import Customer
from backbench.domain.estimating.estimates import Estimate
from backbench.domain.estimating.grids import Grid
from backbench.domain.operations.changes import DETAILS_EVENTS, ORDER_EVENTS, ChangedObject, LogPosition
from backbench.domain.orders.payments import Payment
from backbench.domain.orders.photos import StoredPhoto
from backbench.domain.values.errors import NotFound
from backbench.domain.workshops.orders import Order
from backbench.storage.customers import customers
from backbench.storage.engine.database import Read
from backbench.storage.estimating import estimates, grids
from backbench.storage.orders import order_details, payments, photos
from backbench.storage.orders.order_details import StoredDetails
from backbench.storage.workshops import orders

T = TypeVar("T")

_IN_RANGE = "workshop_id = :workshop_id AND version > :since AND version <= :until"


class _Size(Struct, frozen=True):
    id: str
    size: int


async def find_position(db: Read, workshop_id: str, since: int) -> LogPosition:
    """The present version, and the entry at version `since`. Raises NotFound."""
    found = await db.one(
        LogPosition,
        """
        SELECT v.version, v.history, v.last_entry_id,
            (SELECT a.id FROM audit_entries a
            WHERE a.workshop_id = v.workshop_id AND a.version = :since) AS since_entry_id
        FROM workshop_counters v WHERE v.workshop_id = :workshop_id
        """,
        workshop_id=workshop_id,
        since=since,
    )
    if found is None:
        raise NotFound
    return found


async def entry_id(db: Read, workshop_id: str, version: int) -> str:
    """The id of the entry at the version; "" where there is none."""
    sql = "SELECT id FROM audit_entries WHERE workshop_id = :workshop_id AND version = :version"
    return await db.value(sql, workshop_id=workshop_id, version=version) or ""


async def list_objects(db: Read, workshop_id: str, since: int, until: int) -> list[ChangedObject]:
    """Every object that changed after version `since`, each once, in the order of their latest changes."""
    return await db.all(
        ChangedObject,
        f"""
        SELECT object_id AS id, min(action) AS event, max(version) AS version, 0 AS is_details
        FROM audit_entries
        WHERE {_IN_RANGE} AND (action NOT LIKE 'order.%' OR action IN ({_quoted(ORDER_EVENTS)})) GROUP BY object_id
        UNION ALL SELECT object_id AS id, min(action) AS event, max(version) AS version, 1 AS is_details
        FROM audit_entries WHERE {_IN_RANGE} AND action IN ({_quoted(DETAILS_EVENTS)}) GROUP BY object_id
        ORDER BY version, is_details
        """,
        workshop_id=workshop_id,
        since=since,
        until=until,
    )


async def list_sizes(db: Read, workshop_id: str, since: int, until: int) -> dict[str, int]:
    """The lengths of the JSON of the estimates, grids and customers that changed, by id."""
    sizes = await db.all(
        _Size,
        f"""
        SELECT id, length(line_items) AS size FROM estimates WHERE {_changed("estimate")}
        UNION ALL SELECT id, length(buttons) AS size FROM grids WHERE {_changed("grid")}
        UNION ALL SELECT id, length(notes) + 1000 AS size FROM customers WHERE {_changed("customer")}
        """,
        workshop_id=workshop_id,
        since=since,
        until=until,
    )
    return {each.id: each.size for each in sizes}


async def list_orders(db: Read, workshop_id: str, since: int, until: int) -> list[Order]:
    return await _list(db, Order, f"SELECT {orders.COLUMNS} FROM orders", "order", workshop_id, since, until)


async def list_details(db: Read, workshop_id: str, since: int, until: int) -> list[StoredDetails]:
    condition = f"""o.id IN (
        SELECT object_id FROM audit_entries WHERE {_IN_RANGE} AND action IN ({_quoted(DETAILS_EVENTS)})
    ) ORDER BY d.number"""
    return await order_details.list_all(db, workshop_id, condition, since=since, until=until)


async def list_estimates(db: Read, workshop_id: str, since: int, until: int) -> list[Estimate]:
    select = f"SELECT {estimates.COLUMNS} FROM estimates"
    return await _list(db, Estimate, select, "estimate", workshop_id, since, until)


async def list_grids(db: Read, workshop_id: str, since: int, until: int) -> list[Grid]:
    return await _list(db, Grid, f"SELECT {grids.COLUMNS} FROM grids", "grid", workshop_id, since, until)


async def list_payments(db: Read, workshop_id: str, since: int, until: int) -> list[Payment]:
    return await payments.list_changed(db, _changed("payment"), workshop_id=workshop_id, since=since, until=until)


async def list_photos(db: Read, workshop_id: str, since: int, until: int) -> list[StoredPhoto]:
    return await _list(db, StoredPhoto, f"SELECT {photos.COLUMNS} FROM photos", "photo", workshop_id, since, until)


async def list_customers(db: Read, workshop_id: str, since: int, until: int) -> list[Customer]:
    select = f"SELECT {customers.COLUMNS} FROM customers c"
    sql = f"{select} WHERE {_changed('customer')} AND state = 'present' ORDER BY created_at DESC, id DESC"
    return await db.all(Customer, sql, workshop_id=workshop_id, since=since, until=until)


async def _list(db: Read, type_: type[T], select: str, kind: str, workshop_id: str, since: int, until: int) -> list[T]:
    """The rows that changed after version `since` and up to `until`, as they are now, newest first."""
    sql = f"{select} WHERE {_changed(kind)} ORDER BY created_at DESC, id DESC"
    return await db.all(type_, sql, workshop_id=workshop_id, since=since, until=until)


def _quoted(events: Sequence[str]) -> str:
    return ", ".join(f"'{event}'" for event in events)


def _changed(kind: str) -> str:
    """The condition that the log names the row of the kind. Ids of different kinds are never the same."""
    events = f"action LIKE '{kind}.%'" + (" OR action LIKE 'decision.%'" if kind == "estimate" else "")
    return f"""workshop_id = :workshop_id AND id IN
        (SELECT object_id FROM audit_entries WHERE {_IN_RANGE} AND ({events}))"""
