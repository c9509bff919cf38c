"""The pipeline of a write: credentials, body, `prepare`, then everything that is stored in one transaction.

In it: the Idempotency-Key, the object of the path, If-Match, the verb, the entry of the log, the stored response.
What takes long, or asks other services, is the `prepare` of the operation, before the transaction.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from time import monotonic
from typing import Any, Protocol, get_origin

import msgspec
from msgspec import structs

from backbench.accounts.sessions import JoinedLookup, LockedLookup, SeparateLookup, digest
from backbench.engine.database import Database, Read, Result, Work, Write
from backbench.engine.objects import Loaded
from backbench.http import idempotency
from backbench.http.bodies import Body, Bound, Values, values_of
from backbench.http.context import Context
from backbench.http.idempotency import MAX_KEY_LENGTH, IdempotentRequest, StoredResponse, fingerprint
from backbench.http.multipart import Form
from backbench.http.operations import Operation, snake
from backbench.http.reads import Preconditions, Reads
from backbench.http.requests import Request, known_ids
from backbench.http.responses import (
    MIN_SIZE,
    VARY,
    Representations,
    Response,
    ReturnedResource,
    compressed,
    empty,
    encoding_for,
    json_response,
)
from backbench.logs import log
from backbench.values import times
from backbench.values.calls import NOBODY, Call, Caller
from backbench.values.errors import (
    Conflict,
    DomainError,
    FieldError,
    IdempotencyMismatch,
    Unauthenticated,
    Unavailable,
    ValidationError,
)
from backbench.values.ids import NIL_ID, new_id
from backbench.values.times import Instant, later
from backbench.workshops import audit
from backbench.workshops.audit import Audited, Unchanged, source_of

# How long a key stays claimed by a request whose process died.
_LEASE_SECONDS = 120
# Several renewals may fail, or come late, before the lease ends.
_RENEWAL_SECONDS = 30.0


class Permit(Protocol):
    """Raises NotFound or Forbidden where the caller may no longer do what it repeats."""

    def __call__(
        self, db: Read, call: Call, request: Request, stored: StoredResponse | None = None
    ) -> Awaitable[None]: ...


# Runs its work in a transaction, with the credentials checked again where that is needed.
Transaction = Callable[[Work[bool]], Awaitable[bool]]


class Keys:
    """The Idempotency-Keys of one operation."""

    def __init__(
        self, operation: Operation, context: Context, representations: Representations, permit: Permit
    ) -> None:
        self._db = context.db
        self._seconds = context.stored_response_seconds
        self._representations = representations
        self._permit = permit
        self._is_secret = operation.is_secret
        self._has_form = operation.form is not None
        self._max_file_bytes = operation.max_file_bytes

    def of(self, call: Call, request: Request, body: bytes) -> IdempotentRequest | None:
        """The request with its Idempotency-Key; None where nothing can be stored.

        Raises ValidationError for a malformed key.
        """
        key = request.header(b"idempotency-key") or ""
        # A malformed id matches nothing, so there will be no response to store.
        if NIL_ID in request.params.values():
            return None
        if not 1 <= len(key) <= MAX_KEY_LENGTH or not key.isprintable():
            detail = f"Idempotency-Key: expected 1 to {MAX_KEY_LENGTH} printable characters"
            raise ValidationError(FieldError("", "idempotency_key", detail))
        return IdempotentRequest(
            store=idempotency.OF_ACCOUNTS if call.caller.link_id is None else idempotency.OF_LINKS,
            owner_id=call.caller.shares_limits_of,
            request=f"{request.method} {request.scope['path']}{call.caller.key_suffix}",
            key_hash=digest(key),
            token=call.new_id(),
            fingerprint=fingerprint(body),
            ends_at=later(call.now, self._seconds),
        )

    async def claim(self, db: Write, key: IdempotentRequest, now: Instant) -> bool:
        return await idempotency.claim(db, key, now)

    async def is_stored(self, key: IdempotentRequest, now: Instant) -> bool:
        """Whether there is a response that will be replayed: nothing is executed, so that no limit counts it."""
        async with self._db.read() as read:
            return await idempotency.is_stored(read, key, now)

    async def find_stored(self, db: Read, call: Call, request: Request, key: IdempotentRequest) -> StoredResponse:
        """The stored response. Raises IdempotencyMismatch for another payload, Conflict while there is none."""
        stored = await idempotency.lookup(db, key)
        await self._permit(db, call, request, stored)
        if stored is None:
            # The first request released the key, or its stored response expired, in the meantime.
            raise Conflict("in_progress", "The first request with this Idempotency-Key failed; send it again")
        if not self._has_form and stored.fingerprint != key.fingerprint:
            raise IdempotencyMismatch
        if stored.status is None and not self._has_form:
            raise _in_progress()
        return stored

    async def save(self, db: Write, request: Request, key: IdempotentRequest, response: Response) -> None:
        """Stores the response. Raises Conflict where a repeated request has taken over an expired claim."""
        sent = key.fingerprint if request.digest is None else request.digest()
        body = None if self._is_secret else response.body.decode()
        stored = StoredResponse(sent, response.status, body)
        if not await idempotency.save_response(db, key, stored, key.ends_at):
            raise Conflict("in_progress", "This request took too long, and a repeated request has taken over")

    @contextlib.asynccontextmanager
    async def claimed(
        self, call: Call, request: Request, key: IdempotentRequest, transaction: Transaction
    ) -> AsyncIterator[StoredResponse | None]:
        """Claims the key for the block, and renews the claim within it. Yields the response that is stored already."""
        claim = structs.replace(key, ends_at=_lease_ends_at(call.now))
        if not await transaction(lambda db: idempotency.claim(db, claim, call.now)):
            async with self._db.read() as read:
                stored = await self.find_stored(read, call, request, key)
            if self._has_form:
                await require_same_form(request, stored, self._max_file_bytes)
            yield stored
            return
        try:
            async with renewed(self._db, claim):
                yield None
        except BaseException:
            await self._db.write(lambda db: idempotency.release(db, claim))
            raise

    def replay(self, stored: StoredResponse, request: Request) -> Response:
        """The stored response. Raises Conflict where it held a secret, which is never stored, or was erased."""
        assert stored.status is not None
        if stored.body is None:
            raise Conflict(
                "already_created", "This was done by the first request, whose response held a secret or was erased"
            )
        response = json_response(stored.status, stored.body.encode()) if stored.body else empty(stored.status)
        response.headers.append((b"idempotency-replayed", b"true"))
        response.headers += self._representations.returned.stored_headers(request.params, response.body)
        return response


async def require_same_form(request: Request, stored: StoredResponse, max_bytes: int | None) -> None:
    """Compares multipart/form-data, whose body is read here only for that. Raises IdempotencyMismatch, Conflict.

    `max_bytes`: of its file; None where that is as large as the one that was stored.
    """
    form = Form(request)
    if stored.status is None:
        raise _in_progress()
    size = max_bytes or msgspec.json.decode(stored.body or "{}").get("sizeBytes", 0)
    if await form.digest_within(size) != stored.fingerprint:
        raise IdempotencyMismatch


def _in_progress() -> Conflict:
    return Conflict("in_progress", "The first request with this Idempotency-Key is still in progress")


def _lease_ends_at(now: Instant) -> Instant:
    return later(now, _LEASE_SECONDS)


@contextlib.asynccontextmanager
async def renewed(db: Database, claim: IdempotentRequest) -> AsyncIterator[None]:
    """Renews the claim within the block. An upload may take hours, and a PDF export may wait for others."""
    task = asyncio.create_task(_renew(db, claim))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _renew(db: Database, claim: IdempotentRequest) -> None:
    is_held = True
    while is_held:
        await asyncio.sleep(_RENEWAL_SECONDS)
        try:
            is_held = await db.write(lambda write: idempotency.renew(write, claim, _lease_ends_at(times.now())))
        except Unavailable as error:
            # Tried again. An expired claim is good as long as no repetition takes it over.
            log.warning("idempotency key not renewed", reason=error.detail)


# Credentials that were checked longer ago are checked again before anything is written, and the clock is read again:
# a body may arrive slowly, and a `prepare` may take long.
SLOW_SECONDS = 1.0
_NO_LIMIT = 2**62
# The result of a verb and its arguments -> workshop id, object id of its audit entry.
Subject = Callable[[Any, Values], tuple[str, str]]


class Attempt:
    """One request: its call, the values of its functions, and when its credentials were checked."""

    __slots__ = ("call", "checked_at", "is_locked", "must_check", "request", "row", "values")

    def __init__(self, request: Request, call: Call, row: Sequence[Any] | None, *, is_locked: bool = False) -> None:
        self.request = request
        self.call = call
        # That of the object of the path as it was when the credentials were checked, for the first try.
        self.row = row
        # Whether it was locked with the credentials.
        self.is_locked = is_locked
        self.values: Values = {}
        # On the clock of `monotonic`.
        self.checked_at = monotonic()
        # Whether the credentials are to be checked again in the transaction.
        self.must_check = False

    @property
    def is_slow(self) -> bool:
        return monotonic() - self.checked_at >= SLOW_SECONDS

    def renew(self, **changes: Any) -> None:
        self.call = structs.replace(self.call, **changes)
        if self.values:
            self.values["call"] = self.call


class Writes:
    def __init__(self, operation: Operation, context: Context, representations: Representations) -> None:
        self._operation = operation
        self._context = context
        self._db = context.db
        self._representations = representations
        self._is_in_transaction = operation.handle is Write
        self._verb = Bound(operation, operation.verb, "body", "prepared", "authenticate")
        self._prepare = operation.prepare and Bound(operation, operation.prepare, "body")
        self._locks = operation.locks and Bound(operation, operation.locks, "body")
        self._limit = operation.limit and Bound(operation, operation.limit, "body")
        self._replays = operation.replays and Bound(operation, operation.replays, "stored")
        self._slot = context.slots[operation.slot] if operation.slot else None
        self._body = Body(operation.body) if operation.body is not None and operation.takes is None else None
        self._is_deletion = operation.method == "DELETE"
        self._query = operation.query
        self._on = operation.on
        self._takes_key = operation.takes_key
        self._is_conditional = operation.is_conditional
        self._is_long = operation.is_long
        self._subject = subject_of(operation) if operation.event is not None else None
        self._require_quota = context.require_quota if operation.counts_data else None
        self._free_bytes = context.free_bytes
        self._may_exceed = operation.access.takes_link or operation.exceeds_quota != ""
        self._keys = Keys(operation, context, representations, self._permit)
        self._locks_with_credentials = (
            self._on is not None
            and self._on.is_locked
            and self._is_in_transaction
            and operation.access.needs_session
            and not any((operation.locks, operation.limit, operation.prepare, operation.slot))
        )
        self.preconditions = Preconditions(self._permit)

    async def respond(self, request: Request, now: Instant) -> Response:
        if (
            self._locks_with_credentials
            and not (self._takes_key and b"idempotency-key" in request.headers)
            and (self._body is None or request.has_small_json)
            and self._context.authenticator.knows(request)
        ):
            return await self._respond_at_once(request, now)
        caller, row = await self._caller_with_object(request, now)
        attempt = Attempt(request, self._call(request, caller, now), row)
        raw = b""
        if self._body is not None:
            raw = await request.json_body()
            if attempt.is_slow:
                await self._check_after_body(attempt)
        attempt.values = values_of(self._query, request, attempt.call, self._context.services)
        if self._body is not None:
            attempt.values["body"] = self._body.read(raw)
        if not self._is_in_transaction:
            if self._on is not None:
                async with self._db.read() as read:
                    attempt.values |= await self._on.arguments(read, attempt.call, request.params[self._on.key])
            attempt.values |= {"db": self._db, "authenticate": partial(self._authenticated, request)}
            return self._representations.response(await self._verb(attempt.values), request)
        key = (
            self._keys.of(attempt.call, request, raw)
            if self._takes_key and b"idempotency-key" in request.headers
            else None
        )
        if self._limit is not None and (key is None or not await self._keys.is_stored(key, attempt.call.now)):
            await self._limit({**attempt.values, "db": self._db})
        if self._prepare is None and self._slot is None:
            return await self._commit(attempt, key, len(raw))
        return await self._prepare_and_commit(attempt, key)

    def _call(self, request: Request, caller: Caller, now: Instant) -> Call:
        return Call(caller, now, new_id, request.quotas, partial(request.client, self._context.trusted_proxies))

    async def _respond_at_once(self, request: Request, now: Instant) -> Response:
        """Credentials and object in one statement, which locks it; for credentials that were valid lately.

        The body is there before the transaction begins.
        """
        since = monotonic()
        raw = b"" if self._body is None else await request.json_body()
        if monotonic() - since >= SLOW_SECONDS:
            now = times.now()
        try:
            body = None if self._body is None else self._body.read(raw)
        except DomainError:
            # The error of the credentials comes first.
            await self._authenticated(request, now)
            raise

        async def work(db: Write) -> Response:
            assert self._on is not None
            lookup = LockedLookup(db, self._on, request.params[self._on.key])
            caller = await self._context.authenticator.caller(lookup, request, self._operation.access, now)
            attempt = Attempt(request, self._call(request, caller, now), lookup.row, is_locked=lookup.is_locked)
            attempt.values = values_of(self._query, request, attempt.call, self._context.services)
            attempt.values["body"] = body
            return await self._act(db, attempt, len(raw))

        return await self._db.write(work, is_long=self._is_long)

    async def _prepare_and_commit(self, attempt: Attempt, key: IdempotentRequest | None) -> Response:
        """An Idempotency-Key is claimed before: what takes long is not done twice at the same time."""
        async with AsyncExitStack() as stack:
            if key is not None:
                transaction = partial(self._transaction, attempt)
                claim = self._keys.claimed(attempt.call, attempt.request, key, transaction)
                stored = await stack.enter_async_context(claim)
                if stored is not None:
                    return self._keys.replay(stored, attempt.request)
            if self._slot is not None:
                await stack.enter_async_context(self._slot.slot(attempt.call.caller.shares_limits_of))
            if self._prepare is not None:
                async with self._db.read() as read:
                    if self._on is not None:
                        id_ = attempt.request.params[self._on.key]
                        attempt.values |= await self._on.arguments(read, attempt.call, id_)
                    await self.preconditions.require(read, attempt.request, attempt.call)
                prepared = self._prepare({**attempt.values, "db": self._db})
                is_context = isinstance(prepared, AbstractAsyncContextManager)
                attempt.values["prepared"] = await (stack.enter_async_context(prepared) if is_context else prepared)
            # Somebody else may have changed it while that went on.
            attempt.row = None
            if attempt.is_slow:
                attempt.renew(now=times.now())
                attempt.must_check = self._operation.access.needs_session
            return await self._commit(attempt, key, 0, is_claimed=True)

    async def _commit(
        self, attempt: Attempt, key: IdempotentRequest | None, size: int, *, is_claimed: bool = False
    ) -> Response:
        """Everything that the request stores, in one transaction."""
        request = attempt.request

        async def work(db: Write) -> Response | StoredResponse:
            if key is None:
                return await self._act(db, attempt, size)
            if not is_claimed and not await self._keys.claim(db, key, attempt.call.now):
                return await self._keys.find_stored(db, attempt.call, request, key)
            response = await self._act(db, attempt, size, is_followed=True)
            await self._keys.save(db, request, key, response)
            return response

        response = await self._transaction(attempt, work, is_long=self._is_long)
        if isinstance(response, StoredResponse):
            # A replay is not counted against a limit a second time.
            request.quotas.clear()
            return self._keys.replay(response, request)
        return response

    async def _act(self, db: Write, attempt: Attempt, size: int, *, is_followed: bool = False) -> Response:
        """Object, precondition, verb and audit entry. `is_followed`: by more statements of the transaction."""
        if self._on is not None:
            await self._lock_object(db, attempt, self._on)
        if_match = attempt.request.headers.get(b"if-match") if self._is_conditional else None
        if if_match is None:
            result = await self._verb({**attempt.values, "db": db})
        else:
            result = await self.preconditions.act(db, self._verb, attempt.values, if_match)
        response = self._representations.response(result, attempt.request)
        await self._add_audit_entry(db, attempt, result, size, len(response.body), is_followed=is_followed)
        return response

    async def _lock_object(self, db: Write, attempt: Attempt, on: Loaded[Any]) -> None:
        """The object of the path, and what the line locks before it; nobody waits who may not act on it."""
        id_ = attempt.request.params[on.key]
        row, attempt.row = attempt.row, None
        if self._locks is not None:
            attempt.values |= (
                await on.arguments(db, attempt.call, id_) if row is None else on.arguments_of(row, attempt.call)
            )
            await self._locks({**attempt.values, "db": db})
        elif row is not None:
            attempt.values |= on.arguments_of(row, attempt.call)
            return
        elif attempt.is_locked:
            attempt.values |= await on.arguments(db, attempt.call, id_)
            return
        attempt.values |= await on.locked_arguments(db, attempt.call, id_)

    async def _transaction(self, attempt: Attempt, work: Work[Result], *, is_long: bool = False) -> Result:
        """Runs `work` in a transaction, with the credentials checked again in it after a slow body and in a retry.

        An account that was deleted after the first check makes the first try fail, at a reference to the account.
        """

        async def checked(db: Write) -> Result:
            if attempt.must_check:
                attempt.renew(caller=await self._authenticated_in(db, attempt.request, attempt.call.now))
            attempt.must_check = self._operation.access.needs_session
            return await work(db)

        result = await self._db.write(checked, is_long=is_long)
        attempt.must_check = False
        return result

    async def _caller_with_object(self, request: Request, now: Instant) -> tuple[Caller, Sequence[Any] | None]:
        """What is not locked is read with the credentials: where nothing took long, the role is as new as they are."""
        on = self._on
        if on is None or on.is_locked or not self._is_in_transaction:
            return await self._caller(request, now), None
        async with self._db.read() as db:
            lookup = JoinedLookup(db, on, request.params[on.key])
            caller = await self._context.authenticator.caller(lookup, request, self._operation.access, now)
            return caller, lookup.row

    async def _caller(self, request: Request, now: Instant) -> Caller:
        if self._operation.access.needs_session:
            return await self._authenticated(request, now)
        if not self._operation.is_safe:
            # Signing in ends one session and starts another: no other site may cause that.
            self._context.authenticator.require_same_origin(request)
        return NOBODY

    async def _authenticated(self, request: Request, now: Instant) -> Caller:
        """Raises Unauthenticated, Forbidden."""
        async with self._db.read() as db:
            return await self._authenticated_in(db, request, now)

    async def _authenticated_in(self, db: Read, request: Request, now: Instant) -> Caller:
        return await self._context.authenticator.caller(SeparateLookup(db), request, self._operation.access, now)

    async def _check_after_body(self, attempt: Attempt) -> None:
        """Reads the clock after a slow body, and sees to it that the credentials are checked again."""
        now = times.now()
        attempt.row = None
        if self._is_in_transaction:
            attempt.must_check = self._operation.access.needs_session
            attempt.renew(now=now)
        else:
            attempt.renew(now=now, caller=await self._caller(attempt.request, now))

    async def _permit(self, db: Read, call: Call, request: Request, stored: StoredResponse | None = None) -> None:
        """Checks the permission without running the verb: for a replay, and before a failed If-Match.

        Raises NotFound, Forbidden.
        """
        if self._on is not None:
            await self._on.find(db, call, request.params[self._on.key])
        if self._replays is not None and stored is not None and stored.body is not None:
            response = msgspec.json.decode(stored.body, type=self._operation.response)
            await self._replays({"db": db, "call": call, "stored": response})

    async def _add_audit_entry(
        self, db: Write, attempt: Attempt, result: Any, received: int, returned: int, *, is_followed: bool
    ) -> None:
        """Adds the entry with the next version of the workshop, and judges the quota by what it then holds.

        `received` and `returned`: the bytes of the bodies of the request and of the response. `is_followed`: by more
        statements of the transaction.
        """
        if self._subject is None or isinstance(result, Unchanged):
            return
        call, request = attempt.call, attempt.request
        workshop_id, object_id = self._subject(result, attempt.values)
        event = (result.event if isinstance(result, Audited) else "") or self._operation.event
        assert event is not None
        made = source_of(call).change(workshop_id, event, object_id)
        copied = result.copied if isinstance(result, Audited) else 0
        added = 0 if self._is_deletion else audit.most_added(received, returned, copied)
        most = self._free_bytes if self._require_quota is not None else _NO_LIMIT
        held = await audit.add(db, made, added, last_up_to=None if is_followed else most)
        if self._require_quota is not None and held > self._free_bytes:
            await self._require_quota(db, workshop_id, held, call.now, self._may_exceed)
        request.changed_workshop = workshop_id


def subject_of(operation: Operation) -> Subject:
    """How to find the workshop and the object of the operation's audit entry. Raises TypeError where it cannot."""
    result = operation.result
    if get_origin(result) is Audited:
        return lambda result, _: (result.workshop_id, result.object_id)
    fields = set(getattr(result, "__struct_fields__", ()))
    if operation.on is not None or "workshopId" in operation.path_names:
        if "id" in fields:
            return lambda result, values: (values["workshop_id"], result.id)
        last = snake(operation.path_names[-1])
        return lambda _, values: (values["workshop_id"], values[last])
    if {"id", "workshop_id"} <= fields:
        return lambda result, _: (result.workshop_id, result.id)
    raise TypeError(f"{operation.name}: event {operation.event} without a workshop and an object")


