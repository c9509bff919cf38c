"""Orders on a phone: taken in at the counter without a connection, and led to the customer who collects."""

import contextlib
import re
from collections.abc import Callable
from functools import partial

import httpx
from playwright.sync_api import Route

from tests.web.app.craftspeople import Craftsperson, expect
from tests.web.browsers import place_of


def test_an_order_is_taken_in_offline_with_eight_taps_and_goes_to_its_customer(
    open_app: Callable[..., Craftsperson],
) -> None:
    anna = open_app()
    # The inbox is asked for once all modules that come after the first screen are there.
    with anna.page.expect_response(re.compile(r"/inbox$")):
        anna.open()
    anna.tap("New order")
    expect(anna.page.get_by_label("What is it?")).to_be_focused()
    anna.sees("Repair")
    anna.tap("Back")
    anna.context.set_offline(True)
    before = anna.taps
    anna.tap("New order")
    anna.tap("Restoration")
    name = anna.page.get_by_label("For whom?")
    name.click()
    name.fill("Ewa Nowak")
    anna.tap("Tomorrow")
    limit = anna.page.get_by_label("Price limit")
    limit.click()
    limit.fill("120")
    anna.tap("Book it in")
    anna.sees("It gets its number when there is a connection.")
    anna.tap("Done")
    assert anna.taps - before <= 8
    expect(anna.page.locator(".ticket")).to_contain_text("Restoration")
    anna.context.set_offline(False)
    anna.until(lambda: len(anna.get("/workshops/{workshop}/orders")["orders"]) == 1)
    order = anna.get("/workshops/{workshop}/orders")["orders"][0]
    details = f"/orders/{order['id']}/details"
    anna.until(lambda: "priceLimit" in anna.get(details))
    assert (order["customerName"], anna.get(details)["priceLimit"]) == ("Ewa Nowak", 120)
    assert "dueOn" in anna.get(details)

    anna.tap("Restoration", role="link")
    anna.sees("No. 1")
    anna.sees("tomorrow")
    anna.tap("Start")
    anna.tap("Ready", exact=True)
    expect(anna.page.get_by_label("Message", exact=True)).to_have_value(re.compile("ready"))
    anna.tap("I called")
    anna.page.get_by_text("History, delete").click()
    anna.sees("told that it is ready (by phone)")
    anna.tap("Collected", exact=True)
    anna.until_sent(lambda: anna.get(details)["stage"] == "collected")
    anna.until_sent(lambda: len(anna.get(f"/orders/{order['id']}/notices")["notices"]) == 1)
    anna.tap("Not collected after all")
    anna.until(lambda: anna.get(details)["stage"] == "ready")
    # What the browser says of requests without a connection.


def test_from_the_acceptance_to_the_collected_thing_it_takes_five_taps_and_one_for_the_money(
    open_app: Callable[..., Craftsperson],
) -> None:
    anna = open_app()
    line = {"label": "Claw", "unit": "piece", "unitPrice": 60, "quantity": 1}
    body = {"name": "Ring, two claws", "recipientName": "Ewa Nowak", "lineItems": [line]}
    estimate = anna.post("/workshops/{workshop}/estimates", body)["id"]
    anna.post(f"/estimates/{estimate}/confirm", {})
    token = anna.post(f"/estimates/{estimate}/links", {"locale": "en"})["url"].partition("#")[2]
    accept_as_client(anna, token)
    anna.open()
    before = anna.taps
    # The one line of what waits has the step that an answer takes.
    anna.page.locator(".inbox-line").get_by_role("button", name="Order").click()
    anna.tap("Start")
    anna.tap("Ready", exact=True)
    anna.tap("I called")
    anna.tap("Collected", exact=True)
    assert anna.taps - before <= 5
    anna.tap("Cash")
    assert anna.taps - before <= 6
    order = anna.get("/workshops/{workshop}/orders")["orders"][0]["id"]
    anna.until_sent(lambda: anna.get(f"/orders/{order}/details")["stage"] == "collected")
    anna.until_sent(lambda: len(anna.get(f"/orders/{order}/notices")["notices"]) == 1)
    assert anna.get(f"/orders/{order}/balance")["due"] == 0


