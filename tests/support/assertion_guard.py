"""Guard against tests that cannot fail: a test in which no assertion has run fails.

Judged by what runs, so no list of helpers is needed. What counts: an `assert` that passes in a module that pytest
rewrites, which are the test modules and `tests/support/cluster`; an exception that `pytest.raises` expected; a call of
Playwright's `expect`. An `assert` of the people and servers of `tests/support` does not: it arranges.
"""

import sys
from collections.abc import Callable, Generator
from functools import wraps
from typing import Any

import pytest
from _pytest.assertion import rewrite


class AssertionGuard:
    """A plugin of pytest. It needs `enable_assertion_pass_hook`, with which each `assert` that passes asks pytest
    whether any plugin wants it explained."""

    def __init__(self) -> None:
        self.has_asserted = False
        rewrite._check_if_assertion_pass_impl = self._note

    def _note(self) -> bool:
        """No explanation: it takes 140 µs, and as long as to print them for large values.

        Plugins are rewritten, too, and the one of anyio asserts while it runs a test.
        """
        self.has_asserted |= "site-packages" not in sys._getframe(1).f_code.co_filename
        return False

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
        # Fixtures and plugins assert, too, before the test runs.
        self.has_asserted = False
        result = yield
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
