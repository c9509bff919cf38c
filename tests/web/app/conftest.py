"""Fixtures of the web app's journeys: craftspeople with an account, a workshop and a phone."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.support.run.engines import runs_all
from tests.web import dom
from tests.web.app.craftspeople import PHONE, Craftsperson, craftsperson
from tests.web.contexts import Contexts
from tests.web.open_sign_up import OpenSignUpServer

OpenApp = Callable[..., Craftsperson]


@pytest.fixture(scope="package")
def deno(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dom.Deno]:
    with dom.running_deno(tmp_path_factory.mktemp("dom")) as running:
        yield running


@pytest.fixture(params=["deno", "contexts"] if runs_all() else None, ids={"contexts": "chromium"}.get)
def open_app(request: pytest.FixtureRequest, server: OpenSignUpServer) -> Iterator[OpenApp]:
    """Makes somebody with a new account, signed in. Afterwards asserts that no page wrote to the console.

    The app runs without layout; in a browser, too, where a run is of everything.
    """
    with opening(request.getfixturevalue(getattr(request, "param", "deno")), server) as open_app:
        yield open_app


@pytest.fixture(params=["deno", "contexts"] if runs_all() else None, ids={"contexts": "chromium"}.get)
def page_of_nobody(request: pytest.FixtureRequest, server: OpenSignUpServer) -> Iterator[Page]:
    """A blank page of somebody who is not signed in, in the pages of `open_app`."""
    pages = request.getfixturevalue(getattr(request, "param", "deno"))
    context = pages.open(server.url, viewport=PHONE, locale="en-IE")
    yield context.pages[0]
    if isinstance(pages, Contexts):
        pages.close(context, server.url)
    else:
        context.close()


@pytest.fixture
def open_phone(browser: Browser, contexts: Contexts, server: OpenSignUpServer) -> Iterator[OpenApp]:
    """As `open_app`, always in a browser: for what needs layout, the focus, the service worker or a clock."""
    with opening(contexts, server, browser) as open_app:
        yield open_app


@contextmanager
def opening(pages: Contexts | dom.Deno, server: OpenSignUpServer, browser: Browser | None = None) -> Iterator[OpenApp]:
    """`browser` is for people with a service worker."""
    people: list[Craftsperson] = []
    with ExitStack() as stack:

        def open_app(
            locale: str = "en",
            *,
            screen: Any = PHONE,
            email: str | None = None,
            first_run: bool = False,
            has_worker: bool = False,
        ) -> Craftsperson:
            """With `email`, another browser of somebody who has an account. `first_run` begins with the craft."""
            address, api = (email, server.signed_in(email)) if email else server.signed_in_account(locale)
            stack.callback(api.close)
            of = browser if has_worker and browser else pages
            person = stack.enter_context(craftsperson(of, server.url, api, address, screen, has_worker=has_worker))
            person.take_session()
            if not first_run:
                person.leave_first_run()
            people.append(person)
            return person

        yield open_app
        lines = [line for person in people for line in person.unexpected_lines]
    assert lines == []
