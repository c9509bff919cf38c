"""Events of a workshop as they happen, as a stream of server-sent events."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable

from msgspec import Struct

from backbench.actions.operations import events
from backbench.api.services import EndpointServices
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import Caller
from backbench.domain.operations.changes import ChangeCursor, read_cursor
from backbench.domain.operations.events import GONE, HEARTBEAT, EventsQuery, change_event, hello, reset
from backbench.domain.values.errors import Forbidden, NotFound, Unauthenticated, Unavailable
from backbench.domain.values.times import Instant
from backbench.http.requests import Request
from backbench.http.responses import Response, prepended, streamed
from backbench.jobs.live_changes import Subscription
from backbench.storage.engine.database import Database

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
            await events.position(read, workshop_id, since)
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
            position = await events.position(read, workshop_id, since)
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
    """The events after the cursor, and a heartbeat where there is none for a while."""
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + LIFE_SECONDS * random.uniform(0.9, 1.1)  # noqa: S311 - no secret
    subscription, version = source.subscription, cursor.version
    while loop.time() < ends_at:
        was_woken = await subscription.wait(HEARTBEAT_SECONDS)
        if source.is_over():
            return
        try:
            # Checked before everything that is sent: the session, the key or the membership may have ended.
            now = source.clock()
            call = Call(await source.authenticate(now), now)
            async with source.db.read() as db:
                entries = await events.list_after(db, call, subscription.workshop_id, version)
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
        if len(entries) == events.AT_ONCE:
            subscription.wake()
        piece = b"".join(change_event(cursor.history, entry) for entry in events.readable(call, entries))
        if piece:
            yield piece
        elif not was_woken:
            yield HEARTBEAT
