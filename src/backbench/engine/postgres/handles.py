"""Handles of PostgreSQL: statements of a read, of a long read or of a transaction; the catalog."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from functools import cache
from time import monotonic
from typing import Any

from msgspec import Struct

from backbench.engine.database import Catalog, Column, Read, Reference, Row, Value
from backbench.engine.postgres.cluster import TRIES, Cluster
from backbench.engine.postgres.errors import UNAVAILABLE_ERRORS
from backbench.engine.postgres.pool import DatabaseConnection
from backbench.engine.rows import RowWriter, checked_maker, checked_makers, positional
from backbench.engine.slow_statements import SlowStatements
from backbench.values.health_checks import HealthCheck

_COLUMNS = """
    SELECT t.relname AS "table", c.attname AS name, format_type(c.atttypid, NULL) AS type,
        coalesce(array_position(k.conkey, c.attnum), 0) AS key_position
    FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
        LEFT JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'p'
    WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace ORDER BY t.relname, c.attnum
"""
_REFERENCES = """
    SELECT t.relname AS "table", r.relname AS refers_to FROM pg_constraint k
    JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
    WHERE k.contype = 'f' AND t.relnamespace = current_schema()::regnamespace
"""
# Every role may read them; the columns of pg_stat_replication only a monitoring role.
_REPLICATION = """
    SELECT pg_is_in_recovery() AS is_standby, count(*) AS standbys,
        current_setting('synchronous_standby_names') AS synchronous, current_setting('statement_timeout') AS time_out
    FROM pg_stat_replication
"""
# The pool, and those of the exports (2) and the large lists (4) that a worker sends at once.
CONNECTIONS_PER_WORKER = 18


class _Replication(Struct, frozen=True):
    is_standby: bool
    standbys: int
    synchronous: str
    time_out: str


class PostgresCatalog:
    """`hosts`: how many the URL names."""

    triggers_at_once: Sequence[str] = ("SET CONSTRAINTS ALL IMMEDIATE",)

    def __init__(self, hosts: int = 1) -> None:
        self._hosts = hosts

    async def columns(self, db: Read) -> list[Column]:
        return await db.all(Column, _COLUMNS)

    async def references(self, db: Read) -> list[Reference]:
        return await db.all(Reference, _REFERENCES)

    def rows_from_json(self, table: str, columns: Sequence[str]) -> str:
        return f'SELECT {", ".join(columns)} FROM json_populate_recordset(NULL::"{table}", :rows::json)'

    async def size(self, db: Read) -> int:
        return int(await db.value("SELECT pg_database_size(current_database())"))

    async def health(self, db: Read) -> list[HealthCheck]:
        version = await db.value("SHOW server_version")
        commit = await db.value("SHOW synchronous_commit")
        fsync = await db.value("SHOW fsync")
        pages = await db.value("SHOW full_page_writes")
        encoding = await db.value("SHOW server_encoding")
        is_durable = commit != "off" and fsync == "on" and pages == "on"
        settings = f"synchronous_commit {commit}, fsync {fsync}"
        if not is_durable:
            settings += f", full_page_writes {pages}: a power cut may lose acknowledged writes"
        is_unicode = encoding == "UTF8"
        return [
            HealthCheck("server", True, f"PostgreSQL {version}"),
            HealthCheck("synchronous_commit", is_durable, settings),
            await self._replication(db),
            await _connections(db),
            HealthCheck("encoding", is_unicode, "UTF8" if is_unicode else f"{encoding}: it cannot store every name"),
        ]

    async def _replication(self, db: Read) -> HealthCheck:
        """With several hosts a failover is meant to lose nothing, and that depends on the server."""
        found = await db.one(_Replication, _REPLICATION)
        assert found is not None
        role = "standby" if found.is_standby else f"primary with {found.standbys} standbys"
        if self._hosts == 1:
            return HealthCheck("replication", True, role)
        if not found.synchronous:
            says = f"{role}, synchronous_standby_names is empty: a failover may lose acknowledged writes"
            return HealthCheck("replication", False, says)
        if found.time_out != "0":
            # The server acknowledges a commit whose wait for the standby was cancelled.
            says = f"{role}, statement_timeout is {found.time_out}: it ends the wait of a commit for its standby"
            return HealthCheck("replication", False, says)
        return HealthCheck("replication", found.standbys > 0, f"{role}, synchronous_standby_names is set")


async def _connections(db: Read) -> HealthCheck:
    most = int(await db.value("SHOW max_connections"))
    workers = most // CONNECTIONS_PER_WORKER
    says = f"max_connections {most}: enough for {workers} workers of all nodes together, without other programs"
    return HealthCheck("connections", workers > 0, says)


_FIRST_OF_JOINED = re.compile(r"FROM \w+ (\w+)\s+(?:LEFT )?JOIN ")


class _Ended:
    """In place of the connection of a handle whose transaction has ended."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("A database handle was used after its end")


