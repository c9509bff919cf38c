"""Sessions of people who have signed in before the test: written to the database, without a request and its hash."""

import httpx

from backbench.accounts import accounts, sessions
from backbench.accounts.sessions import Session, csrf_token, digest, new_secret
from backbench.engine.database import Write
from backbench.values.ids import new_id
from backbench.values.limits import SessionLife
from backbench.values.times import Instant, later
from tests.support.secret_log_check import remember_secrets

HOST = "127.0.0.1"


async def open_session(db: Write, uid: str, life: SessionLife, now: Instant) -> httpx.Cookies:
    """The cookies of a new session, as a browser has them after signing in."""
    secret = new_secret()
    remember_secrets(secret, csrf_token(secret))
    await accounts.save_sign_in(db, uid, None, now)
    await sessions.add(
        db,
        Session(id=new_id(), account_id=uid, last_seen_at=now),
        secret_hash=digest(secret),
        user_agent=f"python-httpx/{httpx.__version__}",
        idle_until=later(now, life.idle),
        ends_at=later(now, life.absolute),
    )
    cookies = httpx.Cookies()
    cookies.set("session", secret, HOST)
    cookies.set("csrf-token", csrf_token(secret), HOST)
    return cookies
