"""Guard against tests that cannot fail: a test in which no assertion has run fails.

Judged by what runs, so no list of helpers is needed. What counts: an `assert` that passes in a module that pytest
rewrites, which are the test modules and `tests/support/cluster`; an exception that `pytest.raises` expected; a call of
Playwright's `expect`. An `assert` of the people and servers of `tests/support` does not: it arranges.
"""

from collections.abc import Callable, Generator
from functools import wraps
from typing import Any

import pytest
from _pytest.assertion import util


class AssertionGuard:
    """A plugin of pytest. Its assertion hook needs `enable_assertion_pass_hook`."""

    def __init__(self) -> None:
        self.is_running = self.has_asserted = False

    def pytest_assertion_pass(self) -> None:
        # Fixtures and plugins assert, too, before the test runs.
        if self.is_running:
            self.has_asserted = True
            # One is enough: pytest would explain each assertion that passes, 140 µs. It sets this for each test.
            util._assertion_pass = None

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
        self.is_running, self.has_asserted = True, False
        try:
            result = yield
        finally:
            self.is_running = False
        if not self.has_asserted:
            pytest.fail(f"{pyfuncitem.name} has asserted nothing", pytrace=False)
        return result

    def counts(self, owner: type, name: str) -> None:
        """Lets each call of the method that returns be an assertion."""
        call: Callable[..., Any] = getattr(owner, name)

        @wraps(call)
        def counted(*arguments: Any, **named: Any) -> Any:
            result = call(*arguments, **named)
            self.has_asserted = True
            return result

        setattr(owner, name, counted)


guard = AssertionGuard()
