"""An estimate leaves the workshop: confirmed, as a link or a PDF, shared, and noted."""

import json
import re
from typing import Any

import httpx
from playwright.sync_api import Route

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import SEND, Craftsperson, expect

# A share dialog in which the person chooses somebody at once, or closes it.
_SHARE_DIALOG = """
    window.shared = [];
    navigator.canShare = () => true;
    navigator.share = async ({ files, text }) => {
        if (window.failure) throw new DOMException("no", window.failure);
        const bytes = files ? await files[0].text() : "";
        window.shared.push({ text, kind: bytes.slice(0, 5), name: files?.[0].name });
    };
"""
_LINES = [
    {"label": "Wingback chair", "unit": "piece", "unitPrice": 420, "quantity": 2},
    {"label": "Wool", "unit": "linear_m", "unitPrice": 64, "quantity": 7.5},
]

# The state that a page knows of an estimate, once it was drawn.
_STATE_OF = """async (id) => {
    const { $state_outbox } = await import(document.querySelector("script[type=module]").src);
    const state = $state_outbox.replica.views.estimateSummary.peek().get(id)?.state;
    await new Promise(requestAnimationFrame);
    return state;
}"""


def estimate_of(person: Craftsperson, **more: Any) -> str:
    body = {"name": "Chairs", "recipientName": "Margaret", "lineItems": _LINES, **more}
    return str(person.post("/workshops/{workshop}/estimates", body)["id"])


def open_send(person: Craftsperson, estimate: str, way: str = "link") -> None:
    prepare(person, way)
    person.open(f"/estimates/{estimate}/send")


def prepare(person: Craftsperson, way: str) -> None:
    """Somebody whose workshop has its facts already, and who chose `way` the last time."""
    path = f"/workshops/{person.workshop}/document-settings"
    person.api.put(path, json=person.get(path) | {"phone": "+353 1 555 0100"}).raise_for_status()
    person.context.add_init_script(_SHARE_DIALOG)
    value = json.dumps(json.dumps({"way": way}))
    person.context.add_init_script(
        f"if (location.protocol !== 'about:') localStorage['backbench-preference-sendChoices'] ??= {value}"
    )


def test_an_estimate_of_five_lines_leaves_the_workshop_in_ten_taps(open_app: OpenApp) -> None:
    anna = open_app()
    tiles = [{"emoji": "🪑", "label": f"Part {n}", "unit": "piece", "unitPrice": 10 * n} for n in range(1, 6)]
    anna.post("/workshops/{workshop}/grids", {"name": "Parts", "iconSize": "medium", "buttons": tiles})
    prepare(anna, "link")
    anna.open("/")
    anna.tap("New", exact=True)
    anna.tap("New estimate", role="link")
    for tile in tiles:
        anna.page.locator(".tile", has_text=str(tile["label"])).click()
    anna.tap("Send")
    anna.tap(SEND)
    anna.tap("Share the message with the link")
    expect(anna.page.locator(".send-done")).to_have_text("Message shared")
    assert anna.taps == 10
    text = anna.page.evaluate("window.shared[0].text")
    assert "€150.00" in text
    assert f"{anna.url}/e/#bbl_" in text
    [summary] = anna.get("/workshops/{workshop}/estimate-summaries")["summaries"]
    assert (summary["lines"], summary["total"], summary["state"]) == (5, 150, "confirmed")
    assert summary["lastHandoff"]["kind"] == "message-shared"


def test_what_is_sent_before_the_server_has_the_estimate_is_ready_to_be_shared(open_app: OpenApp) -> None:
    """The address of the screen changes while it is being made ready: the server gives the estimate another id."""
    anna = open_app()
    tile = {"emoji": "🪑", "label": "Chair", "unit": "piece", "unitPrice": 10}
    anna.post("/workshops/{workshop}/grids", {"name": "Parts", "iconSize": "medium", "buttons": [tile]})
    prepare(anna, "link")
    held: list[Route] = []
    anna.page.route(
        "**/estimates", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
    )
    anna.open("/estimates/new")
    anna.page.locator(".tile", has_text="Chair").click()
    anna.tap("Send")
    anna.tap(SEND)
    anna.until(lambda: bool(held))
    held.pop().continue_()
    anna.tap("Share the message with the link")
    expect(anna.page.locator(".send-done")).to_have_text("Message shared")
    # With the name of the work, and confirmed as it was seen.
    [summary] = anna.get("/workshops/{workshop}/estimate-summaries")["summaries"]
    assert (summary["name"], summary["state"], summary["latestRevision"]["number"]) == ("Chair", "confirmed", 1)


