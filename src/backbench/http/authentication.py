"""Who is calling: the session behind the cookie, or the API key behind the bearer."""

import hmac
from urllib.parse import urlsplit

from backbench.domain.accounts import api_keys as keys
from backbench.domain.accounts.sessions import Caller, csrf_token, digest
from backbench.domain.values.errors import Forbidden, Unauthenticated
from backbench.domain.values.limits import SessionLife
from backbench.domain.values.times import Instant, later
from backbench.http.operations import Access
from backbench.http.requests import Request
from backbench.storage.accounts import api_keys, sessions
from backbench.storage.engine.database import Read, Work, Write


class Authenticator:
    """Lets callers in. `notes` collects what is to be written after the answer."""

    def __init__(self, public_url: str, life: SessionLife) -> None:
        parts = urlsplit(public_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._life = life
        self.notes: list[Work[None]] = []

    async def caller(self, db: Read, request: Request, access: Access, now: Instant) -> Caller:
        """Raises NotSignedIn, or NotAllowed where the scope or the CSRF token is missing."""
        bearer = request.headers.get(b"authorization")
        if bearer is not None:
            return await self._by_key(db, request, bearer, access, now)
        secret = request.cookie(b"session")
        if not secret:
            raise Unauthenticated
        session = await sessions.lookup_active(db, digest(secret), now)
        if session is None:
            raise Unauthenticated
        request.uid = session.account_id
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            self.require_same_origin(request)
            _must_have_token(request, secret)
        if not _same_hour(session.last_seen_at, now):
            self.notes.append(self._seen(session.id, now))
        return Caller(uid=session.account_id, session_id=session.id, quotas=request.quotas)

    async def _by_key(self, db: Read, request: Request, bearer: bytes, access: Access, now: Instant) -> Caller:
        scheme, _, secret = bearer.decode("latin-1").partition(" ")
        if access.scope is None or scheme.lower() != "bearer" or not keys.is_well_formed(secret):
            raise Unauthenticated
        key = await api_keys.lookup_active(db, digest(secret), now)
        if key is None:
            raise Unauthenticated
        request.uid = key.account_id
        if access.scope not in key.scopes:
            raise Forbidden
        if key.last_used_at is None or not _same_hour(key.last_used_at, now):
            self.notes.append(_used(key.id, now))
        return Caller(key.account_id, None, key.id, key.scopes, key.workshop_id, quotas=request.quotas)

    def require_same_origin(self, request: Request) -> None:
        """Refuses what a browser says comes from another site, whatever tokens it brings."""
        origin = request.header(b"origin")
        host = request.header(b"host")
        is_foreign = origin is not None and not self._is_our_page(origin, host)
        if is_foreign or request.headers.get(b"sec-fetch-site") == b"cross-site":
            raise Forbidden

    def _is_our_page(self, origin: str, host: str | None) -> bool:
        scheme, _, place = origin.partition("://")
        # Where the public address is https, a page of this host that came over http may be anybody's.
        return origin == self._origin or (place == host and (scheme == "https" or self._origin.startswith("http:")))

    def _seen(self, session_id: str, now: Instant) -> Work[None]:
        async def note(db: Write) -> None:
            await sessions.save_seen(db, session_id, now, idle_until=later(now, self._life.idle))

        return note


def _same_hour(noted: Instant, now: Instant) -> bool:
    """Last uses are noted once an hour, so that reading does not cost a write."""
    return noted[:13] == now[:13]


def _used(key_id: str, now: Instant) -> Work[None]:
    async def note(db: Write) -> None:
        await api_keys.save_used(db, key_id, now)

    return note


def _must_have_token(request: Request, secret: str) -> None:
    """The header must carry the value that belongs to this session; equalling a cookie proves nothing."""
    sent = request.headers.get(b"x-csrf-token", b"")
    if not hmac.compare_digest(sent, csrf_token(secret).encode()):
        raise Forbidden
