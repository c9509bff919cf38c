"""The web app behind nginx: bodies are compressed, and another site answers while the service is away."""

import contextlib
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.support.databases import new_file
from tests.support.server import free_port, is_listening
from tests.web.browsers import PhoneBrowser
from tests.web.open_sign_up import running_open_sign_up_server
from tests.web.test_outbox import signed_in

# The 404 is what a proxy says whose route to the service is gone for a moment.
_CONFIG = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    gzip on;
    gzip_types application/json;
    gzip_min_length 1;
    server {{
        listen 127.0.0.1:{port};
        proxy_set_header Host $http_host;
        error_page 502 504 =404 /away;
        location / {{ proxy_pass http://127.0.0.1:{service}; }}
        location = /away {{ internal; default_type text/html; return 404 "<h1>Not here</h1>"; }}
    }}
}}
"""
_WEAK = "async () => (await fetch(`/api/workshops/${app.workshopId.value}/document-settings`)).headers.get('ETag')"
_SENT = "() => app.items.value.length === 0"


@contextlib.contextmanager
def running_nginx(folder: Path, port: int, service: int) -> Iterator[str]:
    """Between the browser and a service that runs on the port `service`, or does not."""
    program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if program is None:
        pytest.skip("no nginx on this machine")
    config = folder / "nginx.conf"
    config.write_text(_CONFIG.format(folder=folder, port=port, service=service), "utf-8")
    with subprocess.Popen([program, "-c", config, "-p", folder], stderr=subprocess.DEVNULL) as nginx:
        try:
            deadline = time.monotonic() + 60
            while not is_listening(port):
                assert time.monotonic() < deadline
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port}"
        finally:
            nginx.terminate()


def test_a_proxy_that_compresses_or_answers_itself_loses_nothing(
    tmp_path: Path, open_browser: Callable[[], PhoneBrowser]
) -> None:
    database, port = new_file(tmp_path), free_port()
    browser = open_browser()
    with running_nginx(tmp_path, free_port(), port) as url:
        with running_open_sign_up_server(database, tmp_path, port) as server:
            page = signed_in(browser, server, server.active_account(), url)
            edit_twice(page)
            assert str(page.evaluate(_WEAK)).startswith('W/"')
        browser.expected.add(404)
        page.evaluate("() => app.editOrder(app.orders.value[0].id, { notes: 'ash' })")
        page.wait_for_function("() => app.statuses.value[0]?.name === 'serverAway'")
        page.evaluate("() => app.refresh()")
        shown = "() => [app.session.value.phase, app.orders.value[0].notes, app.items.value[0].problem]"
        assert page.evaluate(shown) == ["signed-in", "ash", None]
        with running_open_sign_up_server(database, tmp_path, port):
            page.wait_for_function("() => { app.tryAgain(); return app.items.value.length === 0; }")
            notes = "async () => (await (await fetch(`/api/orders/${app.orders.value[0].id}`)).json()).order.notes"
            assert page.evaluate(notes) == "ash"


def edit_twice(page: Page) -> None:
    """The second edit names the version that the first one made; both arrive."""
    page.evaluate("() => app.createOrder('Oak table')")
    page.wait_for_function(_SENT)
    for number in ("1", "2"):
        page.evaluate("notes => { app.editOrder(app.orders.value[0].id, { notes }); }", number)
        page.evaluate("phone => { app.updateSettings({ phone }); }", number)
        page.wait_for_function(_SENT)
    assert page.evaluate("() => [app.orders.value[0].notes, app.documentSettings.value.phone]") == ["2", "2"]
