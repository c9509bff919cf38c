"""The workshop's screens: sign, documents, team, account, keys."""

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Route

from tests.people import PASSWORD
from tests.web import dom
from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import Craftsperson, craftsperson, expect
from tests.web.app.screens import SHOW, connections
from tests.web.open_sign_up import OpenSignUpServer

# What is edited there waits for a connection like orders and estimates: the sign and the documents.
SAVED_LATER = ("sign", "money", "documents", "messages")
SCREENS = (*SAVED_LATER, "team", "plan", "files", "activity", "account", "devices", "keys", "export")
CONNECTIONS = ("connections", *(f"connections/{name}" for name in connections()))


def saved(person: Craftsperson, text: str = "Saved") -> None:
    expect(person.page.locator(".saved-mark")).to_have_text(text)


def test_the_sign_is_seen_while_it_is_typed_and_saved_without_a_button(open_app: OpenApp) -> None:
    anna = open_app()
    anna.open("/shop/sign")
    anna.type("Name of the workshop", "Harrow & Thread")
    anna.page.get_by_text("Typewriter").click()
    anna.page.get_by_label("Moss").click()
    expect(anna.page.locator(".look-sign .sign-name")).to_have_text("Harrow & Thread")
    expect(anna.page.locator(".letterhead-name").first).to_have_text("Harrow & Thread")
    saved(anna)
    # Each field is saved by itself.
    expected = {"name": "Harrow & Thread", "titleFont": "mono", "accentColor": "#3F6B3A"}
    anna.until(lambda: anna.get("/workshops/{workshop}").items() >= expected.items())


def test_changes_of_the_sign_by_two_people_are_merged_or_shown(open_app: OpenApp) -> None:
    anna = open_app()
    # This page hears of no change by itself: the requests for them are never answered.
    anna.page.route(re.compile(r"/(events|changes)\b"), lambda _route: None)
    anna.open("/shop/sign")
    expect(anna.page.get_by_label("Line under the name")).to_be_visible()
    anna.api.patch(f"/workshops/{anna.workshop}", json={"tagline": "Theirs"}).raise_for_status()
    anna.type("Your name as a craftsperson", "Anna Nowak")
    saved(anna)
    assert anna.get("/workshops/{workshop}")["tagline"] == "Theirs"
    anna.api.patch(f"/workshops/{anna.workshop}", json={"tagline": "Theirs again"}).raise_for_status()
    anna.type("Line under the name", "Mine")
    anna.tap("Yours: Mine")
    saved(anna)
    assert anna.get("/workshops/{workshop}")["tagline"] == "Mine"


def test_an_error_of_the_document_settings_stands_at_its_field(open_app: OpenApp) -> None:
    anna = open_app()
    anna.open("/shop/money")
    anna.page.get_by_label("Currency").select_option("other")
    anna.type("Currency, in three letters", "EUX")
    sentence = anna.page.get_by_label("Currency, in three letters").locator("xpath=..").get_by_role("alert")
    expect(sentence).to_have_text("This is not a currency, such as EUR.")
    saved(anna, "Not saved")
    # What is right is saved nevertheless.
    anna.type("Tax number", "IE 0000000X")
    anna.page.get_by_label("Tax number").blur()
    anna.type("Currency, in three letters", "czk")
    saved(anna)
    settings = anna.get("/workshops/{workshop}/document-settings")
    assert (settings["currency"], settings["taxId"]) == ("CZK", "IE 0000000X")
    anna.expects(400, "/document-settings$")


def test_what_is_opened_of_another_workshop_shows_that_workshop(open_app: OpenApp) -> None:
    """As from a message on the phone. Tiles and tax would be those of the first one."""
    anna = open_app()
    anna.api.patch(f"/workshops/{anna.workshop}", json={"name": "Harrow & Thread"}).raise_for_status()
    other = anna.post("/workshops", {"name": "Boat yard"})["id"]
    order = anna.post(f"/workshops/{other}/orders", {"title": "Oar"})["id"]
    estimate = anna.post(f"/workshops/{other}/estimates", {"name": "Mast", "lineItems": []})["id"]
    shown = anna.page.locator(".sign-name").first
    for path in (f"/orders/{order}", f"/estimates/{estimate}"):
        anna.open()
        anna.page.evaluate("localStorage.removeItem('backbench-preference-lastWorkshop')")
        anna.open()
        expect(shown).to_have_text("Harrow & Thread")
        anna.open(path)
        expect(anna.page.get_by_role("main")).to_contain_text("Oar" if "orders" in path else "Mast")
        expect(shown).to_have_text("Boat yard")
        anna.open()
        expect(shown).to_have_text("Boat yard")