ENDED: Any = _Ended()


class PostgresHandle:
    """Read on one connection."""

    catalog: Catalog = PostgresCatalog()

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
        self.catalog, self.all, self.value, self.utf8 = handle.catalog, handle.all, handle.value, handle.utf8

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


_SHORT_SECONDS = 0.25


class Reading(PostgresHandle):
    """A read, from the acquisition of its connection to the release. Each of its statements sees what is committed, on
    this connection or on another one."""

    def __init__(self, cluster: Cluster, slow: SlowStatements) -> None:
        self._cluster = cluster
        self._slow = slow
        self._connection = ENDED

    async def __aenter__(self) -> Read:
        self._connection = await self._cluster.acquire()
        return self

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        connection, self._connection = self._connection, ENDED
        if connection is not ENDED:
            self._cluster.release(connection, error)

    async def _result(self, method: str, sql: str, values: Mapping[str, Value]) -> Any:
        text, names = positional(sql)
        arguments = [values[name] for name in names]
        interruption: TimeoutError | None = None
        if not self._slow.is_known(sql, values):
            try:
                return await getattr(self._connection, method)(text, *arguments, timeout=_SHORT_SECONDS)
            except TimeoutError as error:
                interruption = error
            except UNAVAILABLE_ERRORS as error:
                return await self._repeat(error, method, text, arguments)
        # While it waits for its turn, others use the connection.
        connection, self._connection = self._connection, ENDED
        self._cluster.put_back(connection, interruption)
        async with self._slow.place(values):
            self._connection = await self._cluster.acquire()
            # It may have waited for the processor, the disk or a lock, and take microseconds now.
            late = asyncio.get_running_loop().call_later(_SHORT_SECONDS, self._slow.remember, sql, values)
            try:
                return await getattr(self._connection, method)(text, *arguments)
            except UNAVAILABLE_ERRORS as error:
                return await self._repeat(error, method, text, arguments)
            finally:
                late.cancel()

    async def _repeat(self, error: Exception, method: str, text: str, arguments: list[Value]) -> Any:
        since = monotonic()
        for _ in range(TRIES):
            if not self._cluster.is_lost(error, self._connection):
                break
            connection, self._connection = self._connection, ENDED
            self._connection = await self._cluster.acquire_again(connection, error, since)
            try:
                return await getattr(self._connection, method)(text, *arguments)
            except UNAVAILABLE_ERRORS as next_error:
                error = next_error
        raise error


_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"


