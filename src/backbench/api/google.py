"""Signing in with Google over HTTP: out through one redirect, back in through another."""

from typing import Annotated

from msgspec import Meta, Struct

from backbench.actions.accounts import google as actions
from backbench.api.sign_in import session_cookies
from backbench.domain.accounts.google import SECONDS, GoogleFlow
from backbench.domain.accounts.sessions import digest, new_secret
from backbench.domain.values.errors import FieldError, Forbidden, NotFound, ValidationError
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import SessionLife, SignInLimits, SignUpRules
from backbench.domain.values.times import Instant
from backbench.http.requests import Network, Request
from backbench.http.responses import Header, Response, empty
from backbench.integrations.google import Google
from backbench.storage.engine.database import Database

_Parameter = Annotated[str, Meta(max_length=4096)]


class Return(Struct, frozen=True):
    """What the browser brings back."""

    code: _Parameter | None = None
    state: _Parameter | None = None
    error: _Parameter | None = None
    iss: _Parameter | None = None


async def begin(
    db: Database,
    request: Request,
    google: Google | None,
    trusted_proxies: tuple[Network, ...],
    sign_in_limits: SignInLimits,
    is_secure: bool,
    now: Instant,
) -> Response:
    """Sends the browser to Google."""
    if google is None:
        raise NotFound
    if request.headers.get(b"sec-fetch-site") == b"cross-site":
        # Another site may not have somebody signed in who has not asked for it.
        raise Forbidden
    state, nonce, verifier, browser = (new_secret() for _ in range(4))
    flow = GoogleFlow(nonce=nonce, verifier=verifier, browser=digest(browser))
    away = await google.authorization_url(state, nonce, verifier)
    await actions.begin(db, request.visitor(trusted_proxies), state, flow, sign_in_limits, now)
    return _redirect(away, _flow_cookie(browser, SECONDS, is_secure))


async def callback(
    db: Database,
    request: Request,
    query: Return,
    google: Google | None,
    sign_up_rules: SignUpRules,
    session_life: SessionLife,
    trusted_proxies: tuple[Network, ...],
    is_secure: bool,
    now: Instant,
    new_id: NewId,
) -> Response:
    """Takes the browser back from Google, signs in, and leads to the web app.

    Where somebody changed their mind, or may not sign in, it leads there signed out, with `?sign-in=cancelled` or
    `?sign-in=refused`.
    """
    if google is None:
        raise NotFound
    ended = _flow_cookie("", 0, is_secure)
    flow = await _resumed(db, request, query, google, now, is_secure=is_secure)
    if query.code is None:
        return _redirect("/?sign-in=cancelled", ended)
    profile = await google.profile(query.code, flow.nonce, flow.verifier)
    visitor = request.visitor(trusted_proxies)
    session = await db.write(
        lambda write: actions.sign_in(write, visitor, profile, sign_up_rules, session_life, now, new_id)
    )
    if session is None:
        return _redirect("/?sign-in=refused", ended)
    request.uid = session.answer.user.uid
    return _redirect("/", ended, *session_cookies(session, session_life, is_secure=is_secure))


async def _resumed(
    db: Database, request: Request, query: Return, google: Google, now: Instant, *, is_secure: bool
) -> GoogleFlow:
    if query.iss is not None and query.iss.rstrip("/") != google.issuer:
        raise ValidationError(FieldError("/iss", "not_valid", "Another provider's answer"))
    if query.code is None and query.error is None:
        raise ValidationError(FieldError("/code", "missing", "Required"))
    browser = request.cookie(_cookie_name(is_secure).encode()) or ""
    return await actions.resume(db, query.state or "", browser, now)


def _redirect(to: str, *cookies: Header) -> Response:
    return empty(302, (b"location", to.encode()), *cookies)


def _flow_cookie(value: str, age: int, is_secure: bool) -> Header:
    flags = "; Secure" if is_secure else ""
    line = f"{_cookie_name(is_secure)}={value}; Max-Age={age}; Path=/; SameSite=Lax; HttpOnly{flags}"
    return (b"set-cookie", line.encode())


def _cookie_name(is_secure: bool) -> str:
    """Over https browsers take this one from no other host and from no page that came over http."""
    return "__Host-google-flow" if is_secure else "google-flow"