def test_a_late_response_does_not_hide_that_the_estimate_is_confirmed(open_app: OpenApp) -> None:
    """What was read before the confirmation arrives after the screen has asked again."""
    anna = open_app()
    estimate = estimate_of(anna)
    prepare(anna, "link")
    anna.open("/estimates")
    anna.sees("Chairs")
    anna.page.wait_for_load_state("networkidle")
    read: list[tuple[Route, Any]] = []
    asked: list[str] = []

    def keep(route: Route) -> None:
        if not asked:
            read.append((route, route.fetch()))
            return
        while read:
            first, response = read.pop()
            first.fulfill(response=response)
        route.continue_()

    def confirm(route: Route) -> None:
        asked.append(route.request.url)
        route.continue_()

    anna.page.route("**/estimate-summaries?estimateId=*", keep)
    anna.page.route("**/confirm", confirm)
    anna.open(f"/estimates/{estimate}/send")
    anna.until(lambda: bool(read))
    anna.tap(SEND)
    expect(anna.button("Share the message with the link")).to_be_visible()
    [link] = anna.get(f"/estimates/{estimate}/links")["links"]
    assert link["revisionNumber"] == 1


def test_a_late_response_does_not_rename_what_is_being_confirmed(open_app: OpenApp) -> None:
    """That it is a draft, whose name may become that of the work, is known only after the press."""
    anna = open_app()
    estimate = estimate_of(anna, name="Estimate 21 Nov")
    prepare(anna, "link")
    late: list[Route] = []
    confirming: list[Route] = []
    # It is older than the first page of the list.
    none = {"json": {"summaries": []}, "headers": {"X-Request-Id": "1"}}
    anna.page.route("**/estimate-summaries?limit=*", lambda route: route.fulfill(**none))
    anna.page.route("**/estimate-summaries?estimateId=*", lambda route: late.append(route))
    anna.page.route("**/confirm", lambda route: confirming.append(route))
    anna.open(f"/estimates/{estimate}/send")
    anna.tap(SEND)
    anna.until(lambda: bool(confirming))
    assert anna.page.evaluate(_STATE_OF, estimate) is None
    anna.page.unroute("**/estimate-summaries?estimateId=*")
    while late:
        late.pop().continue_()
    anna.until(lambda: anna.page.evaluate(_STATE_OF, estimate) == "draft")
    confirming.pop().continue_()
    expect(anna.button("Share the message with the link")).to_be_visible()
    [summary] = anna.get("/workshops/{workshop}/estimate-summaries")["summaries"]
    assert (summary["name"], summary["state"], summary["latestRevision"]["number"]) == (
        "Estimate 21 Nov", "confirmed", 1,
    )  # fmt: skip


