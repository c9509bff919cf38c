"""Kept answers in the database."""

from backbench.domain.operations.idempotency import IdempotentRequest, StoredResponse
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read, Write

_KEY = "account_id = :account_id AND request = :request AND key_hash = :key_hash"


async def claim(db: Write, asked: IdempotentRequest, now: Instant) -> bool:
    """Takes the key; False when an answer is kept under it. A twin waits here until the first has ended."""
    own = {"account_id": asked.account_id, "request": asked.request, "key_hash": asked.key_hash}
    await db.run(f"DELETE FROM idempotency_keys WHERE {_KEY} AND ends_at <= :now", **own, now=now)
    claimed = await db.run(
        """
        INSERT INTO idempotency_keys (account_id, request, key_hash, fingerprint, ends_at)
        VALUES (:account_id, :request, :key_hash, :fingerprint, :ends_at)
        ON CONFLICT (account_id, request, key_hash) DO NOTHING
        """,
        **own,
        fingerprint=asked.fingerprint,
        ends_at=asked.ends_at,
    )
    return claimed > 0


async def find(db: Read, asked: IdempotentRequest) -> StoredResponse | None:
    return await db.one(
        StoredResponse,
        f"SELECT fingerprint, status, body FROM idempotency_keys WHERE {_KEY}",
        account_id=asked.account_id,
        request=asked.request,
        key_hash=asked.key_hash,
    )


async def save_response(db: Write, claimed: IdempotentRequest, answer: StoredResponse, ends_at: Instant) -> bool:
    """False when the claim has run out, and somebody else may have made the same since."""
    kept = await db.run(
        f"""
        UPDATE idempotency_keys SET fingerprint = :fingerprint, status = :status, body = :body, ends_at = :ends_at
        WHERE {_KEY} AND status IS NULL AND ends_at = :claimed_until
        """,
        account_id=claimed.account_id,
        request=claimed.request,
        key_hash=claimed.key_hash,
        claimed_until=claimed.ends_at,
        fingerprint=answer.fingerprint,
        status=answer.status,
        body=answer.body,
        ends_at=ends_at,
    )
    return kept > 0


async def release(db: Write, claimed: IdempotentRequest) -> None:
    """Gives the key back after a request that came to nothing."""
    await db.run(
        f"DELETE FROM idempotency_keys WHERE {_KEY} AND status IS NULL AND ends_at = :claimed_until",
        account_id=claimed.account_id,
        request=claimed.request,
        key_hash=claimed.key_hash,
        claimed_until=claimed.ends_at,
    )


async def sweep(db: Write, now: Instant) -> int:
    return await db.run("DELETE FROM idempotency_keys WHERE ends_at <= :now", now=now)
