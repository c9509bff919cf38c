"""Answers on the client page: what a client declares is about one document, and stored once."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.violations import violations
from tests.web.browsers import PhoneBrowser
from tests.web.open_sign_up import OpenSignUpServer
from tests.web.shared_estimates import SETTINGS, Owner, Shared
from tests.web.test_client_page import accept, draw, open_acceptance, press
from tests.web.test_status_page import new_order

OpenBrowser = Callable[..., PhoneBrowser]


@pytest.fixture(scope="module")
def owner(server: OpenSignUpServer) -> Iterator[Owner]:
    opened = Owner(server)
    opened.send("PUT", f"/workshops/{opened.workshop}/document-settings", SETTINGS | {"withdrawal": "start_early"})
    yield opened
    opened.close()


def ask(page: Page) -> None:
    page.locator("#comment").fill("Is delivery included?")
    press(page, "Send")
    expect(page.locator("#comment-note")).to_contain_text("Sent.")


def answer_changed(route: Route, **fields: Any) -> None:
    """The server's answer, with other values of some fields."""
    response = route.fetch()
    route.fulfill(response=response, json=response.json() | fields)


def lose_acceptance(page: Page) -> None:
    page.route("**/accept", lambda route: route.abort(), times=1)
    accept(page)


def test_what_was_declared_of_a_document_ends_with_it(owner: Owner, open_browser: OpenBrowser) -> None:
    """In each way in which an open page gets another document; what was typed stays."""
    browser = open_browser(expected={409})
    with violations() as case:
        for way in (ask, accept, lose_acceptance):
            with case(way.__name__):
                shared = owner.share()
                page = browser.open(shared.url)
                open_acceptance(page)
                page.locator("#start-early").check()
                shared.show_next_revision()
                way(page)
                expect(page.locator("#answer [role=alert]")).to_contain_text("no longer the one you were reading")
                expect(page.locator("article .strong")).to_have_text("Revision 2 is here: €6,756.96 → €7,132.36")
                press(page, "Accept the estimate")
                expect(page.locator("#answer input:checked")).to_have_count(0)
                expect(page.locator("#name")).to_have_value("Margaret Holloway")
                accept(page)
                expect(page.get_by_text("Please tick the box if you agree.")).to_be_visible()
                assert shared.decisions() == []


def look(page: Page) -> None:
    """The open page asks for news."""
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")


def test_the_page_offers_an_answer_where_one_can_be_given(owner: Owner, open_browser: OpenBrowser) -> None:
    """In each state of a link, also with a decline of an older revision, which does not stand in the way."""
    shared = owner.share()
    browser = open_browser()
    record = partial(owner.send, "POST", f"/estimates/{shared.estimate_id}/decisions")
    by_phone = {"method": "phone", "name": "Margaret"}
    edit = partial(owner.send, "PATCH", f"/links/{shared.link['id']}")

    def expire() -> None:
        edit({"canDecide": True})
        browser.page.route("**/client/estimate", partial(answer_changed, state="expired", canDecide=False), times=1)

    # Each from the one before.
    states: list[tuple[str, Callable[[], Any], bool, str]] = [
        ("Your answer", lambda: None, True, ""),
        ("Your answer", lambda: edit({"canDecide": False}), False, ""),
        ("declined", lambda: record({"revisionNumber": 1, "outcome": "declined", **by_phone}), False, ""),
        ("declined", shared.confirm_next_revision, False, ""),
        ("Your answer", lambda: edit({"revisionNumber": 2, "canDecide": True}), True, "Revision 1 was declined."),
        ("Your answer", lambda: edit({"canDecide": False}), False, "Revision 1 was declined."),
        ("Expired", expire, False, "Revision 1 was declined."),
        ("Replaced", lambda: shared.confirm_next_revision(3), False, "Revision 1 was declined."),
        ("Your answer", lambda: edit({"revisionNumber": 3}), True, "Revision 1 was declined."),
        ("accepted", lambda: record({"revisionNumber": 2, "outcome": "accepted", **by_phone}), False, ""),
    ]
    with violations() as case:
        for at, (title, enter, can_decide, older) in enumerate(states):
            enter()
            with browser.page.expect_response("**/client/estimate") as shown:
                page = browser.open(shared.url)
            with case(f"{at}: {title}"):
                assert shown.value.json()["canDecide"] == can_decide
                expect(page.locator("#answer-title")).to_contain_text(title)
                buttons = ["Accept the estimate", "Decline"] if can_decide else []
                expect(page.locator("#answer button")).to_have_text(buttons)
                expect(page.locator(".bar")).to_have_count(int(can_decide))
                notes = page.locator("#answer").get_by_text("Revision 1 was declined.")
                expect(notes).to_have_text([older] if older else [])


