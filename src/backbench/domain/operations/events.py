"""Live events: the changes of a workshop as server-sent events (text/event-stream)."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.operations.changes import ChangeCursor, cursor_at
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import AuditEntry

# Keeps proxies from closing a quiet stream, and tells a browser, which shows no comments, that it is still open.
HEARTBEAT = b"event: heartbeat\ndata: {}\n\n"
# The caller may no longer read the workshop. The stream ends.
GONE = b"event: gone\ndata: {}\n\n"


class EventsQuery(Struct, frozen=True):
    since: Annotated[str, Meta(max_length=200)] | None = None


class ChangeEvent(Struct, frozen=True, rename="camel"):
    """The `data` of an event. `actor_uid` is absent for the host, the payment provider and clients."""

    type: str
    object_id: str
    at: Instant
    actor_uid: str | UnsetType = UNSET


class _Position(Struct, frozen=True):
    cursor: str


def hello(cursor: ChangeCursor) -> bytes:
    """The first event of a stream: where it starts."""
    return _event("hello", cursor, _Position(str(cursor)))


def reset(cursor: ChangeCursor) -> bytes:
    """The stream cannot continue from the client's cursor: load the lists anew, then ask from this one."""
    return _event("reset", cursor, _Position(str(cursor)))


def change_event(history: str, entry: AuditEntry) -> bytes:
    data = ChangeEvent(type=entry.action, object_id=entry.object_id, at=entry.at, actor_uid=entry.actor_uid)
    return _event("change", cursor_at(history, entry.version, entry.id), data)


def _event(name: str, cursor: ChangeCursor, data: Struct) -> bytes:
    return f"id: {cursor}\nevent: {name}\ndata: {msgspec.json.encode(data).decode()}\n\n".encode()
