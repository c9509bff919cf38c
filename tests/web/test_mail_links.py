"""Pages of the links in emails, in a real browser: opening one changes nothing, pressing its button does."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.people import PASSWORD
from tests.support.run.engines import runs_all
from tests.support.violations import violations
from tests.web.browsers import PhoneBrowser
from tests.web.open_sign_up import OpenSignUpServer

NEW_PASSWORD = "a hammer and a nail"
OpenBrowser = Callable[..., PhoneBrowser]


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def confirm(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Confirm and sign in")


def expect_message(page: Page, message: str) -> None:
    expect(page.get_by_role("status")).to_contain_text(message)


def test_opening_the_link_confirms_nothing_and_pressing_the_button_does_once(
    server: OpenSignUpServer, open_browser: OpenBrowser
) -> None:
    email = server.sign_up()
    link = server.link_to(email)
    token = link.partition("#token=")[2]
    scanner, anna = open_browser(expected={400}), open_browser()
    for _ in range(2):
        scanner.open(link)
    assert scanner.changing_requests() == []
    assert not server.can_sign_in(email)
    page = anna.open(link)
    assert anna.changing_requests() == []
    confirm(page)
    # Signed in, and in the app.
    expect(page).to_have_url(f"{server.url}/")
    assert anna.changing_requests()[0] == "/accounts/verify"
    assert server.can_sign_in(email)
    assert page.evaluate("fetch('/api/me').then(response => response.json())")["email"] == email
    # The token is sent in the body of one request alone, and stored nowhere.
    sent = [(f"{request.url.partition('#')[0]} {request.headers}", request.post_data) for request in anna.requests]
    assert [url_and_headers for url_and_headers, _ in sent if token in url_and_headers] == []
    assert [body for _, body in sent if body and token in body] == [f'{{"token":"{token}","password":"{PASSWORD}"}}']
    assert token not in page.evaluate("JSON.stringify([location.href, {...localStorage}, {...sessionStorage}])")
    # The link works once.
    page = scanner.open(link)
    confirm(page)
    expect_message(page, "This link has already been used or has expired.")


def test_opening_the_link_resets_nothing_and_saving_a_password_does(
    server: OpenSignUpServer, open_browser: OpenBrowser
) -> None:
    email = server.active_account()
    server.post("/password-resets", {"email": email})
    browser = open_browser(expected={400, 401})
    page = browser.open(server.link_to(email))
    expect(page.get_by_role("button")).to_be_visible()
    assert browser.changing_requests() == []
    assert server.can_sign_in(email)
    page.get_by_label("New password").fill("iloveyou")
    press(page, "Save the password")
    # The link is still valid: only the password was wrong.
    expect(page.locator(".error")).to_have_text(
        "Choose a password of at least eight characters that is not easy to guess."
    )
    expect(page.get_by_label("New password")).to_be_focused()
    page.get_by_label("New password").fill(NEW_PASSWORD)
    press(page, "Save the password")
    expect_message(page, "Saved.")
    assert (server.can_sign_in(email), server.can_sign_in(email, NEW_PASSWORD)) == (False, True)
    # Access to a mailbox alone signs nobody in.
    assert page.evaluate("fetch('/api/me').then(response => response.status)") == 401


@pytest.mark.parametrize(("is_ticked", "status"), [(False, 403), (True, 401)])
def test_saving_a_password_ends_api_keys_where_that_is_ticked(
    server: OpenSignUpServer, open_browser: OpenBrowser, is_ticked: bool, status: int
) -> None:
    email = server.active_account()
    secret = server.api_key(email)
    server.post("/password-resets", {"email": email})
    # After the email about the new key.
    page = open_browser().open(server.link_to(email, skip=1))
    expect(page.get_by_text("Active API keys of this account: 1.")).to_be_visible()
    page.get_by_label("New password").fill(NEW_PASSWORD)
    if is_ticked:
        page.get_by_label("Revoke all API keys.").check()
    press(page, "Save the password")
    expect_message(page, "Saved.")
    assert server.status_with(secret) == status


def test_an_invitation_is_accepted_by_signing_in_on_its_page(
    server: OpenSignUpServer, open_browser: OpenBrowser
) -> None:
    email = server.active_account()
    link = server.invite(email)
    marek = open_browser(expected={401})
    page = marek.open(link)
    assert marek.changing_requests() == []
    press(page, "I have an account already")
    form = page.locator("#sign-in")
    form.get_by_label("Email").fill(email)
    form.get_by_label("Password").fill("not this one")
    press(page, "Sign in and join")
    expect_message(page, "Wrong email or password.")
    form.get_by_label("Password").fill(PASSWORD)
    press(page, "Sign in and join")
    expect(page).to_have_url(f"{server.url}/")
    assert len(_workshops(page)) == 2


def test_an_invited_person_without_an_account_joins_with_a_name_and_a_password(
    server: OpenSignUpServer, open_browser: OpenBrowser
) -> None:
    """Three taps and two fields, without a second email and without a workshop of its own."""
    link = server.invite("zofia@example.net")
    zofia = open_browser("pl")
    page = zofia.open(link.replace("lang=en", "lang=pl"))
    assert zofia.changing_requests() == []
    page.get_by_label("Imię i nazwisko").fill("Zofia Łęcka")
    page.locator("#confirm").get_by_label("Hasło").fill(PASSWORD)
    press(page, "Dołącz do warsztatu")
    expect(page).to_have_url(f"{server.url}/")
    assert len(_workshops(page)) == 1


def test_all_that_is_missing_is_shown_at_once(server: OpenSignUpServer, open_browser: OpenBrowser) -> None:
    lena = open_browser()
    page = lena.open(server.invite("lena@example.net"))
    press(page, "Join the workshop")
    expect(page.locator(".error")).to_have_count(2)
    expect(page.get_by_label("Name")).to_be_focused()
    assert lena.changing_requests() == []


def sign_in(browser: PhoneBrowser, url: str, cookies: dict[str, str]) -> None:
    browser.context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])


def test_an_invited_person_joins_where_somebody_else_is_signed_in(
    server: OpenSignUpServer, open_browser: OpenBrowser
) -> None:
    """On the workshop's computer. Nothing of the account that was signed in is shown afterwards."""
    link = server.invite("piotr@example.net")
    _, api = server.signed_in_account()
    workshop = api.get("/workshops").json()["workshops"][0]["id"]
    api.post(f"/workshops/{workshop}/orders", json={"title": "Oak cradle", "customerName": "Ewa"}).raise_for_status()
    browser = open_browser(expected={401, 403})
    sign_in(browser, server.url, dict(api.cookies))
    api.close()
    expect(browser.open(f"{server.url}/").get_by_role("link", name="Oak cradle")).to_be_visible()
    page = browser.open(link)
    press(page, "Join the workshop")
    expect_message(page, "This invitation is for a different email address")
    assert len(_workshops(page)) == 1
    expect(page.get_by_role("button", name="I have an account already")).to_be_visible()
    page.get_by_label("Name").fill("Piotr")
    page.locator("#confirm").get_by_label("Password").fill(PASSWORD)
    press(page, "Join the workshop")
    expect(page).to_have_url(f"{server.url}/")
    expect(page.get_by_role("main")).to_be_visible()
    assert page.evaluate("fetch('/api/me').then(response => response.json())")["email"] == "piotr@example.net"
    assert len(_workshops(page)) == 1
    expect(page.get_by_role("link", name="Oak cradle")).to_have_count(0)


