"""Orders of a workshop: list, create, read, update, move and delete."""

from functools import partial

from backbench.domain.accounts.calls import Call
from backbench.domain.orders.payments import has_payments
from backbench.domain.values.pagination import Page
from backbench.domain.workshops.audit import Unchanged
from backbench.domain.workshops.orders import (
    NewOrder,
    Order,
    OrderEdit,
    OrderFilter,
    OrderMove,
    OrderResponse,
)
from backbench.storage.engine.database import Read, Write
from backbench.storage.orders import order_details, order_links, payments
from backbench.storage.workshops import orders
from backbench.storage.workshops.orders import StoredOrder


async def list_all(db: Read, workshop_id: str, query: OrderFilter) -> bytes | Page[Order]:
    """List the orders of a workshop, newest first.

    The whole list comes as JSON from the database, which takes half the time of decoding and encoding each order.
    """
    if not query.is_everything:
        return await orders.matching(workshop_id, query).page(db, query)
    whole = await orders.list_all_as_json(db, workshop_id)
    if whole is None:
        return Page((), pieces=partial(orders.pieces_as_json, workshop_id=workshop_id))
    return b'{"orders":[' + whole + b"]}"


async def create(db: Write, call: Call, workshop_id: str, body: NewOrder) -> Order:
    """Create an order with status `todo` and empty notes."""
    order = body.to_order(workshop_id, call.new_id(), call.now)
    await orders.add(db, order)
    return order


async def get(db: Read, order: StoredOrder) -> OrderResponse:
    """Read an order."""
    return OrderResponse(order)


async def update(db: Write, order: StoredOrder, body: OrderEdit) -> Order | Unchanged[Order]:
    """Change title, customer name or notes of an order; `lastActivityAt` stays as it is."""
    after = body.apply(order)
    if after == order:
        return Unchanged(order)
    await orders.save_edit(db, after)
    return after


async def move(db: Write, call: Call, order: StoredOrder, body: OrderMove) -> Order:
    """Set the status of an order and append it to `statusHistory`, which keeps its first and its latest entries."""
    if order.status == "done" and body.status != "done":
        await order_details.clear_collected(db, order.id)
    return await orders.save_move(db, order, body.status, at=call.now)


async def delete(db: Write, order: StoredOrder) -> Order:
    """Delete an order. Raises Conflict `has_payments` while payments for it stand."""
    # As payments do: one that is being recorded now is counted, or finds no order.
    await order_links.lock(db, order.id)
    standing = await payments.count_standing(db, order.id)
    if standing:
        raise has_payments(standing)
    await orders.delete(db, order.id)
    return order
