"""An estimate leaves the workshop: confirmed, drawn as a PDF, shared, and noted."""

import re
from typing import Any

import httpx
from playwright.sync_api import Route, expect

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import Craftsperson

# A share dialog in which the person chooses somebody at once, or closes it.
_SHARE_DIALOG = """
    window.shared = [];
    navigator.canShare = () => true;
    navigator.share = async ({ files, text }) => {
        if (window.isClosed) throw new DOMException("closed", "AbortError");
        const bytes = files ? await files[0].text() : "";
        window.shared.push({ text, kind: bytes.slice(0, 5), name: files?.[0].name });
    };
"""
_LINES = [
    {"label": "Wingback chair", "unit": "piece", "unitPrice": 420, "quantity": 2},
    {"label": "Wool", "unit": "linear_m", "unitPrice": 64, "quantity": 7.5},
]


def estimate_of(person: Craftsperson, **more: Any) -> str:
    body = {"name": "Chairs", "recipientName": "Margaret", "lineItems": _LINES, **more}
    return str(person.post("/workshops/{workshop}/estimates", body)["id"])


def open_send(person: Craftsperson, estimate: str) -> None:
    person.context.add_init_script(_SHARE_DIALOG)
    person.open(f"/estimates/{estimate}/send")


def test_an_estimate_of_five_lines_leaves_the_workshop_in_nine_taps(open_app: OpenApp) -> None:
    anna = open_app()
    tiles = [{"emoji": "🪑", "label": f"Part {n}", "unit": "piece", "unitPrice": 10 * n} for n in range(1, 6)]
    anna.post("/workshops/{workshop}/grids", {"name": "Parts", "iconSize": "medium", "buttons": tiles})
    anna.context.add_init_script(_SHARE_DIALOG)
    anna.open("/")
    anna.tap("New", role="link")
    for tile in tiles:
        anna.page.locator(".tile", has_text=str(tile["label"])).click()
    anna.tap("Send")
    anna.tap("Confirm №1")
    anna.tap("Share PDF and message")
    anna.sees("PDF and message shared")
    assert anna.taps == 9
    assert "€150.00" in anna.page.evaluate("window.shared[0].text")
    [summary] = anna.get("/workshops/{workshop}/estimate-summaries")["summaries"]
    assert (summary["lines"], summary["total"], summary["state"]) == (5, 150, "confirmed")
    assert summary["lastHandoff"]["kind"] == "pdf-and-message-shared"


