"""Counters of attempts: one row a thing that is counted, shared by every worker and node, kept over a restart."""

from msgspec import Struct

from backbench.domain.values.times import Instant, later
from backbench.storage.engine.database import Write


class Attempts(Struct, frozen=True):
    """How often in the running window, and when that window ends."""

    number: int
    ends_at: Instant


async def count(db: Write, counted: str, window: int, now: Instant) -> Attempts:
    """Counts one more attempt; the window of `window` seconds starts with the first."""
    attempts = await db.one(
        Attempts,
        """
        INSERT INTO attempts (counted, number, ends_at) VALUES (:counted, 1, :ends_at)
        ON CONFLICT (counted) DO UPDATE SET
            number = CASE WHEN attempts.ends_at <= :now THEN 1 ELSE attempts.number + 1 END,
            ends_at = CASE WHEN attempts.ends_at <= :now THEN excluded.ends_at ELSE attempts.ends_at END
        RETURNING number, ends_at
        """,
        counted=counted,
        ends_at=later(now, window),
        now=now,
    )
    assert attempts is not None
    return attempts


async def sweep(db: Write, now: Instant) -> int:
    return await db.run("DELETE FROM attempts WHERE ends_at <= :now", now=now)