class Endpoint:
    """Handles the requests of one operation."""

    def __init__(self, operation: Operation, context: Context) -> None:
        """Raises TypeError where the line of the operation contradicts its verb."""
        operation.require_consistent()
        self.operation = operation
        self.path = operation.path
        self.max_json_size = operation.max_json_size
        # Properties of the operation are worked out from its verb at each use.
        self._takes_link = operation.access.takes_link
        self._sends_bytes = operation.sends_bytes
        self._on_change = context.on_change
        self._count_bad_token = context.count_bad_token
        self._representations = Representations(operation)
        self.reads = Reads(operation, context, self._representations) if operation.handle is Read else None
        self._writes = Writes(operation, context, self._representations) if self.reads is None else None
        path = self.reads or self._writes
        assert path is not None
        self._respond = path.respond

    def connect(self, readable: Mapping[str, "Endpoint"], prefix: str) -> None:
        """Finds the GET of the same path, or of the nearest above it, with whose ETag If-Match is compared, and the GET
        of what this operation returns. `readable` are all GET operations by their path."""
        compared = readable.get(self.operation.read_at(readable) or "")
        if self._writes is not None and compared is not None:
            self._writes.preconditions.representation = compared.reads
        returned = [get.operation for get in readable.values()]
        self._representations.returned = ReturnedResource(self.operation, returned, prefix)

    async def respond(self, request: Request) -> Response:
        known_ids(request.params)
        now = times.now()
        try:
            response = await self._respond(request, now)
        except Unauthenticated as error:
            if self._takes_link and error.has_token and self._count_bad_token is not None:
                await self._count_bad_token(request, now)
            raise
        if request.changed_workshop is not None and self._on_change is not None:
            self._on_change(request.changed_workshop)
        if len(response.body) >= MIN_SIZE and request.method in ("GET", "HEAD") and not self._sends_bytes:
            response.headers.append(VARY)
            encoding = encoding_for(request.headers.get(b"accept-encoding", b""))
            if encoding is not None:
                return await compressed(response, encoding)
        return response
