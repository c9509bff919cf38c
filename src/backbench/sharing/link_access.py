"""Reads with links: counted for each address of a link, with one write to the database for ten reads.

A write for each would cost more than the read itself. A worker counts the reads that it has not added yet, so on one
worker the limit is exact, and each further worker may allow up to ten reads more.
"""

from backbench.accounts import rate_limits
from backbench.accounts.rate_limits import Counter, count_all
from backbench.engine.database import Database, Work, Write
from backbench.services import Services
from backbench.sharing.decisions import NewAcceptance
from backbench.sharing.links import LinkCall
from backbench.values.calls import NOBODY, Call
from backbench.values.errors import RateLimited
from backbench.values.limits import Limit, LinkLimits, Quota, Quotas
from backbench.values.times import Instant, later, seconds_between

# Statements


_AT_ONCE = 10
_MAX_WINDOWS = 10_000


class _Window:
    """The reads of a link in the present window: those in the database, and those of this worker that are not."""

    __slots__ = ("added", "ends_at", "waiting")

    def __init__(self, ends_at: Instant) -> None:
        self.ends_at = ends_at
        self.added = 0
        self.waiting = 0


class LinkReads:
    """By the hash of the token: the holder of one address of a link keeps nobody else from reading."""

    def __init__(self, limits: LinkLimits) -> None:
        self._limit = Limit(limits.reads, limits.read_seconds)
        self._windows: dict[str, _Window] = {}

    def count(self, token_hash: str, quotas: Quotas, now: Instant) -> Work[None] | None:
        """Counts a read. Returns a write that is due after the response. Raises RateLimited."""
        window = self._windows.get(token_hash)
        is_new = window is None or window.ends_at <= now
        if window is None or is_new:
            self._forget(now)
            window = self._windows[token_hash] = _Window(later(now, self._limit.window))
        window.waiting += 1
        number = window.added + window.waiting
        wait = max(1, -int(-seconds_between(now, window.ends_at) // 1))
        if number > self._limit.count:
            raise RateLimited("reads", self._limit.count, self._limit.window, wait)
        quotas["reads"] = Quota(self._limit, self._limit.count - number, wait)
        # The first read learns of the reads of other workers.
        return self._adding(token_hash, window, now) if is_new or window.waiting >= _AT_ONCE else None

    def _adding(self, token_hash: str, window: _Window, now: Instant) -> Work[None]:
        number, window.waiting = window.waiting, 0
        window.added += number

        async def add(db: Write) -> None:
            attempts = await rate_limits.add_attempt(db, f"reads by link {token_hash}", self._limit.window, now, number)
            window.added, window.ends_at = attempts.number, attempts.ends_at

        return add

    def _forget(self, now: Instant) -> None:
        """Forgets windows that have ended, once there are many."""
        if len(self._windows) >= _MAX_WINDOWS:
            self._windows = {id_: window for id_, window in self._windows.items() if window.ends_at > now}
        if len(self._windows) >= _MAX_WINDOWS:
            self._windows.clear()


# Verbs


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
