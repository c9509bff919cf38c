"""The web app in Firefox: outbox, session and builder, as in Chromium (test_outbox.py, app/test_builder.py)."""

from pathlib import Path

import pytest

from tests.people import PASSWORD
from tests.support.databases import new_file
from tests.support.server import free_port
from tests.web.firefox import Firefox
from tests.web.open_sign_up import OpenSignUpServer, running_open_sign_up_server
from tests.web.test_outbox import _FILES, _LOAD, _SHOWN, _WITHOUT_CONNECTION

# Chromium shows the same by default.
pytestmark = pytest.mark.all_only

_IS_READY = "() => app.hasOrders.value && app.documentSettings.value !== null"
_IS_SENT = "() => { app.wake(); return app.items.value.length === 0; }"
_HAS = "text => document.body.innerText.includes(text)"
_TAP = """text => {
    const found = [...document.querySelectorAll('button, a')].find(one => one.innerText.includes(text));
    found?.click();
    return Boolean(found);
}"""


@pytest.fixture
def page(fox: Firefox) -> Firefox:
    fox.open_page()
    return fox


def signed_in(page: Firefox, url: str, email: str) -> None:
    page.goto(url)
    assert page.evaluate(_LOAD, _FILES) == "signed-out"
    page.evaluate("(email, password) => app.signIn(email, password)", email, PASSWORD)
    page.wait_for(_IS_READY)


def reload(page: Firefox, url: str) -> str:
    """The phase of the session of the page that was loaded."""
    page.goto("about:blank")
    page.goto(url)
    phase: str = page.evaluate(_LOAD, _FILES)
    return phase


def test_what_was_done_without_a_connection_arrives_once_from_firefox(page: Firefox, tmp_path: Path) -> None:
    database, port = new_file(tmp_path), free_port()
    with running_open_sign_up_server(database, tmp_path, port) as server:
        signed_in(page, server.url, server.active_account())
        page.wait_for("() => navigator.serviceWorker.controller !== null")
    page.evaluate(_WITHOUT_CONNECTION)
    assert reload(page, server.url) == "signed-in"
    page.wait_for("() => app.orders.value.length > 0 && app.estimates.value.length > 0")
    assert page.evaluate(_SHOWN) == ["Oak table", "in_progress", 2, "77.00"]
    with running_open_sign_up_server(database, tmp_path, port):
        page.wait_for(_IS_SENT)
        page.evaluate("() => app.openEstimate(app.estimates.value[0].id)")
        assert page.evaluate(_SHOWN) == ["Oak table", "in_progress", 2, "77.00"]
    assert page.rejected == []


def test_accounts_are_exchanged_in_firefox(page: Firefox, server: OpenSignUpServer) -> None:
    first, second = server.active_account(), server.active_account()
    signed_in(page, server.url, first)
    page.evaluate("() => app.settle(app.createOrder('Oak chair', 'Ada'))")
    page.evaluate("(email, password) => void app.signIn(email, password)", second, PASSWORD)
    page.wait_for("() => typeof app === 'undefined' && document.body.innerText !== ''")
    assert page.evaluate(_LOAD, _FILES) == "signed-in"
    page.wait_for(_IS_READY)
    assert page.evaluate("() => [app.session.value.me.email, app.orders.value.length]") == [second, 0]
    page.wait_for(
        "async name => !(await indexedDB.databases()).some(one => one.name.includes(encodeURIComponent(name)))",
        first,
    )
    assert page.rejected == []


def test_an_estimate_is_made_by_taps_in_firefox(page: Firefox, server: OpenSignUpServer) -> None:
    signed_in(page, server.url, server.active_account())
    tile = {"label": "Oak top", "unit": "piece", "unitPrice": 480, "emoji": "🪵"}
    page.evaluate("tile => app.settle(app.createGrid({ name: 'Tables', iconSize: 'medium', buttons: [tile] }))", tile)
    page.goto(f"{server.url}/estimates/new")
    page.wait_for(_TAP, "Oak top")
    page.wait_for(_HAS, "€480")
    page.evaluate(_LOAD, _FILES)
    page.wait_for("() => app.estimates.value[0]?.lineItems[0]?.label === 'Oak top' && app.items.value.length === 0")
    assert page.rejected == []
