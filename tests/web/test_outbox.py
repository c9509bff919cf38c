"""The data of the web app in a browser, against the server: what is done without a connection arrives once.

What needs no storage, locks or messages of a browser is in app/test_sessions.py.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

from backbench.site.site import site
from tests.people import PASSWORD
from tests.support.databases import new_file
from tests.support.server import free_port
from tests.web.browsers import PhoneBrowser
from tests.web.open_sign_up import OpenSignUpServer, running_open_sign_up_server

_STATE = [
    "session",
    "signed_in",
    "workshops",
    "orders",
    "estimates",
    "totals",
    "outbox",
    "summaries",
    "live",
    "connection",
    "grids",
    "status",
]
_MODULES = [f"$state_{name}" for name in _STATE]
# Each module, and the file that it is a part of.
_FILES = {
    module: path
    for path, code in site().app.files.items()
    for module in _MODULES
    if path.endswith(".js") and f"const {module} =".encode() in code
}
_LOAD = """async files => {
    const main = document.querySelector("script[type=module]").src;
    const load = async ([module, file]) => (await import(main.replace("main.js", file)))[module];
    const modules = await Promise.all(Object.entries(files).map(load));
    globalThis.app = Object.assign({}, ...modules);
    while (app.session.value.phase === "starting") await new Promise(requestAnimationFrame);
    return app.session.value.phase;
}"""
_SIGN_IN = "([email, password]) => app.signIn(email, password)"
_IS_READY = "() => app.hasOrders.value && app.documentSettings.value !== null"
_IS_SENT = "() => { app.wake(); return app.items.value.length === 0; }"


def signed_in(browser: PhoneBrowser, server: OpenSignUpServer, email: str, url: str = "") -> Page:
    """Signs in at the server, or at the proxy in front of it."""
    page = browser.open(f"{url or server.url}/")
    assert page.evaluate(_LOAD, _FILES) == "signed-out"
    page.evaluate(_SIGN_IN, [email, PASSWORD])
    page.wait_for_function(_IS_READY)
    return page


def another_page(browser: PhoneBrowser, server: OpenSignUpServer) -> Page:
    """A further page of the account that is signed in."""
    page = browser.context.new_page()
    page.goto(f"{server.url}/")
    assert page.evaluate(_LOAD, _FILES) == "signed-in"
    page.wait_for_function(_IS_READY)
    return page


def with_a_clock_that_stands(browser: PhoneBrowser, server: OpenSignUpServer) -> tuple[Page, Page]:
    """Two pages of an account. No timer of the first one comes to its end."""
    browser.page.clock.install()
    one = signed_in(browser, server, server.active_account())
    other = another_page(browser, server)
    one.clock.pause_at(one.evaluate("Date.now()") / 1000 + 1)
    return one, other


def test_what_was_done_without_a_connection_arrives_once(
    tmp_path: Path, open_browser: Callable[..., PhoneBrowser]
) -> None:
    """The server is stopped: a browser that is only set offline still answers some requests."""
    database, port = new_file(tmp_path), free_port()
    with running_open_sign_up_server(database, tmp_path, port) as server:
        email = server.active_account()
        page = signed_in(open_browser(has_worker=True), server, email)
        page.wait_for_function("() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)")
    page.evaluate(_WITHOUT_CONNECTION)
    page.goto("about:blank")
    # The app starts from what the service worker has stored, on any of its addresses.
    page.goto(f"{server.url}/estimates")
    page.wait_for_selector("main")
    stored = "caches.keys().then(names => caches.open(names[0])).then(cache => cache.keys())"
    paths = page.evaluate(f"{stored}.then(keys => keys.map(key => new URL(key.url).pathname))")
    assert [path for path in paths if not path.startswith("/app/")] == []
    assert page.evaluate(_LOAD, _FILES) == "signed-in"
    page.wait_for_function("() => !app.connection.value.online")
    assert page.evaluate(_SHOWN) == ["Oak table", "in_progress", 2, "77.00"]
    with running_open_sign_up_server(database, tmp_path, port):
        page.wait_for_function(_IS_SENT)
        page.evaluate("() => app.openEstimate(app.estimates.value[0].id)")
        assert page.evaluate(_SHOWN) == ["Oak table", "in_progress", 2, "77.00"]
        sent = requests_of(page)
        assert [sent["orders"], sent["estimates"]] == [1, 1]
        assert sent["history"] == ["todo", "in_progress"]


_WITHOUT_CONNECTION = """async () => {
    const order = app.createOrder("Table", "Aoife");
    app.editOrder(order, { title: "Oak table" });
    app.moveOrder(order, "in_progress");
    const estimate = app.createEstimate({ name: "Kitchen" });
    const line = app.addLine(estimate, { label: "Oak", unit: "sqm", unitPrice: 12.5, quantity: 4 });
    app.addLine(estimate, { label: "Work", unit: "hour", unitPrice: 27, quantity: 1 });
    app.editLine(estimate, line, { quantity: 4 });
    await app.replica.saved();
}"""
_SHOWN = """() => {
    const [order] = app.orders.value;
    const [estimate] = app.estimates.value;
    return [order.title, order.status, estimate.lineItems.length, app.totals(estimate.id).value.total];
}"""


def requests_of(page: Page) -> dict[str, Any]:
    """What the server has."""
    found: dict[str, Any] = page.evaluate("""async () => {
        const list = async name => (await (await fetch(`/api/workshops/${app.workshopId.value}/${name}`)).json())[name];
        const [orders, estimates] = [await list("orders"), await list("estimates")];
        return {
            orders: orders.length,
            estimates: estimates.length,
            history: orders[0].statusHistory.map(change => change.status),
        };
    }""")
    return found


def test_two_pages_of_a_browser_share_their_data(
    server: OpenSignUpServer, open_browser: Callable[..., PhoneBrowser]
) -> None:
    browser = open_browser()
    one = signed_in(browser, server, server.active_account())
    other = another_page(browser, server)
    other.evaluate("() => app.createOrder('Oak bench', 'Ada')")
    one.wait_for_function("() => app.orders.value.length === 1 && app.items.value.length === 0")
    assert one.evaluate("() => app.orders.value[0].id") == other.evaluate("() => app.orders.value[0].id")


def test_what_a_closed_page_did_not_send_is_sent_by_another_at_once(
    server: OpenSignUpServer, open_browser: Callable[..., PhoneBrowser]
) -> None:
    # What is sent is sent because the page is gone.
    one, other = with_a_clock_that_stands(open_browser(), server)
    other.evaluate("() => { app.pause(); app.createOrder('Oak bench', 'Ada'); return app.replica.saved(); }")
    one.wait_for_function("() => app.items.value.length === 1")
    one.evaluate("() => app.flush()")
    assert one.evaluate("() => app.items.value.length") == 1
    other.close()
    one.wait_for_function("() => app.items.value.length === 0")
    assert one.evaluate("() => app.orders.value.map(({ title }) => title)") == ["Oak bench"]


def test_what_a_page_did_not_send_is_sent_although_it_closed_while_something_was_being_sent(
    server: OpenSignUpServer, open_browser: Callable[..., PhoneBrowser]
) -> None:
    one, other = with_a_clock_that_stands(open_browser(), server)
    held: list[Route] = []
    one.route("**/orders", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    other.evaluate("() => { app.pause(); app.createOrder('Oak bench', 'Ada'); return app.replica.saved(); }")
    one.wait_for_function("() => app.items.value.length === 1")
    with one.expect_request(lambda request: request.method == "POST"):
        one.evaluate("() => void app.createOrder('Oak chair', 'Ada')")
    other.close()
    one.wait_for_function(_IS_ONE_PAGE)
    held.pop().continue_()
    one.unroute("**/orders")
    # No later than with the next turn of its timers.
    one.clock.run_for(1_000)
    one.wait_for_function("() => app.items.value.length === 0")
    assert one.evaluate("() => app.orders.value.map(({ title }) => title).sort()") == ["Oak bench", "Oak chair"]


_IS_ONE_PAGE = """async () => {
    const { held, pending } = await navigator.locks.query();
    return [...held, ...pending].filter(({ name }) => name.startsWith("backbench-page-")).length === 1;
}"""


def test_signing_out_removes_the_data(server: OpenSignUpServer, open_browser: Callable[..., PhoneBrowser]) -> None:
    page = signed_in(open_browser(), server, server.active_account())
    page.evaluate("() => app.settle(app.createOrder('Oak bench', 'Ada'))")
    with page.expect_navigation():
        page.evaluate("() => void app.signOut()")
    assert page.evaluate(_LOAD, _FILES) == "signed-out"
    assert page.evaluate("() => app.orders.value.length") == 0
    names = "async () => (await indexedDB.databases()).map(({ name }) => name)"
    assert page.evaluate(names) == []
