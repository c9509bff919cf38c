"""Limits of links: what the holder of one may do in a time, and how many wrong tokens an address may send."""

from backbench.actions.rate_limits import Counter, count_all
from backbench.actions.services import Services
from backbench.domain.accounts.calls import NOBODY, Call
from backbench.domain.sharing.links import LinkCall, LinkLimits
from backbench.domain.values.limits import Limit
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Database


async def count_decision(db: Database, call: LinkCall, services: Services) -> None:
    """Counts an attempt to decide, whether or not it succeeds. Raises RateLimited."""
    limits = services.link_limits
    limit = Limit(limits.decisions, limits.write_seconds)
    await count_all(db, call, [Counter(f"decisions by link {call.caller.link.id}", limit, "decisions")])


async def count_comment(db: Database, call: LinkCall, services: Services) -> None:
    """Counts a comment. Raises RateLimited."""
    limits = services.link_limits
    limit = Limit(limits.comments, limits.write_seconds)
    await count_all(db, call, [Counter(f"comments by link {call.caller.link.id}", limit, "comments")])


async def count_bad_token(db: Database, address: str, limits: LinkLimits, now: Instant) -> None:
    """Counts a token that no link has. Raises RateLimited. The response does not report how many are left."""
    limit = Limit(limits.bad_tokens, limits.bad_token_seconds)
    await count_all(db, Call(NOBODY, now), [Counter(f"bad links from {address}", limit, "tokens", is_reported=False)])
