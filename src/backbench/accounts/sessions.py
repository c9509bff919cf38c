"""Sessions of the signed-in account, and the credentials of a request: read by the hash of the secret."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from functools import cache
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct, defstruct

from backbench.engine.database import Read, Value, Write
from backbench.engine.lists import list_newest_first
from backbench.engine.objects import Loaded, of_account
from backbench.engine.rows import JoinedRow, RawColumns, maker_of, set_maker, width_of
from backbench.values.calls import Call
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.times import Instant

T = TypeVar("T")


class Credentials(Generic[T]):
    """How the credentials of a request are read: columns, tables with the account as `a`, and condition."""

    def __init__(self, type_: type[T], columns: str, source: str, condition: str) -> None:
        self.type_ = type_
        self.columns, self.source, self.condition = columns, source, condition
        self.alone = f"SELECT {columns} FROM {source} WHERE {condition}"


@cache
def credentials_and(credentials: Credentials[Any], read: Loaded[Any]) -> tuple[type[Any], str]:
    """The statement that reads both, and the type of its rows, which are made into the credentials and the columns of
    `read`."""
    fields = [("credentials", credentials.type_), ("found", RawColumns[read.row])]  # type: ignore[name-defined] # at run time
    type_ = defstruct(f"{credentials.type_.__name__}And{read.row.__name__}", fields, bases=(JoinedRow,), frozen=True)
    width, make = width_of(credentials.type_), maker_of(credentials.type_)
    set_maker(type_, lambda row: (make(row[:width]), row[width:]))
    return type_, (
        f"SELECT {credentials.columns}, {read.columns} FROM {credentials.source} {read.joined_to('a.id')} "
        f"WHERE {credentials.condition}"
    )


@cache
def credentials_and_lock(credentials: Credentials[Any], locked: Loaded[Any]) -> tuple[type[Any], str]:
    """The statement that reads the credentials of a member and locks the object, and the type of its rows."""
    sql = locked.locked_with(credentials.columns, credentials.source, credentials.condition, "a.id")
    if locked.is_read_after_lock:
        return credentials.type_, sql
    return credentials_and(credentials, locked)[0], sql


class Lookup(Protocol):
    db: Read

    async def active(self, credentials: Credentials[T], secret_hash: str, now: Instant) -> T | None:
        """The credentials with this secret, where they are valid now."""
        ...


class SeparateLookup:
    """Reads the credentials only."""

    __slots__ = ("db",)

    def __init__(self, db: Read) -> None:
        self.db = db

    async def active(self, credentials: Credentials[T], secret_hash: str, now: Instant) -> T | None:
        return await self.db.one(credentials.type_, credentials.alone, secret_hash=secret_hash, now=now)


class JoinedLookup:
    """Reads the credentials and what `read` finds for their account and the id, in one statement.

    `row` then has what it found: its columns, null where there is none.
    """

    __slots__ = ("_id", "_read", "db", "row")

    def __init__(self, db: Read, read: Loaded[Any], id_: str) -> None:
        self.db = db
        self.row: Sequence[Any] | None = None
        self._read = read
        self._id = id_

    async def active(self, credentials: Credentials[T], secret_hash: str, now: Instant) -> T | None:
        type_, sql = credentials_and(credentials, self._read)
        found = await self.db.one(type_, sql, secret_hash=secret_hash, now=now, **{self._read.key: self._id})
        if found is None:
            return None
        valid, self.row = found
        return valid  # type: ignore[no-any-return] # the credentials


class LockedLookup:
    """Reads the credentials and locks what the path of a write names, in one statement of its transaction.

    `is_locked` then says whether it has: for others than members it does not, who wait for no lock. `row` has what is
    locked, unless it is read after that.
    """

    __slots__ = ("_id", "_locked", "_write", "db", "is_locked", "row")

    def __init__(self, db: Write, locked: Loaded[Any], id_: str) -> None:
        self.db: Read = db
        self.is_locked = False
        self.row: Sequence[Any] | None = None
        self._write, self._locked, self._id = db, locked, id_

    async def active(self, credentials: Credentials[T], secret_hash: str, now: Instant) -> T | None:
        locked = self._locked
        type_, sql = credentials_and_lock(credentials, locked)
        values: dict[str, Value] = {locked.key: self._id}
        found = await self._write.locking(*locked.locks).one(type_, sql, secret_hash=secret_hash, now=now, **values)
        if found is None:
            return await SeparateLookup(self.db).active(credentials, secret_hash, now)
        self.is_locked = True
        if locked.is_read_after_lock:
            return found  # type: ignore[no-any-return] # the credentials alone
        valid, self.row = found
        return valid  # type: ignore[no-any-return] # the credentials


# How long a browser that has signed in is known, in seconds.
DEVICE_SECONDS = 365 * 86_400


class Session(Struct, frozen=True):
    """The stored session: the columns that authentication needs."""

    id: str
    account_id: str
    last_seen_at: Instant


class SessionResponse(Struct, frozen=True, rename="camel"):
    id: str
    created_at: Instant
    last_seen_at: Instant
    user_agent: str
    current: bool


class SessionsList(PagedList, frozen=True):
    sessions: list[SessionResponse]


def new_secret() -> str:
    """The value of a session cookie: 256 random bits."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """The SHA-256 that is stored instead of a secret of 256 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def csrf_token(secret: str) -> str:
    """The session's CSRF token: an HMAC of its secret, so that it cannot be forged without the session."""
    mac = hmac.digest(secret.encode(), b"csrf", "sha256")
    return base64.urlsafe_b64encode(mac).rstrip(b"=").decode()


