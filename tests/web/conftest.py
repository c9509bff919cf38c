"""Who acts on the pages: a running service that anybody may sign up at, and people with telephones."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.engines import new_file
from tests.support.server import free_port
from tests.web.browsers import Telephone, chromium, started
from tests.web.village import Village, lived_in


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Not for the session: while Playwright is open, no other test could run a loop of its own.
    path = chromium()
    if path is None:
        pytest.skip("no Chromium on this machine")
    with started(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Village]:
    """On SQLite alone: a page knows nothing of engines, and what it asks for is tried on both in tests/api."""
    mails: Path = tmp_path_factory.mktemp("mails")
    with lived_in(new_file(tmp_path_factory.mktemp("village")), mails, free_port()) as running:
        yield running


@pytest.fixture
def telephone(browser: Browser) -> Iterator[Callable[[str], Telephone]]:
    """Makes telephones that speak a language; in the end nothing has gone wrong in any."""
    telephones: list[Telephone] = []

    def made(language: str = "en") -> Telephone:
        telephones.append(Telephone(browser, language))
        return telephones[-1]

    yield made
    for each in telephones:
        each.context.close()
    assert [fault for each in telephones for fault in each.field_errors] == []
