"""What leaves the app on a phone: emails and numbers as they were meant, and files that do not replace the app."""

from urllib.parse import parse_qsl, urlsplit

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import SEND, Craftsperson, expect
from tests.web.app.test_send import estimate_of, open_send

# The addresses that the page opens.
_OPENED = """(() => {
    window.opened = [];
    window.open = (address) => { window.opened.push(address); return null; };
    const { matchMedia } = window;
    window.matchMedia = (query) => query === "(pointer: coarse)" ? { matches: true } : matchMedia(query);
})()"""


def order_with_phone(anna: Craftsperson, phone: str, title: str = "Krzesło") -> str:
    order = anna.post("/workshops/{workshop}/orders", {"title": title, "customerName": "Ewa"})
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


def opened_by(anna: Craftsperson, way: str) -> tuple[str, dict[str, str]]:
    """What the program that is opened reads: to whom it writes, and the fields."""
    anna.page.evaluate("() => { window.opened = []; }")
    anna.tap(way, exact=True)
    anna.until(lambda: bool(anna.page.evaluate("() => window.opened.length")))
    [address] = anna.page.evaluate("() => window.opened")
    found = urlsplit(address)
    return found._replace(query="").geturl(), dict(parse_qsl(found.query, keep_blank_values=True))


def test_what_another_program_is_opened_with_is_what_was_meant(open_app: OpenApp) -> None:
    anna = open_app()
    anna.context.add_init_script(_OPENED)
    estimate = estimate_of(anna, name="Küche & Bad #2 +1")
    facts = {"recipientEmail": "jan+zażółć@example.com", "recipientPhone": "+48 601 000 403"}
    anna.api.put(f"/estimates/{estimate}/document", json=facts).raise_for_status()
    open_send(anna, estimate)
    anna.tap(SEND)
    anna.page.get_by_text("Other ways").click()
    to, fields = opened_by(anna, "By email")
    assert to == "mailto:jan%2Bza%C5%BC%C3%B3%C5%82%C4%87@example.com"
    assert "Küche & Bad #2 +1" in fields["subject"]
    assert "\r\n" in fields["body"]
    assert f"{anna.url}/e/#bbl_" in fields["body"]
    for way, wanted, field in (
        ("By text message", "sms:+48601000403", "body"),
        ("By WhatsApp", "https://wa.me/48601000403", "text"),
    ):
        to, fields = opened_by(anna, way)
        assert (to, list(fields)) == (wanted, [field])
        assert "Küche & Bad #2 +1" in fields[field]
    country = anna.get("/workshops/{workshop}/document-settings") | {"country": "PL"}
    anna.api.put(f"/workshops/{anna.workshop}/document-settings", json=country).raise_for_status()
    anna.open(order_with_phone(anna, "0048 601 000 403", title="Bad & Küche #2 +1"))
    for way, wanted, field in (
        ("WhatsApp", "https://wa.me/48601000403", "text"),
        ("SMS", "sms:0048601000403", "body"),
        ("Email", "mailto:", "body"),
    ):
        anna.tap("Message")
        to, fields = opened_by(anna, way)
        assert (to, "Bad & Küche #2 +1" in fields[field]) == (wanted, True)
    customer = {"name": "Ewa", "emails": ["ewa+x@example.com"], "phones": [{"number": "+48 601 000 403"}]}
    anna.open(f"/customers/{anna.post('/workshops/{workshop}/customers', customer)['id']}")
    links = {"Call": "tel:+48601000403", "Message": "sms:+48601000403", "Email": "mailto:ewa%2Bx@example.com"}
    for name, wanted in links.items():
        expect(anna.page.get_by_role("link", name=name)).to_have_attribute("href", wanted)


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
