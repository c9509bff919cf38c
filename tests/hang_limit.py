"""An end for tests that hang: a coroutine that takes too long fails, and where each task waits is printed before.

What hangs outside of a coroutine is shown by `faulthandler_timeout` in pyproject.toml, and goes on.
"""

import asyncio
import functools
import inspect
import os
import sys
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest

# A proof may take an hour, and a test on a busy machine minutes.
SECONDS = 3_600.0 if "PROVE" in os.environ else 600.0


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    # A generated test is a plain function, which runs its coroutine itself.
    if inspect.iscoroutinefunction(pyfuncitem.obj) and not hasattr(pyfuncitem.obj, "hypothesis"):
        pyfuncitem.obj = limited(pyfuncitem.obj, SECONDS)
    return (yield)


def limited(test: Callable[..., Awaitable[None]], seconds: float) -> Callable[..., Awaitable[None]]:
    @functools.wraps(test)
    async def run(**values: Any) -> None:
        # Before the end of the time: it ends what waits in the test.
        printing = asyncio.get_running_loop().call_later(seconds, _print_tasks)
        try:
            async with asyncio.timeout(seconds + 0.1):
                await test(**values)
        finally:
            printing.cancel()

    return run


def _print_tasks() -> None:
    for task in asyncio.all_tasks():
        sys.stderr.write("\n  ".join([f"{task.get_name()} waits in", *_places(task.get_coro())]) + "\n")


def _places(waiting: Any) -> Generator[str]:
    """From the outermost coroutine to the innermost one."""
    while waiting is not None:
        frame = getattr(waiting, "cr_frame", None) or getattr(waiting, "ag_frame", None)
        if frame is not None:
            yield f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"
        waiting = getattr(waiting, "cr_await", None) or getattr(waiting, "ag_await", None)
