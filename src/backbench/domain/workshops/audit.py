"""Audit trail: the numbered log of changes of a workshop: who changed what and when."""

from typing import Generic, Literal, TypeVar, get_args

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant

T = TypeVar("T")

# `account`: a person with a session. `client`: the holder of a link. `host`: the command line. `provider`: an event of
# the payment provider.
ActorKind = Literal["account", "key", "client", "host", "provider"]


# Every event type: what can happen in a workshop. Webhooks, changes and the activity of a workshop have these alone.
EventType = Literal[
    "workshop.created",
    "workshop.updated",
    "plan.changed",
    "invitation.created",
    "invitation.deleted",
    "member.joined",
    "member.updated",
    "member.left",
    "webhook.created",
    "webhook.updated",
    "webhook.deleted",
    "webhook.rotated",
    "customer.created",
    "customer.updated",
    "customer.deleted",
    "customer.merged",
    "customer.erased",
    "order.created",
    "order.updated",
    "order.moved",
    "order.details_updated",
    "order.collected",
    "order.agreed",
    "payment.recorded",
    "payment.voided",
    "order.asked",
    "order.answered",
    "order.notified",
    "photo.created",
    "photo.updated",
    "photo.deleted",
    "order.link_renewed",
    "order.deleted",
    "estimate.created",
    "estimate.updated",
    "estimate.confirmed",
    "estimate.deleted",
    "estimate.shared",
    "estimate.unshared",
    "estimate.opened",
    "estimate.accepted",
    "estimate.declined",
    "estimate.commented",
    "decision.voided",
    "inbox.dismissed",
    "pdf.created",
    "pdf.deleted",
    "handoff.created",
    "grid.created",
    "grid.updated",
    "grid.deleted",
    "file.created",
    "file.deleted",
    "import.run",
    "import.undone",
]
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)
_NAMES = frozenset(EVENT_TYPES)


class Actor(Struct, frozen=True):
    """Who made a change. `uid` is the account, where there is one."""

    kind: ActorKind
    uid: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET
    key_id: str | UnsetType = UNSET


CLIENT = Actor("client")
HOST = Actor("host")
PROVIDER = Actor("provider")


class AuditEntry(Struct, frozen=True, rename="camel"):
    """A change of a workshop. `version` numbers them from 1, without gaps, in the order of their commits.

    `action` is the event type, such as `order.moved`; `object_id` is the id of what was changed or created.
    """

    id: str
    workshop_id: str
    version: int
    at: Instant
    actor_kind: ActorKind
    action: str
    object_id: str
    actor_uid: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET
    key_id: str | UnsetType = UNSET


class AuditTrail(Struct, frozen=True):
    entries: list[AuditEntry]


class Change(Struct, frozen=True):
    """A change that has no version yet: its transaction takes one at its end."""

    id: str
    workshop_id: str
    at: Instant
    actor: Actor
    event: str
    object_id: str


class Audited(Struct, Generic[T], frozen=True):
    """The result of an action whose shape does not name the workshop or the object for its audit entry.

    `event`: the event type, where it is not that of the operation. `copied`: the bytes that it stored and that are
    neither in the body of the request nor in that of the response, for the data quota.
    """

    result: T
    workshop_id: str
    object_id: str
    event: str = ""
    copied: int = 0


class Unchanged(Struct, Generic[T], frozen=True):
    """The result of a write that found everything as it should be: no audit entry and no version belong to it."""

    result: T


class ChangeSource(Struct, frozen=True):
    """Who makes changes, and when."""

    actor: Actor
    now: Instant
    new_id: NewId

    def change(self, workshop_id: str, event: str, object_id: str) -> Change:
        assert event in _NAMES, f"{event} is no event type"
        return Change(self.new_id(), workshop_id, self.now, self.actor, event, object_id)


def source_of(call: Call) -> ChangeSource:
    return ChangeSource(actor_of(call.caller), call.now, call.new_id)


def actor_of(caller: Caller) -> Actor:
    if caller.link_id is not None:
        return CLIENT
    kind: ActorKind = "account" if caller.key_id is None else "key"
    return Actor(kind, caller.uid, caller.session_id or UNSET, caller.key_id or UNSET)
