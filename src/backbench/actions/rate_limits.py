"""How often something may be tried: sign-ins, sign-ups, mails that strangers cause."""

from msgspec import Struct

from backbench.domain.values.errors import RateLimited
from backbench.domain.values.limits import Limit
from backbench.domain.values.quotas import Quota, Quotas
from backbench.domain.values.times import Instant, seconds_between
from backbench.storage.accounts import rate_limits
from backbench.storage.engine.database import Database, Write


class Counted(Struct, frozen=True):
    """One thing that is counted, the limit it is held to, and what that limit is called towards clients."""

    name: str
    limit: Limit
    policy: str
    # What many count together (an e-mail address, tried from everywhere) would tell each of them about the others.
    is_reported: bool = True


async def count_all(db: Database, counted: list[Counted], quotas: Quotas, now: Instant) -> None:
    """Counts, and raises RateLimited for the first that is over its limit; what comes after it is not counted.

    So whoever is shut out where they are cannot fill the table with the names of ever new accounts. It is judged
    after the commit: a refusal inside the transaction would undo the count.
    """

    async def count(write: Write) -> RateLimited | None:
        for one in counted:
            over = _over(one, await rate_limits.add_attempt(write, one.name, one.limit.window, now), quotas, now)
            if over is not None:
                return over
        return None

    over = await db.write(count)
    if over is not None:
        raise over


async def count_success(db: Write, counted: Counted, quotas: Quotas, now: Instant) -> None:
    """Counts in the transaction of what is counted: what is refused counts for nothing."""
    over = _over(counted, await rate_limits.add_attempt(db, counted.name, counted.limit.window, now), quotas, now)
    if over is not None:
        raise over


def _over(counted: Counted, counter: rate_limits.Attempts, quotas: Quotas, now: Instant) -> RateLimited | None:
    limit = counted.limit
    wait = max(1, -int(-seconds_between(now, counter.ends_at) // 1))
    if counter.number > limit.count:
        return RateLimited(counted.policy, limit.count, limit.window, wait)
    if counted.is_reported:
        quotas[counted.policy] = Quota(limit, limit.count - counter.number, wait)
    return None
