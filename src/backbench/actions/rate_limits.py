"""Rate limits of sign-ins, sign-ups and the emails that unauthenticated clients cause."""

from msgspec import Struct

from backbench.domain.accounts.calls import Call
from backbench.domain.values.errors import RateLimited
from backbench.domain.values.limits import Limit
from backbench.domain.values.quotas import Quota
from backbench.domain.values.times import Instant, seconds_between
from backbench.storage.accounts import rate_limits
from backbench.storage.engine.database import Database, Write


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
            over = _over(
                call, counter, await rate_limits.add_attempt(write, counter.key, counter.limit.window, call.now)
            )
            if over is not None:
                return over
        return None

    over = await db.write(count)
    if over is not None:
        raise over


async def count_success(db: Write, call: Call, counter: Counter) -> None:
    """Increments the counter in the transaction of the action: a rejected action is not counted."""
    over = _over(call, counter, await rate_limits.add_attempt(db, counter.key, counter.limit.window, call.now))
    if over is not None:
        raise over


async def is_within(db: Write, counter: Counter, now: Instant) -> bool:
    """Increments the counter. Whether it is within its limit."""
    return (await count_window(db, counter, now)).number <= counter.limit.count


async def count_window(db: Write, counter: Counter, now: Instant) -> rate_limits.Attempts:
    """Increments the counter. Its number in the present window, and when that ends."""
    return await rate_limits.add_attempt(db, counter.key, counter.limit.window, now)


def _over(call: Call, counter: Counter, attempts: rate_limits.Attempts) -> RateLimited | None:
    limit = counter.limit
    wait = max(1, -int(-seconds_between(call.now, attempts.ends_at) // 1))
    if attempts.number > limit.count:
        return RateLimited(counter.policy, limit.count, limit.window, wait)
    if counter.is_reported:
        call.quotas[counter.policy] = Quota(limit, limit.count - attempts.number, wait)
    return None
