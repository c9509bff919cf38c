"""A real browser, on a telephone's screen: the one that `CHROMIUM` names, or one of the system."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

# As root, without a display, and without a word to anybody but the page.
_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_NAMES = ("chromium", "chromium-browser", "google-chrome")
SCREEN = {"width": 375, "height": 667}


def chromium() -> str | None:
    """Where the browser is; None where there is none. Raises where the one that is asked for is not there."""
    asked = os.environ.get("CHROMIUM")
    if asked:
        found = shutil.which(asked)
        assert found is not None, f"CHROMIUM is {asked}, which is not there"
        return found
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


@contextlib.contextmanager
def started(path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Telephone:
    """Somebody's browser, new and signed in nowhere. What went wrong in it is kept, and what it asked for."""

    def __init__(self, browser: Browser, language: str) -> None:
        self.context = browser.new_context(viewport=SCREEN, locale=language)  # type: ignore[arg-type]
        self.context.set_default_timeout(60_000)
        self.page: Page = self.context.new_page()
        self.field_errors: list[str] = []
        self.asked: list[Any] = []
        self.page.on("request", lambda request: self.asked.append(request))
        self.page.on("pageerror", lambda error: self.field_errors.append(str(error)))
        self.page.on("console", lambda line: self._noted(line.text))

    def _noted(self, line: str) -> None:
        if "Content Security Policy" in line or "404" in line:
            self.field_errors.append(line)

    def opens(self, link: str) -> Page:
        """Another page first: the same one with another fragment would not be loaded anew."""
        self.page.goto("about:blank")
        self.page.goto(link)
        return self.page

    def changes_asked_for(self) -> list[str]:
        """The paths of all that could have changed something."""
        return [request.url.partition("/api")[2] for request in self.asked if request.method not in ("GET", "HEAD")]
