"""The pages behind the links in mails, in a real browser: opening one changes nothing, pressing its button does."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.people import PASSWORD
from tests.web.browsers import Telephone
from tests.web.village import Village

ANOTHER = "a hammer and a nail"
Made = Callable[..., Telephone]


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def says(page: Page, words: str) -> None:
    expect(page.get_by_role("status")).to_contain_text(words)


def test_opening_the_link_confirms_nothing_and_pressing_the_button_does(village: Village, telephone: Made) -> None:
    email = village.newcomer()
    link = village.link_to(email)
    scanner, anna = telephone(), telephone()
    for _ in range(2):
        scanner.opens(link)
    assert scanner.changes_asked_for() == []
    assert not village.may_sign_in(email)
    page = anna.opens(link)
    assert anna.changes_asked_for() == []
    press(page, "Confirm the address")
    says(page, "Confirmed. Welcome!")
    expect(page.get_by_text("One press, and your address is confirmed.")).to_be_hidden()
    assert anna.changes_asked_for() == ["/accounts/verify"]
    assert village.may_sign_in(email)
    assert page.evaluate("fetch('/api/me').then(answer => answer.json())")["email"] == email


def test_a_link_works_once(village: Village, telephone: Made) -> None:
    link = village.link_to(village.newcomer())
    for words in ("Confirmed. Welcome!", "This link has been used, or has expired."):
        page = telephone().opens(link)
        press(page, "Confirm the address")
        says(page, words)


def test_the_token_goes_nowhere_but_into_the_body_of_the_press(village: Village, telephone: Made) -> None:
    link = village.link_to(village.newcomer())
    token = link.partition("#token=")[2]
    anna = telephone()
    page = anna.opens(link)
    press(page, "Confirm the address")
    says(page, "Confirmed.")
    sent = [(f"{request.url.partition('#')[0]} {request.headers}", request.post_data) for request in anna.asked]
    assert [place for place, _ in sent if token in place] == []
    assert [body for _, body in sent if body and token in body] == [f'{{"token":"{token}"}}']
    assert token not in page.url
    assert page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]


def test_opening_the_link_resets_nothing_and_saving_another_password_does(village: Village, telephone: Made) -> None:
    email = village.member()
    village.posts("/password-resets", {"email": email})
    link = village.link_to(email, but=1)
    telephone().opens(link)
    assert village.may_sign_in(email)
    page = telephone().opens(link)
    page.get_by_label("New password").fill("iloveyou")
    press(page, "Save the password")
    # The link is still good: nothing but the password was wrong.
    says(page, "Choose a password of at least eight characters that is not easy to guess.")
    page.get_by_label("New password").fill(ANOTHER)
    press(page, "Save the password")
    says(page, "Saved.")
    assert (village.may_sign_in(email), village.may_sign_in(email, ANOTHER)) == (False, True)
    # Whoever can read a mailbox is not signed in by that.
    assert page.evaluate("fetch('/api/me').then(answer => answer.status)") == 401


def test_an_invitation_is_accepted_by_signing_in_on_its_page(village: Village, telephone: Made) -> None:
    email = village.member()
    link = village.invited(email)
    marek = telephone()
    page = marek.opens(link)
    assert marek.changes_asked_for() == []
    press(page, "Join the workshop")
    says(page, "First sign in with the address that was invited")
    form = page.locator("#sign-in")
    form.get_by_label("E-mail").fill(email)
    form.get_by_label("Password").fill("not this one")
    press(page, "Sign in")
    says(page, "E-mail or password is not right.")
    form.get_by_label("Password").fill(PASSWORD)
    press(page, "Sign in")
    says(page, "You belong to the workshop now.")
    assert len(_workshops_of(page)) == 2


def test_whoever_is_invited_and_has_no_account_makes_one_on_the_page(village: Village, telephone: Made) -> None:
    email = "zofia@example.net"
    link = village.invited(email)
    page = telephone("pl").opens(link.replace("lang=en", "lang=pl"))
    press(page, "Dołączam do pracowni")
    form = page.locator("#sign-up")
    form.get_by_label("Imię i nazwisko").fill("Zofia Łęcka")
    form.get_by_label("E-mail").fill(email)
    form.get_by_label("Nowe hasło").fill(PASSWORD)
    form.get_by_label("Akceptuję regulamin").check()
    press(page, "Załóż konto")
    says(page, "Potwierdź adres w wiadomości")
    expect(page.get_by_role("status")).to_be_in_viewport()
    page.goto(village.link_to(email, but=1))
    press(page, "Potwierdzam adres")
    says(page, "Gotowe. Witamy!")
    page.goto(link)
    press(page, "Join the workshop")
    says(page, "You belong to the workshop now.")
    assert len(_workshops_of(page)) == 2


def test_an_invitation_is_for_the_invited_address_alone(village: Village, telephone: Made) -> None:
    email, link = village.newcomer(), village.invited("somebody-else@example.net")
    page = telephone().opens(village.link_to(email))
    press(page, "Confirm the address")
    says(page, "Confirmed.")
    page.goto(link)
    press(page, "Join the workshop")
    says(page, "This invitation is for another e-mail address")
    assert len(_workshops_of(page)) == 1


@pytest.mark.parametrize("language", ["en", "pl"])
def test_the_pages_fit_a_telephone_in_either_language(village: Village, telephone: Made, language: str) -> None:
    phone = telephone(language)
    for path in ("verify", "reset", "join"):
        page = phone.opens(f"{village.url}/{path}/#token=none")
        if path == "join":
            page.locator("#step button").click()
            expect(page.locator("#stranger")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.evaluate("document.documentElement.lang") == language
        assert "" not in [element.inner_text().strip() for element in page.locator("[data-words]:visible").all()]
        for button in page.get_by_role("button").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44, "a thumb finds it"


def test_a_link_without_its_token_says_so_and_offers_nothing_to_press(village: Village, telephone: Made) -> None:
    page = telephone().opens(f"{village.url}/reset/")
    says(page, "This link has been used, or has expired.")
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_text("Choose a new password, at least")).to_be_hidden()


def _workshops_of(page: Page) -> list[object]:
    shown: dict[str, list[object]] = page.evaluate("fetch('/api/workshops').then(answer => answer.json())")
    return shown["workshops"]
