"""The audit trail: who did what to a workshop, when, and through which session or key."""

from msgspec import UNSET, Struct, UnsetType

from backbench.domain.values.times import Instant


class AuditEntry(Struct, frozen=True, rename="camel"):
    """`action` is the operationId of the operation, `object_id` the object that it changed or created."""

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
