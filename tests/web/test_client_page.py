"""The client page in a browser with a phone's screen: reading, accepting, declining, asking."""

import math
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.integrations.pdf.pdf_text import text_of
from tests.support.violations import violations
from tests.web.axe import CONTRAST, breaches
from tests.web.browsers import PhoneBrowser, place_of
from tests.web.open_sign_up import OpenSignUpServer
from tests.web.shared_estimates import SETTINGS, Owner, Shared

OpenBrowser = Callable[..., PhoneBrowser]
# Targets that are smaller than 48 pixels; a checkbox is as large as its label.
SMALL_TARGETS = """[...document.querySelectorAll("button, a, input, textarea, summary")]
  .filter((each) => each.offsetParent)
  .map((each) => each.type === "checkbox" ? each.closest("label") : each)
  .filter((each) => { const box = each.getBoundingClientRect(); return box.width < 48 || box.height < 48; })
  .map((each) => each.outerHTML)"""

# Figures that are not inside the padding of the ticket.
OUTSIDE = """async () => {
    await document.fonts.ready;
    const box = (each) => each.getBoundingClientRect();
    const ticket = document.querySelector(".ticket > article");
    const [inner, { left, right }] = [parseFloat(getComputedStyle(ticket).paddingLeft), box(ticket)];
    return [...document.querySelectorAll(".lines td, .sums td")].filter((each) => each.offsetParent)
      .filter((each) => box(each).left < left + inner - 1 || box(each).right > right - inner + 1)
      .map((each) => each.textContent);
}"""


@pytest.fixture(scope="module")
def owner(server: OpenSignUpServer) -> Iterator[Owner]:
    opened = Owner(server)
    yield opened
    opened.close()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def open_acceptance(page: Page, name: str = "Margaret Holloway") -> None:
    press(page, "Your answer")
    press(page, "Accept the estimate")
    page.locator("#name").fill(name)
    page.get_by_label("I agree").check()


def accept(page: Page) -> None:
    page.get_by_role("button", name="Order with obligation to pay").click()


def expect_answer(page: Page, title: str) -> None:
    """The outcome is read aloud: its heading has the focus."""
    expect(page.locator("#answer-title")).to_have_text(title)
    expect(page.locator("#answer-title")).to_be_focused()


def draw(page: Page, canvas: Any) -> None:
    """Two strokes with a finger."""
    box = place_of(canvas)
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for left in (40, 140):
        for step in range(9):
            point = {"x": box["x"] + left + 6 * step, "y": box["y"] + 90 - 50 * math.sin(step / 2)}
            kind = "touchMove" if step else "touchStart"
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
            page.evaluate("new Promise(requestAnimationFrame)")
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_client_accepts_by_typing_a_name_over_a_bad_connection(owner: Owner, open_browser: OpenBrowser) -> None:
    """Nothing is sent without a name and consent, what was typed survives, and a lost answer loses no acceptance."""
    # Not the end of the validity, which the document has.
    shared = owner.share(expiresAt="2999-01-02T17:30:00Z")
    margaret = open_browser()
    page = margaret.open(shared.url)
    page.route("**/accept", lambda route: route.abort())
    expect(page.locator(".bar")).to_contain_text("Total incl. VAT")
    press(page, "Your answer")
    expect(page.locator("#answer")).to_contain_text("until 2 January 2999, ")
    press(page, "Accept the estimate")
    accept(page)
    expect(page.locator("#name")).to_be_focused()
    expect(page.get_by_text("Please enter your name.")).to_be_visible()
    expect(page.get_by_text("Please tick the box if you agree.")).to_be_visible()
    assert set(margaret.changing_requests()) <= {"/client/estimate/opened"}
    # What is ordered is named above the button.
    expect(page.locator(".amounts")).to_contain_text("Total incl. VAT")
    expect(page.locator(".amounts")).to_contain_text("Valid until2 January 2999, ")
    page.locator("#name").fill("Margaret Holloway")
    page.get_by_label("I agree").check()
    accept(page)
    expect(page.get_by_text("No connection. Nothing has been sent")).to_be_focused()
    expect(page.locator("#name")).to_have_value("Margaret Holloway")
    (sent,) = [each.post_data_json for each in margaret.requests if each.url.endswith("/accept")]
    assert sent["consentId"].startswith("accept-")
    assert shared.decisions() == []
    page.unroute("**/accept")
    lost: list[Route] = []

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()
        lost.append(route)

    page.route("**/accept", lose, times=1)
    accept(page)
    expect_answer(page, "Thank you! The estimate has been accepted.")
    assert len(lost) == 1
    (decision,) = shared.decisions()
    assert (decision["outcome"], decision["name"], decision["signature"]) == ("accepted", "Margaret Holloway", "typed")
    assert decision["documentHash"] == shared.link["documentHash"]
    page.reload()
    expect(page.locator(".stamp")).to_contain_text("Accepted")
    expect(page.get_by_text(decision["documentHash"])).to_be_hidden()
    page.get_by_text("Evidence", exact=True).click()
    expect(page.get_by_text(decision["documentHash"])).to_be_visible()


