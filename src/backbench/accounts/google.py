"""Google sign-in: the flow of OpenID Connect, and the account that a profile belongs to."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from backbench.accounts import accounts, tokens
from backbench.accounts.accounts import Account, SignUp, is_same_mailbox
from backbench.accounts.rate_limits import Counter, count_all
from backbench.accounts.sessions import digest, new_secret
from backbench.accounts.sign_in import NewSession, session_cookies, start_session
from backbench.accounts.sign_up import activate, lock_address, may_sign_up
from backbench.accounts.tokens import StoredToken
from backbench.engine.database import Database, Write
from backbench.http.requests import Request
from backbench.http.responses import Header, Response, empty, set_cookie
from backbench.integrations.google import Google, GoogleProfile
from backbench.mail import outbox
from backbench.mail.outbox import NewEmail
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import Conflict, FieldError, Forbidden, NotFound, ValidationError
from backbench.values.limits import SignInLimits, SignUpRules
from backbench.values.numbers import to_json_text
from backbench.values.times import Instant, later

# How long a flow may take, from the redirect to Google to the callback.
FLOW_SECONDS = 600


class GoogleFlow(Struct, frozen=True):
    """A sign-in in progress. `browser` is the digest of the cookie of the browser that started it."""

    nonce: str
    verifier: str
    browser: str


# Verbs


async def count(db: Database, call: Call, limits: SignInLimits) -> None:
    """Counts a sign-in with Google by the client's address. Raises RateLimited."""
    await count_all(db, call, [Counter(f"google from {call.client.address}", limits.ceiling, "address")])


async def begin_flow(db: Database, state: str, flow: GoogleFlow, now: Instant) -> None:
    """Saves a sign-in in progress, by the digest of its state."""
    details, expires_at = to_json_text(flow), later(now, FLOW_SECONDS)
    await db.write(lambda write: tokens.add(write, state, "google", expires_at, StoredToken(details=details)))


async def resume(db: Database, state: str, browser: str, now: Instant) -> GoogleFlow:
    """The sign-in that started with this state in this browser. Raises ValidationError; each state is used once."""
    token = await db.write(lambda write: tokens.consume(write, state, "google", now))
    flow = None if token is None else msgspec.json.decode(token.details, type=GoogleFlow)
    if flow is None or flow.browser != digest(browser):
        raise ValidationError(
            FieldError("/state", "not_valid", "This sign-in was not started in this browser, or it has expired")
        )
    return flow


async def sign_in(db: Write, call: Call, profile: GoogleProfile, services: Services) -> NewSession | None:
    """Starts a session. None where the account is suspended, the address unverified, or sign-up closed."""
    await db.lock(f"identity {profile.issuer} {profile.subject}")
    uid = await accounts.lookup_account_id(db, profile.issuer, profile.subject)
    account = (
        await _link_account(db, call, profile, services.sign_up_rules) if uid is None else await accounts.find(db, uid)
    )
    if account is None or not await accounts.save_sign_in(db, account.id, None, call.now):
        return None
    return await start_session(db, call, account, services.session_life)


async def _link_account(db: Write, call: Call, profile: GoogleProfile, rules: SignUpRules) -> Account | None:
    """The account for an unknown identity, found by its address or added, and linked; None where neither is allowed."""
    if profile.email is None or not profile.is_email_verified:
        return None
    await lock_address(db, profile.email)
    account = await accounts.lookup_by_email(db, profile.email)
    if account is None or account.status == "pending":
        allowed = await may_sign_up(db, rules, profile.email, call.now)
        account = await _add_account(db, call, profile, profile.email, account) if allowed else None
    elif not await _may_link(db, account, profile.email):
        return None
    else:
        await outbox.add(db, call.new_id(), NewEmail.to_account("google_linked", account), call.now)
    if account is not None:
        await accounts.add_identity(db, account.id, profile.issuer, profile.subject, call.now)
    return account


async def _may_link(db: Write, account: Account, email: str) -> bool:
    """Whether both sides have verified the address and no other identity is linked: an address can change hands, a
    subject cannot."""
    return (
        account.status == "active"
        and account.email_verified_at is not None
        and is_same_mailbox(account.email, email)
        and not await accounts.has_identity(db, account.id)
    )


async def _add_account(db: Write, call: Call, profile: GoogleProfile, email: str, pending: Account | None) -> Account:
    """Adds an active account. An unverified sign-up with the address is overwritten."""
    sign_up = SignUp(
        email=email,
        name=profile.account_name(),
        locale=profile.account_locale(),
        terms_version=None,
        terms_accepted_at=None,
    )
    if pending is None:
        uid = call.new_id()
        await accounts.add(db, sign_up.to_account(uid, call.now))
    else:
        uid = pending.id
        await accounts.save_sign_up(db, uid, sign_up)
    return await activate(db, uid, None, call.now, call.new_id)


async def unlink(db: Write, call: Call) -> None:
    """Unlink Google from the account, which is notified by email.

    Raises NotFound where it is not linked, Conflict where it is the only sign-in method.
    """
    account = await accounts.find(db, call.uid)
    if not await accounts.has_identity(db, call.uid):
        raise NotFound
    if account.password_hash is None:
        raise Conflict("last_sign_in_method", "Set a password first: Google is the only way to sign in to this account")
    await accounts.delete_identities(db, call.uid)
    await outbox.add(db, call.new_id(), NewEmail.to_account("google_unlinked", account), call.now)


# Over HTTP


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
    await count(db, call, services.sign_in_limits)
    state, nonce, verifier, browser = (new_secret() for _ in range(4))
    flow = GoogleFlow(nonce=nonce, verifier=verifier, browser=digest(browser))
    location = await google.authorization_url(state, nonce, verifier)
    await begin_flow(db, state, flow, call.now)
    return _redirect(location, _flow_cookie(browser, FLOW_SECONDS, services.is_secure))


async def callback(db: Database, call: Call, request: Request, query: GoogleCallback, services: Services) -> Response:
    """Finish signing in with Google, and redirect to `/`.

    Without a session the redirect has `?sign-in=cancelled` where the user cancelled, `?sign-in=refused` where the
    account may not sign in.
    """
    google = _configured(services)
    expired = _flow_cookie("", 0, services.is_secure)
    browser = request.cookie(_cookie_name(services.is_secure).encode()) or ""
    flow = await resume(db, _state_of(query, google), browser, call.now)
    if query.code is None:
        return _redirect("/?sign-in=cancelled", expired)
    profile = await google.profile(query.code, flow.nonce, flow.verifier)
    session = await db.write(lambda write: sign_in(write, call, profile, services))
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
