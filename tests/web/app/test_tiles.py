"""Tiles in a browser: prices, order, pictures, grids, the catalog, and what works without a connection."""

import re
from pathlib import Path
from typing import Any

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import DESK, Craftsperson, expect
from tests.web.browsers import place_of

TILES = [
    {"emoji": "🪑", "label": "Chair", "unit": "piece", "unitPrice": 420},
    {"emoji": "🧵", "label": "Stitching", "unit": "hour", "unitPrice": 48},
    {"emoji": "🚚", "label": "Delivery", "unit": "job", "unitPrice": 35},
]


def with_grid(person: Craftsperson, tiles: list[dict[str, Any]] = TILES, name: str = "Repairs") -> str:
    return str(person.post("/workshops/{workshop}/grids", {"name": name, "buttons": tiles})["id"])


def tiles_of(person: Craftsperson, grid: str) -> list[dict[str, Any]]:
    buttons: list[dict[str, Any]] = person.get(f"/grids/{grid}")["buttons"]
    return buttons


def labels(person: Craftsperson, grid: str) -> list[str]:
    return [tile["label"] for tile in tiles_of(person, grid)]


def position_of(person: Craftsperson, grid: str) -> int:
    return [each["id"] for each in person.get("/workshops/{workshop}/grids")["grids"]].index(grid)


def test_a_price_is_two_taps_and_its_digits(open_app: OpenApp) -> None:
    person = open_app()
    grid = with_grid(person)
    person.open("/tiles")
    person.button("Chair").wait_for()
    before = person.taps
    person.tap("Chair")
    for digit in "290":
        person.tap(digit, exact=True)
    person.tap("Done", exact=True)
    assert person.taps - before == 2 + len("290")
    expect(person.button("Chair")).to_contain_text("290")
    person.until(lambda: tiles_of(person, grid)[0]["unitPrice"] == 290)


def test_each_key_of_a_price_does_what_it_says(open_app: OpenApp) -> None:
    add, subtract, twice, back = "Ten per cent more", "Ten per cent less", "Double", "Delete the last digit"
    taps: list[tuple[float, list[str], float]] = [
        (0.5, [add], 0.55),
        (0.1, [add], 0.11),
        (0.5, [subtract], 0.45),
        (12, [add, add], 14.52),
        (12, [add, "7"], 7),
        (12, ["7", add], 7.7),
        (12, ["7", "5"], 75),
        (12, ["Decimal point", "5"], 0.5),
        (12, [back], 1),
        (12, [back, back, "3"], 3),
        (0.0125, [add], 0.0138),
        (0.1234, [twice], 0.2468),
        (0.25, [twice, twice, back, "5"], 5),
    ]
    person = open_app()
    tiles = [{**TILES[0], "label": f"Tile {at}.", "unitPrice": price} for at, (price, _, _) in enumerate(taps)]
    grid = with_grid(person, tiles)
    person.open("/tiles")
    for at, (_, keys, _) in enumerate(taps):
        person.tap(f"Tile {at}.")
        for key in keys:
            person.tap(key, exact=True)
        person.tap("Done", exact=True)
    person.tap("Tile 0.")
    person.page.get_by_role("textbox", name="Price").fill("0.575")
    person.tap("Done", exact=True)
    prices = [0.575, *[price for _, _, price in taps[1:]]]
    person.until(lambda: tiles_of(person, grid)[0]["unitPrice"] == prices[0])
    assert [tile["unitPrice"] for tile in tiles_of(person, grid)] == prices


def test_a_held_tile_follows_the_finger_to_another_place(open_phone: OpenApp) -> None:
    person = open_phone()
    grid = with_grid(person)
    person.open("/tiles")
    chair, delivery = place_of(person.button("Chair")), place_of(person.button("Delivery"))
    mouse = person.page.mouse
    mouse.move(chair["x"] + 40, chair["y"] + 40)
    mouse.down()
    person.page.locator(".tile-slot.held").wait_for()
    mouse.move(delivery["x"] + 40, delivery["y"] + 40, steps=4)
    mouse.up()
    person.until(lambda: labels(person, grid) == ["Stitching", "Delivery", "Chair"])
    assert person.page.locator("dialog").count() == 0


