"""The web app in a browser: it starts under its content security policy, and without a connection."""

from collections.abc import Callable
from pathlib import Path

from tests.support.databases import new_file
from tests.support.server import free_port, running_server
from tests.web.browsers import PhoneBrowser
from tests.web.open_sign_up import OpenSignUpServer


def test_the_web_app_starts_without_a_console_line(
    server: OpenSignUpServer, open_browser: Callable[..., PhoneBrowser]
) -> None:
    browser = open_browser(has_worker=True)
    lines: list[str] = []
    browser.page.on("console", lambda line: lines.append(line.text))
    browser.page.add_init_script(
        "document.addEventListener('securitypolicyviolation', event => console.log(event.violatedDirective))"
    )
    browser.open(f"{server.url}/")
    browser.page.wait_for_selector("main")
    browser.page.wait_for_function("() => navigator.serviceWorker.ready")
    assert lines == []


def test_the_web_app_starts_without_a_connection(tmp_path: Path, open_browser: Callable[..., PhoneBrowser]) -> None:
    """The server is stopped: a browser that is only set offline still answers some requests."""
    browser = open_browser(has_worker=True)
    with running_server(new_file(tmp_path), port=free_port()) as server:
        browser.open(f"{server.url}/")
        browser.page.wait_for_function(
            "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)"
        )
    browser.open(f"{server.url}/estimates")
    browser.page.wait_for_selector("main")
    stored = "caches.keys().then(names => caches.open(names[0])).then(cache => cache.keys())"
    paths = browser.page.evaluate(f"{stored}.then(keys => keys.map(key => new URL(key.url).pathname))")
    assert [path for path in paths if not path.startswith("/app/")] == []
