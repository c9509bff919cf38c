"""Pages without layout: the part of Playwright's interface that journeys use, over a Deno process with a DOM.

The app's own modules run on a document of happy-dom, with requests to the service that runs. There are no sizes,
styles, pictures, service worker or clock: a journey that needs one of them takes a browser.
"""

import base64
import json
import os
import re
import select
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.web.packs import write_packs

ROOT = Path(__file__).parents[3]
_DENO = Path(sysconfig.get_path("scripts")) / "deno"
_PROCESS = Path(__file__).with_name("process.js")
_MILLISECONDS = 60_000
# Of one process: each leaves some megabytes of memory.
_MOST_BROWSERS = 50
# It guards places of the screen, of which there are none here.
_REPLACED = {"press-guard.js": "export {};"}
Step = dict[str, Any]


def _pattern(wanted: Any) -> Any:
    """A text as it is, a regular expression for JavaScript."""
    if isinstance(wanted, re.Pattern):
        return {"source": wanted.pattern, "flags": "i" if wanted.flags & re.IGNORECASE else ""}
    return [_pattern(each) for each in wanted] if isinstance(wanted, list | tuple) else wanted


class Deno:
    """The process. Its browsers share nothing but the process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._packs = folder / "packs.json"
        write_packs(self._packs, [["early.js"], ["main.js"]], _REPLACED)
        self._process: subprocess.Popen[bytes] | None = None
        self._browsers: dict[int, Context] = {}
        self._answers: dict[int, Any] = {}
        self._unread = b""
        self._opened = self._asked = self._begun = 0

    def open(self, url: str, *, viewport: Mapping[str, int], locale: str, **_: Any) -> "Context":
        """A browser that was never used, for the service at the address."""
        self._opened += 1
        # Modules are never unloaded.
        if self._opened - self._begun >= _MOST_BROWSERS and not self._browsers:
            self.close()
            self._begun = self._opened
        browser = Context(self, self._opened)
        self._browsers[self._opened] = browser
        self.ask(self._opened, "open", locale=locale, screen=viewport, origin=url)
        return browser

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            options = ["--quiet", "--no-check", "--no-remote", "--allow-all"]
            command = [str(_DENO), "run", *options, str(_PROCESS), str(self._packs)]
            # West of UTC, where a date without a time is easily taken for the day before.
            settings = {"DENO_DIR": str(ROOT / "build/deno"), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | settings
            )
        return self._process

    def _send(self, message: Mapping[str, Any]) -> None:
        pipe = self._started().stdin
        assert pipe is not None
        pipe.write(json.dumps(message).encode() + b"\n")
        pipe.flush()

    def ask(self, browser: int, op: str, **given: Any) -> Any:
        """What the process answers; what happens in pages meanwhile goes to their browsers."""
        self._asked += 1
        number = self._asked
        self._send({"id": number, "browser": browser, "op": op, **given})
        # What a page asks meanwhile may make this process ask, too.
        while number not in self._answers:
            self._read()
        answer = self._answers.pop(number)
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer["result"]

    def _read(self) -> None:
        pipe = self._started().stdout
        assert pipe is not None
        while b"\n" not in self._unread:
            # Nothing that is asked takes as long.
            assert select.select([pipe], [], [], 2 * _MILLISECONDS / 1000)[0], "the pages do not answer"
            read = os.read(pipe.fileno(), 1 << 16)
            assert read, "the process with the pages has ended"
            self._unread += read
        line, _, self._unread = self._unread.partition(b"\n")
        message = json.loads(line)
        if "id" in message:
            self._answers[message["id"]] = message
        elif message["browser"] in self._browsers:
            self._browsers[message["browser"]].happened(message)

    def decide(self, browser: int, question: int, answer: Any) -> None:
        self._send({"browser": browser, "op": "route", "question": question, "answer": answer})

    def forget(self, browser: int) -> None:
        self._browsers.pop(browser, None)

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()
            self._process = None


class Request:
    def __init__(self, given: Mapping[str, Any]) -> None:
        self.url: str = given["url"]
        self.method: str = given["method"]
        self.headers: dict[str, str] = given["headers"]
        self.post_data: str | None = given["body"]
        self.resource_type = "fetch"


class Response:
    def __init__(self, context: "Context", given: Mapping[str, Any]) -> None:
        self._context = context
        self.request = Request(given["request"])
        self.url, self.status, self.ok = self.request.url, given["status"], given["status"] < 400

    def finished(self) -> None:
        """Waits until the page has all of it."""
        self._context.ask("idle")


class Route:
    """A request that waits for what a test says of it."""

    def __init__(self, context: "Context", question: int, request: Request) -> None:
        self._context, self._question, self.request = context, question, request

    def _decide(self, answer: Any) -> None:
        self._context.deno.decide(self._context.number, self._question, answer)

    def continue_(self) -> None:
        self._decide(None)

    def fetch(self, **_: Any) -> "Fetched":
        return Fetched(self._context.ask("fetch", question=self._question))

    def abort(self, *_: str) -> None:
        self._decide({"abort": True})

    def fulfill(
        self,
        *,
        status: int = 200,
        json: Any = None,
        body: str = "",
        headers: Mapping[str, str] | None = None,
        response: "Fetched | None" = None,
        **_: Any,
    ) -> None:
        if response is not None and json is None and not body:
            if headers is None:
                self._decide({"fetched": True})
                return
            status, body = response.status, response.text()
        text = body if json is None else _json(json)
        given = {"X-Request-Id": "1", "Content-Type": "application/json"} if headers is None else headers
        self._decide({"status": status, "body": text, "headers": dict(given)})


class Fetched:
    """The response to a request that a test has sent on."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.status, self.headers, self._text = given["status"], given["headers"], given["text"]
        self.ok = self.status < 400

    def text(self) -> str:
        return str(self._text)

    def json(self) -> Any:
        return json.loads(self._text)


