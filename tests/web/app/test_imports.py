"""Import of a file: from choosing it to undoing it, and without a connection."""

from playwright.sync_api import FilePayload, Route

from tests.web.app.conftest import OpenApp
from tests.web.app.craftspeople import Craftsperson, expect

PEOPLE = """Imię i nazwisko;Telefon;Poczta;Coś
Ewa Nowak;600 100 200;ewa@example.com;dzwonić po 16
Jan Kos;601 100 200;jan@;
Ola Lis;602 100 200;ola@example.com;pies
"""
PRICES = "Item;Price;Unit\nSawing;80,50;h\nOak board;1 200;kg\nPolish;ask;h\n"


def choose(person: Craftsperson, text: str, name: str) -> None:
    file = FilePayload(name=name, mimeType="text/csv", buffer=text.encode("cp1250"))
    person.page.locator("input[type=file]").set_input_files(file)


def names(person: Craftsperson) -> list[str]:
    return [each["name"] for each in person.get("/workshops/{workshop}/customers")["customers"]]


def test_a_list_of_customers_is_imported_and_undone(open_app: OpenApp) -> None:
    anna = open_app("pl")
    anna.open("/shop/connections")
    anna.page.get_by_role("link", name="Import").click()
    choose(anna, PEOPLE, "klienci.csv")
    expect(anna.page.get_by_role("heading", name="klienci.csv · 3 wiersze")).to_be_visible()
    expect(anna.page.get_by_label("Imię i nazwisko")).to_have_value("name")
    expect(anna.page.get_by_text("Ewa Nowak · Jan Kos · Ola Lis")).to_be_visible()
    expect(anna.page.get_by_text("Wiersz 3: „E-mail” – to nie jest adres e-mail.")).to_be_visible()
    assert names(anna) == []
    anna.page.get_by_label("Coś").select_option("notes")
    expect(anna.page.get_by_label("Coś")).to_have_value("notes")
    anna.tap("Importuj 3 wiersze")
    expect(anna.page.get_by_text("Zaimportowano: nowe: 3").first).to_be_visible()
    assert names(anna) == ["Ewa Nowak", "Jan Kos", "Ola Lis"]
    expect(anna.page.get_by_text("Wiersz 3: „E-mail” – to nie jest adres e-mail.")).to_be_visible()
    ewa = anna.get("/workshops/{workshop}/customers")["customers"][0]
    anna.api.patch(f"/customers/{ewa['id']}", json={"notes": "klucz u sąsiada"}).raise_for_status()
    anna.page.get_by_role("button", name="Cofnij import").click()
    expect(anna.page.get_by_text("Usunięto: 2.").first).to_be_visible()
    expect(anna.page.get_by_text("Ewa Nowak: zmienione po imporcie")).to_be_visible()
    assert names(anna) == ["Ewa Nowak"]


def test_prices_become_tiles(open_app: OpenApp) -> None:
    anna = open_app()
    anna.open("/shop/connections/imports")
    anna.page.get_by_text("Prices", exact=True).click()
    choose(anna, PRICES, "prices.csv")
    expect(anna.page.get_by_text("Row 4: “Price” is no number.")).to_be_visible()
    anna.page.get_by_label("Item", exact=True).select_option("")
    expect(anna.page.get_by_text("Choose the column with the name of the item.").first).to_be_visible()
    expect(anna.page.get_by_role("button", name="Import 0 rows")).to_have_attribute("aria-disabled", "true")
    anna.page.get_by_label("Item", exact=True).select_option("label")
    anna.tap("Import 2 rows")
    expect(anna.page.get_by_text("Imported: 2 new · 1 left out").first).to_be_visible()
    grid = next(each for each in anna.get("/workshops/{workshop}/grids")["grids"] if each["name"] == "prices")
    assert [(tile["label"], tile["unitPrice"]) for tile in grid["buttons"]] == [
        ("Sawing", 80.5),
        ("Oak board (kg)", 1200),
    ]


