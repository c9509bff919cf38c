"""What leaves the app on a phone: numbers with their country, and files that do not replace the app."""

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import Craftsperson, expect


def order_with_phone(anna: Craftsperson, phone: str) -> str:
    order = anna.post("/workshops/{workshop}/orders", {"title": "Krzesło", "customerName": "Ewa"})
    anna.api.patch(f"/orders/{order['id']}/details", json={"phone": phone}).raise_for_status()
    return f"/orders/{order['id']}"


def test_a_number_is_called_and_written_to_as_people_type_it(open_app: OpenApp) -> None:
    anna = open_app("pl")
    anna.open(order_with_phone(anna, "tel. 601 000 403 wew. 12"))
    expect(anna.page.get_by_role("link", name="Zadzwoń")).to_have_attribute("href", "tel:601000403;ext=12")
    anna.page.evaluate(
        "() => { window.opened = []; window.open = (href) => { window.opened.push(href); return null; }; }"
    )
    anna.tap("Wiadomość")
    anna.tap("WhatsApp")
    opened = anna.page.evaluate("() => window.opened")
    assert [href.partition("?")[0] for href in opened] == ["https://wa.me/48601000403"]


def test_whatsapp_is_not_offered_without_a_country_and_the_reason_is_there(open_app: OpenApp) -> None:
    anna = open_app()
    anna.open(order_with_phone(anna, "085 123 4567"))
    anna.tap("Message")
    expect(anna.page.get_by_text("WhatsApp needs the number with its country")).to_be_visible()
    expect(anna.page.get_by_role("button", name="WhatsApp")).to_have_count(0)


def test_a_slip_does_not_replace_the_app_on_the_screen_of_an_iphone(open_phone: OpenApp) -> None:
    anna = open_phone()
    anna.page.add_init_script("Object.defineProperty(navigator, 'standalone', { value: true })")
    anna.open(order_with_phone(anna, "085 123 4567"))
    at = anna.page.url
    anna.tap("Slip")
    with anna.page.expect_download() as download:
        anna.tap("Show the slip")
    assert download.value.suggested_filename.endswith(".pdf")
    assert anna.page.url == at