@pytest.mark.parametrize(
    ("choice", "title", "outcome"),
    [
        ("Accept the estimate", "Thank you! The estimate has been accepted.", "accepted"),
        ("Decline", "The estimate has been declined.", "declined"),
    ],
)
def test_further_presses_at_one_place_send_no_answer(
    owner: Owner, open_browser: OpenBrowser, choice: str, title: str, outcome: str
) -> None:
    """The form, filled in by a program at once, takes its first press where the choice was, and before it was read."""
    shared = owner.share()
    margaret = open_browser()
    margaret.page.clock.install()
    with margaret.page.expect_response("**/press-guard.js"):
        page = margaret.open(shared.url)
    press(page, "Your answer")
    button = page.get_by_role("button", name=choice, exact=True)
    box = place_of(button)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)
    at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(*at)
    for pause in (60, 90, 150, 150):
        page.clock.run_for(pause)
        page.mouse.click(*at)
    for label in ("name", "reason"):
        if page.locator(f"#{label}").count():
            page.locator(f"#{label}").fill("Above our budget.")
    if page.locator("#agree").count():
        page.locator("#agree").evaluate("(box) => box.click()")
    send = page.locator("form .choice button").first
    found = send.bounding_box()
    assert found is not None
    page.mouse.move(found["x"] + 5, found["y"] + 5)
    page.mouse.click(found["x"] + 5, found["y"] + 5)
    assert not [each for each in margaret.changing_requests() if each.endswith(("/accept", "/decline"))]
    page.clock.resume()
    send.click()
    expect_answer(page, title)
    margaret.page.wait_for_function("() => !document.querySelector('form .choice')?.closest('.stub')")
    (decision,) = shared.decisions()
    assert (decision["outcome"], decision["name"] or decision["reason"]) == (outcome, "Above our budget.")


def test_a_client_signs_with_a_finger_and_rotates_the_phone(owner: Owner, open_browser: OpenBrowser) -> None:
    shared = owner.share()
    margaret = open_browser()
    page = margaret.open(shared.url)
    open_acceptance(page)
    assert not [each for each in margaret.requests if "signature_pad" in each.url]
    press(page, "Draw my signature as well")
    canvas = page.get_by_role("img", name="Signature")
    expect(canvas).to_be_focused()
    accept(page)
    expect(page.get_by_text("Please sign in the field")).to_be_visible()
    expect(page.locator("#drawing[width]")).to_be_visible()
    draw(page, page.locator("#drawing"))
    for _ in range(3):
        for size in ({"width": 667, "height": 375}, {"width": 375, "height": 667}):
            before = page.locator("#drawing").get_attribute("width")
            page.set_viewport_size(size)  # type: ignore[arg-type]
            expect(page.locator("#drawing")).not_to_have_attribute("width", before or "")
    accept(page)
    expect_answer(page, "Thank you! The estimate has been accepted.")
    (sent,) = [each.post_data_json for each in margaret.requests if each.url.endswith("/accept")]
    strokes = sent["signature"]["strokes"]
    assert [len(stroke) > 3 for stroke in strokes] == [True, True]
    across = [x for stroke in strokes for x, _ in stroke]
    assert max(across) - min(across) > 140
    (decision,) = shared.decisions()
    assert decision["signature"] == "drawn"
    certificate = text_of(owner.content(f"/decisions/{decision['id']}/certificate"))
    assert decision["documentHash"] in certificate
    assert "Signed on the screen, with the typed name" in certificate


