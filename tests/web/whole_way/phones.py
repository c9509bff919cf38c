"""Phones in the hands of people, in either browser: what a finger does is found by what can be read, and counted."""

import contextlib
import json
import math
import time
from collections.abc import Iterator
from typing import Any, Protocol

from tests.web.browsers import WITHOUT_WORKER
from tests.web.contexts import BLANK, Contexts
from tests.web.firefox import Firefox

SCREEN = {"width": 390, "height": 844}
# A share dialog in which the person chooses somebody at once, and the count on the icon of the app.
_DEVICE = """() => {
    window.shared = []; window.badges = [];
    navigator.share = async ({ text }) => void window.shared.push(text);
    navigator.setAppBadge = async (count) => void window.badges.push(count);
    navigator.clearAppBadge = async () => {};
}"""
# Where to touch what has that name: the middle of it, once it is enabled, stands still and is covered by nothing else.
_TARGET = r"""async (name) => {
    // Until then things move.
    await document.fonts.ready;
    const open = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    const read = (one) => (one.getAttribute('aria-label') ?? one.innerText).replace(/\s+/g, ' ').trim();
    const found = [...open.querySelectorAll('button, a[href], summary, label.choice-option, label.check')]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        .filter((one) => !one.matches(':disabled, [aria-disabled]'));
    const same = found.filter((each) => read(each) === name);
    const other = found.find((each) => read(each).startsWith(name)) ?? found.find((each) => read(each).includes(name));
    if (!same.length && other) same.push(other);
    // The bar at the end of a screen stays where it is; what is above it moves while something comes late.
    const place = (one) => one.closest('.foot') ? 0 : 1;
    same.sort((one, two) => place(one) - place(two));
    for (const one of same) {
        const box = () => one.getBoundingClientRect();
        const isCovered = box().top < 80 || box().bottom > innerHeight - 120;
        if (isCovered) one.scrollIntoView({ block: 'center', behavior: 'instant' });
        const before = box();
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const { x, y, width, height } = box();
        if (x !== before.x || y !== before.y) return null;
        const [left, top] = [x + width / 2, y + height / 2];
        const touched = document.elementFromPoint(left, top);
        // At the end of a page its bar covers what is there.
        if (!one.contains(touched) && !touched?.contains(one)) continue;
        // What cannot be taken back takes no touch before it was seen.
        if (getComputedStyle(one).pointerEvents === 'none') return null;
        // A touch of before may be heard late: only one of this counts.
        window.heard?.abort();
        window.heard = new AbortController();
        window.isHeard = false;
        // The page behind it has heard nothing: what came late has moved it.
        const isPart = (target) => one.contains(target) || target.matches('a, button, label') && target.contains(one);
        const hear = ({ target }) => { window.isHeard ||= isPart(target); };
        addEventListener('click', hear, { capture: true, signal: window.heard.signal });
        return [left, top];
    }
    return null;
}"""
# Writes as keys do, so that the page hears what it hears from them.
_WRITE = """(name, text) => {
    const open = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    const named = (one) => (one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? '').trim();
    const field = [...open.querySelectorAll('input:not([type=checkbox], [type=radio]), textarea')]
        .filter((one) => one.checkVisibility()).find((one) => named(one).startsWith(name));
    if (!field) return false;
    field.focus();
    field.select();
    document.execCommand('insertText', false, text);
    field.blur();
    return true;
}"""
_READS = "(text) => document.title.includes(text) || document.body.innerText.includes(text)"


class Phone(Protocol):
    """What a person does with a phone. `taps` and `fields` count it."""

    taps: int
    fields: int

    def open(self, url: str) -> None: ...

    def tap(self, name: str) -> None: ...

    def write(self, label: str, text: str) -> None: ...

    def sees(self, text: str) -> None: ...

    def sign(self) -> None: ...

    def evaluate(self, function: str, *given: Any) -> Any: ...


