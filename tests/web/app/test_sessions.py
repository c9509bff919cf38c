"""The data of the web app when a session ends, and of two browsers of one account: what was done arrives once."""

from playwright.sync_api import Page

from tests.people import PASSWORD
from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import Craftsperson

_LOAD = """async () => {
    const main = await import(document.querySelector("script[type=module]").src);
    const parts = ["session", "signed_in", "workshops", "orders", "outbox"];
    globalThis.app = Object.assign({}, ...parts.map((part) => main[`$state_${part}`]));
    while (app.session.value.phase === "starting") await new Promise(requestAnimationFrame);
    return app.session.value.phase;
}"""
_SIGN_IN = "(credentials) => void app.signIn(...credentials)"
_IS_READY = "() => app.hasOrders.value"


def load(page: Page) -> None:
    assert page.evaluate(_LOAD) == "signed-in"
    page.wait_for_function(_IS_READY)


def opened(person: Craftsperson) -> Page:
    person.open()
    load(person.page)
    return person.page


def end_session(person: Craftsperson) -> None:
    """What is done next is rejected, and stays on this device."""
    person.expects(401)
    person.context.clear_cookies()
    person.page.evaluate("() => void app.createOrder('Oak bench', 'Ada')")
    person.page.wait_for_function("() => app.session.value.phase === 'expired'")


def test_a_change_of_one_browser_is_shown_in_another(open_app: OpenApp) -> None:
    anna = open_app()
    one, other = opened(anna), opened(open_app(email=anna.email))
    one.evaluate("() => void app.createOrder('Oak bench', 'Ada')")
    other.wait_for_function("() => app.orders.value[0]?.title === 'Oak bench'")
    other.evaluate("() => void app.moveOrder(app.orders.value[0].id, 'done')")
    one.wait_for_function("() => app.orders.value[0]?.status === 'done'")


def test_a_session_that_ends_loses_nothing(open_app: OpenApp) -> None:
    anna = open_app()
    page = opened(anna)
    end_session(anna)
    assert page.evaluate("() => app.orders.value[0].title") == "Oak bench"
    page.evaluate(_SIGN_IN, [anna.email, PASSWORD])
    page.wait_for_function("() => app.items.value.length === 0 && app.orders.value.length === 1")


def test_another_account_does_not_see_what_the_first_one_has_not_sent(open_app: OpenApp) -> None:
    anna, bea = open_app(), open_app()
    page = opened(anna)
    page.evaluate("() => app.settle(app.createOrder('Oak chair', 'Ada'))")
    end_session(anna)
    change_account(page, bea.email)
    assert page.evaluate("() => [app.orders.value.length, app.items.value.length]") == [0, 0]
    page.wait_for_function("email => app.sealed.value[email]?.waiting === 1", arg=anna.email)
    change_account(page, anna.email)
    # With what the server has besides.
    page.wait_for_function("() => app.items.value.length === 0 && app.orders.value.length === 2")
    page.wait_for_function("() => Object.keys(app.sealed.value).length === 0")


def change_account(page: Page, email: str) -> None:
    """An account is a page: the sign-in of another one loads it anew."""
    page.evaluate(_SIGN_IN, [email, PASSWORD])
    page.wait_for_function("() => !globalThis.app && document.querySelector('script[type=module]')")
    load(page)
