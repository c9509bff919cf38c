"""Help from the app: the page for each screen, its search, and what was read before without a connection."""

from collections.abc import Callable

from tests.web.app.craftspeople import Craftsperson, expect
from tests.web.app.screens import go
from tests.web.test_client_page import expect_accessible

OpenApp = Callable[..., Craftsperson]


def test_each_screen_leads_to_its_page_and_a_search_to_another(open_phone: OpenApp) -> None:
    anna = open_phone()
    page = anna.page
    anna.open("/")
    for path, title in (
        ("/", "Orders and slips"),
        ("/estimates", "Estimates"),
        ("/customers", "Customers and photos"),
        ("/shop/money", "Payments"),
        ("/shop/connections", "Calendar and phone"),
        ("/tiles", "Your first day"),
    ):
        go(page, path)
        link = page.get_by_role("link", name="Help").get_attribute("href")
        assert f"<h1>{title}</h1>" in page.request.get(f"{anna.url}{link}").text()
    page.get_by_role("link", name="Help").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    page.get_by_role("searchbox").fill("deposit code")
    found = page.locator(".found a").first
    expect(found).to_contain_text("Payments")
    found.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Payments")
    page.get_by_role("searchbox").fill("zebra")
    expect(page.locator(".found")).to_have_text("Nothing was found.")
    page.get_by_role("link", name="Back to the app").click()
    expect(page.locator(".places")).to_be_visible()


def test_the_help_is_in_the_language_of_the_app_and_leads_to_the_other(open_phone: OpenApp) -> None:
    ewa = open_phone("pl")
    ewa.open("/")
    ewa.page.get_by_role("link", name="Pomoc").click()
    expect(ewa.page.get_by_role("heading", level=1)).to_have_text("Zlecenia i kwity")
    ewa.page.get_by_role("searchbox").fill("wplata")
    expect(ewa.page.locator(".found a").first).to_contain_text("Wpłaty")
    ewa.page.get_by_role("link", name="English").click()
    expect(ewa.page.get_by_role("heading", level=1)).to_have_text("Orders and slips")


def test_what_was_read_can_be_read_without_a_connection(open_phone: OpenApp) -> None:
    anna = open_phone(has_worker=True)
    page = anna.page
    anna.open("/")
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)")
    page.get_by_role("link", name="Help").click()
    page.get_by_role("searchbox").fill("slip")
    expect(page.locator(".found a").first).to_contain_text("slip")
    anna.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders and slips")
    page.get_by_role("searchbox").fill("slip")
    expect(page.locator(".found a").first).to_contain_text("slip")
    page.get_by_role("link", name="Back to the app").click()
    expect(page.locator(".places")).to_be_visible()
    anna.context.set_offline(False)


def test_the_help_is_accessible(open_phone: OpenApp) -> None:
    anna = open_phone()
    for name in ("", "orders/", "accountant/", "invoices/"):
        anna.page.goto(f"{anna.url}/help/en/{name}")
        expect_accessible(anna.page)
