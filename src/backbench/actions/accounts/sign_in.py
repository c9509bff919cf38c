"""Sign-in with email and password, and sign-out."""

from msgspec import Struct, structs

from backbench.actions.rate_limits import Counter, count_all
from backbench.actions.services import Services
from backbench.domain.accounts.accounts import Account, Credentials, SignedIn
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import Session, csrf_token, digest, new_secret
from backbench.domain.values.errors import Unauthenticated
from backbench.domain.values.limits import SessionLife, SignInLimits
from backbench.domain.values.scalars import email_key
from backbench.domain.values.times import later
from backbench.storage.accounts import accounts, devices, sessions
from backbench.storage.engine.database import Database, Write


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
        await devices.add(write, account.id, digest(secret), call.now)
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
        return device if await devices.exists(read, email, device, call.now) else None


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
    await sessions.delete(db, call.caller.session_id, call.uid)


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