def test_an_answer_after_a_decline_of_an_older_revision(owner: Owner, open_browser: OpenBrowser) -> None:
    """The old decision is neither that of the answer that was lost nor a reason why one was refused."""
    shared = owner.share()
    page = open_browser(expected={409}).open(shared.url)
    press(page, "Decline")
    press(page, "Decline the estimate")
    expect(page.locator("#answer-title")).to_have_text("The estimate has been declined.")
    shared.show_next_revision()
    look(page)
    press(page, "Accept the estimate")
    page.locator("#name").fill("Margaret Holloway")
    page.get_by_label("I agree").check()
    lose_acceptance(page)
    expect(page.locator("#answer-note")).to_contain_text("Nothing has been sent")
    shared.show_next_revision(3)
    accept(page)
    expect(page.locator("#answer [role=alert]")).to_contain_text("no longer the one you were reading")
    press(page, "Accept the estimate")
    page.get_by_label("I agree").check()
    accept(page)
    expect(page.locator("#answer-title")).to_have_text("Thank you! The estimate has been accepted.")
    assert [(each["outcome"], each["revisionNumber"]) for each in shared.decisions()] == [
        ("accepted", 3),
        ("declined", 1),
    ]


def test_what_was_drawn_and_shown_of_a_document_ends_with_it(owner: Owner, open_browser: OpenBrowser) -> None:
    shared = owner.share()
    page = open_browser().open(shared.url)
    press(page, "Preview the PDF")
    expect(page.locator("#pages canvas").last).to_have_attribute(
        "aria-label", "Page 2 of 2 of the PDF. The same text is above."
    )
    open_acceptance(page)
    press(page, "Draw my signature as well")
    draw(page, page.locator("#drawing[width]"))
    shared.show_next_revision()
    ask(page)
    expect(page.locator("#pages canvas")).to_have_count(0)
    press(page, "Accept the estimate")
    page.get_by_label("I agree").check()
    accept(page)
    expect(page.get_by_text("Please sign in the field")).to_be_visible()


def test_another_address_in_the_same_tab_begins_anew(owner: Owner, open_browser: OpenBrowser) -> None:
    shared = owner.share()
    page = open_browser().open(shared.url)
    open_acceptance(page)
    page.evaluate("address => { location.href = address; }", shared.next_revision().url)
    expect(page.locator(".kind")).to_contain_text("Revision 2")
    press(page, "Accept the estimate")
    expect(page.locator("#answer input:checked")).to_have_count(0)


def test_the_evidence_is_that_of_the_document_that_was_decided(owner: Owner, open_browser: OpenBrowser) -> None:
    """Not of what another link shows: an earlier revision, or the same one in another language."""
    old = owner.share()
    shared = old.next_revision()
    translated = owner.link(shared.estimate_id, locale="pl")
    browser = open_browser()
    page = browser.open(shared.url)
    open_acceptance(page)
    accept(page)
    expect(page.locator("#answer-title")).to_have_text("Thank you! The estimate has been accepted.")
    (decision,) = shared.decisions()
    evidence = [decision["documentHash"], decision["pdfHash"]]
    with violations() as case:
        for link, note, keep in (
            (old, "Revision 2 of this estimate was decided, not the one shown here.", 0),
            (shared, "", 1),
            (translated, "Decyzja dotyczy tej samej wersji, ale pokazanej pod innym linkiem", 0),
        ):
            with case(note):
                page = browser.open(link.url)
                expect(page.locator("#answer .hash")).to_have_text(evidence)
                expect(page.locator("#answer > p:not(.strong)")).to_have_text([re.compile(note)] if note else [])
                expect(page.get_by_text(re.compile("Keep the PDF|Zachowaj plik PDF"))).to_have_count(keep)


def lose(route: Route, *, arrives: bool) -> None:
    if arrives:
        route.fetch()
    route.abort()


READ = re.compile("/api/client/(estimate|order)$")


def lose_responses(page: Page, path: str) -> None:
    """The request arrives, its response is lost, and so is what would read whether it arrived."""
    page.route(READ, partial(lose, arrives=False), times=1)
    page.route(f"**{path}", partial(lose, arrives=True), times=1)


