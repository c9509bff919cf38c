"""Payments on a phone: two taps for what is due, also without a connection; the code that a customer scans."""

import io
import re
from collections.abc import Callable

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Locator, Route

from tests.web.app.craftspeople import Craftsperson, expect

OpenApp = Callable[..., Craftsperson]
IBAN = "PL61109010140000071219812874"


def set_up(person: Craftsperson, currency: str = "EUR") -> str:
    """An order with a price of 120, due today; its id."""
    settings = f"/workshops/{person.workshop}/document-settings"
    known = person.get(settings)
    link = "https://pay.example/{number}?a={amount}"
    changed = {**known, "currency": currency, "iban": IBAN, "paymentLink": link}
    person.api.put(settings, json=changed).raise_for_status()
    created = person.api.post(f"/workshops/{person.workshop}/orders", json={"title": "Ring, two claws"}).json()
    person.api.put(f"/orders/{created['id']}/agreed", json={"amount": 120}).raise_for_status()
    return str(created["id"])


@pytest.mark.parametrize("locale", ["en", "pl"])
def test_a_payment_takes_two_taps_and_is_recorded_once_without_a_connection(open_app: OpenApp, locale: str) -> None:
    anna = open_app(locale)
    words = {
        "en": ("Add payment", "Record €120.00", "paid", "Void", "Reason", "€120.00 to pay"),
        "pl": ("Dodaj wpłatę", "Zapisz 120,00 €", "opłacone", "Anuluj", "Powód", "120,00 € do zapłaty"),
    }[locale]
    add, save, settled, void, reason, due = words
    order_id = set_up(anna)
    anna.open(f"/orders/{order_id}")
    anna.sees(due)
    anna.context.set_offline(True)
    before = anna.taps
    anna.tap(add)
    anna.tap(save.replace(" €", "\u00a0€"))
    assert anna.taps - before == 2
    expect(anna.page.locator(".order-due")).to_have_text(settled)
    anna.context.set_offline(False)
    path = f"/orders/{order_id}/payments"
    anna.until(lambda: len(anna.get(path)["payments"]) == 1)
    assert anna.get(f"/orders/{order_id}/balance")["due"] == 0
    expect(anna.page.get_by_role("button", name=void, exact=True)).to_be_visible()
    anna.tap(void, exact=True)
    anna.page.get_by_label(reason).fill("Typed twice")
    anna.page.get_by_role("dialog").get_by_role("button", name=void, exact=True).click()
    anna.until(lambda: anna.get(f"/orders/{order_id}/balance")["due"] == 120)
    anna.sees(due)
    assert len(anna.get(path)["payments"]) == 1


def test_a_payment_is_proposed_as_far_as_what_is_due_is_known(open_app: OpenApp) -> None:
    """By what the board says, until the balance is read; what was typed stays."""
    anna = open_app()
    order_id = set_up(anna)
    anna.open()
    anna.sees("Ring, two claws")
    waiting: list[Route] = []
    is_read = False
    anna.page.route(
        f"**/api/orders/{order_id}/balance",
        lambda route: route.continue_() if is_read else waiting.append(route),
    )
    anna.page.get_by_role("link", name="Ring, two claws").click()
    anna.until(lambda: bool(waiting))
    anna.sees("€120.00 to pay")
    anna.tap("Add payment")
    expect(anna.button("Record €120.00")).to_be_visible()
    expect(anna.button("Record €120.00")).not_to_have_attribute("data-final", "")
    # Somebody else takes a part of it meanwhile.
    body = {"kind": "payment", "amount": 50, "method": "cash", "receivedOn": "2026-11-02"}
    anna.post(f"/orders/{order_id}/payments", body)
    is_read = True
    for route in waiting:
        route.continue_()
    # Another sum than the one that was seen takes no press at once.
    expect(anna.button("Record €70.00")).to_have_attribute("data-final", "")
    anna.type("Amount", "20")
    anna.post(f"/orders/{order_id}/payments", body | {"amount": 10})
    expect(anna.page.get_by_role("dialog")).to_be_visible()
    expect(anna.button("Record €20.00")).to_be_visible()
    anna.tap("Record €20.00")
    anna.until(lambda: anna.get(f"/orders/{order_id}/balance")["due"] == 40)


