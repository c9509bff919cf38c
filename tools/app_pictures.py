"""`python -m tools.app_pictures`: draws every screen of the web app as WebP into docs/guide/pictures/app.

Starts the demo, and opens each screen in Chromium: on a phone in English, in Polish and dark, and on a desk. Look at
the pictures after a change of the app, and commit them with it. Arguments are the names of screens and looks to draw.
"""

import base64
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Browser, BrowserContext, Page
from tests.support.databases import new_file
from tests.support.server import Server, running_server
from tests.web.app.screens import Screen, demo_accounts, go, ids_of, screens, settle
from tests.web.browsers import chromium, started

PICTURES = Path(__file__).parents[1] / "docs" / "guide" / "pictures" / "app"
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


STEPS: dict[str, Callable[[Page], None]] = {"new-estimate": build}


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
        page.on("console", lambda line: sys.stderr.write(f"{look.name}: {line.text}\n"))
        cookies = [{"name": name, "value": value, "url": server.url} for name, value in api.cookies.items()]
        for screen in sorted(_wanted(names), key=lambda each: each.needs != "nothing"):
            if screen.needs != "nothing" and not context.cookies():
                context.add_cookies(cookies)  # type: ignore[arg-type]
                page.goto(server.url + "/")
            elif page.url == "about:blank":
                page.goto(server.url + "/sign-in")
            go(page, Screen("", "/tiles/:gridId", "").path_of(ids) if screen.name == "tiles" else screen.path_of(ids))
            STEPS.get(screen.name, settle)(page)
            settle(page)
            _save(page, f"{screen.name}-{look.name}")


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


def _wanted(names: list[str]) -> Iterator[Screen]:
    every = [*screens(), Screen("new-estimate", "/estimates/new", "workshop")]
    # The tiles of one grid look the same as `tiles`.
    yield from (each for each in every if each.name != "tiles-of" and (not names or each.name in names))


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
