"""Invoices on a phone: made at the order, issued once, corrected, listed, and read without a connection."""

import re
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Route

from tests.web.app.craftspeople import Craftsperson, expect

OpenApp = Callable[..., Craftsperson]
NIP = "5252248481"


def set_up(person: Craftsperson, *, tax_id: str | None = None) -> str:
    """An accepted order of 1,230 for a customer, with a deposit of 30 %; its id."""
    settings = f"/workshops/{person.workshop}/document-settings"
    own = {"currency": "PLN", "country": "PL", "taxPercent": 23, "taxId": "5272527252", "address": "ul. Młyńska 14"}
    person.api.put(settings, json={**person.get(settings), **own}).raise_for_status()
    card = {"name": "Meblex", "kind": "company"} | ({} if tax_id is None else {"taxId": tax_id})
    customer = person.post("/workshops/{workshop}/customers", card)
    lines = [{"id": "top", "label": "Oak top", "unit": "piece", "unitPrice": 500, "quantity": 2}]
    estimate = person.post(
        "/workshops/{workshop}/estimates",
        {"name": "Oak table", "recipientName": "Meblex", "lineItems": lines, "document": {"depositPercent": 30}},
    )
    person.post(f"/estimates/{estimate['id']}/confirm", {})
    decision = {"outcome": "accepted", "revisionNumber": 1, "method": "phone", "name": "Meblex"}
    person.post(f"/estimates/{estimate['id']}/decisions", decision)
    order = person.post(f"/estimates/{estimate['id']}/orders", {})
    person.api.patch(f"/orders/{order['id']}/details", json={"customerId": customer["id"]}).raise_for_status()
    return str(order["id"])


def invoices_of(person: Craftsperson, order_id: str) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], person.get(f"/orders/{order_id}/invoices")["invoices"])


def dialog(person: Craftsperson) -> Locator:
    return person.page.get_by_role("dialog")


def issue(person: Craftsperson) -> None:
    person.tap("Issue", exact=True)
    dialog(person).get_by_role("button", name="Issue", exact=True).click()


def test_an_invoice_is_made_at_the_order_issued_and_corrected(open_app: OpenApp) -> None:
    anna = open_app()
    order_id = set_up(anna)
    anna.open(f"/orders/{order_id}")
    anna.tap("Make the invoice")
    anna.sees("z\u0142\u00a01,230.00")
    anna.page.get_by_text("Company", exact=True).click()
    anna.sees("the buyer’s tax number")
    anna.type("Tax number", "5252248482")
    anna.page.keyboard.press("Tab")
    anna.sees("There is a typing error in this NIP.")
    anna.type("Tax number", NIP)
    anna.page.keyboard.press("Tab")
    anna.does_not_see("the buyer’s tax number")
    # Asked once: the card of the customer has it from then on.
    anna.until(lambda: anna.get("/workshops/{workshop}/customers")["customers"][0].get("taxId") == NIP)
    anna.tap("Issue", exact=True)
    expect(dialog(anna)).to_contain_text("can never be changed")
    dialog(anna).get_by_role("button", name="Issue", exact=True).dblclick()
    number = f"FV 1/{anna.page.evaluate('new Date().getFullYear()')}"
    expect(anna.page.get_by_role("heading", level=1)).to_have_text(number)
    (issued,) = invoices_of(anna, order_id)
    assert (issued["state"], issued["number"], issued["buyer"]["taxId"]) == ("issued", number, NIP)
    # Not drawn by the browser, whose viewer takes longer than all else.
    anna.page.evaluate("window.open = (address) => { window.opened = address; return null; }")
    anna.tap("Show the PDF")
    assert urlsplit(anna.page.evaluate("window.opened")).path == f"/api/invoices/{issued['id']}/pdf"
    pdf = anna.api.get(f"/invoices/{issued['id']}/pdf").raise_for_status()
    assert pdf.content.startswith(b"%PDF")
    anna.page.get_by_text("Files for programs").click()
    anna.sees("Nothing is sent from here")
    with anna.page.expect_download() as saved:
        anna.tap("FA(3), for KSeF")
    assert b"<Faktura" in saved.value.path().read_bytes()
    anna.tap("Correct it")
    anna.type("What was wrong?", "2 tops")
    anna.type("How should it be?", "1 top")
    anna.tap("Make the correction")
    anna.sees("2 tops → 1 top")
    anna.page.locator(".invoice-line").first.click()
    dialog(anna).get_by_label("Quantity").fill("1")
    dialog(anna).get_by_role("button", name="Done").click()
    expect(anna.page.locator(".due-sum")).to_contain_text(re.compile("Difference.*615.00"))
    issue(anna)
    expect(anna.page.get_by_role("heading", level=1)).to_have_text(re.compile("^KOR 1"))
    anna.tap(f"Corrects {number}", role="link")
    anna.page.get_by_role("link", name=re.compile(r"^KOR\s1")).click()
    anna.open("/shop")
    anna.page.get_by_role("link", name=re.compile("^Invoices")).click()
    rows = anna.page.locator(".link-row")
    # What waits for money comes first.
    expect(rows).to_have_text([re.compile(r"^FV\s1.*615.00.*to pay"), re.compile(r"^KOR\s1")])
    anna.page.get_by_text("To pay", exact=True).click()
    expect(rows).to_have_count(1)


