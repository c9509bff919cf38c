"""Customers on a phone: made and found without a connection, merged with undo, erased with what stays."""

import re
from collections.abc import Callable

from playwright.sync_api import Route

from tests.web.app.craftspeople import Craftsperson, expect


def test_a_customer_is_made_offline_and_found_with_three_taps_for_the_next_order(
    open_app: Callable[..., Craftsperson],
) -> None:
    anna = open_app()
    anna.post("/workshops/{workshop}/customers", {"name": "Jan Nowak", "phones": [{"number": "600 100 200"}]})
    anna.open("/customers")
    anna.sees("Jan Nowak")
    anna.open("/orders/new")
    expect(anna.page.get_by_label("What is it?")).to_be_focused()
    anna.context.set_offline(True)
    # An old customer, by digits of the number.
    anna.type("What is it?", "Ring")
    before = anna.taps
    name = anna.page.get_by_label("For whom?")
    name.click()
    name.fill("100200")
    anna.tap("Jan Nowak")
    assert anna.taps - before <= 3
    expect(anna.page.get_by_label("Phone")).to_have_value("600 100 200")
    anna.tap("Book it in")
    anna.tap("Done")
    # A new one is kept where that is asked for.
    anna.tap("New order")
    anna.type("What is it?", "Brooch")
    anna.type("For whom?", "Ewa Wilk")
    anna.type("Phone", "601 100 200")
    anna.page.get_by_role("switch", name="Keep as a customer").check()
    anna.tap("Book it in")
    anna.tap("Done")
    anna.context.set_offline(False)
    anna.until(lambda: len(anna.get("/workshops/{workshop}/customers")["customers"]) == 2)
    ids = {each["name"]: each["id"] for each in anna.get("/workshops/{workshop}/customers")["customers"]}

    def summaries() -> dict[str, str | None]:
        found = anna.get("/workshops/{workshop}/order-summaries")["summaries"]
        return {each["title"]: each.get("customerId") for each in found}

    anna.until(lambda: summaries() == {"Ring": ids["Jan Nowak"], "Brooch": ids["Ewa Wilk"]})
    # Who was only typed is no customer.
    anna.tap("New order")
    anna.type("What is it?", "Watch")
    anna.type("For whom?", "Nobody Known")
    anna.tap("Book it in")
    anna.until(lambda: "Watch" in summaries())
    assert len(anna.get("/workshops/{workshop}/customers")["customers"]) == 2
    # What the browser says of requests without a connection.


