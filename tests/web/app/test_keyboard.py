"""By keyboard, and with the system's own colours: undo, shortcuts, the focus, what is chosen."""

import pytest
from playwright.sync_api import ViewportSize

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import DESK, PHONE, expect, wait_for_shortcuts

_SYSTEM_COLOUR = """name => {
  const sample = document.body.appendChild(document.createElement('i'));
  sample.style.color = name;
  const { color } = getComputedStyle(sample);
  sample.remove();
  return color;
}"""
_BACKGROUND = "(element) => getComputedStyle(element).backgroundColor"


def test_a_move_is_taken_back_by_keyboard(open_app: OpenApp) -> None:
    anna = open_app(screen=DESK)
    anna.post("/workshops/{workshop}/orders", {"title": "Oak table"})
    anna.open()
    wait_for_shortcuts(anna)
    anna.tap("Start")
    anna.until(lambda: len(anna.get("/workshops/{workshop}/orders?status=in_progress")["orders"]) == 1)
    anna.page.keyboard.press("Control+z")
    anna.until(lambda: len(anna.get("/workshops/{workshop}/orders?status=todo")["orders"]) == 1)
    expect(anna.button("Start")).to_be_visible()


def test_the_offer_to_undo_stays_while_it_has_the_focus(open_phone: OpenApp) -> None:
    anna = open_phone()
    anna.page.clock.install()
    anna.post("/workshops/{workshop}/orders", {"title": "Oak table"})
    anna.open()
    anna.page.clock.run_for(2_000)
    anna.tap("Start")
    anna.button("Undo").focus()
    anna.page.clock.run_for(20_000)
    expect(anna.button("Undo")).to_be_visible()
    anna.page.get_by_role("main").focus()
    anna.page.clock.run_for(20_000)
    expect(anna.button("Undo")).to_have_count(0)


def test_shortcuts_of_a_single_key_can_be_turned_off(open_app: OpenApp) -> None:
    anna = open_app(screen=DESK)
    anna.open("/shop/account")
    wait_for_shortcuts(anna)
    anna.page.get_by_role("switch", name="Single-key shortcuts").click()
    anna.page.get_by_role("main").focus()
    anna.page.keyboard.press("b")
    anna.page.keyboard.press("Shift+?")
    expect(anna.page).to_have_url(f"{anna.url}/shop/account")
    anna.page.get_by_role("switch", name="Single-key shortcuts").click()
    anna.page.get_by_role("main").focus()
    anna.page.keyboard.press("b")
    expect(anna.page).to_have_url(f"{anna.url}/")


def test_the_focus_stays_in_the_screen_when_its_element_goes(open_app: OpenApp) -> None:
    anna = open_app()
    anna.post("/workshops/{workshop}/orders", {"title": "Oak table"})
    anna.open()
    anna.button("Start").focus()
    anna.page.keyboard.press("Enter")
    expect(anna.button("Start")).to_have_count(0)
    expect(anna.page.locator("main:focus, main :focus")).to_have_count(1)


@pytest.mark.parametrize("screen", [PHONE, DESK], ids=["phone", "desk"])
def test_the_focus_stays_on_a_ticket_that_gets_another_place(open_phone: OpenApp, screen: ViewportSize) -> None:
    """As when the days of the orders come after the orders, or somebody else changes them."""
    anna = open_phone(screen=screen)
    for title in ("Oak table", "Ash chair"):
        anna.post("/workshops/{workshop}/orders", {"title": title})
    anna.open()
    titles = anna.page.locator(".ticket-title")
    expect(titles).to_have_text(["Ash chair", "Oak table"])
    ids = {each["title"]: each["id"] for each in anna.get("/workshops/{workshop}/orders")["orders"]}
    for title, day, order in (
        ("Oak table", "2999-01-02", ["Oak table", "Ash chair"]),
        ("Ash chair", "2999-01-01", ["Ash chair", "Oak table"]),
    ):
        start = anna.page.get_by_role("button", name=f"Start : {title}")
        start.focus()
        anna.api.patch(f"/orders/{ids[title]}/details", json={"dueOn": day}).raise_for_status()
        expect(titles).to_have_text(order)
        expect(start).to_be_focused()


def test_what_lost_the_focus_before_it_moved_does_not_take_it(open_phone: OpenApp) -> None:
    anna = open_phone()
    for title in ("Oak table", "Ash chair"):
        anna.post("/workshops/{workshop}/orders", {"title": title})
    anna.open()
    start = anna.page.get_by_role("button", name="Start : Oak table")
    start.focus()
    start.evaluate("(element) => element.blur()")
    oak = anna.get("/workshops/{workshop}/orders")["orders"][1]["id"]
    anna.api.patch(f"/orders/{oak}/details", json={"dueOn": "2999-01-01"}).raise_for_status()
    expect(anna.page.locator(".ticket-title")).to_have_text(["Oak table", "Ash chair"])
    assert anna.page.evaluate("document.activeElement === document.body")


def test_forced_colours_show_what_is_chosen(open_phone: OpenApp) -> None:
    anna = open_phone()
    anna.post("/workshops/{workshop}/orders", {"title": "Oak table"})
    anna.page.emulate_media(forced_colors="active")
    anna.open()
    tabs = anna.page.get_by_role("tab")
    expect(tabs).to_have_count(3)
    chosen, other = (tabs.nth(at).evaluate(_BACKGROUND) for at in (0, 1))
    assert chosen != other
    places = anna.page.get_by_role("navigation").last.get_by_role("link")
    present, elsewhere = (places.nth(at).evaluate(_BACKGROUND) for at in (0, 1))
    assert present != elsewhere


def test_forced_colours_write_what_is_chosen_in_the_colour_of_its_ground(open_phone: OpenApp) -> None:
    anna = open_phone()
    for name in ("Parts", "Fittings"):
        anna.post("/workshops/{workshop}/grids", {"name": name, "iconSize": "medium", "buttons": []})
    anna.page.emulate_media(forced_colors="active")
    for path in ("/", "/tiles", "/estimates/new"):
        anna.open(path)
        chosen = anna.page.locator("[role=tab][aria-selected=true]").first
        expect(chosen).to_have_css("color", anna.page.evaluate(_SYSTEM_COLOUR, "HighlightText"))
        expect(chosen).to_have_css("background-color", anna.page.evaluate(_SYSTEM_COLOUR, "Highlight"))


def test_the_tiles_are_one_stop_of_the_tab_key(open_phone: OpenApp) -> None:
    anna = open_phone(screen=DESK)
    tiles = [{"emoji": "🪑", "label": f"Part {n}", "unit": "piece", "unitPrice": 10 * n} for n in range(1, 6)]
    anna.post("/workshops/{workshop}/grids", {"name": "Parts", "iconSize": "medium", "buttons": tiles})
    anna.open("/estimates/new")
    expect(anna.page.locator(".tile")).to_have_count(6)
    assert anna.page.locator(".tile[tabindex='0']").count() == 1
    anna.page.locator(".tile").first.focus()
    anna.page.keyboard.press("ArrowRight")
    expect(anna.page.locator(".tile").nth(1)).to_be_focused()
    anna.page.keyboard.press("Enter")
    expect(anna.page.locator(".roll-line")).to_contain_text("Part 2")
    # After the quantity the focus is where it was.
    anna.page.keyboard.press("7")
    anna.page.keyboard.press("Enter")
    expect(anna.page.locator(".roll-line")).to_contain_text("7 pcs")
    expect(anna.page.locator(".tile").nth(1)).to_be_focused()
