"""Pages without layout: an expectation that is not true fails, and one that comes true later is waited for.

And what a test says of a request whose page is gone changes nothing, as in a browser.
"""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from tests.support.violations import violations
from tests.web.app.conftest import opening
from tests.web.app.craftspeople import PHONE
from tests.web.dom import Deno, Expectation
from tests.web.dom.driver import Page, Route
from tests.web.open_sign_up import OpenSignUpServer

_PAGE = """() => {
  document.body.innerHTML = `
    <main><h1 class="head" title="Head">Oak table</h1><p>one</p><p>two</p>
    <label>Sum <input id="sum" value="12"></label>
    <label><input type="checkbox" id="on" checked> On</label><label><input type="checkbox" id="off"> Off</label>
    <button id="busy" disabled>Busy</button><button id="free">Free</button><p id="hidden" hidden>gone</p></main>`;
  document.querySelector("#sum").focus();
}"""
# By name: a selector, what is true of what it finds, and what is not.
CASES: dict[str, tuple[str, tuple[Any, ...], tuple[str, tuple[Any, ...]]]] = {
    "to_be_visible": ("h1", (), ("#hidden", ())),
    "to_be_attached": ("#hidden", (), ("table", ())),
    "to_be_enabled": ("#free", (), ("#busy", ())),
    "to_be_disabled": ("#busy", (), ("#free", ())),
    "to_be_checked": ("#on", (), ("#off", ())),
    "to_be_focused": ("#sum", (), ("#on", ())),
    "not_to_be_focused": ("#on", (), ("#sum", ())),
    "to_have_count": ("p", (3,), ("p", (0,))),
    "to_have_value": ("#sum", ("12",), ("#sum", ("13",))),
    "to_have_attribute": ("h1", ("title", "Head"), ("h1", ("title", "Foot"))),
    "not_to_have_attribute": ("h1", ("title", "Foot"), ("h1", ("title", "Head"))),
    "to_have_text": ("h1", ("Oak table",), ("h1", ("Oak",))),
    "not_to_have_text": ("h1", ("Oak",), ("h1", ("Oak table",))),
    "to_contain_text": ("h1", ("Oak",), ("h1", ("Ash",))),
    "not_to_contain_text": ("h1", ("Ash",), ("h1", ("Oak",))),
    "to_have_url": ("html", ("**/customers",), ("html", ("**/elsewhere",))),
}


@pytest.fixture
def page(deno: Deno, server: OpenSignUpServer) -> Iterator[Page]:
    with opening(deno, server) as open_app:
        anna = open_app()
        anna.open("/customers")
        anna.sees("Customers")
        anna.page.evaluate(_PAGE)
        yield cast(Page, anna.page)


def test_every_expectation_fails_where_it_is_not_so(page: Page) -> None:
    kinds = {name for name in vars(Expectation) if name.startswith(("to_", "not_to_"))}
    assert kinds == CASES.keys()
    with violations() as case:
        for name, (selector, arguments, (other, others)) in CASES.items():
            with case(name):
                getattr(Expectation(page.locator(selector)), name)(*arguments)
                with pytest.raises(AssertionError):
                    getattr(Expectation(page.locator(other), milliseconds=60), name)(*others)


def test_an_expectation_waits_for_what_comes_later(page: Page) -> None:
    page.evaluate("() => void setTimeout(() => document.querySelectorAll('p').forEach((one) => one.remove()), 60)")
    Expectation(page.locator("p")).to_have_count(0)
    assert page.locator("p").count() == 0


def test_a_route_that_is_decided_after_its_page_is_gone_is_ignored(deno: Deno, server: OpenSignUpServer) -> None:
    context = deno.open(server.url, viewport=PHONE, locale="en-IE")
    waiting: list[Route] = []
    context.route("**/later/*", waiting.append)
    for name in ("left", "closed", "fetched", "aborted"):
        context.page.goto(f"{server.url}/about")
        context.page.evaluate(f"void fetch('/later/{name}').catch(() => null)")
    while len(waiting) < 4:
        context.page.wait_for_timeout(5)
    assert waiting[0].fetch().status == 404
    waiting[0].continue_()
    # Asked while it is closed, by what a page sends at its end.
    context.route("**/last", lambda route: route.fulfill(response=route.fetch()))
    context.page.evaluate(
        "addEventListener('pagehide', () => void fetch('/last', { keepalive: true }).catch(() => null))"
    )
    fetched = waiting[2].fetch()
    context.close()
    waiting[1].continue_()
    waiting[2].fulfill(response=fetched)
    waiting[3].abort()
    # What the process has written by then is read.
    deno.open(server.url, viewport=PHONE, locale="en-IE").close()
