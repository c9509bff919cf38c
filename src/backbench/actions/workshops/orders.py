"""What a member does with the workshop's orders."""

from backbench.actions.authorization import require_member
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.ids import NewId
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page
from backbench.domain.values.times import Instant
from backbench.domain.workshops.orders import (
    NewOrder,
    Order,
    OrderEdit,
    OrderFilter,
    OrderMove,
    OrderResponse,
    OrdersList,
)
from backbench.storage.engine.database import Read, Write
from backbench.storage.workshops import orders


async def show_all(db: Read, caller: Caller, workshop_id: str, query: OrderFilter) -> bytes | Page:
    """OrdersList as JSON; a page of it where a limit was asked for."""
    await require_member(db, caller, workshop_id)
    if query.is_everything:
        return b'{"orders":[' + (await orders.list_all_as_json(db, workshop_id)).encode() + b"]}"
    limit = query.limit or orders.ALL
    found = await orders.list_matching(db, workshop_id, query, limit + 1)
    shown = found[:limit]
    following = orders.cursor_of(shown[-1]) if len(found) > limit else None
    return Page(to_json(OrdersList(shown)), following)


async def create(db: Write, caller: Caller, workshop_id: str, body: NewOrder, now: Instant, new_id: NewId) -> Order:
    await require_member(db, caller, workshop_id)
    order = body.to_order(workshop_id, new_id(), now)
    await orders.add(db, order)
    return order


async def show(db: Read, caller: Caller, order_id: str) -> OrderResponse:
    return OrderResponse(await _find_for(db, caller, order_id))


async def edit(db: Write, caller: Caller, order_id: str, body: OrderEdit) -> Order:
    """Title, customer and notes are no activity: the history and its moment stay."""
    await _find_for(db, caller, order_id)
    return await orders.save_edit(db, order_id, body)


async def change_status(db: Write, caller: Caller, order_id: str, body: OrderMove, now: Instant) -> Order:
    await _find_for(db, caller, order_id)
    return await orders.save_move(db, order_id, body.status, at=now)


async def delete(db: Write, caller: Caller, order_id: str) -> None:
    await _find_for(db, caller, order_id)
    await orders.delete(db, order_id)


async def _find_for(db: Read, caller: Caller, order_id: str) -> Order:
    """The order; NotFound when there is none, NotAllowed when it is another workshop's."""
    order = await orders.find(db, order_id)
    await require_member(db, caller, order.workshop_id)
    return order
