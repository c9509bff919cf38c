"""Browser contexts that tests use one after the other: the HTTP cache is filled, and the process of the page runs.

A start of the app takes half the processor time there. What a test has added to a context, such as init scripts, routes
and listeners, is removed, and the storage of the origin is cleared; a context that was changed otherwise is closed.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from playwright.sync_api import Browser, BrowserContext, Page

# A file of the site that runs nothing, with the headers of its pages: one without them has a process of its own.
BLANK = "/manifest.webmanifest"
_STORAGE = "local_storage,indexeddb,cache_storage,service_workers"
# What a page of a new context is like, in lines. A blank page runs init scripts as well, so what they replace is seen.
_STATE = """async () => {
  sessionStorage.clear();
  const natives = { fetch, Date, setTimeout, requestAnimationFrame, open, push: history.pushState,
    share: navigator.share, openDatabase: indexedDB.open };
  const media = ["(prefers-color-scheme: dark)", "(prefers-reduced-motion)", "print", "(hover)"];
  const state = {
    cookies: document.cookie.split("; ").map((each) => each.split("=")[0]),
    stored: Object.keys(localStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    isOnline: navigator.onLine,
    replaced: Object.keys(natives).filter((name) => natives[name] && !/native code/.test(natives[name])),
    names: [...Object.keys(window), ...Object.getOwnPropertyNames(navigator)],
    browser: [navigator.userAgent, navigator.language, navigator.maxTouchPoints],
    screen: [innerWidth, innerHeight, devicePixelRatio].join(),
    media: media.filter((query) => matchMedia(query).matches),
  };
  return Object.entries(state).flatMap(([name, found]) => [found].flat().map((each) => `${name}: ${each}`));
}"""
# Calls and properties whose effects cannot be undone by one call.
_LASTING: dict[type, tuple[str, ...]] = {
    BrowserContext: ("clock", "expose_binding", "expose_function", "grant_permissions", "new_cdp_session", "once"),
    Page: ("clock", "emulate_media", "expose_binding", "expose_function", "once"),
}
_changed: WeakSet[BrowserContext] = WeakSet()
_undo: WeakKeyDictionary[BrowserContext, list[Callable[[], Any]]] = WeakKeyDictionary()


class Contexts:
    """Those of one browser. The check after each test names the test that has left something."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = {}
        self._options: WeakKeyDictionary[BrowserContext, dict[str, Any]] = WeakKeyDictionary()
        # What the page of a new one is like, by its options.
        self._new: dict[str, set[str]] = {}

    def open(self, origin: str, *, is_new: bool = False, **options: Any) -> BrowserContext:
        """With one page. `options` are those of `Browser.new_context`; one that `is_new` is of this test alone."""
        key = repr(options)
        if not is_new and (free := self._free.get(key)):
            return free.pop()
        context = self._browser.new_context(**options)
        page = context.new_page()
        if is_new:
            _changed.add(context)
        elif key not in self._new:
            page.goto(origin + BLANK)
            self._new[key] = set(page.evaluate(_STATE))
        self._options[context] = options
        return context

    def close(self, context: BrowserContext, origin: str) -> None:
        """Keeps it for another test, unless it was changed for good or is at another server, whose storage stays."""
        if context in _changed or not context.pages or not context.pages[0].url.startswith(origin):
            return context.close()
        for undo in _undo.pop(context, []):
            undo()
        page, *others = context.pages
        for each in others:
            each.close()
        context.unroute_all()
        page.unroute_all()
        context.set_offline(False)
        options = self._options[context]
        if page.viewport_size != options["viewport"]:
            page.set_viewport_size(options["viewport"])
        # Ends the app, so that nothing of it writes any more.
        page.goto(origin + BLANK)
        session = context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": _STORAGE})
        session.send("Page.resetNavigationHistory")
        session.detach()
        context.clear_cookies()
        _changed.discard(context)
        key = repr(options)
        left = self._new[key] ^ set(page.evaluate(_STATE))
        if left:
            context.close()
        assert not left, f"the test has left or removed {left}"
        self._free.setdefault(key, []).append(context)
        return None


def _context_of(owner: Any) -> BrowserContext:
    return owner.context if isinstance(owner, Page) else owner


def _mark(owner: type, name: str) -> None:
    """After this call, or a use of this property, the context is not for another test."""
    found: Any = getattr(owner, name)
    if isinstance(found, property):
        read = found.fget
        assert read is not None

        def get(self: Any) -> Any:
            _changed.add(_context_of(self))
            return read(self)

        setattr(owner, name, property(get))
        return

    @wraps(found)
    def call(self: Any, *arguments: Any, **named: Any) -> Any:
        _changed.add(_context_of(self))
        return found(self, *arguments, **named)

    setattr(owner, name, call)


def _note(owner: type, name: str, undo: Callable[..., Callable[[], Any]]) -> None:
    """Undoes each of these calls when the context is closed."""
    found: Any = getattr(owner, name)

    @wraps(found)
    def call(self: Any, *arguments: Any, **named: Any) -> Any:
        result = found(self, *arguments, **named)
        _undo.setdefault(_context_of(self), []).append(undo(self, result, *arguments))
        return result

    setattr(owner, name, call)


def _listener(owner: Any, _result: None, event: str, listener: Any) -> Callable[[], Any]:
    return lambda: owner.remove_listener(event, listener)


def _script(_owner: Any, script: Any, *_: Any) -> Callable[[], Any]:
    return lambda: script.close()


for _owner, _names in _LASTING.items():
    for _name in _names:
        _mark(_owner, _name)
    _note(_owner, "on", _listener)
    _note(_owner, "add_init_script", _script)
