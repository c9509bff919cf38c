"""The board by date, and the inbox on it: what clients do appears while it is open."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from playwright.sync_api import Locator

from tests.web.app.craftspeople import DESK, Craftsperson, expect

OpenApp = Callable[..., Craftsperson]
LINES = [{"label": "Worktop", "unit": "sqm", "unitPrice": 890, "quantity": 2}]


def day(offset: int) -> str:
    return (datetime.now(UTC).date() + timedelta(offset)).isoformat()


def use_utc(person: Craftsperson) -> None:
    """The workshop's time zone is that of `day`."""
    path = f"/workshops/{person.workshop}/document-settings"
    person.api.put(path, json={**person.get(path), "timeZone": "UTC"}).raise_for_status()


def order(person: Craftsperson, title: str, **details: Any) -> str:
    made = person.post(f"/workshops/{person.workshop}/orders", {"title": title, "customerName": "Ewa Nowak"})
    if details:
        person.api.patch(f"/orders/{made['id']}/details", json=details).raise_for_status()
    return str(made["id"])


def share(person: Craftsperson, name: str = "Oak table") -> str:
    """A shared estimate. Returns the token of its link."""
    body = {"name": name, "recipientName": "Ewa Nowak", "lineItems": LINES}
    estimate = person.post(f"/workshops/{person.workshop}/estimates", body)["id"]
    person.post(f"/estimates/{estimate}/confirm", {})
    return str(person.post(f"/estimates/{estimate}/links", {"locale": "en"})["url"]).partition("#")[2]


def rows(person: Craftsperson) -> Locator:
    return person.page.locator(".inbox-row")


def line(person: Craftsperson) -> Locator:
    """The one line of the board that says what waits."""
    return person.page.locator(".inbox-line")


def of_client(person: Craftsperson, token: str) -> httpx.Client:
    """Uses the operations of the client page, as the client of the link."""
    headers = {"authorization": f"Bearer {token}"}
    return httpx.Client(base_url=f"{person.url}/api/client", headers=headers, trust_env=False, timeout=60)


def ask(person: Craftsperson, token: str, text: str) -> None:
    with of_client(person, token) as client:
        client.post("/estimate/comments", json={"name": "Ewa Nowak", "text": text}).raise_for_status()


def accept(person: Craftsperson, token: str) -> None:
    with of_client(person, token) as client:
        shown = client.get("/estimate").raise_for_status().json()
        body = {"name": "Ewa Nowak", "agreed": True, "signature": {"kind": "typed"}}
        body |= {"consentId": shown["consent"]["id"], "documentHash": shown["documentHash"]}
        client.post("/estimate/accept", json=body).raise_for_status()


def test_an_acceptance_appears_on_the_open_board_and_one_tap_makes_the_order(open_app: OpenApp) -> None:
    anna = open_app()
    use_utc(anna)
    token = share(anna)
    anna.open()
    anna.sees("Nothing waiting")
    expect(line(anna)).to_contain_text("All done")

    accept(anna, token)
    expect(line(anna)).to_contain_text("1 waits for you\nEwa Nowak accepted €1,780.00")
    expect(anna.page.locator(".place-count")).to_contain_text("1 new")
    line(anna).get_by_role("button", name="Order").click()
    anna.page.wait_for_url("**/orders/*")
    assert anna.taps == 1
    anna.tap("Back")
    expect(anna.page.locator(".ticket")).to_contain_text("Oak table")
    expect(line(anna)).to_contain_text("All done")
    assert [made["title"] for made in anna.get("/workshops/{workshop}/orders")["orders"]] == ["Oak table"]


def test_what_is_done_with_is_gone_for_all_and_can_be_taken_back(open_app: OpenApp) -> None:
    anna = open_app()
    anna.keep_offers()
    token = share(anna)
    ask(anna, token, "Is it oiled?")
    anna.open("/inbox")
    expect(rows(anna)).to_contain_text("Is it oiled?")
    anna.tap("Done with it")
    expect(rows(anna)).to_have_count(0)
    anna.tap("Undo")
    expect(rows(anna)).to_have_count(1)
    assert len(anna.get("/workshops/{workshop}/inbox")["items"]) == 1
    anna.keep_offers(False)
    anna.tap("Done with it")
    anna.until_sent(lambda: anna.get("/workshops/{workshop}/inbox")["items"] == [])
    ask(anna, token, "And how thick is it?")
    expect(rows(anna)).to_contain_text("And how thick is it?")


