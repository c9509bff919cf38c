"""The web app in a browser: it starts under its content security policy."""

from collections.abc import Callable

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
