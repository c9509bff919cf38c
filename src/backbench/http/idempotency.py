"""Idempotency-Key over HTTP: what makes a creating request repeatable, and the answer to one that came again."""

import msgspec

from backbench.actions.authorization import require_member
from backbench.domain.accounts.sessions import Caller, digest
from backbench.domain.operations.idempotency import (
    MAX_KEY_LENGTH,
    STORED_SECONDS,
    IdempotentRequest,
    StoredResponse,
    fingerprint,
)
from backbench.domain.values.errors import Conflict, DomainError, FieldError, IdempotencyMismatch, ValidationError
from backbench.domain.values.ids import NIL_ID
from backbench.domain.values.times import Instant, later
from backbench.http.multipart import Form
from backbench.http.requests import Request
from backbench.http.responses import Response, json_response
from backbench.storage.engine.database import Read


class ReplayFound(Exception):
    """The request came before; `kept` is what it was answered. Raised to undo what finding that out has written."""

    def __init__(self, kept: StoredResponse) -> None:
        super().__init__()
        self.kept = kept


def idempotent_request(request: Request, caller: Caller, body: bytes, now: Instant) -> IdempotentRequest | None:
    """The key the request came with, if any. Raises ValidationError for one that is too long."""
    key = request.header(b"idempotency-key")
    # What cannot be an id names nothing, so there will be no answer to keep.
    if key is None or NIL_ID in request.params.values():
        return None
    if not 1 <= len(key) <= MAX_KEY_LENGTH or not key.isprintable():
        raise ValidationError(
            FieldError("", "idempotency_key", f"Idempotency-Key: expected 1 to {MAX_KEY_LENGTH} characters")
        )
    return IdempotentRequest(
        account_id=caller.uid,
        request=f"{request.method} {request.scope['path']}",
        key_hash=digest(key),
        fingerprint=fingerprint(body),
        ends_at=later(now, STORED_SECONDS),
    )


def require_same_payload(kept: StoredResponse, asked: IdempotentRequest) -> None:
    """Raises IdempotencyMismatch for another payload, Conflict while the first request is still under way."""
    if kept.fingerprint != asked.fingerprint:
        raise IdempotencyMismatch
    if kept.status is None:
        raise _under_way()


async def require_same_form(request: Request, kept: StoredResponse) -> None:
    """The same for a form, which is read here for that alone."""
    form = Form(request)
    try:
        if kept.status is None:
            raise _under_way()
        stored = msgspec.json.decode(kept.body or "{}").get("sizeBytes", 0)
        if await form.digest_within(stored) != kept.fingerprint:
            raise IdempotencyMismatch
    except DomainError:
        await form.drain()
        raise


def _under_way() -> Conflict:
    return Conflict("in_progress", "The first request with this Idempotency-Key is still under way")


def replayed_response(kept: StoredResponse) -> Response:
    """The kept answer. A secret was not kept: it was shown once."""
    assert kept.status is not None
    if kept.body is None:
        raise Conflict("already_created", "This was created before; its secret is shown only once")
    answer = json_response(kept.status, kept.body.encode())
    answer.headers.append((b"idempotency-replayed", b"true"))
    return answer


async def require_access(db: Read, caller: Caller | None, kept: StoredResponse) -> None:
    """A kept answer tells of something in a workshop; who has left it is told no more."""
    shown = msgspec.json.decode(kept.body or "{}")
    workshop_id = shown.get("workshopId") or shown.get("scopeId")
    if caller is not None and workshop_id is not None:
        await require_member(db, caller, workshop_id)
