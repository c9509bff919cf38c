"""The list of estimates, and the revisions of one."""

from typing import Any

from playwright.sync_api import Route

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import Craftsperson, expect

_RENAME = """async ([workshop, id]) => {
    const { $state_outbox } = await import(document.querySelector("script[type=module]").src);
    const fields = { name: "Oak kitchen" };
    $state_outbox.enqueue("estimate.edit", id, workshop, { fields }, { name: "Kitchen" });
}"""


def estimate(person: Craftsperson, name: str, price: float, client: str = "Orla Hayes") -> Any:
    line = {"label": "Worktop", "unit": "linear_m", "unitPrice": price, "quantity": 2}
    body = {"name": name, "recipientName": client, "lineItems": [line]}
    return person.post("/workshops/{workshop}/estimates", body)


def confirm(person: Craftsperson, id_: str) -> None:
    person.post(f"/estimates/{id_}/confirm", None)


def sent(person: Craftsperson, id_: str) -> None:
    body = {"kind": "email-opened", "locale": "en", "preliminary": False, "tone": "friendly", "aiDrafted": False}
    person.post(f"/estimates/{id_}/handoffs", body)


def test_estimates_are_found_and_deleted_with_undo(open_app: OpenApp) -> None:
    anna = open_app()
    anna.keep_offers()
    for number in range(6):
        estimate(anna, f"Table {number}", 100 + number)
    confirm(anna, estimate(anna, "Wardrobe", 900, "Łucja Żak")["id"])
    anna.open("/estimates")
    tickets = anna.page.locator(".ticket")
    # The first page of a new browser on a busy machine.
    expect(tickets).to_have_count(7)
    anna.type("Name, client or number", "Żak")
    expect(tickets).to_have_count(1)
    expect(tickets).to_contain_text("Not sent")
    expect(tickets).to_contain_text("€1,800.00")
    anna.type("Name, client or number", "")
    anna.page.get_by_label("State").select_option("draft")
    expect(tickets).to_have_count(6)
    anna.tap("More")
    anna.tap("Delete the estimate")
    expect(tickets).to_have_count(5)
    anna.tap("Undo")
    expect(tickets).to_have_count(6)


def test_estimates_are_filtered_by_the_stamps_that_they_show(open_app: OpenApp) -> None:
    anna = open_app()
    for name, outcome in (("Shelf", "accepted"), ("Bench", "declined"), ("Chair", None)):
        made = estimate(anna, name, 100)
        confirm(anna, made["id"])
        if outcome:
            body = {"revisionNumber": 1, "outcome": outcome, "method": "phone", "name": "Łucja"}
            anna.post(f"/estimates/{made['id']}/decisions", body)
    for number in range(4):
        estimate(anna, f"Table {number}", 100)
    anna.open("/estimates")
    tickets = anna.page.locator(".ticket")
    for stage, name in (("accepted", "Shelf"), ("declined", "Bench"), ("unsent", "Chair")):
        anna.page.get_by_label("State").select_option(stage)
        expect(tickets).to_have_count(1)
        expect(tickets).to_contain_text(name)
    anna.page.get_by_label("State").select_option("accepted")
    # What the client has agreed to is to become work: that is the one button.
    expect(tickets.get_by_role("button", name="Create an order")).to_be_visible()
    expect(tickets.get_by_role("link", name="Send")).to_have_count(0)


def test_further_pages_stay_when_something_happens(open_app: OpenApp) -> None:
    anna = open_app()
    for number in range(55):
        estimate(anna, f"Table {number}", 100)
    anna.open("/estimates")
    # When a device has loaded its lists for the first time, this one begins anew.
    anna.until(anna.has_lists)
    anna.open("/estimates")
    tickets = anna.page.locator(".ticket")
    expect(tickets).to_have_count(50)
    anna.tap("Show older ones")
    expect(tickets).to_have_count(55)
    estimate(anna, "Table 55", 100)
    expect(tickets.filter(has_text="Table 55")).to_have_count(1)
    expect(tickets).to_have_count(56)


def test_further_pages_stay_when_a_device_has_loaded_its_lists(open_app: OpenApp) -> None:
    anna = open_app()
    for number in range(105):
        estimate(anna, f"Table {number}", 100)
    held: list[Route] = []
    anna.page.route("**/estimates?**", lambda route: route.continue_() if held else held.append(route))
    anna.open("/estimates")
    tickets = anna.page.locator(".ticket")
    expect(tickets).to_have_count(50)
    anna.tap("Show older ones")
    expect(tickets).to_have_count(100)
    anna.until(lambda: bool(held))
    with anna.page.expect_response("**/estimate-summaries**"):
        held[0].continue_()
    # And a page more, in which there is what was added meanwhile.
    expect(tickets).to_have_count(105)


