"""Prices with and without tax: the total that is shown is the total that is confirmed, in both cases."""

from typing import Any

import pytest
from playwright.sync_api import Locator

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import SEND, Craftsperson, expect
from tests.web.app.test_builder import lines, tile, total

SETTINGS = "/workshops/{workshop}/document-settings"
# As a shoemaker says them: what the customer pays.
HEELS = {"id": "heels", "label": "Heel tips", "unit": "pair", "unitPrice": 14, "quantity": 1}
SOLES = {"id": "soles", "label": "Resole", "unit": "pair", "unitPrice": 32.5, "quantity": 1}
CHAIR = {"id": "chair", "label": "Chair", "unit": "piece", "unitPrice": 121.95, "quantity": 7}
TILES = [
    {"emoji": "👞", "label": "Chair", "unit": "piece", "unitPrice": 150},
    {"emoji": "🪡", "label": "Sewing", "unit": "hour", "unitPrice": 0},
]


def set_settings(person: Craftsperson, **fields: Any) -> None:
    known = person.get(SETTINGS)
    path = SETTINGS.replace("{workshop}", person.workshop)
    person.api.put(path, json=known | {"timeZone": "Europe/Dublin"} | fields).raise_for_status()


def estimate_of(person: Craftsperson, name: str, *line_items: dict[str, Any], **fields: Any) -> str:
    new = {"name": name, "lineItems": list(line_items), **fields}
    return str(person.post("/workshops/{workshop}/estimates", new)["id"])


def facts(person: Craftsperson, estimate: str) -> Any:
    return person.get(f"/estimates/{estimate}/document")


def prices(person: Craftsperson, estimate: str) -> list[float]:
    return [line["unitPrice"] for line in person.get(f"/estimates/{estimate}")["lineItems"]]


def tile_prices(person: Craftsperson) -> list[float]:
    [grid] = person.get("/workshops/{workshop}/grids")["grids"]
    return [button["unitPrice"] for button in grid["buttons"]]


def sums(person: Craftsperson | Locator) -> str:
    shown = person.page.locator(".sums") if isinstance(person, Craftsperson) else person.locator(".sums")
    return " ".join(shown.inner_text().split())


def open_first_dialog(person: Craftsperson, estimate: str) -> Locator:
    person.open(f"/estimates/{estimate}/send")
    person.tap(SEND)
    dialog = person.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Do you charge VAT?")
    return dialog


def test_the_first_confirmation_changes_no_price(open_app: OpenApp) -> None:
    """The total of the builder is that of the button, of the revision and of the next estimate."""
    anna = open_app()
    set_settings(anna)
    first, second = estimate_of(anna, "Boots", HEELS, SOLES), estimate_of(anna, "Shoes", HEELS)
    anna.open(f"/estimates/{first}")
    expect(anna.page.locator("output.total-sum")).to_contain_text("€46.50")
    dialog = open_first_dialog(anna, first)
    expect(dialog).not_to_contain_text("Are your prices with VAT?")
    dialog.get_by_text("23%").click()
    expect(dialog).to_contain_text("Are your prices with VAT?")
    assert sums(dialog) == "Total €46.50 including VAT 23% €8.70"
    dialog.get_by_role("button", name="Send €46.50").click()
    expect(anna.button("Copy the message with the link")).to_be_visible()
    assert "€46.50" in anna.page.locator(".send-message textarea").input_value()
    totals = anna.get(f"/estimates/{first}/revisions/1/totals")
    assert (totals["total"], totals["tax"], totals["pricesEntered"]) == (46.5, 8.7, "gross")
    assert anna.get(SETTINGS)["pricesEntered"] == "gross"
    # The other estimate was begun with the same prices: its total stays, too.
    anna.until(lambda: facts(anna, second).get("pricesEntered") == "gross")
    assert anna.get(f"/estimates/{second}/totals")["total"] == 14


def test_prices_without_tax_change_the_total_before_it_is_confirmed(open_app: OpenApp) -> None:
    anna = open_app()
    set_settings(anna)
    estimate = estimate_of(anna, "Boots", HEELS, SOLES)
    dialog = open_first_dialog(anna, estimate)
    dialog.get_by_text("23%").click()
    dialog.get_by_text("without VAT").click()
    confirm = dialog.get_by_role("button", name="Send €57.20")
    expect(confirm).to_be_visible()
    assert sums(dialog) == "Subtotal €46.50 VAT 23% €10.70 Total €57.20"
    confirm.click()
    expect(anna.button("Copy the message with the link")).to_be_visible()
    totals = anna.get(f"/estimates/{estimate}/revisions/1/totals")
    assert (totals["total"], "pricesEntered" in totals) == (57.2, False)
    assert anna.get(SETTINGS)["pricesEntered"] == "net"


