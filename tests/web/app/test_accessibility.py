"""Accessibility of every screen of the web app: axe, contrast, targets, large text on a small phone, keyboard."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.support.databases import new_file
from tests.support.run.engines import runs_all
from tests.support.server import Server, running_server
from tests.web.app.craftspeople import PHONE
from tests.web.app.screens import COUNT_REQUESTS, demo_accounts, go, ids_of, screens, settle
from tests.web.browsers import WITHOUT_WORKER

# What was found: the screen and the state it was in, with a line for each finding.
Findings = dict[str, list[str]]
SMALL = {"width": 320, "height": 640}

# Contrast is a matter of the colours of a text and of what is behind it: looked at once for these, in each theme.
# Where axe does not decide, as on a picture, four elements are looked at. The other rules are for every element.
# What is behind a ground that covers it, and which class has these colours, counts in a run of everything alone.
_AXE = rf"""{Axe().axe_script}
axe.configure({{ rules: [{{ id: 'color-contrast', selector: '[data-new]' }}] }});
window.tries = new Map();
const runsAll = {json.dumps(runs_all())};
window.lines = ({{ violations }}) => violations.flatMap((one) => one.nodes.map((node) =>
  `${{one.id}}: ${{node.html.slice(0, 160)}} ${{node.any[0]?.message ?? ''}}`));
