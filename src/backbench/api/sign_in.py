"""Signing in and out over HTTP: the two cookies."""

from msgspec import structs

from backbench.actions.accounts import sign_in
from backbench.actions.accounts.sign_in import NewSession
from backbench.actions.services import Services
from backbench.domain.accounts.accounts import Credentials
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import DEVICE_SECONDS
from backbench.domain.values.errors import BodyTooSlow, TooLarge, UnsupportedMedia, ValidationError
from backbench.domain.values.numbers import to_json
from backbench.http.requests import ClientDisconnected, Request
from backbench.http.responses import Header, Response, empty, json_response, set_cookie
from backbench.http.validation.bodies import Body
from backbench.storage.engine.database import Database, Write

_credentials = Body(Credentials)
# Responses cached by the browser must not be readable by its next user.
CLEAR_CACHE: Header = (b"clear-site-data", b'"cache"')


async def authenticate(db: Database, call: Call, request: Request, services: Services) -> Response:
    """Sign in with email and password: sets the `session` and `csrf-token` cookies."""
    try:
        body = _credentials.read(await request.json_body())
    except (ValidationError, TooLarge, BodyTooSlow, UnsupportedMedia, ClientDisconnected) as error:
        # Every request counts: a malformed body is an attempt of its address as well.
        await sign_in.count_malformed(db, structs.replace(call, now=services.clock()), services.sign_in_limits)
        if isinstance(error, ValidationError):
            return empty(400)
        raise
    # The clock is read again: the body may have taken long to arrive.
    session = await sign_in.sign_in(db, structs.replace(call, now=services.clock()), body, services)
    request.uid = session.response.user.uid
    response = signed_in(session, services)
    if session.device is not None:
        response.headers.append(_device_cookie(session.device, is_secure=services.is_secure))
    return response


async def logout(db: Write, call: Call, services: Services) -> Response:
    """Sign out: ends the session, clears both cookies and the browser's cache."""
    await sign_in.sign_out(db, call)
    return empty(200, *cleared_cookies(is_secure=services.is_secure), CLEAR_CACHE)


def signed_in(session: NewSession, services: Services) -> Response:
    response = json_response(200, to_json(session.response))
    response.headers += session_cookies(session, services)
    return response


def session_cookies(session: NewSession, services: Services) -> list[Header]:
    return _cookies(session.secret, session.csrf, services.session_life.absolute, services.is_secure)


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