def test_a_workshop_without_tax_is_asked_nothing_about_its_prices(open_app: OpenApp) -> None:
    anna = open_app()
    set_settings(anna)
    estimate = estimate_of(anna, "Boots", HEELS)
    dialog = open_first_dialog(anna, estimate)
    dialog.get_by_role("button", name="Send €14.00").click()
    expect(anna.button("Copy the message with the link")).to_be_visible()
    assert "pricesEntered" not in anna.get(SETTINGS)
    for path in (f"/estimates/{estimate}", "/tiles", "/shop/money"):
        anna.open(path)
        expect(anna.page.get_by_role("main").get_by_role("button").first).to_be_visible()
        anna.does_not_see("with VAT")


@pytest.mark.parametrize(("of_workshop", "of_estimate", "price"), [("gross", "net", 121.95), ("net", "gross", 184.5)])
def test_a_tile_on_an_estimate_of_the_other_kind_is_converted_once(
    open_app: OpenApp, of_workshop: str, of_estimate: str, price: float
) -> None:
    anna = open_app()
    set_settings(anna, taxPercent=23, pricesEntered=of_workshop)
    anna.post("/workshops/{workshop}/grids", {"name": "Chairs", "iconSize": "medium", "buttons": TILES})
    estimate = estimate_of(anna, "Chairs", pricesEntered=of_estimate)
    anna.open(f"/estimates/{estimate}")
    expect(tile(anna, "Chair").locator(".tile-price")).to_contain_text(f"{price:.2f}")
    for _ in range(2):
        tile(anna, "Chair").click()
    expect(lines(anna)).to_have_count(1)
    expect(tile(anna, "Chair").locator(".tile-count")).to_have_text("2")
    anna.until_sent(lambda: prices(anna, estimate) == [price])
    # A price typed here goes on the tile as tiles have prices.
    tile(anna, "Sewing").click()
    for digit in ("1", "0", "0"):
        anna.tap(digit, exact=True)
    anna.tap("Done with this line")
    kept = 123.0 if of_workshop == "gross" else 81.3
    anna.until_sent(lambda: tile_prices(anna) == [150, kept])
    anna.until(lambda: prices(anna, estimate) == [price, 100])


@pytest.mark.parametrize(("answer", "price"), [("Keep the numbers", 150), ("Convert the prices", 121.95)])
def test_the_settings_ask_what_becomes_of_the_prices_on_tiles(open_app: OpenApp, answer: str, price: float) -> None:
    anna = open_app()
    set_settings(anna, taxPercent=23, pricesEntered="gross")
    anna.post("/workshops/{workshop}/grids", {"name": "Chairs", "iconSize": "medium", "buttons": TILES})
    begun = estimate_of(anna, "Chairs", CHAIR | {"unitPrice": 150})
    anna.open("/shop/money")
    anna.sees("Are your prices with VAT?")
    anna.page.get_by_text("Rarely needed").first.click()
    # Entered with tax they are shown with it: there is nothing to choose.
    expect(anna.page.get_by_label("Prices", exact=True)).to_have_count(0)
    anna.page.get_by_text("without VAT", exact=True).click()
    anna.sees("Your tiles have prices, such as Chair for €150.00. What about them?")
    assert anna.get(SETTINGS)["pricesEntered"] == "gross"
    anna.tap(answer)
    anna.until(lambda: anna.get(SETTINGS)["pricesEntered"] == "net" and tile_prices(anna) == [price, 0])
    expect(anna.page.get_by_label("Prices", exact=True)).to_have_count(1)
    # An estimate keeps what its prices are.
    assert (facts(anna, begun)["pricesEntered"], anna.get(f"/estimates/{begun}/totals")["total"]) == ("gross", 1050)


