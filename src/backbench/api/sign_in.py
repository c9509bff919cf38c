"""Signing in and out over HTTP: the two cookies."""

from collections.abc import Callable

from backbench.actions.accounts import sign_in
from backbench.actions.accounts.sign_in import NewSession
from backbench.domain.accounts.accounts import Credentials
from backbench.domain.accounts.sessions import DEVICE_SECONDS, Caller
from backbench.domain.values.errors import BodyTooSlow, TooLarge, UnsupportedMedia, ValidationError
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import SessionLife, SignInLimits
from backbench.domain.values.numbers import to_json
from backbench.domain.values.times import Instant
from backbench.http.bodies import Body
from backbench.http.requests import ClientDisconnected, Network, Request
from backbench.http.responses import Header, Response, empty, json_response, set_cookie
from backbench.integrations.passwords import Passwords
from backbench.storage.engine.database import Database

_credentials = Body(Credentials)
# Responses cached by the browser must not be readable by its next user.
CLEAR_CACHE: Header = (b"clear-site-data", b'"cache"')


async def authenticate(
    db: Database,
    request: Request,
    passwords: Passwords,
    sign_in_limits: SignInLimits,
    session_life: SessionLife,
    trusted_proxies: tuple[Network, ...],
    is_secure: bool,
    clock: Callable[[], Instant],
    new_id: NewId,
) -> Response:
    """Sign in with email and password: sets the `session` and `csrf-token` cookies."""
    client = request.client(trusted_proxies)
    try:
        body = _credentials.read(await request.json_body())
    except (ValidationError, TooLarge, BodyTooSlow, UnsupportedMedia, ClientDisconnected) as error:
        # Every request counts: a malformed body is an attempt of its address as well.
        await sign_in.count_malformed(db, client, sign_in_limits, clock())
        if isinstance(error, ValidationError):
            return empty(400)
        raise
    # Read after the body, which may have taken long to arrive.
    session = await sign_in.sign_in(db, passwords, client, body, sign_in_limits, session_life, clock(), new_id)
    request.uid = session.response.user.uid
    response = signed_in(session, session_life, is_secure=is_secure)
    if session.device is not None:
        response.headers.append(_device_cookie(session.device, is_secure=is_secure))
    return response


async def logout(db: Database, request: Request, caller: Caller, is_secure: bool) -> Response:
    """Sign out: ends the session, clears both cookies and the browser's cache."""
    await db.write(lambda write: sign_in.sign_out(write, caller))
    return empty(200, *cleared_cookies(is_secure=is_secure), CLEAR_CACHE)


def signed_in(session: NewSession, life: SessionLife, *, is_secure: bool) -> Response:
    response = json_response(200, to_json(session.response))
    response.headers += session_cookies(session, life, is_secure=is_secure)
    return response


def session_cookies(session: NewSession, life: SessionLife, *, is_secure: bool) -> list[Header]:
    return _cookies(session.secret, session.csrf, life.absolute, is_secure)


def _device_cookie(secret: str, *, is_secure: bool) -> Header:
    """Sent to this operation only, and kept when signing out: it signs nobody in."""
    path = "/api/authenticate"
    return set_cookie("device", secret, DEVICE_SECONDS, http_only=True, is_secure=is_secure, path=path)


def cleared_cookies(*, is_secure: bool) -> list[Header]:
    return _cookies("", "", 0, is_secure)


def _cookies(secret: str, csrf: str, max_age: int, is_secure: bool) -> list[Header]:
    return [
        set_cookie("session", secret, max_age, http_only=True, is_secure=is_secure),
        # Scripts of the page read it, to send it as X-CSRF-Token.
        set_cookie("csrf-token", csrf, max_age, http_only=False, is_secure=is_secure),
    ]
