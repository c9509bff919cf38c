"""Sign-in with email and password, and sign-out."""

from msgspec import Struct, structs

from backbench.actions.rate_limits import Counter, count_all
from backbench.domain.accounts.accounts import Account, Credentials, SignedIn
from backbench.domain.accounts.clients import Client
from backbench.domain.accounts.sessions import Caller, Session, csrf_token, digest, new_secret
from backbench.domain.values.errors import Unauthenticated
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import SessionLife, SignInLimits
from backbench.domain.values.scalars import fold_case
from backbench.domain.values.times import Instant, later
from backbench.integrations.passwords import Passwords
from backbench.storage.accounts import accounts, devices, sessions
from backbench.storage.engine.database import Database, Write


class NewSession(Struct, frozen=True):
    """A new session: the values of its two cookies, and the response."""

    secret: str
    csrf: str
    response: SignedIn
    # The value of a new device cookie; None where the browser has one that is valid.
    device: str | None = None


async def sign_in(
    db: Database,
    passwords: Passwords,
    client: Client,
    body: Credentials,
    limits: SignInLimits,
    life: SessionLife,
    now: Instant,
    new_id: NewId,
) -> NewSession:
    """Starts a session in place of the one that the client sent. Raises Unauthenticated without saying why."""
    device = await _known_device(db, client, body.email, now)
    await _count(db, client, body, device, limits, now)
    async with db.read() as read:
        account = await accounts.lookup_by_email(read, body.email)
    known = account.password_hash if account is not None and account.status == "active" else None
    if not await passwords.verify(known, body.password, client.widest_network) or account is None or known is None:
        raise Unauthenticated
    upgraded = await passwords.hash(body.password, client.widest_network) if passwords.is_outdated(known) else None

    async def open_session(write: Write) -> NewSession | None:
        # Checked again inside the transaction: the account may have been suspended while the hash was computed.
        if not await accounts.save_sign_in(write, account.id, upgraded, now):
            return None
        session = await start_session(write, account, client, life, now, new_id)
        if device is not None:
            return session
        secret = new_secret()
        await devices.add(write, account.id, digest(secret), now)
        return structs.replace(session, device=secret)

    session = await db.write(open_session)
    if session is None:
        raise Unauthenticated
    return session


async def _known_device(db: Database, client: Client, email: str, now: Instant) -> str | None:
    """The digest of the client's device cookie, if that browser has signed in to the account before."""
    if client.device is None:
        return None
    device = digest(client.device)
    async with db.read() as read:
        return device if await devices.exists(read, email, device, now) else None


# The oldest ends when another begins: a program that signs in for every request must not fill the table.
MAX_SESSIONS = 100


async def start_session(
    db: Write, account: Account, client: Client, life: SessionLife, now: Instant, new_id: NewId
) -> NewSession:
    """Ends the session that the client sent and starts another, against session fixation."""
    if client.session is not None:
        await sessions.delete_by_secret(db, digest(client.session))
    secret = new_secret()
    await sessions.add(
        db,
        Session(id=new_id(), account_id=account.id, last_seen_at=now),
        secret_hash=digest(secret),
        user_agent=client.user_agent,
        idle_until=later(now, life.idle),
        ends_at=later(now, life.absolute),
    )
    await sessions.delete_beyond(db, account.id, MAX_SESSIONS)
    return NewSession(secret, csrf_token(secret), SignedIn(account.to_response()))


async def count_malformed(db: Database, client: Client, limits: SignInLimits, now: Instant) -> None:
    """Counts a sign-in with a malformed body, by its address alone."""
    await count_all(
        db,
        [
            Counter(f"sign-in ceiling {client.address}", limits.ceiling, "address"),
            *_network_counters(client, limits),
            Counter(f"sign-in address {client.address}", limits.pair, "malformed"),
        ],
        client.quotas,
        now,
    )


async def sign_out(db: Write, caller: Caller) -> None:
    assert caller.session_id is not None
    await sessions.delete(db, caller.session_id, caller.uid)


async def _count(
    db: Database, client: Client, body: Credentials, device: str | None, limits: SignInLimits, now: Instant
) -> None:
    """A browser that has signed in to the account before has a ceiling of its own in place of the shared ones, so that
    others cannot lock the account's owner out."""
    email = digest(fold_case(body.email))
    address = Counter(f"sign-in ceiling {client.address}", limits.ceiling, "address")
    pair = Counter(f"sign-in pair {client.address} {email}", limits.pair, "pair")
    if device is None:
        account = Counter(f"sign-in account {email}", limits.ceiling, "account", is_reported=False)
        counters = [address, *_network_counters(client, limits), pair, account]
    else:
        counters = [address, pair, Counter(f"sign-in device {device}", limits.ceiling, "account", is_reported=False)]
    await count_all(db, counters, client.quotas, now)


def _network_counters(client: Client, limits: SignInLimits) -> list[Counter]:
    """The ceilings of the networks around an IPv6 address, which other customers may share."""
    return [
        Counter(f"sign-in ceiling {network}", limits.ceiling, "network", is_reported=False)
        for network in client.networks
    ]
