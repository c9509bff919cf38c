"""Signatures of orders in the database."""

from msgspec import UNSET, Struct

from backbench.domain.orders.order_signatures import OrderSignature
from backbench.domain.values.numbers import Number, to_json_text
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write

_COLUMNS = "order_id, strokes, name, signed_at"


class StoredSignature(Struct, frozen=True):
    order_id: str
    strokes: list[list[list[Number]]]
    name: str | None
    signed_at: Instant

    def to_response(self) -> OrderSignature:
        return OrderSignature(self.order_id, self.strokes, self.name or UNSET, self.signed_at)

    @property
    def points(self) -> list[list[tuple[float, float]]]:
        return [[(float(x), float(y)) for x, y in stroke] for stroke in self.strokes]


async def lookup(db: Read, order_id: str) -> StoredSignature | None:
    """What was signed for the order; None where nobody has signed."""
    sql = f"SELECT {_COLUMNS} FROM order_signatures WHERE order_id = :order_id"
    return await db.one(StoredSignature, sql, order_id=order_id)


async def save(db: Write, workshop_id: str, signature: StoredSignature) -> None:
    """Adds the signature, or replaces the one that there is."""
    await db.run(
        f"""
        INSERT INTO order_signatures (workshop_id, {_COLUMNS})
        VALUES (:workshop_id, :order_id, :strokes, :name, :signed_at)
        ON CONFLICT (order_id) DO UPDATE SET strokes = excluded.strokes, name = excluded.name,
            signed_at = excluded.signed_at
        """,
        workshop_id=workshop_id,
        order_id=signature.order_id,
        strokes=to_json_text(signature.strokes),
        name=signature.name,
        signed_at=signature.signed_at,
    )


async def delete(db: Write, order_id: str) -> None:
    await db.run("DELETE FROM order_signatures WHERE order_id = :order_id", order_id=order_id)


async def list_after(db: Read, workshop_id: str, after: str, limit: int) -> list[OrderSignature]:
    """The next signatures of the workshop after the order's id."""
    sql = f"""
        SELECT {_COLUMNS} FROM order_signatures WHERE workshop_id = :workshop_id AND order_id > :after
        ORDER BY order_id LIMIT :limit
    """
    found = await db.all(StoredSignature, sql, workshop_id=workshop_id, after=after, limit=limit)
    return [signature.to_response() for signature in found]
