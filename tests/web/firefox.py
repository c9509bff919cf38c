"""Firefox, as Debian has it, by WebDriver BiDi: Playwright's Firefox is a build of its own, which would be downloaded.

Playwright's BiDi needs a command that Firefox ESR does not have. The WebSocket is Deno's, which the tests have anyway.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from tests.web.browsers import SCREEN
from tests.web.test_units import DENO, ROOT

# A navigation that ended because the page that is left was going somewhere itself.
_INTERRUPTED = ("NS_BINDING_ABORTED", "A new navigation interrupted an unfinished navigation")
_BRIDGE = Path(__file__).with_name("bidi.js")
_LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
# Storage, workers and locks as on https; no first-run pages, and no connections of its own.
_PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.prefs.recommended": True,
    "intl.accept_languages": "en",
    "toolkit.startup.max_resumed_crashes": -1,
    # One process for all pages, none before there is a page, and no pages but those of the tests.
    "fission.autostart": False,
    "dom.ipc.processCount": 1,
    "dom.ipc.processPrelaunch.enabled": False,
    "browser.startup.page": 0,
    "browser.startup.blankWindow": False,
    "browser.newtabpage.enabled": False,
    "browser.newtab.preload": False,
    # Pages are drawn without a graphics card: a third of the pictures a second are enough.
    "ui.prefersReducedMotion": 1,
    "layout.frame_rate": 20,
}


def firefox() -> str | None:
    """The path of the browser, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A browser that has one page in the hand at a time. `rejected` has the responses from 400 on."""

    def __init__(self, bridge: "subprocess.Popen[str]") -> None:
        assert bridge.stdin is not None
        assert bridge.stdout is not None
        self._in: IO[str] = bridge.stdin
        self._out: IO[str] = bridge.stdout
        self._last = 0
        self.rejected: list[str] = []
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["network.responseCompleted"])
        self._page = ""
        self._users: list[str] = []

    def open_page(self) -> str:
        """A page of somebody new: without the cookies and the storage of those before. Returns what `turn_to` takes."""
        user = self._send("browser.createUserContext")["userContext"]
        self._users.append(user)
        self._page = self._send("browsingContext.create", type="tab", userContext=user)["context"]
        self._send("browsingContext.setViewport", context=self._page, viewport=SCREEN)
        self.rejected.clear()
        return self._page

    def close_pages(self) -> None:
        """Ends all pages, with what they have stored."""
        while self._users:
            self._send("browser.removeUserContext", userContext=self._users.pop())

    def turn_to(self, page: str) -> None:
        """From now on it is about this page again, and it is on the screen: a hidden one is not drawn."""
        if page != self._page:
            self._page = page
            self._send("browsingContext.activate", context=page)

    def before_each_page(self, function: str) -> None:
        """Runs the function in each page that is loaded from now on, before its own scripts."""
        self._send("script.addPreloadScript", functionDeclaration=function, contexts=[self._page])

    def touch(self, points: list[tuple[float, float]]) -> None:
        """A finger goes down at the first point, over the others, and up at the last."""
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0} for x, y in points]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": actions}
        self._send("input.performActions", context=self._page, actions=[finger])

    def goto(self, url: str) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                self._send("browsingContext.navigate", context=self._page, url=url, wait="complete")
                return
            except AssertionError as error:
                if time.monotonic() > deadline or not any(reason in str(error) for reason in _INTERRUPTED):
                    raise

    def evaluate(self, function: str, *given: Any) -> Any:
        """The result of a function of the page, awaited."""
        call = f"(async () => JSON.stringify(await ({function})(...{json.dumps(given)})))()"
        target = {"context": self._page}
        answer = self._send("script.evaluate", expression=call, target=target, awaitPromise=True)
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"].get("value", "null"))

    def wait_for(self, condition: str, *given: Any) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            # While a page is loaded there is nothing to ask.
            with contextlib.suppress(AssertionError):
                if self.evaluate(condition, *given):
                    return
            time.sleep(0.05)
        raise AssertionError(f"never: {condition}")

    def _send(self, method: str, **params: Any) -> Any:
        self._last += 1
        self._in.write(json.dumps({"id": self._last, "method": method, "params": params}) + "\n")
        self._in.flush()
        for line in self._out:
            message = json.loads(line)
            if message.get("method") == "network.responseCompleted":
                self._note(message["params"])
            if message.get("id") == self._last:
                if message["type"] == "error":
                    raise AssertionError(f"{method}: {message['message']}")
                return message["result"]
        raise AssertionError("Firefox has gone")

    def _note(self, params: Any) -> None:
        response, request = params["response"], params["request"]
        if response["status"] >= 400:
            self.rejected.append(f"{response['status']} {request['method']} {request['url']}")


@contextlib.contextmanager
def running_firefox(program: str, folder: Path) -> Iterator[Firefox]:
    """A new browser with a profile in the folder."""
    profile = folder / "profile"
    profile.mkdir()
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _PREFERENCES.items())
    (profile / "user.js").write_text("\n".join(lines), "utf-8")
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    environment = os.environ | {"HOME": str(folder), "MOZ_DISABLE_CONTENT_SANDBOX": "1"}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as browser:
        try:
            assert browser.stderr is not None
            found = next(match for line in browser.stderr if (match := _LISTENING.search(line)))
            with _bridge(found[1] + "/session") as bridge:
                yield Firefox(bridge)
        finally:
            browser.terminate()


@contextlib.contextmanager
def _bridge(address: str) -> "Iterator[subprocess.Popen[str]]":
    command = [str(DENO), "run", "--quiet", "--no-remote", "--no-check", "--allow-net", str(_BRIDGE), address]
    environment = os.environ | {"DENO_DIR": str(ROOT / "build" / "deno"), "DENO_NO_UPDATE_CHECK": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as bridge:
        try:
            yield bridge
        finally:
            bridge.terminate()
