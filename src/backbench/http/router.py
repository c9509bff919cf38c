"""The ASGI application of the API: finds the endpoint, answers every refusal, counts what it answered."""

import asyncio
import secrets
import time
from collections.abc import Mapping
from contextlib import aclosing
from itertools import count
from typing import Any

import structlog
from starlette.types import Receive, Scope, Send

from backbench.domain.values.errors import DomainError, Unavailable
from backbench.http.authentication import Authenticator
from backbench.http.endpoint import Endpoint
from backbench.http.errors import error_response, internal, rate_limit
from backbench.http.operations import Operation, snake
from backbench.http.requests import ClientGone, Request
from backbench.http.responses import ONLY_HTTPS, Response, empty
from backbench.http.security_events import REFUSED, as_it_went, event_of
from backbench.storage.engine.database import Database

log = structlog.get_logger()


class _Place:
    """A place in the space of paths: what follows it, and what may be done at it."""

    __slots__ = ("below", "endpoints", "names", "parameter")

    def __init__(self) -> None:
        self.below: dict[str, _Place] = {}
        self.parameter: _Place | None = None
        self.endpoints: dict[str, Endpoint] = {}
        self.names: list[str] = []


class Tally:
    """How many requests an operation answered with which status, and how long that took in all."""

    __slots__ = ("number", "seconds")

    def __init__(self) -> None:
        self.number = 0
        self.seconds = 0.0


class Router:
    """Every operation under one prefix.

    Starlette's router tries a regular expression a route, in turn; with the whole table that cost more than the
    operation itself. A path is looked up here a segment at a time (docs/decisions/0004).
    """

    def __init__(
        self,
        operations: tuple[Operation, ...],
        db: Database,
        door: Authenticator,
        parts: Mapping[str, Any],
        prefix: str,
        *,
        is_secure: bool,
    ) -> None:
        self._db = db
        self._door = door
        self._prefix = prefix
        self._trusted_proxies = parts["trusted_proxies"]
        self._everywhere = [ONLY_HTTPS] if is_secure else []
        self._root = _Place()
        self._run_id = secrets.token_hex(4)
        self._numbers = count(1)
        self._notes: set[asyncio.Task[None]] = set()
        self.tallies: dict[tuple[str, str, int], Tally] = {}
        self._events: dict[Endpoint, str | None] = {}
        endpoints = [Endpoint(operation, db, door, parts) for operation in operations]
        reading = {endpoint.operation.path: endpoint for endpoint in endpoints if endpoint.operation.method == "GET"}
        for endpoint in endpoints:
            endpoint.representation = reading.get(endpoint.operation.read_at(reading) or "")
            self._add(endpoint.operation, endpoint)

    def _add(self, operation: Operation, endpoint: Endpoint) -> None:
        place = self._root
        for segment in operation.path.split("/")[1:]:
            if segment.startswith("{"):
                place.parameter = place.parameter or _Place()
                place = place.parameter
            else:
                place = place.below.setdefault(segment, _Place())
        place.names = [snake(name) for name in operation.path_names]
        place.endpoints[operation.method] = endpoint
        self._events[endpoint] = event_of(operation)

    def _find(self, path: str) -> tuple[_Place, list[str]] | None:
        place, values = self._root, []
        for segment in path[len(self._prefix) + 1 :].split("/"):
            following = place.below.get(segment)
            if following is None:
                following = place.parameter
                if following is None or not segment:
                    return None
                values.append(segment)
            place = following
        return (place, values) if place.endpoints else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        request_id = self.next_id()
        request = Request(scope, receive)
        found = self._find(scope["path"])
        path = "unknown"
        if found is None:
            answer = empty(404)
        else:
            place, values = found
            endpoint = place.endpoints.get("GET" if request.method == "HEAD" else request.method)
            if endpoint is None:
                answer = _other_method(request.method, place)
            else:
                path = endpoint.operation.path
                request.params = dict(zip(place.names, values, strict=True))
                try:
                    answer = await self._answered(endpoint, request, request_id)
                except ClientGone:
                    log.info("client gone", request_id=request_id, path=path)
                    answer = empty(400)
                if request.quotas and answer.status != 429:
                    answer.headers += rate_limit(request.quotas)
                if answer.status in REFUSED:
                    self._tell("refused", endpoint, request, answer.status, request_id)
                elif (event := self._events[endpoint]) is not None and answer.status < 400:
                    self._tell(as_it_went(event, request.uid), endpoint, request, answer.status, request_id)
        answer.headers += [(b"x-request-id", request_id.encode()), *self._everywhere]
        try:
            await _send(answer, send, with_body=request.method != "HEAD")
        except Exception:
            # The status has gone out, so all that is left is to break the answer off and to say why.
            log.exception("fault while answering", request_id=request_id, path=path)
            raise
        self._count(request.method, path, answer.status, time.perf_counter() - started)
        if self._door.notes:
            self._write_notes()

    def next_id(self) -> str:
        """What names a request in its answer and in the log."""
        return f"{self._run_id}-{next(self._numbers):x}"

    async def _answered(self, endpoint: Endpoint, request: Request, request_id: str) -> Response:
        try:
            return await endpoint.answer(request)
        except DomainError as refusal:
            if isinstance(refusal, Unavailable) and refusal.code == "unavailable":
                reason, operation = refusal.detail, endpoint.operation.name
                log.warning("unavailable", request_id=request_id, operation=operation, reason=reason)
            return error_response(refusal)
        except ClientGone:
            raise
        except Exception:
            log.exception("fault", request_id=request_id, operation=endpoint.operation.name)
            return internal(request_id)

    def _tell(self, event: str, endpoint: Endpoint, request: Request, status: int, request_id: str) -> None:
        """Whoever watches the logs sees who did what from where; nothing that was sent stands in the line."""
        log.info(
            event,
            status=status,
            operation=endpoint.operation.name,
            uid=request.uid,
            address=request.address(self._trusted_proxies),
            request_id=request_id,
        )

    def _count(self, method: str, path: str, status: int, seconds: float) -> None:
        tally = self.tallies.get((method, path, status))
        if tally is None:
            tally = self.tallies[(method, path, status)] = Tally()
        tally.number += 1
        tally.seconds += seconds

    def _write_notes(self) -> None:
        """Last-seen moments are written after the answer; losing one costs nothing."""
        for note in self._door.notes:
            task = asyncio.create_task(self._write_note(note))
            self._notes.add(task)
            task.add_done_callback(self._notes.discard)
        self._door.notes.clear()

    async def _write_note(self, note: Any) -> None:
        try:
            await self._db.write(note)
        except DomainError as refusal:
            log.info("last use not noted", reason=repr(refusal))


def _other_method(method: str, place: _Place) -> Response:
    allowed = sorted({*place.endpoints, "OPTIONS", *(["HEAD"] if "GET" in place.endpoints else [])})
    allow = (b"allow", ", ".join(allowed).encode())
    return empty(204, allow) if method == "OPTIONS" else empty(405, allow)


async def _send(answer: Response, send: Send, *, with_body: bool) -> None:
    await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
    if answer.pieces is not None:
        async with aclosing(answer.pieces) as pieces:
            async for piece in pieces:
                # A HEAD that left them unread would keep what they read from (a snapshot, a file) open.
                if not with_body:
                    break
                await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": answer.body if with_body else b""})