def test_dates_accounts_and_figures_do_not_break_inside(owner: Owner, open_browser: OpenBrowser) -> None:
    settings = SETTINGS | {"iban": "GB33 BUKB 2020 1555 5555 55"}
    owner.send("PUT", f"/workshops/{owner.workshop}/document-settings", settings)
    browser = open_browser()
    lines = "(all) => all.map((each) => each.getClientRects().length)"
    with violations() as case:
        for locale in ("en", "pl"):
            page = browser.open(owner.share(locale=locale).url)
            expect(page.get_by_role("heading", name="Oak kitchen")).to_be_visible()
            for width in (320, 390, 1280):
                with case(f"{locale}, {width}"):
                    page.set_viewport_size({"width": width, "height": 700})
                    for selector, least in ((".facts time", 2), (".group", 6), (".total td", 1)):
                        found = page.locator(selector).evaluate_all(lines)
                        assert len(found) >= least
                        assert set(found) == {1}, selector
                    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_long_figures_stay_on_the_ticket(owner: Owner, open_browser: OpenBrowser) -> None:
    """In three columns, with the currency's code and three decimals."""
    lines = [
        {"label": "Bench, upholstered", "unit": "piece", "unitPrice": 123456789.125, "quantity": 6},
        {"label": "Measuring at home", "unit": "hour", "unitPrice": 0, "quantity": 2},
    ]
    page = open_browser().open(share_with_two_taxes(owner, "KWD", lines).url)
    with violations() as case:
        for width in (320, 390, 740, 768, 1280):
            with case(f"{width}"):
                page.set_viewport_size({"width": width, "height": 700})
                expect(page.locator("td.gross").first).to_contain_text("851,851,844.963")
                assert page.evaluate(OUTSIDE) == []


def test_a_document_breaks_as_on_paper_and_says_what_is_net_and_free(owner: Owner, open_browser: OpenBrowser) -> None:
    lines = [
        {"label": "Wycięcie i montaż", "unit": "job", "unitPrice": 0, "quantity": 1},
        {"label": "Pomiar", "unit": "hour", "unitPrice": 30, "quantity": 2},
    ]
    shared = share_with_two_taxes(owner, "PLN", lines, locale="pl", number="WYC/2026/11/KRAKÓW/000123-B")
    page = open_browser().open(shared.url)
    expect(page.locator("#title")).to_have_text(re.compile("Wnęka w\u00a0salonie"))
    expect(page.locator("tbody th").first).to_have_text(re.compile("Wycięcie i\u00a0montaż"))
    pieces = page.locator(".kind .group")
    expect(pieces).to_have_text(["Wycena WYC/", "2026/", "11/", "KRAKÓW/", "000123-B"])
    assert set(pieces.evaluate_all("(all) => all.map((each) => each.getClientRects().length)")) == {1}
    # What is free has no tax in it.
    expect(page.locator("td.amount").first).to_have_text("gratis")
    expect(page.locator("td.gross").first).not_to_be_visible()
    # A phone has no head of the table: the figure says it.
    expect(page.locator(".lines td.price:visible").first).to_contain_text("netto")


def share_with_two_taxes(
    owner: Owner, currency: str, lines: list[dict[str, Any]], locale: str = "en", **facts: Any
) -> Shared:
    settings = SETTINGS | {"currency": currency, "taxPercent": 15}
    owner.send("PUT", f"/workshops/{owner.workshop}/document-settings", settings)
    priced = [*lines, {"label": "Cushion", "unit": "piece", "unitPrice": 12, "quantity": 40}]
    body = {"name": "Wnęka w salonie", "lineItems": priced}
    estimate = owner.send("POST", f"/workshops/{owner.workshop}/estimates", body)
    taxes = {estimate["lineItems"][-1]["id"]: 5}
    owner.send("PUT", f"/estimates/{estimate['id']}/document", {"lineTaxes": taxes, **facts})
    owner.send("POST", f"/estimates/{estimate['id']}/confirm")
    return owner.link(estimate["id"], locale=locale)


