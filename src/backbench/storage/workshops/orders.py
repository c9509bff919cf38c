"""Orders in the database."""

from msgspec import UNSET

from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import Order, OrderEdit, OrderFilter, OrderStatus
from backbench.storage.engine.cursors import cursor_after, position
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import or_none

# No list is longer; stands for "no limit" where a statement wants one.
ALL = 2**31

_COLUMNS = "id, workshop_id, title, customer_name, notes, status, created_at, last_activity_at, status_history"

# The engine puts the JSON together itself: a list of 200 orders in half the time that Structs would take.
# Ids, statuses and moments hold nothing that JSON would escape; status_history is JSON already.
_AS_JSON = """format(
    '{"id":"%s","workshopId":"%s","title":%s,"customerName":%s,"notes":%s,"status":"%s",'
        || '"createdAt":"%s","lastActivityAt":"%s","statusHistory":%s}',
    id, workshop_id, json_quote(title), json_quote(customer_name), json_quote(notes), status,
    created_at, last_activity_at, status_history)"""
_NOT_BEFORE = "CASE WHEN last_activity_at > :at THEN last_activity_at ELSE :at END"


async def find(db: Read, order_id: str) -> Order:
    order = await db.one(Order, f"SELECT {_COLUMNS} FROM orders WHERE id = :order_id", order_id=order_id)
    if order is None:
        raise NotFound
    return order


async def all_as_json(db: Read, workshop_id: str) -> str:
    """Every order of the workshop, newest first, as the members of a JSON array without its brackets."""
    joined = await db.value(
        f"""
        SELECT string_agg(entry, ',') FROM (
            SELECT {_AS_JSON} AS entry FROM orders WHERE workshop_id = :workshop_id
            ORDER BY created_at DESC, id DESC
        ) AS entries
        """,
        workshop_id=workshop_id,
    )
    return joined or ""


async def matching(db: Read, workshop_id: str, wanted: OrderFilter, limit: int) -> list[Order]:
    """The first `limit` orders after the cursor that `wanted` asks for, newest first."""
    conditions = ["workshop_id = :workshop_id"]
    values: dict[str, str | int | float | bytes | None] = {"workshop_id": workshop_id, "limit": limit}
    if wanted.status is not None:
        conditions.append("status = :status")
        values["status"] = wanted.status
    if wanted.q:
        conditions.append("(title_folded LIKE :words ESCAPE '!' OR customer_folded LIKE :words ESCAPE '!')")
        values["words"] = f"%{_escaped(fold_case(wanted.q))}%"
    if wanted.cursor is not None:
        conditions.append("(created_at, id) < (:after_at, :after_id)")
        values["after_at"], values["after_id"] = position(wanted.cursor)
    return await db.all(
        Order,
        f"""
        SELECT {_COLUMNS} FROM orders WHERE {" AND ".join(conditions)}
        ORDER BY created_at DESC, id DESC LIMIT :limit
        """,
        **values,
    )


async def page_for_export(db: Read, workshop_id: str, after: Order | None, limit: int) -> list[Order]:
    cursor = None if after is None else cursor_of(after)
    return await matching(db, workshop_id, OrderFilter(cursor=cursor), limit)


def cursor_of(order: Order) -> str:
    """What a client sends to be led on after `order`."""
    return cursor_after(order.created_at, order.id)


def _escaped(words: str) -> str:
    return words.replace("!", "!!").replace("%", "!%").replace("_", "!_")


async def add(db: Write, order: Order) -> None:
    await db.run(
        f"""
        INSERT INTO orders ({_COLUMNS}, title_folded, customer_folded)
        VALUES (:id, :workshop_id, :title, :customer_name, :notes, :status, :created_at, :last_activity_at,
            :status_history, :title_folded, :customer_folded)
        """,
        id=order.id,
        workshop_id=order.workshop_id,
        title=order.title,
        customer_name=order.customer_name,
        notes=order.notes,
        status=order.status,
        created_at=order.created_at,
        last_activity_at=order.last_activity_at,
        status_history=to_json_text(order.status_history),
        title_folded=fold_case(order.title),
        customer_folded=fold_case(order.customer_name),
    )


async def save_edit(db: Write, order_id: str, edit: OrderEdit) -> Order:
    """Only the fields that were sent are written, so that parallel edits of others survive."""
    return await _changed(
        db,
        f"""
        UPDATE orders SET
            title = coalesce(:title, title), title_folded = coalesce(:title_folded, title_folded),
            customer_name = coalesce(:customer_name, customer_name),
            customer_folded = coalesce(:customer_folded, customer_folded),
            notes = coalesce(:notes, notes)
        WHERE id = :order_id RETURNING {_COLUMNS}
        """,
        order_id=order_id,
        title=or_none(edit.title),
        title_folded=None if edit.title is UNSET else fold_case(edit.title),
        customer_name=or_none(edit.customer_name),
        customer_folded=None if edit.customer_name is UNSET else fold_case(edit.customer_name),
        notes=or_none(edit.notes),
    )


async def save_move(db: Write, order_id: str, status: OrderStatus, at: Instant) -> Order:
    """Appends to the history in the statement itself, so that parallel moves all leave their entry, and in order: one
    that was asked for earlier but comes later, or by a clock that was set back, bears the moment of the one before."""
    return await _changed(
        db,
        f"""
        UPDATE orders SET status = :status, last_activity_at = {_NOT_BEFORE},
            status_history = substr(status_history, 1, length(status_history) - 1)
                || ',{{"status":"' || :status || '","at":"' || {_NOT_BEFORE} || '"}}]'
        WHERE id = :order_id RETURNING {_COLUMNS}
        """,
        order_id=order_id,
        status=status,
        at=at,
    )


async def delete(db: Write, order_id: str) -> None:
    await db.run("DELETE FROM orders WHERE id = :order_id", order_id=order_id)


async def _changed(db: Write, sql: str, **values: str | None) -> Order:
    order = await db.one(Order, sql, **values)
    if order is None:
        raise NotFound
    return order
