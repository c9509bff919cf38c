"""Rate limit counters: one row per key, shared by every worker and node, and preserved over a restart."""

from msgspec import Struct

from backbench.engine.database import Database, Write
from backbench.values.calls import Call
from backbench.values.errors import RateLimited
from backbench.values.limits import Limit, Quota
from backbench.values.times import Instant, later, seconds_between

# Statements


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


# Verbs


class Counter(Struct, frozen=True):
    """A counter by its key, its limit, and the name of the limit in RateLimit headers."""

    key: str
    limit: Limit
    policy: str
    # A counter shared by several clients (of an email address) would tell each of them about the others.
    is_reported: bool = True


async def count_all(db: Database, call: Call, counters: list[Counter]) -> None:
    """Increments the counters in order. Raises RateLimited for the first over its limit, without the ones after it.

    So a client over the limit of its address cannot fill the table with keys of ever new accounts. The error is
    raised after the commit: raised inside the transaction it would undo the count.
    """

    async def count(write: Write) -> RateLimited | None:
        for counter in counters:
            over = _over(call, counter, await add_attempt(write, counter.key, counter.limit.window, call.now))
            if over is not None:
                return over
        return None

    over = await db.write(count)
    if over is not None:
        raise over


async def count_success(db: Write, call: Call, counter: Counter) -> None:
    """Increments the counter in the transaction of the verb: a rejected verb is not counted."""
    over = _over(call, counter, await add_attempt(db, counter.key, counter.limit.window, call.now))
    if over is not None:
        raise over


async def is_within(db: Write, counter: Counter, now: Instant) -> bool:
    """Increments the counter. Whether it is within its limit."""
    return (await count_window(db, counter, now)).number <= counter.limit.count


async def count_window(db: Write, counter: Counter, now: Instant) -> Attempts:
    """Increments the counter. Its number in the present window, and when that ends."""
    return await add_attempt(db, counter.key, counter.limit.window, now)


def _over(call: Call, counter: Counter, attempts: Attempts) -> RateLimited | None:
    limit = counter.limit
    wait = max(1, -int(-seconds_between(call.now, attempts.ends_at) // 1))
    if attempts.number > limit.count:
        return RateLimited(counter.policy, limit.count, limit.window, wait)
    if counter.is_reported:
        call.quotas[counter.policy] = Quota(limit, limit.count - attempts.number, wait)
    return None
