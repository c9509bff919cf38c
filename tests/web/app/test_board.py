"""The board: a large one is drawn in steps, and nothing is missing at the end."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.app.craftspeople import Craftsperson


def test_a_board_of_many_orders_shows_them_all_and_finds_one(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    for number in range(70):
        anna.post(f"/workshops/{anna.workshop}/orders", {"title": f"Chair {number}"})
    anna.open()
    tickets = anna.page.locator(".ticket")
    expect(tickets).to_have_count(70)
    anna.tap("Search orders")
    anna.page.get_by_role("searchbox").fill("chair 69")
    expect(tickets).to_have_count(1)
    tickets.get_by_role("button").click()
    expect(tickets).to_have_count(0)
    anna.tap("Undo")
    expect(tickets).to_have_count(1)


def test_the_first_start_asks_for_what_the_board_shows_before_all_else(open_app: Callable[..., Craftsperson]) -> None:
    """On a slow connection requests one after the other are waits, and what nobody needs yet takes bandwidth."""
    anna = open_app()
    anna.post(f"/workshops/{anna.workshop}/orders", {"title": "Oak table"})
    traffic: list[str] = []
    anna.page.on("request", lambda request: traffic.append(f"> {request.url}"))
    anna.page.on("response", lambda response: traffic.append(f"< {response.url}"))
    anna.open()
    expect(anna.page.locator(".ticket")).to_have_count(1)

    def first(pattern: str) -> int:
        return next(index for index, line in enumerate(traffic) if re.search(pattern, line))

    anna.until(lambda: all(any(late in line for line in traffic) for late in ("summaries.js", "/events")))
    asked, answered = [r"^> .*/api/me$", r"^> .*/api/workshops$"], [r"^< .*/api/me$", r"^< .*/api/workshops$"]
    assert max(map(first, asked)) < min(map(first, answered))
    assert first(r"^< .*/orders\?status=todo$") < min(map(first, [r"^> .*/events\b", r"summaries\.js"]))
    # Only the font of the workshop's own name is loaded.
    assert len({line for line in traffic if "/fonts/title-" in line and line.startswith(">")}) == 1
