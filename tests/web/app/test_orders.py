"""Orders on a phone: taken in at the counter without a connection, and led to the customer who collects."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.app.craftspeople import Craftsperson


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
    limit = anna.page.get_by_label("Not more than")
    limit.click()
    limit.fill("120")
    anna.tap("Take it in")
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
    anna.sees("№ 1")
    anna.sees("tomorrow")
    anna.tap("Start")
    anna.tap("Ready", exact=True)
    expect(anna.page.get_by_label("Message", exact=True)).to_have_value(re.compile("ready"))
    anna.tap("I called")
    anna.sees("told that it is ready (by phone)")
    anna.tap("Collected", exact=True)
    anna.until(lambda: anna.get(details)["stage"] == "collected")
    anna.until(lambda: len(anna.get(f"/orders/{order['id']}/notices")["notices"]) == 1)
    anna.tap("Not collected after all")
    anna.until(lambda: anna.get(details)["stage"] == "ready")
    # What the browser says of requests without a connection.
    anna.lines = [line for line in anna.lines if "ERR_INTERNET_DISCONNECTED" not in line]
