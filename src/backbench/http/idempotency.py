"""Idempotency-Key: a key is claimed, the response is stored with it, and a repeated request gets that response.

A write claims its key in its transaction. One with a `prepare` claims it before, with a lease that is renewed until
its response is stored; the claim is released if it fails, and after a crash it expires.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

import msgspec
import structlog
from msgspec import structs

from backbench.accounts.calls import Call
from backbench.accounts.sessions import digest
from backbench.engine.database import Database, Read, Work, Write
from backbench.http import stored_responses
from backbench.http.context import Context
from backbench.http.multipart import Form
from backbench.http.operations import Operation
from backbench.http.representations import Representations
from backbench.http.requests import Request
from backbench.http.responses import Response, json_response
from backbench.http.stored_responses import MAX_KEY_LENGTH, IdempotentRequest, StoredResponse, fingerprint
from backbench.values import times
from backbench.values.errors import Conflict, FieldError, IdempotencyMismatch, Unavailable, ValidationError
from backbench.values.ids import NIL_ID
from backbench.values.times import Instant, later

log = structlog.get_logger()

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
            account_id=call.caller.stores_responses_of,
            request=f"{request.method} {request.scope['path']}{call.caller.key_suffix}",
            key_hash=digest(key),
            token=call.new_id(),
            fingerprint=fingerprint(body),
            ends_at=later(call.now, self._seconds),
        )

    async def claim(self, db: Write, key: IdempotentRequest, now: Instant) -> bool:
        return await stored_responses.claim(db, key, now)

    async def find_stored(self, db: Read, call: Call, request: Request, key: IdempotentRequest) -> StoredResponse:
        """The stored response. Raises IdempotencyMismatch for another payload, Conflict while there is none."""
        stored = await stored_responses.lookup(db, key)
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
        if not await stored_responses.save_response(db, key, stored, key.ends_at):
            raise Conflict("in_progress", "This request took too long, and a repeated request has taken over")

    @contextlib.asynccontextmanager
    async def claimed(
        self, call: Call, request: Request, key: IdempotentRequest, transaction: Transaction
    ) -> AsyncIterator[StoredResponse | None]:
        """Claims the key for the block, and renews the claim within it. Yields the response that is stored already."""
        claim = structs.replace(key, ends_at=_lease_ends_at(call.now))
        if not await transaction(lambda db: stored_responses.claim(db, claim, call.now)):
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
            await self._db.write(lambda db: stored_responses.release(db, claim))
            raise

    def replay(self, stored: StoredResponse, request: Request) -> Response:
        """The stored response. Raises Conflict where it held a secret, which is never stored, or was erased."""
        assert stored.status is not None
        if stored.body is None:
            raise Conflict(
                "already_created", "This was created by the first request, whose response held a secret or was erased"
            )
        response = json_response(stored.status, stored.body.encode())
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
            is_held = await db.write(lambda write: stored_responses.renew(write, claim, _lease_ends_at(times.now())))
        except Unavailable as error:
            # Tried again. An expired claim is good as long as no repetition takes it over.
            log.warning("idempotency key not renewed", reason=error.detail)
