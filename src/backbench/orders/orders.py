"""Orders: the jobs on a workshop's board, each with its status history."""

from collections.abc import AsyncGenerator
from functools import partial
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, json

from backbench.engine import lists
from backbench.engine.database import Read, Value, Write
from backbench.engine.lists import NewestFirst, encode_cursor
from backbench.engine.objects import Loaded
from backbench.engine.rows import columns, containing
from backbench.orders import issued_invoices, order_links, payments
from backbench.orders.payments import has_payments
from backbench.values.calls import Call
from backbench.values.errors import NotFound
from backbench.values.numbers import to_json
from backbench.values.pagination import Page, PageQuery
from backbench.values.scalars import NO_CONTROL, ONE_LINE, Notes, fold_case
from backbench.values.shapes import edited
from backbench.values.times import Instant
from backbench.workshops.audit import Unchanged

OrderStatus = Literal["todo", "in_progress", "done"]
Title = Annotated[str, Meta(min_length=1, max_length=250, pattern=NO_CONTROL, extra=ONE_LINE)]
CustomerName = Annotated[str, Meta(max_length=250, pattern=NO_CONTROL, extra=ONE_LINE)]

# The first entry and the latest ones are stored; a job has a dozen, and every read of the order takes them all.
MAX_STATUS_CHANGES = 1000


class StatusChange(Struct, frozen=True):
    status: OrderStatus
    at: Instant


class Order(Struct, frozen=True, rename="camel"):
    id: str
    workshop_id: str
    title: str
    customer_name: str
    notes: str
    status: OrderStatus
    created_at: Instant
    last_activity_at: Instant
    status_history: list[StatusChange]


def bounded(history: list[StatusChange]) -> list[StatusChange]:
    """The first status change and the latest ones, at most MAX_STATUS_CHANGES."""
    first, later = history[:1], history[1:]
    return first + later[-(MAX_STATUS_CHANGES - 1) :]


class OrderResponse(Struct, frozen=True):
    order: Order


class OrdersList(Struct, frozen=True):
    orders: list[Order]


class NewOrder(Struct, frozen=True, rename="camel"):
    """Unknown fields are ignored."""

    title: Title
    customer_name: CustomerName = ""

    def to_order(self, workshop_id: str, order_id: str, at: Instant) -> Order:
        """The new order: status `todo`, without notes."""
        return Order(
            id=order_id,
            workshop_id=workshop_id,
            title=self.title,
            customer_name=self.customer_name,
            notes="",
            status="todo",
            created_at=at,
            last_activity_at=at,
            status_history=[StatusChange("todo", at)],
        )


class OrderEdit(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    title: Title | UnsetType = UNSET
    customer_name: CustomerName | UnsetType = UNSET
    notes: Notes | UnsetType = UNSET

    at_least_one = True


class OrderMove(Struct, frozen=True, forbid_unknown_fields=True):
    status: OrderStatus


class OrderFilter(PageQuery, frozen=True):
    """The filter of a list of orders. Without any parameter the list is complete."""

    status: OrderStatus | None = None
    q: Annotated[str, Meta(max_length=250)] | None = None

    @property
    def is_everything(self) -> bool:
        return self.limit is None and self.cursor is None and self.status is None and not self.q


# Statements


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


async def save_edit(db: Write, order: Order, at: Instant) -> None:
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
    # Its event in a calendar is a later one.
    await db.run("UPDATE order_details SET changed_at = :at WHERE order_id = :id", id=order.id, at=at)


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


async def delete_row(db: Write, order_id: str) -> None:
    """Raises NotFound, where another request has deleted it meanwhile too."""
    if not await db.run("DELETE FROM orders WHERE id = :order_id", order_id=order_id):
        raise NotFound


# Verbs


async def list_all(db: Read, workshop_id: str, query: OrderFilter) -> bytes | Page[Order]:
    """List the orders of a workshop, newest first.

    The whole list comes as JSON from the database, which takes half the time of decoding and encoding each order.
    """
    if not query.is_everything:
        return await matching(workshop_id, query).page(db, query)
    whole = await list_all_as_json(db, workshop_id)
    if whole is None:
        return Page((), pieces=partial(pieces_as_json, workshop_id=workshop_id))
    return b'{"orders":[' + whole + b"]}"


async def create(db: Write, call: Call, workshop_id: str, body: NewOrder) -> Order:
    """Create an order with status `todo` and empty notes."""
    order = body.to_order(workshop_id, call.new_id(), call.now)
    await add(db, order)
    return order


async def get(db: Read, order: StoredOrder) -> OrderResponse:
    """Read an order."""
    return OrderResponse(order)


async def update(db: Write, call: Call, order: StoredOrder, body: OrderEdit) -> Order | Unchanged[Order]:
    """Change title, customer name or notes of an order; `lastActivityAt` stays as it is."""
    after = edited(order, body)
    if after == order:
        return Unchanged(order)
    await save_edit(db, after, call.now)
    return after


async def move(db: Write, call: Call, order: StoredOrder, body: OrderMove) -> Order:
    """Set the status of an order and append it to `statusHistory`, which keeps its first and its latest entries."""
    if order.status == "done" and body.status != "done":
        await clear_collected(db, order.id)
    return await save_move(db, order, body.status, at=call.now)


async def delete(db: Write, order: StoredOrder) -> Order:
    """Delete an order with its drafts of invoices.

    Raises Conflict `has_payments` while payments for it stand, `has_invoices` where invoices of it were issued.
    """
    # As payments do: one that is being recorded now is counted, or finds no order.
    await order_links.lock(db, order.id)
    standing = await payments.count_standing(db, order.id)
    if standing:
        raise has_payments(standing)
    await issued_invoices.require_none(db, "order_id", order.id)
    await issued_invoices.delete_drafts(db, order.id)
    await delete_row(db, order.id)
    return order


_CLEAR_COLLECTED = """
    UPDATE order_details SET collected_at = NULL, collected_by = NULL
    WHERE order_id = :order_id AND collected_at IS NOT NULL
"""


async def clear_collected(db: Write, order_id: str) -> None:
    """The order left `done`. Most were never collected: their rows are not written."""
    await db.run(_CLEAR_COLLECTED, order_id=order_id)
