"""The workshop's connections: calendars, webhooks and agents, on a phone."""

import re
from collections.abc import Iterator

import httpx
import pytest
from icalendar import Calendar

from tests.support.providers.receivers import Receiver
from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import Craftsperson, expect
from tests.web.app.screens import connections


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


def dialog_button(person: Craftsperson, name: str) -> None:
    person.page.get_by_role("dialog").last.get_by_role("button", name=name).first.click()


def test_every_connection_says_what_leaves_the_server_in_both_languages(open_app: OpenApp) -> None:
    halina = open_app("pl")
    halina.open("/shop")
    halina.tap("Kalendarz, telefon, import", role="link")
    expect(halina.page.locator("main .link-row")).to_have_count(3)
    for name in connections():
        halina.open(f"/shop/connections/{name}")
        leaves = halina.page.locator("main .quiet-text").last
        expect(leaves).to_have_text(re.compile(".{30}"))
    halina.open("/shop/connections/unknown")
    expect(halina.page.locator("main h1")).to_have_text("Kalendarz, telefon, import")


def test_the_address_of_a_calendar_is_shown_once_and_its_feed_ends_when_it_is_revoked(open_app: OpenApp) -> None:
    anna = open_app()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Oak table", "customerName": "Ada Reed"})
    anna.api.patch(f"/orders/{order['id']}/details", json={"dueOn": "2031-01-02"}).raise_for_status()
    anna.open("/shop/connections/calendars")
    anna.sees("No calendar yet.")
    anna.tap("New calendar")
    anna.type("What is it called?", "My phone")
    anna.page.get_by_text("In full").click()
    anna.tap("Create calendar")
    url = anna.page.get_by_label("Address", exact=True).input_value()
    subscribe = anna.page.get_by_role("link", name="Add to this device’s calendar")
    assert subscribe.get_attribute("href") == re.sub("^https?", "webcal", url)
    feed = httpx.get(url, timeout=60, verify=False, trust_env=False)
    assert Calendar.from_ical(feed.content)["NAME"] == "My phone"
    anna.tap("Done")
    anna.sees("Due days · Names of customers: In full")
    assert url not in anna.page.content()
    anna.tap("Revoke")
    dialog_button(anna, "Revoke")
    anna.sees("No calendar yet.")
    assert httpx.get(url, timeout=60, verify=False, trust_env=False).status_code == 404


def test_an_agent_gets_a_key_with_the_scopes_that_were_chosen(open_app: OpenApp) -> None:
    anna = open_app()
    anna.open("/shop/connections/agents")
    anna.tap("New key for an agent")
    anna.type("Which agent?", "Claude")
    anna.page.get_by_text("Read and draft").click()
    anna.page.get_by_text("Also customers").click()
    anna.tap("Create key")
    secret = anna.page.get_by_label("Key", exact=True).input_value()
    assert secret in anna.page.get_by_label("Command for Claude Code").input_value()
    anna.tap("Done")
    address = anna.page.get_by_label("Address for the agent").input_value()
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = httpx.post(
        address,
        json=message,
        headers={"authorization": f"Bearer {secret}"},
        timeout=60,
        verify=False,
        trust_env=False,
    )
    tools = {tool["name"] for tool in answer.json()["result"]["tools"]}
    assert {"get_inbox", "search_customers", "create_order", "add_line"} <= tools
    (key,) = anna.get("/me/api-keys")["apiKeys"]
    assert (key["name"], key["workshopId"]) == ("Claude", anna.workshop)
    assert sorted(key["scopes"]) == ["customers:read", "drafts:write", "estimates:read", "invoices:read", "orders:read"]


def test_a_webhook_is_made_tested_switched_off_and_replayed(open_app: OpenApp, receiver: Receiver) -> None:
    anna = open_app()
    anna.open("/shop/connections/webhooks")
    anna.tap("New webhook")
    anna.type("Address of the receiver", receiver.url)
    anna.page.get_by_text("Some kinds").click()
    anna.page.get_by_text("Orders", exact=True).click()
    anna.page.get_by_role("switch", name="New order").click()
    anna.tap("Create webhook")
    assert anna.page.get_by_label("Secret", exact=True).input_value().startswith("whsec_")
    anna.tap("Done")
    anna.sees("1 kind")
    anna.tap("Change")
    anna.tap("Send a test message")
    anna.sees("arrived")
    dialog_button(anna, "Switch off")
    anna.sees("Switched off. Nothing is sent.")
    anna.post("/workshops/{workshop}/orders", {"title": "Missed", "customerName": "Ada"})
    anna.tap("Switch on, with what was missed…")
    dialog_button(anna, "Send again")
    anna.until(lambda: receiver.types == ["webhook.test", "order.created"])
    dialog_button(anna, "New secret")
    dialog_button(anna, "New secret")
    anna.sees("Messages are signed with the old one, too, for 24 hours.")
    dialog_button(anna, "Done")
    dialog_button(anna, "Delete")
    dialog_button(anna, "Delete")
    anna.sees("No webhook yet.")
    # What was sent by it is read now and then.
    anna.expects(404, "/deliveries")


def test_a_message_that_was_being_sent_is_soon_shown_to_have_arrived(open_app: OpenApp, receiver: Receiver) -> None:
    anna = open_app()
    body = {"url": receiver.url, "events": ["order.created"], "description": "Our automation"}
    webhook = anna.post("/workshops/{workshop}/webhooks", body)["webhook"]
    receiver.goes_on.clear()
    anna.open("/shop/connections/webhooks")
    anna.tap("Change")
    anna.tap("Send a test message")
    anna.until(lambda: receiver.types == ["webhook.test"])
    # Read again while it is being sent.
    with anna.page.expect_response(re.compile("/deliveries")):
        anna.pass_time()
    expect(anna.button("Send again: Test message")).to_be_visible()
    receiver.goes_on.set()
    anna.until(lambda: anna.get(f"/webhooks/{webhook['id']}/deliveries")["deliveries"][0]["status"] != "pending")
    anna.pass_time()
    anna.sees("arrived")


def test_a_message_that_arrives_at_the_second_attempt_is_shown_to_have_arrived(
    open_app: OpenApp, receiver: Receiver
) -> None:
    anna = open_app()
    # The second attempt waits until the first one was seen.
    receiver.firsts = [503]
    receiver.goes_on.clear()
    anna.post("/workshops/{workshop}/webhooks", {"url": receiver.url, "events": ["order.moved"]})
    anna.open("/shop/connections/webhooks")
    anna.tap("Change")
    anna.tap("Send a test message")
    anna.sees("response 503")
    receiver.goes_on.set()
    anna.sees("arrived")


def test_a_webhook_that_failed_for_days_says_so(open_app: OpenApp, receiver: Receiver) -> None:
    anna = open_app()
    receiver.status = 410
    body = {"url": receiver.url, "events": ["*"], "description": "Our automation"}
    webhook = anna.post("/workshops/{workshop}/webhooks", body)["webhook"]
    anna.post(f"/webhooks/{webhook['id']}/test", None)
    anna.until(lambda: anna.get(f"/webhooks/{webhook['id']}")["enabled"] is False)
    anna.open("/shop/connections/webhooks")
    anna.tap("Change")
    anna.sees("The receiver said that it is gone")
    receiver.status = 204
    anna.tap("Switch on, from now on")
    expect(anna.button("Switch off")).to_be_visible()
    anna.tap("Send again: Test message")
    # Beside it arrive the changes of the webhook itself, and perhaps the next attempt of its own.
    anna.until(lambda: receiver.types.count("webhook.test") >= 2)
