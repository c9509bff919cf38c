"""Orders in the database."""

from collections.abc import AsyncGenerator

from msgspec import Raw, json

from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import (
    MAX_STATUS_CHANGES,
    Order,
    OrderFilter,
    OrderStatus,
    StatusChange,
    bounded,
)
from backbench.storage.engine import lists
from backbench.storage.engine.cursors import encode_cursor
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.objects import Loaded
from backbench.storage.engine.parameters import containing
from backbench.storage.engine.rows import columns

COLUMNS = columns(Order)

# The JSON is built in SQL: a list of 200 orders takes half the time that Structs would take.
# Ids, statuses and instants contain nothing that JSON escapes; status_history is JSON already.
_AS_JSON = """format(
    '{"id":"%s","workshopId":"%s","title":%s,"customerName":%s,"notes":%s,"status":"%s",'
        || '"createdAt":"%s","lastActivityAt":"%s","statusHistory":%s}',
    id, workshop_id, json_quote(title), json_quote(customer_name), json_quote(notes), status,
    created_at, last_activity_at, status_history)"""
# Some 400 bytes are in the other columns.
_SIZE = "octet_length(notes) + octet_length(status_history) + 400"
# All data of a workshop are more than its orders: where they are few enough, the orders need not be summed up.
# The order comes from the subquery. `string_agg(… ORDER BY …)` would sort the rows again in SQLite, which makes a list
# of 200 orders take 690 µs instead of 290, although both engines pass the sorted rows on as they are.
LIST_AS_JSON = f"""
    SELECT CASE WHEN (SELECT data_bytes FROM workshop_counters WHERE workshop_id = :workshop_id) <= :largest
        OR (SELECT coalesce(sum({_SIZE}), 0) FROM orders WHERE workshop_id = :workshop_id) <= :largest
    THEN (
        SELECT coalesce(string_agg(entry, ','), '') FROM (
            SELECT {_AS_JSON} AS entry FROM orders WHERE workshop_id = :workshop_id
            ORDER BY created_at DESC, id DESC
        ) AS entries
    ) END
"""


# An entry of a status history with a short status takes so much, with its comma.
_LEAST_ENTRY_BYTES = len('{"status":"done","at":"2026-11-22T11:50:15.123Z"},')


class StoredOrder(Order, frozen=True):
    """An order whose status history stays the JSON that is stored, which is the JSON of a response."""

    status_history: Raw  # type: ignore[assignment]


# The order of a path.
ORDER = Loaded(StoredOrder, "order", "orders o", key="order_id")


async def list_all_as_json(db: Read, workshop_id: str) -> bytes | None:
    """Every order of the workshop, newest first, as the elements of a JSON array; None where they are too large."""
    return await db.utf8(LIST_AS_JSON, workshop_id=workshop_id, largest=lists.BYTES_AT_ONCE)


async def pieces_as_json(db: Read, workshop_id: str) -> AsyncGenerator[bytes, None]:
    """Every order of the workshop, newest first, piece by piece as the elements of a JSON array."""
    listed = matching(workshop_id, OrderFilter())
    cursor, condition = None, ""
    values: dict[str, Value] = {"workshop_id": workshop_id}
    while rows := await listed.sized_piece(db, cursor):
        joined = await db.utf8(
            f"""
            SELECT string_agg(entry, ',') FROM (
                SELECT {_AS_JSON} AS entry FROM orders WHERE workshop_id = :workshop_id {condition}
                ORDER BY created_at DESC, id DESC LIMIT :number
            ) AS entries
            """,
            number=len(rows),
            **values,
        )
        assert joined is not None
        yield joined
        last = rows[-1]
        cursor, condition = encode_cursor(last.at, last.id), "AND (created_at, id) < (:after_at, :after_id)"
        values |= {"after_at": last.at, "after_id": last.id}


def matching(workshop_id: str, wanted: OrderFilter) -> NewestFirst[Order]:
    """The orders of the workshop that match the filter."""
    conditions = ["workshop_id = :workshop_id"]
    values: dict[str, Value] = {"workshop_id": workshop_id}
    if wanted.status is not None:
        conditions.append("status = :status")
        values["status"] = wanted.status
    if wanted.q:
        conditions.append("(title_folded LIKE :pattern ESCAPE '!' OR customer_folded LIKE :pattern ESCAPE '!')")
        values["pattern"] = containing(wanted.q)
    source = f"FROM orders WHERE {' AND '.join(conditions)}"
    return NewestFirst(Order, f"SELECT {COLUMNS} {source}", values, source=source, size=_SIZE)


async def add(db: Write, order: Order) -> None:
    await db.add("orders", order, title_folded=fold_case(order.title), customer_folded=fold_case(order.customer_name))


async def save_estimate(db: Write, order_id: str, estimate_id: str) -> None:
    """Records the estimate that the order was made from, which the order's shape does not have."""
    sql = "UPDATE orders SET estimate_id = :estimate_id WHERE id = :order_id"
    await db.run(sql, order_id=order_id, estimate_id=estimate_id)


async def save_edit(db: Write, order: Order) -> None:
    """Saves title, customer name and notes. The order was locked in the same transaction."""
    await db.save(
        "orders",
        order,
        title=order.title,
        title_folded=fold_case(order.title),
        customer_name=order.customer_name,
        customer_folded=fold_case(order.customer_name),
        notes=order.notes,
    )


async def save_move(db: Write, order: StoredOrder, status: OrderStatus, at: Instant) -> StoredOrder:
    """Sets the status and appends it to the history. `order` was locked in the same transaction.

    The history stays in order: a move with an earlier time than the last one, because it was requested earlier or the
    clock was set back, is recorded with the time of the last one.
    """
    at = max(at, order.last_activity_at)
    history = _appended(order.status_history, StatusChange(status, at))
    return await db.save("orders", order, status=status, last_activity_at=at, status_history=history)


def _appended(history: Raw, change: StatusChange) -> Raw:
    """The history with the change, as JSON. It is decoded only where it may be too long."""
    longer = b"%b,%b]" % (bytes(history)[:-1], to_json(change))
    if len(longer) <= MAX_STATUS_CHANGES * _LEAST_ENTRY_BYTES:
        return Raw(longer)
    return Raw(to_json(bounded(json.decode(longer, type=list[StatusChange]))))


async def delete(db: Write, order_id: str) -> None:
    """Raises NotFound, where another request has deleted it meanwhile too."""
    if not await db.run("DELETE FROM orders WHERE id = :order_id", order_id=order_id):
        raise NotFound