def test_tiles_are_ordered_by_keyboard_and_by_buttons(open_app: OpenApp) -> None:
    person = open_app(screen=DESK)
    grid = with_grid(person)
    person.open("/tiles")
    person.button("Chair").focus()
    person.page.keyboard.press("Alt+ArrowRight")
    expect(person.page.get_by_text("Chair: place 2 of 3")).to_be_attached()
    expect(person.button("Chair")).to_be_focused()
    person.tap("Delivery")
    person.tap("Earlier")
    person.until(lambda: labels(person, grid) == ["Stitching", "Delivery", "Chair"])


def test_a_deleted_tile_comes_back(open_app: OpenApp) -> None:
    person = open_app()
    person.keep_offers()
    grid = with_grid(person)
    person.open("/tiles")
    person.tap("Stitching")
    person.tap("Delete the tile")
    expect(person.button("Stitching")).to_have_count(0)
    person.tap("Undo")
    expect(person.button("Stitching")).to_be_visible()
    assert labels(person, grid) == ["Chair", "Stitching", "Delivery"]


def test_a_new_tile_gets_a_picture_from_its_name(open_app: OpenApp) -> None:
    person = open_app()
    grid = with_grid(person, [])
    person.open("/tiles")
    person.tap("New tile")
    person.tap("Choose a picture")
    person.type("Search: chair, oak, paint", "krzeslo")
    person.tap("chair", exact=True)
    person.type("What is it?", "Hammering")
    for digit in "12.5":
        person.tap("Decimal point" if digit == "." else digit, exact=True)
    person.tap("Put it on the grid")
    person.until(lambda: len(tiles_of(person, grid)) == 1)
    made = tiles_of(person, grid)[0]
    assert (made["emoji"], made["label"], made["unit"], made["unitPrice"]) == ("🪑", "Hammering", "piece", 12.5)
    person.tap("New tile")
    person.type("What is it?", "Hammering again")
    person.tap("Put it on the grid")
    person.until(lambda: len(tiles_of(person, grid)) == 2)
    assert tiles_of(person, grid)[1]["emoji"] == "🔨"


def test_a_photo_becomes_a_small_picture_of_the_tile(open_phone: OpenApp, tmp_path: Path) -> None:
    person = open_phone()
    grid = with_grid(person)
    person.open("/tiles")
    photo = tmp_path / "photo.png"
    person.page.set_viewport_size({"width": 600, "height": 500})
    photo.write_bytes(person.page.screenshot())
    person.tap("Chair")
    person.tap("Choose a picture")
    person.page.locator("input[type=file]").set_input_files(photo)
    person.until(lambda: "iconFileId" in tiles_of(person, grid)[0])
    file = tiles_of(person, grid)[0]["iconFileId"]
    expect(person.page.locator(f".tile img[src='/api/files/{file}']")).to_be_visible()
    bitmap = f"fetch('/api/files/{file}').then(answer => answer.blob()).then(createImageBitmap)"
    assert person.page.evaluate(f"{bitmap}.then(image => [image.width, image.height])") == [256, 256]


def test_an_unreadable_photo_is_explained(open_app: OpenApp, tmp_path: Path) -> None:
    person = open_app("pl")
    with_grid(person)
    person.open("/tiles")
    (tmp_path / "photo.png").write_bytes(b"no picture")
    person.tap("Chair")
    person.tap("Wybierz obrazek")
    person.page.locator("input[type=file]").set_input_files(tmp_path / "photo.png")
    person.sees("Tego zdjęcia nie da się tu odczytać.")


def test_a_price_changed_without_a_connection_arrives_once(open_app: OpenApp) -> None:
    person = open_app()
    grid = with_grid(person)
    person.open("/tiles")
    person.button("Chair").wait_for()
    answered: list[str] = []
    # From here on: the page tries again by itself, maybe as soon as the server can be reached.
    person.page.on("response", lambda each: answered.append(each.request.method) if "/grids/" in each.url else None)
    person.context.route(f"{person.url}/api/**", lambda route: route.abort())
    person.tap("Chair")
    for digit in "75":
        person.tap(digit, exact=True)
    person.tap("Done", exact=True)
    expect(person.button("Chair")).to_contain_text("75")
    person.sees("No connection")
    assert tiles_of(person, grid)[0]["unitPrice"] == 420
    person.context.unroute(f"{person.url}/api/**")
    person.page.evaluate("dispatchEvent(new Event('online'))")
    person.until(lambda: tiles_of(person, grid)[0]["unitPrice"] == 75)
    expect(person.page.get_by_text("No connection")).to_have_count(0)
    person.until(lambda: "PATCH" in answered)
    assert answered.count("PATCH") == 1