def test_what_waits_is_named_by_its_title_and_never_by_an_id(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    anna.open("/orders/new")
    # What is made is not sent: its ids are those of this device.
    anna.expects(503, "/workshops/")
    anna.page.route(
        re.compile("/workshops/[^/]+/(orders|customers)$"),
        lambda route: route.fulfill(status=503) if route.request.method == "POST" else route.continue_(),
    )
    anna.type("What is it?", "Brooch")
    anna.type("For whom?", "Ewa Wilk")
    anna.page.get_by_role("switch", name="Keep as a customer").check()
    anna.type("Place", "A3")
    anna.tap("Book it in")
    anna.tap("Done")
    anna.page.get_by_role("button", name=re.compile("saved here|not on the server")).click()
    names = anna.page.get_by_role("dialog").locator("li b")
    expect(names).to_have_text(["Ewa Wilk", "Brooch", "Order details · Brooch: Ewa Wilk"])


def test_a_person_of_an_earlier_order_is_offered_with_the_phone(open_app: Callable[..., Craftsperson]) -> None:
    """Without a record of a customer, and without a connection."""
    anna = open_app()
    anna.open("/orders/new")
    expect(anna.page.get_by_label("What is it?")).to_be_focused()
    anna.context.set_offline(True)
    anna.type("What is it?", "Ring")
    anna.type("For whom?", "Liam Byrne")
    anna.type("Phone", "085 123 4567")
    anna.tap("Book it in")
    anna.tap("Done")
    anna.tap("New order")
    anna.type("What is it?", "Brooch")
    anna.type("For whom?", "byrn")
    anna.tap("Liam Byrne · 085 123 4567")
    expect(anna.page.get_by_label("For whom?")).to_have_value("Liam Byrne")
    expect(anna.page.get_by_label("Phone")).to_have_value("085 123 4567")
    anna.tap("Book it in")
    anna.tap("Done")
    anna.context.set_offline(False)

    def phones() -> list[str | None]:
        return [each.get("phone") for each in anna.get("/workshops/{workshop}/order-summaries")["summaries"]]

    anna.until(lambda: phones() == ["085 123 4567"] * 2)
    assert anna.get("/workshops/{workshop}/customers")["customers"] == []


def test_a_workshop_may_keep_new_people_as_customers_from_the_start(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    anna.open("/customers")
    keeps = anna.page.get_by_role("switch", name="Keep new people as customers")
    # What is drawn meanwhile for another reason shows the old state, until the change is stored on the device.
    keeps.click()
    expect(keeps).to_be_checked()
    anna.until(lambda: anna.get("/workshops/{workshop}/document-settings").get("keepCustomers") is True)
    for name, is_kept in (("Ewa Wilk", True), ("Jan Nowak", False)):
        anna.open("/orders/new")
        anna.type("What is it?", "Brooch")
        anna.type("For whom?", name)
        switch = anna.page.get_by_role("switch", name="Keep as a customer")
        expect(switch).to_be_checked()
        if not is_kept:
            switch.uncheck()
        anna.tap("Book it in")
        anna.tap("Done")
    anna.until(lambda: len(anna.get("/workshops/{workshop}/order-summaries")["summaries"]) == 2)
    anna.until(
        lambda: [one["name"] for one in anna.get("/workshops/{workshop}/customers")["customers"]] == ["Ewa Wilk"]
    )


def test_the_card_begins_new_work_and_says_what_is_owed(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    body = {"name": "Jan Nowak", "phones": [{"number": "600 100 200"}]}
    customer = anna.post("/workshops/{workshop}/customers", body)["id"]
    orders = [
        anna.post("/workshops/{workshop}/orders", {"title": title, "customerName": "Jan Nowak"}) for title in "AB"
    ]
    for order, agreed in zip(orders, (55, 10.5), strict=True):
        anna.api.patch(f"/orders/{order['id']}/details", json={"customerId": customer}).raise_for_status()
        anna.api.put(f"/orders/{order['id']}/agreed", json={"amount": agreed}).raise_for_status()
    payment = {"kind": "payment", "amount": 5, "method": "cash"}
    anna.post(f"/orders/{orders[0]['id']}/payments", payment)
    # What was collected is owed as well.
    anna.api.patch(f"/orders/{orders[1]['id']}/status", json={"status": "done"}).raise_for_status()
    anna.post(f"/orders/{orders[1]['id']}/collected", {})
    anna.open(f"/customers/{customer}")
    anna.sees("Still to pay: €60.50")
    anna.tap("New order")
    expect(anna.page.get_by_label("For whom?")).to_have_value("Jan Nowak")
    expect(anna.page.get_by_label("Phone")).to_have_value("600 100 200")
    anna.type("What is it?", "Ring")
    anna.context.set_offline(True)
    anna.tap("Book it in")
    anna.tap("Done")
    anna.context.set_offline(False)
    anna.open(f"/customers/{customer}")
    anna.tap("New estimate")
    anna.sees("Jan Nowak")

    def made() -> bool:
        ordered = [
            each for each in anna.get("/workshops/{workshop}/order-summaries")["summaries"] if each["title"] == "Ring"
        ]
        estimates = anna.get("/workshops/{workshop}/estimates")["estimates"]
        if not ordered or not estimates:
            return False
        document = anna.get(f"/estimates/{estimates[0]['id']}/document")
        return bool(ordered[0].get("customerId") == customer == document.get("customerId"))

    anna.until(made)


def test_a_card_is_edited_merged_with_undo_and_erased(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    # The card was just reading who is erased.
    anna.expects(404, "/customers/")
    anna.keep_offers()
    anna.post("/workshops/{workshop}/customers", {"name": "E. Wilk", "emails": ["ewa@example.com"]})
    ewa = anna.post("/workshops/{workshop}/customers", {"name": "Ewa Wilk", "notes": "Likes gold"})
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring for Ewa Wilk", "customerName": "Ewa Wilk"})
    anna.api.patch(f"/orders/{order['id']}/details", json={"customerId": ewa["id"]}).raise_for_status()
    card = f"/customers/{ewa['id']}"
    anna.open("/customers")
    anna.page.get_by_role("searchbox").fill("ewa w")
    anna.tap("Ewa Wilk", role="link", exact=False)
    anna.sees("Ring for Ewa Wilk")
    anna.page.get_by_text("Phones and emails").click()
    anna.type("Email 1", "ewa@example.com")
    anna.type("Phone 1", "+48 600 100 200")
    anna.until(lambda: len(anna.get(card)["phones"]) == len(anna.get(card)["emails"]) == 1)
    expect(anna.page.get_by_role("link", name="Call")).to_have_attribute("href", "tel:+48600100200")
    anna.tap("Merge with E. Wilk")
    anna.until(lambda: len(anna.get("/workshops/{workshop}/customers")["customers"]) == 1)
    anna.sees("E. Wilk merged")
    # Also later, on the card.
    anna.page.reload()
    anna.sees("E. Wilk merged")
    anna.tap("Undo")
    anna.until(lambda: len(anna.get("/workshops/{workshop}/customers")["customers"]) == 2)
    expect(anna.page.get_by_text("E. Wilk merged")).to_have_count(0)
    anna.tap("Erase everything about this person")
    anna.sees("Confirmed documents and decisions stay")
    anna.tap("Erase permanently")
    anna.sees("a text written by hand that names the person")
    anna.tap("To the customers")
    anna.does_not_see("Ewa Wilk")
    assert [each["name"] for each in anna.get("/workshops/{workshop}/customers")["customers"]] == ["E. Wilk"]
    assert anna.get(f"/orders/{order['id']}")["order"]["customerName"] == ""


def test_a_phone_that_is_typed_anew_leaves_the_others(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    phones = [{"number": number} for number in ("600 100 200", "700 100 200")]
    ewa = anna.post("/workshops/{workshop}/customers", {"name": "Ewa Wilk", "phones": phones})
    card = f"/customers/{ewa['id']}"

    def saved() -> list[str]:
        return [phone["number"] for phone in anna.get(card)["phones"]]

    anna.open(card)
    anna.page.get_by_text("Phones and emails").click()
    first = anna.page.get_by_label("Phone 1")
    first.fill("")
    anna.until(lambda: saved() == ["700 100 200"])
    expect(anna.page.get_by_label("Phone 2")).to_have_value("700 100 200")
    # Somebody else adds one meanwhile.
    added = [{"number": number} for number in ("700 100 200", "18 443 00 00")]
    anna.api.patch(card, json={"phones": added}).raise_for_status()
    expect(anna.page.get_by_label("Phone 3")).to_have_value("18 443 00 00")
    first.fill("601 000 000")
    first.blur()
    anna.until(lambda: saved() == ["601 000 000", "700 100 200", "18 443 00 00"])
    # One that is left empty goes.
    first.fill("")
    first.blur()
    expect(anna.page.get_by_label("Phone 3")).to_have_count(0)
    anna.until(lambda: saved() == ["700 100 200", "18 443 00 00"])
    anna.tap("Add a phone")
    anna.type("Phone 3", "600 100 200")
    anna.until(lambda: len(saved()) == 3)
    expect(anna.page.get_by_text("Changed by two people")).to_have_count(0)


def test_a_merge_whose_answer_is_lost_is_done_once(open_app: Callable[..., Craftsperson]) -> None:
    """And so is its undo: the second tap gets the answer to the first."""
    anna = open_app()
    anna.keep_offers()
    anna.expects(500, "merge")
    anna.post("/workshops/{workshop}/customers", {"name": "E. Wilk", "emails": ["ewa@example.com"]})
    ewa = anna.post("/workshops/{workshop}/customers", {"name": "Ewa Wilk", "emails": ["ewa@example.com"]})
    lost: list[str] = []
    waiting: list[Route] = []

    def lose(route: Route) -> None:
        path = route.request.url.rpartition("/")[2]
        if path in lost:
            return route.continue_()
        lost.append(path)
        assert route.fetch().ok
        return route.fulfill(status=500, headers={"X-Request-Id": "1"})

    anna.open(f"/customers/{ewa['id']}")
    expect(anna.page.get_by_role("button", name="Merge with E. Wilk")).to_be_enabled()
    anna.page.route(lambda url: url.endswith("merge"), lose)
    # What the first request has changed is read after the second tap.
    anna.page.route("**/changes?*", lambda route: waiting.append(route) if len(lost) == 1 else route.continue_())
    for button, after in (("Merge with E. Wilk", 1), ("Undo", 2)):
        anna.tap(button)
        anna.sees("The server had an error")
        assert len(anna.get("/workshops/{workshop}/customers")["customers"]) == after
        # That to the first request may be reported after its error is shown.
        with anna.page.expect_response(lambda response: response.url.endswith("merge") and response.ok):
            anna.tap(button)
        anna.page.unroute("**/changes?*")
        while waiting:
            waiting.pop().continue_()
        anna.page.reload()
        expect(anna.page.get_by_text("E. Wilk merged")).to_have_count(2 - after)
    assert lost == ["merge", "unmerge"]


def test_a_card_follows_merges_prices_and_payments(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    people = [
        anna.post("/workshops/{workshop}/customers", {"name": name, "emails": ["ewa@example.com"]})["id"]
        for name in ("Ewa Wilk", "E. Wilk")
    ]
    orders = [anna.post("/workshops/{workshop}/orders", {"title": title})["id"] for title in ("Brooch", "Ring")]
    for order, customer, agreed in zip(orders, people, (70, 50), strict=True):
        anna.api.patch(f"/orders/{order}/details", json={"customerId": customer}).raise_for_status()
        anna.api.put(f"/orders/{order}/agreed", json={"amount": agreed}).raise_for_status()
    rows = anna.page.locator(".customer-history li")
    anna.open(f"/customers/{people[0]}")
    anna.sees("Still to pay: €70.00")
    expect(rows).to_have_text([re.compile("^Brooch")])
    anna.tap("Merge with E. Wilk")
    anna.sees("Still to pay: €120.00")
    expect(rows).to_have_text([re.compile("^Ring"), re.compile("^Brooch")])
    anna.post(f"/orders/{orders[1]}/payments", {"kind": "payment", "amount": 20, "method": "cash"})
    anna.sees("Still to pay: €100.00")
    anna.tap("Undo")
    anna.sees("Still to pay: €70.00")
    expect(rows).to_have_text([re.compile("^Brooch")])
    anna.api.put(f"/orders/{orders[0]}/agreed", json={"amount": 80}).raise_for_status()
    anna.sees("Still to pay: €80.00")


def test_recipients_become_customers_with_a_tap_and_never_without(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    order = anna.post("/workshops/{workshop}/orders", {"title": "Ring", "customerName": "Ewa Wilk"})
    anna.open("/")
    anna.sees("Ring")
    anna.open("/customers")
    anna.sees("From your estimates and orders")
    assert anna.get("/workshops/{workshop}/customers")["customers"] == []
    anna.tap("Keep Ewa Wilk as a customer")
    anna.until(lambda: "customerId" in anna.get(f"/orders/{order['id']}/details"))
    (ewa,) = anna.get("/workshops/{workshop}/customers")["customers"]
    assert (ewa["name"], anna.get(f"/orders/{order['id']}/details")["customerId"]) == ("Ewa Wilk", ewa["id"])


def test_the_estimate_takes_its_recipient_from_the_record(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    anna.post("/workshops/{workshop}/customers", {"name": "Ewa Wilk", "address": "ul. Polna 3"})
    estimate = anna.post("/workshops/{workshop}/estimates", {"name": "Kitchen"})
    anna.open(f"/estimates/{estimate['id']}")
    anna.tap("Kitchen")
    anna.page.get_by_label(re.compile("^For whom|^Client|^Recipient")).first.fill("wilk")
    anna.tap("Ewa Wilk")
    anna.until(lambda: "customerId" in anna.get(f"/estimates/{estimate['id']}/document"))
    assert anna.get(f"/estimates/{estimate['id']}")["recipientName"] == "Ewa Wilk"
    assert "recipientAddress" not in anna.get(f"/estimates/{estimate['id']}/document")
    anna.sees("Customer: Ewa Wilk")


def test_a_client_is_written_to_in_the_language_of_its_record(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    ewa = anna.post("/workshops/{workshop}/customers", {"name": "Ewa Wilk", "locale": "pl"})
    line = {"label": "Oak", "unit": "piece", "unitPrice": 5, "quantity": 1}
    sent = [anna.post("/workshops/{workshop}/estimates", {"name": name, "lineItems": [line]}) for name in ("A", "B")]
    anna.api.put(f"/estimates/{sent[0]['id']}/document", json={"customerId": ewa["id"]}).raise_for_status()
    choices = anna.page.locator(".more summary").first
    anna.open(f"/estimates/{sent[0]['id']}/send")
    expect(choices).to_contain_text("Polski")
    # What is chosen for this client is not what others get.
    choices.click()
    anna.page.locator(".more label", has_text="English").first.click()
    expect(choices).to_contain_text("English")
    anna.open(f"/estimates/{sent[1]['id']}/send")
    expect(choices).to_contain_text("English")
    anna.open(f"/estimates/{sent[0]['id']}/send")
    expect(choices).to_contain_text("Polski")


def test_a_history_that_cannot_be_read_on_says_so_and_is_read_later(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    ewa = anna.post("/workshops/{workshop}/customers", {"name": "Ewa Wilk"})
    for number in range(30):
        order = anna.post("/workshops/{workshop}/orders", {"title": f"Ring {number}"})
        anna.api.patch(f"/orders/{order['id']}/details", json={"customerId": ewa["id"]}).raise_for_status()
    anna.open(f"/customers/{ewa['id']}")
    entries = anna.page.locator(".customer-history li")
    expect(anna.button("Show more")).to_be_visible()
    anna.context.set_offline(True)
    anna.tap("Show more")
    # Another one may say that a part of the screen could not be loaded.
    expect(anna.page.get_by_role("main").get_by_role("button", name="Try again")).to_be_visible()
    expect(anna.button("Show more")).to_have_count(0)
    waiting: list[Route] = []
    is_read = False
    anna.page.route("**/history?*", lambda route: route.continue_() if is_read else waiting.append(route))
    anna.context.set_offline(False)
    # With the connection the newest are read again; a tap meanwhile would do nothing, so none is offered.
    anna.until(lambda: bool(waiting))
    expect(anna.button("Show more")).to_be_disabled()
    is_read = True
    waiting.pop().continue_()
    anna.tap("Show more")
    expect(entries).to_have_count(30)


def test_an_empty_list_leads_to_the_import(open_app: Callable[..., Craftsperson]) -> None:
    anna = open_app()
    for path in ("/tiles", "/customers"):
        anna.open(path)
        anna.tap("Import from a file", role="link")
        expect(anna.page).to_have_url(re.compile("/shop/connections/imports$"))
        expect(anna.page.locator("main input[type=file]")).to_be_attached()
