"""The audit trail: who did what to a workshop, when, and through which session or key."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.times import Instant


class AuditEntry(Struct, frozen=True, rename="camel"):
    """`action` is the operationId of what was done; `object_id` what it was done to, or what it made."""

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


class AuditPage(Struct, frozen=True):
    """How much of the trail is asked for: newest first."""

    limit: Annotated[int, Meta(ge=1, le=500)] | None = None
    cursor: Annotated[str, Meta(max_length=200)] | None = None