def test_the_total_of_an_estimate_with_a_tax_of_its_own_stays_while_a_change_waits(open_app: OpenApp) -> None:
    """Its document facts were never read on this phone, so the phone does not know that tax."""
    anna = open_app()
    made = estimate(anna, "Kitchen", 100)
    facts = {"taxPercent": 50, "taxLabel": "Tax"}
    anna.api.put(f"/estimates/{made['id']}/document", json=facts).raise_for_status()
    anna.open("/estimates")
    ticket = anna.page.locator(".ticket")
    expect(ticket).to_contain_text("€300.00")
    anna.page.route("**/api/estimates/**", lambda route: route.abort())
    anna.page.evaluate(_RENAME, [anna.workshop, made["id"]])
    expect(ticket).to_contain_text("Oak kitchen")
    expect(ticket).to_contain_text("€300.00")


def test_a_sent_estimate_becomes_a_job(open_app: OpenApp) -> None:
    anna = open_app()
    made = estimate(anna, "Kitchen", 268.5)
    confirm(anna, made["id"])
    sent(anna, made["id"])
    anna.open("/estimates")
    anna.sees("By email")
    expect(anna.page.get_by_role("link", name="Remind")).to_have_attribute("href", f"/estimates/{made['id']}/send")
    anna.tap("More")
    anna.tap("Create an order")
    anna.page.wait_for_url("**/orders/*")
    assert [order["title"] for order in anna.get("/workshops/{workshop}/orders")["orders"]] == ["Kitchen"]


def test_one_order_comes_of_an_estimate_whose_first_answer_got_lost(open_app: OpenApp) -> None:
    anna = open_app()
    made = estimate(anna, "Kitchen", 268.5)
    confirm(anna, made["id"])
    sent(anna, made["id"])
    lost: list[str | None] = []

    def lose(route: Route) -> None:
        lost.append(route.request.headers.get("idempotency-key"))
        if len(lost) > 1:
            return route.continue_()
        route.fetch()
        return route.abort()

    anna.page.route(f"**/estimates/{made['id']}/orders", lose)
    # Else the app learns of the order, and shows it instead of the button.
    nothing: dict[str, list[str]] = {
        name: [] for name in ("orders", "orderDetails", "orderSummaries", "estimateSummaries", "inbox", "removed")
    }
    anna.page.route(
        "**/changes?*", lambda route: route.fulfill(response=(got := route.fetch()), json=got.json() | nothing)
    )
    anna.open("/estimates")
    anna.tap("More")
    anna.tap("Create an order")
    anna.until(lambda: lost != [])
    expect(anna.page.get_by_role("alert").first).to_be_visible()
    anna.tap("Create an order")
    anna.page.wait_for_url("**/orders/*")
    assert len(anna.get("/workshops/{workshop}/orders")["orders"]) == 1
    assert len(lost) == 2
    assert lost[0] == lost[1] is not None


def test_revisions_say_what_changed_and_can_be_gone_back_to(open_app: OpenApp) -> None:
    anna = open_app()
    anna.keep_offers()
    made = estimate(anna, "Kitchen", 268.5)
    path = f"/estimates/{made['id']}"
    confirm(anna, made["id"])
    [line] = made["lineItems"]
    anna.api.patch(f"{path}/line-items/{line['id']}", json={"quantity": 2.4}).raise_for_status()
    confirm(anna, made["id"])
    anna.open(f"{path}/revisions")
    second = anna.page.locator("article.panel").first
    expect(second).to_contain_text("+0.4 m")
    expect(second).to_contain_text("€537.00 → €644.40 (+€107.40)")
    anna.tap("Go on from this one")
    anna.sees("2 m × €268.50")
    assert anna.get(path)["lineItems"][0]["quantity"] == 2
    # What fails is said, and can be tried again.
    anna.page.route(f"**/api{path}", lambda route: route.abort())
    anna.tap("Undo")
    expect(anna.page.locator(".undo-bar")).to_contain_text("No connection")
    anna.page.unroute(f"**/api{path}")
    anna.tap("Undo")
    anna.sees("2.4 m × €268.50")