def test_an_advance_comes_off_the_final_invoice(open_app: OpenApp) -> None:
    anna = open_app()
    order_id = set_up(anna, tax_id=NIP)
    anna.open(f"/orders/{order_id}")
    anna.tap("Invoice an advance")
    amount = dialog(anna).get_by_label("Amount with tax")
    # As the estimate asks for it.
    expect(amount).to_have_value("369")
    amount.fill("300")
    anna.tap("Make a draft")
    anna.tap("Issue", exact=True)
    # A year that was typed in part is not dropped in silence.
    for day in ("0026-11-30", ""):
        dialog(anna).get_by_label("Date of issue").fill(day)
        expect(dialog(anna).get_by_role("button", name="Issue", exact=True)).to_be_disabled()
    dialog(anna).get_by_label("Date of issue").fill("2026-11-30")
    dialog(anna).get_by_role("button", name="Issue", exact=True).click()
    expect(anna.page.get_by_role("heading", level=1)).to_have_text(re.compile("^ZAL 1/"))
    anna.tap("Back")
    anna.tap("Make the final invoice")
    expect(anna.page.locator(".money-sums").first).to_contain_text(re.compile("Advance ZAL 1/.*300.00.*Total.*930.00"))
    issue(anna)
    expect(anna.page.get_by_role("heading", level=1)).to_have_text(re.compile("^FK 1/"))
    assert sum(one["total"] for one in invoices_of(anna, order_id)) == 1230


def test_an_order_without_an_estimate_has_one_line_with_the_agreed_price(open_app: OpenApp) -> None:
    anna = open_app()
    set_up(anna)
    order = anna.post("/workshops/{workshop}/orders", {"title": "Chair reglued"})
    anna.api.put(f"/orders/{order['id']}/agreed", json={"amount": 123}).raise_for_status()
    anna.api.patch(f"/orders/{order['id']}/status", json={"status": "done"}).raise_for_status()
    anna.open(f"/orders/{order['id']}")
    # Its price is loaded.
    anna.sees("without an estimate")
    # The draft may be read once more while it is deleted.
    anna.expects(404, "/invoices/")
    anna.tap("Make the invoice")
    expect(anna.page.locator(".due-sum")).to_contain_text("123.00")
    anna.page.locator(".invoice-line").first.click()
    dialog(anna).get_by_label("Price without tax").fill("80")
    dialog(anna).get_by_role("button", name="Done").click()
    expect(anna.page.locator(".due-sum")).to_contain_text("98.40")
    # The server sums up: until then there is no sum, rather than that of other lines.
    anna.context.set_offline(True)
    anna.page.locator(".invoice-line").first.click()
    dialog(anna).get_by_label("Price without tax").fill("90")
    dialog(anna).get_by_role("button", name="Done").click()
    expect(anna.page.locator(".due-sum")).to_have_text("Total…")
    anna.context.set_offline(False)
    expect(anna.page.locator(".due-sum")).to_contain_text("110.70")
    anna.tap("Delete the draft")
    anna.was_offered("Draft deleted")
    anna.until_sent(lambda: invoices_of(anna, order["id"]) == [])


