"""Fixtures of the web app's journeys: craftspeople with an account, a workshop and a phone."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.app.craftspeople import PHONE, Craftsperson, craftsperson
from tests.web.contexts import Contexts
from tests.web.open_sign_up import OpenSignUpServer

OpenApp = Callable[..., Craftsperson]


@pytest.fixture
def open_app(browser: Browser, contexts: Contexts, server: OpenSignUpServer) -> Iterator[OpenApp]:
    """Makes somebody with a new account, signed in. Afterwards asserts that no page wrote to the console."""
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
            opened = craftsperson(
                browser if has_worker else contexts, server.url, api, address, screen, has_worker=has_worker
            )
            person = stack.enter_context(opened)
            person.take_session()
            if not first_run:
                person.leave_first_run()
            people.append(person)
            return person

        yield open_app
        lines = [line for person in people for line in person.unexpected_lines]
    assert lines == []