window.mark = (theme) => {{
  const looks = new Map();
  for (const each of document.querySelectorAll('[data-new]')) each.removeAttribute('data-new');
  const visit = (each, around, isOff) => {{
    const style = getComputedStyle(each);
    if (!each.checkVisibility() || each.matches('.spoken, svg')) return;
    const {{ backgroundColor, backgroundImage, opacity, filter }} = style;
    const own = [backgroundColor, backgroundImage, opacity, filter].join();
    const off = isOff || each.matches(':disabled, [aria-disabled=true], [inert]');
    const behind = !runsAll && /^rgb\(.*,none,1,none$/.test(own) ? '' : around;
    const inside = own === 'rgba(0, 0, 0, 0),none,1,none' ? around : `${{behind}} ${{own}}`;
    const {{ color, fontSize, fontWeight, visibility }} = style;
    const isLarge = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
    const hasText = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim().length > 1) ||
      each.matches('input:not([type=checkbox], [type=radio]), textarea, select');
    const further = runsAll && [each.localName, each.className, fontSize, fontWeight];
    const look = [theme, color, isLarge, inside, off, further].join();
    const tried = tries.get(look) ?? 0;
    if (hasText && visibility === 'visible' && tried < 4) {{
      tries.set(look, tried + 1);
      looks.set(each, look);
      each.setAttribute('data-new', '');
    }}
    for (const child of each.children) visit(child, inside, off);
  }};
  visit(document.documentElement, '', false);
  return looks;
}};
"""
_RUN = "(options) => axe.run(document, options).then(lines)"
_RUN_CONTRAST = """async ([theme, options]) => {
  document.documentElement.dataset.theme = theme;
  const looks = mark(theme);
  if (!looks.size) return [];
  const { violations, passes } = await axe.run(document, options);
  for (const { nodes } of [...violations, ...passes]) for (const { element } of nodes) tries.set(looks.get(element), 4);
  return lines({ violations });
}"""
# No rule reads the style files, which axe would otherwise parse for each screen.
_OPTIONS = {"selectors": False, "preload": {"assets": ["media"]}}
_RULES = {**_OPTIONS, "resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": False}}}
_CONTRAST = {
    **_OPTIONS,
    "resultTypes": ["violations", "passes"],
    "elementRef": True,
    "runOnly": {"type": "rule", "values": ["color-contrast"]},
}
# What opens a sheet on a screen, in either language.
_SHEETS = {
    "estimates": ".ticket .icon-only",
    "builder": ".roll-line",
    "invoice": ".foot .button.main",
    "tiles": ".tile",
    "keys": "main .button.main",
    "calendars": "main .button.main",
    "webhooks": "main .button.main",
    "agents": "main .button.main",
    "account": "main .button.danger",
}
# An input within its label is as large as the label. A link within a sentence is as high as the sentence.
_SMALL_TARGETS = """() => [...document.querySelectorAll(
    'button, a[href], input, textarea, select, summary, [role=button], [role=switch], [role=tab]')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('[inert]'))
  .filter((each) => !each.matches('[aria-hidden=true]'))
  .filter((each) => !(each.matches('p a') && getComputedStyle(each).display === 'inline'))
  // A ticket's link covers the ticket.
  .map((each) => getComputedStyle(each, '::after').position === 'absolute' ? each.offsetParent : each)
  .map((each) => each.matches('input') ? each.closest('label') ?? each : each)
  .filter((each) => { const box = each.getBoundingClientRect(); return box.width < 47.5 || box.height < 47.5; })
  .map((each) => { const box = each.getBoundingClientRect();
    return `${Math.round(box.width)}×${Math.round(box.height)} ${each.outerHTML.slice(0, 120)}`; })"""
# The page scrolls down alone, and no text is cut off without a sign of it.
_CUT = """() => {
  const found = [];
  document.documentElement.style.fontSize = '200%';
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth) {
    found.push(`page is ${root.scrollWidth} px wide`);
    for (const each of document.body.querySelectorAll('*')) {
      const box = each.getBoundingClientRect();
      if (box.right <= innerWidth + 1 || each.children.length) continue;
      found.push(`${Math.round(box.right)} ${each.outerHTML.slice(0, 120)}`);
    }
  }
  for (const each of document.body.querySelectorAll('*')) {
    const style = getComputedStyle(each);
    if (each.clientWidth < 4 || style.overflowX !== 'hidden' && style.overflowX !== 'clip') continue;
    if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') continue;
    if (each.matches('input, .spoken, .spoken *')) continue;
    if (each.scrollWidth > each.clientWidth + 1) found.push(`cut: ${each.outerHTML.slice(0, 120)}`);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (const range = document.createRange(); texts.nextNode();) {
    const { length } = texts.currentNode.data.trim();
    if (length < 8 || texts.currentNode.parentElement.closest('.spoken')) continue;
    range.selectNode(texts.currentNode);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    if (length < 4 * lines) found.push(`squeezed: ${texts.currentNode.data.slice(0, 60)}`);
  }
  document.documentElement.style.fontSize = '';
  return found.slice(0, 8);
}"""
_WATCH_FOCUS = """() => {
  window.focused = [];
  window.watch?.abort();
  window.watch = new AbortController();
  addEventListener('focusin', ({ target }) => {
    const shown = [target, target.closest('label'), target.nextElementSibling, target.parentElement].filter(Boolean)
      .some((each) => { const style = getComputedStyle(each);
        return style.outlineStyle !== 'none' && style.outlineWidth !== '0px' || style.boxShadow !== 'none'; });
    window.focused.push({ html: target.outerHTML.slice(0, 120), shown, target });
  }, { signal: window.watch.signal });
  document.activeElement.blur();
}"""
# Radio buttons of one group are one stop.
_STOPS = """() => {
  const names = new Set();
  return [...document.querySelectorAll(
      'a[href], button:not(:disabled), input:not(:disabled), textarea, select, summary, [tabindex="0"]')]
    .filter((each) => each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => !each.closest('[inert]'))
    .filter((each) => each.type !== 'radio' || !names.has(each.name) && names.add(each.name)).length;
}"""
_FOCUSED = """stops => {
  const different = new Set(window.focused.map((each) => each.target)).size;
  window.watch.abort();
  return [...window.focused.filter((each) => !each.shown).map((each) => `no focus ring: ${each.html}`),
    ...window.focused.filter((each) => !each.target.isConnected).map((each) => `was deleted: ${each.html}`),
    ...(different < stops ? [`reaches ${different} of ${stops}`] : [])];
}"""


class Tour:
    """All screens of one account of the demo, and what was found on them."""

    def __init__(self, browser: Browser, server: Server, email: str, password: str) -> None:
        self._api = server.signed_in(email, password)
        self._locale: str = self._api.get("/me").json()["locale"]
        self._url = server.url
        self.context = browser.new_context(
            viewport=PHONE,  # type: ignore[arg-type]
            locale="pl-PL" if self._locale == "pl" else "en-IE",
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(60_000)
        self.context.add_init_script(WITHOUT_WORKER)
        self.context.add_init_script(COUNT_REQUESTS)
        self.page: Page = self.context.new_page()
        self._session = self.context.new_cdp_session(self.page)
        self._size: dict[str, int] = {}
        self._theme = "dark" if self._locale == "pl" else "light"
        self.lines: list[str] = []
        self.rules: Findings = {}
        self.contrast: Findings = {}
        self.targets: Findings = {}
        self.cut: Findings = {}
        self.keyboard: Findings = {}
        self.page.on("pageerror", lambda error: self.lines.append(str(error)))
        self.page.on("console", lambda line: self.lines.append(line.text))

    def run(self, only: str = "") -> None:
        ids = ids_of(self._api)
        every = sorted(screens(), key=lambda each: each.needs != "nothing")
        # The smallest phone is all there is in Polish.
        self._resize(PHONE if self._locale == "en" else SMALL)
        self._open("/sign-in")
        for screen in every:
            if only and screen.name not in only.split(","):
                continue
            if screen.needs != "nothing" and not self.context.cookies():
                cookies = [
                    {"name": name, "value": value, "url": self._url} for name, value in self._api.cookies.items()
                ]
                self.context.add_cookies(cookies)  # type: ignore[arg-type]
                self._open("/")
            go(self.page, screen.path_of(ids))
            self._look(f"{screen.name} {self._locale}")
            if screen.name in _SHEETS:
                self._look_at_dialog(f"{screen.name} {self._locale} dialog", _SHEETS[screen.name])

    def found(self) -> dict[str, Any]:
        """Each kind of finding, with those of each screen."""
        kinds = ("rules", "contrast", "targets", "cut", "keyboard")
        by_kind = {kind: {name: found for name, found in getattr(self, kind).items() if found} for kind in kinds}
        return {**by_kind, "console": self.lines}

    def _open(self, path: str) -> None:
        self.page.goto(self._url + path)
        self.page.evaluate(_AXE)

    def _look(self, name: str) -> None:
        is_english = self._locale == "en"
        # English words are shorter: a run of everything has them at the smallest size as well.
        if not is_english or runs_all():
            self._enlarge(name)
        self._check(name)
        if is_english:
            self._tab_through(name)

    def _look_at_dialog(self, name: str, opener: str) -> None:
        # Where it is drawn it has no place that can be pressed.
        self.page.locator(opener).first.evaluate("(button) => { button.focus(); button.click(); }")
        self.page.locator("dialog[open]").wait_for()
        settle(self.page)
        self._check(name)
        self.page.keyboard.press("Escape")
        self.page.locator("dialog[open]").wait_for(state="detached")

    def _check(self, name: str) -> None:
        """All rules in English, contrast there in the light theme and in sunlight, in Polish in the dark theme."""
        is_english = self._locale == "en"
        if is_english:
            self._resize(PHONE)
        # The other rules find in one language what they find in the other: a run of everything has them in both.
        if is_english or runs_all():
            self.rules[name] = self.page.evaluate(_RUN, _RULES)
        self.contrast[name] = self.page.evaluate(_RUN_CONTRAST, [self._theme, _CONTRAST])
        if is_english:
            # Each change of the theme draws everything anew: the next screen begins with this one.
            self._theme = "light" if self._theme == "outdoor" else "outdoor"
            self.contrast[name] += self.page.evaluate(_RUN_CONTRAST, [self._theme, _CONTRAST])
        self.targets[name] = self.page.evaluate(_SMALL_TARGETS)

    def _enlarge(self, name: str) -> None:
        """The smallest phone with text of twice its size: nothing is cut, and no text is squeezed to its letters."""
        self._resize(SMALL)
        self.cut[name] = self.page.evaluate(_CUT)

    def _resize(self, size: dict[str, int]) -> None:
        """What is laid out in this size is drawn in a tenth of it: pixels took a third of the processor time."""
        if self._size != size:
            metrics = {**size, "deviceScaleFactor": 1, "mobile": False, "scale": 0.1}
            self._session.send("Emulation.setDeviceMetricsOverride", metrics)
            self._size = size

    def _tab_through(self, name: str) -> None:
        stops: int = self.page.evaluate(_STOPS)
        self.page.evaluate(_WATCH_FOCUS)
        # A field for a date or a time has stops of its own: its parts, and its picker.
        parts: int = self.page.evaluate("document.querySelectorAll('input[type=date], input[type=time]').length * 4")
        key = {"type": "rawKeyDown", "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
        for _ in range(stops + parts + 1):
            self._session.send("Input.dispatchKeyEvent", key)
        self.keyboard[name] = self.page.evaluate(_FOCUSED, stops)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(new_file(tmp_path_factory.mktemp("demo")), "--demo") as server:
        yield server


# One test for each language: the screens are shown once.
@pytest.mark.parametrize("language", ["en", "pl"])
def test_every_screen_and_its_sheets_are_accessible(browser: Browser, demo: Server, language: str) -> None:
    """By axe, in English in the light theme and outdoors, in Polish in the dark theme; every target has 48 px.

    In English everything is reached by keyboard with a visible focus. In Polish no text is cut or squeezed at 320 px
    with text of twice the size. No line is written to the console.
    """
    emails, password = demo_accounts(demo.printed)
    tour = Tour(browser, demo, emails[language], password)
    tour.run()
    tour.context.close()
    assert len(tour.contrast) == len(screens()) + len(_SHEETS)
    assert {kind: found for kind, found in tour.found().items() if found} == {}