def test_lines_whose_answer_was_lost_are_saved_and_those_of_two_people_are_a_choice(open_app: OpenApp) -> None:
    anna = open_app()
    anna.keep_offers()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Chair"})
    line = {"label": "Oak top", "unit": "piece", "quantity": 1, "unitPrice": 50}
    invoice = anna.post(f"/orders/{order['id']}/invoices", {"kind": "invoice", "lines": [line]})["id"]
    anna.open(f"/invoices/{invoice}")
    preview = anna.button("Preview")
    lost: list[str] = []

    def lose_the_first(route: Route) -> None:
        if route.request.method != "PATCH" or lost:
            return route.continue_()
        lost.append(route.request.url)
        route.fetch()
        return route.abort()

    anna.page.route(f"**/invoices/{invoice}", lose_the_first)
    anna.page.locator(".invoice-line").first.click()
    dialog(anna).get_by_label("Quantity").fill("2")
    dialog(anna).get_by_role("button", name="Done").click()
    expect(anna.page.locator(".due-sum")).to_contain_text("100.00")
    expect(preview).to_be_enabled()
    assert lost
    anna.context.set_offline(True)
    anna.page.locator(".invoice-line").first.click()
    dialog(anna).get_by_label("Quantity").fill("3")
    dialog(anna).get_by_role("button", name="Done").click()
    anna.api.patch(f"/invoices/{invoice}", json={"lines": [line | {"label": "Ash top"}]}).raise_for_status()
    anna.context.set_offline(False)
    expect(anna.page.locator("main .conflict")).to_contain_text("Yours: Oak top: 3 pcs × 50")
    anna.tap("Somebody else: Ash top: 1 pc × 50")
    expect(anna.page.locator(".due-sum")).to_contain_text("50.00")


def test_an_error_is_explained_in_words(open_app: OpenApp) -> None:
    anna = open_app()
    anna.expects(409, "/issue")
    order_id = set_up(anna, tax_id=NIP)
    drafts = [anna.post(f"/orders/{order_id}/invoices", {"kind": "invoice"}) for _ in range(2)]
    anna.post(f"/invoices/{drafts[0]['id']}/issue", {})
    anna.open(f"/invoices/{drafts[1]['id']}")
    issue(anna)
    anna.sees("There is an invoice for this order already.")
    assert [one["state"] for one in invoices_of(anna, order_id)] == ["draft", "issued"]


def test_a_correction_that_would_undo_another_begins_again(open_app: OpenApp) -> None:
    anna = open_app()
    anna.expects(409, "/issue")
    order = anna.post("/workshops/{workshop}/orders", {"title": "Chair"})
    line = {"label": "Oak top", "unit": "piece", "quantity": 3, "unitPrice": 100}
    body = {"kind": "invoice", "lines": [line], "buyer": {"name": "Meblex"}}
    invoice = anna.post(f"/orders/{order['id']}/invoices", body)
    anna.post(f"/invoices/{invoice['id']}/issue", {})
    drafts = [anna.post(f"/invoices/{invoice['id']}/corrections", {"reason": "3 → 2"})["id"] for _ in range(2)]
    anna.open(f"/invoices/{drafts[1]}")
    anna.type("Name", "Meblex S.A.")
    anna.page.keyboard.press("Tab")
    anna.until(lambda: anna.get(f"/invoices/{drafts[1]}")["buyer"]["name"] == "Meblex S.A.")
    anna.api.patch(f"/invoices/{drafts[0]}", json={"lines": [line | {"quantity": 2}]}).raise_for_status()
    anna.post(f"/invoices/{drafts[0]}/issue", {})
    # It would bring a piece back.
    expect(anna.page.locator(".money-sums").first).to_contain_text(re.compile("Before.*200.00.*Difference.*100.00"))
    issue(anna)
    anna.sees("this one would undo it")
    dialog(anna).get_by_role("button", name="Start again").click()
    expect(dialog(anna)).to_have_count(0)
    expect(anna.page.get_by_label("Name", exact=True)).to_have_value("Meblex")
    expect(anna.page.locator(".money-sums").first).to_contain_text(re.compile("Before.*200.00.*Difference.*0.00"))
    issue(anna)
    expect(anna.page.get_by_role("heading", level=1)).to_have_text(re.compile("^KOR 2|^COR 2"))


