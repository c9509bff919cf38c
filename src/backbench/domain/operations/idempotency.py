"""Idempotency keys: a creating request that is sent again creates nothing twice."""

import hashlib

from msgspec import Struct

from backbench.domain.values.times import Instant

MAX_KEY_LENGTH = 255
STORED_SECONDS = 24 * 3600


class IdempotentRequest(Struct, frozen=True):
    """A creating request with an Idempotency-Key: the account, the method and path, and the key's hash."""

    account_id: str
    request: str
    key_hash: str
    fingerprint: str
    ends_at: Instant


class StoredResponse(Struct, frozen=True):
    """The stored response. `status` is None while the first request is in progress."""

    fingerprint: str
    status: int | None
    body: str | None


def fingerprint(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
