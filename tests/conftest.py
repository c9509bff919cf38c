"""Fixtures for all tests: an app on each database engine."""

import gc
import shutil
import signal
import sys
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.hang_limit import pytest_pyfunc_call as pytest_pyfunc_call
from tests.people import PASSWORD, App
from tests.support.assertion_guard import guard
from tests.support.cluster.figures import figures
from tests.support.databases import (
    drop_databases,
    lasting,
    migrated_database,
    migrated_file,
    new_database,
    new_file,
    postgres_server,
    running_app,
)
from tests.support.run.bytecode import Bytecode
from tests.support.run.engines import ENGINES, EngineChoice
from tests.support.run.open_files import check_module as check_module
from tests.support.run.open_files import check_test as check_test
from tests.support.run.open_files import pytest_runtest_teardown as pytest_runtest_teardown
from tests.support.run.order import ShuffledOrder
from tests.support.run.skips import skip_lines
from tests.support.run.storage_functions import StorageFunctions
from tests.support.run_folder import begin_run, end_run, interrupt_workers
from tests.support.secret_log_check import LogOutput, capture_logs, remember_secrets


def pytest_configure(config: pytest.Config) -> None:
    # Each process imports every test. A third of that time would be collections of garbage that is not there, and the
    # grammars with which jsonschema checks a format that no schema of ours has.
    gc.disable()
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
    # An example on a busy machine may take long, and so may making it up: no test depends on time.
    slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("no-deadline", deadline=None, suppress_health_check=slow)
    hypothesis.settings.load_profile("no-deadline")
    guard.counts(pytest.RaisesExc, "__exit__")
    config.pluginmanager.register(guard)
    config.pluginmanager.register(Bytecode())
    config.pluginmanager.register(EngineChoice())
    config.pluginmanager.register(ShuffledOrder())
    config.pluginmanager.register(StorageFunctions(), "storage_functions")
    # As Ctrl-C does: fixtures end what they have started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        folder = begin_run()
        config.add_cleanup(lambda: end_run(folder))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


_has_failed = False


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    global _has_failed
    _has_failed = _has_failed or report.failed


def pytest_runtest_logfinish() -> None:
    """Collects what a failed test has left open, without its warnings: the next test would fail by them."""
    global _has_failed
    if _has_failed:
        _has_failed = False
        # These keep the failed test's variables.
        for name in ("last_exc", "last_value", "last_traceback"):
            setattr(sys, name, None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()


def pytest_keyboard_interrupt() -> None:
    interrupt_workers()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for text in skip_lines(terminalreporter.getreports("skipped")):
        terminalreporter.line(text)
    if figures:
        terminalreporter.section("figures")
        for text in figures:
            terminalreporter.line(text)


@pytest.fixture(scope="session", autouse=True)
def logs() -> Iterator[LogOutput]:
    """The log of the whole run, which must not contain a secret of any test."""
    lines = capture_logs()
    remember_secrets(PASSWORD)
    yield lines
    assert lines.with_secrets() == []


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, Any]]:
    # The event loop of the server.
    return ("asyncio", {"use_uvloop": True})


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="module", autouse=True)
def databases_of_module() -> Iterator[None]:
    """Begun before other fixtures of a module, so that these have ended."""
    yield
    drop_databases()


@pytest.fixture(scope="session", params=ENGINES)
def empty_database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """Makes a new, empty database on the engine of this parameter and returns its URL."""
    if request.param == "sqlite":
        folder: Path = tmp_path_factory.mktemp("empty")
        return lambda: new_file(folder)
    server = request.getfixturevalue("postgres")
    return lambda: new_database(server)


@pytest.fixture(scope="session", params=ENGINES)
def new_database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """Makes a new database with all tables and no rows, on the engine of this parameter, and returns its URL."""
    if request.param == "sqlite":
        folder: Path = tmp_path_factory.mktemp("databases")
        file = migrated_file(folder)

        def copied() -> str:
            url = new_file(folder)
            shutil.copy(file, url.removeprefix("sqlite:///"))
            return url

        return copied
    server = request.getfixturevalue("postgres")
    template = migrated_database(server)
    return lambda: new_database(server, template)


@pytest.fixture(scope="session")
async def app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """One app per engine for all tests; every test creates people of its own."""
    async with running_app(lasting(new_database_url())) as opened:
        yield opened


@pytest.fixture(scope="session")
async def free_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """One whose workshops are on free until they have another plan, as where a host sells pro."""
    async with running_app(lasting(new_database_url()), default_plan="free") as opened:
        yield opened
