"""The estimate builder: taps on tiles become lines, with and without a connection."""

import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, Error, Locator, Route

from tests.support.databases import new_file
from tests.support.server import free_port
from tests.web import dom
from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import DESK, Craftsperson, craftsperson, expect
from tests.web.open_sign_up import running_open_sign_up_server

T = TypeVar("T")
TILES = [
    {"emoji": "🪵", "label": "Oak top", "unit": "piece", "unitPrice": 480},
    {"emoji": "🔩", "label": "Hinges", "unit": "pair", "unitPrice": 12.5},
    {"emoji": "🚚", "label": "Delivery", "unit": "job", "unitPrice": 45},
    {"emoji": "📏", "label": "Worktop", "unit": "linear_m", "unitPrice": 268.5},
    {"emoji": "🛠️", "label": "Fitting", "unit": "job", "unitPrice": 0},
    {"emoji": "🪑", "label": "Chair", "unit": "piece", "unitPrice": 133.335},
    {"emoji": "🚪", "label": "Door", "unit": "piece", "unitPrice": 219.99},
]
# As when what was opened turns out to be of another workshop.
_CHOOSE = """async (workshop) => {
    const app = await import(document.querySelector("script[type=module]").src);
    app.$state_workshops.choose(workshop);
}"""
_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def with_tiles(person: Craftsperson) -> Craftsperson:
    person.post("/workshops/{workshop}/grids", {"name": "Kitchen", "iconSize": "medium", "buttons": TILES})
    return person


def tile(person: Craftsperson, label: str) -> Locator:
    return person.page.locator(".tile", has_text=label)


def lines(person: Craftsperson) -> Locator:
    return person.page.locator(".roll-line")


def total(person: Craftsperson) -> str:
    return person.page.locator("output.total-sum").inner_text().split()[-1]


def eventually(read: Callable[[], T], is_reached: Callable[[T], bool]) -> T:
    """What is read, once it is as wanted."""
    deadline = time.monotonic() + 60
    while not is_reached(found := read()):
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return found


def arrived(person: Craftsperson, count: int) -> Any:
    """The only estimate of the workshop, once the server has so many lines of it."""

    def read() -> list[Any]:
        found: list[Any] = person.get("/workshops/{workshop}/estimates")["estimates"]
        return found

    found = eventually(read, lambda all_: bool(all_) and len(all_[0]["lineItems"]) >= count)
    assert [len(one["lineItems"]) for one in found] == [count]
    return found[0]


def test_five_taps_are_five_lines_and_the_servers_total(open_app: OpenApp) -> None:
    anna = with_tiles(open_app())
    anna.open("/estimates/new")
    for label in ("Oak top", "Hinges", "Delivery", "Chair", "Door"):
        tile(anna, label).click()
    expect(lines(anna)).to_have_count(5)
    assert anna.taps == 5
    shown = total(anna)
    estimate = arrived(anna, 5)
    assert [line["label"] for line in estimate["lineItems"]] == ["Oak top", "Hinges", "Delivery", "Chair", "Door"]
    wanted = anna.get(f"/estimates/{estimate['id']}/totals")["total"]
    assert shown == f"€{wanted:,.2f}"
    expect(anna.page).to_have_url(f"{anna.url}/estimates/{estimate['id']}")


def test_a_measured_tile_takes_digits_and_a_counted_one_counts(open_app: OpenApp) -> None:
    anna = with_tiles(open_app())
    anna.open("/estimates/new")
    tile(anna, "Worktop").click()
    for key in ("2", "Decimal point", "4"):
        anna.tap(key, exact=True)
    for _ in range(3):
        tile(anna, "Hinges").click()
    expect(tile(anna, "Hinges").locator(".tile-count")).to_have_text("3")
    estimate = arrived(anna, 2)
    wanted = [("Worktop", 2.4), ("Hinges", 3)]

    def read() -> list[tuple[str, float]]:
        found = anna.get(f"/estimates/{estimate['id']}")["lineItems"]
        return [(line["label"], line["quantity"]) for line in found]

    eventually(read, lambda found: found == wanted)


def test_a_tile_without_a_price_asks_for_it_once(open_app: OpenApp) -> None:
    anna = with_tiles(open_app())
    anna.open("/estimates/new")
    tile(anna, "Fitting").click()
    anna.sees("Price: Fitting")
    for key in "85":
        anna.tap(key, exact=True)
    tile(anna, "Delivery").click()
    anna.sees("Fitting: price kept on the tile")
    expect(tile(anna, "Fitting")).to_contain_text("85.00")
    assert total(anna) == "€130.00"
    path = "/workshops/{workshop}/grids"
    eventually(lambda: anna.get(path)["grids"][0]["buttons"][4]["unitPrice"], lambda price: price == 85)
    # The line of it counts on, and nothing is asked again.
    tile(anna, "Fitting").click()
    expect(lines(anna)).to_have_count(2)
    assert total(anna) == "€215.00"


