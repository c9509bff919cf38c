"""Signatures of orders: what the customer signed at the counter."""

from backbench.domain.accounts.calls import Call
from backbench.domain.orders.order_signatures import NewOrderSignature, OrderSignature, is_signed
from backbench.domain.workshops.audit import Unchanged
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import or_none
from backbench.storage.orders import order_signatures
from backbench.storage.orders.order_links import OrderRef
from backbench.storage.orders.order_signatures import StoredSignature


async def get(db: Read, order: OrderRef) -> OrderSignature:
    """Read the signature of an order; without `strokes` where nobody has signed."""
    found = await order_signatures.lookup(db, order.id)
    return OrderSignature(order.id) if found is None else found.to_response()


async def sign(
    db: Write, call: Call, order: OrderRef, body: NewOrderSignature
) -> OrderSignature | Unchanged[OrderSignature]:
    """Keep what the customer signed with the order; with a session it replaces an earlier signature.

    Raises Conflict `signed` for a key where the order has another signature: it is evidence.
    """
    name = or_none(body.name)
    before = await order_signatures.lookup(db, order.id)
    if before is not None and (before.strokes, before.name) == (body.strokes, name):
        return Unchanged(before.to_response())
    if before is not None and call.caller.key_id is not None:
        raise is_signed()
    after = StoredSignature(order.id, body.strokes, name, call.now)
    await order_signatures.save(db, order.workshop_id, after)
    return after.to_response()


async def clear(db: Write, order: OrderRef) -> OrderSignature | Unchanged[OrderSignature]:
    """Delete the signature of an order."""
    nothing = OrderSignature(order.id)
    if await order_signatures.lookup(db, order.id) is None:
        return Unchanged(nothing)
    await order_signatures.delete(db, order.id)
    return nothing
