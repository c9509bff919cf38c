"""Versions of the web app in a browser: the service worker keeps one until the page takes the next."""

import shutil
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from backbench.http.requests import Request
from backbench.site.site import Site
from tests.support.providers.servers import HttpServer, served
from tests.web.browsers import PhoneBrowser

WEB = Path(__file__).parents[2] / "src" / "backbench" / "web"
MAIN = """import {{ startWorker }} from "./local/worker.js";
document.body.dataset.version = "{version}";
startWorker((takeOver) => {{ globalThis.takeOver = takeOver; }});
"""


class SiteServer(HttpServer):
    """Serves a site that a test replaces by its next version."""

    def __init__(self, site: Site) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.site = site
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: SiteServer

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        headers = [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
        found = self.server.site.find(path, self.headers.get("accept", ""))
        if found is None:
            self.send_error(404)
            return
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers}
        response = self.server.site.respond(found, Request(scope, _nothing))
        self.send_response(response.status)
        for name, value in response.headers:
            self.send_header(name.decode(), value.decode())
        self.end_headers()
        self.wfile.write(response.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parameter name of the base class
        """Logs nothing."""


async def _nothing() -> Any:
    raise AssertionError("these requests have no body")


def small_app(folder: Path, version: int) -> Site:
    """A web app with the real worker, and a page that does nothing else."""
    for name in ("index.html", "icon.svg", "sw.js", "app/local/worker.js"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(WEB / name, folder / name)
    (folder / "app" / "styles").mkdir(exist_ok=True)
    (folder / "app" / "styles" / "index.css").write_text("")
    (folder / "app" / "styles" / "fonts.css").write_text("")
    (folder / "app" / "early.js").write_text("")
    (folder / "app" / "main.js").write_text(MAIN.format(version=version))
    return Site(folder)


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[SiteServer]:
    with served(SiteServer(small_app(tmp_path, 1))) as server:
        yield server


def test_the_next_version_comes_when_the_page_takes_it(
    sites: SiteServer, tmp_path: Path, open_browser: Callable[..., PhoneBrowser]
) -> None:
    browser = open_browser(has_worker=True)
    page = browser.page
    page.goto(sites.url)
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)")
    sites.site = small_app(tmp_path, 2)
    # Navigating makes the browser look for another worker; the page is that of the stored version.
    page.goto(f"{sites.url}/orders")
    page.wait_for_function("() => Boolean(globalThis.takeOver)")
    page.reload()
    page.wait_for_function("() => Boolean(globalThis.takeOver)")
    assert page.evaluate("document.body.dataset.version") == "1"
    page.evaluate("takeOver()")
    page.wait_for_function("() => document.body.dataset.version === '2'")
    page.wait_for_function("() => caches.keys().then(names => names.length === 1)")


def test_a_page_goes_on_with_its_version_when_another_one_takes_the_next(
    sites: SiteServer, tmp_path: Path, open_browser: Callable[..., PhoneBrowser]
) -> None:
    browser = open_browser(has_worker=True)
    page = browser.page
    page.goto(sites.url)
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)")
    page.reload()
    other = page.context.new_page()
    other.goto(sites.url)
    sites.site = small_app(tmp_path, 2)
    other.goto(f"{sites.url}/orders")
    other.wait_for_function("() => Boolean(globalThis.takeOver)")
    page.evaluate("globalThis.takeOver = null")
    other.evaluate("takeOver()")
    other.wait_for_function("() => document.body.dataset.version === '2'")
    # It can take the next one, and is not reloaded; what it loads later is still there, as no server has it.
    page.wait_for_function("() => Boolean(globalThis.takeOver)")
    assert page.evaluate("document.body.dataset.version") == "1"
    source = "document.querySelector('script[type=module]').src"
    assert page.evaluate(f"fetch({source}, {{ cache: 'no-store' }}).then(({{ status }}) => status)") == 200
    page.evaluate("takeOver()")
    page.wait_for_function("() => document.body.dataset.version === '2'")


def test_a_worker_whose_cache_was_emptied_shows_the_page_of_the_server(
    sites: SiteServer, tmp_path: Path, open_browser: Callable[..., PhoneBrowser]
) -> None:
    page = open_browser(has_worker=True).page
    page.goto(sites.url)
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)")
    page.evaluate("() => caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))")
    sites.site = small_app(tmp_path, 2)
    answer = page.goto(f"{sites.url}/orders")
    assert answer is not None
    assert answer.status == 200
    page.wait_for_function("() => document.body.dataset.version === '2'")


FORM = """(action) => {
    document.body.innerHTML = `<form method="post" enctype="multipart/form-data" action="${action}">
        <input type="file" name="photos"><button>Send</button></form>`;
}"""
SHARED = """() => caches.open("backbench-shared").then((cache) => cache.keys()).then((keys) => keys.length)"""


def test_photos_are_taken_from_this_site_and_not_from_another_one(
    sites: SiteServer, tmp_path: Path, open_browser: Callable[..., PhoneBrowser]
) -> None:
    page = open_browser(has_worker=True).page
    other = sites.url.replace("127.0.0.1", "localhost")
    photo = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"jpeg"}
    page.goto(sites.url)
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)")
    for origin, stored in ((other, 0), (sites.url, 1)):
        page.goto(f"{origin}/orders")
        page.evaluate(FORM, f"{sites.url}/share")
        page.locator("input").set_input_files(photo)  # type: ignore[arg-type]
        page.locator("button").click()
        page.wait_for_url(f"{sites.url}/**")
        page.wait_for_function("() => Boolean(document.body.dataset.version)")
        assert page.evaluate(SHARED) == stored
