"""Status links of orders: tokens that are derived, not stored, since slips are printed again and again.

A token is an authentication tag of the order's id and the link's generation, and the id, encrypted with a mask that is
derived from the tag: it tells no id, needs no row of its own, and ends when the generation is raised. The key is that
of the installation, so that backups keep printed codes valid.
"""

import hmac
from typing import Annotated
from uuid import UUID

from msgspec import Struct

from backbench.accounts import api_keys
from backbench.engine.database import Read, Write
from backbench.engine.objects import Loaded
from backbench.services import Services
from backbench.values.calls import Call, Caller
from backbench.values.numbers import Column

TOKEN_PREFIX = "bbo_"  # noqa: S105 - marks what a token is for
_HALF = 16


class StatusLink(Struct, frozen=True):
    """The address of the status page of an order."""

    url: str


class LinkedOrder(Struct, frozen=True):
    """The order of a token, as far as authentication reads it."""

    order_id: str
    workshop_id: str
    link_generation: int


class OrderLinkCaller(Caller, frozen=True, kw_only=True):
    """The holder of an order's status link: its customer, or anybody who has seen the slip."""

    order: LinkedOrder

    @property
    def shares_limits_of(self) -> str:
        return self.order.workshop_id

    @property
    def key_suffix(self) -> str:
        return f" by order link {self.order.order_id}"


class OrderLinkCall(Call, frozen=True):
    """A call by the holder of a status link."""

    caller: OrderLinkCaller


def token_of(key: bytes, order_id: str, generation: int) -> str:
    identity = UUID(order_id).bytes
    tag = _derived(key, b"tag", identity + generation.to_bytes(8, "big"))
    return api_keys.encode(tag + _xor(identity, _derived(key, b"mask", tag)), TOKEN_PREFIX)


def order_id_in(key: bytes, token: str) -> str | None:
    """The id in a well-formed token; None for another text. It proves nothing before `token_of` is compared."""
    content = api_keys.decode(token, TOKEN_PREFIX)
    if content is None:
        return None
    tag, masked = content[:_HALF], content[_HALF:]
    return str(UUID(bytes=_xor(masked, _derived(key, b"mask", tag))))


def is_token_of(key: bytes, token: str, order: LinkedOrder) -> bool:
    expected = token_of(key, order.order_id, order.link_generation)
    return hmac.compare_digest(expected.encode(), token.encode())


def page_url(public_url: str, token: str) -> str:
    """The address of the status page. The token is in the fragment, which no server, log or preview sees."""
    return f"{public_url}/o/#{token}"


def _derived(key: bytes, purpose: bytes, content: bytes) -> bytes:
    return hmac.digest(key, purpose + content, "sha256")[:_HALF]


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


# Statements


_ORDER = "SELECT order_id, workshop_id, link_generation FROM order_details WHERE order_id = :order_id"


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


# Verbs


async def get(db: Read, order: OrderRef, services: Services) -> StatusLink:
    """Read the address of the status page of an order, which slips have as a QR code."""
    return await status_link(db, order.id, order.link_generation, services.public_url)


async def renew(db: Write, order: OrderRef, services: Services) -> StatusLink:
    """Make a new address of the status page of an order. Older addresses and printed codes end at once."""
    await save_renewed(db, order.id)
    return await status_link(db, order.id, order.link_generation + 1, services.public_url)


async def status_link(db: Read, order_id: str, generation: int, public_url: str) -> StatusLink:
    return StatusLink(page_url(public_url, token_of(await key(db), order_id, generation)))
