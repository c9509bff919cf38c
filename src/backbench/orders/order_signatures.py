"""Signatures of orders: what a customer drew at the counter, kept with the order and printed on its slips."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.engine.database import Read, Write
from backbench.engine.rows import or_none
from backbench.orders.order_details import Collector
from backbench.orders.order_links import OrderRef
from backbench.sharing.decisions import MAX_STROKE_BYTES, MAX_STROKES, Stroke
from backbench.values.calls import Call
from backbench.values.errors import Conflict, FieldError
from backbench.values.numbers import Number, to_json
from backbench.values.shapes import made_of
from backbench.values.times import Instant
from backbench.workshops.audit import Unchanged


class NewOrderSignature(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`name`: who signed, where it was not the customer."""

    strokes: Annotated[list[Stroke], Meta(min_length=1, max_length=MAX_STROKES)]
    name: Collector | UnsetType = UNSET

    def field_errors(self) -> list[FieldError]:
        if len(to_json(self.strokes)) <= MAX_STROKE_BYTES:
            return []
        return [FieldError("/strokes", "too_long", f"Expected at most {MAX_STROKE_BYTES} bytes of JSON")]


class OrderSignature(Struct, frozen=True, rename="camel"):
    """Without the other members where nobody has signed."""

    order_id: str
    strokes: list[list[list[Number]]] | UnsetType = UNSET
    name: str | UnsetType = UNSET
    signed_at: Instant | UnsetType = UNSET


def is_signed() -> Conflict:
    return Conflict("signed", "The order has a signature, which only a person replaces")


# Statements


_COLUMNS = "order_id, strokes, name, signed_at"


class StoredSignature(Struct, frozen=True):
    order_id: str
    strokes: list[list[list[Number]]]
    name: str | None
    signed_at: Instant

    @property
    def points(self) -> list[list[tuple[float, float]]]:
        return [[(float(x), float(y)) for x, y in stroke] for stroke in self.strokes]


async def lookup(db: Read, order_id: str) -> StoredSignature | None:
    """What was signed for the order; None where nobody has signed."""
    sql = f"SELECT {_COLUMNS} FROM order_signatures WHERE order_id = :order_id"
    return await db.one(StoredSignature, sql, order_id=order_id)


async def save(db: Write, workshop_id: str, signature: StoredSignature) -> None:
    """Adds the signature, or replaces the one that there is."""
    await db.put("order_signatures", signature, key="order_id", workshop_id=workshop_id)


async def delete(db: Write, order_id: str) -> None:
    await db.run("DELETE FROM order_signatures WHERE order_id = :order_id", order_id=order_id)


# Verbs


async def get(db: Read, order: OrderRef) -> OrderSignature:
    """Read the signature of an order; without `strokes` where nobody has signed."""
    found = await lookup(db, order.id)
    return OrderSignature(order.id) if found is None else made_of(OrderSignature, found)


async def sign(
    db: Write, call: Call, order: OrderRef, body: NewOrderSignature
) -> OrderSignature | Unchanged[OrderSignature]:
    """Keep what the customer signed with the order; with a session it replaces an earlier signature.

    Raises Conflict `signed` for a key where the order has another signature: it is evidence.
    """
    name = or_none(body.name)
    before = await lookup(db, order.id)
    if before is not None and (before.strokes, before.name) == (body.strokes, name):
        return Unchanged(made_of(OrderSignature, before))
    if before is not None and call.caller.key_id is not None:
        raise is_signed()
    after = StoredSignature(order.id, body.strokes, name, call.now)
    await save(db, order.workshop_id, after)
    return made_of(OrderSignature, after)


async def clear(db: Write, order: OrderRef) -> OrderSignature | Unchanged[OrderSignature]:
    """Delete the signature of an order."""
    nothing = OrderSignature(order.id)
    if await lookup(db, order.id) is None:
        return Unchanged(nothing)
    await delete(db, order.id)
    return nothing