def _json(value: Any) -> str:
    return json.dumps(value)


def _matches(pattern: Any, url: str, given: Any = None) -> bool:
    if callable(pattern):
        return bool(pattern(given or url))
    if isinstance(pattern, re.Pattern):
        return pattern.search(url) is not None
    glob = re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*").replace(r"\?", "[?]")
    return re.fullmatch(glob, url) is not None


Handler = Callable[..., Any]


class Download:
    """A file that a page has saved."""

    def __init__(self, folder: Path, given: Mapping[str, Any]) -> None:
        self.suggested_filename: str = given["name"]
        self._path = folder / "download"
        self._path.write_bytes(base64.b64decode(given["content"]))

    def path(self) -> Path:
        """Of the last download: another one has the same."""
        return self._path


class ConsoleLine(NamedTuple):
    """As a browser writes it of a response that is an error."""

    text: str
    location: dict[str, str]


class Context:
    """A browser: storage, cookies, and one page at a time."""

    def __init__(self, deno: Deno, number: int) -> None:
        self.deno, self.number = deno, number
        self._routes: list[tuple[Any, Handler]] = []
        self.listeners: dict[str, list[Handler]] = {}
        self.page = Page(self)
        self.pages = [self.page]

    def ask(self, op: str, **given: Any) -> Any:
        return self.deno.ask(self.number, op, **given)

    def happened(self, message: Mapping[str, Any]) -> None:
        if message["event"] == "route":
            self._decide(message["question"], Request(message["request"]))
        elif message["event"] in ("request", "response"):
            self._heard(message)
        elif message["event"] == "download":
            self._tell("download", Download(self.deno.folder, message))
        elif message["event"] == "error":
            self._tell("pageerror", message["text"])

    def _heard(self, message: Mapping[str, Any]) -> None:
        if message["event"] == "request":
            self._tell("request", Request(message["request"]))
            return
        response = Response(self, message)
        self._tell("response", response)
        if not response.ok:
            text = f"Failed to load resource: the server responded with a status of {response.status} ()"
            self._tell("console", ConsoleLine(text, {"url": response.url}))

    def _tell(self, event: str, value: Any) -> None:
        for listener in list(self.listeners.get(event, [])):
            listener(value)

    def _decide(self, question: int, request: Request) -> None:
        for pattern, handler in reversed(self._routes):
            if _matches(pattern, request.url):
                route = Route(self, question, request)
                handler(route)
                return
        self.deno.decide(self.number, question, None)

    def route(self, pattern: Any, handler: Handler) -> None:
        self._routes.append((pattern, handler))
        self.ask("set", values={"isRouted": True})

    def unroute(self, pattern: Any, _handler: Handler | None = None) -> None:
        self._routes = [each for each in self._routes if each[0] != pattern]

    def unroute_all(self, **_: Any) -> None:
        self._routes = []

    def pass_time(self, milliseconds: float) -> None:
        """At once, for the clock of the page."""
        self.ask("pass", milliseconds=milliseconds)

    def set_offline(self, offline: bool) -> None:
        self.ask("set", values={"isOffline": offline})

    def add_cookies(self, cookies: list[dict[str, str]]) -> None:
        self.ask("cookies", cookies=[{"name": each["name"], "value": each["value"]} for each in cookies])

    def clear_cookies(self) -> None:
        self.ask("clear cookies")

    def grant_permissions(self, _: list[str]) -> None:
        """Pages have them."""

    def add_init_script(self, script: str) -> None:
        self.ask("script", script=script)

    def on(self, event: str, listener: Handler) -> None:
        is_new = event not in self.listeners
        self.listeners.setdefault(event, []).append(listener)
        # Of each of them the process writes a line.
        if is_new and event in ("request", "response"):
            self.ask("set", values={"hears": [each for each in ("request", "response") if each in self.listeners]})

    def close(self) -> None:
        # First: what a page asks for while it is closed is for no test any more.
        self.deno.forget(self.number)
        self.ask("close")


