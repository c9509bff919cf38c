"""Reads that fail are repeated: each screen that is opened without a connection or a server gets its content."""

import re
from collections.abc import Callable

from playwright.sync_api import Route

from tests.web import dom
from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import Craftsperson
from tests.web.app.screens import COUNT_REQUESTS, SHOW, screens
from tests.web.app.test_send import estimate_of

# What stands where something does not exist any more.
_GONE = re.compile(r"deleted|no longer|is not here|gone")
_LOADING = "Loading"
_RETRY = "Try again"
# The screen is another one, and for some moments nothing is read and no text changes.
_SETTLED = """async (moments) => {
    let text;
    for (let quiet = 0; quiet < moments; quiet += 1) {
        await new Promise((done) => setTimeout(done, 10));
        const present = document.querySelector("main:not([data-left])")?.textContent;
        if (window.requests > 0 || present === undefined || present !== text) quiet = 0;
        text = present;
    }
    return text;
}"""
# As on a device that has not read these.
_FORGET = """async (ids) => {
    const { $state_outbox: { replica } } = await import(document.querySelector("script[type=module]").src);
    const of = /^(order|estimate$|document|invoice|customer)/;
    const kinds = Object.keys(replica.views).filter((kind) => of.test(kind));
    await replica.commit({ removed: kinds.flatMap((kind) => ids.map((id) => [kind, id])) });
}"""
# Of a list that the server filters, and that no other screen has read.
_ADDRESSES = {"/estimates": "/estimates?stage=draft"}
# What helps alone may be missing: words to choose from at the intake, proposed customers, the history of a customer.
_HELP = re.compile(r"(?<=would say it).*(?=PhotosCamera)|From your estimates.*\+ Margaret|Nothing yet\.")
# What the whole app reads all the time asks again by itself.
_OF_SCREENS = re.compile(r"/api/(?!boot|events|workshops/[^/]+/changes)")


def furnished(anna: Craftsperson) -> dict[str, str]:
    """The ids of one of each object that a screen is of."""
    order = anna.post("/workshops/{workshop}/orders", {"title": "Chairs", "customerName": "Ewa"})["id"]
    line = {"label": "Oak top", "unit": "piece", "quantity": 1, "unitPrice": 80}
    invoice = anna.post(f"/orders/{order}/invoices", {"kind": "invoice", "lines": [line]})["id"]
    anna.post(f"/orders/{order}/payments", {"kind": "payment", "amount": 10, "method": "cash"})
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    estimate_of(anna, name="Table")
    anna.post(f"/estimates/{estimate}/links", {"locale": "en"})
    return {
        "orderId": order,
        "invoiceId": invoice,
        "estimateId": estimate,
        "customerId": anna.post("/workshops/{workshop}/customers", {"name": "Ewa"})["id"],
        "gridId": anna.post("/workshops/{workshop}/grids", {"name": "Parts", "iconSize": "medium"})["id"],
        "month": anna.get("/workshops/{workshop}/numbers")["months"][-1]["month"],
    }


def settled(person: Craftsperson) -> str:
    context: object = person.context
    # A browser loads modules meanwhile.
    return str(person.page.evaluate(_SETTLED, 3 if isinstance(context, dom.Context) else 15))


def look(person: Craftsperson, broken: Callable[[], None], mended: Callable[[], None]) -> list[str]:
    """What is wrong with each screen that is opened while something is broken."""
    ids = furnished(person)
    person.context.add_init_script(COUNT_REQUESTS)
    person.open("/")
    person.until(person.has_lists)
    settled(person)
    found: list[tuple[str, str, str]] = []
    for screen in screens():
        if screen.needs == "nothing":
            continue
        path = _ADDRESSES.get(screen.path) or screen.path_of(ids)
        person.page.evaluate(_FORGET, [id_ for name, id_ in ids.items() if f":{name}" in screen.path])
        broken()
        person.page.evaluate(SHOW, path)
        first = settled(person)
        mended()
        settled(person)
        retry = person.page.locator("main").get_by_role("button", name=_RETRY)
        for _ in range(5):
            if not retry.count():
                break
            retry.first.click()
            settled(person)
        # A read that began late has taken the button away.
        found.append((path, first, settled(person)))
    wrong = []
    for path, first, last in found:
        person.page.evaluate(SHOW, "/shop")
        settled(person)
        person.page.evaluate(SHOW, path)
        wanted = settled(person)
        if _HELP.sub("", last) != _HELP.sub("", wanted):
            wrong.append(f"{path}: {last!r} and not {wanted!r}")
        if not first.strip() or _GONE.search(first):
            wrong.append(f"{path} while something fails: {first!r}")
    return wrong


def test_screens_that_are_opened_without_a_connection_have_their_content_once_it_is_back(open_app: OpenApp) -> None:
    anna = open_app()

    def broken() -> None:
        anna.page.evaluate("() => void dispatchEvent(new Event('offline'))")
        anna.page.route("**/api/**", lambda route: route.abort())

    def mended() -> None:
        anna.page.unroute_all()
        anna.page.evaluate("() => void dispatchEvent(new Event('online'))")

    assert "\n".join(look(anna, broken, mended)) == ""


def test_screens_of_which_each_read_fails_once_have_their_content_or_a_way_to_it(open_app: OpenApp) -> None:
    anna = open_app()
    anna.expects(503)

    def broken() -> None:
        asked: set[str] = set()

        def fail_once(route: Route) -> None:
            url = route.request.url
            if route.request.method != "GET" or url in asked or not _OF_SCREENS.search(url):
                route.continue_()
            else:
                asked.add(url)
                route.fulfill(status=503, headers={"X-Request-Id": "1"})

        anna.page.route("**/api/**", fail_once)

    assert "\n".join(look(anna, broken, anna.page.unroute_all)) == ""