def accept_as_client(person: Craftsperson, token: str) -> None:
    """Over the client page's operations."""
    headers = {"authorization": f"Bearer {token}"}
    with contextlib.closing(
        httpx.Client(base_url=f"{person.url}/api", headers=headers, trust_env=False, timeout=60)
    ) as client:
        shown = client.get("/client/estimate").raise_for_status().json()
        answer = {
            "name": "Ewa Nowak",
            "documentHash": shown["documentHash"],
            "consentId": shown["consent"]["id"],
            "agreed": True,
            "signature": {"kind": "typed"},
        }
        client.post("/client/estimate/accept", json=answer).raise_for_status()


def test_an_order_goes_back_to_any_status(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring"})["id"]
    anna.api.patch(f"/orders/{order}/status", json={"status": "in_progress"}).raise_for_status()
    anna.open(f"/orders/{order}")
    for label, status in (("To do", "todo"), ("Ready", "done"), ("In progress", "in_progress")):
        anna.page.locator(".choice-option", has_text=label).click()
        # As with the button of the next step.
        if status == "done":
            anna.tap("Close")
        expect(anna.page.locator(".choice-option:has(:checked)")).to_have_text(label)
        anna.until(partial(has_status, anna, order, status))


def has_status(person: Craftsperson, order: str, status: str) -> bool:
    return bool(person.get(f"/orders/{order}")["order"]["status"] == status)


def test_facts_are_text_until_they_are_tapped(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring", "customerName": "Ewa Nowak"})["id"]
    anna.open(f"/orders/{order}")
    facts = anna.page.locator(".facts")
    expect(facts.locator(".fact-row")).to_have_text(["WhatRing", "For whomEwa Nowak"])
    expect(facts.get_by_role("textbox")).to_have_count(0)
    place = anna.fact("Place")
    expect(place).to_be_focused()
    place.fill("B3")
    place.blur()
    anna.until(lambda: anna.get(f"/orders/{order}/details").get("place") == "B3")
    anna.page.reload()
    expect(facts.locator(".fact-row").last).to_have_text("PlaceB3")


def test_no_button_moves_when_the_text_of_a_message_comes(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring, two claws"})["id"]
    held: list[Route] = []
    anna.page.route("**/message-draft", lambda route: held.append(route))
    anna.open(f"/orders/{order}")
    anna.tap("Start")
    anna.tap("Ready", exact=True)
    buttons = anna.page.locator("dialog[open] button")
    expect(buttons.filter(has_text="I called")).to_be_visible()
    anna.until(lambda: bool(held))
    js = "all => all.map((each) => [each.textContent, each.getBoundingClientRect().y])"
    before = buttons.evaluate_all(js)
    held[0].continue_()
    expect(anna.page.get_by_label("Message", exact=True)).to_have_value(re.compile("ready"))
    assert buttons.evaluate_all(js) == before


def test_moves_facts_ready_and_collected_wait_for_the_connection_and_conflicts_are_by_field(
    open_app: Callable[..., Craftsperson],
) -> None:
    anna = open_app()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring, two claws"})["id"]
    details = f"/orders/{order}/details"
    anna.api.patch(details, json={"place": "A1", "phone": "600 100 200"}).raise_for_status()
    anna.open(f"/orders/{order}")
    place = anna.fact("Place")
    expect(place).to_have_value("A1")
    # The modules of all that follows are there once the order's parts have been answered.
    anna.sees("History")
    anna.page.wait_for_load_state("networkidle")
    anna.context.set_offline(True)
    anna.tap("Start")
    place.fill("B3")
    place.blur()
    phone = anna.fact("Phone")
    phone.fill("600 300 400")
    phone.blur()
    anna.tap("Ready", exact=True)
    anna.tap("I called")
    anna.tap("Collected", exact=True)
    anna.sees("Not collected after all")
    assert anna.get(details)["stage"] == "received"
    # Somebody else puts it elsewhere meanwhile, and leaves the phone as it was.
    anna.api.patch(details, json={"place": "C7"}).raise_for_status()
    anna.context.set_offline(False)
    anna.until_sent(lambda: anna.get(details)["stage"] == "collected")
    assert [each["status"] for each in anna.get(f"/orders/{order}")["order"]["statusHistory"]] == [
        "todo", "in_progress", "done",
    ]  # fmt: skip
    choice = anna.page.locator(".conflict")
    expect(choice).to_contain_text("C7")
    assert anna.get(details)["place"] == "C7"
    choice.get_by_role("button", name="Yours: B3").click()
    anna.until(lambda: anna.get(details)["place"] == "B3")
    anna.until(lambda: anna.get(details)["phone"] == "600 300 400")
    anna.until_sent(lambda: len(anna.get(f"/orders/{order}/notices")["notices"]) == 1)


def test_an_order_that_is_read_while_the_lists_are_loaded_has_what_they_leave_out(
    open_app: Callable[..., Craftsperson],
) -> None:
    anna = open_app()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring, two claws"})["id"]
    anna.api.patch(f"/orders/{order}/details", json={"item": {"condition": "claw bent"}}).raise_for_status()
    held: list[Route] = []
    has_lists = False
    anna.page.route("**/details", lambda route: route.continue_() if has_lists else held.append(route))
    anna.open(f"/orders/{order}")
    anna.until(lambda: bool(held) and anna.has_lists())
    has_lists = True
    for route in held:
        route.continue_()
    anna.sees("claw bent")


def test_the_customer_signs_on_the_screen_without_a_connection(open_phone: Callable[..., Craftsperson]) -> None:
    anna = open_phone()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring, two claws"})["id"]
    item = {"condition": "claw bent"}
    anna.api.patch(f"/orders/{order}/details", json={"item": item, "priceLimit": 120}).raise_for_status()
    with anna.page.expect_response(lambda response: response.url.endswith(f"/orders/{order}/details")) as details:
        anna.open(f"/orders/{order}")
    details.value.finished()
    anna.sees("€120.00")
    anna.page.wait_for_load_state("networkidle")
    anna.context.set_offline(True)
    anna.tap("Sign", exact=True)
    pad = anna.page.locator(".signature-pad")
    expect(anna.page.get_by_role("dialog")).to_contain_text("claw bent")
    box = place_of(pad)
    for left in (40, 120):
        anna.page.mouse.move(box["x"] + left, box["y"] + 30)
        anna.page.mouse.down()
        for step in range(1, 8):
            anna.page.mouse.move(box["x"] + left + 8 * step, box["y"] + 30 + 6 * (step % 3))
        anna.page.mouse.up()
    anna.type("Who signs", "Jan Nowak")
    anna.tap("Keep the signature")
    expect(anna.page.locator(".signed .signature path")).to_be_visible()
    anna.context.set_offline(False)
    anna.until(lambda: "strokes" in anna.get(f"/orders/{order}/signature"))
    signed = anna.get(f"/orders/{order}/signature")
    assert (signed["name"], [len(stroke) >= 4 for stroke in signed["strokes"]]) == ("Jan Nowak", [True, True])
    anna.tap("Signed", exact=True)
    anna.tap("Delete this signature")
    anna.until(lambda: "strokes" not in anna.get(f"/orders/{order}/signature"))


# A camera that sees what the test holds before it, and a reader: Chromium without a screen has neither.
CAMERA = """(() => {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  setInterval(() => pen.fillRect(0, 0, Math.random() * 10, 10), 50);
  navigator.mediaDevices.getUserMedia = () => Promise.resolve(canvas.captureStream(5));
  globalThis.BarcodeDetector = class {
    detect = () => Promise.resolve(globalThis.held ? [{ rawValue: globalThis.held }] : []);
  };
})()"""


def test_a_scanned_code_leads_to_its_order_and_so_does_a_typed_number(open_phone: Callable[..., Craftsperson]) -> None:
    anna, eve = open_phone(), open_phone()
    foreign = eve.post("/workshops/{workshop}/orders", {"title": "Clock"})["id"]
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring, two claws"})["id"]
    urls = [person.get(f"/orders/{each}/status-link")["url"] for person, each in ((anna, order), (eve, foreign))]
    anna.context.add_init_script(CAMERA)
    anna.open()
    anna.tap("Scan a code")
    anna.sees("Point the camera at the code on the slip.")
    for wrong in ("5901234123457", urls[1]):
        anna.page.evaluate("text => { globalThis.held = text; }", wrong)
        anna.sees("That is not the code of an order of this workshop.")
    anna.page.evaluate("text => { globalThis.held = text; }", urls[0])
    anna.page.wait_for_url(f"**/orders/{order}")
    expect(anna.page.get_by_role("heading", name="Ring, two claws")).to_be_visible()
    assert anna.page.evaluate("document.querySelector('video')") is None
    # Another one, which has no reader of codes.
    eve.open()
    eve.tap("Scan a code")
    eve.sees("The camera is not available here.")
    eve.type("Number of the order", "7")
    eve.tap("Open", exact=True)
    eve.sees("There is no order no. 7.")
    eve.type("Number of the order", "1")
    eve.tap("Open", exact=True)
    eve.page.wait_for_url(f"**/orders/{foreign}")


def test_a_first_card_of_a_start_can_be_opened_before_all_modules_are_there(
    open_phone: Callable[..., Craftsperson],
) -> None:
    anna = open_phone()
    anna.post("/workshops/{workshop}/orders", {"title": "Ring, two claws"})
    held: list[Route] = []
    anna.page.route("**/sync/core.js", lambda route: held.append(route))
    anna.open()
    anna.page.get_by_role("link", name="Ring, two claws").click()
    expect(anna.page).to_have_url(re.compile("/orders/"))
    anna.until(lambda: bool(held))
    # What the screen asks for is begun.
    anna.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    held.pop().continue_()
    expect(anna.page.get_by_role("heading", name="Ring, two claws")).to_be_visible()
    assert anna.unexpected_lines == []


def test_the_code_is_shown_large_and_can_be_ended(open_phone: Callable[..., Craftsperson]) -> None:
    anna = open_phone()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring, two claws"})["id"]
    before = anna.get(f"/orders/{order}/status-link")["url"]
    anna.open(f"/orders/{order}")
    anna.tap("Code", exact=True)
    code = anna.page.locator(".status-code")
    expect(code).to_be_visible()
    anna.until(lambda: bool(code.evaluate("image => image.complete && image.naturalWidth > 0")))
    assert place_of(code)["width"] >= 250
    anna.tap("Make a new code")
    anna.tap("Withdraw the old code")
    anna.until(lambda: anna.get(f"/orders/{order}/status-link")["url"] != before)


def test_what_was_collected_is_marked_and_what_waits_for_long_says_so(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    anna.keep_offers()
    ready, taken = (anna.post("/workshops/{workshop}/orders", {"title": title})["id"] for title in ("Ring", "Clock"))
    for order in (ready, taken):
        anna.api.patch(f"/orders/{order}/status", json={"status": "done"}).raise_for_status()
    anna.post(f"/orders/{taken}/collected", {})
    waiting = anna.post("/workshops/{workshop}/orders", {"title": "Watch"})["id"]
    facts = {"waitingFor": "parts", "waitingUntil": "2031-12-03"}
    anna.api.patch(f"/orders/{waiting}/details", json=facts).raise_for_status()
    anna.open()
    expect(anna.page.locator(".ticket")).to_contain_text("Waiting for parts · Wed 3 Dec 2031")
    anna.tap("Ready", role="tab")
    expect(anna.page.locator(".due-heading")).to_have_text(["Ready 1", "Collected 1"])
    marked = anna.page.locator(".ticket").filter(has_text="Clock")
    expect(marked.locator(".collected")).to_be_visible()
    anna.page.locator(".ticket").filter(has_text="Ring").get_by_role("button", name="Collected").click()
    expect(anna.page.locator(".due-heading")).to_have_text(["Collected 2"])
    anna.tap("Undo")
    expect(anna.page.locator(".due-heading")).to_have_text(["Ready 1", "Collected 1"])


def test_an_estimate_made_while_the_server_is_away_is_linked_with_its_order(
    open_app: Callable[..., Craftsperson],
) -> None:
    anna = open_app()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring"})["id"]
    anna.expects(503, "/estimates")
    is_away = True
    anna.page.route(
        re.compile("/workshops/[^/]+/estimates$"),
        lambda route: route.fulfill(status=503) if is_away and route.request.method == "POST" else route.continue_(),
    )
    anna.open(f"/orders/{order}")
    anna.tap("Make an estimate")
    expect(anna.page.locator(".builder-head")).to_be_visible()
    anna.tap("Back")
    expect(anna.page.locator("main summary", has_text="Estimate")).to_be_visible()
    is_away = False
    anna.until_sent(lambda: "estimateId" in anna.get(f"/orders/{order}/details"))
    (estimate,) = anna.get("/workshops/{workshop}/estimates")["estimates"]
    assert anna.get(f"/orders/{order}/details")["estimateId"] == estimate["id"]