class _Hand:
    """The same on either browser, over `evaluate` and `touch`."""

    def __init__(self) -> None:
        self.taps = 0
        self.fields = 0

    def evaluate(self, function: str, *given: Any) -> Any:
        raise NotImplementedError

    def touch(self, points: list[tuple[float, float]]) -> None:
        raise NotImplementedError

    def tap(self, name: str) -> None:
        """Touches the button, link or choice with that name."""
        while True:
            x, y = self.until(_TARGET, name)
            self.touch([(x, y)])
            # Firefox loses a touch on a loaded machine now and then: the page hears nothing of it.
            if self._is_heard():
                break
        self.taps += 1

    def _is_heard(self) -> bool:
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            # Where the touch has led to another page, its context ends while it is asked.
            with contextlib.suppress(Exception):
                if self.evaluate("() => window.isHeard !== false"):
                    return True
            time.sleep(0.05)
        return False

    def write(self, label: str, text: str) -> None:
        self.until(_WRITE, label, text)
        self.fields += 1

    def sees(self, text: str) -> None:
        self.until(_READS, text)

    def sign(self) -> None:
        """Draws a line on the field for the signature."""
        left, top = self.until("""() => {
            const field = document.querySelector('#drawing[width]');
            field?.scrollIntoView({ block: 'center', behavior: 'instant' });
            const box = field?.getBoundingClientRect();
            return box && [box.x, box.y];
        }""")
        line = [(left + 40 + 8 * step, top + 90 - 40 * math.sin(step / 3)) for step in range(25)]
        # The finger rests before it goes up: after a fling the browser takes no tap for a while.
        self.touch(line + line[-1:] * 10)

    def until(self, function: str, *given: Any) -> Any:
        """The first result that says something, within a minute."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            # While a page is loaded there is nothing to ask.
            with contextlib.suppress(Exception):
                if found := self.evaluate(function, *given):
                    return found
            time.sleep(0.05)
        raise AssertionError(
            f"never: {given or function}; on the screen: {self.evaluate('() => document.body.innerText')}"
        )


class ChromiumPhone(_Hand):
    def __init__(self, contexts: Contexts, origin: str, locale: str) -> None:
        super().__init__()
        self.context = contexts.open(
            origin,
            viewport=SCREEN,
            locale=locale,
            has_touch=True,
            is_mobile=True,
            reduced_motion="reduce",
        )
        self.context.add_init_script(WITHOUT_WORKER)
        self.context.add_init_script(f"({_DEVICE})()")
        self.page = self.context.pages[0]
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, url: str) -> None:
        self.page.goto("/".join(url.split("/")[:3]) + BLANK)
        self.page.goto(url)

    def evaluate(self, function: str, *given: Any) -> Any:
        return self.page.evaluate(f"(given) => ({function})(...given)", list(given))

    def touch(self, points: list[tuple[float, float]]) -> None:
        if len(points) == 1:
            return self.page.touchscreen.tap(*points[0])
        # A context with a session of its own is of this phone alone.
        finger = self.context.new_cdp_session(self.page)
        for step, (x, y) in enumerate(points):
            kind = "touchMove" if step else "touchStart"
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
            self.page.evaluate("new Promise(requestAnimationFrame)")
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return None


class FirefoxPhone(_Hand):
    def __init__(self, browser: Firefox) -> None:
        super().__init__()
        self._browser = browser
        self._page = browser.open_page()
        browser.before_each_page(_DEVICE)

    def open(self, url: str) -> None:
        self._browser.turn_to(self._page)
        self._browser.goto("about:blank")
        self._browser.goto(url)

    def evaluate(self, function: str, *given: Any) -> Any:
        self._browser.turn_to(self._page)
        return self._browser.evaluate(function, *given)

    def touch(self, points: list[tuple[float, float]]) -> None:
        self._browser.turn_to(self._page)
        self._browser.touch(points)


@contextlib.contextmanager
def chromium_phone(contexts: Contexts, origin: str, locale: str = "en-IE") -> Iterator[ChromiumPhone]:
    phone = ChromiumPhone(contexts, origin, locale)
    try:
        yield phone
    finally:
        contexts.close(phone.context, origin)
    assert phone.errors == [], json.dumps(phone.errors)