class _Happening:
    """What a `with` block waits for at its end."""

    def __init__(self, context: Context, event: str, fits: Callable[[Any], bool]) -> None:
        self._context, self._event, self._fits = context, event, fits
        self.value: Any = None

    def _heard(self, value: Any) -> None:
        if self.value is None and self._fits(value):
            self.value = value

    def __enter__(self) -> Self:
        self._context.on(self._event, self._heard)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is None:
            deadline = time.monotonic() + 60
            while self.value is None and time.monotonic() < deadline:
                self._context.page.wait_for_timeout(5)
            assert self.value is not None, f"no {self._event}"
        self._context.listeners[self._event].remove(self._heard)


class Keyboard:
    def __init__(self, context: Context) -> None:
        self._context = context

    def press(self, key: str) -> None:
        self._context.ask("press", key=key)

    def type(self, text: str) -> None:
        for key in text:
            self.press(key)


class Locator:
    def __init__(self, context: Context, steps: list[Step]) -> None:
        self.context, self.steps = context, steps

    @property
    def page(self) -> "Page":
        return self.context.page

    def _with(self, by: str, **step: Any) -> "Locator":
        given = {name: value for name, value in step.items() if value is not None}
        return Locator(self.context, [*self.steps, {"by": by, **given}])

    def locator(self, selector: str, **filters: Any) -> "Locator":
        found = self._with("css", selector=selector)
        return found.filter(**filters) if filters else found

    def get_by_role(self, role: str, *, name: Any = None, exact: bool = False, **more: Any) -> "Locator":
        return self._with("role", role=role, name=_pattern(name), exact=exact, **more)

    def get_by_label(self, text: Any, *, exact: bool = False) -> "Locator":
        return self._with("label", text=_pattern(text), exact=exact)

    def get_by_text(self, text: Any, *, exact: bool = False) -> "Locator":
        return self._with("text", text=_pattern(text), exact=exact)

    def filter(
        self,
        *,
        has_text: Any = None,
        has_not_text: Any = None,
        has: "Locator | None" = None,
        has_not: "Locator | None" = None,
        visible: bool | None = None,
    ) -> "Locator":
        inner = {"has": has and has.steps, "hasNot": has_not and has_not.steps}
        texts = {"hasText": _pattern(has_text), "hasNotText": _pattern(has_not_text)}
        return self._with("filter", **inner, **texts, visible=visible)

    def nth(self, at: int) -> "Locator":
        return self._with("nth", at=at)

    @property
    def first(self) -> "Locator":
        return self.nth(0)

    @property
    def last(self) -> "Locator":
        return self.nth(-1)

    def all(self) -> list["Locator"]:
        return [self.nth(at) for at in range(self.count())]

    def perform(self, action: str, arg: Any = None, milliseconds: int = _MILLISECONDS) -> Any:
        return self.context.ask("perform", locator=self.steps, action=action, arg=arg, timeout=milliseconds)

    def count(self) -> int:
        return int(self.perform("count"))

    def is_visible(self) -> bool:
        return bool(self.perform("isVisible"))

    def click(self, **_: Any) -> None:
        self.perform("click")

    def dblclick(self) -> None:
        self.perform("dblclick")

    def fill(self, text: str) -> None:
        self.perform("fill", text)

    def focus(self) -> None:
        self.perform("focus")

    def blur(self) -> None:
        self.perform("blur")

    def check(self) -> None:
        self.perform("check", True)

    def uncheck(self) -> None:
        self.perform("check", False)

    def press(self, key: str) -> None:
        self.perform("press", key)

    def press_sequentially(self, text: str, **_: Any) -> None:
        self.perform("type", text)

    def select_option(self, value: str | None = None, *, label: str | None = None) -> None:
        self.perform("select", value if label is None else label)

    def set_input_files(self, files: Any) -> None:
        given = files if isinstance(files, list) else [files]
        self.perform("files", [_file(each) for each in given])

    def dispatch_event(self, type_: str, init: Mapping[str, Any] | None = None) -> None:
        self.perform("dispatch", {"type": type_, "init": init})

    def input_value(self) -> str:
        return str(self.perform("value"))

    def inner_text(self) -> str:
        return str(self.perform("shown"))

    def get_attribute(self, name: str) -> str | None:
        found: str | None = self.perform("attribute", name)
        return found

    def evaluate(self, script: str, arg: Any = None) -> Any:
        self.perform("there")
        return self.context.ask("evaluate", script=script, arg=arg, locator=self.steps)

    def evaluate_all(self, script: str, arg: Any = None) -> Any:
        return self.context.ask("evaluate", script=script, arg=arg, locator=self.steps, all=True)

    def wait_for(self) -> None:
        self.perform("visible", {"expects": None})


