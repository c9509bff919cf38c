"""Storage functions: those of the service that run statements. A run of all tests runs each on PostgreSQL as well.

Noted is what runs in the processes of the tests: servers that tests start are not. A statement that only SQLite has
run may be one that PostgreSQL rejects. With `TEST_ENGINES=all`, nothing is noted of what runs only then: a run without
it would fail otherwise where one with it has passed.
"""

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import backbench
from backbench.engine.postgres.handles import PostgresHandle, TransactionHandle
from backbench.engine.sqlite import SQLiteSnapshot
from backbench.engine.sqlite_queue import SQLiteHandle
from tests.support.run.engines import ENGINES, is_left_out

HANDLES: Mapping[str, Sequence[type]] = {
    "sqlite": (SQLiteHandle, SQLiteSnapshot),
    "postgres": (PostgresHandle, TransactionHandle),
}
# All others of `Write` call one of these.
_STATEMENTS = ("one", "all", "value", "run", "change", "value_after_changes", "lock")
_SERVICE = f"{Path(backbench.__file__).parent}/"
# These pass on what a function of a noun runs, and the engines run some of their own.
_PASSING = (f"{_SERVICE}engine/", f"{_SERVICE}http/reads.py")
_ENGINES = ("SQLite.", "Postgres.")


class StorageFunctions:
    """A plugin of pytest: a run of all tests fails by the functions that ran on SQLite and not on PostgreSQL."""

    def __init__(self, handles: Mapping[str, Sequence[type]] = HANDLES) -> None:
        self.codes: dict[str, set[CodeType]] = {engine: set() for engine in handles}
        # Of the workers of pytest-xdist.
        self._sent: list[Mapping[str, list[str]]] = []
        self._missing: list[str] = []
        self._is_noting = True
        for engine, types in handles.items():
            for handle in types:
                for name in vars(handle).keys() & _STATEMENTS:
                    setattr(handle, name, self._noting(getattr(handle, name), self.codes[engine]))

    def names(self) -> dict[str, list[str]]:
        """For each engine the functions that have run a statement, as `orders/payments.py: lookup`."""
        return {engine: sorted({_name(code) for code in codes}) for engine, codes in self.codes.items()}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        # What a fixture of the session runs, another test would have it run.
        self._is_noting = not is_left_out(item)
        try:
            return (yield)
        finally:
            self._is_noting = True

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["storage_functions"] = self.names()
        elif exitstatus == pytest.ExitCode.OK and _is_whole(session.config):
            ran = [*self._sent, self.names()]
            on_sqlite, on_postgres = ({name for each in ran for name in each[engine]} for engine in ENGINES)
            self._missing = sorted(on_sqlite - on_postgres)
            if self._missing:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        # One that crashed sends nothing, and the run has failed.
        if sent := getattr(node, "workeroutput", {}).get("storage_functions"):
            self._sent.append(sent)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._missing:
            terminalreporter.section("run on SQLite only: mark a test of each with both_engines")
            for name in self._missing:
                terminalreporter.line(name)

    def _noting(self, statement: Callable[..., Any], codes: set[CodeType]) -> Callable[..., Any]:
        @wraps(statement)
        def noting(*arguments: Any, **values: Any) -> Any:
            frame: FrameType | None = sys._getframe(1)
            while frame is not None and _passes_on(frame.f_code):
                frame = frame.f_back
            if frame is not None and self._is_noting and _is_storage(frame.f_code):
                codes.add(frame.f_code)
            return statement(*arguments, **values)

        return noting


@cache
def _passes_on(code: CodeType) -> bool:
    return code.co_filename.startswith(_PASSING) and not code.co_qualname.startswith(_ENGINES)


@cache
def _is_storage(code: CodeType) -> bool:
    return code.co_filename.startswith(_SERVICE) and not code.co_filename.startswith(_PASSING)


def _name(code: CodeType) -> str:
    # A lambda or a comprehension is part of the function around it.
    return f"{code.co_filename.removeprefix(_SERVICE)}: {code.co_qualname.partition('.<locals>')[0]}"


def _is_whole(config: pytest.Config) -> bool:
    """Whether nothing was selected: with half of the tests, many functions have run on one engine only."""
    selections = ("keyword", "deselect", "ignore", "ignore_glob")
    return (
        config.args_source is pytest.Config.ArgsSource.TESTPATHS
        and config.option.markexpr in ("", *config.getini("addopts"))
        and not any(config.getoption(name) for name in selections)
    )
