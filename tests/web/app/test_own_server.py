"""A server as it starts without settings: no mail server, no payment provider, sign-up by invitation.

Nothing on its screens offers an email, says that one was sent, or mentions plans.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import cast

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.people import PASSWORD
from tests.support.databases import new_file
from tests.support.run.engines import runs_all
from tests.support.server import free_port, running_server
from tests.web import dom
from tests.web.app.craftspeople import PHONE, Craftsperson, craftsperson, expect
from tests.web.app.screens import COUNT_REQUESTS, SHOW
from tests.web.browsers import WITHOUT_WORKER
from tests.web.contexts import Contexts
from tests.web.open_sign_up import OpenSignUpServer

# In both languages: that an email was or will be sent by the server.
CLAIMS = re.compile(
    r"on its way|check your inbox|by email\.|email the link|send (invitation|me a link|the link)|"
    r"w drodze|wysłaliśmy|zajrzyj do poczty|e-mailem\.|wyślij (link|zaproszenie|mi)",
    re.IGNORECASE,
)
# The screen of the address is there, and nothing was asked for a tenth of a second.
_COMPLETE = """async () => {
  const late = "main[data-left], [aria-busy=true], .late";
  for (let times = 0; times < 5; times += 1) {
    await new Promise((done) => setTimeout(done, 20));
    if (window.requests > 0 || !document.querySelector("main h1, header h1") || document.querySelector(late)) times = 0;
  }
}"""
# Without what is folded: what an estimate may show names the mark.
_READ = r"""() => {
  const body = document.body.cloneNode(true);
  const folded = "details:not([open]) > :not(summary), dialog:not([open]), script, style, noscript, [hidden]";
  for (const each of body.querySelectorAll(folded)) each.remove();
  const read = (node) => node.nodeType === 3 ? node.data : [...node.childNodes].map(read).join(" ");
  return read(body).replace(/\s+/g, " ");
}"""
PLANS = re.compile(r"\bPro\b|\b[Pp]lan[uy]?\b|Bezpłatny|Made with Backbench")

OpenPage = Callable[[Contexts | dom.Deno, str], Page]


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenSignUpServer]:
    folder = tmp_path_factory.mktemp("own")
    port = free_port()
    with running_server(new_file(folder), port=port, BACKBENCH_PUBLIC_URL=f"http://127.0.0.1:{port}") as running:
        yield OpenSignUpServer(running, folder)


@pytest.fixture(params=["deno", "contexts"] if runs_all() else ["deno"], ids={"contexts": "chromium"}.get)
def pages(request: pytest.FixtureRequest) -> Contexts | dom.Deno:
    """The app without layout; in a browser, too, where a run is of everything."""
    found: Contexts | dom.Deno = request.getfixturevalue(request.param)
    return found


# The same texts in both languages: by default in English.
@pytest.fixture(params=["en", pytest.param("pl", marks=pytest.mark.all_only)])
def owner(
    pages: Contexts | dom.Deno, own_server: OpenSignUpServer, request: pytest.FixtureRequest
) -> Iterator[Craftsperson]:
    email, api = own_server.signed_in_account(request.param)
    with craftsperson(pages, own_server.url, api, email, PHONE) as person:
        person.take_session()
        person.leave_first_run()
        yield person
    api.close()
    assert person.unexpected_lines == []


def says_nothing_of(page: Page, *patterns: re.Pattern[str]) -> None:
    text = page.evaluate(_READ)
    assert [pattern.search(text) for pattern in patterns] == [None] * len(patterns), text


@pytest.fixture
def open_page(own_server: OpenSignUpServer) -> Iterator[OpenPage]:
    """A page of a browser that is signed in nowhere, with its language."""
    with ExitStack() as at_end:

        def open_page(pages: Contexts | dom.Deno, locale: str) -> Page:
            context = pages.open(own_server.url, viewport=PHONE, locale=locale, reduced_motion="reduce")
            if isinstance(pages, Contexts):
                assert isinstance(context, BrowserContext)
                at_end.callback(pages.close, context, own_server.url)
                context.add_init_script(WITHOUT_WORKER)
                context.set_default_timeout(60_000)
            else:
                at_end.callback(context.close)
            # Without a browser it has the part of the interface that is used here.
            return cast(Page, context.pages[0])

        yield open_page


@pytest.mark.parametrize("locale", ["en-IE", pytest.param("pl-PL", marks=pytest.mark.all_only)])
def test_the_way_in_offers_nothing_that_ends_with_an_email(
    open_page: OpenPage, pages: Contexts | dom.Deno, own_server: OpenSignUpServer, locale: str
) -> None:
    page = open_page(pages, locale)
    page.goto(f"{own_server.url}/sign-in")
    for path, shown in (
        ("/sign-in", "Backbench"),
        ("/forgot-password", "backbench accounts reset-link"),
        ("/sign-up", "Backbench"),
    ):
        if path != "/sign-in":
            page.evaluate(SHOW, path)
        expect(page.locator("main:not([data-left])").get_by_text(shown).first).to_be_visible()
        assert page.url == own_server.url + path
        says_nothing_of(page, CLAIMS)
        expect(page.locator("input[name=name]")).to_have_count(0)
        expect(page.locator("a[href='/sign-up']")).to_have_count(0)


def test_an_invitation_is_passed_on_and_joined(owner: Craftsperson, open_page: OpenPage, contexts: Contexts) -> None:
    """The page of the invitation is not of the app: it is shown in a browser."""
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
    page = open_page(contexts, "pl-PL" if is_polish else "en-IE")
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


def test_no_screen_mentions_emails_sent_or_plans_and_a_pdf_begins_without_the_mark(owner: Craftsperson) -> None:
    estimate = owner.post("/workshops/{workshop}/estimates", {"name": "Chairs", "recipientName": "Orla"})
    draft = owner.post("/workshops/{workshop}/estimates", {"name": "Tables"})
    path = f"/estimates/{estimate['id']}"
    for each in (estimate, draft):
        line = {"label": "Oak", "unit": "piece", "unitPrice": 10, "quantity": 2}
        owner.post(f"/estimates/{each['id']}/line-items", line)
    for number in range(4):
        owner.api.post(f"{path}/confirm").raise_for_status()
        owner.api.patch(path, json={"name": f"Chairs {number}"}).raise_for_status()
    owner.api.post(f"{path}/confirm").raise_for_status()
    owner.api.post(f"{path}/links", json={"locale": "en"}).raise_for_status()
    page = owner.page
    page.add_init_script(COUNT_REQUESTS)
    owner.open("/shop")
    for screen in ("/shop", "/shop/team", "/shop/files", "/shop/account", "/shop/plan", f"{path}/send"):
        if screen != "/shop":
            page.evaluate(SHOW, screen)
        page.evaluate(_COMPLETE)
        if screen.endswith("/send"):
            # The address can be copied, and not be mailed.
            expect(page.get_by_role("button", name=re.compile("Copy the address|Kopiuj adres")).first).to_be_visible()
        # Where no plans are sold, there is no screen of them.
        assert page.url == owner.url + ("/shop/files" if screen == "/shop/plan" else screen)
        says_nothing_of(page, CLAIMS, PLANS)
    with page.expect_response(lambda response: "/preview" in response.url) as answered:
        page.evaluate(SHOW, f"/estimates/{draft['id']}/send")
    assert "showBrandMark=false" in answered.value.url
