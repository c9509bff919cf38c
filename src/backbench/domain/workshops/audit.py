"""Audit trail: who changed what in a workshop, when, and with which session or API key."""

from typing import Generic, TypeVar

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.accounts.sessions import Caller
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant

T = TypeVar("T")


class AuditEntry(Struct, frozen=True, rename="camel"):
    """`action` is the event type, such as `order.moved`; `object_id` is the id of what was changed or created."""

    id: str
    workshop_id: str
    at: Instant
    actor_uid: str
    action: str
    object_id: str
    session_id: str | UnsetType = UNSET
    key_id: str | UnsetType = UNSET


class AuditTrail(Struct, frozen=True):
    entries: list[AuditEntry]


class Audited(Struct, Generic[T], frozen=True):
    """The result of an action whose shape does not name the workshop or the object for its audit entry."""

    result: T
    workshop_id: str
    object_id: str


def audit_entry(
    caller: Caller, workshop_id: str, event: str, object_id: str, now: Instant, new_id: NewId
) -> AuditEntry:
    return AuditEntry(
        id=new_id(),
        workshop_id=workshop_id,
        at=now,
        actor_uid=caller.uid,
        action=event,
        object_id=object_id,
        session_id=caller.session_id or UNSET,
        key_id=caller.key_id or UNSET,
    )
