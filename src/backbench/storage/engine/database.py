"""What actions know of the database: a handle to read with, a handle to write with, and one way to get each.

Rows become Structs: the columns of a statement stand in the order of the Struct's fields.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeVar

Row = TypeVar("Row")
Result = TypeVar("Result")
Value = str | int | float | bytes | None


class Read(Protocol):
    """Statements that change nothing. Values are named parameters of the statement (`:order_id`)."""

    async def one(self, type_: type[Row], sql: str, /, **values: Value) -> Row | None:
        """The first row as `type_`, or None."""
        ...

    async def all(self, type_: type[Row], sql: str, /, **values: Value) -> list[Row]:
        """Every row as `type_`."""
        ...

    async def value(self, sql: str, /, **values: Value) -> Any:
        """The first column of the first row, or None."""
        ...


class Write(Read, Protocol):
    """A transaction: all of its statements take effect, durably, or none does."""

    async def run(self, sql: str, /, **values: Value) -> int:
        """How many rows the statement changed."""
        ...

    async def lock(self, name: str, /) -> None:
        """Keeps every other transaction that holds `name` waiting until this one has ended."""
        ...


Work = Callable[[Write], Awaitable[Result]]


class Database(Protocol):
    """One of the two engines."""

    engine: str

    def read(self) -> AbstractAsyncContextManager[Read]:
        """A handle that sees what has been committed."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[Read]:
        """A handle that sees one state throughout, for long reads."""
        ...

    async def write(self, work: Work[Result], /, *, alone: bool = False) -> Result:
        """Runs `work` in a transaction and returns once it is durable.

        `work` may be run again from its start, so it must change nothing but the database, and it must wait for
        nothing but its handle. `alone`: as if no other transaction ran beside it. Raises Unavailable when the
        database cannot be reached or cannot take more.
        """
        ...

    async def ready(self) -> None:
        """Raises Unavailable unless a statement can be run now."""
        ...

    async def migrate(self, to: int | None = None) -> int:
        """Brings the schema up to date, or to the migration `to`; how many migrations were applied."""
        ...

    async def close(self) -> None: ...
