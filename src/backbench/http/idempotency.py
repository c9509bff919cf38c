"""Idempotency-Key: stored responses and their replay."""

import msgspec

from backbench.domain.accounts.sessions import Caller, digest
from backbench.domain.operations.idempotency import (
    MAX_KEY_LENGTH,
    IdempotentRequest,
    StoredResponse,
    fingerprint,
)
from backbench.domain.values.errors import Conflict, FieldError, IdempotencyMismatch, ValidationError
from backbench.domain.values.ids import NIL_ID, new_id
from backbench.domain.values.times import Instant, later
from backbench.http.multipart import Form
from backbench.http.requests import Request
from backbench.http.responses import Response, json_response


def idempotent_request(
    request: Request, caller: Caller, body: bytes, now: Instant, stored_seconds: int
) -> IdempotentRequest | None:
    """The request with its Idempotency-Key; None without one. Raises ValidationError for a malformed key."""
    key = request.header(b"idempotency-key")
    # A malformed id matches nothing, so there will be no response to store.
    if key is None or NIL_ID in request.params.values():
        return None
    if not 1 <= len(key) <= MAX_KEY_LENGTH or not key.isprintable():
        detail = f"Idempotency-Key: expected 1 to {MAX_KEY_LENGTH} printable characters"
        raise ValidationError(FieldError("", "idempotency_key", detail))
    return IdempotentRequest(
        account_id=caller.uid,
        request=f"{request.method} {request.scope['path']}",
        key_hash=digest(key),
        token=new_id(),
        fingerprint=fingerprint(body),
        ends_at=later(now, stored_seconds),
    )


def require_same_payload(stored: StoredResponse | None, repeated: IdempotentRequest) -> StoredResponse:
    """The stored response. Raises IdempotencyMismatch for another payload, Conflict while there is no response."""
    if stored is None:
        raise first_failed()
    if stored.fingerprint != repeated.fingerprint:
        raise IdempotencyMismatch
    if stored.status is None:
        raise _in_progress()
    return stored


async def require_same_form(request: Request, stored: StoredResponse) -> None:
    """The same for multipart/form-data, whose body is read here only to compare it."""
    form = Form(request)
    if stored.status is None:
        raise _in_progress()
    size = msgspec.json.decode(stored.body or "{}").get("sizeBytes", 0)
    if await form.digest_within(size) != stored.fingerprint:
        raise IdempotencyMismatch


def replayed_response(stored: StoredResponse) -> Response:
    """The stored response. Raises Conflict where it held a secret, which is never stored."""
    assert stored.status is not None
    if stored.body is None:
        raise Conflict("already_created", "This was created by the first request; its secret is shown only once")
    response = json_response(stored.status, stored.body.encode())
    response.headers.append((b"idempotency-replayed", b"true"))
    return response


def first_failed() -> Conflict:
    """The first request released the key, or its stored response expired, while its repetition was being handled."""
    return Conflict("in_progress", "The first request with this Idempotency-Key failed; send it again")


def _in_progress() -> Conflict:
    return Conflict("in_progress", "The first request with this Idempotency-Key is still in progress")