@pytest.mark.parametrize("locale", ["en", "pl"])
def test_without_a_connection_invoices_are_read_and_not_issued(open_app: OpenApp, locale: str) -> None:
    anna = open_app(locale)
    title, of_order, draft, needs, issue_it = {
        "en": ("Invoices", "Make the invoice", "Invoice", "issuing needs a connection", "Issue"),
        "pl": ("Faktury", "Zrób fakturę", "Faktura", "do wystawienia potrzebne jest połączenie", "Wystaw"),
    }[locale]
    order_id = set_up(anna, tax_id=NIP)
    anna.open(f"/orders/{order_id}")
    anna.tap(of_order)
    expect(anna.page.get_by_role("button", name=issue_it, exact=True)).to_be_enabled()
    anna.open("/shop")
    anna.page.get_by_role("link", name=re.compile(f"^{title}")).click()
    row = anna.page.locator(".link-row")
    expect(row).to_contain_text("Meblex")
    anna.page.wait_for_load_state("networkidle")
    anna.context.set_offline(True)
    row.click()
    expect(anna.page.get_by_role("heading", level=1)).to_have_text(draft)
    anna.sees("Oak top")
    anna.sees(needs)
    expect(anna.page.get_by_role("button", name=issue_it, exact=True)).to_be_disabled()
    anna.context.set_offline(False)
    expect(anna.page.get_by_role("button", name=issue_it, exact=True)).to_be_enabled()


def test_what_is_not_paid_in_time_waits_in_the_inbox_under_its_own_number(open_app: OpenApp) -> None:
    anna = open_app()
    set_up(anna)
    order_id = anna.post("/workshops/{workshop}/orders", {"title": "Chair"})["id"]
    line = {"label": "Oak top", "unit": "piece", "quantity": 1, "unitPrice": 100}
    body = {"kind": "invoice", "lines": [line], "buyer": {"name": "Meblex"}, "dueDate": "2026-01-02"}
    draft = anna.post(f"/orders/{order_id}/invoices", body)
    anna.post(f"/invoices/{draft['id']}/issue", {})
    anna.post(f"/orders/{order_id}/payments", {"kind": "payment", "amount": 120, "method": "cash"})
    correction = anna.post(f"/invoices/{draft['id']}/corrections", {"reason": "1 → 3"})
    changed = {"lines": [line | {"quantity": 3}], "dueDate": "2026-01-03"}
    anna.api.patch(f"/invoices/{correction['id']}", json=changed).raise_for_status()
    number = anna.post(f"/invoices/{correction['id']}/issue", {})["number"]
    anna.open("/inbox")
    rows = anna.page.locator(".inbox-row")
    expect(rows).to_have_text([re.compile("246.00"), re.compile(r"\b3.00")])
    rows.first.get_by_role("link", name="Meblex").click()
    expect(anna.page.get_by_role("heading", level=1)).to_have_text(number)
    anna.sees("overdue")
    # The day by which the difference is to be paid.
    expect(anna.page.locator(".money-sums").first).to_contain_text(re.compile("Pay by.*3 Jan"))
    expect(anna.page.locator(".money-sums").last).to_contain_text(re.compile("Difference.*246.00.*To pay.*246.00"))


def test_the_settings_have_the_numbers_of_invoices(open_app: OpenApp) -> None:
    anna = open_app()
    set_up(anna)
    anna.open("/shop/documents")
    anna.page.get_by_text("Numbers of invoices").click()
    field = anna.page.get_by_label("Invoice", exact=True)
    expect(field).to_have_attribute("placeholder", "FV {n}/{year}")
    field.fill("F/{n}/{month}/{year}")
    anna.type("Pay within (days)", "7")
    anna.type("Why no tax is charged", "art. 113")
    anna.page.keyboard.press("Tab")

    def saved() -> bool:
        found = anna.get("/workshops/{workshop}/document-settings")
        expected = ({"invoice": "F/{n}/{month}/{year}"}, 7, "art. 113")
        return tuple(found.get(name) for name in ("invoiceNumbers", "paymentDays", "exemptReason")) == expected

    anna.until(saved)


def test_a_workshop_with_issued_invoices_is_deleted_once_there_is_a_copy(open_app: OpenApp) -> None:
    anna = open_app()
    anna.expects(409, "/workshops/")
    # What the page was just reading of it.
    anna.expects(404, "/workshops/")
    order_id = set_up(anna, tax_id=NIP)
    draft = anna.post(f"/orders/{order_id}/invoices", {"kind": "invoice"})
    anna.post(f"/invoices/{draft['id']}/issue", {})
    name = anna.get("/workshops")["workshops"][0]["name"]
    anna.open("/shop")
    anna.tap("Delete this workshop")
    dialog(anna).get_by_role("textbox").fill(name)
    press = dialog(anna).locator(".sheet-foot button")
    press.click()
    copied = dialog(anna).get_by_role("switch")
    expect(copied).to_be_visible()
    assert len(anna.get("/workshops")["workshops"]) == 1
    copied.check()
    press.click()
    anna.until(lambda: anna.get("/workshops")["workshops"] == [])
