"""Changes of a workshop since a cursor: the present state of what changed, for clients that keep a copy."""

import re
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.accounts.sessions import Caller
from backbench.domain.customers.customers import Customer
from backbench.domain.estimating.estimates import Estimate
from backbench.domain.estimating.grids import Grid
from backbench.domain.orders.order_details import OrderDetails
from backbench.domain.orders.payments import Payment
from backbench.domain.orders.photos import Photo
from backbench.domain.values.errors import FieldError, ValidationError
from backbench.domain.workshops.orders import Order
from backbench.domain.workshops.workshops import Workshop

ObjectKind = Literal["order", "estimate", "grid", "photo", "customer"]
# `workshop` stands for its profile, members and plan, which are one shape.
Kind = Literal["order", "estimate", "grid", "payment", "photo", "customer", "workshop"]

# Beyond these, loading the lists anew costs less than the changes.
MAX_OBJECTS_BEHIND = 2_000
MAX_VERSIONS_BEHIND = 20_000
DEFAULT_LIMIT = 200

_KINDS: dict[str, Kind] = {
    "order": "order",
    "estimate": "estimate",
    # Its object is the estimate: what changed is whether that is decided.
    "decision": "estimate",
    "grid": "grid",
    "payment": "payment",
    "photo": "photo",
    "customer": "customer",
    "workshop": "workshop",
    "member": "workshop",
    "plan": "workshop",
}
# Of the other events of an order, neither shape shows anything.
ORDER_EVENTS = ("order.created", "order.updated", "order.moved", "order.deleted")
DETAILS_EVENTS = ("order.created", "order.moved", "order.collected", "order.details_updated")
_CURSOR = re.compile(r"([0-9a-f-]{8,36})\.([0-9]{1,15})\.([0-9a-f]{0,12})")


class ChangesQuery(Struct, frozen=True):
    since: Annotated[str, Meta(max_length=200)] | None = None
    limit: Annotated[int, Meta(ge=1, le=500)] | None = None


class RemovedObject(Struct, frozen=True):
    kind: ObjectKind
    id: str


class Changes(Struct, frozen=True, rename="camel"):
    """`reset`: the cursor cannot be continued; load the lists anew, then ask from the new `cursor`."""

    cursor: str
    more: bool
    reset: bool
    orders: list[Order]
    order_details: list[OrderDetails]
    estimates: list[Estimate]
    grids: list[Grid]
    payments: list[Payment]
    photos: list[Photo]
    customers: list[Customer]
    removed: list[RemovedObject]
    workshop: Workshop | UnsetType = UNSET


class ChangeCursor(Struct, frozen=True):
    """A position in a workshop's log. `history` names the database history, `entry` the end of the entry's id.

    The version alone would not do: a restored backup, or a failover that lost its latest writes, gives the same
    versions to other changes.
    """

    history: str
    version: int
    entry: str

    def __str__(self) -> str:
        return f"{self.history}.{self.version}.{self.entry}"


def cursor_at(history: str, version: int, entry_id: str) -> ChangeCursor:
    return ChangeCursor(history, version, entry_id[-12:])


def read_cursor(text: str, pointer: str) -> ChangeCursor:
    """The cursor in the text. Raises ValidationError at `pointer`."""
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise ValidationError(FieldError(pointer, "malformed", "Not a cursor of a workshop's changes"))
    return ChangeCursor(match[1], int(match[2]), match[3])


class LogPosition(Struct, frozen=True):
    """The present version of a workshop, and the id of the entry at the version that a client has."""

    version: int
    history: str
    last_entry_id: str
    since_entry_id: str | None

    @property
    def cursor(self) -> ChangeCursor:
        return cursor_at(self.history, self.version, self.last_entry_id)

    def continues(self, since: ChangeCursor) -> bool:
        """Whether the changes after the cursor are all in the log."""
        entry = (self.since_entry_id or "")[-12:]
        is_known = since.history == self.history and since.version <= self.version and since.entry == entry
        return is_known and self.version - since.version <= MAX_VERSIONS_BEHIND


class ChangedObject(Struct, frozen=True):
    """An object of the log: the type of one of its events, and the version of its latest change.

    An order and its details are two objects with one id, since they change apart.
    """

    id: str
    event: str
    version: int
    is_details: bool = False

    @property
    def kind(self) -> Kind | None:
        """None where the change concerns none of the shapes, such as an upload."""
        return kind_of(self.event)


def kind_of(event: str) -> Kind | None:
    return _KINDS.get(event.partition(".")[0])


def readable_kinds(caller: Caller) -> frozenset[Kind]:
    """The kinds of objects that the caller may read: all with a session, those of its scopes with a key.

    No scope is that of the workshop, with its notes, members and plan.
    """
    if caller.key_id is None:
        return frozenset(_KINDS.values())
    kinds: set[Kind] = set()
    if "orders:read" in caller.scopes:
        kinds |= {"order", "photo"}
    if "estimates:read" in caller.scopes:
        kinds |= {"estimate", "grid"}
    if "customers:read" in caller.scopes:
        kinds.add("customer")
    if "payments:read" in caller.scopes:
        kinds.add("payment")
    return frozenset(kinds)
