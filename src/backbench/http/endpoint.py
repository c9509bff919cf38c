"""Endpoint: runs one operation for a request: authentication, body, transaction, audit entry, response."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from inspect import signature
from time import monotonic
from typing import Any

import msgspec
import xxhash
from msgspec import Struct, structs

from backbench.domain.accounts.sessions import Caller
from backbench.domain.operations.idempotency import STORED_SECONDS, IdempotentRequest, StoredResponse
from backbench.domain.values import times
from backbench.domain.values.errors import Conflict, PreconditionFailed, Unauthenticated
from backbench.domain.values.ids import new_id
from backbench.domain.values.numbers import to_json
from backbench.domain.values.pagination import Page
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited, Unchanged, actor_of, change
from backbench.http.arguments import Arguments
from backbench.http.audit import subject_of
from backbench.http.authentication import Authenticator
from backbench.http.bodies import Body
from backbench.http.compression import MIN_SIZE, VARY, as_cached, compressed, encoding_for, plain_tags
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.idempotency import (
    ReplayFound,
    first_failed,
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
    json_response,
    matches,
    representation,
    started,
    tag_of,
)
from backbench.http.streaming.large_lists import json_pieces, large_list
from backbench.http.writes import claims
from backbench.http.writes.preconditions import PreconditionedWrite
from backbench.http.writes.representations import ReturnedResource
from backbench.storage.accounts.credentials import Alone, WithRead
from backbench.storage.engine.database import Database, Read, Result, Work, Write
from backbench.storage.operations import idempotency
from backbench.storage.workshops import audit

# Credentials that were checked longer ago than this, before a slow body, are checked again before anything is written.
SLOW_SECONDS = 1.0
Action = Callable[..., Awaitable[Any]]


class _Run:
    """One request to an operation that may write: its caller and the clock, both read again after a slow body."""

    __slots__ = ("caller", "checked_at", "must_check", "now", "request", "values")

    def __init__(self, request: Request, now: Instant) -> None:
        self.request = request
        self.now = now
        # On the clock of `monotonic`: when the credentials were checked.
        self.checked_at = monotonic()
        self.caller: Caller | None = None
        # Whether they are to be checked again in the transaction.
        self.must_check = False
        self.values: dict[str, Any] = {}

    @property
    def is_slow(self) -> bool:
        return monotonic() - self.checked_at >= SLOW_SECONDS


class Endpoint:
    """Handles requests of one operation. `provided` are the arguments that the application has for actions."""

    def __init__(
        self,
        operation: Operation,
        db: Database,
        authenticator: Authenticator,
        provided: Mapping[str, Any],
    ) -> None:
        self.operation = operation
        self._db = db
        self._authenticator = authenticator
        # Called with the id of a workshop, once a change of it is committed.
        self._on_change: Callable[[str], None] = provided.get("on_change", _ignore)
        # Called for a request whose token no link has. Raises RateLimited.
        self._count_bad_token: Callable[[Request, Instant], Awaitable[None]] | None = provided.get("count_bad_token")
        self._action: Action = operation.action
        self._handle = operation.handle
        # Properties of the operation are worked out from its action at each use.
        self._access = operation.access
        self._reads = operation.reads
        self._is_safe = operation.is_safe
        self._is_conditional = operation.is_conditional
        self._takes_key = operation.takes_key
        self.path = operation.path
        self.max_json_size = operation.max_json_size
        self._arguments = Arguments(operation, provided)
        self._large_lists: ConcurrencyLimit = provided["large_lists"]
        self._body = Body(operation.body) if operation.body is not None and self._arguments.takes_body else None
        self._subject = None if operation.event is None else subject_of(operation)
        self._data_quota = provided["data_quota"] if operation.counts_data else None
        self._authorize_names = frozenset(signature(operation.authorize).parameters) if operation.authorize else ()
        self._stored_seconds: int = provided.get("stored_response_seconds", STORED_SECONDS)
        _check(operation, self._arguments)
        self._representation: Endpoint | None = None
        self._returned = ReturnedResource(operation, (), "")

    def connect(self, readable: Mapping[str, "Endpoint"], prefix: str) -> None:
        """Finds the GET of the same path, or of the nearest above it, with whose ETag If-Match is compared, and the GET
        of what this operation returns. `readable` are all GET operations by their path."""
        self._representation = readable.get(self.operation.read_at(readable) or "")
        self._returned = ReturnedResource(self.operation, [get.operation for get in readable.values()], prefix)

    async def respond(self, request: Request) -> Response:
        known_ids(request.params)
        now = times.now()
        try:
            response = await (self._read(request, now) if self._handle is Read else self._run(request, now))
        except Unauthenticated as error:
            if self._access.takes_link and error.has_token and self._count_bad_token is not None:
                await self._count_bad_token(request, now)
            raise
        if request.changed_workshop is not None:
            self._on_change(request.changed_workshop)
        if len(response.body) >= MIN_SIZE and request.method in ("GET", "HEAD") and not self.operation.sends_bytes:
            response.headers.append(VARY)
            encoding = encoding_for(request.headers.get(b"accept-encoding", b""))
            if encoding is not None:
                return await compressed(response, encoding)
        return response

    async def _run(self, request: Request, now: Instant) -> Response:
        run = _Run(request, now)
        run.caller = await self._authenticate(request, now)
        raw = b""
        if self._body is not None:
            raw = await request.json_body()
            if run.is_slow:
                await self._read_again(run)
        run.values = self._arguments.bind(request, run.caller, run.now, self._db)
        if self._body is not None:
            run.values["body"] = self._body.read(raw)
        idempotent = None
        if run.caller is not None and self._takes_key:
            idempotent = idempotent_request(request, run.caller, raw, run.now, self._stored_seconds)
        if self._handle is Write:
            return await self._write(run, idempotent)
        await self._require_match(run)
        if "authenticate" in self._arguments.names:
            run.values["authenticate"] = partial(self._authenticate, request)
        if "complete" in self._arguments.names:
            return await self._complete(run, idempotent)
        return self._response(await self._call(run.values), request)

    async def _read(self, request: Request, now: Instant) -> Response:
        """Authentication and action in one read transaction, and in one statement where the operation says what."""
        async with self._db.read() as db:
            caller = None
            if self._access.needs_session:
                lookup = (
                    Alone(db) if self._reads is None else WithRead(db, self._reads, request.params[self._reads.key])
                )
                caller = await self._authenticator.caller(lookup, request, self._access, now)
                db = lookup.db
            result = await self._action(**self._arguments.bind(request, caller, now, db))
            is_large = isinstance(result, Page) and result.pieces is not None
            response = None if is_large else self._response(result, request)
        if response is None:
            return await self._large_list(result, request, caller)
        return response if response.pieces is None else await started(response, response.pieces, request.method)

    async def _large_list(self, page: Page[Any], request: Request, caller: Caller | None) -> Response:
        assert caller is not None
        empty_list = self.operation.response(())
        response = await large_list(request, self._db, page, empty_list, caller.uid, self._large_lists)
        return self._linked(response, page, request)

    async def _authenticate(self, request: Request, now: Instant) -> Caller | None:
        if not self.operation.access.needs_session:
            if not self.operation.is_safe:
                # Signing in ends one session and starts another: no other site may cause that.
                self._authenticator.require_same_origin(request)
            return None
        async with self._db.read() as db:
            return await self._authenticator.caller(Alone(db), request, self.operation.access, now)

    async def _read_again(self, run: _Run) -> None:
        """Reads the clock after a slow body, and sees to it that the credentials are checked again."""
        run.now = times.now()
        run.must_check = True
        if self._handle is not Write:
            run.caller = await self._authenticate(run.request, run.now)
            run.must_check, run.checked_at = False, monotonic()

    async def _check_again(self, db: Read, run: _Run, now: Instant) -> None:
        """Checks the credentials again, in a transaction. Raises Unauthenticated, Forbidden."""
        if run.caller is not None:
            run.caller = await self._authenticator.caller(Alone(db), run.request, self.operation.access, now)
            if "caller" in run.values:
                run.values["caller"] = run.caller

    async def _transaction(self, run: _Run, work: Work[Result]) -> Result:
        """Runs `work` in a transaction, with the credentials checked again in it after a slow body and in a retry.

        An account that was deleted after the first check makes the first try fail, at a reference to the account.
        """

        async def checked(db: Write) -> Result:
            if run.must_check:
                await self._check_again(db, run, run.now)
            run.must_check = True
            return await work(db)

        result = await self._db.write(checked)
        run.must_check = False
        return result

    async def _call(self, values: dict[str, Any]) -> Any:
        """Calls an action that makes its own transactions."""
        return await self._action(**values)

    async def _write(self, run: _Run, idempotent: IdempotentRequest | None) -> Response:
        """The action, its audit entry and its stored response, in one transaction."""
        if_match = self._if_match(run.request)

        async def work(db: Write) -> Response:
            if idempotent is not None and not await idempotency.claim(db, idempotent, run.now):
                await self._replay(db, run, idempotent)
            result = await self._act(db, run, if_match)
            response = self._response(result, run.request)
            await self._audit(db, run, result, run.now)
            if idempotent is not None:
                stored = self._stored(idempotent.fingerprint, response)
                await idempotency.save_response(db, idempotent, stored, idempotent.ends_at)
            return response

        try:
            return await self._transaction(run, work)
        except ReplayFound as replay:
            # A replay is not counted against a limit a second time.
            run.request.quotas.clear()
            return self._replayed(replay.stored, run.request)

    async def _act(self, db: Write, run: _Run, if_match: bytes | None) -> Any:
        """Runs the action, under the precondition of If-Match. Raises PreconditionFailed."""
        if if_match is None:
            return await self._action(**{**run.values, "db": db})

        async def require(db: Write) -> None:
            # Locks the row of the representation, so that nothing changes it before the action does.
            if not await self._matches(db.locking(), run, if_match):
                await self._authorize(db, run)
                raise PreconditionFailed

        conditional = PreconditionedWrite(db, require)
        result = await self._action(**{**run.values, "db": conditional})
        # An action that changed nothing has not evaluated it.
        await conditional.evaluate()
        return result

    async def _audit(self, db: Write, run: _Run, result: Any, at: Instant) -> None:
        if self._subject is not None and run.caller is not None and not isinstance(result, Unchanged):
            assert self.operation.event is not None
            workshop_id, object_id = self._subject(result, run.request.params)
            event = (result.event if isinstance(result, Audited) else "") or self.operation.event
            made = change(actor_of(run.caller), workshop_id, event, object_id, at, new_id)
            held = await audit.add(db, made)
            if self._data_quota is not None:
                await self._data_quota.require(db, workshop_id, held, at)
            run.request.changed_workshop = workshop_id

    async def _replay(self, db: Write, run: _Run, repeated: IdempotentRequest) -> None:
        """Raises ReplayFound, or Forbidden where the caller may no longer do what it repeats."""
        stored = await idempotency.lookup(db, repeated)
        await self._authorize(db, run)
        raise ReplayFound(require_same_payload(stored, repeated))

    async def _authorize(self, db: Read, run: _Run, stored: StoredResponse | None = None) -> None:
        """Checks the permission without running the action. Raises NotFound, Forbidden."""
        if self.operation.authorize is None:
            return
        values: dict[str, Any] = {"db": db, "caller": run.caller, **run.request.params}
        if "stored" in self._authorize_names:
            if stored is None or stored.body is None:
                return
            values["stored"] = msgspec.json.decode(stored.body, type=self.operation.response)
        await self.operation.authorize(**values)

    async def _complete(self, run: _Run, idempotent: IdempotentRequest | None) -> Response:
        """An action that makes its own transactions calls `complete` in the last of them.

        The Idempotency-Key is claimed before, and the claim renewed until the action has ended. It is released if the
        action raises; after a crash it expires.
        """
        if idempotent is None:
            return await self._call_completing(run, None)
        claim = structs.replace(idempotent, ends_at=claims.leased_until(run.now))
        if not await self._transaction(run, lambda db: idempotency.claim(db, claim, run.now)):
            return await self._replay_completed(run, claim)
        try:
            async with claims.renewed(self._db, claim):
                return await self._call_completing(run, idempotent)
        except BaseException:
            await self._db.write(lambda db: idempotency.release(db, claim))
            raise

    async def _call_completing(self, run: _Run, idempotent: IdempotentRequest | None) -> Response:
        async def complete(db: Write, audited: Audited[Any]) -> None:
            now = times.now()
            if run.is_slow:
                await self._check_again(db, run, now)
            await self._audit(db, run, audited, now)
            if idempotent is None:
                return
            digest = run.request.digest
            sent = idempotent.fingerprint if digest is None else digest()
            stored = self._stored(sent, self._response(audited, run.request))
            ends_at = times.later(now, self._stored_seconds)
            if not await idempotency.save_response(db, idempotent, stored, ends_at):
                raise Conflict("in_progress", "This request took too long, and a repeated request has taken over")

        return self._response(await self._call({**run.values, "complete": complete}), run.request)

    async def _replay_completed(self, run: _Run, repeated: IdempotentRequest) -> Response:
        async with self._db.read() as db:
            stored = await idempotency.lookup(db, repeated)
            await self._authorize(db, run, stored)
        if self.operation.form is None:
            stored = require_same_payload(stored, repeated)
        elif stored is None:
            raise first_failed()
        else:
            await require_same_form(run.request, stored)
        return self._replayed(stored, run.request)

    def _replayed(self, stored: StoredResponse, request: Request) -> Response:
        response = replayed_response(stored)
        response.headers += self._returned.stored_headers(request.params, response.body)
        return response

    def _stored(self, fingerprint: str, response: Response) -> StoredResponse:
        body = None if self.operation.is_secret else response.body.decode()
        return StoredResponse(fingerprint, response.status, body)

    async def tag(self, db: Read, request: Request, caller: Caller | None, now: Instant) -> bytes:
        """The ETag of this representation, also for a request to a path below it. Raises NotFound, Forbidden."""
        values = self._arguments.bind(request, caller, now, db)
        result = await self._action(**{name: values[name] for name in values if name in self._arguments.names})
        if isinstance(result, Page) and result.pieces is not None:
            digest = xxhash.xxh3_128()
            async for piece in json_pieces(db, result, self.operation.response(())):
                digest.update(piece)
            return tag_of(digest)
        return result.header(b"etag") if isinstance(result, Response) else etag(self._encode(result))

    def _if_match(self, request: Request) -> bytes | None:
        header = request.headers.get(b"if-match")
        return header if self._representation is not None and self._is_conditional else None

    async def _matches(self, db: Read, run: _Run, if_match: bytes) -> bool:
        """Whether If-Match holds. Reading the representation authorizes, so that a stranger learns nothing from it."""
        assert self._representation is not None
        tag = await self._representation.tag(db, run.request, run.caller, run.now)
        return matches(tag, plain_tags(if_match), weakly=False)

    async def _require_match(self, run: _Run) -> None:
        """If-Match before an action that makes its own transactions. Raises PreconditionFailed."""
        if_match = self._if_match(run.request)
        if if_match is not None:
            async with self._db.read() as db:
                if not await self._matches(db, run, if_match):
                    raise PreconditionFailed

    def _response(self, result: Any, request: Request) -> Response:
        if isinstance(result, Response):
            return result
        if self.operation.response is None:
            return empty(self.operation.status)
        body = self._encode(result)
        if not self._is_safe:
            response = json_response(self.operation.status, body)
            response.headers += self._returned.headers(request.params, body, _shape(result))
            return response
        known = request.headers.get(b"if-none-match")
        response = representation(body, None if known is None else plain_tags(known))
        if known is not None and response.status == 304:
            if len(body) >= MIN_SIZE:
                response.headers.append(VARY)
            return as_cached(response, known)
        return self._linked(response, result, request) if isinstance(result, Page) else response

    def _linked(self, response: Response, result: Page[Any], request: Request) -> Response:
        """The response with a link to the next page, where there is one."""
        if result.next_cursor is not None:
            response.headers.append((b"link", request.link_to_next(result.next_cursor)))
        return response

    def _encode(self, result: Any) -> bytes:
        """The JSON of a result: encoded already, a page in its list's shape, or a shape."""
        if isinstance(result, bytes):
            return result
        if isinstance(result, Page):
            return to_json(self.operation.response(result.items))
        return to_json(_shape(result))


def _shape(result: Any) -> Struct:
    """What an action returned, without what it says for the audit trail."""
    shape = result.result if isinstance(result, Audited | Unchanged) else result
    assert isinstance(shape, Struct)
    return shape


def _ignore(_workshop_id: str) -> None:
    """For applications without live changes."""


def _check(operation: Operation, arguments: Arguments) -> None:
    """Raises TypeError where a line of the table contradicts its action."""
    if not operation.is_safe and (operation.event is None) == (operation.no_event == ""):
        raise TypeError(f"{operation.name}: a write has an event, or states why it has none")
    makes_transactions = operation.handle is not Write
    if operation.takes_key and makes_transactions and "complete" not in arguments.names:
        # Otherwise a crash between the change and its stored response would let a repetition make it again.
        raise TypeError(f"{operation.name}: an action that creates in its own transactions takes `complete`")
    if operation.takes_key and (operation.path_names or operation.form is not None) and operation.authorize is None:
        raise TypeError(f"{operation.name}: a replay needs `authorize`")
    if operation.event is not None and makes_transactions and "complete" not in arguments.names:
        raise TypeError(f"{operation.name}: its audit entry is written by `complete`")
