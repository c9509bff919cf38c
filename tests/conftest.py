"""What every test may ask for: a shop on each engine."""

import shutil
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.people import PASSWORD, Shop
from tests.support.canaries import Lines, listen, remember
from tests.support.engines import migrated_database, migrated_file, new_database, new_file, opened_shop, postgres_server
from tests.support.run_folder import begin_run, end_run, interrupt_workers


def pytest_configure(config: pytest.Config) -> None:
    # As Ctrl-C does: fixtures end what they have started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        folder = begin_run()
        config.add_cleanup(lambda: end_run(folder))


def pytest_keyboard_interrupt() -> None:
    interrupt_workers()


@pytest.fixture(scope="session", autouse=True)
def logs() -> Iterator[Lines]:
    """What the whole run has logged; no secret of any test may stand in it."""
    lines = listen()
    remember(PASSWORD)
    yield lines
    assert lines.found() == []


ENGINES = ("sqlite", "postgres")


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return ("asyncio", {"use_uvloop": False})


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    with postgres_server() as server:
        yield server


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
        folder: Path = tmp_path_factory.mktemp("shops")
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
async def shop(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """One shop an engine for all tests: its people are new in every test."""
    async with opened_shop(new_database_url()) as opened:
        yield opened
