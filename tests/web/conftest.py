"""Fixtures for tests of web pages: a running server with open sign-up, and browsers."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.support.assertion_guard import guard
from tests.support.databases import new_file
from tests.support.server import free_port
from tests.web.browsers import SCREEN, PhoneBrowser, chromium, started
from tests.web.contexts import Contexts
from tests.web.dom import Expectation
from tests.web.firefox import Firefox, firefox, running_firefox
from tests.web.open_sign_up import OpenSignUpServer, running_open_sign_up_server

# Long enough for a machine that does much else; no test asserts how long something takes.
expect.set_options(timeout=60_000)
guard.counts(type(expect), "__call__")
for name in ("expects", "to_have_url"):
    guard.counts(Expectation, name)


# For all modules of this folder: a browser and a server take as much processor time to start as a journey. Not
# session-wide: while Playwright is open, no other test can run an event loop, so none in this folder does.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("no Chromium on this machine, or in CHROMIUM: nothing in a browser was tested")
    with started(path) as opened:
        yield opened


@pytest.fixture(scope="package")
def contexts(browser: Browser) -> Contexts:
    return Contexts(browser)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenSignUpServer]:
    """On SQLite only: the tests of the nouns cover the requests of the pages on both engines."""
    emails: Path = tmp_path_factory.mktemp("emails")
    with running_open_sign_up_server(new_file(tmp_path_factory.mktemp("database")), emails, free_port()) as running:
        yield running


@pytest.fixture(scope="package")
def running_fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    program = firefox()
    if program is None:
        pytest.skip("no Firefox on this machine")
    with running_firefox(program, tmp_path_factory.mktemp("firefox")) as opened:
        yield opened


@pytest.fixture
def fox(running_fox: Firefox) -> Iterator[Firefox]:
    yield running_fox
    running_fox.close_pages()


@pytest.fixture
def open_browser(contexts: Contexts, server: OpenSignUpServer) -> Iterator[Callable[..., PhoneBrowser]]:
    """Opens browsers with a language, the service worker, and the statuses from 400 on that the journey provokes;
    afterwards asserts that none had an error."""
    browsers: list[PhoneBrowser] = []

    def open_browser(
        language: str = "en", *, has_worker: bool = False, is_new: bool = False, expected: Iterable[int] = ()
    ) -> PhoneBrowser:
        options: dict[str, Any] = {"viewport": SCREEN, "locale": language, "reduced_motion": "reduce"}
        context = contexts.open(server.url, is_new=is_new or has_worker, **options)
        browsers.append(PhoneBrowser(context, has_worker=has_worker))
        browsers[-1].expected.update(expected)
        return browsers[-1]

    yield open_browser
    for each in browsers:
        contexts.close(each.context, server.url)
    assert [error for each in browsers for error in each.errors] == []
