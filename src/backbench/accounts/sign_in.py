"""Devices in the database: browsers that have signed in to an account. Only the SHA-256 of their cookie is stored."""

from msgspec import Struct, structs

from backbench.accounts import accounts, sessions
from backbench.accounts.accounts import Account, Credentials, SignedIn
from backbench.accounts.rate_limits import Counter, count_all
from backbench.accounts.sessions import DEVICE_SECONDS, Session, csrf_token, digest, new_secret
from backbench.engine.database import Database, Read, Write
from backbench.http.bodies import Body
from backbench.http.requests import ClientDisconnected, Request
from backbench.http.responses import Header, Response, empty, json_response, set_cookie
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import BodyTooSlow, TooLarge, Unauthenticated, UnsupportedMedia, ValidationError
from backbench.values.limits import SessionLife, SignInLimits
from backbench.values.numbers import to_json
from backbench.values.scalars import email_key
from backbench.values.times import Instant, later

# Statements


_MAX_DEVICES = 20


async def exists(db: Read, email: str, secret_hash: str, now: Instant) -> bool:
    """Whether the browser has signed in to the account with this address, and its cookie has not expired."""
    sql = """
        SELECT 1 FROM devices JOIN accounts ON accounts.id = devices.account_id
        WHERE devices.secret_hash = :secret_hash AND devices.expires_at > :now AND accounts.email_key = :key
    """
    return await db.value(sql, secret_hash=secret_hash, now=now, key=email_key(email)) is not None


async def add(db: Write, uid: str, secret_hash: str, now: Instant) -> None:
    """Adds a device, and deletes all but the newest 20 of the account."""
    await db.add("devices", secret_hash=secret_hash, account_id=uid, expires_at=later(now, DEVICE_SECONDS))
    await db.run(
        f"""
        DELETE FROM devices WHERE account_id = :uid AND secret_hash NOT IN (
            SELECT secret_hash FROM devices WHERE account_id = :uid
            ORDER BY expires_at DESC, secret_hash LIMIT {_MAX_DEVICES}
        )
        """,
        uid=uid,
    )


async def delete_expired(db: Write, now: Instant) -> int:
    """The number of devices deleted."""
    return await db.run("DELETE FROM devices WHERE expires_at <= :now", now=now)


# Verbs


class NewSession(Struct, frozen=True):
    """A new session: the values of its two cookies, and the response."""

    secret: str
    csrf: str
    response: SignedIn
    # The value of a new device cookie; None where the browser has one that is valid.
    device: str | None = None


async def sign_in(db: Database, call: Call, body: Credentials, services: Services) -> NewSession:
    """Starts a session in place of the one that the client sent. Raises Unauthenticated without saying why."""
    device = await _known_device(db, call, body.email)
    await _count(db, call, body, device, services.sign_in_limits)
    async with db.read() as read:
        account = await accounts.lookup_by_email(read, body.email)
    known = account.password_hash if account is not None and account.status == "active" else None
    # Checked without a known hash too, so that the answer takes the same time.
    is_right = await services.passwords.verify(known, body.password, call.client.widest_network)
    if not is_right or account is None or known is None:
        raise Unauthenticated
    is_outdated = services.passwords.is_outdated(known)
    upgraded = await services.passwords.hash(body.password, call.client.widest_network) if is_outdated else None

    async def open_session(write: Write) -> NewSession | None:
        # Checked again inside the transaction: the account may have been suspended while the hash was computed.
        if not await accounts.save_sign_in(write, account.id, upgraded, call.now):
            return None
        session = await start_session(write, call, account, services.session_life)
        if device is not None:
            return session
        secret = new_secret()
        await add(write, account.id, digest(secret), call.now)
        return structs.replace(session, device=secret)

    session = await db.write(open_session)
    if session is None:
        raise Unauthenticated
    return session


