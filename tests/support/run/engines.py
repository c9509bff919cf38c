"""Engines: which of them tests with a database, and tests of pages, run on.

All run on SQLite. On PostgreSQL run those that are marked `both_engines`. Journeys through the app that need no layout
run without a browser. With `TEST_ENGINES=all` all tests run on PostgreSQL and those journeys in a browser, too, and
what is marked `all_only`.
"""

import os

import pytest

ENGINES = ("sqlite", "postgres")


def runs_all() -> bool:
    return os.environ.get("TEST_ENGINES") == "all"


class EngineChoice:
    """A plugin of pytest. The end of a run says how many cases it left out."""

    def __init__(self, *, is_all: bool | None = None) -> None:
        self._is_all = runs_all() if is_all is None else is_all
        self._left_out = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        left_out = [] if self._is_all else [item for item in items if is_left_out(item)]
        self._left_out = len(left_out)
        if left_out:
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if not is_left_out(item)]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        # A worker of pytest-xdist sends it to the process that prints.
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = self._left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        self._left_out = getattr(node, "workeroutput", {}).get("left_out", self._left_out)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._left_out:
            left_out = f"{self._left_out} deselected: cases on PostgreSQL or in another browser"
            terminalreporter.line(f"{left_out}; TEST_ENGINES=all runs all tests")


def is_left_out(item: pytest.Item) -> bool:
    """Whether it runs with `TEST_ENGINES=all` alone."""
    if item.get_closest_marker("all_only") is not None:
        return True
    callspec = getattr(item, "callspec", None)
    is_on_postgres = callspec is not None and "postgres" in callspec.params.values()
    return is_on_postgres and item.get_closest_marker("both_engines") is None
