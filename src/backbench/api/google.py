"""Sign-in with Google over HTTP: the redirect to Google and the callback."""

from typing import Annotated

from msgspec import Meta, Struct

from backbench.actions.accounts import google as actions
from backbench.actions.services import Services
from backbench.api.sign_in import session_cookies
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.google import FLOW_SECONDS, GoogleFlow
from backbench.domain.accounts.sessions import digest, new_secret
from backbench.domain.values.errors import FieldError, Forbidden, NotFound, ValidationError
from backbench.http.requests import Request
from backbench.http.responses import Header, Response, empty, set_cookie
from backbench.integrations.google import Google
from backbench.storage.engine.database import Database

_Parameter = Annotated[str, Meta(max_length=4096)]


class GoogleCallback(Struct, frozen=True):
    """The query of the redirect back from Google, which may add parameters."""

    ignores_unknown = True

    code: _Parameter | None = None
    state: _Parameter | None = None
    error: _Parameter | None = None
    iss: _Parameter | None = None


async def begin(db: Database, call: Call, request: Request, services: Services) -> Response:
    """Start signing in with Google: redirects the browser there."""
    google = _configured(services)
    if request.headers.get(b"sec-fetch-site") == b"cross-site":
        # No other site may sign somebody in who did not ask for it.
        raise Forbidden
    # Before the provider is asked: a request that waits for it counts as well.
    await actions.count(db, call, services.sign_in_limits)
    state, nonce, verifier, browser = (new_secret() for _ in range(4))
    flow = GoogleFlow(nonce=nonce, verifier=verifier, browser=digest(browser))
    location = await google.authorization_url(state, nonce, verifier)
    await actions.begin(db, state, flow, call.now)
    return _redirect(location, _flow_cookie(browser, FLOW_SECONDS, services.is_secure))


async def callback(db: Database, call: Call, request: Request, query: GoogleCallback, services: Services) -> Response:
    """Finish signing in with Google, and redirect to `/`.

    Without a session the redirect has `?sign-in=cancelled` where the user cancelled, `?sign-in=refused` where the
    account may not sign in.
    """
    google = _configured(services)
    expired = _flow_cookie("", 0, services.is_secure)
    browser = request.cookie(_cookie_name(services.is_secure).encode()) or ""
    flow = await actions.resume(db, _state_of(query, google), browser, call.now)
    if query.code is None:
        return _redirect("/?sign-in=cancelled", expired)
    profile = await google.profile(query.code, flow.nonce, flow.verifier)
    session = await db.write(lambda write: actions.sign_in(write, call, profile, services))
    if session is None:
        return _redirect("/?sign-in=refused", expired)
    request.uid = session.response.user.uid
    return _redirect("/", expired, *session_cookies(session, services))


def _configured(services: Services) -> Google:
    if services.google is None:
        raise NotFound
    return services.google


def _state_of(query: GoogleCallback, google: Google) -> str:
    """Raises ValidationError for a response of another provider, or one that says nothing."""
    if query.iss is not None and query.iss.rstrip("/") != google.issuer:
        raise ValidationError(FieldError("/iss", "not_valid", "The response is another provider's"))
    if query.code is None and query.error is None:
        raise ValidationError(FieldError("/code", "missing", "Required"))
    return query.state or ""


def _redirect(to: str, *cookies: Header) -> Response:
    return empty(302, (b"location", to.encode()), *cookies)


def _flow_cookie(value: str, max_age: int, is_secure: bool) -> Header:
    return set_cookie(_cookie_name(is_secure), value, max_age, http_only=True, is_secure=is_secure)


def _cookie_name(is_secure: bool) -> str:
    """With the prefix __Host- browsers accept the cookie only from this host over https."""
    return "__Host-google-flow" if is_secure else "google-flow"
