"""Limits of links: what the holder of an address may do in a time, and how many wrong tokens a client may send.

By the token: a person with the PDF must not keep the client out who has the link from an email.
"""

from backbench.actions.rate_limits import Counter, count_all
from backbench.actions.services import Services
from backbench.domain.accounts.calls import NOBODY, Call
from backbench.domain.sharing.decisions import NewAcceptance
from backbench.domain.sharing.links import LinkCall, LinkLimits
from backbench.domain.values.limits import Limit
from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Database


async def count_acceptance(db: Database, call: LinkCall, body: NewAcceptance, services: Services) -> None:
    """Counts an attempt to accept. Raises RateLimited, and Conflict `changed`, which is not counted: it cannot succeed,
    and an old page must not use up the attempts of the client."""
    body.consent_to(call.caller.link)
    await count_decision(db, call, services)


async def count_decision(db: Database, call: LinkCall, services: Services) -> None:
    """Counts an attempt to decide, whether or not it succeeds. Raises RateLimited."""
    limits = services.link_limits
    limit = Limit(limits.decisions, limits.write_seconds)
    await count_all(db, call, [Counter(f"decisions by link {call.caller.token_hash}", limit, "decisions")])


async def count_comment(db: Database, call: LinkCall, services: Services) -> None:
    """Counts a comment. Raises RateLimited."""
    limits = services.link_limits
    limit = Limit(limits.comments, limits.write_seconds)
    await count_all(db, call, [Counter(f"comments by link {call.caller.token_hash}", limit, "comments")])


async def count_bad_token(db: Database, address: str, limits: LinkLimits, now: Instant) -> None:
    """Counts a token that no link has. Raises RateLimited. The response does not report how many are left."""
    limit = Limit(limits.bad_tokens, limits.bad_token_seconds)
    await count_all(db, Call(NOBODY, now), [Counter(f"bad links from {address}", limit, "tokens", is_reported=False)])
