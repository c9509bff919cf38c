"""The API reference and the short pages in a browser with a phone's screen."""

from collections.abc import Callable

import pytest

from tests.web.browsers import PhoneBrowser
from tests.web.open_sign_up import OpenSignUpServer


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_api_reference_fits_a_phone(
    server: OpenSignUpServer, open_browser: Callable[[], PhoneBrowser], scheme: str
) -> None:
    browser = open_browser()
    browser.page.set_viewport_size({"width": 390, "height": 844})
    browser.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    browser.page.goto(f"{server.url}/api/docs#createEstimate")
    # Everything opened, long error bodies and examples too.
    browser.page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert browser.page.evaluate("document.documentElement.scrollWidth") == 390
    assert browser.page.evaluate("location.hash.slice(1) === document.querySelector(':target').id")
    # Text and page differ in lightness in both schemes: black on black would be the usual mistake.
    colours = browser.page.evaluate(
        "[document.body, document.querySelector('pre')].map(each => { const style = getComputedStyle(each);"
        " return [style.color, style.backgroundColor] })"
    )
    for text, ground in colours:
        assert abs(lightness(text) - lightness(ground)) > 100
    assert (lightness(colours[0][1]) < 128) is (scheme == "dark")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_api_reference_is_searched_by_summary_name_and_path(
    server: OpenSignUpServer, open_browser: Callable[[], PhoneBrowser], width: int
) -> None:
    browser = open_browser()
    browser.page.set_viewport_size({"width": width, "height": 844})
    browser.page.goto(f"{server.url}/api/docs")
    shown = browser.page.locator("nav li:visible")
    for text, summary in (
        ("collected order", "Record that an order"),
        ("moveorder", "Move an order"),
        ("put /grids/order", "Set the order of the grids"),
    ):
        browser.page.keyboard.press("/")
        browser.page.get_by_role("searchbox").fill(text)
        assert any(each.startswith(summary) for each in shown.all_inner_texts()), shown.all_inner_texts()
        assert shown.count() <= 4
    browser.page.get_by_role("searchbox").press("Enter")
    assert browser.page.evaluate("document.querySelector(':target').id") == "reorderGrids"
    browser.page.get_by_role("searchbox").fill("nothing has these words")
    assert shown.count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/join/#token=x", "/reset/#token=x"])
def test_the_short_pages_follow_the_colour_scheme(
    server: OpenSignUpServer, open_browser: Callable[[], PhoneBrowser], path: str, scheme: str
) -> None:
    browser = open_browser()
    # The page of an invitation asks who invites, and that token is none.
    browser.expected.add(400)
    browser.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    browser.page.goto(f"{server.url}{path}")
    colours = browser.page.evaluate(
        "[...document.querySelectorAll('body, input:not([type=checkbox]), button')].map(each => ["
        " getComputedStyle(each).color, getComputedStyle(each.matches('.quiet') ? document.body : each).backgroundColor"
        " ])"
    )
    assert all(abs(lightness(text) - lightness(ground)) > 90 for text, ground in colours)
    assert (lightness(colours[0][1]) < 128) is (scheme == "dark")


def lightness(colour: str) -> float:
    """0 to 255, from `rgb(1, 2, 3)`."""
    parts = [float(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")[:3]]
    return sum(parts) / 3