def test_only_the_words_of_the_language_are_loaded(owner: Owner, open_browser: OpenBrowser) -> None:
    opened = open_browser("pl")
    page = opened.open(owner.share(locale="pl").url)

    def loaded() -> list[str]:
        return [each.url.rpartition("/")[2] for each in opened.requests if "/texts_" in each.url]

    expect(page.get_by_role("button", name="Odpowiedz")).to_be_visible()
    assert loaded() == ["texts_pl.js"]
    press(page, "English")
    expect(page.locator("#language")).to_have_text("Polski")
    assert loaded() == ["texts_pl.js", "texts_en.js"]


def share_quotation(owner: Owner) -> str:
    """The address of an estimate with a title of its own."""
    lines = [{"label": "Oak", "unit": "piece", "unitPrice": 1, "quantity": 1}]
    return share_with_two_taxes(owner, "EUR", lines, documentTitle="quotation").url


def test_a_page_whose_words_were_lost_can_be_loaded_again(owner: Owner, open_browser: OpenBrowser) -> None:
    opened, address = open_browser(), owner.share().url

    def lose_words(url: str) -> Page:
        opened.page.route("**/e/texts_en.js", lambda route: route.abort())
        return opened.open(url)

    # By its button, and when there is a connection again.
    for again in ("button", "connection"):
        page = lose_words(address)
        retry = page.get_by_role("button", name="Try again · Spróbuj ponownie")
        expect(retry).to_be_visible()
        page.unroute("**/e/texts_en.js")
        if again == "button":
            retry.click()
        else:
            page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.get_by_role("button", name="Your answer")).to_be_visible()
    # An incomplete address leaves no empty page either.
    page = lose_words(address.partition("#")[0])
    expect(page.get_by_text("This page could not be loaded.")).to_be_visible()


def test_a_notice_is_not_covered_by_the_message_before_it(owner: Owner, open_browser: OpenBrowser) -> None:
    opened = open_browser()
    opened.page.clock.install()
    opened.page.route("**/e/titles.js", lambda route: route.abort())
    page = opened.open(share_quotation(owner))
    notice = page.get_by_role("heading", name="No connection")
    expect(notice).to_be_visible()
    page.clock.run_for(1_000)
    expect(notice).to_be_visible()


def test_a_failure_before_the_words_have_come_is_explained_once_they_have(
    owner: Owner, open_browser: OpenBrowser
) -> None:
    opened = open_browser()
    words: list[Route] = []
    opened.page.route("**/e/texts_en.js", lambda route: words.append(route))
    opened.page.route("**/e/titles.js", lambda route: route.abort())
    with opened.page.expect_event("requestfailed"):
        opened.page.goto(share_quotation(owner), wait_until="commit")
    # What the page does because of it.
    opened.page.evaluate("() => new Promise((done) => setTimeout(done, 50))")
    words[0].continue_()
    expect(opened.page.get_by_role("heading", name="No connection")).to_be_visible()


def test_a_response_that_is_not_ours_is_not_shown_as_an_estimate(owner: Owner, open_browser: OpenBrowser) -> None:
    opened, address = open_browser(), owner.share().url
    for body in ("<html>Sign in to the network</html>", '{"name": '):
        opened.page.route("**/api/client/estimate", partial(answer_with, body))
        page = opened.open(address)
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
        opened.page.unroute("**/api/client/estimate")
        press(page, "Try again")
        expect(page.get_by_role("button", name="Your answer")).to_be_visible()


def answer_with(body: str, route: Route) -> None:
    route.fulfill(status=200, body=body)


def test_a_decision_by_telephone_claims_no_signature_and_an_open_page_says_that_it_was_voided(
    owner: Owner, open_browser: OpenBrowser
) -> None:
    browser = open_browser()
    browser.page.clock.install()
    for locale, recorded, says, again in (
        ("en", "Accepted by phone, recorded by the", "The workshop withdrew the decision of ", "You can answer again."),
        ("pl", "Przyjęta telefonicznie", "Wykonawca cofnął decyzję z ", "Możesz odpowiedzieć jeszcze raz."),
    ):
        shared = owner.share(locale=locale)
        body = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Margaret"}
        decision = owner.send("POST", f"/estimates/{shared.estimate_id}/decisions", body)
        page = browser.open(shared.url)
        expect(page.locator(".stamp")).to_be_visible()
        expect(page.get_by_text(recorded)).to_be_visible()
        expect(page.get_by_text("Evidence")).to_have_count(0)
        owner.send("POST", f"/decisions/{decision['id']}/void", {"reason": "A mistake"})
        page.clock.fast_forward(20_000)
        expect(page.locator("#news button")).to_contain_text(says)
        expect(page.locator("#answer p.strong")).to_contain_text(says)
        expect(page.locator("#answer p.strong")).to_contain_text(again)


