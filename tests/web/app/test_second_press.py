"""A second press changes nothing: every foot, ticket and row of the inbox is pressed five times at one place.

The clock of the page stands still between the presses, so that each comes at its time after what the first one changed,
however slow the machine is.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
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
# Further buttons of a screen: of those with one look and label, the first. What they open may have a foot. Back leads
# to a screen that is looked at itself.
_OPENERS = """feet => {
  const found = new Map();
  for (const each of document.querySelectorAll('main button, .sign button')) {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.closest(feet)) continue;
    if (each.title === 'Back' || each.matches(':disabled, [aria-disabled=true]')) continue;
    const label = each.matches('.button') ? each.querySelector('span:not(.spoken)')?.textContent ?? each.title : '';
    const look = `${each.className} ${label.replace(/[\\d.,]+/g, '')}`;
    if (!found.has(look)) found.set(look, each);
  }
  return found;
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
  const { $state_outbox: outbox } = await app();
  return {
    path: location.pathname + location.search,
    visits: window.visits,
    sheets: [...document.querySelectorAll('dialog:modal h2')].map((each) => each.textContent),
    sent: window.sent,
    changes: outbox.items.value.map(({ op }) => op),
  };
}"""
# The middle of a button, which is there already; null where it has to be scrolled into view, or is covered.
_MIDDLE = """at => {
  const each = controls()[at];
  const { x, y, width, height, bottom } = each.getBoundingClientRect();
  const middle = [x + width / 2, y + height / 2];
  return y >= 0 && bottom <= innerHeight && each.contains(document.elementFromPoint(...middle)) ? middle : null;
}"""
# A press meets nothing of what was scrolled into view until that is drawn; and never what is covered.
_MEETS = """async ([at, x, y]) => {
  for (let frames = 0; frames < 60; frames += 1) {
    if (controls()[at].contains(document.elementFromPoint(x, y))) return;
    await new Promise(requestAnimationFrame);
  }
}"""
# Takes back what a press has done: what it has sent is refused, so that nothing waits for it.
_UNDO = """async () => {
  const { $state_outbox: outbox, $state_tickets: tickets } = await app();
  const refused = { status: 400, headers: { 'X-Request-Id': 'none' } };
  for (const answer of window.unanswered.splice(0)) answer(new Response('{}', refused));
  const keys = outbox.items.value.map(({ key }) => key);
  window.sent = [];
  for (const key of keys) await outbox.drop(key);
  // A sheet of these outlasts its screen.
  tickets.collecting.value = tickets.telling.value = null;
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
# The clock of pages without a browser, whose timers are those of the page. The one of Playwright would add a script to
# each page that is loaded later, with each of its calls, and its context could not be used again.
_CLOCK = f"""(() => {{
  const {{ setTimeout, clearTimeout }} = window;
  const performance = {{ now: window.performance.now.bind(window.performance) }};
  {(Path(__file__).parents[1] / "dom" / "clock.js").read_text("utf-8").replace("export function", "function")}
  window.clock = clockOf();
  const {{ performance: {{ now }}, ...timers }} = window.clock.globals;
  window.performance.now = now;
  Object.assign(window, timers);
}})()"""
# What there is to do on a page, one call each: the calls took a third of the processor time. They wait by the clock of
# the machine.
_TOOLS = f"""(() => {{
  const {{ setTimeout, clearTimeout, requestAnimationFrame }} = window;
  const feet = '{_FEET}';
  const controls = () => document.querySelectorAll('button, a[href]');
  const app = () => import(document.querySelector('script[type=module]').src);
  const quiet = {_QUIET}, fill = {_FILL}, undo = {_UNDO}, state = {_STATE}, middle = {_MIDDLE}, go = {SHOW};
  const openers = () => ({_OPENERS})(feet);
  const buttons = () => ({_BUTTONS})(feet);
  const until = async (look) => {{
    for (let found; ; await new Promise((done) => setTimeout(done, 20))) if ((found = look())) return found;
  }};
  // What was pressed is shown, with all that it reads.
  const drawn = async () => {{
    for (const _ of 'abc') {{
      await clock.pass(1);
      await until(() => window.reads === 0 && document.querySelector('main'));
    }}
  }};
  const foot = (look) => until(() => buttons().find((each) => each.look === look));
  // What this page keeps of what is typed outlasts its screen.
  const kept = async () => {{
    const {{ $state_outbox: {{ replica }}, $state_workshops: {{ workshopId }} }} = await app();
    const drafts = await replica.ownFact(`drafts:${{workshopId.value}}`) ?? {{}};
    return Object.values(drafts).filter((text) => text !== '');
  }};
  // What is chosen, too, but that can be put back.
  const chosen = async () => Object.values((await app()).$state_preferences).filter(({{ peek }}) => peek);
  const restore = async () => {{
    for (const [at, one] of (await chosen()).entries()) one.value = preferences[at];
  }};
  let preferences = [];
  let html = '';
  window.tools = {{
    quiet,
    undo,
    state,
    meets: {_MEETS},
    pass: (time) => clock.pass(time),
    async begin() {{
      (await app()).$state_outbox.pause();
      preferences = (await chosen()).map((each) => each.value);
      history.pushState({{ depth: 1 }}, '', location.href);
    }},
    // Back leads to the screen itself, on each page.
    async show(path) {{
      history.replaceState(history.state, '', path);
      await go(path);
      await quiet();
      return tools.look();
    }},
    showAgain: async (path) => (await undo(), await restore(), await tools.show(path)),
    /** What the screen has, its feet and its openers; and whether something is open, done or left. */
    async look() {{
      const {{ sent, changes, sheets }} = await state();
      const isChanged = [sent, changes, sheets, await kept()].some(({{ length }}) => length > 0);
      return [[buttons(), [...openers().keys()]], isChanged];
    }},
    async open(look) {{
      html = document.documentElement.outerHTML;
      (await until(() => openers().get(look))).click();
      await quiet();
      return tools.opened();
    }},
    /** The feet of the sheet that is open, and whether nothing is open and nothing has changed. */
    opened() {{
      const hasFoot = !!document.querySelector('dialog:modal .sheet-foot');
      return [hasFoot ? buttons() : [], document.documentElement.outerHTML === html];
    }},
    /** Where it is; its number is -1 where it takes no press. */
    async prepare(look) {{
      if ((await foot(look)).isOff) await fill();
      clock.standStill();
      // What has to come with time has come, and the press before is watched no longer.
      await clock.skip(11_000);
      // A page that asks the server again whose session it is, as after some screens, goes on sending.
      (await app()).$state_outbox.pause();
      await drawn();
      const {{ at, isOff }} = await foot(look);
      Object.assign(window, {{ sent: [], visits: 0 }});
      return [isOff ? -1 : at, isOff ? null : middle(at)];
    }},
    async pressed() {{
      await drawn();
      return state();
    }},
    async end(time) {{
      await clock.pass(time);
      clock.goOn();
      await quiet();
      return state();
    }},
  }};
}})()"""


# What a screen has: its feet, and the looks of its openers.
Look = list[list[Any]]


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
        for script in (WITHOUT_WORKER, _KEEP_WRITES, _TOOLS, _CLOCK):
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

    def _count(self, request: Request, step: int) -> None:
        self._scripts += step if request.resource_type == "script" else 0

    def _call(self, tool: str, *arguments: Any, then: str | None = None) -> Any:
        """What a tool returns, or the second one once everything is loaded."""
        found = self.page.evaluate(f"(all) => tools.{tool}(...all)", list(arguments))
        if then is None or self._scripts == 0:
            return found
        while self._scripts > 0:
            self.page.evaluate("() => tools.quiet()")
        return self.page.evaluate(f"() => tools.{then}()")

    def open(self, path: str) -> Look:
        """Loads the page again where something is left of what was done before."""
        if self._is_loaded:
            look: Look
            look, is_changed = self._call("show", path, then="look")
            if not is_changed:
                return look
        self.page.goto(self._url + BLANK)
        self._session.send("Storage.clearDataForOrigin", {"origin": self._url, "storageTypes": _STORED})
        self.page.evaluate("sessionStorage.clear()")
        with self.page.expect_response(_GUARD):
            self.page.goto(self._url + path)
        self._call("quiet", then="quiet")
        self._call("begin")
        self._is_loaded = True
        look, _ = self._call("look")
        return look

    def leave(self) -> None:
        """The page is loaded again when something is opened the next time."""
        self._is_loaded = False

    def show_again(self, path: str) -> tuple[Look, bool]:
        """What there is after what was done is taken back, and whether not all could be taken back."""
        look, is_changed = self._call("showAgain", path, then="look")
        return look, is_changed

    def open_dialog(self, opener: str) -> tuple[list[dict[str, Any]], bool]:
        """The feet of what a button opens, and whether it has changed nothing."""
        feet, is_same = self._call("open", opener, then="opened")
        return feet, is_same

    def press(self, foot: Foot, times: Iterable[int] = (), *, is_open: bool = False) -> tuple[Any, Any] | None:
        """What there is as soon as a press is shown, and after further ones at these times; None if it takes none."""
        if foot.opener is not None and not is_open:
            self.open_dialog(foot.opener)
        at, place = self._call("prepare", foot.look)
        if at < 0:
            self._call("end", 0, then="state")
            return None
        x, y = place or middle(self.page.locator("button, a[href]").nth(at))
        if not place:
            self._call("meets", [at, x, y])
        self.page.touchscreen.tap(x, y)
        state = self._call("pressed")
        passed = 0
        for time in times:
            self._call("pass", time - passed)
            passed = time
            self.page.touchscreen.tap(x, y)
        return state, self._call("end", TIMES[-1] - passed + 1, then="state")


class Demo:
    """The demo's English workshop, which nothing changes: no write of these tests arrives."""

    def __init__(self, browser: Browser, server: Server) -> None:
        emails, password = demo_accounts(server.printed)
        self._browser, self._url, self._api = browser, server.url, server.signed_in(emails["en"], password)
        self.ids = ids_of(self._api)
        self._free: list[Phone] = []

    @contextmanager
    def phone(self) -> Iterator[Phone]:
        phone = self._free.pop() if self._free else self._new_phone()
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
        with self.phone() as phone:
            first = phone.open(path)
            feet = [Foot(None, each["look"]) for each in first[0]]
            openers = list(first[1])
            self._press_on(phone, path, first, openers, feet, found)
        while openers or feet:
            with self.phone() as phone:
                self._press_on(phone, path, phone.open(path), openers, feet, found)
        return found

    def _press_on(
        self, phone: Phone, path: str, first: Look, openers: list[str], feet: list[Foot], found: dict[str, Any]
    ) -> None:
        """Takes openers and feet off their lists for as long as the screen is as it was in the beginning."""
        is_open = False
        while openers or feet:
            if feet:
                foot = feet.pop(0)
                states = phone.press(foot, TIMES, is_open=is_open)
                is_open = False
                if states is not None and states[0] != states[1]:
                    with self.phone() as another:
                        another.open(path)
                        once = another.press(foot)
                        if another.show_again(path)[1]:
                            another.leave()
                    if once is None or once[1] != states[1]:
                        found[foot.look] = (once, states)
            else:
                opener = openers.pop(0)
                dialog, is_same = phone.open_dialog(opener)
                feet += [Foot(opener, each["look"]) for each in dialog]
                is_open = bool(feet)
                if is_open or is_same:
                    continue
            # Also after the last one: the next screen begins with nothing left of this one.
            look, is_changed = phone.show_again(path)
            if is_changed or look != first:
                phone.leave()
                if is_changed or feet or not set(openers) <= set(look[1]):
                    return
                # It lists something else. What is left to be opened is there all the same.
                first = look


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
    differing = demo.differing(screen)
    assert not differing, json.dumps(differing, indent=2)


def ready(person: Craftsperson, path: str) -> None:
    """The screen is there and guarded; its clock can stand still."""
    person.context.add_init_script(_CLOCK)
    with person.page.expect_response(_GUARD):
        person.open(path)


def stop(person: Craftsperson) -> None:
    person.page.evaluate("clock.standStill(); clock.skip(5_000)")


def go_on(person: Craftsperson) -> None:
    person.page.evaluate("clock.goOn()")


def let_pass(person: Craftsperson, time: int) -> None:
    person.page.evaluate("(time) => clock.pass(time)", time)


def press_again(person: Craftsperson, button: Locator, shows: Locator) -> None:
    """Presses at one place: once, and again at the times after what the first press shows."""
    x, y = middle(button)
    person.page.touchscreen.tap(x, y)
    passed = 0
    for time in TIMES:
        let_pass(person, time - passed)
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
    let_pass(anna, 450)
    anna.page.touchscreen.tap(40, middle(confirm)[1])
    assert anna.get(f"/estimates/{estimate}/revisions")["revisions"] == []
    expect(confirm).not_to_have_attribute("aria-disabled", "true")
    go_on(anna)
    confirm.click()
    expect(anna.button("Share the message with the link")).to_be_visible()
    assert len(anna.get(f"/estimates/{estimate}/revisions")["revisions"]) == 1


def test_a_key_that_is_struck_twice_or_held_confirms_nothing(open_phone: OpenApp) -> None:
    anna = open_phone(screen=DESK)
    estimate = draft(anna)
    ready(anna, f"/estimates/{estimate}")
    confirm = anna.button(SEND)
    confirmed = []
    for key in ("Enter", "Space"):
        expect(anna.button("Send")).not_to_have_attribute("aria-disabled", "true")
        anna.button("Send").focus()
        stop(anna)
        anna.page.keyboard.press(key)
        passed = 0
        for time in TIMES:
            let_pass(anna, time - passed)
            passed = time
            confirm.focus()
            anna.page.keyboard.press(key)
        go_on(anna)
        # A request that confirms it would have been sent.
        expect(confirm).not_to_have_attribute("aria-disabled", "true")
        confirmed += [key for _ in anna.get(f"/estimates/{estimate}/revisions")["revisions"]]
        anna.page.go_back()
        expect(confirm).to_have_count(0)
    expect(anna.button("Send")).not_to_have_attribute("aria-disabled", "true")
    # Held until the page was seen for long enough.
    anna.page.keyboard.press("Shift")
    anna.button("Send").focus()
    anna.page.keyboard.down("Enter")
    confirm.focus()
    let_pass(anna, 5_000)
    # Playwright repeats a key that is down already.
    anna.page.keyboard.down("Enter")
    anna.page.keyboard.up("Enter")
    expect(confirm).not_to_have_attribute("aria-disabled", "true")
    confirmed += ["held" for _ in anna.get(f"/estimates/{estimate}/revisions")["revisions"]]
    assert confirmed == []


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
    go_on(anna)
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

    def tap(place: Locator, times: int = 1) -> None:
        x, y = middle(place)
        for _ in range(times):
            anna.page.touchscreen.tap(x, y)
            let_pass(anna, 60)

    for letter in "ABCDEFGHIJ":
        tap(anna.page.locator(".tile", has_text=f"Part {letter}"))
    expect(anna.page.locator(".roll-line")).to_have_count(10)
    first = anna.page.locator(".tile", has_text="Part A")
    tap(first, 9)
    expect(first.locator(".tile-count")).to_have_text("10")
    tap(anna.page.locator(".tile", has_text="Fitting"))
    for digit in "1203":
        tap(anna.page.locator(".keypad").get_by_role("button", name=digit, exact=True))
    expect(anna.page.locator(".foot output")).to_contain_text("€1,393.00")
