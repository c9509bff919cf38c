"""Live events: the changes of a workshop as server-sent events (text/event-stream)."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.connections import changes
from backbench.connections.changes import ChangeCursor, LogPosition, cursor_at, kind_of, read_cursor, readable_kinds
from backbench.connections.live_changes import Subscription
from backbench.engine.database import Database, Read
from backbench.http.requests import Request
from backbench.http.responses import Response, prepended, streamed
from backbench.services import EndpointServices
from backbench.values.calls import Call, Caller
from backbench.values.errors import Forbidden, NotFound, Unauthenticated, Unavailable
from backbench.values.times import Instant
from backbench.workshops import audit
from backbench.workshops.audit import AuditEntry
from backbench.workshops.members import MEMBERSHIP

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


# Verbs


AT_ONCE = 200


async def find_position(db: Read, workshop_id: str, since: ChangeCursor | None) -> LogPosition:
    """The present position of the log. Raises NotFound, Forbidden."""
    return await changes.find_position(db, workshop_id, 0 if since is None else since.version)


async def list_after(db: Read, call: Call, workshop_id: str, version: int) -> list[AuditEntry]:
    """The next entries after the version, oldest first, at most 200. Raises Forbidden."""
    await MEMBERSHIP.find(db, call, workshop_id)
    return await audit.list_after(db, workshop_id, version, AT_ONCE)


def readable(call: Call, entries: list[AuditEntry]) -> list[AuditEntry]:
    """A session reads every entry; a key those of the kinds that its scopes allow."""
    if call.caller.key_id is None:
        return entries
    kinds = readable_kinds(call.caller)
    return [entry for entry in entries if kind_of(entry.action) in kinds]


# Over HTTP


HEARTBEAT_SECONDS = 25.0
# A stream ends by itself, so that streams spread over the workers again after a restart.
LIFE_SECONDS = 20 * 60.0
Authenticate = Callable[[Instant], Awaitable[Caller]]


async def stream(
    db: Database,
    call: Call,
    request: Request,
    workshop_id: str,
    query: EventsQuery,
    authenticate: Authenticate,
    services: EndpointServices,
) -> Response:
    """Stream the events of a workshop.

    Raises RateLimited where the account has 10 streams already.
    """
    text = request.header(b"last-event-id") or query.since
    since = None if text is None else read_cursor(text, "/since")
    if request.method == "HEAD":
        async with db.read() as read:
            await find_position(read, workshop_id, since)
        return streamed(None, b"text/event-stream")
    pieces = _events(db, call, request, workshop_id, since, authenticate, services)
    # The first piece is made before the status is sent: until then an error can replace the stream.
    started = prepended(await anext(pieces), pieces)
    # The header tells nginx not to hold events back.
    return streamed(started, b"text/event-stream", (b"x-accel-buffering", b"no"))


async def _events(
    db: Database,
    call: Call,
    request: Request,
    workshop_id: str,
    since: ChangeCursor | None,
    authenticate: Authenticate,
    services: EndpointServices,
) -> AsyncGenerator[bytes, None]:
    """The events of the stream, from `hello` to its end."""
    live_changes = services.live_changes
    # Subscribed first: a change between the two would be missed.
    with live_changes.subscribe(call.uid, workshop_id) as subscription:
        async with db.read() as read:
            position = await find_position(read, workshop_id, since)
        continues = since is not None and position.continues(since)
        cursor = since if since is not None and continues else position.cursor
        disconnect = asyncio.create_task(request.disconnected())
        disconnect.add_done_callback(lambda _: subscription.wake())
        source = _Source(
            db, subscription, authenticate, services.clock, lambda: disconnect.done() or live_changes.is_closing
        )
        try:
            yield hello(cursor)
            if continues:
                subscription.wake()
            elif since is not None:
                yield reset(cursor)
            async for piece in _events_after(source, cursor):
                yield piece
        finally:
            disconnect.cancel()


class _Source(Struct, frozen=True):
    """Where a stream gets its events, and when it is over."""

    db: Database
    subscription: Subscription
    authenticate: Authenticate
    clock: Callable[[], Instant]
    is_over: Callable[[], bool]


async def _events_after(source: _Source, cursor: ChangeCursor) -> AsyncGenerator[bytes, None]:
    """The events after the cursor, and a heartbeat where nothing was sent for a while."""
    loop = asyncio.get_running_loop()
    sent_at = loop.time()
    ends_at = loop.time() + LIFE_SECONDS * random.uniform(0.9, 1.1)  # noqa: S311 - no secret
    subscription, version = source.subscription, cursor.version
    while loop.time() < ends_at:
        await subscription.wait(max(0.0, sent_at + HEARTBEAT_SECONDS - loop.time()))
        if source.is_over():
            return
        try:
            # Checked before everything that is sent: the session, the key or the membership may have ended.
            now = source.clock()
            call = Call(await source.authenticate(now), now)
            async with source.db.read() as db:
                entries = await list_after(db, call, subscription.workshop_id, version)
        except (Unauthenticated, Forbidden, NotFound):
            yield GONE
            return
        except Unavailable:
            # Nothing is sent without that check. The client connects again with its last cursor.
            return
        if entries and entries[0].version != version + 1:
            # Another database was put in the place of this one.
            return
        if entries:
            version = entries[-1].version
        if len(entries) == AT_ONCE:
            subscription.wake()
        piece = b"".join(change_event(cursor.history, entry) for entry in readable(call, entries))
        # Entries that a key may not read wake it as well, and send nothing.
        if piece or loop.time() - sent_at >= HEARTBEAT_SECONDS:
            yield piece or HEARTBEAT
            sent_at = loop.time()
