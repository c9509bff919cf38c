"""The queue of writes to SQLite: transactions of a group share one commit; the catalog; a thread for blocking calls."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import cache
from operator import itemgetter
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import apsw

from backbench.engine.database import Catalog, Column, Read, Reference, Row, Value, Work
from backbench.engine.rows import RowWriter, checked_maker, checked_makers, positional
from backbench.engine.sqlite_files import STORAGE_ERRORS, Result, _Call, _set_exception, unavailable
from backbench.values.health_checks import HealthCheck

_SYNCHRONOUS_FULL = 2
# Tables of our own: not those of SQLite, nor the two that Litestream adds while it copies the database.
_COLUMNS = """
    SELECT t.name AS "table", c.name AS name, lower(c.type) AS type, c.pk AS key_position
    FROM sqlite_master t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite^_%' ESCAPE '^'
        AND t.name NOT LIKE '^_litestream^_%' ESCAPE '^' ORDER BY t.name, c.cid
"""
_REFERENCES = """
    SELECT t.name AS "table", r."table" AS refers_to
    FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) r WHERE t.type = 'table'
"""


class SQLiteCatalog:
    triggers_at_once: Sequence[str] = ()

    async def columns(self, db: Read) -> list[Column]:
        return await db.all(Column, _COLUMNS)

    async def references(self, db: Read) -> list[Reference]:
        return await db.all(Reference, _REFERENCES)

    def rows_from_json(self, _table: str, columns: Sequence[str]) -> str:
        extracted = ", ".join(f"json_extract(value, '$.{name}')" for name in columns)
        return f"SELECT {extracted} FROM json_each(:rows)"

    async def size(self, db: Read) -> int:
        return int(await db.value("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"))

    async def health(self, db: Read) -> list[HealthCheck]:
        errors = await _integrity_errors(db)
        if errors != ["ok"]:
            # Other checks may read the damaged pages.
            return [HealthCheck("integrity", False, _one_line(errors))]
        tables = await db.all(str, "PRAGMA foreign_key_check")
        synchronous = await db.value("PRAGMA synchronous")
        journal = await db.value("PRAGMA journal_mode")
        is_durable = journal == "wal" and synchronous == _SYNCHRONOUS_FULL
        missing = f"{len(tables)} rows refer to rows that do not exist, in {', '.join(sorted(set(tables)))}"
        settings = f"journal_mode {journal}, synchronous {synchronous}: a power cut may lose acknowledged writes"
        return [
            HealthCheck("integrity", True, "the file is intact"),
            HealthCheck("references", not tables, missing if tables else "every referenced row exists"),
            HealthCheck(
                "write_ahead_log", is_durable, "write-ahead log, synced at each commit" if is_durable else settings
            ),
        ]


async def _integrity_errors(db: Read) -> Sequence[str]:
    try:
        return await db.all(str, "PRAGMA integrity_check(3)")
    except apsw.CorruptError:
        # Damage in the first page of a table ends the check instead of being listed by it.
        return ["the file is damaged"]


def _one_line(errors: Sequence[str]) -> str:
    return "; ".join(errors).replace("\n", " ")


# Of such a statement `changes` is the number of its own rows. After any other it is that of an earlier statement.
_COUNTED = ("INSERT", "UPDATE", "DELETE")


@cache
def _in_order(sql: str) -> Callable[[Mapping[str, Value]], tuple[Value, ...]] | None:
    """Puts the values in the order in which SQLite numbers the parameters: that of their first use.

    Looking up each name in SQLite takes three times as long. None for a single parameter, where it makes no difference.
    """
    names = positional(sql)[1]
    return itemgetter(*names) if len(names) > 1 else None


@cache
def _is_counted(sql: str) -> bool:
    return sql.lstrip().startswith(_COUNTED)


@cache
def as_bytes(sql: str) -> str:
    """A SELECT of one text, as its bytes."""
    return f"SELECT CAST(({sql}) AS BLOB)"


class SQLiteHandle(RowWriter):
    """Read and Write on one connection. Its methods are coroutines that never suspend.

    It has one cursor: each statement ends the one before, of which only the first row may have been read.
    """

    catalog: Catalog = SQLiteCatalog()
    skip_locked = ""
    has_changes_in_with = False

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._execute = connection.cursor().execute
        self.total_changes = connection.total_changes

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        make = checked_makers.get((type_, sql))
        if make is None:
            return next(iter(self._all_checked(type_, sql, values)), None)
        row = self._run(sql, values).fetchone()
        return None if row is None else make(row)

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        make = checked_makers.get((type_, sql))
        if make is None:
            return self._all_checked(type_, sql, values)
        return [make(row) for row in self._run(sql, values)]

    async def value(self, sql: str, /, **values: Value) -> Any:
        row = self._run(sql, values).fetchone()
        return None if row is None else row[0]

    async def utf8(self, sql: str, /, **values: Value) -> bytes | None:
        row: Any = self._run(as_bytes(sql), values).fetchone()
        found: bytes | None = row[0]
        return found

    async def run(self, sql: str, /, **values: Value) -> int:
        if _is_counted(sql):
            self._run(sql, values)
            return self._connection.changes()
        before = self.total_changes()
        self._run(sql, values).fetchall()
        return self._connection.changes() if self.total_changes() != before else 0

    def _run(self, sql: str, values: dict[str, Value]) -> apsw.Cursor:
        in_order = _in_order(sql)
        return self._execute(sql, values if in_order is None else in_order(values))

    def _all_checked(self, type_: type[Row], sql: str, values: dict[str, Value]) -> list[Row]:
        """The rows, and a check of the column names, which are known once there is a row. Raises TypeError."""
        cursor = self._run(sql, values)
        first = cursor.fetchone()
        if first is None:
            return []
        columns = [column[0] for column in cursor.get_description()]
        # Read to the end before anything is raised: SQLite rolls nothing back while a statement is running.
        rows = [first, *cursor]
        make = checked_maker(type_, sql, columns)
        return [make(row) for row in rows]

    async def lock(self, name: str, /) -> None:
        """Does nothing: SQLite has one writer at a time."""

    def locking(self, *_: str) -> Read:
        return self

    # Transactions

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction

    def control(self, sql: str) -> None:
        """Runs BEGIN, COMMIT, ROLLBACK or SAVEPOINT."""
        self._execute(sql)

    def end_statement(self) -> None:
        """Ends a statement of which only the first row has been read: until then `total_changes` lacks its changes."""
        self._execute("SELECT 1 WHERE FALSE")

    def set_busy_timeout(self, milliseconds: int) -> None:
        self._connection.set_busy_timeout(milliseconds)

    def end_read(self) -> None:
        # A disk error may have ended it already.
        if self._connection.in_transaction:
            try:  # noqa: SIM105 - `suppress` would cost time in each iteration
                self._execute("COMMIT")
            except apsw.CorruptError:
                # It has only read, and the statement that read a damaged page has reported it.
                pass

    def close(self) -> None:
        self._connection.close()

    async def __aenter__(self) -> Read:
        return self

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, STORAGE_ERRORS):
            raise unavailable(error) from error


class PendingWrite:
    """A transaction in the queue, and its result or error."""

    __slots__ = ("error", "future", "is_long", "result", "work")

    def __init__(self, work: Work[Any], future: asyncio.Future[Any], is_long: bool) -> None:
        self.work = work
        self.future = future
        self.is_long = is_long
        self.result: Any = None
        self.error: BaseException | None = None

    def resolve(self) -> None:
        # A client that disconnected has cancelled its future; the write takes effect all the same.
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


class FailedAfterWriting(Exception):
    """A transaction of the group failed after it had changed rows; it must not affect the others of the group."""


def run_in_group(writer: SQLiteHandle, pending: PendingWrite) -> None:
    """Runs one transaction of the group. Most that fail have changed nothing, so nothing has to be undone.

    Raises FailedAfterWriting where something has.
    """
    # It may have been run before, in a group that had no time left for it when it was run again.
    pending.result = pending.error = None
    before = writer.total_changes()
    try:
        pending.result = _run_to_end(pending.work(writer))
    except STORAGE_ERRORS:
        raise
    except Exception as error:
        writer.end_statement()
        if writer.total_changes() != before:
            raise FailedAfterWriting from error
        pending.error = error


def run_in_savepoint(writer: SQLiteHandle, pending: PendingWrite) -> None:
    """Runs the transaction again from its start, in a savepoint, so that an error undoes it alone."""
    pending.result = pending.error = None
    writer.control("SAVEPOINT one")
    try:
        pending.result = _run_to_end(pending.work(writer))
    except STORAGE_ERRORS:
        raise
    except Exception as error:  # noqa: BLE001 - raised again where the write is awaited
        pending.error = error
        writer.control("ROLLBACK TO one")
    writer.control("RELEASE one")


def _run_to_end(work: Any) -> Any:
    """Runs a coroutine that awaits nothing but this engine, which never suspends. Raises RuntimeError if it does."""
    coroutine: Coroutine[Any, Any, Any] = work
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise RuntimeError("a transaction awaited something other than its database")


class BlockingThread:
    """Runs calls one after another, outside the event loop.

    An executor would do as well, but it makes two futures per call, which take 40 µs for every group of writes.
    """

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run_calls, name=name, daemon=True)
        self._thread.start()

    def run(self, call: Callable[[], Result]) -> asyncio.Future[Result]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._calls.put((call, loop, future))
        return future

    def close(self) -> None:
        """Waits for the calls that are queued."""
        self.close_later()
        self._thread.join()

    def close_later(self) -> None:
        """Ends the thread after the calls that are queued, without waiting for it."""
        self._calls.put(None)

    def _run_calls(self) -> None:
        while (queued := self._calls.get()) is not None:
            call, loop, future = queued
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001 - raised again where the future is awaited
                loop.call_soon_threadsafe(_set_exception, future, error)
            else:
                loop.call_soon_threadsafe(_set_result, future, result)


def _set_result(future: asyncio.Future[Any], result: Any) -> None:
    if not future.done():
        future.set_result(result)


def identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of the file; None where it cannot be reached."""
    try:
        status = path.stat()
    except OSError:
        # The file or its folder was deleted, is not mounted, or may no longer be read.
        return None
    return (status.st_dev, status.st_ino)
