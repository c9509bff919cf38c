"""Idempotency-Key over HTTP: what makes a creating request repeatable, and the answer to one that came again."""

import msgspec

from backbench.actions.authorization import must_be_member
from backbench.domain.accounts.sessions import Caller, digest
from backbench.domain.operations.idempotency import KEPT_SECONDS, LONGEST_KEY, Kept, Repeatable, fingerprint
from backbench.domain.values.errors import Conflict, Fault, IdempotencyMismatch, Invalid, Refused
from backbench.domain.values.ids import NOBODY
from backbench.domain.values.times import Instant, later
from backbench.http.multipart import Form
from backbench.http.requests import Request
from backbench.http.responses import Answer, json_answer
from backbench.storage.engine.database import Read


class Repeated(Exception):
    """The request came before; `kept` is what it was answered. Raised to undo what finding that out has written."""

    def __init__(self, kept: Kept) -> None:
        super().__init__()
        self.kept = kept


def repeatable(request: Request, caller: Caller, body: bytes, now: Instant) -> Repeatable | None:
    """The key the request came with, if any. Raises Invalid for one that is too long."""
    key = request.header(b"idempotency-key")
    # What cannot be an id names nothing, so there will be no answer to keep.
    if key is None or NOBODY in request.params.values():
        return None
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise Invalid(Fault("", "idempotency_key", f"Idempotency-Key: expected 1 to {LONGEST_KEY} characters"))
    return Repeatable(
        account_id=caller.uid,
        request=f"{request.method} {request.scope['path']}",
        key_hash=digest(key),
        fingerprint=fingerprint(body),
        ends_at=later(now, KEPT_SECONDS),
    )


def must_be_same(kept: Kept, asked: Repeatable) -> None:
    """Raises IdempotencyMismatch for another payload, Conflict while the first request is still under way."""
    if kept.fingerprint != asked.fingerprint:
        raise IdempotencyMismatch
    if kept.status is None:
        raise _under_way()


async def must_be_same_form(request: Request, kept: Kept) -> None:
    """The same for a form, which is read here for that alone."""
    form = Form(request)
    try:
        if kept.status is None:
            raise _under_way()
        stored = msgspec.json.decode(kept.body or "{}").get("sizeBytes", 0)
        if await form.digest_within(stored) != kept.fingerprint:
            raise IdempotencyMismatch
    except Refused:
        await form.drain()
        raise


def _under_way() -> Conflict:
    return Conflict("in_progress", "The first request with this Idempotency-Key is still under way")


def answer_again(kept: Kept) -> Answer:
    """The kept answer. A secret was not kept: it was shown once."""
    assert kept.status is not None
    if kept.body is None:
        raise Conflict("already_created", "This was created before; its secret is shown only once")
    answer = json_answer(kept.status, kept.body.encode())
    answer.headers.append((b"idempotency-replayed", b"true"))
    return answer


async def must_reach(db: Read, caller: Caller | None, kept: Kept) -> None:
    """A kept answer tells of something in a workshop; who has left it is told no more."""
    shown = msgspec.json.decode(kept.body or "{}")
    workshop_id = shown.get("workshopId") or shown.get("scopeId")
    if caller is not None and workshop_id is not None:
        await must_be_member(db, caller, workshop_id)
