"""Limits of links: what the holder of an address may do in a time, and how many wrong tokens a client may send.

By the token: whoever holds the PDF must not keep the client out who has the link from an email.
"""

from backbench.actions.rate_limits import Counter, count_all
from backbench.domain.sharing.links import LinkCaller, LinkLimits
from backbench.domain.values.limits import Limit
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Database


async def count_decision(db: Database, caller: LinkCaller, limits: LinkLimits, now: Instant) -> None:
    """Counts an attempt to decide, whether or not it succeeds. Raises RateLimited."""
    limit = Limit(limits.decisions, limits.write_seconds)
    await count_all(db, [Counter(f"decisions by link {caller.token_hash}", limit, "decisions")], caller.quotas, now)


async def count_comment(db: Database, caller: LinkCaller, limits: LinkLimits, now: Instant) -> None:
    """Counts a comment. Raises RateLimited."""
    limit = Limit(limits.comments, limits.write_seconds)
    await count_all(db, [Counter(f"comments by link {caller.token_hash}", limit, "comments")], caller.quotas, now)


async def count_bad_token(db: Database, address: str, limits: LinkLimits, now: Instant) -> None:
    """Counts a token that no link has. Raises RateLimited. The response does not report how many are left."""
    limit = Limit(limits.bad_tokens, limits.bad_token_seconds)
    await count_all(db, [Counter(f"bad links from {address}", limit, "tokens", is_reported=False)], {}, now)
