"""`python -m tools.app_pictures`: draws the screens of the web app that pages of the documentation show, as WebP.

Starts the demo, and opens each screen in Chromium: on a phone in English, in Polish or dark, or on a desk, as its name
in src/backbench/help/pictures says. Look at the pictures after a change of the app, and commit them with it. Arguments
are the names of screens and looks to draw.
"""

import base64
import json
import math
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page
from tests.support.databases import new_file
from tests.support.server import Server, running_server
from tests.web.app.screens import Screen, demo_accounts, go, ids_of, screens, settle
from tests.web.browsers import chromium, started

_ROOT = Path(__file__).parents[1]
HELP = _ROOT / "src" / "backbench" / "help"
PICTURES = HELP / "pictures"
MAX_BYTES = 60_000
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


class Look(NamedTuple):
    """Who uses the app, on what. The name is a suffix of the pictures."""

    name: str
    locale: str = "en"
    is_dark: bool = False
    size: dict[str, int] = PHONE


LOOKS = (Look("en"), Look("pl", "pl"), Look("dark", is_dark=True), Look("desk", size=DESK))


def build(page: Page) -> None:
    """A new estimate of four taps."""
    tiles = page.locator(".tiles .tile")
    for number in (0, 1, 1, 2):
        tiles.nth(number).click()


def shown_pictures() -> set[str]:
    """The names of the pictures that a page shows, as `board-pl`."""
    pages = [*(_ROOT / "docs").rglob("*.md"), *HELP.rglob("*.md"), _ROOT / "README.md"]
    return {name for page in pages for name in re.findall(r"pictures/([\w-]+)\.webp", page.read_text("utf-8"))}


def see_board(page: Page) -> None:
    """Its columns and its inbox come after what the screen begins with."""
    page.locator(".ticket").first.wait_for()
    page.locator(".inbox-row, .inbox-line .button").first.wait_for()


def take_in(page: Page) -> None:
    """An intake of the first usual thing."""
    page.locator(".chip").first.click()


def open_paper(number: int) -> Callable[[Page], None]:
    """A sheet of the order: its code or the customer's signature."""

    def step(page: Page) -> None:
        page.locator(".papers-ways .button").nth(number).click()
        page.locator("dialog").wait_for()

    return step


def sign(page: Page) -> None:
    open_paper(2)(page)
    box = page.locator(".signature-pad").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + 50)
    page.mouse.down()
    for number in range(60):
        height = 18 * math.sin(number / 3.1) + 9 * math.sin(number / 1.3)
        page.mouse.move(box["x"] + 40 + 3 * number, box["y"] + 50 + height)
    page.mouse.up()


STEPS: dict[str, Callable[[Page], None]] = {
    "new-estimate": build,
    "board": see_board,
    "intake": take_in,
    "code": open_paper(1),
    "signature": sign,
}
# Screens with a step that is pictured apart.
_STEPPED = (
    Screen("new-estimate", "/estimates/new", "workshop"),
    *(Screen(name, "/orders/:orderId", "workshop") for name in ("code", "signature")),
)


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = chromium()
    assert path is not None, "no Chromium on this machine"
    with (
        tempfile.TemporaryDirectory(prefix="backbench-pictures-") as folder,
        running_server(new_file(Path(folder)), "--demo", BACKBENCH_SIGN_IN_LIMIT="100/60") as server,
        started(path) as browser,
    ):
        looks = [look for look in LOOKS if look.name in sys.argv[1:]] or list(LOOKS)
        names = [name for name in sys.argv[1:] if name not in {look.name for look in LOOKS}]
        for look in looks:
            _draw(server, browser, look, names)


def _draw(server: Server, browser: Browser, look: Look, names: list[str]) -> None:
    shown = shown_pictures()
    emails, password = demo_accounts(server.printed)
    with _context(browser, look) as context:
        api = _signed_in(server, emails[look.locale], password)
        ids = ids_of(api)
        # The builder begins with the grid that was used last; a blank page has no storage.
        grid = json.dumps(json.dumps(ids["gridId"]))
        context.add_init_script(
            f"if (location.protocol !== 'about:') localStorage['backbench-preference-lastGrid'] = {grid}"
        )
        page = context.new_page()
        page.on("console", partial(_report, look.name))
        cookies = [{"name": name, "value": value, "url": server.url} for name, value in api.cookies.items()]
        for screen in sorted(_wanted(names, look, shown), key=lambda each: each.needs != "nothing"):
            if screen.needs != "nothing" and not context.cookies():
                context.add_cookies(cookies)  # type: ignore[arg-type]
                page.goto(server.url + "/")
            elif page.url == "about:blank":
                page.goto(server.url + "/sign-in")
            go(page, Screen("", "/tiles/:gridId", "").path_of(ids) if screen.name == "tiles" else screen.path_of(ids))
            STEPS.get(screen.name, settle)(page)
            settle(page)
            _save(page, f"{screen.name}-{look.name}")
            # A sheet would stay open over the next screen.
            page.keyboard.press("Escape")
        link = api.get(f"/orders/{ids['orderId']}/status-link").raise_for_status().json()["url"]
    if f"status-{look.name}" in shown and (not names or "status" in names):
        with _context(browser, look) as context:
            page = context.new_page()
            page.goto(f"{server.url}/o/#{link.partition('#')[2]}")
            page.locator(".stages").wait_for()
            _save(page, f"status-{look.name}")


def _report(look: str, line: ConsoleMessage) -> None:
    sys.stderr.write(f"{look}: {line.text}\n")


def _signed_in(server: Server, email: str, password: str) -> httpx.Client:
    """With the name of a phone's browser, which the list of devices shows."""
    api = server.client()
    api.headers["user-agent"] = "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile"
    api.post("/authenticate", json={"email": email, "password": password}).raise_for_status()
    return api


def _context(browser: Browser, look: Look) -> BrowserContext:
    return browser.new_context(
        viewport=look.size,  # type: ignore[arg-type]
        locale="pl-PL" if look.locale == "pl" else "en-IE",
        timezone_id="Europe/Dublin",
        color_scheme="dark" if look.is_dark else "light",
        reduced_motion="reduce",
        has_touch=look.size is PHONE,
    )


def _wanted(names: list[str], look: Look, shown: set[str]) -> Iterator[Screen]:
    for screen in [*screens(), *_STEPPED]:
        if f"{screen.name}-{look.name}" in shown and (not names or screen.name in names):
            yield screen


def _save(page: Page, name: str) -> None:
    """As WebP, which Playwright cannot write; with less quality where it would be too large."""
    session = page.context.new_cdp_session(page)
    for quality in (80, 65, 50, 35):
        options: dict[str, Any] = {"format": "webp", "quality": quality}
        picture = base64.b64decode(session.send("Page.captureScreenshot", options)["data"])
        if len(picture) <= MAX_BYTES:
            break
    (PICTURES / f"{name}.webp").write_bytes(picture)
    session.detach()
    sys.stderr.write(f"{name}: {len(picture):,} bytes\n")


if __name__ == "__main__":
    main()