def test_an_estimate_is_confirmed_and_its_pdf_shared_with_two_taps(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    open_send(anna, estimate, "pdf")
    anna.sees("€1,320.00")
    anna.tap(SEND)
    anna.tap("Share PDF and message")
    expect(anna.page.locator(".send-done")).to_have_text("PDF and message shared")
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


def make_pdf(anna: Craftsperson) -> str:
    """The id of an estimate, with its PDF ready to be shared."""
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    open_send(anna, estimate, "pdf")
    anna.tap("Make the PDF of revision 1")
    expect(anna.button("Share PDF and message")).to_be_visible()
    return estimate


def test_where_the_share_dialog_is_refused_the_pdf_is_saved_and_the_message_copied(open_app: OpenApp) -> None:
    anna = open_app()
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    estimate = make_pdf(anna)
    anna.page.evaluate("window.failure = 'NotAllowedError'")
    with anna.page.expect_download() as download:
        anna.tap("Share PDF and message")
    assert download.value.suggested_filename == "Chairs Margaret 1.pdf"
    expect(anna.page.locator(".send-done")).to_have_text("Message copied")
    assert "€1,320.00" in anna.page.evaluate("navigator.clipboard.readText()")
    [handoff] = anna.get(f"/estimates/{estimate}/handoffs")["handoffs"]
    assert handoff["kind"] == "message-copied"


def test_a_share_dialog_that_was_closed_is_no_hand_off_and_confirming_is_not_repeated(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = make_pdf(anna)
    anna.page.evaluate("window.failure = 'AbortError'")
    anna.tap("Share PDF and message")
    anna.open(f"/estimates/{estimate}/send")
    anna.tap("Share PDF and message")
    expect(anna.page.locator(".send-done")).to_have_text("PDF and message shared")
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
    open_send(anna, estimate, "pdf")
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


def test_a_connection_that_comes_back_changes_nothing_that_was_written_or_sent(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    open_send(anna, estimate, "pdf")
    anna.tap(SEND)
    anna.type("Message", "Hello, Margaret.")
    anna.tap("Share PDF and message")
    expect(anna.page.locator(".send-done")).to_have_text("PDF and message shared")
    anna.context.set_offline(True)
    anna.sees("No connection")
    with anna.page.expect_response(f"**/estimates/{estimate}/handoffs"):
        anna.context.set_offline(False)
    expect(anna.page.locator(".send-done")).to_be_visible()
    expect(anna.page.get_by_label("Message", exact=True)).to_have_value("Hello, Margaret.")


def test_after_a_lost_answer_the_app_finds_out_that_it_has_a_connection(open_app: OpenApp) -> None:
    anna = open_app()
    anna.open("/shop")
    anna.page.wait_for_load_state("networkidle")
    anna.page.route(re.compile("/audit|/api/me$"), lambda route: route.abort())
    anna.tap("Activity", role="link")
    anna.sees("No connection")
    anna.page.unroute_all()
    expect(anna.page.get_by_text("No connection")).to_have_count(0)
    assert anna.unexpected_lines == []


def test_the_last_revision_of_the_plan_offers_a_duplicate(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    for number in range(3):
        anna.post(f"/estimates/{estimate}/confirm", None)
        anna.api.patch(f"/estimates/{estimate}", json={"discountPercent": number + 1}).raise_for_status()
    open_send(anna, estimate, "pdf")
    anna.sees("All 3 revisions of this estimate are used.")
    expect(anna.button(SEND)).to_have_attribute("aria-disabled", "true")
    expect(anna.button("Try pro free")).to_be_visible()
    anna.tap("Duplicate")
    anna.tap(SEND)
    expect(anna.button("Share PDF and message")).to_be_visible()


def test_nothing_is_confirmed_before_the_settings_are_known(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    held: list[Route] = []
    anna.page.route("**/document-settings", lambda route: held.append(route))
    anna.open(f"/estimates/{estimate}/send")
    anna.until(lambda: bool(held))
    expect(anna.button(SEND)).to_have_attribute("aria-disabled", "true")
    while held:
        held.pop().continue_()
    expect(anna.button(SEND)).not_to_have_attribute("aria-disabled", "true")
    anna.tap(SEND)
    expect(anna.page.get_by_role("dialog")).to_contain_text("Do you charge VAT?")
    anna.page.unroute("**/document-settings")
    assert anna.get(f"/estimates/{estimate}/revisions")["revisions"] == []


def test_tax_and_currency_are_asked_once_before_the_first_confirmation(open_app: OpenApp) -> None:
    anna = open_app()
    first, second = estimate_of(anna), estimate_of(anna)
    path = f"/workshops/{anna.workshop}/document-settings"
    anna.api.put(path, json=anna.get(path) | {"timeZone": "Europe/Dublin"}).raise_for_status()
    anna.open(f"/estimates/{first}/send")
    anna.tap(SEND)
    dialog = anna.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Do you charge VAT?")
    dialog.get_by_text("13.5%").click()
    dialog.get_by_label("Currency").select_option("GBP")
    anna.until(lambda: anna.get(path).get("taxPercent") == 13.5 and anna.get(path)["currency"] == "GBP")
    dialog.get_by_role("button", name="Send £1,320.00").click()
    expect(anna.button("Copy the message with the link")).to_be_visible()
    assert anna.get(f"/estimates/{first}/revisions/1/totals")["total"] == 1320
    anna.open(f"/estimates/{second}/send")
    anna.tap(SEND)
    expect(anna.button("Copy the message with the link")).to_be_visible()


def test_what_leaves_is_what_was_chosen_when_it_was_ordered(open_app: OpenApp) -> None:
    """The language changes while the PDF is drawn: nothing is offered in the wrong one."""
    anna = open_app()
    estimate = estimate_of(anna)
    open_send(anna, estimate, "pdf")
    anna.page.get_by_text("English · Friendly").click()

    def change(route: Route) -> None:
        anna.page.evaluate("document.querySelector('input[value=pl]').click()")
        route.continue_()

    anna.page.route(
        "**/pdf-exports", lambda route: change(route) if route.request.method == "POST" else route.continue_()
    )
    anna.tap(SEND)
    expect(anna.button("Make the PDF of revision 1")).to_be_visible()
    anna.page.unroute_all()
    anna.tap("Make the PDF of revision 1")
    anna.tap("Share PDF and message")
    expect(anna.page.locator(".send-done")).to_have_text("PDF and message shared")
    [handoff] = anna.get(f"/estimates/{estimate}/handoffs")["handoffs"]
    exports = {each["id"]: each["locale"] for each in anna.get(f"/estimates/{estimate}/pdf-exports")["pdfExports"]}
    assert handoff["locale"] == exports[handoff["pdfExportId"]] == "pl"
    assert "1320,00" in anna.page.evaluate("window.shared[0].text").replace("\u00a0", "")


def test_what_is_confirmed_is_what_was_seen(open_app: OpenApp) -> None:
    """A colleague changes a price while the request to confirm is under way."""
    anna = open_app()
    estimate = estimate_of(anna)

    def change(route: Route) -> None:
        if len(revisions) == 0:
            anna.api.patch(f"/estimates/{estimate}", json={"discountPercent": 50}).raise_for_status()
        revisions.append(route.request.headers.get("if-match"))
        route.continue_()

    revisions: list[str | None] = []
    anna.page.route("**/confirm", change)
    open_send(anna, estimate, "pdf")
    anna.sees("€1,320.00")
    anna.tap(SEND)
    anna.sees("Somebody changed this at the same time.")
    anna.sees("€660.00")
    assert anna.get(f"/estimates/{estimate}/revisions")["revisions"] == []
    anna.tap(SEND)
    expect(anna.button("Share PDF and message")).to_be_visible()
    [revision] = anna.get(f"/estimates/{estimate}/revisions")["revisions"]
    assert revision["discountPercent"] == 50
    assert None not in revisions


def test_a_client_accepts_with_a_link_and_the_estimate_becomes_an_order(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    open_send(anna, estimate)
    anna.tap(SEND)
    anna.tap("Share the message with the link")
    expect(anna.page.locator(".send-done")).to_have_text("Message shared")
    url = shared_address(anna)
    token = {"Authorization": f"Bearer {url.partition('#')[2]}"}
    with httpx.Client(base_url=f"{anna.url}/api/client", headers=token, trust_env=False, timeout=60) as client:
        anna.sees("Not opened yet")
        client.post("/estimate/opened").raise_for_status()
        client.post("/estimate/comments", json={"name": "Margaret", "text": "By Easter?"}).raise_for_status()
        anna.sees("By Easter?")
        anna.sees("Opened once")
        anna.type("Your answer", "Yes, in March.")
        anna.tap("Answer on the client’s page")
        anna.sees("Yes, in March.")
        shown = client.get("/estimate").json()
        assert [comment["text"] for comment in shown["comments"]] == ["By Easter?", "Yes, in March."]
        yes = {"name": "Margaret", "agreed": True, "signature": {"kind": "typed"}} | {
            "consentId": shown["consent"]["id"]
        }
        client.post("/estimate/accept", json=yes | {"documentHash": shown["documentHash"]}).raise_for_status()
    certificate = anna.page.get_by_role("link", name="Certificate")
    expect(certificate).to_have_attribute("href", re.compile("^/api/decisions/.*/certificate$"))
    # Nothing is left to be sent: the order is the one step.
    expect(anna.page.get_by_text("How does the client get it?")).to_have_count(0)
    expect(anna.button("Share the message with the link")).to_have_count(0)
    anna.tap("Create an order")
    expect(anna.page).to_have_url(re.compile("/orders/"))


def shared_address(person: Craftsperson) -> str:
    """The address in the message that was shared first."""
    (address,) = re.findall(r"http\S+/e/#\S+", person.page.evaluate("window.shared[0].text"))
    return str(address)


def shared_link(person: Craftsperson, estimate: str, **more: Any) -> tuple[Any, httpx.Client]:
    """A link as the app makes it, and a client of its token."""
    toggles = {"breakdown": True, "showMarkup": False, "showDiscount": True, "showRecipient": True}
    body = {"locale": "en", "toggles": toggles | {"showBrandMark": True}, **more}
    made = person.post(f"/estimates/{estimate}/links", body)
    headers = {"Authorization": f"Bearer {made['url'].partition('#')[2]}"}
    client = httpx.Client(base_url=f"{person.url}/api/client", headers=headers, trust_env=False, timeout=60)
    return made["link"], client


def test_revision_two_is_shown_at_the_address_that_the_client_has(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    link, client = shared_link(anna, estimate)
    with client:
        anna.api.patch(f"/estimates/{estimate}", json={"discountPercent": 10}).raise_for_status()
        open_send(anna, estimate)
        # Nobody sees it before that is wanted.
        assert client.get("/estimate").json()["revisionNumber"] == 1
        anna.tap(SEND)
        anna.tap("Share the message with the link")
        expect(anna.page.locator(".send-done")).to_have_text("Message shared")
        shown = client.get("/estimate").json()
    assert (shown["revisionNumber"], shown["state"], shown["sums"]["total"]) == (2, "open", "1188")
    [only] = anna.get(f"/estimates/{estimate}/links")["links"]
    assert (only["id"], only["revisionNumber"]) == (link["id"], 2)


def test_a_link_that_was_taken_back_by_mistake_is_there_again(open_app: OpenApp) -> None:
    anna = open_app()
    anna.keep_offers()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    _, client = shared_link(anna, estimate)
    with client:
        open_send(anna, estimate)
        anna.tap("Withdraw")
        expect(anna.button("Withdraw")).to_have_count(0)
        anna.tap("Undo")
        expect(anna.button("Withdraw")).to_be_visible()
        assert client.get("/estimate").status_code == 200
        anna.tap("Withdraw")
        expect(anna.button("Withdraw")).to_have_count(0)
        # Leaving the page means it.
        anna.open("/estimates")
        anna.until(lambda: client.get("/estimate").status_code == 401)


def test_a_link_that_could_not_be_taken_back_is_shown_as_working(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    _, client = shared_link(anna, estimate)
    with client:
        open_send(anna, estimate)
        anna.tap("Withdraw")
        anna.context.set_offline(True)
        anna.pass_time()
        anna.sees("The link still works.")
        anna.context.set_offline(False)
        # The pictures of the pages have such a button, too, where they cannot be drawn.
        anna.page.locator(".undo-bar").get_by_role("button", name="Try again").click()
        anna.until(lambda: client.get("/estimate").status_code == 401)


def test_a_link_is_taken_back_once_where_the_page_is_left_meanwhile(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    link, client = shared_link(anna, estimate)
    sent: list[Route] = []
    anna.context.route(f"**/api/links/{link['id']}", lambda route: sent.append(route))
    with client:
        open_send(anna, estimate)
        anna.tap("Withdraw")
        expect(anna.button("Withdraw")).to_have_count(0)
        anna.pass_time()
        anna.until(lambda: len(sent) == 1)
        anna.open("/estimates")
        anna.sees("Estimates")
        sent[0].continue_()
        anna.until(lambda: client.get("/estimate").status_code == 401)
    assert [route.request.method for route in sent] == ["DELETE"]


def test_the_address_of_a_link_can_be_had_again(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    _, client = shared_link(anna, estimate)
    client.close()
    open_send(anna, estimate)
    anna.tap("Send the link again")
    anna.tap("Share the message with the link")
    expect(anna.page.locator(".send-done")).to_have_text("Message shared")
    address = shared_address(anna)
    token = {"Authorization": f"Bearer {address.partition('#')[2]}"}
    assert httpx.get(f"{anna.url}/api/client/estimate", headers=token, trust_env=False, timeout=60).status_code == 200


def test_a_question_is_answered_where_the_estimate_is_edited(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    _, client = shared_link(anna, estimate)
    with client:
        client.post("/estimate/comments", json={"name": "Margaret", "text": "By Easter?"}).raise_for_status()
        anna.open(f"/estimates/{estimate}")
        anna.tap("The client’s questions")
        anna.sees("By Easter?")
        anna.type("Your answer", "Yes, in March.")
        anna.tap("Answer on the client’s page")
        anna.sees("Yes, in March.")
        texts = [comment["text"] for comment in client.get("/estimate").json()["comments"]]
    assert texts == ["By Easter?", "Yes, in March."]


def test_an_answer_that_was_not_sent_is_there_again(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    _, client = shared_link(anna, estimate)
    answer = anna.page.get_by_label("Your answer")
    with client:
        client.post("/estimate/comments", json={"name": "Margaret", "text": "By Easter?"}).raise_for_status()
        anna.open(f"/estimates/{estimate}")
        anna.tap("The client’s questions")
        anna.type("Your answer", "Yes, in March.")
        anna.page.keyboard.press("Escape")
        expect(answer).to_have_count(0)
        anna.open(f"/estimates/{estimate}")
        anna.tap("The client’s questions")
        expect(answer).to_have_value("Yes, in March.")
        anna.tap("Answer on the client’s page")
        anna.page.get_by_text("Answer once more").click()
        expect(answer).to_have_value("")


def lose_reads_after(person: Craftsperson, write: str) -> None:
    """Once the write has arrived, every read fails; `unroute_all` ends that."""
    written: list[str] = []

    def route(each: Route) -> None:
        if written and each.request.method == "GET":
            each.fulfill(status=503, headers={"X-Request-Id": "1"})
        else:
            written.extend([write] if each.request.url.endswith(write) else [])
            each.continue_()

    person.page.route("**/api/**", route)


def test_what_is_done_on_the_page_of_sending_is_done_once_where_what_follows_cannot_be_read(open_app: OpenApp) -> None:
    anna = open_app()
    anna.expects(503)
    estimate = estimate_of(anna)
    open_send(anna, estimate)
    lose_reads_after(anna, "/confirm")
    anna.tap(SEND)
    expect(anna.page.locator(".foot [role=alert]")).to_be_visible()
    anna.page.unroute_all()
    anna.tap(SEND)
    expect(anna.button("Share the message with the link")).to_be_visible()
    [link] = anna.get(f"/estimates/{estimate}/links")["links"]
    assert [link["revisionNumber"]] == [
        each["revisionNumber"] for each in anna.get(f"/estimates/{estimate}/revisions")["revisions"]
    ]
    _, client = shared_link(anna, estimate)
    with client:
        client.post("/estimate/comments", json={"name": "Margaret", "text": "When?"}).raise_for_status()
    anna.open(f"/estimates/{estimate}/send")
    anna.sees("When?")
    anna.page.wait_for_load_state("networkidle")
    anna.type("Your answer", "In March.")
    lose_reads_after(anna, "/comments")
    anna.tap("Answer on the client’s page")
    anna.page.get_by_text("Answer once more").click()
    expect(anna.page.get_by_label("Your answer")).to_have_value("")
    anna.sees("In March.")
    anna.page.unroute_all()
    lose_reads_after(anna, "/decisions")
    anna.tap("Record the client’s answer")
    anna.tap("Accepted")
    expect(anna.page.get_by_role("dialog")).to_have_count(0)
    anna.sees("revision 1 · In person")
    comments = anna.get(f"/estimates/{estimate}/comments")["comments"]
    assert sorted(each["author"] for each in comments) == ["client", "workshop"]
    assert len(anna.get(f"/estimates/{estimate}/decisions")["decisions"]) == 1


def test_why_a_press_failed_stays_where_the_page_opens_after_it(open_app: OpenApp) -> None:
    anna = open_app()
    anna.expects(503)
    estimate = estimate_of(anna)
    held: list[Route] = []
    anna.page.route("**/handoffs", lambda route: held.append(route))
    open_send(anna, estimate)
    expect(anna.button(SEND)).to_be_enabled()
    anna.page.route("**/links", lambda route: route.fulfill(status=503, headers={"X-Request-Id": "1"}))
    anna.tap(SEND)
    problem = anna.page.locator(".foot [role=alert]")
    expect(problem).to_be_visible()
    anna.until(lambda: len(held) == 1)
    held[0].continue_()
    anna.page.wait_for_load_state("networkidle")
    expect(problem).to_be_visible()


def test_an_answer_in_person_is_noted_and_taken_back_with_a_reason(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    open_send(anna, estimate)
    anna.tap("Record the client’s answer")
    anna.tap("Accepted")
    anna.sees("revision 1 · In person")
    anna.page.get_by_text("That is not right").click()
    anna.type("Reason", "That was another estimate")
    anna.tap("Withdraw the decision")
    anna.sees("Accepted, decision withdrawn: That was another estimate")
    [decision] = anna.get(f"/estimates/{estimate}/decisions")["decisions"]
    assert (decision["method"], decision["name"]) == ("in_person", "Margaret")
    expect(anna.button("Record the client’s answer")).to_be_visible()


def test_confirming_while_the_address_is_saved_is_no_change_by_somebody_else(open_app: OpenApp) -> None:
    """The address that was just typed is saved with the confirmation, and the page hears of its own change later."""
    anna = open_app()
    estimate = estimate_of(anna)
    anna.page.route("**/api/events*", lambda route: route.abort())
    confirmed: list[int] = []
    anna.page.on("response", lambda each: confirmed.extend([each.status] if each.url.endswith("/confirm") else []))
    open_send(anna, estimate)
    expect(anna.button(SEND)).to_be_enabled()
    anna.page.get_by_text("Email, phone and address").click()
    email = anna.page.get_by_label("Email", exact=True)
    email.fill("aoife@client.example")
    # As in a browser that leaves the focus in the field.
    expect(email).to_be_focused()
    anna.button(SEND).evaluate("(button) => button.click()")
    expect(anna.button("Share the message with the link")).to_be_visible()
    [revision] = anna.get(f"/estimates/{estimate}/revisions")["revisions"]
    assert revision["revisionNumber"] == 1
    assert anna.get(f"/estimates/{estimate}/document")["recipientEmail"] == "aoife@client.example"
    # Not refused first: the page knows that what it has saved makes the estimate's tag another.
    assert confirmed == [201]


def test_the_last_emails_with_links_are_counted_down(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    anna.api.post(f"/estimates/{estimate}/confirm").raise_for_status()
    anna.post(f"/estimates/{estimate}/links", {"locale": "en"})
    left = [11, 10]

    def mail(route: Route) -> None:
        sent = route.fetch()
        limit = f'"links";r={left.pop(0)};t=3600, "mailbox";r=1;t=60'
        route.fulfill(response=sent, headers={**sent.headers, "ratelimit": limit})

    anna.page.route("**/mail", mail)
    open_send(anna, estimate)
    for is_named in (False, True):
        anna.tap("Email the link")
        anna.page.get_by_label("Email").filter(visible=True).last.fill(f"client.{estimate}@example.com")
        anna.tap("Send the email")
        anna.sees("The link is on its way")
        expect(anna.page.get_by_text("that you can send for now: 10")).to_have_count(int(is_named))


def test_why_confirming_was_refused_stands_at_its_button(open_app: OpenApp) -> None:
    anna = open_app()
    estimate = estimate_of(anna)
    changes = [50]

    def change_before(route: Route) -> None:
        """Somebody else is faster."""
        if changes:
            body = {"discountPercent": changes.pop()}
            anna.api.patch(f"/estimates/{estimate}", json=body).raise_for_status()
        route.continue_()

    anna.page.route("**/confirm", change_before)
    open_send(anna, estimate)
    anna.tap(SEND)
    expect(anna.page.locator(".foot [role=alert]")).to_contain_text("Somebody changed this at the same time")
    anna.sees("€660.00")
    assert anna.get(f"/estimates/{estimate}/revisions")["revisions"] == []
    anna.tap(SEND)
    expect(anna.button("Share the message with the link")).to_be_visible()
    expect(anna.page.locator(".foot [role=alert]")).to_have_count(0)


def test_an_estimate_is_found_among_others_of_the_same_name(open_app: OpenApp) -> None:
    """The list has the latest changed first; this one is not among the first page of those with its name."""
    anna = open_app()
    estimate = estimate_of(anna)
    anna.post(f"/estimates/{estimate}/confirm", None)
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url))
    open_send(anna, estimate)
    expect(anna.button(SEND)).to_be_visible()
    anna.until(lambda: any(f"/estimate-summaries?estimateId={estimate}" in each for each in asked))
