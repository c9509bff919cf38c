"""The API reference and the short pages in a browser with a phone's screen."""

from collections.abc import Callable
from typing import Literal

from playwright.sync_api import Page

from tests.web.browsers import PhoneBrowser
from tests.web.open_sign_up import OpenSignUpServer

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# The texts of the operations that the search leaves.
SHOWN = """[...document.querySelectorAll("nav li")].filter((each) => each.checkVisibility())
  .map((each) => each.innerText)"""


def test_the_api_reference_fits_a_phone_and_is_searched_by_summary_name_and_path(
    server: OpenSignUpServer, open_browser: Callable[[], PhoneBrowser]
) -> None:
    """On one page: it is the largest of all, and takes half a second to load."""
    page = open_browser().page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}/api/docs#createEstimate")
    assert page.evaluate("location.hash.slice(1) === document.querySelector(':target').id")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        # Text and page differ in lightness in both schemes: black on black would be the usual mistake.
        colours = page.evaluate(
            "[document.body, document.querySelector('pre')].map(each => { const style = getComputedStyle(each);"
            " return [style.color, style.backgroundColor] })"
        )
        for text, ground in colours:
            assert abs(lightness(text) - lightness(ground)) > 100, scheme
        assert (lightness(colours[0][1]) < 128) is (scheme == "dark")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        expect_search(page)
    page.set_viewport_size({"width": 390, "height": 844})
    # Everything opened, long error bodies and examples too, and laid out also where it is not in sight.
    page.evaluate("""() => {
        for (const each of document.querySelectorAll("details")) each.open = true;
        for (const each of document.querySelectorAll("section")) each.style.contentVisibility = "visible";
    }""")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def expect_search(page: Page) -> None:
    for text, summary in (
        ("collected order", "Record that an order"),
        ("moveorder", "Move an order"),
        ("put /grids/order", "Set the order of the grids"),
    ):
        page.keyboard.press("/")
        page.get_by_role("searchbox").fill(text)
        shown = page.evaluate(SHOWN)
        assert any(each.startswith(summary) for each in shown), shown
        assert len(shown) <= 4
    page.get_by_role("searchbox").press("Enter")
    assert page.evaluate("document.querySelector(':target').id") == "reorderGrids"
    page.get_by_role("searchbox").fill("nothing has these words")
    assert page.evaluate(SHOWN) == []
    # As before: no words, no target, and the focus nowhere.
    page.get_by_role("searchbox").fill("")
    page.get_by_role("searchbox").blur()
    page.evaluate("location.hash = ''")


def test_the_short_pages_follow_the_colour_scheme(
    server: OpenSignUpServer, open_browser: Callable[[], PhoneBrowser]
) -> None:
    browser = open_browser()
    # The page of an invitation asks who invites, and that token is none.
    browser.expected.add(400)
    for path in ("/join/#token=x", "/reset/#token=x"):
        browser.page.goto(f"{server.url}{path}")
        for scheme in SCHEMES:
            browser.page.emulate_media(color_scheme=scheme)
            colours = browser.page.evaluate(
                "[...document.querySelectorAll('body, input:not([type=checkbox]), button')].map(each => ["
                " getComputedStyle(each).color,"
                " getComputedStyle(each.matches('.quiet') ? document.body : each).backgroundColor ])"
            )
            assert all(abs(lightness(text) - lightness(ground)) > 90 for text, ground in colours), (path, scheme)
            assert (lightness(colours[0][1]) < 128) is (scheme == "dark"), path


def lightness(colour: str) -> float:
    """0 to 255, from `rgb(1, 2, 3)`."""
    parts = [float(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")[:3]]
    return sum(parts) / 3
