"""Recorded SQL statements: the cost of a request, measured without a clock."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from backbench.engine import sqlite_queue
from backbench.engine.postgres.handles import PostgresHandle, TransactionHandle


@contextlib.contextmanager
def recorded() -> Iterator[list[str]]:
    """The statements sent within the block on any engine, in order, without their values."""
    statements: list[str] = []

    def recorder_of(method: Callable[..., Any]) -> Callable[..., Any]:
        async def record(self: Any, *arguments: Any, **values: Any) -> Any:
            statements.append(" ".join([each for each in arguments if isinstance(each, str)][-1].split()))
            return await method(self, *arguments, **values)

        return record

    with pytest.MonkeyPatch.context() as patch:
        for handle in (PostgresHandle, TransactionHandle, sqlite_queue.SQLiteHandle):
            for name in ("one", "all", "value", "utf8", "run", "change", "value_after_changes"):
                if name in vars(handle):
                    patch.setattr(handle, name, recorder_of(getattr(handle, name)))
        yield statements
