"""How often something may be tried: sign-ins, sign-ups, mails that strangers cause."""

from msgspec import Struct

from backbench.domain.errors import RateLimited
from backbench.domain.settings import Limit
from backbench.domain.times import Instant, seconds_between
from backbench.storage import attempts
from backbench.storage.database import Database, Write


class Counted(Struct, frozen=True):
    """One thing that is counted, the limit it is held to, and what that limit is called towards clients."""

    name: str
    limit: Limit
    policy: str


async def count_all(db: Database, counted: list[Counted], now: Instant) -> None:
    """Counts first and judges after the commit: a refusal inside the transaction would undo the count."""

    async def count(write: Write) -> list[attempts.Attempts]:
        return [await attempts.count(write, one.name, one.limit.window, now) for one in counted]

    for one, counter in zip(counted, await db.write(count), strict=True):
        _must_be_within(one, counter, now)


async def count_success(db: Write, counted: Counted, now: Instant) -> None:
    """Counts in the transaction of what is counted: what is refused counts for nothing."""
    _must_be_within(counted, await attempts.count(db, counted.name, counted.limit.window, now), now)


def _must_be_within(counted: Counted, counter: attempts.Attempts, now: Instant) -> None:
    limit = counted.limit
    if counter.number > limit.count:
        wait = max(1, -int(-seconds_between(now, counter.ends_at) // 1))
        raise RateLimited(counted.policy, limit.count, limit.window, wait)
