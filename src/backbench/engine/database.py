"""Database: the interface of both engines, reads, writes and snapshots, and the catalog of tables."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from backbench.values.health_checks import HealthCheck


class Column(Struct, frozen=True):
    table: str
    name: str
    type: str
    # From 1 within the primary key, 0 outside it.
    key_position: int


class Reference(Struct, frozen=True):
    """A foreign key of `table` to `refers_to`."""

    table: str
    refers_to: str


Row = TypeVar("Row")
StructRow = TypeVar("StructRow", bound=Struct)
Result = TypeVar("Result")
Value = str | int | float | bytes | None


class Read(Protocol):
    """Runs statements that change nothing. Values are named parameters of the statement (`:order_id`).

    `catalog` has the SQL in which the engines differ.
    """

    @property
    def catalog(self) -> "Catalog": ...

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        """The first row as `type_`, or None."""
        ...

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        """Every row as `type_`."""
        ...

    async def value(self, sql: str, /, **values: Value) -> Any:
        """The first column of the first row, or None."""
        ...

    async def utf8(self, sql: str, /, **values: Value) -> bytes | None:
        """The text that a SELECT of one column and one row returns, in UTF-8.

        For large texts: making a `str` of 70 KB and bytes of that again takes as long as the statement.
        """
        ...


class Write(Read, Protocol):
    """A transaction: all of its statements take effect, durably, or none does.

    `skip_locked` ends a SELECT inside a statement that claims its rows: rows that another transaction is claiming are
    skipped. Empty on an engine with one writer. `has_changes_in_with` is whether the WITH clause of a statement may
    change rows, so that several changes take one round trip.
    """

    @property
    def skip_locked(self) -> str: ...

    @property
    def has_changes_in_with(self) -> bool: ...

    async def run(self, sql: str, /, **values: Value) -> int:
        """The number of rows that the statement itself changed, without those of cascades."""
        ...

    async def change(self, table: str, sql: str, values: Mapping[str, Value], /) -> None:
        """Adds a row to the table, or changes one by its key. It may be sent with the statement that comes next."""
        ...

    async def value_after_changes(self, sql: str, is_last: bool, values: Mapping[str, Value], /) -> Any:
        """The value of a statement that begins with WITH, sent together with the changes before it.

        `is_last`: nothing follows that could fail. Where nothing was sent before, the changes are made only if the part
        `counted` of the statement has a row, and the transaction ends with it; otherwise nothing is done.
        """
        ...

    async def add(self, table: str, row: Struct | None = None, /, **others: Any) -> None:
        """Inserts a row: its fields, and `others` for columns that it has no field for. Values: see `rows.stored`."""
        ...

    async def put(self, table: str, row: Struct | None = None, /, *, key: str, **others: Any) -> None:
        """Inserts a row as `add` does, or changes the one that has the same values in the columns of `key`."""
        ...

    async def add_new(self, table: str, row: Struct | None = None, /, *, key: str, **others: Any) -> bool:
        """Inserts a row as `add` does. False, and nothing is done, where one has the same values in `key`."""
        ...

    async def save(self, table: str, row: StructRow, /, *, key: str = "id", **changes: Any) -> StructRow:
        """Changes these columns of the row whose `key` is that of `row`, which is locked in this transaction.

        Returns `row` with those that are its fields.
        """
        ...

    async def lock(self, name: str, /) -> None:
        """Takes the advisory lock `name` until the end of the transaction; waits for the transaction that has it."""
        ...

    def locking(self, *tables: str) -> Read:
        """A handle on this transaction whose `one` locks the row it returns against changes by other transactions.

        It waits for the transaction that is changing the row, and returns the row as that one leaves it. For statements
        that select single rows, without aggregates.

        `tables` are the names in the statement of those whose rows are locked; without them the first one. Rows of
        others are as they were when the statement began, before it waited.
        """
        ...


Work = Callable[[Write], Awaitable[Result]]


class Catalog(Protocol):
    """What an engine reports about its database, and the SQL in which the engines differ."""

    async def columns(self, db: Read) -> list[Column]:
        """The columns of every table, in their order."""
        ...

    async def references(self, db: Read) -> list[Reference]:
        """Every foreign key."""
        ...

    def rows_from_json(self, table: str, columns: Sequence[str]) -> str:
        """A SELECT of `columns` from `:rows`, a JSON array of rows of `table`."""
        ...

    @property
    def triggers_at_once(self) -> Sequence[str]:
        """Statements after which the deferred triggers of earlier schemas run with each statement."""
        ...

    async def size(self, db: Read) -> int:
        """The bytes of the database, without its log."""
        ...

    async def health(self, db: Read) -> list[HealthCheck]:
        """Checks that the database is intact, and that what it acknowledges survives a power cut."""
        ...


class Database(Protocol):
    """An engine: SQLite or PostgreSQL."""

    engine: str
    catalog: Catalog
    # How often `may_have_changed` is worth asking, in seconds.
    poll_seconds: float

    def read(self) -> AbstractAsyncContextManager[Read]:
        """A handle that sees what has been committed."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[Read]:
        """A handle that sees one state throughout, for long reads."""
        ...

    async def write(self, work: Work[Result], /, *, is_long: bool = False) -> Result:
        """Runs `work` in a transaction and returns once it is durable. `is_long`: it takes seconds.

        Each statement sees what was committed before it began, so a rule is judged by what is read after its lock was
        taken. `work` may be run again from its start, so it must change nothing but the database and await nothing but
        its handle. Raises Unavailable when the database cannot be reached or cannot be written to.
        """
        ...

    async def may_have_changed(self) -> bool:
        """Whether anything may have been committed since the last call, by any process."""
        ...

    async def ready(self) -> None:
        """Raises Unavailable unless a statement can be run now."""
        ...

    async def migrate(self, to: int | None = None) -> int:
        """Brings the schema up to date, or to the migration `to`. Returns how many migrations were applied."""
        ...

    async def truncate_log(self) -> None:
        """Where deleted texts stay in a log of the engine until it is used again: empties it, if it can be now."""
        ...

    async def close(self) -> None: ...
