"""What is owed on a phone: collected asks how it is paid, and what is left for later is seen until it is paid."""

import re
from collections.abc import Callable

import pytest

from tests.web.app.craftspeople import Craftsperson, expect

OpenApp = Callable[..., Craftsperson]


def ready_order(person: Craftsperson, amount: float = 55, currency: str = "EUR") -> str:
    """An order that is ready to be collected, at a price; its id."""
    settings = f"/workshops/{person.workshop}/document-settings"
    person.api.put(settings, json={**person.get(settings), "currency": currency}).raise_for_status()
    order = {"title": "Ring, two claws", "customerName": "Ewa Nowak"}
    created = person.api.post(f"/workshops/{person.workshop}/orders", json=order).json()
    if amount:
        person.api.put(f"/orders/{created['id']}/agreed", json={"amount": amount}).raise_for_status()
    person.api.patch(f"/orders/{created['id']}/status", json={"status": "done"}).raise_for_status()
    return str(created["id"])


def is_collected(person: Craftsperson, order_id: str) -> bool:
    return "collectedAt" in person.get(f"/orders/{order_id}/details")


def press_collected(person: Craftsperson, place: str, order_id: str, label: str = "Collected") -> None:
    """At once: what is due may not be there yet."""
    if place == "ticket":
        person.open()
        person.page.get_by_role("tab", name=re.compile("Ready|Gotowe")).click()
        person.page.locator(".ticket").get_by_role("button", name=re.compile(f"^{label}")).click()
    else:
        person.open(f"/orders/{order_id}")
        person.page.get_by_role("button", name=label, exact=True).click()


@pytest.mark.parametrize("place", ["ticket", "page"])
@pytest.mark.parametrize("is_offline", [False, True], ids=["online", "offline"])
def test_collected_records_what_is_due_and_the_collection_in_two_taps(
    open_app: OpenApp, place: str, is_offline: bool
) -> None:
    anna = open_app()
    order_id = ready_order(anna)
    press_collected(anna, place, order_id)
    dialog = anna.page.get_by_role("dialog", name="€55.00 still to pay")
    expect(dialog.get_by_role("button")).to_have_text(["", "Cash", "Card", "Bank transfer", "Later"])
    anna.context.set_offline(is_offline)
    dialog.get_by_role("button", name="Card").click()
    anna.was_offered("Recorded: €55.00")
    anna.context.set_offline(False)
    anna.until_sent(lambda: is_collected(anna, order_id))
    (payment,) = anna.get(f"/orders/{order_id}/payments")["payments"]
    assert (payment["kind"], payment["amount"], payment["method"]) == ("payment", 55, "card")
    assert anna.get(f"/workshops/{anna.workshop}/inbox")["items"] == []


def test_both_are_taken_back_with_one_tap(open_app: OpenApp) -> None:
    anna = open_app()
    anna.keep_offers()
    order_id = ready_order(anna)
    press_collected(anna, "ticket", order_id)
    anna.tap("Cash")
    anna.tap("Undo")
    anna.page.locator(".ticket").get_by_role("button", name=re.compile("^Collected")).click()
    expect(anna.page.get_by_role("dialog", name="€55.00 still to pay")).to_be_visible()
    assert anna.get(f"/orders/{order_id}/payments")["payments"] == []
    assert not is_collected(anna, order_id)


def test_nothing_due_is_not_asked(open_app: OpenApp) -> None:
    anna = open_app()
    order_id = ready_order(anna, 0)
    press_collected(anna, "ticket", order_id)
    anna.until_sent(lambda: is_collected(anna, order_id))
    expect(anna.page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en", "pl"])
def test_later_leaves_it_owed_where_it_is_seen(open_app: OpenApp, locale: str) -> None:
    anna = open_app(locale)
    collected, later, owed, sum_, reminds, numbers = {
        "en": ("Collected", "Later", "Not paid yet", "€1,055.00", "Remind", "{} is owed by 1 customer."),
        "pl": ("Odebrane", "Później", "Jeszcze nieopłacone", "1\u00a0055,00\u00a0€", "Przypomnij",
            "Z zapłatą {} zalega 1 klient."),
    }[locale]  # fmt: skip
    order_id = ready_order(anna, 1055)
    press_collected(anna, "ticket", order_id, collected)
    anna.tap(later)
    anna.until_sent(lambda: is_collected(anna, order_id))
    # After a reload, too.
    anna.open()
    expect(anna.page.locator(".inbox-line")).to_contain_text(owed)
    expect(anna.page.locator(".inbox-line")).to_contain_text(sum_)
    anna.page.get_by_role("tab", name=re.compile("Ready|Gotowe")).click()
    expect(anna.page.locator(".ticket")).to_contain_text(sum_)
    anna.open("/inbox")
    row = anna.page.locator(".inbox-row")
    expect(row).to_contain_text(owed)
    row.get_by_role("button", name=reminds).click()
    body = anna.page.get_by_role("dialog").get_by_role("textbox")
    expect(body).to_have_value(re.compile(re.escape(sum_)))
    anna.open("/shop/numbers")
    anna.tap(numbers.format(sum_), role="link")
    expect(anna.page.get_by_role("link", name="Ring, two claws")).to_contain_text(["Ewa Nowak"])
    expect(anna.page.get_by_role("link", name="Ring, two claws")).to_contain_text([sum_])
    anna.tap("Ring, two claws", role="link")
    anna.page.wait_for_url(f"**/orders/{order_id}")
    anna.api.post(f"/orders/{order_id}/payments", json={"kind": "payment", "amount": 1055, "method": "cash"})
    anna.open()
    expect(anna.page.locator(".inbox-line")).to_contain_text(re.compile("All done|Wszystko"))


def test_zloty_may_be_paid_by_blik(open_app: OpenApp) -> None:
    anna = open_app()
    order_id = ready_order(anna, 80, "PLN")
    press_collected(anna, "page", order_id)
    anna.tap("BLIK")
    anna.until_sent(lambda: is_collected(anna, order_id))
    assert anna.get(f"/orders/{order_id}/payments")["payments"][0]["method"] == "blik"
