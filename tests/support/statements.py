"""The SQL statements that the product sends to its database, recorded: what a request costs without a clock."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from backbench.storage.engine import postgres, sqlite_group_commit


@contextlib.contextmanager
def recorded() -> Iterator[list[str]]:
    """Every statement sent while the block runs, on either engine, in order and without its values."""
    statements: list[str] = []

    def recording(method: Callable[..., Any]) -> Callable[..., Any]:
        async def record(self: Any, *arguments: Any, **values: Any) -> Any:
            statements.append(" ".join(next(each for each in arguments if isinstance(each, str)).split()))
            return await method(self, *arguments, **values)

        return record

    with pytest.MonkeyPatch.context() as patch:
        for handle in (postgres.PostgresHandle, sqlite_group_commit.SQLiteHandle):
            for name in ("one", "all", "value", "run"):
                patch.setattr(handle, name, recording(getattr(handle, name)))
        yield statements
