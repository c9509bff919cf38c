"""The adapter between HTTP and an action: access, body, the transaction, the answer. One for every operation."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from msgspec import Struct, structs

from backbench.actions.workshops.audit import note
from backbench.domain.accounts.sessions import Caller
from backbench.domain.operations.idempotency import IdempotentRequest, StoredResponse
from backbench.domain.values import times
from backbench.domain.values.errors import Conflict, DomainError, Forbidden, NotFound, PreconditionFailed
from backbench.domain.values.ids import new_id
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page
from backbench.http.authentication import Authenticator
from backbench.http.bodies import Body, query_values
from backbench.http.compression import SMALLEST, VARIES, as_held, compressed, encoding_for, plain_tags
from backbench.http.idempotency import (
    ReplayFound,
    idempotent_request,
    replayed_response,
    require_access,
    require_same_form,
    require_same_payload,
)
from backbench.http.operations import Operation
from backbench.http.requests import Request, known_ids
from backbench.http.responses import Response, empty, etag, json_response, matches, representation, streamed
from backbench.http.streaming import begun, preceded
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.operations import idempotency

# How long a key stays taken by a request that never ended.
_LEASE_SECONDS = 120
Act = Callable[..., Awaitable[Any]]


class Endpoint:
    """Answers requests for one operation. `parts` are what actions may ask for by name beside the request's own."""

    def __init__(self, operation: Operation, db: Database, door: Authenticator, parts: Mapping[str, Any]) -> None:
        self.operation = operation
        self._db = db
        self._door = door
        self._act: Act = operation.does
        names = operation.takes_names
        self._handle = operation.handle
        self._body = Body(operation.body) if operation.body is not None else None
        self._gives_body = "body" in names
        self._query = operation.query
        self._gives_now = "now" in names
        self._gives_caller = "caller" in names
        self._gives_request = "request" in names
        # Else a crash between what it makes and the kept answer would let a repetition make it again.
        assert not operation.creates or self._handle is Write or "store_response" in names, operation.name
        self._fixed = {name: part for name, part in parts.items() if name in names}
        if "new_id" in names:
            self._fixed["new_id"] = new_id
        self._names = names
        # The GET of the same path, or of the nearest above it: what If-Match is held against.
        self.representation: Endpoint | None = None

    async def answer(self, request: Request) -> Response:
        answer = await self._answered(request)
        if request.method in ("GET", "HEAD") and len(answer.body) >= SMALLEST:
            answer.headers.append(VARIES)
            encoding = encoding_for(request.headers.get(b"accept-encoding", b""))
            if encoding is not None:
                return await compressed(answer, encoding)
        return answer

    async def _answered(self, request: Request) -> Response:
        now = times.now()
        known_ids(request.params)
        if self._handle is Read:
            async with self._db.read() as db:
                caller = await self._caller(db, request, now)
                answer = self._shown(await self._act(**self._values(request, caller, now, db=db)), request)
            return answer if answer.pieces is None else await begun(answer, answer.pieces, request)
        caller = await self._let_in(request, now)
        values = self._values(request, caller, now, db=self._db)
        raw = b""
        if self._body is not None and self._gives_body:
            raw = await request.json_body()
            values["body"] = self._body.read(raw)
        asked = self._repeatable(request, caller, raw, now)
        if self._handle is Write:
            return await self._written(request, caller, values, asked, now)
        await self._must_still_match(request, caller, now)
        if asked is not None:
            return await self._once(request, caller, values, asked, now)
        return self._shown(await self._called(values), request)

    def _repeatable(self, request: Request, caller: Caller | None, raw: bytes, now: str) -> IdempotentRequest | None:
        if caller is None or not self.operation.creates:
            return None
        return idempotent_request(request, caller, raw, now)

    async def _caller(self, db: Read, request: Request, now: str) -> Caller | None:
        if not self.operation.access.needs_session:
            return None
        return await self._door.caller(db, request, self.operation.access, now)

    async def _let_in(self, request: Request, now: str) -> Caller | None:
        if not self.operation.access.needs_session:
            if not self.operation.is_safe:
                # Signing in ends the session that is presented, and begins one: no other site may have that done.
                self._door.require_same_origin(request)
            return None
        async with self._db.read() as db:
            return await self._door.caller(db, request, self.operation.access, now)

    def _values(self, request: Request, caller: Caller | None, now: str, db: Any) -> dict[str, Any]:
        """The action's arguments."""
        values = {**self._fixed, **request.params}
        if self._handle is not None:
            values["db"] = db
        if self._gives_caller:
            values["caller"] = caller
        if self._gives_now:
            values["now"] = now
        if self._gives_request:
            values["request"] = request
        if self._query is not None:
            values["query"] = self._read_query(request)
        return values

    def _read_query(self, request: Request) -> Any:
        text: bytes = request.scope["query_string"]
        pairs = (
            parse_qsl(text.decode("utf-8", "surrogateescape"), keep_blank_values=True, errors="surrogateescape")
            if text
            else []
        )
        return query_values(self._query, pairs)

    async def _called(self, values: dict[str, Any]) -> Any:
        """An action that makes its own transactions, or one that answers piece by piece."""
        result = self._act(**values)
        if isinstance(result, AsyncGenerator):
            # The first piece is made before the status goes out: until then the action may still refuse.
            first = await anext(result)
            return streamed(preceded(first, result))
        return await result

    async def _written(
        self,
        request: Request,
        caller: Caller | None,
        values: dict[str, Any],
        asked: IdempotentRequest | None,
        now: str,
    ) -> Response:
        """The action, its line in the audit trail and the answer kept for a repetition: one transaction."""
        expected = self._expected(request)

        async def work(db: Write) -> Response:
            if asked is not None and not await idempotency.claim(db, asked, now):
                await self._repeat(db, values, asked)
            if expected is not None and not await self._matches(db, request, caller, now, expected):
                await self._may(db, values)
                raise PreconditionFailed
            if caller is not None:
                caller.acted_on.clear()
            result = await self._act(**{**values, "db": db})
            if caller is not None and caller.acted_on:
                object_id = getattr(result, "id", None) or next(reversed(request.params.values()), caller.acted_on[-1])
                await note(db, caller, caller.acted_on[-1], self.operation.name, object_id, now, new_id)
            answer = self._shown(result, request)
            if asked is not None:
                await idempotency.save_response(db, asked, self._kept_as(asked.fingerprint, answer), asked.ends_at)
            return answer

        try:
            return await self._db.write(work, alone=expected is not None)
        except ReplayFound as repeated:
            # It is not counted a second time either.
            request.quotas.clear()
            return replayed_response(repeated.kept)

    async def _repeat(self, db: Write, values: dict[str, Any], asked: IdempotentRequest) -> None:
        """Raises Repeated, unless the caller may no longer do what it repeats."""
        kept = await idempotency.find(db, asked)
        assert kept is not None
        await self._may(db, values)
        require_same_payload(kept, asked)
        raise ReplayFound(kept)

    async def _may(self, db: Write, values: dict[str, Any]) -> None:
        """Raises NotAllowed or NotFound where the action does.

        It is found out by doing it: whoever asks undoes that by raising. What else the action refuses (a limit that
        the first request has used up) does not matter.
        """
        try:
            await self._act(**{**values, "db": db})
        except (Forbidden, NotFound):
            raise
        except DomainError:
            pass

    async def _once(
        self, request: Request, caller: Caller | None, values: dict[str, Any], asked: IdempotentRequest, now: str
    ) -> Response:
        """The same for an action that makes its own transactions: the key is taken before it, and given back if it
        comes to nothing; after a crash it is free again when its lease ends. The answer is kept with what it makes."""
        lease = structs.replace(asked, ends_at=times.later(now, _LEASE_SECONDS))
        if not await self._db.write(lambda db: idempotency.claim(db, lease, now)):
            return await self._kept(request, caller, asked, now)

        async def store_response(db: Write, result: Any) -> None:
            sent = asked.fingerprint if request.digest is None else request.digest()
            if not await idempotency.save_response(
                db, lease, self._kept_as(sent, self._shown(result, request)), asked.ends_at
            ):
                raise Conflict("in_progress", "This took so long that a repetition has taken its place")

        try:
            return self._shown(await self._called({**values, "store_response": store_response}), request)
        except BaseException:
            await self._db.write(lambda db: idempotency.release(db, lease))
            raise

    async def _kept(self, request: Request, caller: Caller | None, asked: IdempotentRequest, now: str) -> Response:
        async with self._db.read() as db:
            if self.representation is not None:
                await self.representation.authorize(db, request, caller, now)
            kept = await idempotency.find(db, asked)
            if kept is not None and self.representation is None:
                await require_access(db, caller, kept)
        if kept is None:
            raise Conflict("in_progress", "The first request with this Idempotency-Key has just come to nothing")
        if self.operation.form is None:
            require_same_payload(kept, asked)
        else:
            await require_same_form(request, kept)
        return replayed_response(kept)

    def _kept_as(self, fingerprint: str, answer: Response) -> StoredResponse:
        return StoredResponse(fingerprint, answer.status, None if self.operation.is_secret else answer.body.decode())

    async def authorize(self, db: Read, request: Request, caller: Caller | None, now: str) -> None:
        """Raises what reading this would: NotFound, NotAllowed."""
        await self._act(**self._values(request, caller, now, db=db))

    async def tag(self, db: Read, request: Request, caller: Caller | None, now: str) -> bytes:
        """The entity tag of what reading this shows, also to a request for something below it."""
        values = self._values(request, caller, now, db=db)
        return _tag(await self._act(**{name: value for name, value in values.items() if name in self._names}))

    def _expected(self, request: Request) -> bytes | None:
        expected = request.headers.get(b"if-match")
        return expected if self.representation is not None and self.operation.method != "POST" else None

    async def _matches(self, db: Read, request: Request, caller: Caller | None, now: str, expected: bytes) -> bool:
        """Whether the representation, read in the same transaction, has the tag.

        Reading it authorizes as well, so that a stranger learns nothing from an If-Match.
        """
        assert self.representation is not None
        return matches(await self.representation.tag(db, request, caller, now), plain_tags(expected), weakly=False)

    async def _must_still_match(self, request: Request, caller: Caller | None, now: str) -> None:
        """The same before an action that makes its own transactions."""
        expected = self._expected(request)
        if expected is not None:
            async with self._db.read() as db:
                if not await self._matches(db, request, caller, now, expected):
                    raise PreconditionFailed

    def _shown(self, result: Any, request: Request) -> Response:
        if isinstance(result, Response):
            return result
        if result is None:
            return empty(self.operation.status)
        body = _encoded(result)
        if not self.operation.is_safe:
            return json_response(self.operation.status, body)
        known = request.headers.get(b"if-none-match")
        answer = representation(body, None if known is None else plain_tags(known))
        if known is not None and answer.status == 304:
            if len(body) >= SMALLEST:
                answer.headers.append(VARIES)
            return as_held(answer, known)
        if isinstance(result, Page) and result.next_cursor is not None:
            answer.headers.append((b"link", request.link_to_next(result.next_cursor)))
        return answer


def _encoded(result: Any) -> bytes:
    if isinstance(result, bytes):
        return result
    if isinstance(result, Page):
        return result.json
    assert isinstance(result, Struct)
    return to_json(result)


def _tag(result: Any) -> bytes:
    return result.header(b"etag") if isinstance(result, Response) else etag(_encoded(result))