@pytest.mark.parametrize("path", ["estimates", "orders"])
def test_a_workshop_that_is_chosen_stays_when_what_was_opened_before_arrives(open_app: OpenApp, path: str) -> None:
    """A new order would be one of the wrong workshop."""
    anna = open_app()
    anna.api.patch(f"/workshops/{anna.workshop}", json={"name": "Harrow & Thread"}).raise_for_status()
    anna.post("/workshops", {"name": "Boat yard"})
    named = {"name": "Chair"} if path == "estimates" else {"title": "Chair"}
    made = anna.post(f"/workshops/{{workshop}}/{path}", named)["id"]
    sign = anna.page.locator(".sign-name").first
    anna.open("/shop")
    expect(anna.button("Boat yard")).to_be_visible()
    waiting: list[Route] = []
    anna.page.route(f"**/{path}/{made}", lambda route: route.continue_() if waiting else waiting.append(route))
    anna.page.evaluate(SHOW, f"/{path}/{made}")
    anna.until(lambda: waiting != [])
    anna.page.evaluate(SHOW, "/shop")
    anna.tap("Boat yard")
    expect(sign).to_have_text("Boat yard")
    waiting[0].continue_()
    anna.page.wait_for_load_state("networkidle")
    expect(sign).to_have_text("Boat yard")


def test_the_secret_of_an_api_key_is_shown_once(open_app: OpenApp) -> None:
    anna = open_app()
    anna.open("/shop/keys")
    anna.tap("New key")
    anna.type("What is it for?", "Website")
    anna.tap("Create key")
    secret = anna.page.get_by_label("Key", exact=True).input_value()
    assert re.fullmatch(r"bbk_[0-9A-Za-z]{49}", secret)
    anna.tap("Done")
    anna.sees("Website")
    anna.does_not_see(secret)
    anna.page.reload()
    anna.sees("Website")
    assert secret not in anna.page.content()


def test_a_key_whose_secret_got_lost_on_the_way_is_replaced(open_app: OpenApp) -> None:
    """The link of the wall display: one key can be used in the end, and somebody has seen it."""
    anna = open_app()
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            return route.continue_()
        lost.append(route.fetch().json()["apiKey"]["id"])
        return route.abort()

    anna.page.route("**/me/api-keys", lose)
    anna.open("/shop")
    anna.tap("Wall display")
    anna.tap("Make a link for the tablet")
    anna.until(lambda: lost != [])
    make = anna.button("Make a link for the tablet")
    expect(make).not_to_have_attribute("aria-disabled", "true")
    make.click()
    link = anna.page.get_by_role("dialog").get_by_role("textbox").input_value()
    keys = {key["id"]: "revokedAt" in key for key in anna.get("/me/api-keys")["apiKeys"]}
    assert len(keys) == 2
    assert [id_ for id_, is_revoked in keys.items() if is_revoked] == lost
    secret = link.partition("#")[2]
    headers = {"Authorization": f"Bearer {secret}"}
    response = httpx.get(f"{anna.url}/api/key", headers=headers, trust_env=False, timeout=60)
    assert response.status_code == 200
    anna.expects(409, "/me/api-keys")


def test_somebody_is_invited_in_three_taps_and_leaves_by_themselves(
    open_app: OpenApp, server: OpenSignUpServer
) -> None:
    anna, ben = open_app(), open_app()
    anna.open("/shop/team")
    anna.sees("So far you work here on your own.")
    anna.page.evaluate("window.taps = 0")
    anna.tap("Invite somebody")
    anna.type("Email address", ben.email)
    anna.tap("Send invitation")
    anna.sees(f"An invitation is on its way to {ben.email}.")
    assert anna.taps <= 3
    token = server.link_to(ben.email).partition("#token=")[2]
    ben.post("/invitations/accept", {"token": token})
    ben.open("/")
    ben.page.evaluate(f"localStorage.setItem('backbench-preference-lastWorkshop', JSON.stringify('{anna.workshop}'))")
    ben.open("/shop/team")
    ben.tap("Leave this workshop")
    ben.page.get_by_role("dialog").get_by_role("button", name="Leave this workshop").click()
    expect(ben.page.get_by_role("dialog")).to_have_count(0)
    members = [member["role"] for member in anna.get("/workshops/{workshop}")["members"]]
    assert members == ["owner"]
    ben.expects(403, "/workshops/")


