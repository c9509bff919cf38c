"""Rate limit counters: one row per key, shared by every worker and node, and preserved over a restart."""

from msgspec import Struct

from backbench.domain.values.times import Instant, later
from backbench.storage.engine.database import Write


class Attempts(Struct, frozen=True):
    """The number of attempts in the current window, and when that window ends."""

    number: int
    ends_at: Instant


async def add_attempt(db: Write, key: str, window: int, now: Instant, number: int = 1) -> Attempts:
    """Adds `number` attempts under the key. The first attempt starts a window of `window` seconds."""
    attempts = await db.one(
        Attempts,
        """
        INSERT INTO attempts (counted, number, ends_at) VALUES (:key, :number, :ends_at)
        ON CONFLICT (counted) DO UPDATE SET
            number = CASE WHEN attempts.ends_at <= :now THEN excluded.number ELSE attempts.number + excluded.number END,
            ends_at = CASE WHEN attempts.ends_at <= :now THEN excluded.ends_at ELSE attempts.ends_at END
        RETURNING number, ends_at
        """,
        key=key,
        number=number,
        ends_at=later(now, window),
        now=now,
    )
    assert attempts is not None
    return attempts


async def delete_expired(db: Write, now: Instant) -> int:
    """The number of counters deleted."""
    return await db.run("DELETE FROM attempts WHERE ends_at <= :now", now=now)
