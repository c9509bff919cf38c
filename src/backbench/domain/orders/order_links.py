"""Status links of orders: tokens that are derived, not stored, since slips are printed again and again.

A token is an authentication tag of the order's id and the link's generation, and the id, encrypted with a mask that is
derived from the tag: it tells no id, needs no row of its own, and ends when the generation is raised. The key is that
of the installation, so that backups keep printed codes valid.
"""

import hmac
from uuid import UUID

from msgspec import Struct

from backbench.domain.accounts import api_keys
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import Caller

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
    # Stored responses of customers count as those of the first owner.
    owner_uid: str


class OrderLinkCaller(Caller, frozen=True, kw_only=True):
    """The holder of an order's status link: its customer, or anybody who has seen the slip."""

    order: LinkedOrder

    @property
    def shares_limits_of(self) -> str:
        return self.order.workshop_id

    @property
    def stores_responses_of(self) -> str:
        return self.order.owner_uid

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
