"""Orders of an import, as they are stored, with their details."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from msgspec import UNSET, Struct, json

from backbench.domain.customers.phones import digits, e164_of
from backbench.domain.imports.chunks import Chunk, Key
from backbench.domain.imports.rows import Context
from backbench.domain.orders.order_details import OrderItem
from backbench.domain.values.ids import new_id
from backbench.domain.values.numbers import Number, to_json_text
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant, of_wall_clock
from backbench.domain.workshops.orders import StatusChange


class ImportedOrder(Struct, frozen=True):
    """An order as it is stored, and its details, which have its id as `order_id`."""

    id: str
    order_id: str
    title: str
    title_folded: str
    customer_name: str
    customer_folded: str
    notes: str
    status: str
    created_at: str
    last_activity_at: str
    status_history: str
    phone: str | None
    phone_digits: str | None
    item: str | None
    item_folded: str | None
    due_on: str | None
    due_time: str | None
    price_limit: str | None
    place: str | None
    collected_at: str | None


def order_chunk(rows: Sequence[dict[str, Any]], context: Context) -> Chunk:
    orders = [_order(values, context) for values in rows]
    shared = [
        Key(order.id, key)
        for order, values in zip(orders, rows, strict=True)
        for key in _keys_of_order(values, context)
    ]
    return Chunk([order.id for order in orders], json.encode(orders).decode(), json.encode(shared).decode())


def _order(values: dict[str, Any], context: Context) -> ImportedOrder:
    status, is_collected = values.get("status", ("todo", False))
    created_at = _created_at(values.get("createdAt"), context)
    history = [StatusChange("todo", created_at)]
    if status != "todo":
        history.append(StatusChange(status, context.now))
    item = OrderItem(
        description=values.get("item") or UNSET,
        serial=values.get("serial") or UNSET,
        pieces=values.get("pieces") or UNSET,
    )
    phone, due_on = values.get("phone"), values.get("dueOn")
    has_item, customer_name = item != OrderItem(), values.get("customerName", "")
    order_id = new_id()
    return ImportedOrder(
        id=order_id,
        order_id=order_id,
        title=values["title"],
        title_folded=fold_case(values["title"]),
        customer_name=customer_name,
        customer_folded=fold_case(customer_name),
        notes=values.get("notes", ""),
        status=status,
        created_at=created_at,
        last_activity_at=history[-1].at,
        status_history=to_json_text(history),
        phone=phone,
        phone_digits=None if phone is None else digits(phone),
        item=to_json_text(item) if has_item else None,
        item_folded=fold_case(item.description or "") if has_item else None,
        due_on=None if due_on is None else due_on.isoformat(),
        due_time=None if due_on is None else values.get("dueTime"),
        price_limit=Number(values["priceLimit"]).shortest() if "priceLimit" in values else None,
        place=values.get("place"),
        collected_at=context.now if is_collected else None,
    )


def _created_at(day: date | None, context: Context) -> Instant:
    """Noon of that day in the workshop's time zone, never later than now."""
    return context.now if day is None else min(of_wall_clock(day, "12:00", context.zone), context.now)


def _keys_of_order(values: dict[str, Any], context: Context) -> Iterator[str]:
    """By what the order's customer is found."""
    if e164 := e164_of(values.get("phone", ""), context.country):
        yield f"phone {e164}"
    if email := values.get("email"):
        yield f"email {fold_case(email)}"
