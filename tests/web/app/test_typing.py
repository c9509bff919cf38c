"""Typing at once: in a slow browser, too, each key belongs to what the key or tap before it has opened."""

import re

import pytest
from playwright.sync_api import Route

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import DESK, Craftsperson, expect, wait_for_shortcuts
from tests.web.app.screens import SHOW

# Its letters are shortcuts as well, which lead to other screens.
NAME = "best"


def press(person: Craftsperson, *keys: str) -> None:
    for key in keys:
        person.page.keyboard.press(key)


def test_keys_typed_at_once_go_to_what_was_just_opened(open_phone: OpenApp) -> None:
    anna = open_phone(screen=DESK)
    tile = {"emoji": "🪑", "label": "Chair", "unit": "piece", "unitPrice": 140}
    anna.post("/workshops/{workshop}/grids", {"name": "Repairs", "buttons": [tile]})
    anna.open("/")
    expect(anna.button("New order")).to_be_visible()
    wait_for_shortcuts(anna)
    with anna.slowed(6):
        press(anna, "n", *NAME, "Enter")
        expect(anna.page.locator(".taken-title")).to_have_text(NAME)
        anna.tap("Done", exact=True)
        expect(anna.page.locator(".ticket-title")).to_have_text([NAME])
    expect(anna.button("New order")).to_be_visible()
    anna.open("/tiles")
    expect(anna.button("Chair")).to_be_visible()
    with anna.slowed(6):
        anna.tap("Chair")
        press(anna, *"99")
        expect(anna.page.locator(".keypad-value input")).to_have_value("99")
    anna.open("/estimates/new")
    wait_for_shortcuts(anna)
    with anna.slowed(6):
        anna.tap("Other")
        press(anna, *NAME, "Enter", *"60", "Enter")
        expect(anna.page.locator(".roll-line")).to_have_text([f"{NAME}1 pc × €60.00€60.00"])


# As when the person turns to another app; iOS may end the page then. Returns what waits to be sent at once.
_PUT_AWAY = """async () => {
    const { $state_outbox } = await import(document.querySelector("script[type=module]").src);
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    return $state_outbox.items.value.map(({ args }) => args.fields.notes);
}"""


def test_what_was_typed_just_before_the_app_is_put_away_is_kept(open_app: OpenApp) -> None:
    anna = open_app()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring"})["id"]
    anna.open(f"/orders/{order}")
    notes = anna.fact("Notes")
    notes.click()
    anna.page.evaluate("import(document.querySelector('script[type=module]').src).then(() => undefined)")
    anna.context.set_offline(True)
    notes.press_sequentially("two claws bent")
    assert anna.page.evaluate(_PUT_AWAY) == ["two claws bent"]
    anna.page.evaluate("delete document.visibilityState")
    anna.context.set_offline(False)
    anna.until(lambda: anna.get(f"/orders/{order}")["order"]["notes"] == "two claws bent")


def test_a_number_that_is_refused_stays_with_the_reason(open_app: OpenApp) -> None:
    """Until it is corrected; then the field follows what is stored again."""
    anna = open_app()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring"})["id"]
    anna.open(f"/orders/{order}")
    pieces = anna.fact("Pieces")
    pieces.fill("2")
    pieces.press("Tab")
    anna.until(lambda: anna.get(f"/orders/{order}/details").get("item") == {"pieces": 2})
    pieces.fill("12x")
    pieces.press("Tab")
    expect(pieces).not_to_be_focused()
    expect(pieces).to_have_attribute("aria-invalid", "true")
    expect(pieces).to_have_value("12x")
    pieces.fill("12")
    pieces.press("Tab")
    expect(pieces).not_to_have_attribute("aria-invalid", "true")
    anna.until(lambda: anna.get(f"/orders/{order}/details")["item"] == {"pieces": 12})
    expect(pieces).to_have_value("12")


def test_nothing_goes_on_without_a_number_that_cannot_be_read(open_app: OpenApp) -> None:
    anna = open_app()
    anna.post("/workshops/{workshop}/grids", {"name": "Repairs", "buttons": []})
    anna.open("/orders/new")
    anna.type("What is it?", "Ring")
    limit = anna.page.get_by_label("Price limit")
    limit.fill("150 euro")
    anna.tap("Book it in")
    expect(limit).to_be_focused()
    anna.sees("This does not look right.")
    assert anna.get("/workshops/{workshop}/orders")["orders"] == []
    limit.fill("150")
    anna.tap("Book it in")
    anna.until(lambda: len(anna.get("/workshops/{workshop}/order-summaries")["summaries"]) == 1)
    (order,) = anna.get("/workshops/{workshop}/orders")["orders"]
    anna.until(lambda: anna.get(f"/orders/{order['id']}/details").get("priceLimit") == 150)
    # As little a price of a tile.
    anna.open("/tiles")
    anna.tap("New tile")
    anna.type("What is it?", "Chair")
    price = anna.page.locator(".keypad-value input")
    price.fill("12x")
    anna.tap("Put it on the grid")
    anna.sees("This does not look right.")
    price.fill("12")
    anna.tap("Put it on the grid")
    anna.until(
        lambda: [tile["unitPrice"] for tile in anna.get("/workshops/{workshop}/grids")["grids"][0]["buttons"]] == [12]
    )


@pytest.mark.parametrize("has_left", [True, False])
@pytest.mark.parametrize("name", ["order", "invoice", "workshop"])
def test_a_late_response_to_a_command_takes_nobody_away_from_another_screen(
    open_app: OpenApp, name: str, has_left: bool
) -> None:
    anna = open_app()
    estimate = anna.post(
        "/workshops/{workshop}/estimates",
        {
            "name": "Bench",
            "lineItems": [{"id": "seat", "label": "Seat", "unit": "piece", "unitPrice": 80, "quantity": 1}],
        },
    )["id"]
    anna.post(f"/estimates/{estimate}/confirm", {})
    decision = {"outcome": "accepted", "revisionNumber": 1, "method": "phone", "name": "Ada"}
    anna.post(f"/estimates/{estimate}/decisions", decision)
    order = anna.post(f"/estimates/{estimate}/orders", {})["id"] if name == "invoice" else ""
    screen, button, sent, made = {
        "order": ("/estimates", "Create an order", f"/estimates/{estimate}/orders", "/orders/"),
        "invoice": (f"/orders/{order}", "Make the invoice", f"/orders/{order}/invoices", "/invoices/"),
        "workshop": ("/shop", "New workshop", "/workshops", "/shop/sign"),
    }[name]
    anna.open(screen)
    waiting: list[Route] = []
    anna.page.route(
        f"**/api{sent}",
        lambda route: waiting.append(route) if route.request.method == "POST" else route.continue_(),
    )
    anna.tap(button)
    if name == "workshop":
        anna.type("Name of the workshop", "Boat yard")
        anna.tap("Add")
    anna.until(lambda: waiting != [])
    if has_left:
        anna.page.evaluate(SHOW, "/customers")
    waiting[0].continue_()
    anna.page.wait_for_load_state("networkidle")
    expect(anna.page).to_have_url(re.compile("/customers" if has_left else made))
