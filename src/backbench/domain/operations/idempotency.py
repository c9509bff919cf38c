"""Idempotency keys: a creating request sent twice makes one thing."""

import hashlib

from msgspec import Struct

from backbench.domain.values.times import Instant

MAX_KEY_LENGTH = 255
STORED_SECONDS = 24 * 3600


class IdempotentRequest(Struct, frozen=True):
    """A creating request that may come again: whose it is, what it asks for, and under which key."""

    account_id: str
    request: str
    key_hash: str
    fingerprint: str
    ends_at: Instant


class StoredResponse(Struct, frozen=True):
    """The answer that was given; without a status the first request is still under way."""

    fingerprint: str
    status: int | None
    body: str | None


def fingerprint(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
