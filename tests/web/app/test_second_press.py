"""A second press changes nothing: every foot, ticket and row of the inbox is pressed five times at one place.

The clock of the page stands still between the presses, so that each comes at its time after what the first one changed,
however slow the machine is.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request

from tests.support.databases import new_file
from tests.support.server import Server, running_server
from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import DESK, PHONE, SEND, Craftsperson, expect
from tests.web.app.screens import SHOW, Screen, demo_accounts, ids_of, screens
from tests.web.app.test_send import estimate_of, prepare
from tests.web.browsers import WITHOUT_WORKER
from tests.web.contexts import BLANK

# After the first press, in milliseconds.
TIMES = (60, 150, 300, 450)
# What one press does something with, and another one at the same place could do something else with.
_FEET = ".foot, .sheet-foot, .ticket-action, .inbox-row"
# Further buttons of a screen: of those with one look and label, the first. What they open may have a foot. Back comes
# last: the screen that it leads to is left for the next one to be looked at.
_OPENERS = """feet => {
  const found = new Map();
  for (const each of document.querySelectorAll('main button, .sign button')) {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.closest(feet)) continue;
    if (each.matches(':disabled, [aria-disabled=true]')) continue;
    const label = each.matches('.button') ? each.querySelector('span:not(.spoken)')?.textContent ?? each.title : '';
    const look = `${each.className} ${label.replace(/[\\d.,]+/g, '')}`;
    if (!found.has(look)) found.set(look, each);
  }
  const isBack = ([, { title }]) => title === 'Back';
  return new Map([...found].sort((one, two) => isBack(one) - isBack(two)));
}"""
# A link in a row is called what the row is about: of those that lead to one kind of screen, the first.
_BUTTONS = """feet => {
  const found = new Map();
  const layer = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
  [...document.querySelectorAll('button, a[href]')].forEach((each, at) => {
    const foot = each.closest(feet);
    if (!foot || !layer.contains(each) || !each.checkVisibility({ visibilityProperty: true })) return;
    const isOff = each.matches(':disabled, [aria-disabled=true]');
    const named = each.querySelector('span:not(.spoken)')?.textContent ?? each.title;
    const isText = !named && each.pathname;
    const label = isText ? each.pathname.replace(/[^/]*\\d[^/]*/g, ':id') : named || each.textContent;
    const look = `${foot.classList[0]}: ${isText ? label : label.replace(/[^\\p{L} ]+/gu, '').trim()}`;
    if (!found.has(look)) found.set(look, { at, look, isOff });
  });
  return [...found.values()];
}"""
# Enough of each field for the button below it to do something. One after the other: each is drawn before the next.
_FILL = """async () => {
  const texts = { email: 'a@b.example', password: 'enough-1234', date: '2030-01-02', time: '10:00' };
  const layer = document.querySelector('dialog:modal') ?? document.querySelector('main');
  for (const each of layer.querySelectorAll('input, textarea')) {
    if (each.value || /checkbox|radio|file|search/.test(each.type)) continue;
    each.value = texts[each.type] ?? '12';
    each.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
}"""
# What this press has done: the changes that wait to be sent, of which none is while the outbox is paused, and where the
# person is.
_STATE = """async () => {
  const app = await import(document.querySelector('script[type=module]').src);
  return {
    path: location.pathname + location.search,
    visits: window.visits,
    sheets: [...document.querySelectorAll('dialog:modal h2')].map((each) => each.textContent),
    sent: window.sent,
    changes: app.$state_outbox.items.value.map(({ op }) => op),
  };
}"""
# The middle of a button, which is there already; null where it has to be scrolled into view, or is covered.
_MIDDLE = """at => {
  const each = document.querySelectorAll('button, a[href]')[at];
  const { x, y, width, height, bottom } = each.getBoundingClientRect();
  const middle = [x + width / 2, y + height / 2];
  return y >= 0 && bottom <= innerHeight && each.contains(document.elementFromPoint(...middle)) ? middle : null;
}"""
# A press meets nothing of what was scrolled into view until that is drawn; and never what is covered.
_MEETS = """([at, x, y]) => {
  window.frames_waited = (window.frames_waited ?? 0) + 1;
  const found = document.elementFromPoint(x, y);
  return document.querySelectorAll('button, a[href]')[at].contains(found) || window.frames_waited > 60;
}"""
_IS_READ = "() => window.reads === 0 && !!document.querySelector('main')"
_PAUSE = "async () => (await import(document.querySelector('script[type=module]').src)).$state_outbox.pause()"
# Takes back what a press has done: what it has sent is refused, so that nothing waits for it.
_UNDO = """async () => {
  const { $state_outbox: outbox } = await import(document.querySelector('script[type=module]').src);
  const refused = { status: 400, headers: { 'X-Request-Id': 'none' } };
  for (const answer of window.unanswered.splice(0)) answer(new Response('{}', refused));
  const keys = outbox.items.value.map(({ key }) => key);
  window.sent = [];
  for (const key of keys) await outbox.drop(key);
}"""
_STORED = "local_storage,indexeddb,cache_storage"
_GUARD = "**/press-guard.js"
# Writes never arrive. Those that no press makes are not counted: marks of what was read, and drafts of messages.
# Nothing is drawn, though it is laid out as ever: the pixels took a sixth of the processor time.
_KEEP_WRITES = """(() => {
  const { fetch } = window;
  Object.assign(window, { reads: 0, sent: [], unanswered: [], visits: 0, open: () => null });
  const unseen = new CSSStyleSheet();
  unseen.replaceSync('html, dialog, dialog::backdrop, [popover] { opacity: 0 !important }');
  document.adoptedStyleSheets = [unseen];
  const push = history.pushState.bind(history);
  history.pushState = (...all) => { window.visits += 1; push(...all); };
  window.fetch = (address, options) => {
    const method = options?.method ?? 'GET';
    if (method !== 'GET') {
      if (/inbox.read$|message-draft$/.test(address)) return new Promise(() => {});
      window.sent.push(`${method} ${address}`);
      return new Promise((answer) => window.unanswered.push(answer));
    }
    window.reads += 1;
    return fetch(address, options).finally(() => { window.reads -= 1; });
  };
})()"""
# Nothing is read and nothing changed for 100 ms.
_QUIET = """() => new Promise((done) => {
  let timer = setTimeout(end, 100);
  const again = () => { clearTimeout(timer); timer = setTimeout(end, 100); };
  const observer = new MutationObserver(again);
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  function end() {
    if (window.reads > 0 || !document.querySelector('main:not([data-left])')) return again();
    observer.disconnect();
    done();
  }
})"""


class Foot(NamedTuple):
    """`opener` is the button of the screen that opens its sheet, by its look; None where it is on the screen."""

    opener: str | None
    look: str


class Phone:
    """A new browser of somebody of the demo."""

    def __init__(self, context: BrowserContext, url: str, api: httpx.Client) -> None:
        self._url = url
        # Whether it shows the app as it was loaded.
        self._is_loaded = False
        context.set_default_timeout(60_000)
        for script in (WITHOUT_WORKER, _KEEP_WRITES):
            context.add_init_script(script)
        cookies = [{"name": name, "value": value, "url": url} for name, value in api.cookies.items()]
        context.add_cookies(cookies)  # type: ignore[arg-type]
        self.page: Page = context.new_page()
        self._session = context.new_cdp_session(self.page)
        # Modules that are being loaded. What they draw is not there yet.
        self._scripts = 0
        self.page.on("request", lambda request: self._count(request, 1))
        for event in ("requestfinished", "requestfailed"):
            self.page.on(event, lambda request: self._count(request, -1))
        self.page.clock.install()

    def _count(self, request: Request, step: int) -> None:
        self._scripts += step if request.resource_type == "script" else 0

    def open(self, path: str) -> None:
        """Loads the page again where something is left of what was done before."""
        if self._is_loaded:
            self.show(path)
            if not self.look()[1]:
                return
        self.page.goto(self._url + BLANK)
        self._session.send("Storage.clearDataForOrigin", {"origin": self._url, "storageTypes": _STORED})
        self.page.evaluate("sessionStorage.clear()")
        with self.page.expect_response(_GUARD):
            self.page.goto(self._url + path)
        self.rest()
        self.page.evaluate(_PAUSE)
        self._is_loaded = True

    def leave(self) -> None:
        """The page is loaded again when something is opened the next time."""
        self._is_loaded = False

    def show(self, path: str) -> None:
        """Without loading the page again."""
        self.page.evaluate(SHOW, path)
        self.rest()

    def rest(self) -> None:
        self.page.evaluate(_QUIET)
        while self._scripts > 0:
            self.page.evaluate(_QUIET)

    def feet(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate(_BUTTONS, _FEET)
        return found

    def find(self, foot: Foot) -> dict[str, Any]:
        """As soon as it is there."""
        js = f"([feet, look]) => ({_BUTTONS})(feet).find((each) => each.look === look)"
        found: dict[str, Any] | None = self.page.evaluate(js, [_FEET, foot.look])
        return found or self.page.wait_for_function(js, arg=[_FEET, foot.look]).json_value()

    def undo(self) -> None:
        """Takes back what was done, as far as that can be done without loading the page again."""
        self.page.evaluate(_UNDO)

    def look(self) -> tuple[tuple[list[dict[str, Any]], list[str]], bool]:
        """What the screen has, its feet and its openers; and whether something is open or done."""
        js = f"""async (feet) => {{
          const {{ sent, changes, sheets }} = await ({_STATE})();
          const isChanged = [sent, changes, sheets].some(({{ length }}) => length > 0);
          return [[({_BUTTONS})(feet), [...({_OPENERS})(feet).keys()]], isChanged];
        }}"""
        (feet, openers), is_changed = self.page.evaluate(js, _FEET)
        return (feet, openers), is_changed

    def press_opener(self, look: str) -> None:
        """As soon as it is there."""
        js = f"([feet, look]) => {{ const one = ({_OPENERS})(feet).get(look); one?.click(); return !!one; }}"
        self.page.wait_for_function(js, arg=[_FEET, look])

    def drawn(self) -> None:
        """What was pressed is shown, with all that it reads."""
        for _ in range(3):
            self.page.clock.run_for(1)
            if not self.page.evaluate(_IS_READ):
                self.page.wait_for_function(_IS_READ)

    def press(self, foot: Foot, times: Iterable[int] = (), *, is_open: bool = False) -> tuple[Any, Any] | None:
        """What there is as soon as a press is shown, and after further ones at these times; None if it takes none."""
        if foot.opener is not None and not is_open:
            self.press_opener(foot.opener)
            self.rest()
        if self.find(foot)["isOff"]:
            self.page.evaluate(_FILL)
            # Drafts outlast their screen: other screens tell of them.
            self.leave()
        self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 5)
        # What has to come with time has come.
        self.drawn()
        button = self.find(foot)
        states = None if button["isOff"] else self._press(button["at"], times)
        self.page.clock.resume()
        self.rest()
        return states and (states, self.page.evaluate(_STATE))

    def _press(self, at: int, times: Iterable[int]) -> Any:
        place = self.page.evaluate(_MIDDLE, at)
        x, y = place or middle(self.page.locator("button, a[href]").nth(at))
        if not place:
            self.page.wait_for_function(_MEETS, arg=[at, x, y])
        self.page.evaluate("Object.assign(window, { sent: [], visits: 0 })")
        self.page.touchscreen.tap(x, y)
        self.drawn()
        state = self.page.evaluate(_STATE)
        passed = 0
        for time in times:
            self.page.clock.run_for(time - passed)
            passed = time
            self.page.touchscreen.tap(x, y)
        self.page.clock.run_for(TIMES[-1] - passed + 1)
        return state


class Demo:
    """The demo's English workshop, which nothing changes: no write of these tests arrives."""

    def __init__(self, browser: Browser, server: Server) -> None:
        emails, password = demo_accounts(server.printed)
        self._browser, self._url, self._api = browser, server.url, server.signed_in(emails["en"], password)
        self.ids = ids_of(self._api)
        self._free: list[Phone] = []

    @contextmanager
    def phone(self, path: str, *, is_new: bool = False) -> Iterator[Phone]:
        """`is_new` is without what other screens have left, such as an order that was begun."""
        phone = self._free.pop() if self._free else self._new_phone()
        if is_new:
            phone.leave()
        phone.open(path)
        yield phone
        self._free.append(phone)

    def _new_phone(self) -> Phone:
        context = self._browser.new_context(
            viewport=PHONE,  # type: ignore[arg-type]
            locale="en-IE",
            has_touch=True,
            reduced_motion="reduce",
        )
        return Phone(context, self._url, self._api)

    def close(self) -> None:
        for phone in self._free:
            phone.page.context.close()

    def differing(self, screen: Screen) -> dict[str, Any]:
        """Of what is pressed on this screen, and on the sheets that its buttons open: what there is after a press, and
        after further ones at the same place, where these differ."""
        path = screen.path_of(self.ids)
        found: dict[str, Any] = {}
        with self.phone(path, is_new=True) as phone:
            (on_screen, openers), _ = phone.look()
            feet = [Foot(None, each["look"]) for each in on_screen]
            self._press_on(phone, path, openers, feet, found)
        while openers or feet:
            with self.phone(path) as phone:
                self._press_on(phone, path, openers, feet, found)
        return found

    def _press_on(self, phone: Phone, path: str, openers: list[str], feet: list[Foot], found: dict[str, Any]) -> None:
        """Takes openers and feet off their lists for as long as the screen is as it was in the beginning."""
        first, _ = phone.look()
        is_open = False
        while openers or feet:
            if feet:
                foot = feet.pop(0)
                states = phone.press(foot, TIMES, is_open=is_open)
                is_open = False
                if states is not None and states[0] != states[1]:
                    with self.phone(path) as another:
                        once = another.press(foot)
                        another.leave()
                    if once is None or once[1] != states[1]:
                        found[foot.look] = (once, states)
            else:
                before = phone.page.content()
                feet += self._feet(phone, openers.pop(0))
                is_open = bool(feet)
                if is_open or phone.page.content() == before:
                    continue
            phone.undo()
            if not openers and not feet:
                return
            phone.show(path)
            if phone.look() != (first, False):
                phone.leave()
                return

    @staticmethod
    def _feet(phone: Phone, opener: str) -> list[Foot]:
        phone.press_opener(opener)
        phone.rest()
        if not phone.page.locator("dialog:modal .sheet-foot").count():
            return []
        return [Foot(opener, each["look"]) for each in phone.feet()]


def middle(button: Locator) -> tuple[float, float]:
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture(scope="module")
def demo(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with running_server(new_file(tmp_path_factory.mktemp("demo")), "--demo") as server:
        demo = Demo(browser, server)
        yield demo
        demo.close()


@pytest.mark.parametrize("screen", [each for each in screens() if each.needs != "nothing"], ids=lambda each: each.name)
def test_further_presses_at_one_place_do_no_more_than_the_first(demo: Demo, screen: Screen) -> None:
    assert demo.differing(screen) == {}


def ready(person: Craftsperson, path: str) -> None:
    """The screen is there and guarded; from now on its clock stands still."""
    person.page.clock.install()
    with person.page.expect_response(_GUARD):
        person.open(path)


def stop(person: Craftsperson) -> None:
    person.page.clock.pause_at(person.page.evaluate("Date.now()") / 1000 + 5)


def press_again(person: Craftsperson, button: Locator, shows: Locator) -> None:
    """Presses at one place: once, and again at the times after what the first press shows."""
    x, y = middle(button)
    person.page.touchscreen.tap(x, y)
    passed = 0
    for time in TIMES:
        person.page.clock.run_for(time - passed)
        passed = time
        expect(shows).to_be_visible()
        person.page.touchscreen.tap(x, y)


def draft(person: Craftsperson) -> str:
    estimate = estimate_of(person)
    prepare(person, "link")
    return estimate


def test_two_presses_of_send_confirm_nothing_and_a_later_one_does(open_phone: OpenApp) -> None:
    anna = open_phone()
    estimate = draft(anna)
    ready(anna, f"/estimates/{estimate}")
    expect(anna.button("Send")).not_to_have_attribute("aria-disabled", "true")
    stop(anna)
    confirm = anna.button(SEND)
    press_again(anna, anna.button("Send"), confirm)
    # Beside the place of the first press, before the page was seen.
    anna.page.clock.run_for(450)
    anna.page.touchscreen.tap(40, middle(confirm)[1])
    assert anna.get(f"/estimates/{estimate}/revisions")["revisions"] == []
    expect(confirm).not_to_have_attribute("aria-disabled", "true")
    anna.page.clock.resume()
    confirm.click()
    expect(anna.button("Share the message with the link")).to_be_visible()
    assert len(anna.get(f"/estimates/{estimate}/revisions")["revisions"]) == 1


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_that_is_struck_twice_or_held_confirms_nothing(open_phone: OpenApp, key: str) -> None:
    anna = open_phone(screen=DESK)
    estimate = draft(anna)
    ready(anna, f"/estimates/{estimate}")
    confirm = anna.button(SEND)
    expect(anna.button("Send")).not_to_have_attribute("aria-disabled", "true")
    anna.button("Send").focus()
    stop(anna)
    anna.page.keyboard.press(key)
    passed = 0
    for time in TIMES:
        anna.page.clock.run_for(time - passed)
        passed = time
        confirm.focus()
        anna.page.keyboard.press(key)
    anna.page.clock.resume()
    anna.page.go_back()
    expect(confirm).to_have_count(0)
    expect(anna.button("Send")).not_to_have_attribute("aria-disabled", "true")
    # Held until the page was seen for long enough.
    anna.page.keyboard.press("Shift")
    anna.button("Send").focus()
    anna.page.keyboard.down("Enter")
    confirm.focus()
    anna.page.clock.run_for(5_000)
    # Playwright repeats a key that is down already.
    anna.page.keyboard.down("Enter")
    anna.page.keyboard.up("Enter")
    expect(confirm).not_to_have_attribute("aria-disabled", "true")
    assert anna.get(f"/estimates/{estimate}/revisions")["revisions"] == []


@pytest.mark.parametrize("pointer", ["mouse", "finger"])
def test_a_press_is_of_what_it_came_down_on_though_what_comes_late_moves_it(open_phone: OpenApp, pointer: str) -> None:
    anna = open_phone()
    for title in ("Oak table", "Ash chair", "Elm bench"):
        anna.post("/workshops/{workshop}/orders", {"title": title})
    with anna.page.expect_response(_GUARD):
        anna.open()
    expect(anna.page.locator(".ticket")).to_have_count(3)
    anna.page.wait_for_load_state("networkidle")
    start = anna.page.locator(".ticket", has_text="Ash chair").get_by_role("button", name="Start")
    x, y = middle(start)
    finger = anna.context.new_cdp_session(anna.page)
    if pointer == "mouse":
        anna.page.mouse.move(x, y)
        anna.page.mouse.down()
    else:
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    # Another ticket's button comes to where this one was.
    js = """() => {
      const [one, two] = document.querySelectorAll('.ticket');
      const late = document.createElement('p');
      const height = two.getBoundingClientRect().y - one.getBoundingClientRect().y;
      late.style.cssText = `margin: 0; height: ${height}px`;
      one.parentElement.prepend(late);
    }"""
    anna.page.evaluate(js)
    anna.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    if pointer == "mouse":
        anna.page.mouse.up()
    else:
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    anna.until(lambda: any(each["status"] != "todo" for each in anna.get("/workshops/{workshop}/orders")["orders"]))
    orders = anna.get("/workshops/{workshop}/orders")["orders"]
    assert {each["title"] for each in orders if each["status"] == "in_progress"} == {"Ash chair"}


def test_a_change_is_not_discarded_by_the_press_that_asks_for_it(open_phone: OpenApp) -> None:
    anna = open_phone()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Oak table"})["id"]
    ready(anna, f"/orders/{order}")
    anna.sees("Oak table")
    anna.page.route(
        "**/api/orders/**", lambda route: route.continue_() if route.request.method == "GET" else route.abort()
    )
    anna.tap("Start")
    # First that there is a change, then that it does not arrive.
    expect(anna.page.locator(".connection-mark")).to_contain_text("No connection")
    anna.page.locator(".connection-mark").click()
    expect(anna.button("Discard")).to_be_visible()
    stop(anna)
    press_again(anna, anna.button("Discard"), anna.button("Discard for good"))
    anna.page.clock.resume()
    anna.button("Discard for good").click()
    expect(anna.page.locator("dialog .notice")).to_have_count(0)


def test_quick_presses_of_tiles_and_digits_all_count(open_phone: OpenApp) -> None:
    anna = open_phone()
    tiles = [{"emoji": "🪑", "label": f"Part {n}", "unit": "piece", "unitPrice": 10} for n in "ABCDEFGHIJ"]
    tiles.append({"emoji": "🛠️", "label": "Fitting", "unit": "job", "unitPrice": 0})
    anna.post("/workshops/{workshop}/grids", {"name": "Parts", "iconSize": "medium", "buttons": tiles})
    ready(anna, "/estimates/new")
    expect(anna.page.locator(".tile", has_text="Part A")).to_be_visible()
    stop(anna)

    def tap(place: Locator) -> None:
        anna.page.touchscreen.tap(*middle(place))
        anna.page.clock.run_for(60)

    for letter in "ABCDEFGHIJ":
        tap(anna.page.locator(".tile", has_text=f"Part {letter}"))
    expect(anna.page.locator(".roll-line")).to_have_count(10)
    first = anna.page.locator(".tile", has_text="Part A")
    for _ in range(9):
        tap(first)
    expect(first.locator(".tile-count")).to_have_text("10")
    tap(anna.page.locator(".tile", has_text="Fitting"))
    for digit in "1203":
        tap(anna.page.locator(".keypad").get_by_role("button", name=digit, exact=True))
    expect(anna.page.locator(".foot output")).to_contain_text("€1,393.00")
