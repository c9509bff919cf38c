"""What every test may ask for: a shop on each engine."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.people import PASSWORD, Shop
from tests.support.canaries import Lines, listen, remember
from tests.support.engines import new_database, new_file, opened_shop, postgres_server


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
def new_database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """Makes a fresh, empty database on the engine of this turn and gives its URL."""
    if request.param == "sqlite":
        folder: Path = tmp_path_factory.mktemp("shops")
        return lambda: new_file(folder)
    server = request.getfixturevalue("postgres")
    return lambda: new_database(server)


@pytest.fixture(scope="session")
async def shop(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """One shop an engine for all tests: its people are new in every test."""
    async with opened_shop(new_database_url()) as opened:
        yield opened