def test_what_was_in_sight_is_read_and_the_count_goes(open_app: OpenApp) -> None:
    anna = open_app()
    ask(anna, share(anna), "Is it oiled?")
    anna.open()
    expect(anna.page.locator(".place-count")).to_have_count(1)
    anna.until(lambda: anna.get("/workshops/{workshop}/inbox")["unread"] == 0)
    expect(anna.page.locator(".place-count")).to_have_count(0)
    expect(line(anna)).to_contain_text("Ewa Nowak asks")


def test_without_a_connection_the_inbox_and_the_dates_are_those_of_the_last_time(open_app: OpenApp) -> None:
    anna = open_app()
    use_utc(anna)
    ask(anna, share(anna), "Is it oiled?")
    order(anna, "Chair", dueOn=day(-2), place="shelf B3")
    anna.open()
    # What is late is said once, by the board.
    expect(line(anna)).to_contain_text("1 waits for you\nEwa Nowak asks €1,780.00")
    expect(anna.page.locator(".ticket")).to_contain_text("2 days late")
    anna.context.set_offline(True)
    expect(anna.page.locator(".ticket")).to_contain_text("shelf B3")
    line(anna).get_by_role("link").click()
    expect(anna.page.locator(".inbox")).to_contain_text("No connection. As of")
    expect(rows(anna)).to_have_count(1)
    anna.context.set_offline(False)
    expect(anna.page.locator(".inbox")).not_to_contain_text("No connection. As of")


def test_orders_stand_under_the_headings_of_their_days(open_phone: OpenApp) -> None:
    anna = open_phone(screen=DESK)
    use_utc(anna)
    order(anna, "Wardrobe")
    order(anna, "Chest", dueOn=day(30))
    order(anna, "Bench", dueOn=day(3), waitingFor="parts")
    order(anna, "Lamp", dueOn=day(0))
    order(anna, "Chair", dueOn=day(-1))
    anna.open()
    column = anna.page.locator(".desk-column.status-todo")
    expect(column.locator(".due-heading")).to_have_text(["Late 1", "Today 1", "This week 1", "Later 1", "No date 1"])
    expect(column.locator(".ticket-title")).to_have_text(["Chair", "Lamp", "Bench", "Chest", "Wardrobe"])
    expect(column.locator(".ticket").nth(0)).to_contain_text("1 day late")
    expect(column.locator(".ticket").nth(2)).to_contain_text("Waiting for parts")
    anna.open("/floor")
    floor = anna.page.locator(".floor-column.status-todo")
    expect(floor.locator(".due-heading")).to_have_text(["Late", "Today", "This week", "Later", "No date"])
    wall = {"name": "Wall", "scopes": ["orders:read"], "workshopId": anna.workshop}
    key = anna.post("/me/api-keys", wall)["secret"]
    anna.page.goto("about:blank")
    anna.open(f"/floor#{key}")
    expect(floor.locator(".floor-title")).to_have_text(["Chair", "Lamp", "Bench", "Chest", "Wardrobe"])


def test_facts_changed_without_a_connection_show_on_the_board(open_phone: OpenApp) -> None:
    """This order's screen was never opened with one: its details came with the board."""
    anna = open_phone(screen=DESK)
    use_utc(anna)
    order(anna, "Sharpen knives")
    order(anna, "Repair a chair", waitingFor="parts", place="A1")
    anna.open()
    ticket = anna.page.locator(".ticket").filter(has_text="Repair a chair")
    expect(ticket).to_contain_text("Waiting for parts")
    anna.tap("Sharpen knives", role="link")
    expect(anna.page.get_by_role("heading", name="Sharpen knives")).to_be_visible()
    anna.context.set_offline(True)
    ticket.get_by_role("link").click()
    anna.tap("Resume")
    expect(ticket).not_to_contain_text("Waiting for parts")
    expect(ticket).to_contain_text("A1")
    anna.context.set_offline(False)
    # What the browser says of requests without a connection.
