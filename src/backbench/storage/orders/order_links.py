"""Status links of orders in the database: the key of the installation, and the generation of each order's link."""

from typing import Annotated

from msgspec import Struct

from backbench.domain.orders.order_links import LinkedOrder, is_token_of, order_id_in
from backbench.domain.values.numbers import Column
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.objects import Loaded

_ORDER = """
    SELECT order_id, workshop_id, link_generation,
        (SELECT m.account_id FROM members m WHERE m.workshop_id = d.workshop_id AND m.role = 'owner'
            ORDER BY m.joined_at, m.account_id LIMIT 1) AS owner_uid
    FROM order_details d WHERE order_id = :order_id
"""


class OrderRef(Struct, frozen=True):
    """The order of a path, for what is kept beside it: payments, questions, notices, its signature and its link."""

    id: Annotated[str, Column("order_id")]
    workshop_id: str
    link_generation: int


ORDER_REF = Loaded(OrderRef, "order", "order_details d", key="order_id", condition="d.order_id = :order_id")


async def key(db: Read) -> bytes:
    """The key from which tokens are derived. The migration has made it."""
    return bytes.fromhex(await db.value("SELECT key_hex FROM server_keys WHERE name = 'order_links'"))


async def lookup_by_token(db: Read, token: str) -> LinkedOrder | None:
    """The order of a token. None for an unknown one, and once the link was renewed or the order is deleted."""
    secret = await key(db)
    order_id = order_id_in(secret, token)
    if order_id is None:
        return None
    order = await db.one(LinkedOrder, _ORDER, order_id=order_id)
    return order if order is not None and is_token_of(secret, token, order) else None


async def lock(db: Write, order_id: str) -> LinkedOrder | None:
    """The order's link as it is now, locked until the end of the transaction. None once the order is deleted."""
    return await db.locking().one(LinkedOrder, _ORDER, order_id=order_id)


async def save_renewed(db: Write, order_id: str) -> None:
    """Ends every address that was given until now."""
    sql = "UPDATE order_details SET link_generation = link_generation + 1 WHERE order_id = :order_id"
    await db.run(sql, order_id=order_id)