@pytest.mark.parametrize(
    ("answer", "price", "expected"), [("Keep the numbers", 121.95, 853.65), ("Convert the prices", 150, 1050)]
)
def test_the_prices_of_one_estimate_can_be_with_tax(
    open_app: OpenApp, answer: str, price: float, expected: float
) -> None:
    anna = open_app()
    set_settings(anna, taxPercent=23)
    estimate = estimate_of(anna, "Chairs", CHAIR)
    anna.open(f"/estimates/{estimate}")
    anna.tap("Name, client, discount")
    anna.tap("Details of the document")
    anna.page.get_by_text("with VAT", exact=True).click()
    anna.sees("There are prices already, such as Chair for €121.95. What about them?")
    anna.tap(answer)
    anna.until(lambda: facts(anna, estimate).get("pricesEntered") == "gross")
    anna.until(lambda: prices(anna, estimate) == [price])
    assert anna.get(f"/estimates/{estimate}/totals")["total"] == expected


def test_net_prices_that_are_shown_with_tax_are_shown_so_on_every_screen(open_app: OpenApp) -> None:
    """Seven chairs of 121.95 and 23 % are 1,050.00, not 1,049.99."""
    anna = open_app()
    set_settings(anna, taxPercent=23, pricesShown="gross")
    estimate = estimate_of(anna, "Chairs", CHAIR)
    anna.open(f"/estimates/{estimate}")
    expect(lines(anna)).to_contain_text("7 pcs × €150.00")
    assert (total(anna), sums(anna)) == ("€1,050.00", "Total €1,050.00 including VAT 23% €196.34")
    anna.open("/estimates")
    anna.sees("€1,050.00")
    anna.open(f"/estimates/{estimate}/send")
    expect(anna.page.locator(".send-sum")).to_contain_text("€1,050.00")
    lines_before = [CHAIR]
    anna.post(f"/estimates/{estimate}/confirm", None)
    anna.api.patch(f"/estimates/{estimate}", json={"lineItems": [*lines_before, SOLES]}).raise_for_status()
    anna.open(f"/estimates/{estimate}/revisions")
    anna.sees("€1,050.00 → €1,089.98")
    # As the line is shown, 39.98 with its tax.
    anna.sees("+€39.98")


def test_an_estimate_of_a_phone_without_connection_keeps_what_its_prices_are(open_app: OpenApp) -> None:
    anna = open_app()
    set_settings(anna, taxPercent=23, pricesEntered="gross")
    anna.post("/workshops/{workshop}/grids", {"name": "Chairs", "iconSize": "medium", "buttons": TILES})
    anna.open("/estimates/new")
    expect(tile(anna, "Chair")).to_be_visible()
    anna.page.route("**/api/**", lambda route: route.abort())
    tile(anna, "Chair").click()
    expect(lines(anna)).to_have_count(1)
    assert total(anna) == "€150.00"
    set_settings(anna, pricesEntered="net")
    anna.page.unroute_all()
    anna.page.evaluate("dispatchEvent(new Event('online'))")
    # Not by `arrived`, which lets no request of the page go on while it waits.
    anna.until_sent(lambda: len(anna.get("/workshops/{workshop}/estimates")["estimates"]) == 1)
    estimate = anna.get("/workshops/{workshop}/estimates")["estimates"][0]["id"]
    anna.until(lambda: facts(anna, estimate).get("pricesEntered") == "gross")
    assert (prices(anna, estimate), anna.get(f"/estimates/{estimate}/totals")["total"]) == ([150], 150)
    expect(anna.page.locator("output.total-sum")).to_contain_text("€150.00")


def test_a_restored_revision_has_the_prices_that_it_was_confirmed_with(open_app: OpenApp) -> None:
    anna = open_app()
    anna.keep_offers()
    set_settings(anna, taxPercent=23)
    estimate = estimate_of(anna, "Chairs", CHAIR | {"unitPrice": 150}, pricesEntered="gross")
    anna.post(f"/estimates/{estimate}/confirm", None)
    anna.api.put(f"/estimates/{estimate}/document", json={"pricesEntered": "net"}).raise_for_status()
    anna.api.patch(f"/estimates/{estimate}", json={"lineItems": [CHAIR]}).raise_for_status()
    anna.post(f"/estimates/{estimate}/confirm", None)
    anna.open(f"/estimates/{estimate}/revisions")
    anna.sees("with VAT → without VAT")
    anna.page.get_by_role("button", name="Go on from this one").click()
    anna.until(lambda: facts(anna, estimate).get("pricesEntered") == "gross" and prices(anna, estimate) == [150])
    assert anna.get(f"/estimates/{estimate}/totals")["total"] == 1050
    anna.tap("Undo")
    anna.until(lambda: "pricesEntered" not in facts(anna, estimate) and prices(anna, estimate) == [121.95])
