"""Router: finds the operation of a path, sends its response, and counts it."""

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from functools import partial

from backbench.engine.database import Work
from backbench.http.context import Context
from backbench.http.errors import error_response, internal, problem, rate_limit
from backbench.http.operations import Operation, snake
from backbench.http.pipeline import Endpoint
from backbench.http.requests import DEADLINES, ClientDisconnected, Deadlines, Message, Receive, Request, Scope, Send
from backbench.http.responses import Header, Response, empty
from backbench.integrations.workers import Labels, RequestCount
from backbench.logs import log
from backbench.values.errors import DomainError, Unavailable
from backbench.values.fair_queue import owner

CLOSE: Header = (b"connection", b"close")
# The client must take so much within `Deadlines.piece`: a slow connection needs longer for the pieces of a generator.
_SENT_AT_ONCE = 32 * 1024


class ResponseUnread(Exception):
    """The client did not read a streamed response in time."""


async def send_response(response: Response, send: Send, deadlines: Deadlines, *, with_body: bool) -> None:
    """Raises ResponseUnread where the client does not take a piece in time; the pieces are closed then."""
    await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
    if response.pieces is not None:
        async with aclosing(response.pieces) as pieces:
            async for piece in pieces:
                # For HEAD the generator is closed too, which closes the snapshot or file that it reads.
                if not with_body:
                    break
                for start in range(0, len(piece), _SENT_AT_ONCE):
                    body = piece[start : start + _SENT_AT_ONCE]
                    await _send_piece({"type": "http.response.body", "body": body, "more_body": True}, send, deadlines)
    await send({"type": "http.response.body", "body": response.body if with_body else b""})


async def _send_piece(message: Message, send: Send, deadlines: Deadlines) -> None:
    try:
        async with asyncio.timeout(deadlines.piece):
            await send(message)
    except TimeoutError:
        raise ResponseUnread from None


async def discard_rest(receive: Receive, deadlines: Deadlines) -> None:
    """Reads and discards some of a body that the response did not need.

    The server resets a connection that it closes with bytes unread, and the client could lose the response.
    """
    left = deadlines.max_lingering
    try:
        async with asyncio.timeout(deadlines.linger):
            while left > 0:
                message = await receive()
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return
                left -= len(message.get("body", b""))
    except TimeoutError:
        return


# Of RFC 9110 and RFC 5789. A client may send any other word, of any length.
METHODS = frozenset({"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"})
# Signs of guessing and probing. Conflicts are part of normal use, and a 404 is often a mistyped address.
REJECTED = frozenset({400, 401, 403, 408, 413, 415, 422, 429})


class _Node:
    """A node of the path tree: its children, and its endpoints by method."""

    __slots__ = ("children", "endpoints", "names", "parameter")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.parameter: _Node | None = None
        self.endpoints: dict[str, Endpoint] = {}
        # The parameters of the path that leads here.
        self.names: list[str] = []


