"""Somebody who uses the web app: a browser with a phone's screen, and the API beside it to see what arrived."""

import json
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Browser, BrowserContext, Locator, Page
from playwright.sync_api import expect as expect_in_browser

from tests.people import PASSWORD
from tests.web import dom
from tests.web.browsers import WITHOUT_WORKER
from tests.web.contexts import Contexts

# The one button of a page from which an estimate is sent names the sum.
SEND = re.compile(r"^Send .*\d")
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
# As in the app, in milliseconds.
_UNDO_TIME = 6_000
# What the browser writes where a test took the connection away, and where the server had its cache cleared. And the
# rejection of a conditional request: another write may come first at any time, and what the page does then is asserted.
_EXPECTED = (
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_FAILED",
    "Clear-Site-Data",
    "the server responded with a status of 412",
)
# Counts what a finger does, in the page itself.
_COUNT_TAPS = "addEventListener('pointerdown', () => { window.taps = (window.taps ?? 0) + 1 }, true)"

# The texts of the offers of undo that were shown.
_OFFERS = """(() => {
    globalThis.offers = [];
    let last = null;
    const look = () => {
        const bar = document.querySelector(".undo-bar");
        const text = bar && bar.textContent;
        if (text === last) return;
        last = text;
        if (text) offers.push(text);
        if (text && globalThis.keepsOffers) bar.dispatchEvent(new Event("focusin", { bubbles: true }));
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
})()"""

# Until the responses to what the page sends are stored. The next page repeats changes whose responses are not, and the
# repetition of a conditional one is answered with 412. Without a server the page is left all the same.
_RECEIVED = """async () => {
    const main = document.querySelector("script[type=module]")?.src;
    const outbox = main?.includes("/app/") && (await import(main)).$state_outbox;
    const sent = outbox && navigator.onLine && outbox.items.value.some(({ isSent, problem }) => isSent && !problem);
    if (sent) await Promise.race([outbox.flush(), new Promise((end) => setTimeout(end, 2_000))]);
}"""


def expect(found: Any) -> Any:
    """What Playwright's `expect` promises, of pages in a browser and without one."""
    return dom.Expectation(found) if isinstance(found, dom.Locator) else expect_in_browser(found)


_HAS_LISTS = """async (workshop) => {
    const { $state_outbox } = await import(document.querySelector("script[type=module]").src);
    return !!(await $state_outbox.replica.fact(`cursor:${workshop}`));
}"""


# How long a page runs at a time where it is slowed, in seconds: less than a frame.
_RUNS_FOR = 0.002


def _signal(processes: Iterable[int], number: signal.Signals) -> None:
    for each in processes:
        # The browser ends the process of a page that was left.
        with suppress(ProcessLookupError):
            os.kill(each, number)


