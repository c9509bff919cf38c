"""Files as people have them: encodings, separators, titles above headings, vCards; and what their columns are."""

import pytest

from backbench.imports import files
from backbench.imports.columns import RememberedMapping, proposed, remembered, signature
from backbench.imports.headings import ImportKind, is_known
from backbench.imports.tables import Table, UnreadableFile
from backbench.words import words
from tests.imports.test_process import CONTEXT

TEXT = "Imię;Nazwisko;Telefon\r\nŁucja;Żądło;600 100 200\r\nJosé;Grün;+34 600\r\n"


def read(content: bytes, kind: ImportKind = "customers") -> Table:
    return files.read(content, lambda text: is_known(kind, text))[0]


def mapped(table: Table, kind: ImportKind) -> dict[str, str]:
    """The heading of each field that has a column."""
    mapping = proposed(kind, table, CONTEXT)
    return {field: table.columns[at] for field, at in mapping.items() if at is not None}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_text_is_read_in_every_unicode_encoding(encoding: str) -> None:
    table = read(TEXT.encode(encoding))
    assert table.columns == ["Imię", "Nazwisko", "Telefon"]
    assert [row.cells[0] for row in table.rows] == ["Łucja", "José"]


def test_windows_code_pages_are_recognized_by_their_letters() -> None:
    polish = "Nazwa;Uwagi\nŁucja Żądło;źle, później, ćwierć\n"
    western = "Name;Notes\nRené Façon;à côté, très, Åse\n"
    assert read(polish.encode("cp1250")).rows[0].cells == ["Łucja Żądło", "źle, później, ćwierć"]
    assert read(western.encode("cp1252")).rows[0].cells == ["René Façon", "à côté, très, Åse"]


@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_the_separator_is_found_also_where_cells_have_others(separator: str) -> None:
    lines = [
        ["Name", "Address", "Notes"],
        ["Ewa", '"Long Street 1, Leeds; UK"', '"first\nsecond ""line"""'],
        ["Jan", "Rynek 2", ""],
    ]
    table = read("\n".join(separator.join(line) for line in lines).encode())
    assert [row.cells for row in table.rows] == [
        ["Ewa", "Long Street 1, Leeds; UK", 'first\nsecond "line"'],
        ["Jan", "Rynek 2", ""],
    ]


def test_titles_and_empty_rows_are_skipped_and_rows_keep_their_numbers() -> None:
    table = read("sep=;\nCennik 2026;;\n;;\nNazwa;Cena;J.m.\n;;\nKrzesło;120;szt\n".encode(), "tiles")
    assert (table.columns, [row.number for row in table.rows]) == (["Nazwa", "Cena", "J.m."], [6])


def test_a_file_without_headings_is_read_by_what_its_cells_look_like() -> None:
    table = read(b"Ewa Nowak;600100200;ewa@example.com\nJan Kos;601100200;jan@example.com\n")
    assert (table.columns, len(table.rows)) == (["Column 1", "Column 2", "Column 3"], 2)
    assert mapped(table, "customers") == {"name": "Column 1", "phone": "Column 2", "email": "Column 3"}


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (
            "First Name,Last Name,Organization Name,E-mail 1 - Value,Phone 1 - Value,Notes",
            {
                "firstName": "First Name",
                "lastName": "Last Name",
                "company": "Organization Name",
                "email": "E-mail 1 - Value",
                "phone": "Phone 1 - Value",
                "notes": "Notes",
            },
        ),
        (
            "Nazwa kontrahenta,NIP,Ulica,Kod pocztowy,Miejscowość,Telefon",
            {
                "name": "Nazwa kontrahenta",
                "taxId": "NIP",
                "address": "Ulica",
                "postalCode": "Kod pocztowy",
                "city": "Miejscowość",
                "phone": "Telefon",
            },
        ),
    ],
)
def test_headings_of_other_programs_are_known(headings: str, expected: dict[str, str]) -> None:
    row = ",".join("x" for _ in headings.split(","))
    assert mapped(read(f"{headings}\n{row}\n".encode()), "customers") == expected


@pytest.mark.parametrize("locale", ["en", "pl"])
def test_our_own_file_of_orders_is_known(locale: str) -> None:
    names = words("pl" if locale == "pl" else "en").csv
    columns = [names[name] for name in ("number", "title", "customer", "stage", "due_on", "ready", "id")]
    found = mapped(read((",".join(columns) + "\n7,Chair,Ewa,ready,2026-12-04,,x\n").encode(), "orders"), "orders")
    assert found == {
        "title": names["title"],
        "customerName": names["customer"],
        "status": names["stage"],
        "dueOn": names["due_on"],
        "readyOn": names["ready"],
    }


