"""Joined reads: what depends on the caller, in the statement that reads the caller's credentials.

Each statement of a request takes a round trip on PostgreSQL, and a tenth of the processor time of a GET on SQLite.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Generic, TypeVar

from msgspec import defstruct

from backbench.storage.engine.database import Read, Row, Value
from backbench.storage.engine.rows import JoinedRow, RawColumns, maker_of

T = TypeVar("T")


class CallerRead(Generic[T]):
    """A read for one account, `{uid}`, and one id, the parameter `key`: alone, or with the account's credentials.

    `type_` is a JoinedRow whose columns may all be NULL: that is what there is with credentials without such a row.
    """

    def __init__(self, type_: type[T], columns: str, source: str, condition: str, key: str, joins: str = "") -> None:
        self.type_ = type_
        self.columns = columns
        self.key = key
        self._source, self._condition, self._joins = source, condition, joins
        self.alone = f"SELECT {columns} FROM {source} {joins} WHERE {condition}".format(uid=":uid")
        self.make = maker_of(type_)

    def joined_to(self, uid: str) -> str:
        """The joins for a statement whose column `uid` is the account."""
        return f"LEFT JOIN {self._source} ON {self._condition} {self._joins}".format(uid=uid)


class Credentials(Generic[T]):
    """How the credentials of a request are read: columns, tables with the account as `a`, and condition."""

    def __init__(self, type_: type[T], columns: str, source: str, condition: str) -> None:
        self.type_ = type_
        self.columns, self.source, self.condition = columns, source, condition
        self.alone = f"SELECT {columns} FROM {source} WHERE {condition}"


@cache
def credentials_and(credentials: Credentials[Any], read: CallerRead[Any]) -> tuple[type[Any], str]:
    """The statement that reads both, and the type of its rows: `credentials` and `found`."""
    fields = [("credentials", credentials.type_), ("found", RawColumns[read.type_])]  # type: ignore[name-defined] # at run time
    type_ = defstruct(f"{credentials.type_.__name__}And{read.type_.__name__}", fields, bases=(JoinedRow,), frozen=True)
    return type_, (
        f"SELECT {credentials.columns}, {read.columns} FROM {credentials.source} {read.joined_to('a.id')} "
        f"WHERE {credentials.condition}"
    )


class PrefetchedRead:
    """A read handle that has the row of one statement already."""

    __slots__ = ("_db", "_read", "_row", "_values")

    def __init__(self, db: Read, read: CallerRead[Any], values: dict[str, Value], row: Sequence[Any]) -> None:
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