def test_the_tiles_of_each_page_are_one_stop_of_the_tab_key(open_app: OpenApp) -> None:
    anna = with_tiles(open_app())
    buttons = [{"emoji": "🪚", "label": f"Cut {number}", "unit": "job", "unitPrice": 5} for number in range(4)]
    anna.post("/workshops/{workshop}/grids", {"name": "Repairs", "buttons": buttons})
    anna.open("/estimates/new")
    stops = anna.page.locator(".builder-page .tile:not([tabindex='-1'])")
    for page, label in (("Repairs", "Cut 1"), ("Kitchen", "Hinges"), ("Repairs", "Cut 2")):
        anna.tap(page, role="tab")
        expect(tile(anna, label)).to_be_visible()
        expect(stops).to_have_count(1)
        # Arrows lead on from it.
        tile(anna, label).focus()
        expect(stops).to_have_count(1)
        expect(stops).to_contain_text(label)


def test_a_deleted_line_comes_back_with_undo(open_app: OpenApp) -> None:
    anna = with_tiles(open_app())
    anna.keep_offers()
    anna.open("/estimates/new")
    tile(anna, "Oak top").click()
    tile(anna, "Delivery").click()
    lines(anna).first.click()
    anna.tap("Delete", exact=True)
    expect(lines(anna)).to_have_count(1)
    anna.tap("Undo")
    expect(lines(anna)).to_have_count(2)
    assert total(anna) == "€525.00"


def test_clients_of_another_workshop_are_not_offered(open_app: OpenApp) -> None:
    """In a form that is open: neither those that are shown nor those of a late response."""
    anna = with_tiles(open_app())
    anna.post("/workshops/{workshop}/estimates", {"name": "Chair", "recipientName": "Ada Byron"})
    bench = anna.post("/workshops/{workshop}/estimates", {"name": "Bench", "recipientName": "Bob Cole"})["id"]
    other = anna.post("/workshops", {"name": "Other"})["id"]
    anna.page.route(f"**/workshops/{other}/recipients*", lambda route: route.abort())
    anna.open(f"/estimates/{bench}")
    anna.tap("Name, client, discount")
    anna.type("For whom", "")
    expect(anna.button("Ada Byron")).to_be_visible()
    anna.page.evaluate(_CHOOSE, other)
    expect(anna.button("Ada Byron")).to_have_count(0)
    held: list[Route] = []
    anna.page.route(f"**/workshops/{anna.workshop}/recipients*", lambda route: held.append(route))
    anna.page.evaluate(_CHOOSE, anna.workshop)
    anna.until(lambda: held != [])
    anna.page.evaluate(_CHOOSE, other)
    with anna.page.expect_response(lambda response: "/recipients" in response.url) as late:
        held[0].continue_()
    late.value.finished()
    anna.page.evaluate(_PAINTED)
    expect(anna.button("Ada Byron")).to_have_count(0)


def test_a_line_without_a_tile_is_typed(open_app: OpenApp) -> None:
    anna = with_tiles(open_app())
    anna.open("/estimates/new")
    anna.tap("Other")
    anna.type("What is it?", "Old stove taken away")
    anna.page.keyboard.press("Enter")
    for key in "60":
        anna.tap(key, exact=True)
    anna.tap("Done with this line")
    expect(lines(anna)).to_contain_text("Old stove taken away")
    assert total(anna) == "€60.00"


def generated(randomness: random.Random) -> dict[str, Any]:
    line_items = [
        {
            "label": f"Line {number}",
            "unit": randomness.choice(["piece", "sqm", "hour"]),
            "unitPrice": round(randomness.uniform(0, 3000), randomness.choice([0, 2, 3, 4])),
            "quantity": round(randomness.uniform(0, 40), randomness.choice([0, 1, 3, 4])),
        }
        for number in range(randomness.randint(1, 30))
    ]
    markup, discount = (round(randomness.uniform(0, 30), randomness.choice([0, 2])) for _ in range(2))
    return {"name": "Generated", "markupPercent": markup, "discountPercent": discount, "lineItems": line_items}


def test_the_total_on_the_screen_is_that_of_the_server(open_app: OpenApp) -> None:
    anna = open_app()
    randomness = random.Random(7)
    for currency, tax, symbol, digits in (("EUR", 23, "€", 2), ("JPY", 8.25, "¥", 0), ("KWD", 13.5, "KWD\xa0", 3)):
        settings = {"currency": currency, "taxPercent": tax}
        anna.api.put(f"/workshops/{anna.workshop}/document-settings", json=settings).raise_for_status()
        estimate = anna.post("/workshops/{workshop}/estimates", generated(randomness))
        first, *_ = estimate["lineItems"]
        facts = {"lineTaxes": {first["id"]: 5}}
        anna.api.put(f"/estimates/{estimate['id']}/document", json=facts).raise_for_status()
        wanted = anna.get(f"/estimates/{estimate['id']}/totals")["total"]
        anna.open(f"/estimates/{estimate['id']}")
        expect(anna.page.locator("output.total-sum")).to_contain_text(f"{symbol}{wanted:,.{digits}f}")