def test_an_estimate_is_confirmed_and_shared_with_two_taps(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    open_send(anna, estimate)
    anna.sees("€1,320.00")
    anna.tap("Confirm №1")
    anna.tap("Share PDF and message")
    anna.sees("PDF and message shared")
    assert anna.taps == 2
    [shared] = anna.page.evaluate("window.shared")
    assert (shared["kind"], shared["name"]) == ("%PDF-", "Chairs Margaret 1.pdf")
    assert "€1,320.00" in shared["text"]
    [export] = anna.get(f"/estimates/{estimate}/pdf-exports")["pdfExports"]
    [handoff] = anna.get(f"/estimates/{estimate}/handoffs")["handoffs"]
    assert [handoff[name] for name in ("kind", "pdfExportId", "revisionNumber")] == [
        "pdf-and-message-shared",
        export["id"],
        1,
    ]


def test_a_share_dialog_that_was_closed_is_no_hand_off_and_confirming_is_not_repeated(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    open_send(anna, estimate)
    anna.tap("Make the PDF of №1")
    expect(anna.button("Share PDF and message")).to_be_visible()
    anna.page.evaluate("window.isClosed = true")
    anna.tap("Share PDF and message")
    anna.open(f"/estimates/{estimate}/send")
    anna.tap("Share PDF and message")
    anna.sees("PDF and message shared")
    found = {
        name: len(anna.get(f"/estimates/{estimate}/{name}")[member])
        for name, member in [("revisions",) * 2, ("pdf-exports", "pdfExports"), ("handoffs",) * 2]
    }
    assert found == {"revisions": 1, "pdf-exports": 1, "handoffs": 1}


def test_lost_answers_are_repeated_without_doing_anything_twice(open_app: OpenApp) -> None:
    """The server has done it, and the phone does not hear of it."""
    anna = open_app()
    estimate = estimate_of(anna)
    lost: list[str] = []

    def lose(route: Route) -> None:
        path = route.request.url.rpartition("/")[2]
        if route.request.method != "POST" or path in lost:
            return route.continue_()
        lost.append(path)
        route.fetch()
        return route.abort()

    anna.page.route(lambda url: url.endswith(("/confirm", "/pdf-exports", "/handoffs")), lose)
    open_send(anna, estimate)
    # Pressed and read at once: between the two the button may become that of the next step.
    anna.page.wait_for_function("""() => {
        const main = document.querySelector(".foot .button.main:not([aria-disabled])");
        const isReady = main?.innerText.includes("Share");
        if (main && !isReady) main.click();
        return isReady;
    }""")
    anna.tap("Share PDF and message")
    # The app repeats what got lost as soon as it reaches the server.
    expect(anna.page.locator(".send-done")).to_be_visible()
    assert lost == ["confirm", "pdf-exports", "handoffs"]
    for name, member in [("revisions",) * 2, ("pdf-exports", "pdfExports"), ("handoffs",) * 2]:
        assert len(anna.get(f"/estimates/{estimate}/{name}")[member]) == 1
    # Requests without an answer are written to the console by the browser.
    anna.lines[:] = [line for line in anna.lines if "net::ERR_FAILED" not in line]


def test_a_connection_that_comes_back_changes_nothing_that_was_written_or_sent(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    open_send(anna, estimate)
    anna.tap("Confirm №1")
    anna.type("Message", "Hello, Margaret.")
    anna.tap("Share PDF and message")
    anna.sees("PDF and message shared")
    anna.context.set_offline(True)
    anna.sees("No connection")
    with anna.page.expect_response(f"**/estimates/{estimate}/handoffs"):
        anna.context.set_offline(False)
    expect(anna.page.locator(".send-done")).to_be_visible()
    expect(anna.page.get_by_label("Message", exact=True)).to_have_value("Hello, Margaret.")
    anna.lines.clear()


def test_after_a_lost_answer_the_app_finds_out_that_it_has_a_connection(open_app: OpenApp) -> None:
    anna = open_app()
    anna.open("/shop")
    anna.page.wait_for_load_state("networkidle")
    anna.page.route(re.compile("/audit|/api/me$"), lambda route: route.abort())
    anna.tap("Activity", role="link")
    anna.sees("No connection")
    anna.page.unroute_all()
    expect(anna.page.get_by_text("No connection")).to_have_count(0)
    assert [line for line in anna.lines if "net::ERR_FAILED" not in line] == []
    anna.lines.clear()


def test_the_last_revision_of_the_plan_offers_a_duplicate(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    for number in range(3):
        anna.post(f"/estimates/{estimate}/confirm", None)
        anna.api.patch(f"/estimates/{estimate}", json={"discountPercent": number + 1}).raise_for_status()
    open_send(anna, estimate)
    anna.sees("All 3 revisions of this estimate on your plan are used.")
    expect(anna.button("Confirm №4")).to_have_attribute("aria-disabled", "true")
    expect(anna.button("Try pro free")).to_be_visible()
    anna.tap("Duplicate")
    anna.tap("Confirm №1")
    expect(anna.button("Share PDF and message")).to_be_visible()


def test_what_stands_on_the_pdf_is_asked_before_the_first_one(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    # This page does not hear of the change that somebody else makes.
    anna.page.route(re.compile(r"/(events|changes)\b"), lambda _route: None)
    open_send(anna, estimate)
    expect(anna.page.get_by_label("VAT in percent")).to_be_visible()
    path = f"/workshops/{anna.workshop}/document-settings"
    anna.api.put(path, json=anna.get(path) | {"taxId": "IE 123"}).raise_for_status()
    anna.type("VAT in percent", "13,5")
    anna.page.get_by_label("Currency").select_option("GBP")
    anna.sees("£1,498.20")
    saved = {"taxPercent": 13.5, "currency": "GBP", "taxId": "IE 123"}
    anna.until(lambda: saved.items() <= anna.get(path).items())
    # The browser writes a line for the answer that the settings have changed.
    anna.lines[:] = [line for line in anna.lines if "412" not in line]


def test_a_client_accepts_with_a_link_and_the_estimate_becomes_an_order(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    open_send(anna, estimate)
    anna.tap("Make a link to №1")
    anna.tap("Share the link")
    anna.sees("Message shared")
    url = anna.page.evaluate("window.shared[0].text").split()[-1]
    token = {"Authorization": f"Bearer {url.partition('#')[2]}"}
    with httpx.Client(base_url=f"{anna.url}/api/client", headers=token, trust_env=False) as client:
        anna.sees("Not opened yet")
        client.post("/estimate/opened").raise_for_status()
        client.post("/estimate/comments", json={"name": "Margaret", "text": "By Easter?"}).raise_for_status()
        anna.sees("By Easter?")
        anna.sees("Opened once")
        anna.type("Answer", "Yes, in March.")
        anna.tap("Put it on the client’s page")
        anna.sees("Yes, in March.")
        shown = client.get("/estimate").json()
        assert [comment["text"] for comment in shown["comments"]] == ["By Easter?", "Yes, in March."]
        yes = {"name": "Margaret", "agreed": True, "signature": {"kind": "typed"}}
        client.post("/estimate/accept", json=yes | {"documentHash": shown["documentHash"]}).raise_for_status()
    certificate = anna.page.get_by_role("link", name="Certificate")
    expect(certificate).to_have_attribute("href", re.compile("^/api/decisions/.*/certificate$"))
    anna.tap("It’s a job")
    expect(anna.page).to_have_url(re.compile("/orders/"))


def test_an_answer_in_person_is_noted_and_taken_back_with_a_reason(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    open_send(anna, estimate)
    anna.tap("The client has answered")
    anna.tap("Accepted")
    anna.sees("№1 · In person")
    anna.page.get_by_text("That is not right").click()
    anna.type("Why it does not stand", "That was another estimate")
    anna.tap("Take it back")
    anna.sees("Accepted, taken back: That was another estimate")
    [decision] = anna.get(f"/estimates/{estimate}/decisions")["decisions"]
    assert (decision["method"], decision["name"]) == ("in_person", "Margaret")
    expect(anna.button("The client has answered")).to_be_visible()
