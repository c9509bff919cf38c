"""A server as it starts without settings: no mail server, no payment provider, sign-up by invitation.

Nothing on its screens offers an email, says that one was sent, or mentions plans.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.people import PASSWORD
from tests.support.databases import new_file
from tests.support.server import free_port, running_server
from tests.web.app.craftspeople import PHONE, Craftsperson, craftsperson
from tests.web.open_sign_up import OpenSignUpServer

# In both languages: that an email was or will be sent by the server.
CLAIMS = re.compile(
    r"on its way|check your inbox|by email\.|email the link|send (invitation|me a link|the link)|"
    r"w drodze|wysłaliśmy|zajrzyj do poczty|e-mailem\.|wyślij (link|zaproszenie|mi)",
    re.IGNORECASE,
)
PLANS = re.compile(r"\bPro\b|\b[Pp]lan[uy]?\b|Bezpłatny|Made with Backbench")


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenSignUpServer]:
    folder = tmp_path_factory.mktemp("own")
    port = free_port()
    with running_server(new_file(folder), port=port, BACKBENCH_PUBLIC_URL=f"http://127.0.0.1:{port}") as running:
        yield OpenSignUpServer(running, folder)


@pytest.fixture(params=["en", "pl"])
def owner(browser: Browser, own_server: OpenSignUpServer, request: pytest.FixtureRequest) -> Iterator[Craftsperson]:
    email, api = own_server.signed_in_account(request.param)
    with craftsperson(browser, own_server.url, api, email, PHONE) as person:
        person.take_session()
        person.leave_first_run()
        yield person
    api.close()
    assert person.unexpected_lines == []


def says_nothing_of(page: Page, *patterns: re.Pattern[str]) -> None:
    text = page.locator("body").inner_text()
    assert [pattern.search(text) for pattern in patterns] == [None] * len(patterns), text


@pytest.mark.parametrize("locale", ["en-IE", "pl-PL"])
def test_the_way_in_offers_nothing_that_ends_with_an_email(
    browser: Browser, own_server: OpenSignUpServer, locale: str
) -> None:
    context = browser.new_context(locale=locale)
    context.set_default_timeout(60_000)
    page = context.new_page()
    for path, shown in (
        ("/sign-in", "Backbench"),
        ("/forgot-password", "backbench accounts reset-link"),
        ("/sign-up", "Backbench"),
    ):
        page.goto(f"{own_server.url}{path}")
        expect(page.get_by_text(shown).first).to_be_visible()
        says_nothing_of(page, CLAIMS)
        expect(page.locator("input[name=name]")).to_have_count(0)
        expect(page.locator("a[href='/sign-up']")).to_have_count(0)
    context.close()


def test_an_invitation_is_passed_on_and_joined(owner: Craftsperson, browser: Browser) -> None:
    is_polish = owner.api.get("/me").json()["locale"] == "pl"
    owner.open("/shop/team")
    owner.tap("Zaproś kogoś" if is_polish else "Invite somebody")
    owner.page.get_by_label("Adres e-mail" if is_polish else "Email address").fill(f"ned.{owner.email}")
    owner.tap("Utwórz zaproszenie" if is_polish else "Create invitation")
    expect(owner.page.get_by_role("img", name="Kod QR" if is_polish else "QR code")).to_be_visible()
    says_nothing_of(owner.page, CLAIMS)
    owner.page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    owner.tap("Kopiuj link" if is_polish else "Copy the link")
    first = owner.page.evaluate("window.copied")
    owner.tap("Zamknij" if is_polish else "Close")
    owner.page.get_by_role("button", name="Link").click()
    owner.tap("Kopiuj link" if is_polish else "Copy the link")
    second = owner.page.evaluate("window.copied")
    assert first != second
    context = browser.new_context(locale="pl-PL" if is_polish else "en-IE")
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(second)
    workshop = owner.api.get("/workshops").json()["workshops"][0]["name"]
    expect(
        page.get_by_text(f"zaprasza Cię do warsztatu {workshop}" if is_polish else f"invites you to {workshop}")
    ).to_be_visible()
    says_nothing_of(page, CLAIMS)
    page.locator("input[name=name]").fill("Ned")
    page.locator("#confirm input[name=password]").fill(PASSWORD)
    page.locator("#confirm button").click()
    expect(page.locator(".sign")).to_contain_text(workshop)
    # Its address is used: the page says so at once.
    page.goto("about:blank")
    page.goto(first)
    expect(page.locator("#outcome")).not_to_be_empty()
    expect(page.locator("#confirm")).to_be_hidden()
    context.close()


def test_no_screen_mentions_emails_sent_or_plans(owner: Craftsperson) -> None:
    estimate = owner.post("/workshops/{workshop}/estimates", {"name": "Chairs", "recipientName": "Orla"})
    path = f"/estimates/{estimate['id']}"
    owner.api.post(f"{path}/line-items", json={"label": "Oak", "unit": "piece", "unitPrice": 10, "quantity": 2})
    for number in range(4):
        owner.api.post(f"{path}/confirm").raise_for_status()
        owner.api.patch(path, json={"name": f"Chairs {number}"}).raise_for_status()
    owner.api.post(f"{path}/confirm").raise_for_status()
    owner.api.post(f"{path}/links", json={"locale": "en"}).raise_for_status()
    for screen in ("/shop", "/shop/team", "/shop/files", "/shop/account", "/shop/plan", f"{path}/send"):
        owner.open(screen)
        expect(owner.page.locator("main h1, header h1").first).to_be_visible()
        owner.page.wait_for_load_state("networkidle")
        if screen.endswith("/send"):
            # The address can be copied, and not be mailed.
            expect(
                owner.page.get_by_role("button", name=re.compile("Copy the address|Kopiuj adres")).first
            ).to_be_visible()
        says_nothing_of(owner.page, CLAIMS, PLANS)
    assert owner.page.url.endswith("/send")


def test_a_pdf_begins_without_the_mark_and_may_have_it(owner: Craftsperson) -> None:
    estimate = owner.post("/workshops/{workshop}/estimates", {"name": "Chairs"})
    owner.api.post(
        f"/estimates/{estimate['id']}/line-items",
        json={"label": "Oak", "unit": "piece", "unitPrice": 10, "quantity": 2},
    )
    owner.open(f"/estimates/{estimate['id']}/send")
    with owner.page.expect_request(lambda request: "/preview" in request.url) as asked:
        owner.page.reload()
    assert "showBrandMark=false" in asked.value.url