# Statements


# The session of a cookie, if it has not expired and its account is active.
ACTIVE = Credentials(
    Session,
    columns="s.id, s.account_id, s.last_seen_at",
    source="sessions s JOIN accounts a ON a.id = s.account_id",
    condition="s.secret_hash = :secret_hash AND s.idle_until > :now AND s.ends_at > :now AND a.status = 'active'",
)
SESSION = of_account("own_session", "sessions own", key="session_id")


async def add(
    db: Write,
    session: Session,
    *,
    secret_hash: str,
    user_agent: str,
    idle_until: Instant,
    ends_at: Instant,
) -> None:
    await db.add(
        "sessions",
        secret_hash=secret_hash,
        id=session.id,
        account_id=session.account_id,
        user_agent=user_agent,
        created_at=session.last_seen_at,
        last_seen_at=session.last_seen_at,
        idle_until=idle_until,
        ends_at=ends_at,
    )


async def save_seen(db: Write, session_id: str, at: Instant, idle_until: Instant) -> None:
    await db.run(
        "UPDATE sessions SET last_seen_at = :at, idle_until = :idle_until WHERE id = :id AND last_seen_at < :at",
        id=session_id,
        at=at,
        idle_until=idle_until,
    )


async def list_page(db: Read, uid: str, current: str | None, now: Instant, page: PageQuery) -> Page[SessionResponse]:
    """The account's active sessions, newest first."""
    select = """
        SELECT id, created_at, last_seen_at, user_agent, CASE WHEN id = :current THEN 1 ELSE 0 END AS current
        FROM sessions WHERE account_id = :uid AND idle_until > :now AND ends_at > :now"""
    return await list_newest_first(db, SessionResponse, select, page, uid=uid, current=current or "", now=now)


async def delete_row(db: Write, session_id: str, uid: str) -> bool:
    """False when the account has no such session."""
    return await db.run("DELETE FROM sessions WHERE id = :id AND account_id = :uid", id=session_id, uid=uid) > 0


async def delete_by_secret(db: Write, secret_hash: str) -> None:
    await db.run("DELETE FROM sessions WHERE secret_hash = :secret_hash", secret_hash=secret_hash)


async def delete_all(db: Write, uid: str, except_id: str | None = None) -> None:
    """Deletes the account's sessions, except one."""
    await db.run(
        "DELETE FROM sessions WHERE account_id = :uid AND id <> :except_id", uid=uid, except_id=except_id or ""
    )


async def delete_beyond(db: Write, uid: str, limit: int) -> None:
    """Deletes all but the newest `limit` sessions of the account."""
    await db.run(
        """
        DELETE FROM sessions WHERE account_id = :uid AND id NOT IN
            (SELECT id FROM sessions WHERE account_id = :uid ORDER BY created_at DESC, id DESC LIMIT :limit)
        """,
        uid=uid,
        limit=limit,
    )


async def delete_expired(db: Write, now: Instant) -> int:
    """The number of sessions deleted."""
    return await db.run("DELETE FROM sessions WHERE idle_until <= :now OR ends_at <= :now", now=now)


# Verbs


async def list_all(db: Read, call: Call, query: PageQuery) -> Page[SessionResponse]:
    """List the sessions of the signed-in account, newest first."""
    return await list_page(db, call.uid, call.caller.session_id, call.now, query)


async def delete(db: Write, call: Call, session_id: str) -> None:
    """End a session of the signed-in account."""
    await delete_row(db, session_id, call.uid)
