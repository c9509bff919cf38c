"""Signatures of orders: what the customer signed at the counter."""

from backbench.actions.authorization import require_role
from backbench.actions.orders.order_details import authorize
from backbench.domain.accounts.calls import Call
from backbench.domain.orders.order_signatures import NewOrderSignature, OrderSignature, is_signed
from backbench.domain.workshops.audit import Audited, Unchanged
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.parameters import or_none
from backbench.storage.orders import order_details, order_signatures
from backbench.storage.orders.order_signatures import StoredSignature


async def get(db: Read, call: Call, order_id: str) -> OrderSignature:
    """Read the signature of an order; without `strokes` where nobody has signed."""
    await authorize(db, call, order_id)
    found = await order_signatures.lookup(db, order_id)
    return OrderSignature(order_id) if found is None else found.to_response()


async def sign(
    db: Write, call: Call, order_id: str, body: NewOrderSignature
) -> Audited[OrderSignature] | Unchanged[OrderSignature]:
    """Keep what the customer signed with the order; with a session it replaces an earlier signature.

    Raises Conflict `signed` for a key where the order has another signature: it is evidence.
    """
    workshop_id, role = await order_details.find_workshop(db, order_id, call.uid)
    require_role(call, workshop_id, role)
    name = or_none(body.name)
    before = await order_signatures.lookup(db.locking(), order_id)
    if before is not None and (before.strokes, before.name) == (body.strokes, name):
        return Unchanged(before.to_response())
    if before is not None and call.caller.key_id is not None:
        raise is_signed()
    after = StoredSignature(order_id, body.strokes, name, call.now)
    await order_signatures.save(db, workshop_id, after)
    return Audited(after.to_response(), workshop_id, order_id)


async def clear(db: Write, call: Call, order_id: str) -> Audited[OrderSignature] | Unchanged[OrderSignature]:
    """Delete the signature of an order."""
    workshop_id, role = await order_details.find_workshop(db, order_id, call.uid)
    require_role(call, workshop_id, role)
    nothing = OrderSignature(order_id)
    if await order_signatures.lookup(db.locking(), order_id) is None:
        return Unchanged(nothing)
    await order_signatures.delete(db, order_id)
    return Audited(nothing, workshop_id, order_id)