class Craftsperson:
    """One account in one browser. `api` is a client of its own session; `workshop` the id of its first workshop."""

    def __init__(
        self,
        browser: Browser | Contexts | dom.Deno,
        url: str,
        api: httpx.Client,
        email: str,
        screen: Mapping[str, int],
        has_worker: bool = False,
    ) -> None:
        self.url, self.api, self.email = url, api, email
        self._workshop: str | None = None
        locale = api.get("/me").json()["locale"]
        options: dict[str, Any] = {
            "viewport": screen,
            "locale": "pl-PL" if locale == "pl" else "en-IE",
            "has_touch": screen is PHONE,
            "reduced_motion": "reduce",
        }
        if isinstance(browser, dom.Deno):
            # It has the part of the interface that journeys without layout use.
            self.context: BrowserContext = cast(BrowserContext, browser.open(url, **options))
            self.page: Page = self.context.pages[0]
        elif isinstance(browser, Contexts):
            self.context = browser.open(url, **options)
            self.page = self.context.pages[0]
        else:
            self.context = browser.new_context(**options)
            self.page = self.context.new_page()
        if not isinstance(browser, dom.Deno):
            self.context.set_default_timeout(60_000)
            if not has_worker:
                self.context.add_init_script(WITHOUT_WORKER)
        self.context.add_init_script(_COUNT_TAPS)
        self.context.add_init_script(_OFFERS)
        self.lines: list[str] = []
        self.page.on("pageerror", lambda error: self.lines.append(str(error)))
        self.page.on("console", lambda line: self._on_console(line.text, line.location["url"]))
        self._expected: list[re.Pattern[str]] = []

    @property
    def workshop(self) -> str:
        if self._workshop is None:
            self._workshop = str(self.api.get("/workshops").json()["workshops"][0]["id"])
        return self._workshop

    @property
    def taps(self) -> int:
        """How often the screen was touched since the page was loaded."""
        return int(self.page.evaluate("window.taps ?? 0"))

    def _on_console(self, line: str, url: str) -> None:
        if not any(text in line for text in _EXPECTED):
            self.lines.append(f"{line} {urlsplit(url).path}")

    def expects(self, status: int, path: str = "") -> None:
        """The journey, before it or after, makes requests to paths with this pattern that have this response."""
        self._expected.append(re.compile(f"the server responded with a status of {status} .*{path}"))

    @property
    def unexpected_lines(self) -> list[str]:
        """What pages wrote to the console, of rejected requests those that the journey did not expect."""
        return [line for line in self.lines if not any(each.search(line) for each in self._expected)]

    def sign_in(self) -> None:
        """Signs in through the page."""
        self.open("/sign-in")
        self.page.get_by_label("mail").fill(self.email)
        self.page.locator("input[type=password]").fill(PASSWORD)
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("navigation").first).to_be_visible()

    def take_session(self) -> None:
        """Takes over the session of `api`, as if this browser had signed in before."""
        self.context.add_cookies(
            [{"name": name, "value": value, "url": self.url} for name, value in self.api.cookies.items()]
        )

    def leave_first_run(self) -> None:
        """As if this person had chosen before to look around first, instead of choosing a craft."""
        value = json.dumps(json.dumps([self.workshop]))
        # A blank page has no storage.
        self.context.add_init_script(
            f"if (location.protocol !== 'about:') localStorage['backbench-preference-firstRunLeft'] ??= {value}"
        )

    @contextmanager
    def slowed(self, times: float) -> Iterator[None]:
        """The browser of a slower machine: its pages run for a part of the time.

        They are stopped for the rest of it. Chromium's own throttling computes nothing there, as fast as it can: six
        times the processor time.
        """
        browser = self.context.browser
        assert browser is not None
        session = browser.new_browser_cdp_session()
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        session.detach()
        pages = [each["id"] for each in processes if each["type"] == "renderer"]
        ended = threading.Event()

        def run_and_stop() -> None:
            stopped_for = _RUNS_FOR * (times - 1)
            while not ended.wait(_RUNS_FOR):
                _signal(pages, signal.SIGSTOP)
                ended.wait(stopped_for)
                _signal(pages, signal.SIGCONT)

        thread = threading.Thread(target=run_and_stop)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def has_lists(self) -> bool:
        """Whether this device has loaded its lists for the first time."""
        return bool(self.page.evaluate(_HAS_LISTS, self.workshop))

    def open(self, path: str = "/") -> None:
        self.page.evaluate(_RECEIVED)
        self.page.goto(self.url + path)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name)

    def tap(self, name: str | re.Pattern[str], *, role: Any = "button", exact: bool = False) -> None:
        self.page.get_by_role(role, name=name, exact=exact).first.click()

    def type(self, label: str, text: str) -> None:
        self.page.get_by_label(label).first.fill(text)

    def fact(self, label: str) -> Locator:
        """The field of a fact, which is text until it is tapped; one without a value stands behind *Add*."""
        # Until they have been read, facts have no value.
        self.page.wait_for_load_state("networkidle")
        rows = self.page.locator(".facts > .fact-row, .facts > h2 > .fact-row")
        expect(rows.first).to_be_visible()
        row = rows.filter(has=self.page.get_by_text(label, exact=True))
        if row.count():
            row.first.click()
        else:
            self.page.locator(".facts > .more > summary").click()
            self.tap(label, exact=True)
        return self.page.get_by_label(label, exact=True)

    def sees(self, text: str) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()
        # The first cards of a start are there before their orders.
        expect(self.page.locator(".tickets[aria-busy=true]")).to_have_count(0)

    def keep_offers(self, keep: bool = True) -> None:
        """Undo is offered until it is taken, as while it has the focus: a test may be late for its six seconds."""
        script = f"globalThis.keepsOffers = {json.dumps(keep)}"
        self.context.add_init_script(script)
        self.page.evaluate(script)

    def was_offered(self, text: str) -> None:
        """Waits until an offer of undo with this text has been shown since the page was loaded."""
        self.until(lambda: self.page.evaluate("text => offers.some(offer => offer.includes(text))", text))

    def does_not_see(self, text: str) -> None:
        expect(self.page.get_by_text(text)).to_have_count(0)

    def until(self, condition: Callable[[], bool]) -> None:
        """Waits for what the page sends to arrive."""
        deadline = time.monotonic() + 60
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError("it did not happen")
            self.page.wait_for_timeout(20)

    def until_sent(self, condition: Callable[[], bool]) -> None:
        """As `until`, of what waits for some seconds before it is sent, to be taken back or to go with what follows."""
        self.pass_time()
        self.until(condition)

    def pass_time(self) -> None:
        """Without a browser, six seconds pass at once for the page. In a browser what is expected next waits."""
        context: object = self.context
        if isinstance(context, dom.Context):
            context.pass_time(_UNDO_TIME)

    def get(self, path: str) -> Any:
        """What the API answers; `{workshop}` in the path is this person's."""
        return self.api.get(path.replace("{workshop}", self.workshop)).raise_for_status().json()

    def post(self, path: str, body: Any) -> Any:
        response = self.api.post(path.replace("{workshop}", self.workshop), json=body).raise_for_status()
        return response.json() if response.content else None


@contextmanager
def craftsperson(
    browser: Browser | Contexts | dom.Deno,
    url: str,
    api: httpx.Client,
    email: str,
    screen: Mapping[str, int] = PHONE,
    *,
    has_worker: bool = False,
) -> Iterator[Craftsperson]:
    """With `has_worker`, pages are there without a connection. Closes the browser afterwards."""
    person = Craftsperson(browser, url, api, email, screen, has_worker)
    try:
        yield person
    finally:
        if isinstance(browser, Contexts):
            browser.close(person.context, url)
        else:
            person.context.close()


def wait_for_shortcuts(person: Craftsperson) -> None:
    """Their module is loaded after the screen is there."""
    keys = person.page.get_by_role("dialog", name="Keys")

    def opened() -> bool:
        person.page.keyboard.press("?")
        return keys.is_visible()

    person.until(opened)
    person.page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
