"""The status page of an order in a browser with a phone's screen: reading, asking, both languages, light and dark."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.violations import violations
from tests.web.axe import breaches
from tests.web.browsers import PhoneBrowser
from tests.web.open_sign_up import OpenSignUpServer
from tests.web.shared_estimates import Owner

OpenBrowser = Callable[..., PhoneBrowser]
MOST_BYTES = 40_000


@pytest.fixture(scope="module")
def owner(server: OpenSignUpServer) -> Iterator[Owner]:
    opened = Owner(server)
    yield opened
    opened.close()


def new_order(owner: Owner, **details: Any) -> tuple[str, str]:
    """The id of an order, and the address of its page."""
    body = {"title": "Ring, two claws", "customerName": "Margaret Holloway"}
    order = owner.send("POST", f"/workshops/{owner.workshop}/orders", body)
    known = {
        "dueOn": "2030-12-04",
        "dueTime": "16:00",
        "item": {"description": "Ring, red stone", "pieces": 2},
        **details,
    }
    owner.send("PATCH", f"/orders/{order['id']}/details", known)
    return order["id"], owner.get(f"/orders/{order['id']}/status-link")["url"]


def present(page: Page) -> Any:
    return page.locator(".stages [aria-current=step]")


def test_a_customer_sees_how_the_order_stands_and_asks(owner: Owner, open_browser: OpenBrowser) -> None:
    order, url = new_order(owner, place="drawer B3", phone="601 222 333")
    browser = open_browser()
    page = browser.open(url)
    expect(present(page)).to_contain_text("Received")
    expect(page.locator("main")).to_contain_text("Ring, two claws")
    expect(page.locator("main")).to_contain_text("4 December 2030, 16:00")
    for private in ("drawer B3", "601 222 333", "Margaret"):
        assert private not in page.content()
    page.get_by_role("button", name="Send question").click()
    expect(page.get_by_text("Please write your question.")).to_be_visible()
    page.locator("#question").fill("Will it be ready by noon?")
    page.locator("#name").fill("Margaret")
    page.get_by_role("button", name="Send question").click()
    expect(page.locator("#question-note")).to_contain_text("Sent.")
    assert browser.changing_requests() == ["/client/order/questions"]
    owner.send("POST", f"/orders/{order}/questions", {"text": "Yes, at eleven."})
    owner.send("PATCH", f"/orders/{order}/status", {"status": "done"})
    page = browser.open(url)
    expect(present(page)).to_contain_text("Ready")
    expect(page.locator(".workshop")).to_contain_text("Yes, at eleven.")
    page.get_by_role("button", name="Polski").click()
    expect(present(page)).to_contain_text("Gotowe")
    assert page.locator("html").get_attribute("lang") == "pl"


def test_a_polish_phone_reads_polish_from_the_start(owner: Owner, open_browser: OpenBrowser) -> None:
    _, url = new_order(owner, waitingFor="parts")
    page = open_browser("pl-PL").open(url)
    expect(present(page)).to_contain_text("Czeka")
    expect(page.locator("main")).to_contain_text("4 grudnia 2030, 16:00")


def test_the_whole_page_is_at_most_40_kb(owner: Owner, open_browser: OpenBrowser) -> None:
    _, url = new_order(owner)
    # Of what is in the cache, nothing is received.
    browser = open_browser(is_new=True)
    page = browser.open(url)
    expect(present(page)).to_be_visible()
    page.evaluate("document.fonts.ready")
    sizes = [request.sizes()["responseBodySize"] for request in browser.requests if request.url != "about:blank"]
    assert len(sizes) > 5
    assert sum(sizes) <= MOST_BYTES


def test_the_page_is_accessible_and_fits_a_small_phone(owner: Owner, open_browser: OpenBrowser) -> None:
    _, url = new_order(owner, waitingFor="customer")
    browser = open_browser()
    browser.page.set_viewport_size({"width": 320, "height": 640})
    page = browser.open(url)
    # The policy of the page allows no other scripts; a session of the browser's own adds the checker.
    page.context.new_cdp_session(page).send("Page.setBypassCSP", {"enabled": True})
    with violations() as case:
        for other, heading in (("Polski", "Received"), ("English", "Przyjęte")):
            expect(page.get_by_role("button", name=other)).to_be_visible()
            for scheme in ("light", "dark"):
                with case(f"{heading}, {scheme}"):
                    page.emulate_media(color_scheme=scheme)
                    assert breaches(page) == []
            with case(f"{heading} of twice the size"):
                page.evaluate("document.documentElement.style.fontSize = '200%'")
                assert page.evaluate("document.documentElement.scrollWidth") <= 320
                page.evaluate("document.documentElement.style.fontSize = ''")
            page.get_by_role("button", name=other).click()


def test_for_a_signed_in_member_the_code_opens_the_order_in_the_app(
    owner: Owner, open_browser: OpenBrowser, server: OpenSignUpServer
) -> None:
    order, url = new_order(owner)
    browser = open_browser()
    browser.context.add_cookies(
        [{"name": name, "value": value, "url": server.url} for name, value in owner.cookies.items()]
    )
    page = browser.open(url)
    page.wait_for_url(f"**/orders/{order}")
    expect(page.get_by_role("heading", name="Ring, two claws")).to_be_visible()


def test_another_workshops_member_sees_the_page_of_the_customer(
    owner: Owner, open_browser: OpenBrowser, server: OpenSignUpServer
) -> None:
    _, url = new_order(owner)
    other = Owner(server)
    browser = open_browser()
    browser.context.add_cookies(
        [{"name": name, "value": value, "url": server.url} for name, value in other.cookies.items()]
    )
    page = browser.open(url)
    expect(present(page)).to_contain_text("Received")
    assert "/o/" in page.url
    other.close()


def test_an_old_code_says_that_it_has_ended(owner: Owner, open_browser: OpenBrowser) -> None:
    order, url = new_order(owner)
    owner.send("POST", f"/orders/{order}/status-link/renew", {})
    page = open_browser(expected=[401]).open(url)
    expect(page.get_by_role("heading", name="This code is no longer valid")).to_be_visible()
