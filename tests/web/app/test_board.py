"""The board: a large one is drawn in steps, and nothing is missing at the end."""

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
    anna.type("Search", "chair 69")
    expect(tickets).to_have_count(1)
    tickets.get_by_role("button").click()
    expect(tickets).to_have_count(0)
    anna.tap("Undo")
    expect(tickets).to_have_count(1)
