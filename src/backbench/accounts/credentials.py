"""Credentials in the database, by the hash of their secret: alone, or with the object that the path names."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Generic, Protocol, TypeVar

from msgspec import defstruct

from backbench.engine.database import Read, Row, Value
from backbench.engine.objects import Loaded
from backbench.engine.rows import JoinedRow, RawColumns
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
    """The statement that reads both, and the type of its rows: `credentials` and `found`."""
    fields = [("credentials", credentials.type_), ("found", RawColumns[read.row])]  # type: ignore[name-defined] # at run time
    type_ = defstruct(f"{credentials.type_.__name__}And{read.row.__name__}", fields, bases=(JoinedRow,), frozen=True)
    return type_, (
        f"SELECT {credentials.columns}, {read.columns} FROM {credentials.source} {read.joined_to('a.id')} "
        f"WHERE {credentials.condition}"
    )


class PrefetchedRead:
    """A read handle that has the row of one statement already."""

    __slots__ = ("_db", "_read", "_row", "_values")

    def __init__(self, db: Read, read: Loaded[Any], values: dict[str, Value], row: Sequence[Any]) -> None:
        self._db, self._read, self._values, self._row = db, read, values, row

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        if sql is self._read.alone and values == self._values:
            return self._read.make(self._row)  # type: ignore[no-any-return] # the type of the statement
        return await self._db.one(type_, sql, **values)

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        return await self._db.all(type_, sql, **values)

    async def utf8(self, sql: str, /, **values: Value) -> bytes | None:
        return await self._db.utf8(sql, **values)

    async def value(self, sql: str, /, **values: Value) -> Any:
        if sql is self._read.alone and values == self._values:
            return self._row[0]
        return await self._db.value(sql, **values)


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

    def __init__(self, db: Read, read: Loaded[Any], id_: str) -> None:
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