async def _known_device(db: Database, call: Call, email: str) -> str | None:
    """The digest of the client's device cookie, if that browser has signed in to the account before."""
    if call.client.device is None:
        return None
    device = digest(call.client.device)
    async with db.read() as read:
        return device if await exists(read, email, device, call.now) else None


# The oldest ends when another begins: a program that signs in for every request must not fill the table.
MAX_SESSIONS = 100


async def start_session(db: Write, call: Call, account: Account, life: SessionLife) -> NewSession:
    """Ends the session that the client sent and starts another, against session fixation."""
    if call.client.session is not None:
        await sessions.delete_by_secret(db, digest(call.client.session))
    secret = new_secret()
    await sessions.add(
        db,
        Session(id=call.new_id(), account_id=account.id, last_seen_at=call.now),
        secret_hash=digest(secret),
        user_agent=call.client.user_agent,
        idle_until=later(call.now, life.idle),
        ends_at=later(call.now, life.absolute),
    )
    await sessions.delete_beyond(db, account.id, MAX_SESSIONS)
    return NewSession(secret, csrf_token(secret), SignedIn(account.to_response()))


async def count_malformed(db: Database, call: Call, limits: SignInLimits) -> None:
    """Counts a sign-in with a malformed body, by its address alone."""
    await count_all(
        db,
        call,
        [
            Counter(f"sign-in ceiling {call.client.address}", limits.ceiling, "address"),
            *_network_counters(call, limits),
            Counter(f"sign-in address {call.client.address}", limits.pair, "malformed"),
        ],
    )


async def sign_out(db: Write, call: Call) -> None:
    assert call.caller.session_id is not None
    await sessions.delete_row(db, call.caller.session_id, call.uid)


async def _count(db: Database, call: Call, body: Credentials, device: str | None, limits: SignInLimits) -> None:
    """A browser that has signed in to the account before has a ceiling of its own in place of the shared ones, so that
    others cannot lock the account's owner out."""
    email = digest(email_key(body.email))
    address = Counter(f"sign-in ceiling {call.client.address}", limits.ceiling, "address")
    pair = Counter(f"sign-in pair {call.client.address} {email}", limits.pair, "pair")
    if device is None:
        account = Counter(f"sign-in account {email}", limits.ceiling, "account", is_reported=False)
        counters = [address, *_network_counters(call, limits), pair, account]
    else:
        counters = [address, pair, Counter(f"sign-in device {device}", limits.ceiling, "account", is_reported=False)]
    await count_all(db, call, counters)


def _network_counters(call: Call, limits: SignInLimits) -> list[Counter]:
    """The ceilings of the networks around an IPv6 address, which other customers may share."""
    return [
        Counter(f"sign-in ceiling {network}", limits.ceiling, "network", is_reported=False)
        for network in call.client.networks
    ]


# Over HTTP


_credentials = Body(Credentials)
# Responses cached by the browser must not be readable by its next user.
CLEAR_CACHE: Header = (b"clear-site-data", b'"cache"')


async def authenticate(db: Database, call: Call, request: Request, services: Services) -> Response:
    """Sign in with email and password: sets the `session` and `csrf-token` cookies."""
    try:
        body = _credentials.read(await request.json_body())
    except (ValidationError, TooLarge, BodyTooSlow, UnsupportedMedia, ClientDisconnected) as error:
        # Every request counts: a malformed body is an attempt of its address as well.
        await count_malformed(db, structs.replace(call, now=services.clock()), services.sign_in_limits)
        if isinstance(error, ValidationError):
            return empty(400)
        raise
    # The clock is read again: the body may have taken long to arrive.
    session = await sign_in(db, structs.replace(call, now=services.clock()), body, services)
    request.uid = session.response.user.uid
    response = signed_in(session, services)
    if session.device is not None:
        response.headers.append(_device_cookie(session.device, is_secure=services.is_secure))
    return response


async def logout(db: Write, call: Call, services: Services) -> Response:
    """Sign out: ends the session, clears both cookies and the browser's cache."""
    await sign_out(db, call)
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
