"""Database handles of PostgreSQL: statements of a read, of a long read, or of a transaction, on one connection."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from backbench.engine.database import Read, Row, Value
from backbench.engine.parameters import positional
from backbench.engine.rows import checked_maker, checked_makers

_FIRST_OF_JOINED = re.compile(r"FROM \w+ (\w+)\s+(?:LEFT )?JOIN ")


class _Ended:
    """In place of the connection of a handle whose transaction has ended."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("A database handle was used after its end")


ENDED: Any = _Ended()


class PostgresHandle:
    """Read on one connection."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        row = await self._result("fetchrow", sql, values)
        if row is None:
            return None
        make = checked_makers.get((type_, sql)) or checked_maker(type_, sql, tuple(row.keys()))
        return make(row)  # type: ignore[no-any-return] # a maker of `type_` returns a `type_`

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        rows = await self._result("fetch", sql, values)
        if not rows:
            return []
        make = checked_makers.get((type_, sql)) or checked_maker(type_, sql, tuple(rows[0].keys()))
        return [make(row) for row in rows]

    async def value(self, sql: str, /, **values: Value) -> Any:
        return await self._result("fetchval", sql, values)

    async def utf8(self, sql: str, /, **values: Value) -> bytes | None:
        found: bytes | None = await self.value(_as_bytes(sql), **values)
        return found

    def end(self) -> None:
        """Statements on this handle raise RuntimeError from now on: its connection may have another user."""
        self._connection = ENDED

    async def _result(self, method: str, sql: str, values: Mapping[str, Value]) -> Any:
        """What that method of the connection returns for the statement."""
        text, names = positional(sql)
        return await getattr(self._connection, method)(text, *[values[name] for name in names])


class LockingHandle:
    """Locks the rows that `one` returns, as an UPDATE would that changes no key: rows may still refer to them."""

    def __init__(self, handle: Read, tables: Sequence[str]) -> None:
        self._handle = handle
        self._tables = tuple(tables)
        self.all, self.value, self.utf8 = handle.all, handle.value, handle.utf8

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        return await self._handle.one(type_, _locking(sql, self._tables), **values)


@cache
def _as_bytes(sql: str) -> str:
    return f"SELECT convert_to(({sql}), 'UTF8')"


@cache
def _locking(sql: str, tables: tuple[str, ...]) -> str:
    """The statement, locking rows of these tables, or of its first one: others are not locked, and may be missing."""
    if not tables and (joined := _FIRST_OF_JOINED.search(sql)):
        tables = (joined[1],)
    return f"{sql} FOR NO KEY UPDATE" + (f" OF {', '.join(tables)}" if tables else "")