def codes_of(person: Craftsperson, shown: Locator) -> dict[str, str]:
    """What an independent reader finds on pictures of the element, on a phone that is light and on one that is dark."""
    found = {}
    for scheme in ("light", "dark"):
        person.page.emulate_media(color_scheme=scheme)
        found[scheme] = read_code(shown)
    return found


def read_code(shown: Locator) -> str:
    expect(shown).to_be_visible()
    # A picture has its place on the screen before its file has arrived.
    shown.evaluate("async (shown) => { if (shown instanceof HTMLImageElement) await shown.decode(); }")
    picture = Image.open(io.BytesIO(shown.screenshot())).convert("L")
    (code,) = zxingcpp.read_barcodes(memoryview(picture.tobytes()).cast("B", (picture.height, picture.width)))
    return str(code.text)


def late(route: Route) -> None:
    """After everything that stands around it, as on a slow phone."""
    route.request.frame.page.wait_for_timeout(300)
    route.continue_()


def test_the_code_is_read_from_the_screen_of_the_app_and_from_the_page_of_the_order(open_phone: OpenApp) -> None:
    anna = open_phone()
    order_id = set_up(anna, "PLN")
    anna.post(f"/orders/{order_id}/payments", {"kind": "deposit", "amount": 20.01, "method": "blik"})
    anna.page.route("**/payment-code*", late)
    anna.open()
    expect(anna.page.locator(".ticket")).to_contain_text(re.compile("to pay.*99.99"))
    anna.open(f"/orders/{order_id}")
    anna.tap("Code to pay")
    expected = "|PL|61109010140000071219812874|009999|"
    codes = codes_of(anna, anna.page.get_by_alt_text("QR code for a bank transfer"))
    assert all(expected in code for code in codes.values()), codes
    anna.sees("PL61 1090 1014 0000 0712 1981 2874")
    url = anna.get(f"/orders/{order_id}/status-link")["url"]
    anna.context.clear_cookies()
    anna.page.goto(url)
    expect(anna.page.get_by_role("heading", name="Still to pay")).to_be_visible()
    anna.sees("PLN\u00a099.99")
    codes = codes_of(anna, anna.page.get_by_role("img", name="QR code for a bank transfer"))
    assert all(expected in code for code in codes.values()), codes
    link = anna.page.get_by_role("link", name="Pay online")
    assert link.get_attribute("href") == "https://pay.example/1?a=99.99"


def test_the_numbers_are_statements_that_lead_to_their_lists(open_app: OpenApp) -> None:
    anna = open_app()
    order_id = set_up(anna)
    anna.post(f"/orders/{order_id}/payments", {"kind": "payment", "amount": 45.5, "method": "cash"})
    anna.open("/shop")
    anna.page.get_by_role("link", name=re.compile("^Numbers")).click()
    anna.sees("Received this month: €45.50")
    anna.sees("No estimate is waiting for an answer.")
    anna.sees("No order is late.")
    table = anna.page.get_by_role("table", name="Agreed and received by month")
    expect(table.get_by_role("row").nth(1)).to_contain_text(re.compile("€120.00.*€45.50"))
    anna.tap("Received this month", role="link")
    anna.sees("Payment · Cash")
    anna.tap("Ring, two claws", role="link")
    anna.sees("€74.50 to pay")


def test_each_list_can_be_had_for_a_spreadsheet(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    anna.open("/shop/numbers")
    links = anna.page.locator("main a[download]")
    expect(links).to_have_count(6)
    for link in links.all():
        address = link.get_attribute("href") or ""
        assert anna.api.get(f"{anna.url}{address}").raise_for_status().headers["content-type"].startswith("text/csv")