def test_a_member_is_removed_at_once_after_a_question(open_app: OpenApp, server: OpenSignUpServer) -> None:
    """Nothing is said before the server has done it, and nothing waits for a page that may be closed."""
    anna, ben = open_app(), open_app()
    ben.api.patch("/me", json={"name": "Ben"}).raise_for_status()
    anna.post("/workshops/{workshop}/invitations", {"email": ben.email, "role": "member"})
    ben.post("/invitations/accept", {"token": server.link_to(ben.email).partition("#token=")[2]})
    anna.open("/shop/team")
    anna.tap("Change: Ben")
    anna.tap("Remove from the team")
    assert len(anna.get("/workshops/{workshop}")["members"]) == 2
    question = anna.page.get_by_role("dialog").nth(1)
    question.get_by_role("button", name="Remove from the team").click()
    expect(question).to_have_count(0)
    assert [member["role"] for member in anna.get("/workshops/{workshop}")["members"]] == ["owner"]
    anna.sees("So far you work here on your own.")


def test_a_wrong_password_is_shown_at_its_field(open_app: OpenApp, server: OpenSignUpServer) -> None:
    anna = open_app()
    anna.open("/shop/account")
    anna.type("Current password", "not the password")
    anna.type("New password", "a quite new password")
    anna.expects(400, "/me/password$")
    anna.tap("Change password")
    wrong = anna.page.get_by_label("Current password").locator("xpath=..").get_by_role("alert")
    expect(wrong).to_have_text("That is not the current password.")
    anna.type("Current password", PASSWORD)
    anna.tap("Change password")
    anna.sees("Password changed.")
    assert server.can_sign_in(anna.email, "a quite new password")


def test_deleting_the_account_names_what_goes_with_it(open_app: OpenApp, server: OpenSignUpServer) -> None:
    anna = open_app()
    anna.open("/shop/account")
    anna.tap("Delete account")
    anna.sees("Deleted with it, with all orders and estimates")
    dialog = anna.page.get_by_role("dialog")
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_role("button", name="Delete my account").click()
    expect(anna.page).to_have_url(re.compile("/sign-in$"))
    assert not server.can_sign_in(anna.email)


def test_activity_says_in_both_languages_who_did_what(open_app: OpenApp) -> None:
    halina = open_app("pl")
    order = halina.post("/workshops/{workshop}/orders", {"title": "Stół dębowy", "customerName": "Ewa"})
    halina.open("/shop/activity")
    halina.sees("Nowe zlecenie")
    expect(halina.page.get_by_role("link", name="Stół dębowy")).to_have_attribute("href", f"/orders/{order['id']}")
    halina.open("/shop/account")
    halina.page.get_by_text("English").click()
    halina.open("/shop")
    halina.tap("Activity", role="link")
    halina.sees("New order")


@pytest.fixture(params=["deno", pytest.param("browser", marks=pytest.mark.all_only)])
def on_the_road(request: pytest.FixtureRequest, server: OpenSignUpServer) -> Iterator[Craftsperson]:
    """Somebody who has all modules of the app, the lists and no connection.

    In a browser by the service worker, which stores every file: test_outbox.py starts from it by default.
    """
    pages: Browser | dom.Deno = request.getfixturevalue(request.param)
    has_worker = request.param == "browser"
    email, api = server.signed_in_account()
    with api, craftsperson(pages, server.url, api, email, has_worker=has_worker) as person:
        person.take_session()
        person.open("/shop")
        person.sees("API keys")
        person.until(person.has_lists)
        if has_worker:
            person.page.wait_for_function(
                "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)"
            )
        person.context.set_offline(True)
        yield person


def test_screens_of_the_workshop_save_later_or_say_that_they_need_a_connection(on_the_road: Craftsperson) -> None:
    page = on_the_road.page
    for screen in (*SCREENS, *CONNECTIONS):
        # Without loading the page again, as a link does it.
        page.evaluate(SHOW, f"/shop/{screen}")
        expect(page.locator("main:not([data-left]) h1")).to_be_visible()
        if screen in SAVED_LATER:
            expect(page.get_by_role("textbox").first).to_be_visible()
        else:
            on_the_road.sees("This needs a connection.")