class TransactionHandle(PostgresHandle, RowWriter):
    """Read and Write. It begins with its first statement, and sends changes of single rows with the next one.

    A transaction that is no more than changes and a last statement is that one statement, which needs no COMMIT.
    """

    skip_locked = "FOR UPDATE SKIP LOCKED"
    has_changes_in_with = True

    def __init__(self, connection: DatabaseConnection) -> None:
        super().__init__(connection)
        # By their tables: two changes of one row cannot be in one statement.
        self._changes: dict[str, tuple[str, Mapping[str, Value]]] = {}
        self._has_begun = False
        # Whether something was sent that may have committed.
        self.is_committing = False

    async def change(self, table: str, sql: str, values: Mapping[str, Value], /) -> None:
        if table in self._changes:
            await self._before()
        self._changes[table] = (sql, values)

    async def value_after_changes(self, sql: str, is_last: bool, values: Mapping[str, Value], /) -> Any:
        is_whole = is_last and not self._has_begun
        text, arguments = _together(tuple(self._changes.values()), sql, values, if_counted=is_whole)
        if not is_whole:
            self._changes = {}
            await self._before()
            return await self._connection.fetchval(text, *arguments)
        self.is_committing = True
        found = await self._connection.committed(self._connection.fetchval, text, *arguments)
        if found is None:
            self.is_committing = False
        else:
            self._changes = {}
        return found

    async def commit(self) -> None:
        if self._changes:
            await self._before()
        self.is_committing = True
        if self._has_begun:
            await self._connection.commit()

    async def _before(self) -> None:
        """Begins the transaction, and sends the changes that wait."""
        if not self._has_begun:
            self._has_begun = True
            await self._connection.begin()
        changes, self._changes = self._changes, {}
        if changes:
            text, arguments = _together(tuple(changes.values()), _NOTHING, {})
            await self._connection.fetchval(text, *arguments)

    async def _result(self, method: str, sql: str, values: Mapping[str, Value]) -> Any:
        await self._before()
        return await super()._result(method, sql, values)

    async def run(self, sql: str, /, **values: Value) -> int:
        await self._before()
        text, names = positional(sql)
        tag: str = await self._connection.execute(text, *[values[name] for name in names])
        count = tag.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    async def lock(self, name: str, /) -> None:
        await self._before()
        await self._connection.execute(_LOCK, name)

    def locking(self, *tables: str) -> Read:
        return LockingHandle(self, tables)


_NOTHING = "WITH nothing AS (SELECT 1) SELECT 1 FROM nothing"


def _together(
    changes: Sequence[tuple[str, Mapping[str, Value]]],
    sql: str,
    values: Mapping[str, Value],
    *,
    if_counted: bool = False,
) -> tuple[str, list[Value]]:
    """One statement that makes the changes and has the value of `sql`, and its arguments."""
    text, names = _joined(tuple(change for change, _ in changes), sql, if_counted=if_counted)
    parts = [values, *(each for _, each in changes)]
    return text, [parts[part][name] for part, name in names]


@cache
def _joined(changes: tuple[str, ...], sql: str, *, if_counted: bool) -> tuple[str, tuple[tuple[int, str], ...]]:
    """The statement, and for each of its parameters the part that has it, the first one being `sql`, and its name."""
    numbers: dict[tuple[int, str], int] = {}
    made = []
    for part, text in enumerate((sql, *changes)):
        statement, names = positional(_if_counted(text) if part and if_counted else text)
        places = {at + 1: numbers.setdefault((part, name), len(numbers) + 1) for at, name in enumerate(names)}
        made.append(_PLACE.sub(lambda match, own=places: f"${own[int(match[1])]}", statement))  # type: ignore[misc]
    beginning, _, rest = made[0].strip().partition(" ")
    assert beginning == "WITH"
    before = "".join(f"change_{at} AS ({text}), " for at, text in enumerate(made[1:]))
    # RECURSIVE lets a part name a later one.
    return f"WITH {'RECURSIVE ' if if_counted else ''}{before}{rest}", tuple(numbers)


_PLACE = re.compile(r"\$(\d+)")


def _if_counted(sql: str) -> str:
    """The change of a single row, made only if the part `counted` of the statement has a row."""
    if sql.startswith("INSERT"):
        columns, _, row = sql.partition(" VALUES (")
        return f"{columns} SELECT {row.removesuffix(')')} FROM counted"
    return f"{sql} AND EXISTS (SELECT 1 FROM counted)"