def test_both_ways_to_join_are_shown_where_the_session_has_ended(
    server: OpenSignUpServer, open_browser: OpenBrowser
) -> None:
    """The cookie that scripts can read is no proof of a session."""
    email = server.active_account()
    browser = open_browser(expected={401})
    sign_in(browser, server.url, {"csrf-token": "x" * 43})
    page = browser.open(server.invite(email))
    press(page, "Join the workshop")
    expect_message(page, "You are no longer signed in here.")
    expect(page.get_by_label("Name")).to_be_focused()
    press(page, "I have an account already")
    page.locator("#sign-in").get_by_label("Password").fill(PASSWORD)
    press(page, "Sign in and join")
    expect(page).to_have_url(f"{server.url}/")
    assert len(_workshops(page)) == 2


def test_the_pages_fit_a_phone_in_either_language(server: OpenSignUpServer, open_browser: OpenBrowser) -> None:
    # English words are shorter.
    languages = ("en", "pl") if runs_all() else ("pl",)
    with violations() as case:
        for language in languages:
            browser = open_browser(language, expected={401})
            addresses = [f"{server.url}/{path}/#token=none" for path in ("verify", "reset")]
            for address in (*addresses, server.invite(f"fits.{language}@example.net")):
                with case(f"{language}: {address}"):
                    expect_to_fit(browser.open(address.replace("lang=en", f"lang={language}")), language)


def expect_to_fit(page: Page, language: str) -> None:
    if page.locator("#member").count():
        page.locator("#member").click()
        expect(page.locator("#sign-in")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.lang") == language
    texts = page.locator("[data-text]:visible").evaluate_all("(all) => all.map((each) => each.innerText.trim())")
    assert "" not in texts
    heights = page.get_by_role("button").evaluate_all("(all) => all.map((each) => each.getBoundingClientRect().height)")
    assert [height for height in heights if height < 44] == [], "large enough to tap"


def test_a_link_without_its_token_shows_an_error_and_no_button(
    server: OpenSignUpServer, open_browser: OpenBrowser
) -> None:
    page = open_browser().open(f"{server.url}/reset/")
    expect_message(page, "This link has already been used or has expired.")
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_text("Choose a new password, at least")).to_be_hidden()


def _workshops(page: Page) -> list[object]:
    body: dict[str, list[object]] = page.evaluate("fetch('/api/workshops').then(response => response.json())")
    return body["workshops"]