def test_what_can_be_read_in_two_ways_is_asked_about(open_app: OpenApp) -> None:
    anna = open_app("pl")
    anna.open("/shop/connections/imports")
    anna.page.get_by_text("Ceny", exact=True).click()
    choose(anna, "Nazwa;Cena\nWkręt;1,250\nDeska;2,500\n", "cennik.csv")
    question = anna.page.get_by_role("group", name="Cena: jak zapisano ułamki dziesiętne?")
    expect(question.get_by_role("radio", name="Z przecinkiem")).to_be_checked()
    expect(anna.page.get_by_text("Z kropką: 1,250 → 1250 · 2,500 → 2500")).to_be_visible()
    question.get_by_text("Z kropką").click()
    expect(question.get_by_role("radio", name="Z kropką")).to_be_checked()
    anna.tap("Importuj 2 wiersze")
    expect(anna.page.get_by_text("Zaimportowano: nowe: 2").first).to_be_visible()
    grid = next(each for each in anna.get("/workshops/{workshop}/grids")["grids"] if each["name"] == "cennik")
    assert [tile["unitPrice"] for tile in grid["buttons"]] == [1250, 2500]


def test_somebody_with_the_phone_of_another_becomes_a_customer_of_their_own(open_app: OpenApp) -> None:
    anna = open_app("pl")
    jan = anna.post("/workshops/{workshop}/customers", {"name": "Jan Wspólny", "phones": [{"number": "12 345 00 01"}]})
    anna.open("/shop/connections/imports")
    choose(anna, "Nazwa;Telefon\nAnna Wspólna;12 345 00 01\n", "drugi.csv")
    alike = anna.page.get_by_role("link", name="Wiersz 2 ma telefon, e-mail lub NIP klienta o innej nazwie")
    expect(alike).to_have_attribute("href", f"/customers/{jan['id']}")
    anna.tap("Importuj 1 wiersz")
    expect(anna.page.get_by_text("Zaimportowano: nowe: 1").first).to_be_visible()
    expect(alike).to_be_visible()
    assert names(anna) == ["Anna Wspólna", "Jan Wspólny"]


def test_a_file_that_is_no_list_and_no_connection_have_a_sentence_each(open_app: OpenApp) -> None:
    anna = open_app()
    anna.open("/shop/connections/imports")
    choose(anna, "Name;Phone\n", "empty.csv")
    expect(anna.page.get_by_text("There are no rows in the file.").first).to_be_visible()
    anna.expects(400, "/imports")
    anna.page.context.set_offline(True)
    expect(anna.page.get_by_text("This needs a connection.").first).to_be_visible()
    expect(anna.page.locator("input[type=file]")).to_be_disabled()


def test_a_choice_that_follows_another_is_sent_after_it(open_app: OpenApp) -> None:
    """A large file takes seconds to be read again after each."""
    anna = open_app("pl")
    anna.open("/shop/connections/imports")
    anna.page.get_by_text("Ceny", exact=True).click()
    choose(anna, "Co;Nazwa;Cena\nDrewno;Wkręt;1,250\nMetal;Deska;2,500\n", "cennik.csv")
    expect(anna.page.get_by_label("Nazwa", exact=True)).to_have_value("label")
    waiting: list[Route] = []
    anna.page.route("**/api/imports/*", lambda route: route.continue_() if waiting else waiting.append(route))
    anna.page.get_by_label("Co", exact=True).select_option("grid")
    anna.page.get_by_text("Z kropką", exact=True).click()
    anna.page.get_by_label("Co", exact=True).select_option("unit")
    waiting[0].continue_()
    expect(anna.page.get_by_role("button", name="Importuj 2 wiersze")).not_to_have_attribute("aria-busy", "true")
    expect(anna.page.get_by_label("Co", exact=True)).to_have_value("unit")
    anna.tap("Importuj 2 wiersze")
    expect(anna.page.get_by_text("Zaimportowano: nowe: 2").first).to_be_visible()
    grid = next(each for each in anna.get("/workshops/{workshop}/grids")["grids"] if each["name"] == "cennik")
    assert [(tile["label"], tile["unitPrice"]) for tile in grid["buttons"]] == [
        ("Wkręt (Drewno)", 1250),
        ("Deska (Metal)", 2500),
    ]
