"""Kept answers in the database."""

from backbench.domain.idempotency import Kept, Repeatable
from backbench.domain.times import Instant
from backbench.storage.database import Read, Write

_KEY = "account_id = :account_id AND request = :request AND key_hash = :key_hash"


async def claim(db: Write, asked: Repeatable, now: Instant) -> bool:
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


async def kept(db: Read, asked: Repeatable) -> Kept | None:
    return await db.one(
        Kept,
        f"SELECT fingerprint, status, body FROM idempotency_keys WHERE {_KEY}",
        account_id=asked.account_id,
        request=asked.request,
        key_hash=asked.key_hash,
    )


async def keep(db: Write, asked: Repeatable, status: int, body: str | None, ends_at: Instant) -> None:
    await db.run(
        f"UPDATE idempotency_keys SET status = :status, body = :body, ends_at = :ends_at WHERE {_KEY}",
        account_id=asked.account_id,
        request=asked.request,
        key_hash=asked.key_hash,
        status=status,
        body=body,
        ends_at=ends_at,
    )


async def release(db: Write, asked: Repeatable) -> None:
    """Gives the key back after a request that came to nothing."""
    await db.run(
        f"DELETE FROM idempotency_keys WHERE {_KEY} AND status IS NULL",
        account_id=asked.account_id,
        request=asked.request,
        key_hash=asked.key_hash,
    )


async def sweep(db: Write, now: Instant) -> int:
    return await db.run("DELETE FROM idempotency_keys WHERE ends_at <= :now", now=now)