def _file(given: Any) -> dict[str, str]:
    if isinstance(given, Mapping):
        name, type_, content = given["name"], given["mimeType"], given["buffer"]
    else:
        path = Path(given)
        kinds = {".csv": "text/csv", ".jpg": "image/jpeg", ".png": "image/png"}
        name, type_, content = path.name, kinds.get(path.suffix, ""), path.read_bytes()
    return {"name": name, "type": type_, "content": base64.b64encode(content).decode()}


class Page(Locator):
    """The page that is open. What a browser alone has is missing, and an AttributeError."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, [])
        self.keyboard = Keyboard(context)
        self.route, self.unroute, self.unroute_all = context.route, context.unroute, context.unroute_all
        self.on, self.add_init_script = context.on, context.add_init_script

    @property
    def page(self) -> "Page":
        return self

    def goto(self, url: str) -> None:
        self.context.ask("goto", url=url)

    def reload(self) -> None:
        self.context.ask("reload")

    def go_back(self) -> None:
        self.context.ask("back")

    @property
    def url(self) -> str:
        return str(self.context.ask("url"))

    def content(self) -> str:
        return str(self.evaluate("document.documentElement.outerHTML"))

    def evaluate(self, script: str, arg: Any = None) -> Any:
        return self.context.ask("evaluate", script=script, arg=arg)

    def wait_for_function(self, script: str, *, arg: Any = None) -> Any:
        return self.context.ask("wait", script=script, arg=arg)

    def wait_for_timeout(self, milliseconds: float) -> None:
        time.sleep(milliseconds / 1000)
        # Hears what has happened meanwhile.
        self.context.ask("url")

    def wait_for_load_state(self, _state: str = "load") -> None:
        self.context.ask("idle")

    def wait_for_url(self, wanted: Any, milliseconds: int = _MILLISECONDS) -> None:
        deadline = time.monotonic() + milliseconds / 1000
        while not _matches(wanted, self.url):
            assert time.monotonic() < deadline, self.url
            self.wait_for_timeout(5)

    def expect_response(self, wanted: Any) -> _Happening:
        return _Happening(self.context, "response", lambda given: _matches(wanted, given.url, given))

    def expect_download(self) -> _Happening:
        return _Happening(self.context, "download", lambda _: True)


class Expectation:
    """What Playwright's `expect` promises of a locator: it waits until it is so."""

    def __init__(self, found: Locator, milliseconds: int = _MILLISECONDS) -> None:
        self._found, self._milliseconds = found, milliseconds

    def expects(self, kind: str, expects: Any = None) -> None:
        self._found.perform(kind, {"expects": expects}, self._milliseconds)

    def to_be_visible(self, **_: Any) -> None:
        self.expects("visible")

    def to_be_attached(self) -> None:
        self.expects("attached")

    def to_be_enabled(self) -> None:
        self.expects("enabled")

    def to_be_disabled(self) -> None:
        self.expects("disabled")

    def to_be_checked(self, *, checked: bool = True) -> None:
        self.expects("checked", checked)

    def to_be_focused(self) -> None:
        self.expects("focused")

    def not_to_be_focused(self) -> None:
        self.expects("focused not")

    def to_have_count(self, count: int) -> None:
        self.expects("count", count)

    def to_have_value(self, value: Any) -> None:
        self.expects("value", _pattern(value))

    def to_have_attribute(self, name: str, value: Any = None) -> None:
        self.expects("attribute", [name, _pattern(value)])

    def not_to_have_attribute(self, name: str, value: Any = None) -> None:
        self.expects("attribute not", [name, _pattern(value)])

    def to_have_text(self, text: Any) -> None:
        self.expects("text", _pattern(text))

    def not_to_have_text(self, text: Any) -> None:
        self.expects("text not", _pattern(text))

    def to_contain_text(self, text: Any) -> None:
        self.expects("contains", _pattern(text))

    def not_to_contain_text(self, text: Any) -> None:
        self.expects("contains not", _pattern(text))

    def to_have_url(self, url: Any) -> None:
        self._found.page.wait_for_url(url, self._milliseconds)


@contextmanager
def running_deno(folder: Path) -> Iterator[Deno]:
    deno = Deno(folder)
    try:
        yield deno
    finally:
        deno.close()
