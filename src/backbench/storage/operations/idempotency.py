"""Idempotency keys and their stored responses in the database."""

from backbench.domain.operations.idempotency import IdempotentRequest, StoredResponse
from backbench.domain.values.errors import Conflict
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write

# Responses stored for an account: a few hundred thousand orders, or a thousand of the largest estimates.
MAX_STORED_BYTES = 256 * 1024 * 1024
_KEY = "account_id = :account_id AND request = :request AND key_hash = :key_hash"


async def claim(db: Write, request: IdempotentRequest, now: Instant) -> bool:
    """Claims the key. False when it is taken; waits until a concurrent transaction with the same key has ended."""
    key = {"account_id": request.account_id, "request": request.request, "key_hash": request.key_hash}
    await db.run(f"DELETE FROM idempotency_keys WHERE {_KEY} AND ends_at <= :now", **key, now=now)
    claimed = await db.run(
        """
        INSERT INTO idempotency_keys (account_id, request, key_hash, fingerprint, ends_at)
        VALUES (:account_id, :request, :key_hash, :fingerprint, :ends_at)
        ON CONFLICT (account_id, request, key_hash) DO NOTHING
        """,
        **key,
        fingerprint=request.fingerprint,
        ends_at=request.ends_at,
    )
    return claimed > 0


async def lookup(db: Read, request: IdempotentRequest) -> StoredResponse | None:
    return await db.one(
        StoredResponse,
        f"SELECT fingerprint, status, body FROM idempotency_keys WHERE {_KEY}",
        account_id=request.account_id,
        request=request.request,
        key_hash=request.key_hash,
    )


async def save_response(db: Write, request: IdempotentRequest, response: StoredResponse, ends_at: Instant) -> bool:
    """False when the claim has expired, and the same request may have been made again since.

    Raises Conflict `plan_limit` where too much is stored for the account.
    """
    stored: int | None = await db.value(
        f"""
        UPDATE idempotency_keys SET fingerprint = :fingerprint, status = :status, body = :body, ends_at = :ends_at
        WHERE {_KEY} AND status IS NULL AND ends_at = :claimed_until
        RETURNING coalesce((SELECT stored_bytes FROM account_counters c WHERE c.account_id = :account_id), 0)
        """,
        account_id=request.account_id,
        request=request.request,
        key_hash=request.key_hash,
        claimed_until=request.ends_at,
        fingerprint=response.fingerprint,
        status=response.status,
        body=response.body,
        ends_at=ends_at,
    )
    # Without the bytes of this response, which a trigger adds afterwards (docs/decisions/0025).
    if stored is not None and stored > MAX_STORED_BYTES:
        raise Conflict(
            "plan_limit",
            "Too many responses are stored for Idempotency-Keys of your account; send requests without one",
            limit=MAX_STORED_BYTES,
            current=stored,
        )
    return stored is not None


async def release(db: Write, request: IdempotentRequest) -> None:
    """Deletes the claim of a request that failed."""
    await db.run(
        f"DELETE FROM idempotency_keys WHERE {_KEY} AND status IS NULL AND ends_at = :claimed_until",
        account_id=request.account_id,
        request=request.request,
        key_hash=request.key_hash,
        claimed_until=request.ends_at,
    )


async def delete_expired(db: Write, now: Instant) -> int:
    """The number of keys deleted."""
    return await db.run("DELETE FROM idempotency_keys WHERE ends_at <= :now", now=now)