def test_a_colour_that_two_people_changed_is_chosen_among_what_waits(open_app: OpenApp) -> None:
    """The sheet of the tile has no place for that choice: the list of changes has one for every field."""
    person = open_app()
    grid = with_grid(person)
    person.open("/tiles")
    person.tap("Chair")
    # From now on this page hears of no change by itself: the requests for them are never answered.
    person.page.route(re.compile(r"/(events|changes)\b"), lambda _route: None)
    chair, *others = tiles_of(person, grid)
    buttons = [chair | {"backgroundColor": "#2B3A67"}, *others]
    person.api.patch(f"/grids/{grid}", json={"buttons": buttons}).raise_for_status()
    person.tap("Sage")
    person.tap("Done", exact=True)
    person.tap("Choose a value")
    person.sees("Changed by two people: colour")
    person.sees("Somebody else: #2B3A67")
    person.tap("Yours: #CFDAC4")
    person.until(lambda: tiles_of(person, grid)[0]["backgroundColor"] == "#CFDAC4")
    expect(person.page.get_by_text("Choose a value")).to_have_count(0)


def test_a_grid_is_named_sized_moved_and_deleted(open_app: OpenApp) -> None:
    person = open_app()
    person.keep_offers()
    with_grid(person, name="Repairs")
    grid = with_grid(person, name="Sofas")
    person.open(f"/tiles/{grid}")
    person.tap("This grid")
    person.type("Name of the grid", "Sofas and chairs")
    person.page.get_by_text("Large", exact=True).click()
    before = position_of(person, grid)
    person.tap("Later" if before == 0 else "Earlier")
    person.until(lambda: position_of(person, grid) != before)
    person.until(lambda: person.get(f"/grids/{grid}")["iconSize"] == "large")
    assert person.get(f"/grids/{grid}")["name"] == "Sofas and chairs"
    person.tap("Delete the grid")
    expect(person.page.get_by_role("tab", name="Sofas and chairs")).to_have_count(0)
    person.tap("Undo")
    expect(person.page.get_by_role("tab", name="Sofas and chairs")).to_be_visible()


def test_the_eleventh_grid_is_refused_in_place(open_app: OpenApp) -> None:
    person = open_app()
    for number in range(10):
        with_grid(person, [], f"Grid {number}")
    person.open("/tiles")
    person.tap("New grid")
    person.sees("There are 10 grids, and that is the most.")


def test_items_of_the_catalog_are_found_in_both_languages_and_added(open_app: OpenApp) -> None:
    person = open_app()
    grid = with_grid(person, [])
    person.open("/tiles")
    person.tap("From the catalog", role="link")
    for query in ("kran", "bathroom tap"):
        person.type("Search: sofa, tap, gutter", query)
        person.page.get_by_role("checkbox").first.check()
    person.tap("Add 2 tiles")
    person.page.wait_for_url("**/tiles")
    person.until(lambda: len(tiles_of(person, grid)) == 2)
    assert all("tap" in label for label in labels(person, grid))


def test_the_catalog_can_be_read_without_a_connection(open_app: OpenApp) -> None:
    person = open_app()
    with_grid(person)
    person.open("/catalog")
    person.tap("Upholstery", role="link")
    person.sees("Chairs and armchairs")
    person.context.route(f"{person.url}/api/**", lambda route: route.abort())
    person.open("/catalog?craft=carpentry")
    person.tap("Make a grid")
    expect(person.page.get_by_role("tab", name="Kitchen made to measure")).to_be_visible()
    expect(person.page.locator(".tile-slot")).to_have_count(14)


def test_a_price_that_was_charged_is_offered_for_the_tile(open_app: OpenApp) -> None:
    person = open_app()
    grid = with_grid(person)
    line = {"label": "Chair", "unit": "piece", "quantity": 1, "unitPrice": 455}
    for name in ("Kitchen", "Hall"):
        person.post("/workshops/{workshop}/estimates", {"name": name, "lineItems": [line]})
    person.open("/tiles")
    person.tap("Keep €455.00")
    person.until(lambda: tiles_of(person, grid)[0]["unitPrice"] == 455)
    person.does_not_see("From your estimates")
