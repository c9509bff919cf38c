"""Authentication: the caller of a request, by session cookie, API key or the token of a link."""

import hmac
from collections.abc import Hashable
from urllib.parse import urlsplit

from backbench.accounts import api_keys, sessions
from backbench.accounts.sessions import Lookup, csrf_token, digest
from backbench.engine.database import Read, Work, Write
from backbench.http.operations import Access
from backbench.http.requests import Headers, Request, credentials, is_local
from backbench.orders import order_links
from backbench.orders.order_links import OrderLinkCaller
from backbench.sharing import link_access
from backbench.sharing.link_access import LinkReads
from backbench.sharing.links import LinkCaller, is_token
from backbench.values.calls import Caller
from backbench.values.errors import Forbidden, Unauthenticated
from backbench.values.limits import LinkLimits, SessionLife
from backbench.values.times import Instant, later


class Authenticator:
    """Resolves the caller of a request. `deferred_writes` are to be written after the response."""

    def __init__(self, public_url: str, life: SessionLife, link_limits: LinkLimits) -> None:
        parts = urlsplit(public_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._life = life
        self._link_reads = LinkReads(link_limits)
        self._csrf_tokens = CsrfTokens()
        self._accounts = Accounts()
        self.deferred_writes: list[Work[None]] = []

    def owner(self, headers: Headers) -> Hashable:
        """For whom a request is served: the account, if its credentials are known; None without any."""
        return self._accounts.owner(credentials(headers))

    def knows(self, request: Request) -> bool:
        """Whether its credentials were valid lately."""
        return self._accounts.knows(request.headers.get(b"authorization") or request.cookie(b"session"))

    async def caller(self, lookup: Lookup, request: Request, access: Access, now: Instant) -> Caller:
        """Raises Unauthenticated, and Forbidden where the scope or the CSRF token is missing."""
        bearer = request.headers.get(b"authorization")
        if access.takes_link:
            by_link = self._by_order_link if access.of_order else self._by_link
            return await by_link(lookup.db, request, bearer or b"", now)
        if bearer is not None:
            return await self._by_key(lookup, request, bearer, access, now)
        secret = request.cookie(b"session")
        if not secret or not access.takes_session:
            raise Unauthenticated
        secret_hash = digest(secret)
        session = await lookup.active(sessions.ACTIVE, secret_hash, now)
        if session is None:
            self._accounts.forget(secret)
            raise Unauthenticated
        request.uid = session.account_id
        self._accounts.remember(secret, session.account_id)
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            self.require_same_origin(request)
            self._csrf_tokens.require(request, secret, secret_hash)
        if not _same_hour(session.last_seen_at, now):
            self.deferred_writes.append(self._save_seen(session.id, now))
        return Caller(uid=session.account_id, session_id=session.id)

    async def _by_key(self, lookup: Lookup, request: Request, bearer: bytes, access: Access, now: Instant) -> Caller:
        scheme, _, secret = bearer.decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthenticated
        if not api_keys.is_well_formed(secret):
            raise Unauthenticated(has_token=True)
        key = await lookup.active(api_keys.ACTIVE, digest(secret), now)
        if key is None:
            self._accounts.forget(bearer)
            raise Unauthenticated(has_token=True)
        if not access.keys:
            raise Unauthenticated(needs_session=True)
        request.uid = key.account_id
        self._accounts.remember(bearer, key.account_id)
        if not access.allows(key.scopes):
            raise Forbidden(missing_scope=access.scope)
        if key.last_used_at is None or not _same_hour(key.last_used_at, now):
            self.deferred_writes.append(_save_used(key.id, now))
        return Caller(key.account_id, None, key.id, key.scopes, key.workshop_id)

    async def _by_link(self, db: Read, request: Request, bearer: bytes, now: Instant) -> LinkCaller:
        """Raises the same error for an unknown, an ended, a revoked and a malformed token."""
        scheme, _, token = bearer.decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthenticated
        token_hash = digest(token)
        opened = await link_access.lookup(db, token_hash) if is_token(token) else None
        if opened is None:
            raise Unauthenticated(has_token=True)
        write = self._link_reads.count(token_hash, request.quotas, now)
        if write is not None:
            self.deferred_writes.append(write)
        return LinkCaller(
            "",
            link_id=opened.link.id,
            link=opened.link,
            address=opened.address,
            token_hash=token_hash,
        )

    async def _by_order_link(self, db: Read, request: Request, bearer: bytes, now: Instant) -> OrderLinkCaller:
        """The same for the status link of an order."""
        scheme, _, token = bearer.decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthenticated
        order = await order_links.lookup_by_token(db, token)
        if order is None:
            raise Unauthenticated(has_token=True)
        write = self._link_reads.count(order.order_id, request.quotas, now)
        if write is not None:
            self.deferred_writes.append(write)
        return OrderLinkCaller("", link_id=order.order_id, order=order)

    def require_same_origin(self, request: Request) -> None:
        """Raises Forbidden where the browser says that another site sent the request, even with valid tokens."""
        origin = request.header(b"origin")
        host = request.header(b"host")
        is_cross_origin = origin is not None and not self._is_own_origin(origin, host)
        if is_cross_origin or request.headers.get(b"sec-fetch-site") == b"cross-site":
            raise Forbidden

    def _is_own_origin(self, origin: str, host: str | None) -> bool:
        scheme, _, authority = origin.partition("://")
        if origin == self._origin:
            return True
        if authority != host:
            return False
        # Over https the name is proven by a certificate. Over http any site can make its name resolve to this machine,
        # and where the public URL is https, a page loaded over http may have been tampered with.
        return scheme == "https" or (self._origin.startswith("http:") and is_local(authority))

    def _save_seen(self, session_id: str, now: Instant) -> Work[None]:
        async def save(db: Write) -> None:
            await sessions.save_seen(db, session_id, now, idle_until=later(now, self._life.idle))

        return save


def _same_hour(last: Instant, now: Instant) -> bool:
    """The time of last use is saved once an hour, so that a read does not cost a write."""
    return last[:13] == now[:13]


def _save_used(key_id: str, now: Instant) -> Work[None]:
    async def save(db: Write) -> None:
        await api_keys.save_used(db, key_id, now)

    return save


class Accounts:
    """The accounts of credentials that were used lately. They are found by a hash: no secret stays in memory."""

    MOST = 4096

    def __init__(self) -> None:
        self._by_hash: dict[int, str] = {}

    def owner(self, credentials: str | bytes | None) -> Hashable:
        if not credentials:
            return None
        hashed = hash(credentials)
        return self._by_hash.get(hashed, hashed)

    def knows(self, credentials: str | bytes | None) -> bool:
        return credentials is not None and hash(credentials) in self._by_hash

    def forget(self, credentials: str | bytes) -> None:
        self._by_hash.pop(hash(credentials), None)

    def remember(self, credentials: str | bytes, account: str) -> None:
        hashed = hash(credentials)
        if hashed not in self._by_hash:
            if len(self._by_hash) >= self.MOST:
                self._by_hash.clear()
            self._by_hash[hashed] = account


class CsrfTokens:
    """The CSRF tokens of sessions that wrote lately: computing one takes longer than a statement.

    A token follows from the secret alone, so none can be out of date. They are found by the hash of the secret: no
    secret stays in memory.
    """

    MOST = 4096

    def __init__(self) -> None:
        self._by_hash: dict[str, bytes] = {}

    def __len__(self) -> int:
        return len(self._by_hash)

    def require(self, request: Request, secret: str, secret_hash: str) -> None:
        """Raises Forbidden unless the header has the session's own CSRF value; equalling a cookie proves nothing."""
        token = self._by_hash.get(secret_hash)
        if token is None:
            if len(self) >= self.MOST:
                self._by_hash.clear()
            token = self._by_hash[secret_hash] = csrf_token(secret).encode()
        if not hmac.compare_digest(request.headers.get(b"x-csrf-token", b""), token):
            raise Forbidden