def test_two_people_who_change_one_price_are_asked(open_app: OpenApp) -> None:
    anna = with_tiles(open_app())
    line = {"label": "Oak top", "unit": "piece", "unitPrice": 480, "quantity": 1}
    estimate = anna.post("/workshops/{workshop}/estimates", {"name": "Table", "lineItems": [line]})
    path = f"/estimates/{estimate['id']}"
    bea = open_app(email=anna.email)
    for person in (anna, bea):
        person.open(path)
        expect(lines(person)).to_have_count(1)
    anna.context.set_offline(True)
    type_price(anna, "275")
    type_price(bea, "280")
    eventually(lambda: anna.get(path)["lineItems"][0]["unitPrice"], lambda price: price == 280)
    anna.context.set_offline(False)
    lines(anna).first.page.get_by_role("button", name="Changed by two people").click()
    anna.tap("Yours: 275")
    eventually(lambda: anna.get(path)["lineItems"][0]["unitPrice"], lambda price: price == 275)
    expect(lines(bea)).to_contain_text("€275.00")


def type_price(person: Craftsperson, digits: str) -> None:
    lines(person).first.click()
    person.page.get_by_label("Price", exact=True).click()
    for digit in digits:
        person.tap(digit, exact=True)
    person.tap("Done", exact=True)


@pytest.fixture(params=["deno", pytest.param("browser", marks=pytest.mark.all_only)])
def pages(request: pytest.FixtureRequest) -> Browser | dom.Deno:
    """In a browser, test_outbox.py does the same to the data by default."""
    found: Browser | dom.Deno = request.getfixturevalue(request.param)
    return found


def test_what_was_tapped_while_the_server_was_stopped_arrives_once(pages: Browser | dom.Deno, tmp_path: Path) -> None:
    database, emails, port = new_file(tmp_path), tmp_path / "emails", free_port()
    with ExitStack() as at_end:
        with running_open_sign_up_server(database, emails, port) as server:
            email, api = server.signed_in_account()
            at_end.callback(api.close)
            anna = at_end.enter_context(craftsperson(pages, server.url, api, email))
            anna.take_session()
            with_tiles(anna)
            anna.open("/estimates/new")
            expect(tile(anna, "Oak top")).to_be_visible()
        # The server is stopped: one page is left as soon as its lines are stored, another stays open.
        tile(anna, "Oak top").click()
        tile(anna, "Delivery").click()
        anna.sees("€525.00")
        anna.page.evaluate(_STORED)
        with pytest.raises((AssertionError, Error)):
            anna.page.goto(f"{anna.url}/estimates")
        with running_open_sign_up_server(database, emails, port):
            anna.page.goto(f"{anna.url}/estimates")
            anna.sees("€525.00")
            arrived(anna, 2)
            anna.page.locator(".ticket-title").first.click()
            expect(tile(anna, "Oak top")).to_be_visible()
        for _ in range(2):
            tile(anna, "Chair").click()
        tile(anna, "Door").click()
        expect(lines(anna)).to_have_count(4)
        with running_open_sign_up_server(database, emails, port):
            anna.page.evaluate("dispatchEvent(new Event('online'))")
            arrived(anna, 4)

            def quantities() -> dict[str, float]:
                """A quantity may be a change of its own, sent after the line."""
                [estimate] = anna.get("/workshops/{workshop}/estimates")["estimates"]
                return {line["label"]: line["quantity"] for line in estimate["lineItems"]}

            expected = {"Oak top": 1, "Delivery": 1, "Chair": 2, "Door": 1}
            assert eventually(quantities, lambda found: found["Chair"] == 2) == expected
            expect(anna.page.get_by_role("img", name="Saved on this device")).to_have_count(0)


_STORED = """async () => {
    const { $state_outbox } = await import(document.querySelector("script[type=module]").src);
    await $state_outbox.replica.saved();
}"""


def test_alt_and_a_digit_is_a_tile_on_a_desk_and_a_digit_a_quantity(open_phone: OpenApp) -> None:
    """As fast as the keys come: the browser of a slow machine must not take one for another."""
    anna = with_tiles(open_phone(screen=DESK))
    anna.open("/estimates/new")
    expect(tile(anna, "Oak top")).to_be_visible()
    with anna.slowed(6):
        # Digits alone are the quantity of the line that was added last.
        for key in ("Alt+1", "1", "2", "Enter", "Alt+2", "Alt+2", "Alt+4", "3", ".", "5", "Enter", "Alt+3"):
            anna.page.keyboard.press(key)
        expect(lines(anna)).to_have_text(
            [
                "Oak top12 pcs × €480.00€5,760.00",
                "Hinges2 pairs × €12.50€25.00",
                "Worktop3.5 m × €268.50€939.75",
                "Delivery1 job × €45.00€45.00",
            ]
        )
    anna.page.keyboard.press("Control+Enter")
    expect(anna.page).to_have_url(f"{anna.url}/estimates/{arrived(anna, 4)['id']}/send")
