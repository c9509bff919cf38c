"""Endpoint: runs one operation for a request: authentication, body, transaction, audit entry, response."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from functools import partial
from inspect import signature
from typing import Any

import msgspec
from msgspec import Struct, structs

from backbench.domain.accounts.sessions import Caller
from backbench.domain.operations.idempotency import IdempotentRequest, StoredResponse
from backbench.domain.values import times
from backbench.domain.values.errors import Conflict, PreconditionFailed
from backbench.domain.values.ids import new_id
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited, actor_of, change
from backbench.http.arguments import Arguments
from backbench.http.audit import subject_of
from backbench.http.authentication import Authenticator
from backbench.http.bodies import Body
from backbench.http.compression import MIN_SIZE, VARY, as_cached, compressed, encoding_for, plain_tags
from backbench.http.idempotency import (
    ReplayFound,
    idempotent_request,
    replayed_response,
    require_same_form,
    require_same_payload,
)
from backbench.http.operations import Operation
from backbench.http.requests import Request, known_ids
from backbench.http.responses import (
    Response,
    empty,
    etag,
    event_stream,
    json_response,
    matches,
    preceded,
    representation,
    started,
    streamed,
)
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.operations import idempotency
from backbench.storage.workshops import audit

# How long an Idempotency-Key stays claimed by a request whose process died.
_CLAIM_SECONDS = 120
Action = Callable[..., Awaitable[Any]]


class Endpoint:
    """Handles requests of one operation. `provided` are the arguments that the application has for actions."""

    def __init__(
        self,
        operation: Operation,
        db: Database,
        authenticator: Authenticator,
        provided: Mapping[str, Any],
        on_change: Callable[[str], None],
    ) -> None:
        self.operation = operation
        self._db = db
        self._authenticator = authenticator
        # Called with the id of a workshop, once a change of it is committed.
        self._on_change = on_change
        self._action: Action = operation.action
        self._handle = operation.handle
        self._arguments = Arguments(operation, provided)
        self._body = Body(operation.body) if operation.body is not None and self._arguments.takes_body else None
        self._subject = None if operation.event is None else subject_of(operation)
        self._authorize_names = frozenset(signature(operation.authorize).parameters) if operation.authorize else ()
        _check(operation, self._arguments)
        # The GET of the same path, or of the nearest above it: If-Match is compared with its ETag.
        self.representation: Endpoint | None = None

    async def respond(self, request: Request) -> Response:
        response = await self._respond(request)
        if request.changed_workshop is not None:
            self._on_change(request.changed_workshop)
        if request.method in ("GET", "HEAD") and len(response.body) >= MIN_SIZE:
            response.headers.append(VARY)
            encoding = encoding_for(request.headers.get(b"accept-encoding", b""))
            if encoding is not None:
                return await compressed(response, encoding)
        return response

    async def _respond(self, request: Request) -> Response:
        now = times.now()
        known_ids(request.params)
        if self._handle is Read:
            return await self._read(request, now)
        caller = await self._authenticate(request, now)
        values = self._arguments.bind(request, caller, now, self._db)
        raw = b""
        if self._body is not None:
            raw = await request.json_body()
            values["body"] = self._body.read(raw)
        idempotent = None
        if caller is not None and self.operation.creates:
            idempotent = idempotent_request(request, caller, raw, now)
        if self._handle is Write:
            return await self._write(request, caller, values, idempotent, now)
        await self._require_match(request, caller, now)
        if "authenticate" in self._arguments.names:
            values["authenticate"] = partial(self._authenticate, request)
        if "complete" in self._arguments.names:
            return await self._complete(request, caller, values, idempotent, now)
        return self._response(await self._call(values), request)

    async def _read(self, request: Request, now: Instant) -> Response:
        """Authentication and action in one read transaction."""
        async with self._db.read() as db:
            caller = None
            if self.operation.access.needs_session:
                caller = await self._authenticator.caller(db, request, self.operation.access, now)
            result = await self._action(**self._arguments.bind(request, caller, now, db))
            response = self._response(result, request)
        return response if response.pieces is None else await started(response, response.pieces, request.method)

    async def _authenticate(self, request: Request, now: Instant) -> Caller | None:
        if not self.operation.access.needs_session:
            if not self.operation.is_safe:
                # Signing in ends one session and starts another: no other site may cause that.
                self._authenticator.require_same_origin(request)
            return None
        async with self._db.read() as db:
            return await self._authenticator.caller(db, request, self.operation.access, now)

    async def _call(self, values: dict[str, Any]) -> Any:
        """Calls an action that makes its own transactions, or that streams its response."""
        result = self._action(**values)
        if isinstance(result, AsyncGenerator):
            # The first piece is made before the status is sent: until then the action may still raise.
            first = await anext(result)
            pieces = preceded(first, result)
            return event_stream(pieces) if self.operation.sends_events else streamed(pieces)
        return await result

    async def _write(
        self,
        request: Request,
        caller: Caller | None,
        values: dict[str, Any],
        idempotent: IdempotentRequest | None,
        now: Instant,
    ) -> Response:
        """The action, its audit entry and its stored response, in one transaction."""
        if_match = self._if_match(request)

        async def work(db: Write) -> Response:
            if idempotent is not None and not await idempotency.claim(db, idempotent, now):
                await self._replay(db, request, caller, idempotent)
            if if_match is not None and not await self._matches(db, request, caller, now, if_match):
                await self._authorize(db, request, caller)
                raise PreconditionFailed
            result = await self._action(**{**values, "db": db})
            response = self._response(result, request)
            await self._audit(db, request, caller, result, now)
            if idempotent is not None:
                stored = self._stored(idempotent.fingerprint, response)
                await idempotency.save_response(db, idempotent, stored, idempotent.ends_at)
            return response

        try:
            return await self._db.write(work, serializable=if_match is not None)
        except ReplayFound as replay:
            # A replay is not counted against a limit a second time.
            request.quotas.clear()
            return replayed_response(replay.stored)

    async def _audit(self, db: Write, request: Request, caller: Caller | None, result: Any, now: Instant) -> None:
        if self._subject is not None and caller is not None:
            assert self.operation.event is not None
            workshop_id, object_id = self._subject(result, request.params)
            request.changed_workshop = workshop_id
            await audit.add(db, change(actor_of(caller), workshop_id, self.operation.event, object_id, now, new_id))

    async def _replay(self, db: Write, request: Request, caller: Caller | None, repeated: IdempotentRequest) -> None:
        """Raises ReplayFound, or Forbidden where the caller may no longer do what it repeats."""
        stored = await idempotency.lookup(db, repeated)
        assert stored is not None
        await self._authorize(db, request, caller)
        require_same_payload(stored, repeated)
        raise ReplayFound(stored)

    async def _authorize(
        self, db: Read, request: Request, caller: Caller | None, stored: StoredResponse | None = None
    ) -> None:
        """Checks the permission without running the action. Raises NotFound, Forbidden."""
        if self.operation.authorize is None:
            return
        values: dict[str, Any] = {"db": db, "caller": caller, **request.params}
        if "stored" in self._authorize_names:
            if stored is None or stored.body is None:
                return
            values["stored"] = msgspec.json.decode(stored.body, type=self.operation.response)
        await self.operation.authorize(**values)

    async def _complete(
        self,
        request: Request,
        caller: Caller | None,
        values: dict[str, Any],
        idempotent: IdempotentRequest | None,
        now: Instant,
    ) -> Response:
        """An action that makes its own transactions calls `complete` in the last of them.

        The Idempotency-Key is claimed before, and released if the action raises; after a crash the claim expires.
        """
        claim = None if idempotent is None else structs.replace(idempotent, ends_at=times.later(now, _CLAIM_SECONDS))
        if claim is not None and not await self._db.write(lambda db: idempotency.claim(db, claim, now)):
            return await self._replay_completed(request, caller, claim)

        async def complete(db: Write, audited: Audited[Any]) -> None:
            await self._audit(db, request, caller, audited, now)
            if idempotent is None or claim is None:
                return
            sent = idempotent.fingerprint if request.digest is None else request.digest()
            stored = self._stored(sent, self._response(audited, request))
            if not await idempotency.save_response(db, claim, stored, idempotent.ends_at):
                raise Conflict("in_progress", "This request took too long, and a repeated request has taken over")

        try:
            return self._response(await self._call({**values, "complete": complete}), request)
        except BaseException:
            if claim is not None:
                await self._db.write(lambda db: idempotency.release(db, claim))
            raise

    async def _replay_completed(self, request: Request, caller: Caller | None, repeated: IdempotentRequest) -> Response:
        async with self._db.read() as db:
            stored = await idempotency.lookup(db, repeated)
            await self._authorize(db, request, caller, stored)
        if stored is None:
            raise Conflict("in_progress", "The first request with this Idempotency-Key failed; send it again")
        if self.operation.form is None:
            require_same_payload(stored, repeated)
        else:
            await require_same_form(request, stored)
        return replayed_response(stored)

    def _stored(self, fingerprint: str, response: Response) -> StoredResponse:
        body = None if self.operation.is_secret else response.body.decode()
        return StoredResponse(fingerprint, response.status, body)

    async def tag(self, db: Read, request: Request, caller: Caller | None, now: Instant) -> bytes:
        """The ETag of this representation, also for a request to a path below it. Raises NotFound, Forbidden."""
        values = self._arguments.bind(request, caller, now, db)
        result = await self._action(**{name: values[name] for name in values if name in self._arguments.names})
        return result.header(b"etag") if isinstance(result, Response) else etag(self._encode(result))

    def _if_match(self, request: Request) -> bytes | None:
        header = request.headers.get(b"if-match")
        return header if self.representation is not None and self.operation.is_conditional else None

    async def _matches(self, db: Read, request: Request, caller: Caller | None, now: Instant, if_match: bytes) -> bool:
        """Whether If-Match holds. Reading the representation authorizes, so that a stranger learns nothing from it."""
        assert self.representation is not None
        return matches(await self.representation.tag(db, request, caller, now), plain_tags(if_match), weakly=False)

    async def _require_match(self, request: Request, caller: Caller | None, now: Instant) -> None:
        """If-Match before an action that makes its own transactions. Raises PreconditionFailed."""
        if_match = self._if_match(request)
        if if_match is not None:
            async with self._db.read() as db:
                if not await self._matches(db, request, caller, now, if_match):
                    raise PreconditionFailed

    def _response(self, result: Any, request: Request) -> Response:
        if isinstance(result, Response):
            return result
        if self.operation.response is None:
            return empty(self.operation.status)
        body = self._encode(result)
        if not self.operation.is_safe:
            return json_response(self.operation.status, body)
        known = request.headers.get(b"if-none-match")
        response = representation(body, None if known is None else plain_tags(known))
        if known is not None and response.status == 304:
            if len(body) >= MIN_SIZE:
                response.headers.append(VARY)
            return as_cached(response, known)
        if isinstance(result, Page) and result.next_cursor is not None:
            response.headers.append((b"link", request.link_to_next(result.next_cursor)))
        return response

    def _encode(self, result: Any) -> bytes:
        """The JSON of a result: encoded already, a page in its list's shape, or a shape."""
        if isinstance(result, bytes):
            return result
        if isinstance(result, Page):
            return to_json(self.operation.response(result.items))
        shape = result.result if isinstance(result, Audited) else result
        assert isinstance(shape, Struct)
        return to_json(shape)


def _check(operation: Operation, arguments: Arguments) -> None:
    """Raises TypeError where a line of the table contradicts its action."""
    if not operation.is_safe and (operation.event is None) == (operation.no_event == ""):
        raise TypeError(f"{operation.name}: a write has an event, or states why it has none")
    makes_transactions = operation.handle is not Write
    if operation.creates and makes_transactions and "complete" not in arguments.names:
        # Otherwise a crash between the change and its stored response would let a repetition make it again.
        raise TypeError(f"{operation.name}: an action that creates in its own transactions takes `complete`")
    if operation.creates and (operation.path_names or operation.form is not None) and operation.authorize is None:
        raise TypeError(f"{operation.name}: a replay needs `authorize`")
    if operation.event is not None and makes_transactions and "complete" not in arguments.names:
        raise TypeError(f"{operation.name}: its audit entry is written by `complete`")
