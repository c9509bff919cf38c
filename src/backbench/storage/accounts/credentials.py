"""Credentials in the database, by the hash of their secret: alone, or with what a request reads for its caller."""

from typing import Any, Protocol, TypeVar

from backbench.domain.values.times import Instant
from backbench.storage.engine.database import Read
from backbench.storage.engine.joined import CallerRead, Credentials, PrefetchedRead, credentials_and

T = TypeVar("T")


class Lookup(Protocol):
    """`db` is the handle for the rest of the request."""

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

    `db` is then a handle that has this row already.
    """

    __slots__ = ("_id", "_read", "db")

    def __init__(self, db: Read, read: CallerRead[Any], id_: str) -> None:
        self.db = db
        self._read = read
        self._id = id_

    async def active(self, credentials: Credentials[T], secret_hash: str, now: Instant) -> T | None:
        type_, sql = credentials_and(credentials, self._read)
        key = self._read.key
        row = await self.db.one(type_, sql, secret_hash=secret_hash, now=now, **{key: self._id})
        if row is None:
            return None
        found: T = row.credentials
        self.db = PrefetchedRead(self.db, self._read, {key: self._id, "uid": row.credentials.account_id}, row.found)
        return found
