"""Access by a link: addresses with their tokens, limits of their use, and openings of the page.

Only the SHA-256 of a token is stored.
"""

from backbench.accounts import rate_limits, sessions
from backbench.accounts.rate_limits import Counter, count_all
from backbench.accounts.sessions import SeparateLookup, digest
from backbench.engine.database import Database, Read, Work, Write
from backbench.engine.rows import JoinedRow
from backbench.services import Services
from backbench.sharing import links
from backbench.sharing.links import COLUMNS, JOINED, LinkAddress, LinkCall, StoredLink
from backbench.values.calls import NOBODY, Call
from backbench.values.errors import RateLimited
from backbench.values.limits import Limit, LinkLimits, Quota, Quotas
from backbench.values.times import Instant, later, seconds_between
from backbench.workshops import members
from backbench.workshops.audit import Audited, Unchanged

# Of `t`, an address, and `l`, its link. Addresses made before the maker was stored are those of the link's maker.
_WORKS = """t.ended_at IS NULL
    AND (t.key_id IS NULL OR EXISTS (SELECT 1 FROM api_keys k WHERE k.id = t.key_id AND k.revoked_at IS NULL))
    AND (coalesce(t.kind, '') <> 'shown' OR EXISTS (
        SELECT 1 FROM members m JOIN accounts a ON a.id = m.account_id
        WHERE m.workshop_id = l.workshop_id AND m.account_id = t.made_by_uid AND a.status = 'active'
    ))"""
_COLUMNS = """coalesce(t.kind, 'unknown') AS kind, t.created_at, coalesce(t.made_by_uid, l.created_by_uid) AS by_uid,
    t.key_id, t.mailed_to AS email"""
# A list shows the newest of the addresses of all links of an estimate.
_MOST_LISTED = 500


class OpenedLink(JoinedRow, frozen=True):
    """The link of a token, and the address that the token belongs to."""

    link: StoredLink
    address: LinkAddress


class _ListedAddress(JoinedRow, frozen=True):
    link_id: str
    address: LinkAddress


async def lookup(db: Read, token_hash: str) -> OpenedLink | None:
    """None for an unknown token, one that has ended, and once the link is revoked."""
    return await db.one(
        OpenedLink,
        f"""
        SELECT {COLUMNS}, {_COLUMNS}, 0 AS ended
        FROM link_tokens t JOIN links l ON l.id = t.link_id {JOINED}
        WHERE t.token_hash = :token_hash AND l.revoked_at IS NULL AND {_WORKS}
        """,
        token_hash=token_hash,
    )


async def of_estimate(db: Read, estimate_id: str) -> dict[str, list[LinkAddress]]:
    """The addresses of the estimate's links by link, oldest first, those that have ended included."""
    rows = await db.all(
        _ListedAddress,
        f"""
        SELECT l.id AS link_id, {_COLUMNS}, CASE WHEN {_WORKS} THEN 0 ELSE 1 END AS ended
        FROM links l JOIN link_tokens t ON t.link_id = l.id
        WHERE l.estimate_id = :estimate_id ORDER BY t.created_at DESC, t.token_hash LIMIT :most
        """,
        estimate_id=estimate_id,
        most=_MOST_LISTED,
    )
    by_link: dict[str, list[LinkAddress]] = {}
    for row in reversed(rows):
        by_link.setdefault(row.link_id, []).append(row.address)
    return by_link


async def count_shown(db: Read, link_id: str) -> int:
    """The addresses that were shown to members, those that have ended included."""
    sql = "SELECT count(*) FROM link_tokens WHERE link_id = :id AND kind = 'shown'"
    return int(await db.value(sql, id=link_id))


async def add(db: Write, link_id: str, token_hash: str, address: LinkAddress) -> None:
    await db.add(
        "link_tokens",
        token_hash=token_hash,
        link_id=link_id,
        created_at=address.created_at,
        kind=address.kind,
        made_by_uid=address.by_uid,
        key_id=address.key_id,
        mailed_to=address.email,
    )


async def save_ended(db: Write, uid: str, at: Instant) -> None:
    """Ends every address that the account made, in all of its workshops."""
    await db.run("UPDATE link_tokens SET ended_at = :at WHERE made_by_uid = :uid AND ended_at IS NULL", uid=uid, at=at)


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


# A page that is loaded again and again fills neither the log of changes nor the screens of members.
_EVENT_SECONDS = 600


async def count_opening(db: Write, call: LinkCall, session: str | None) -> Audited[None] | Unchanged[None]:
    """Count an opening, unless it is that of a member of the workshop. `session`: the secret of its cookie."""
    link = call.caller.link
    if await lookup_member(db, link.workshop_id, session, call.now) is not None:
        return Unchanged(None)
    last = await links.lock_last_opening(db, link.id)
    await links.save_opening(db, link.id, call.now)
    if last is not None and later(last, _EVENT_SECONDS) > call.now:
        return Unchanged(None)
    return Audited(None, link.workshop_id, link.estimate_id)


async def lookup_member(db: Read, workshop_id: str, session: str | None, now: Instant) -> str | None:
    """The member of the workshop who is signed in with the session, by uid; None for anybody else."""
    if not session:
        return None
    found = await SeparateLookup(db).active(sessions.ACTIVE, digest(session), now)
    if found is None or await members.lookup_role(db, workshop_id, found.account_id) is None:
        return None
    return found.account_id