def test_what_is_sent_again_after_a_lost_response_is_stored_once(owner: Owner, open_browser: OpenBrowser) -> None:
    """A question, a comment and an answer; the same words that are written once more are another comment."""
    browser = open_browser()
    order, address = new_order(owner)
    page = browser.open(address)
    page.locator("#question").fill("Will it be ready by noon?")
    page.locator("#name").fill("Margaret")
    lose_responses(page, "/questions")
    press(page, "Send question")
    expect(page.locator("#question-note")).to_contain_text("It is not certain that it was sent.")
    press(page, "Send question")
    expect(page.locator("#question-note")).to_contain_text("Sent.")
    assert len(owner.get(f"/orders/{order}/questions")["questions"]) == 1

    shared = owner.share()
    page = browser.open(shared.url)
    page.locator("#comment").fill("Is delivery included?")
    lose_responses(page, "/comments")
    press(page, "Send")
    expect(page.locator("#comment-note")).to_contain_text("it is not certain that your answer arrived")
    press(page, "Send")
    expect(page.locator("#comment-note")).to_contain_text("Sent.")
    expect(page.locator(".talk li")).to_have_count(1)
    ask(page)
    expect(page.locator(".talk li")).to_have_count(2)
    press(page, "Accept the estimate")
    page.locator("#name").fill("Margaret Holloway")
    page.get_by_label("I agree").check()
    lose_responses(page, "/accept")
    accept(page)
    expect(page.locator("#answer-note")).to_contain_text("it is not certain that your answer arrived")
    accept(page)
    expect(page.locator("#answer-title")).to_have_text("Thank you! The estimate has been accepted.")
    assert len(shared.decisions()) == 1
    written = [each for each in browser.requests if each.method == "POST" and each.post_data]
    assert len(written) == 7
    assert [each.url for each in written if "idempotency-key" not in each.headers] == []


def test_a_decline_that_was_lost_is_not_one_of_what_is_shown_next(owner: Owner, open_browser: OpenBrowser) -> None:
    """Of the next revision, or after the workshop has voided it; a comment stays the same one."""
    browser = open_browser()

    def revise(shared: Shared) -> None:
        shared.show_next_revision()

    def void(shared: Shared) -> None:
        owner.send("POST", f"/decisions/{shared.decisions()[0]['id']}/void", {"reason": "A mistake"})

    with violations() as case:
        for way, news, declined in ((revise, "Revision 2 is here", [2, 1]), (void, "You can answer again.", [1, 1])):
            with case(way.__name__):
                shared = owner.share()
                page = browser.open(shared.url)
                page.locator("#comment").fill("Is delivery included?")
                lose_responses(page, "/comments")
                press(page, "Send")
                expect(page.locator("#comment-note")).to_contain_text("it is not certain")
                page.locator("#comment").fill("")
                press(page, "Decline")
                lose_responses(page, "/decline")
                press(page, "Decline the estimate")
                expect(page.locator("#answer-note")).to_contain_text("it is not certain")
                press(page, "Back")
                way(shared)
                look(page)
                expect(page.locator("main")).to_contain_text(news)
                page.locator("#comment").fill("Is delivery included?")
                press(page, "Send")
                expect(page.locator(".talk li")).to_have_count(1)
                press(page, "Decline")
                press(page, "Decline the estimate")
                expect(page.locator("#answer-title")).to_have_text("The estimate has been declined.")
                assert [each["revisionNumber"] for each in shared.decisions()] == declined


# The next response to a read of the page arrives once `arrive` is called.
DELAY = """() => {
  const { fetch } = window;
  window.fetch = async (address, options) => {
    if (!/client\\/(estimate|order)$/.test(address)) return fetch(address, options);
    window.fetch = fetch;
    const response = await fetch(address, options);
    await new Promise((arrive) => (window.arrive = arrive));
    return response;
  };
}"""
# Until the page has taken it.
ARRIVE = """() => new Promise((taken) => {
  const { json } = Response.prototype;
  Response.prototype.json = function () {
    Response.prototype.json = json;
    const content = json.call(this);
    content.then(() => setTimeout(taken));
    return content;
  };
  arrive();
  delete window.arrive;
})"""


def look_slowly(page: Page) -> None:
    page.evaluate(DELAY)
    look(page)
    page.wait_for_function("() => window.arrive")


def drawn_again(page: Page, selector: str) -> list[str]:
    """The texts with which the page shows what it knows."""
    for language in ("pl", "en"):
        page.locator("#language").click()
        expect(page.locator(f"html[lang={language}]")).to_be_attached()
    return page.locator(selector).all_inner_texts()


def test_what_was_read_before_it_was_sent_does_not_replace_what_was_sent(
    owner: Owner, open_browser: OpenBrowser
) -> None:
    """A slow response to the question for news: neither a comment nor the answer is gone again."""
    shared = owner.share()
    page = open_browser().open(shared.url)
    expect(page.locator("#answer-title")).to_have_text("Your answer")
    with violations() as case:
        with case("comment"):
            look_slowly(page)
            ask(page)
            page.evaluate(ARRIVE)
            assert drawn_again(page, ".talk li .text") == ["Is delivery included?"]
        with case("answer"):
            look_slowly(page)
            press(page, "Accept the estimate")
            page.locator("#name").fill("Margaret Holloway")
            page.get_by_label("I agree").check()
            # The outcome is that of the response: the read that follows is lost.
            page.route(READ, partial(lose, arrives=False), times=1)
            accept(page)
            expect(page.locator("#answer-title")).to_contain_text("has been accepted.")
            page.evaluate(ARRIVE)
            assert drawn_again(page, ".stamp") == ["✓ ACCEPTED"]