def test_a_question_is_answered_on_the_page(owner: Owner, open_browser: OpenBrowser) -> None:
    shared = owner.share()
    page = open_browser().open(shared.url)
    page.get_by_label("Your question or comment").fill("Is delivery included?")
    page.locator("#comment-name").fill("Margaret")
    press(page, "Send")
    expect(page.get_by_text("Sent. The workshop will be notified.")).to_be_focused()
    shared.answer("Yes, within 20 miles.")
    page.reload()
    expect(page.locator(".talk li")).to_have_count(2)
    expect(page.locator(".talk li.workshop")).to_contain_text("Yes, within 20 miles.")


def test_an_open_page_shows_an_answer_and_the_next_revision_by_itself(owner: Owner, open_browser: OpenBrowser) -> None:
    shared = owner.share()
    page = open_browser().page
    page.clock.install()
    page.goto(shared.url)
    expect(page.get_by_role("heading", name="Oak kitchen")).to_be_visible()
    shared.answer("Delivery is included.")
    # What is being written stays, and is not disturbed.
    page.get_by_label("Your question or comment").fill("And")
    page.clock.fast_forward(20_000)
    expect(page.get_by_text("Delivery is included.")).to_have_count(0)
    page.get_by_label("Your question or comment").fill("")
    page.get_by_label("Your question or comment").blur()
    page.clock.fast_forward(20_000)
    page.get_by_role("button", name="Harrow & Thread has answered").dispatch_event("click")
    expect(page.get_by_text("Delivery is included.")).to_be_in_viewport()
    shared.show_next_revision()
    page.clock.fast_forward(20_000)
    page.get_by_role("button", name="Revision 2 is here").dispatch_event("click")
    expect(page.locator(".kind")).to_contain_text("Revision 2")
    expect(page.locator("#news button")).to_have_count(0)
    # Nobody presses it: it goes, and what it said stays in the document.
    shared.show_next_revision(3)
    page.clock.fast_forward(20_000)
    expect(page.locator("#news button")).to_contain_text("Revision 3 is here")
    page.clock.fast_forward(9_000)
    expect(page.locator("#news button")).to_have_count(0)
    expect(page.locator("article .strong")).to_contain_text("Revision 3 is here")


def test_the_bar_with_the_answer_is_there_after_a_jump_past_the_answer(owner: Owner, open_browser: OpenBrowser) -> None:
    page = open_browser().open(owner.share().url)
    bar = page.locator(".bar")
    expect(bar).to_be_visible()
    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    expect(bar).to_be_hidden()
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    expect(bar).to_be_visible()


def test_a_replaced_estimate_can_be_read_and_not_accepted(owner: Owner, open_browser: OpenBrowser) -> None:
    shared = owner.share()
    page = open_browser(expected={409}).open(shared.url)
    open_acceptance(page)
    shared.next_revision()
    accept(page)
    expect_answer(page, "Replaced")
    expect(page.get_by_text("There is a newer revision of this estimate.")).to_have_count(1)
    expect(page.get_by_role("button", name="Accept")).to_have_count(0)
    expect(page.locator(".lines td.amount")).to_have_count(5)
    assert shared.decisions() == []


def test_a_busy_server_is_asked_again_after_the_time_it_names(owner: Owner, open_browser: OpenBrowser) -> None:
    shared = owner.share()
    page = open_browser(expected={429}).page
    page.route(
        "**/api/client/estimate", lambda route: route.fulfill(status=429, headers={"retry-after": "30"}), times=1
    )
    # The clock of the page stands still: on a busy machine the message could be gone before it is looked for.
    began = datetime.now(UTC)
    page.clock.set_fixed_time(began)
    page.goto(shared.url)
    expect(page.get_by_role("heading", name="Please wait")).to_be_visible()
    page.clock.set_fixed_time(began + timedelta(seconds=30))
    expect(page.get_by_role("heading", name="Oak kitchen")).to_be_visible()


