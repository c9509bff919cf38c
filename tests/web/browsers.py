"""Chromium with a phone's screen size: the program named by `CHROMIUM`, or one that is installed."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page, Response, sync_playwright

from tests.web.contexts import BLANK

# Chromium uses the last list of features that it is given, so this one contains what Playwright disables, too. The
# first two are pages of the browser itself, which load 400 modules at its start: a second of processor time.
_DISABLED_FEATURES = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AimEnabled",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
# Runs as root, without a display, and without connections of its own.
_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
]
# The first has no windows: a page costs half the processor time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SCREEN = {"width": 375, "height": 667}
# The service worker stores every file of the app in each new browser: a third of the processor time of a journey.
WITHOUT_WORKER = "delete Navigator.prototype.serviceWorker"


def chromium() -> str | None:
    """The path of the browser, or None. Fails if `CHROMIUM` is set and does not exist."""
    named = os.environ.get("CHROMIUM")
    if named:
        found = shutil.which(named)
        assert found is not None, f"CHROMIUM is {named}, which does not exist"
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


def place_of(shown: Locator) -> FloatRect:
    """Where it is in the window, once it is in sight and stands still: pages scroll there over several frames."""
    shown.hover(trial=True)
    box = shown.bounding_box()
    assert box is not None
    return box


class PhoneBrowser:
    """A browser context that is signed in nowhere, with its page. Collects its errors and its requests."""

    def __init__(self, context: BrowserContext, *, has_worker: bool = False) -> None:
        self.context = context
        if not has_worker:
            self.context.add_init_script(WITHOUT_WORKER)
        self.context.set_default_timeout(60_000)
        self.page: Page = self.context.pages[0]
        self.errors: list[str] = []
        # The statuses of responses that the journey provokes; every other one from 400 on is an error.
        self.expected: set[int] = set()
        self.requests: list[Any] = []
        self.page.on("request", lambda request: self.requests.append(request))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self._on_console(line.text))
        # Those of every page of the browser.
        self.context.on("response", self._on_response)

    def _on_console(self, line: str) -> None:
        if "Content Security Policy" in line:
            self.errors.append(line)

    def _on_response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.errors.append(f"{response.status} {response.request.method} {response.url}")

    def open(self, link: str) -> Page:
        """Loads the page of the link, also where the fragment alone changes."""
        if self.page.url.partition("#")[0] == link.partition("#")[0]:
            # A page without content, in the same process: after about:blank there would be another one.
            self.page.goto("/".join(link.split("/")[:3]) + BLANK)
        self.page.goto(link)
        return self.page

    def changing_requests(self) -> list[str]:
        """The paths of the requests other than GET and HEAD, but for the one that reads with a token in its body."""
        paths = [request.url.partition("/api")[2] for request in self.requests if request.method not in ("GET", "HEAD")]
        return [path for path in paths if path != "/invitations/preview"]