def test_what_a_status_page_reads_leaves_what_is_being_asked(owner: Owner, open_browser: OpenBrowser) -> None:
    _, address = new_order(owner)
    browser = open_browser()
    browser.page.clock.install()
    page = browser.open(address)
    page.locator("#name").fill("Margaret")
    page.locator("#name").blur()
    with violations() as case:
        with case("typing"):
            page.clock.fast_forward(61_000)
            look_slowly(page)
            page.locator("#question").fill("Will it be ready by noon?")
            page.evaluate(ARRIVE)
            assert page.locator("#question:focus").count() == 1
        with case("sent"):
            page.locator("#question").fill("")
            page.locator("#question").blur()
            page.clock.fast_forward(61_000)
            look_slowly(page)
            page.locator("#question").fill("Will it be ready by noon?")
            press(page, "Send question")
            expect(page.locator("#question-note")).to_contain_text("Sent.")
            page.evaluate(ARRIVE)
            assert page.locator(".talk li").count() == 1


def test_a_question_whose_response_is_lost_is_shown_where_it_arrived(owner: Owner, open_browser: OpenBrowser) -> None:
    _, address = new_order(owner)
    page = open_browser().open(address)
    page.locator("#name").fill("Margaret")
    # The same words that are written once more are another question.
    for number, arrives in ((0, False), (1, True), (2, True)):
        page.locator("#question").fill("Will it be ready by noon?")
        page.route("**/questions", partial(lose, arrives=arrives), times=1)
        press(page, "Send question")
        expect(page.locator("#question-note")).to_contain_text("Sent." if arrives else "It was not sent.")
        expect(page.locator(".talk li")).to_have_count(number)
        expect(page.locator("#question")).to_have_value("" if arrives else "Will it be ready by noon?")


def get_the_pdf(page: Page) -> None:
    press(page, "Download PDF")


def switch(page: Page) -> None:
    page.locator("#language").click()


def sign(page: Page) -> None:
    if page.locator("#drawing").count():
        press(page, "Typed name only")
    else:
        open_acceptance(page)
    press(page, "Draw my signature as well")


def look_on(page: Page) -> None:
    """Nothing has to be pressed."""


def load_again(page: Page) -> None:
    press(page, "Try again")


def fail_once(asked: list[str], route: Route) -> None:
    asked.append(route.request.url)
    if len(asked) == 1:
        route.abort()
    else:
        route.continue_()


def test_a_script_that_could_not_be_loaded_is_loaded_from_another_address(
    owner: Owner, open_browser: OpenBrowser
) -> None:
    """Some browsers remember for as long as the page lives that an address failed, also of what a script imports."""
    browser = open_browser()
    shared = owner.share()
    owner.send("PUT", f"/estimates/{shared.estimate_id}/document", {"documentTitle": "quotation"})
    quotation = shared.next_revision()
    shared = owner.share()
    order, status = new_order(owner)
    owner.send("PUT", f"/orders/{order}/agreed", {"amount": 100})
    with violations() as case:
        for link, script, use, failed, use_again, loaded in (
            (shared.url, "pdf", get_the_pdf, ".files .error:not(:empty)", get_the_pdf, ".files .error:empty"),
            (shared.url, "texts_pl", switch, ".board [role=alert]", switch, "html[lang=pl]"),
            (shared.url, "drawing", sign, ".field .error:not(:empty)", sign, "#drawing[width]"),
            (shared.url, "signature_pad", sign, ".field .error:not(:empty)", sign, "#drawing[width]"),
            (quotation.url, "titles", look_on, ".notice button", load_again, "#title"),
            (status, "payment", look_on, "#language", switch, ".payment"),
            (status, "payment_texts", look_on, "#language", switch, ".payment"),
        ):
            with case(script):
                asked: list[str] = []
                browser.page.route(re.compile(f"/e/{script}.js"), partial(fail_once, asked))
                with browser.page.expect_event("requestfailed"):
                    page = browser.open(link)
                    expect(page.locator("#language, .notice button")).to_be_visible()
                    use(page)
                expect(page.locator(failed).first).to_be_attached()
                with page.expect_request(re.compile(f"/e/{script}.js")) as again:
                    use_again(page)
                expect(page.locator(loaded).first).to_be_attached()
                assert again.value.url != asked[0]
