"""Open files and connections: what a test leaves open is reported for that test, and not for a later one."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

_LINUX = Path("/proc/self/fd")


def open_files() -> set[str]:
    """What this process has open. On Linux by names that are not used again, such as `socket:[4711]`."""
    if not _LINUX.is_dir():
        return set(os.listdir("/dev/fd"))  # noqa: PTH208 - before and after each test: pathlib takes four times as long
    names = set()
    for number in os.listdir(_LINUX):  # noqa: PTH208 - as above
        # The list itself is closed by now.
        with suppress(OSError):
            names.add(os.readlink(f"{_LINUX}/{number}"))  # noqa: PTH115 - as above
    return names


def _collect_what_is_left() -> Iterator[None]:
    """Python warns of what is left open where it collects it, which may be many tests later.

    To collect after each test would take longer than many of them, so only where something more is open than before.
    What was imported meanwhile stays to the end: a later collection would look through it in vain, for 0.1 s each.
    """
    before, modules = open_files(), len(sys.modules)
    yield
    has_imported = len(sys.modules) > modules
    if has_imported or open_files() - before:
        gc.collect()
    if has_imported:
        gc.freeze()


# Begun before all other fixtures, so that these have ended: those of a test, and those of a module.
check_test = pytest.fixture(_collect_what_is_left, autouse=True, name="check_test")
check_module = pytest.fixture(_collect_what_is_left, scope="module", autouse=True, name="check_module")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Function) -> None:
    # What fixtures gave to the test is used no more.
    item.funcargs.clear()