class Router:
    """Every operation under one prefix.

    Starlette's router tries one regular expression after the other, which cost more than an operation itself. Here a
    path is looked up segment by segment (docs/decisions/http-server.md).
    """

    def __init__(
        self,
        operations: tuple[Operation, ...],
        context: Context,
        prefix: str,
        *,
        common_headers: Sequence[Header] = (),
    ) -> None:
        self._db = context.db
        self._authenticator = context.authenticator
        self._prefix = prefix
        self._trusted_proxies = context.trusted_proxies
        self._common_headers = [*common_headers]
        self._root = _Node()
        self.deadlines = DEADLINES
        self._deferred: set[asyncio.Task[None]] = set()
        # Of requests in their responses and in the log.
        self.ids = random_ids()
        # Its keys are of the table of operations alone, never of a client: their number is limited.
        self.request_counts: dict[Labels, RequestCount] = {}
        endpoints = [Endpoint(operation, context) for operation in operations]
        readable = {endpoint.operation.path: endpoint for endpoint in endpoints if endpoint.operation.method == "GET"}
        for endpoint in endpoints:
            endpoint.connect(readable, prefix)
            self._add(endpoint.operation, endpoint)

    def close_connections(self) -> None:
        """Asks clients, from now on, to close their connection after each response: the server is about to stop."""
        self._common_headers.append(CLOSE)

    def _add(self, operation: Operation, endpoint: Endpoint) -> None:
        node = self._root
        for segment in operation.path.split("/")[1:]:
            if segment.startswith("{"):
                node.parameter = node.parameter or _Node()
                node = node.parameter
            else:
                node = node.children.setdefault(segment, _Node())
        node.names = [snake(name) for name in operation.path_names]
        node.endpoints[operation.method] = endpoint

    def _find(self, path: str) -> tuple[_Node, list[str]] | None:
        node, values = self._root, []
        for segment in path[len(self._prefix) + 1 :].split("/"):
            child = node.children.get(segment)
            if child is None:
                child = node.parameter
                if child is None or not segment:
                    return None
                values.append(segment)
            node = child
        return (node, values) if node.endpoints else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        request_id = next(self.ids)
        request = Request(scope, receive, self.deadlines)
        found = self._endpoint(request)
        if isinstance(found, Endpoint):
            path = found.path
            # Without the request: timers keep what is set until they end, and with the request its connection.
            before = owner.set(partial(self._authenticator.owner, scope["headers"]))
            try:
                response = await self._respond(found, request, request_id)
            finally:
                owner.reset(before)
            self._finish(found, request, response, request_id)
        else:
            path, response = "unknown", found
        response.headers += ((b"x-request-id", request_id.encode()), *self._common_headers)
        has_unread_body = request.has_unread_body
        if has_unread_body:
            response.headers.append(CLOSE)
        try:
            await send_response(response, send, self.deadlines, with_body=request.method != "HEAD")
        except ResponseUnread:
            # The status has been sent, so the response can only be broken off.
            log.info("response not read in time", request_id=request_id, path=path)
        except Exception:
            log.exception("response interrupted by an error", request_id=request_id, path=path)
            raise
        method = request.method if request.method in METHODS else "OTHER"
        self._count(method, path, response.status, time.perf_counter() - began)
        if self._authenticator.deferred_writes:
            self._start_deferred_writes()
        if has_unread_body:
            await discard_rest(receive, self.deadlines)

    def _endpoint(self, request: Request) -> Endpoint | Response:
        """The endpoint of the request, or the response where there is none."""
        if request.method not in METHODS:
            return problem(501, "not_implemented", "No operation has this method")
        found = self._find(request.scope["path"])
        if found is None:
            return empty(404)
        node, values = found
        endpoint = node.endpoints.get("GET" if request.method == "HEAD" else request.method)
        if endpoint is None:
            return _other_method(request.method, node)
        request.params = dict(zip(node.names, values, strict=True))
        request.max_json_size = endpoint.max_json_size
        return endpoint

    def _finish(self, endpoint: Endpoint, request: Request, response: Response, request_id: str) -> None:
        """Adds what the limits leave to the response, and logs what concerns security."""
        if request.quotas and response.status != 429:
            response.headers += rate_limit(request.quotas)
        if response.status >= 400 or endpoint.operation.log is not None:
            event = event_of(endpoint.operation, response.status, request.uid)
            if event is not None:
                self._log_event(event, endpoint, request, response.status, request_id)

    async def _respond(self, endpoint: Endpoint, request: Request, request_id: str) -> Response:
        try:
            return await endpoint.respond(request)
        except DomainError as error:
            if isinstance(error, Unavailable) and error.code == "unavailable":
                name, reason = endpoint.operation.name, error.detail
                log.warning("unavailable", request_id=request_id, operation=name, reason=reason)
            response = error_response(error)
            # The frames of an error refer to the request, and some of them to the error. Without this the request, and
            # with it a connection whose body was not read, would stay until the garbage collector finds the cycle.
            error.__traceback__ = error.__context__ = None
            return response
        except ClientDisconnected:
            log.info("client disconnected", request_id=request_id, path=endpoint.operation.path)
            return empty(400)
        except Exception:
            log.exception("unhandled error", request_id=request_id, operation=endpoint.operation.name)
            return internal(request_id)

    def _log_event(self, event: str, endpoint: Endpoint, request: Request, status: int, request_id: str) -> None:
        """Logs who did what from where. Never logs request data."""
        log.info(
            event,
            status=status,
            operation=endpoint.operation.name,
            uid=request.uid,
            address=request.address(self._trusted_proxies),
            request_id=request_id,
        )

    def _count(self, method: str, path: str, status: int, seconds: float) -> None:
        requests = self.request_counts.get((method, path, status))
        if requests is None:
            requests = self.request_counts[(method, path, status)] = RequestCount()
        requests.add(seconds)

    def _start_deferred_writes(self) -> None:
        """Times of last use are written after the response; losing one on a crash is acceptable."""
        for write in self._authenticator.deferred_writes:
            task = asyncio.create_task(self._write_deferred(write))
            self._deferred.add(task)
            task.add_done_callback(self._deferred.discard)
        self._authenticator.deferred_writes.clear()

    async def _write_deferred(self, write: Work[None]) -> None:
        try:
            await self._db.write(write)
        except DomainError as error:
            log.info("deferred write failed", reason=repr(error))


def random_ids() -> Iterator[str]:
    """Random: nobody can count the requests of others. Drawn in blocks: each call of the system takes microseconds."""
    while True:
        digits = os.urandom(1024).hex()
        yield from (digits[start : start + 16] for start in range(0, len(digits), 16))


def _other_method(method: str, node: _Node) -> Response:
    allowed = sorted({*node.endpoints, "OPTIONS", *(["HEAD"] if "GET" in node.endpoints else [])})
    allow = (b"allow", ", ".join(allowed).encode())
    return empty(204, allow) if method == "OPTIONS" else empty(405, allow)


def event_of(operation: Operation, status: int, uid: str | None) -> str | None:
    """The security event that a response is logged as; None where it is not logged."""
    if status in REJECTED:
        return "request.rejected"
    if operation.log is None or status >= 400:
        return None
    # A browser that returns from Google without signing in is redirected as well.
    return "session.refused" if operation.log == "session.created" and uid is None else operation.log
