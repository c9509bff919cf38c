"""Idempotency keys: a request that is sent again changes nothing twice."""

import hashlib

from msgspec import Struct

from backbench.domain.values.times import Instant

MAX_KEY_LENGTH = 255
# How long a response is stored unless the settings say otherwise.
STORED_SECONDS = 14 * 86_400


class IdempotentRequest(Struct, frozen=True):
    """A request with an Idempotency-Key: the account, the method and path, and the key's hash.

    `token` is new for every request: it tells the request that has claimed the key from its repetitions.
    """

    account_id: str
    request: str
    key_hash: str
    token: str
    fingerprint: str
    ends_at: Instant


class StoredResponse(Struct, frozen=True):
    """The stored response. `status` is None while the first request is in progress."""

    fingerprint: str
    status: int | None
    body: str | None


def fingerprint(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
