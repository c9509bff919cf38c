"""The board: a large one is drawn in steps, and nothing is missing at the end."""

import re
from collections.abc import Callable

from tests.web.app.craftspeople import DESK, Craftsperson, expect


def test_a_board_of_many_orders_shows_them_all_and_finds_one(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    anna.keep_offers()
    for number in range(70):
        anna.post(f"/workshops/{anna.workshop}/orders", {"title": f"Chair {number}"})
    anna.open()
    tickets = anna.page.locator(".ticket")
    expect(tickets).to_have_count(70)
    anna.tap("Search", exact=True)
    anna.page.get_by_role("searchbox").fill("chair 69")
    expect(tickets).to_have_count(1)
    tickets.get_by_role("button").click()
    expect(tickets).to_have_count(0)
    anna.tap("Undo")
    expect(tickets).to_have_count(1)


def test_a_ticket_is_dragged_to_another_column_with_a_mouse_alone(open_phone: Callable[..., Craftsperson]) -> None:
    anna = open_phone(screen=DESK)
    order = anna.post("/workshops/{workshop}/orders", {"title": "Oak table"})["id"]
    anna.open()
    ticket, column = anna.page.locator(".ticket"), anna.page.get_by_role("region", name="In progress")
    ticket.drag_to(column)
    expect(column.locator(".ticket")).to_have_text(re.compile("Oak table"))
    anna.until(lambda: anna.get(f"/orders/{order}")["order"]["status"] == "in_progress")
    # On a touch screen a long press would start a drag that leads nowhere.
    touched = open_phone(email=anna.email)
    touched.open("/")
    touched.tap("In progress", role="tab")
    expect(touched.page.locator(".ticket")).to_have_attribute("draggable", "false")


def test_a_part_that_could_not_be_loaded_is_named_and_loaded_again(open_phone: Callable[..., Craftsperson]) -> None:
    """On a desk the board itself is such a part. After an update a server without a cache has no such file any more."""
    anna = open_phone(screen=DESK)
    anna.post("/workshops/{workshop}/orders", {"title": "Oak table"})
    desk = "**/screens/board/desk.js"
    anna.context.route(desk, lambda route: route.abort())
    anna.open()
    bar = anna.page.locator(".undo-bar")
    expect(bar).to_contain_text("Part of this screen is missing.")
    # Elsewhere nothing is missing.
    anna.tap("Estimates", role="link")
    expect(bar).to_have_count(0)
    anna.tap("Board", role="link")
    expect(bar).to_be_visible()
    anna.context.unroute(desk)
    bar.get_by_role("button", name="Try again").click()
    expect(anna.page.locator(".ticket")).to_have_count(1)
    expect(bar).to_have_count(0)
    # What fails once more loads the page anew, with the files that there are.
    phone = open_phone(email=anna.email)
    rest = "**/state/rest.js"
    phone.context.route(rest, lambda route: route.abort())
    phone.open()
    expect(phone.button("Try again")).to_be_visible()
    phone.page.once("framenavigated", lambda _: phone.context.unroute(rest))
    with phone.page.expect_response(rest):
        phone.tap("Try again")
    expect(phone.page.locator(".ticket")).to_have_count(1)
    expect(phone.button("Try again")).to_have_count(0)


def test_an_empty_board_leads_to_the_import(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    anna.open()
    expect(anna.page.get_by_role("link", name="Import from a file")).to_have_attribute(
        "href", "/shop/connections/imports"
    )
    anna.post("/workshops/{workshop}/orders", {"title": "Oak table"})
    anna.sees("Oak table")
    anna.tap("In progress", role="tab")
    anna.sees("Nothing on the bench.")
    expect(anna.page.get_by_role("link", name="Import from a file")).to_have_count(0)


def test_the_first_start_asks_for_what_the_board_shows_before_all_else(open_phone: Callable[..., Craftsperson]) -> None:
    """On a slow connection requests one after the other are waits, and what nobody needs yet takes bandwidth."""
    anna = open_phone()
    anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Oak table"})
    traffic: list[str] = []
    anna.page.on("request", lambda request: traffic.append(f"> {request.url}"))
    anna.page.on("response", lambda response: traffic.append(f"< {response.status} {response.url}"))
    anna.open()
    expect(anna.page.locator(".ticket")).to_have_count(1)

    def first(pattern: str) -> int:
        return next(index for index, line in enumerate(traffic) if re.search(pattern, line))

    anna.until(lambda: all(any(late in line for line in traffic) for late in ("state/rest.js", "/events")))
    # One request brings the account, its workshop and the first cards; the lists follow it.
    assert first(r"^< .*/api/boot$") < first(r"^> .*/orders\?status=todo$")
    assert first(r"^< .*/orders\?status=todo$") < min(map(first, [r"^> .*/events\b", r"state/rest\.js"]))
    # Only the font of the workshop's own name is loaded, and not before the data.
    anna.until(lambda: any("/fonts/title-" in line for line in traffic))
    assert first(r"^< .*/orders\?status=todo$") < first("/fonts/")
    fonts = {line for line in traffic if "/fonts/title-" in line and line.startswith(">")}
    assert len(fonts) == 1, "\n".join(traffic)


def test_the_back_of_the_browser_closes_what_is_open_and_then_leads_back(
    open_app: Callable[..., Craftsperson],
) -> None:
    anna = open_app()
    anna.open("/")
    anna.tap("Estimates", role="link")
    dialog = anna.page.get_by_role("dialog")
    anna.tap("New", exact=True)
    expect(dialog).to_be_visible()
    anna.page.go_back()
    expect(dialog).to_have_count(0)
    expect(anna.page).to_have_url(f"{anna.url}/estimates")
    # Closed in another way, and opened again: one step back leads to the screen before.
    for _ in range(2):
        anna.tap("New", exact=True)
        expect(dialog).to_be_visible()
        anna.tap("Close")
        expect(dialog).to_have_count(0)
    anna.page.go_back()
    expect(anna.page).to_have_url(f"{anna.url}/")
    # From where the window led, one step leads back as well.
    anna.tap("New", exact=True)
    anna.tap("New order", role="link")
    expect(anna.page).to_have_url(f"{anna.url}/orders/new")
    anna.page.go_back()
    expect(anna.page).to_have_url(f"{anna.url}/")
    expect(dialog).to_have_count(0)


def test_who_makes_an_order_ready_on_its_ticket_is_led_to_the_message(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    anna.keep_offers()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring", "customerName": "Ewa Nowak"})["id"]
    anna.api.patch(f"/orders/{order}/status", json={"status": "in_progress"}).raise_for_status()
    anna.open("/")
    anna.tap("In progress", role="tab")
    anna.page.locator(".ticket").get_by_role("button", name="Ready").click()
    anna.tap("Ready", role="tab")
    ticket = anna.page.locator(".ticket")
    expect(ticket).to_contain_text("not told")
    anna.tap("Tell the customer")
    anna.tap("I called")
    expect(ticket.locator(".fact", has_text="told")).to_be_visible()
    # The offer to take it back ends with the next one.
    anna.keep_offers(False)
    anna.page.locator(".undo-bar").dispatch_event("focusout", {"bubbles": True})
    anna.until_sent(lambda: len(anna.get(f"/orders/{order}/notices")["notices"]) == 1)
    anna.page.reload()
    anna.tap("Ready", role="tab")
    expect(ticket.locator(".fact", has_text="told")).to_be_visible()


def test_what_is_open_is_listed_by_its_day_and_one_search_finds_everything(
    open_app: Callable[..., Craftsperson],
) -> None:
    anna = open_app()
    for number in range(9):
        anna.post("/workshops/{workshop}/orders", {"title": f"Chair {number}"})
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring"})["id"]
    anna.api.patch(f"/orders/{order}/details", json={"dueOn": "2020-01-02"}).raise_for_status()
    anna.api.patch(f"/orders/{order}/status", json={"status": "in_progress"}).raise_for_status()
    anna.post("/workshops/{workshop}/customers", {"name": "Ewa Ring"})
    anna.post("/workshops/{workshop}/estimates", {"name": "Ring, two claws"})
    anna.open("/")
    tickets = anna.page.locator(".ticket")
    expect(tickets).to_have_count(9)
    anna.tap("By day")
    expect(tickets).to_have_count(10)
    expect(tickets.first).to_contain_text("Ring")
    anna.tap("Search", exact=True)
    anna.page.get_by_role("searchbox").fill("ring")
    expect(tickets).to_have_count(1)
    rows = anna.page.locator("main .link-row")
    expect(rows).to_have_text([re.compile("Ewa Ring"), re.compile("Ring, two claws")])