def test_a_link_that_opens_nothing_says_so(server: OpenSignUpServer, open_browser: OpenBrowser) -> None:
    browser = open_browser(expected={401})
    for fragment, title in (("", "This address is incomplete"), ("#bbl_x", "This link no longer works")):
        page = browser.open(f"{server.url}/e/{fragment}")
        expect(page.get_by_role("heading", name=title)).to_be_visible()


def test_the_page_shows_the_figures_of_the_pdf(owner: Owner, open_browser: OpenBrowser) -> None:
    browser = open_browser()
    for locale in ("en", "pl"):
        shared = owner.share(locale=locale, toggles={"showDiscount": True})
        page = browser.open(shared.url)
        expect(page.get_by_role("heading", name="Oak kitchen")).to_be_visible()
        page.evaluate("document.querySelectorAll('.phone').forEach((each) => each.remove())")
        shown = page.locator("td, .sums th").evaluate_all("(all) => all.map((each) => each.innerText)")
        pdf = "".join(text_of(shared.pdf()).split())
        assert len(shown) > 20
        assert [text for text in shown if "".join(text.replace("× ", "").split()) not in pdf] == [], locale


def test_opening_counts_once_a_person_sees_the_page(owner: Owner, open_browser: OpenBrowser) -> None:
    shared = owner.share()
    scanner = open_browser()
    scanner.context.route("**/*.js", lambda route: route.abort())
    scanner.open(shared.url)
    assert shared.openings() == 0
    page = open_browser().page
    with page.expect_response("**/opened"):
        page.goto(shared.url)
    assert shared.openings() == 1


def test_the_pdf_is_shown_and_downloaded_and_the_token_sent_only_as_a_bearer_token(
    owner: Owner, open_browser: OpenBrowser
) -> None:
    shared = owner.share()
    margaret = open_browser()
    page = margaret.open(shared.url)
    expect(page.get_by_role("heading", name="Oak kitchen")).to_be_visible()
    press(page, "Preview the PDF")
    expect(page.get_by_role("img", name="Page 1 of 1 of the PDF")).to_be_visible()
    with page.expect_download() as started:
        press(page, "Download PDF")
    assert started.value.path().read_bytes() == shared.pdf()
    assert started.value.suggested_filename.endswith(".pdf")
    for request in margaret.requests:
        headers = request.all_headers()
        assert shared.token not in request.url.partition("#")[0]
        assert headers.pop("authorization", f"Bearer {shared.token}") == f"Bearer {shared.token}"
        assert shared.token not in str(headers)
        assert "cookie" not in headers
    assert page.context.cookies() == []
    assert page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]


def test_every_state_is_accessible(owner: Owner, open_browser: OpenBrowser) -> None:
    shared = owner.share()
    page = open_browser("pl").page
    page.goto(shared.url)
    press(page, "Polski")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    expect_accessible(page)
    press(page, "Odpowiedz")
    press(page, "Przyjmuję wycenę")
    press(page, "Chcę się też podpisać na ekranie")
    page.get_by_role("button", name="Zamawiam z obowiązkiem zapłaty").click()
    expect_accessible(page)
    press(page, "Wystarczy wpisane imię i nazwisko")
    page.locator("#name").fill("Halina")
    page.get_by_label("Potwierdzam").check()
    page.get_by_role("button", name="Zamawiam z obowiązkiem zapłaty").click()
    expect_answer(page, "Dziękujemy! Wycena została przyjęta.")
    expect_accessible(page)


def expect_accessible(page: Page) -> None:
    """By axe in the dark, contrast in the light as well; on a small phone, and with text of twice its size."""
    show(page, width=320, scheme="dark", size="100%")
    assert breaches(page) == []
    expect_to_fit(page)
    page.emulate_media(color_scheme="light")
    assert breaches(page, CONTRAST) == []
    show(page, width=390, scheme="light", size="200%")
    expect_to_fit(page)
    show(page, width=390, scheme="light", size="100%")


def show(page: Page, *, width: int, scheme: Any, size: str) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.emulate_media(color_scheme=scheme)
    page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)


def expect_to_fit(page: Page) -> None:
    assert page.evaluate(SMALL_TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
