"""The way in: sign-up, password reset, the first craft, the first estimate, and what asks only once."""

from playwright.sync_api import Page

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import Craftsperson, expect
from tests.web.open_sign_up import OpenSignUpServer


def choose_craft(person: Craftsperson) -> None:
    person.tap("Upholstery", role="link")
    person.tap("Chairs and armchairs")


def sums(person: Craftsperson) -> list[list[str]]:
    """The price of each line of each estimate."""
    estimates = person.get("/workshops/{workshop}/estimates")["estimates"]
    return [[f"{line['unitPrice']:.2f}" for line in estimate["lineItems"]] for estimate in estimates]


def test_a_new_account_has_its_first_line_after_three_taps_and_a_price(open_app: OpenApp) -> None:
    person = open_app(first_run=True)
    person.open("/")
    person.sees("What do you do?")
    choose_craft(person)
    person.page.locator(".tile").first.click()
    assert person.taps == 3
    for digit in "90":
        person.tap(digit, exact=True)
    expect(person.page.locator(".total-sum")).to_contain_text("€90.00")
    person.until_sent(lambda: sums(person) == [["90.00"]])
    grids = person.get("/workshops/{workshop}/grids")["grids"]
    assert [(grid["name"], len(grid["buttons"])) for grid in grids] == [("Chairs and armchairs", 10)]


def test_the_first_run_works_in_polish(open_app: OpenApp) -> None:
    person = open_app("pl", first_run=True)
    person.open("/estimates/new")
    person.sees("Czym się zajmujesz?")
    person.tap("Tapicerstwo", role="link")
    person.tap("Wszystkie")
    person.until(lambda: len(person.get("/workshops/{workshop}/grids")["grids"]) == 4)
    expect(person.page.get_by_role("tab", name="Krzesła i fotele")).to_have_attribute("aria-selected", "true")


def test_the_name_on_the_sign_is_asked_while_it_is_the_owners(open_app: OpenApp) -> None:
    person = open_app(first_run=True)
    person.open("/")
    # A page that is reloaded before the response sends the name again.
    with person.page.expect_response(lambda response: "Harrow & Thread" in (response.request.post_data or "")):
        person.type("What’s your workshop called?", "Harrow & Thread")
    assert person.get("/workshops/{workshop}")["name"] == "Harrow & Thread"
    expect(person.page.get_by_role("banner")).to_contain_text("Harrow & Thread")
    person.page.reload()
    person.sees("What do you do?")
    person.does_not_see("What’s your workshop called?")


def test_the_craft_is_not_asked_again_after_looking_around(open_app: OpenApp) -> None:
    person = open_app(first_run=True)
    person.open("/")
    person.tap("Later, look around first")
    person.tap("New order")
    person.open("/")
    expect(person.button("New order")).to_be_visible()


def test_somebody_who_has_left_every_workshop_makes_another(open_app: OpenApp) -> None:
    person = open_app()
    person.api.request("DELETE", f"/workshops/{person.workshop}").raise_for_status()
    person.open("/")
    person.sees("You have no workshop")
    person.type("Name of the workshop", "Second Bench")
    person.tap("Create workshop")
    expect(person.page.get_by_role("banner")).to_contain_text("Second Bench")
    person.sees("What do you do?")


def test_an_account_is_made_with_the_link_in_the_mailbox(page_of_nobody: Page, server: OpenSignUpServer) -> None:
    page = page_of_nobody
    page.goto(f"{server.url}/sign-up")
    page.get_by_label("Your name").fill("Ellen")
    page.get_by_label("Your name").fill("")
    page.get_by_label("Email").fill("ellen@")
    page.get_by_role("button", name="Create the account").click()
    # All that is wrong is said at once, and the first field has the focus. This host has no terms to accept.
    expect(page.locator(".field-problem")).to_have_count(2)
    expect(page.get_by_text("This is not an email address.")).to_be_visible()
    expect(page.get_by_label("Your name")).to_be_focused()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.get_by_label("Your name").fill("Ellen")
    page.get_by_text("Polski").click()
    page.get_by_label("E-mail").fill("ellen@example.org")
    page.get_by_role("button", name="Załóż konto").click()
    expect(page.get_by_role("heading", name="Zajrzyj do poczty")).to_be_focused()
    assert "/verify" in server.link_to("ellen@example.org")


def test_a_password_reset_does_not_show_who_has_an_account(page_of_nobody: Page, server: OpenSignUpServer) -> None:
    email = server.active_account()
    page = page_of_nobody
    page.goto(f"{server.url}/sign-in")
    page.get_by_role("link", name="Forgot your password?").click()
    for address in (email, "nobody@example.org"):
        page.get_by_label("Email").fill(address)
        page.get_by_role("button", name="Send the link").click()
        expect(page.get_by_text(f"If there is an account for {address}")).to_be_visible()
        page.get_by_role("button", name="Another address").click()
    assert "/reset" in server.link_to(email)


def test_closed_sign_up_is_explained(page_of_nobody: Page, server: OpenSignUpServer) -> None:
    page = page_of_nobody
    of_service = {"x-request-id": "1"}
    page.route(
        f"{server.url}/api/accounts",
        lambda route: route.fulfill(status=403, headers=of_service, json={"code": "forbidden"}),
    )
    page.goto(f"{server.url}/sign-up?email=ben%40example.org")
    expect(page.get_by_role("heading", name="You are invited")).to_be_visible()
    page.get_by_label("Your name").fill("Ben")
    page.get_by_role("button", name="Create the account").click()
    expect(page.get_by_role("heading", name="By invitation")).to_be_visible()


def test_installing_is_offered_once_after_something_was_sent(open_phone: OpenApp) -> None:
    person = open_phone()
    offer = "const event = new Event('beforeinstallprompt'); event.prompt = async () => ({ outcome: 'accepted' });"
    person.context.add_init_script(f"addEventListener('load', () => {{ {offer} dispatchEvent(event) }})")
    person.open("/")
    expect(person.button("New order")).to_be_visible()
    person.does_not_see("Put Backbench on the home screen")
    estimate = person.post("/workshops/{workshop}/estimates", {"name": "Chairs"})
    handoff = {"kind": "message-copied", "locale": "en", "preliminary": False, "tone": "friendly", "aiDrafted": False}
    person.post(f"/estimates/{estimate['id']}/handoffs", handoff)
    person.page.reload()
    person.sees("Put Backbench on the home screen")
    person.tap("Not now")
    person.page.reload()
    expect(person.button("New order")).to_be_visible()
    person.does_not_see("Put Backbench on the home screen")