def test_a_mapping_is_remembered_by_the_set_of_headings() -> None:
    known = remembered(["B", "a", "C"], {"name": 1, "phone": 2, "notes": None})
    assert known.signature == remembered(["c", "A", "b"], {}).signature != remembered(["a", "b"], {}).signature
    mapping = known.mapping_of("customers", Table(["c", "A", "b"], []), CONTEXT)
    assert {field: at for field, at in mapping.items() if at is not None} == {"name": 1, "phone": 0}


def test_a_mapping_of_before_currencies_and_tax_rates_were_read_gets_their_columns() -> None:
    """108 with 8 % of tax is 100, and no price at the rate of the workshop."""
    table = read(b"Nazwa;Cena brutto;VAT;Uwagi\nA;108;8%;dab\n", "tiles")
    before = RememberedMapping(signature(table.columns), {"label": "nazwa", "unitPrice": "cenabrutto"})
    mapping = before.mapping_of("tiles", table, CONTEXT)
    assert {field: at for field, at in mapping.items() if at is not None} == {
        "label": 0,
        "unitPrice": 1,
        "taxPercent": 2,
    }
    # Left out by choice since then, or taken for something else.
    for chosen in ({**mapping, "taxPercent": None}, {**mapping, "taxPercent": None, "unit": 2}):
        assert remembered(table.columns, chosen).mapping_of("tiles", table, CONTEXT) == chosen
    other = RememberedMapping(before.signature, {**before.headings, "unit": "vat"})
    assert other.mapping_of("tiles", table, CONTEXT)["taxPercent"] is None
    orders = read("Tytuł;Limit ceny;Waluta\nA;120;EUR\n".encode(), "orders")
    limits = RememberedMapping(signature(orders.columns), {"title": "tytul", "priceLimit": "limitceny"})
    assert limits.mapping_of("orders", orders, CONTEXT)["currency"] == 2


VCARDS = """BEGIN:VCARD\r
VERSION:3.0\r
N:Nowak;Ewa;;;\r
FN:Ewa Nowak\r
ORG:Nowak\\, Meble;Biuro\r
item1.TEL;type=CELL;type=pref:+48 600 100 200\r
TEL;TYPE=HOME:600 100 201\r
EMAIL;type=INTERNET:ewa@example.com\r
ADR;type=HOME:;;ul. Dł\r
 uga 1;Kraków;;30-001;Polska\r
NOTE:Dzwonić\\npo 16\r
PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ\r
END:VCARD\r
BEGIN:VCARD
VERSION:4.0
FN:Jan Kos
TEL;VALUE=uri;TYPE="voice,home":tel:+48-601-100-200
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C5=BB=C4=85d=C5=82o;=
=C5=81ucja;;;
TEL;CELL:602100200
END:VCARD
BEGIN:VCARD
FN:Without an end
"""


def test_vcards_of_every_version_are_rows() -> None:
    table = read(VCARDS.encode())
    ewa, jan, lucja = (dict(zip(table.columns, row.cells, strict=True)) for row in table.rows)
    assert {name: value for name, value in ewa.items() if value} == {
        "name": "Ewa Nowak",
        "company": "Nowak, Meble, Biuro",
        "phone": "+48 600 100 200",
        "phone2": "600 100 201",
        "email": "ewa@example.com",
        "address": "ul. Długa 1",
        "postalCode": "30-001",
        "city": "Kraków",
        "country": "Polska",
        "notes": "Dzwonić\npo 16",
    }
    assert (jan["name"], jan["phone"]) == ("Jan Kos", "+48-601-100-200")
    assert (lucja["name"], lucja["phone"]) == ("Łucja Żądło", "602100200")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not_text"),
        (b"\n\n;;\n", "empty"),
        (b"Name\n" + b"x" * 10_001, "too_long"),
        (b"Name" + b",x" * 101 + b"\nEwa\n", "too_many_columns"),
        ("Nazwa".encode("utf-16")[:-1], "not_text"),
    ],
)
def test_what_is_no_table_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(UnreadableFile) as refused:
        read(content)
    assert refused.value.code == code
