"""Attempts to send a message to a receiver: who makes one, how it ended, and when the next one is due."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from backbench.engine.database import Value, Write
from backbench.values.times import Instant, later

# How far an attempt is from its time at most, in parts of the wait: attempts of many are kept apart.
_JITTER = 0.2


class Attempt(Struct, frozen=True):
    """`status` is None where there was no response."""

    status: int | None

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """The receiver says that it is there no longer."""
        return self.status == 410

    @property
    def may_pass(self) -> bool:
        """Whether a later attempt may succeed, by the status alone."""
        return self.status is None or self.status == 429 or self.status >= 500


def next_attempt(waits: Sequence[float], attempts: int, now: Instant, spread: float) -> Instant | None:
    """When to try again after so many attempts; None after the last. `waits`: seconds from each to the next.

    `spread` from 0 to 1 keeps attempts of many apart.
    """
    if attempts > len(waits):
        return None
    return later(now, waits[attempts - 1] * (1 - _JITTER + 2 * _JITTER * spread))


async def claim(db: Write, table: str, row: Mapping[str, Value], attempts: int, now: Instant, lease: float) -> bool:
    """Leases a row that is due for `lease` seconds and counts the attempt. False where another worker has it."""
    condition = " AND ".join(f"{column} = :{column}" for column in row)
    sql = f"""
        UPDATE {table} SET attempts = attempts + 1, next_attempt_at = :until
        WHERE {condition} AND attempts = :attempts AND next_attempt_at <= :now
    """
    return await db.run(sql, attempts=attempts, now=now, until=later(now, lease), **row) > 0
