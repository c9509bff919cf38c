"""What came in wrong from public bug reports and real exports: each file of `cases` comes in as it was meant."""

import tomllib
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from backbench.imports import files
from backbench.imports.cells import Broken
from backbench.imports.columns import program_of, proposed
from backbench.imports.fields import Context, Mapping
from backbench.imports.headings import ImportKind, is_known
from backbench.imports.questions import Question, answers_of, questions_of
from backbench.imports.records import records_of
from backbench.imports.rows import ReadRow, read_rows
from backbench.imports.tables import Row, Table, UnreadableFile, packed, unpacked
from backbench.values.phones import e164_of
from tests.imports.spreadsheets import formatted, number, row, text, with_formats, xlsx

CASES = Path(__file__).parent / "cases"
POLISH = Context("PL", "pl", "Europe/Warsaw", "2026-11-26T12:00:00.000Z", "PLN", "net", Decimal(23))
ENGLISH = structs.replace(POLISH, country="GB", locale="en", currency="GBP", tax_percent=Decimal(20))


def table_of(content: bytes | str, kind: ImportKind) -> Table:
    sent = content.encode() if isinstance(content, str) else content
    return files.read(sent, lambda text: is_known(kind, text))[0]


class Found:
    """A file as it is proposed, and read under the proposal."""

    def __init__(self, content: bytes | str, kind: ImportKind, context: Context = POLISH, **answers: str) -> None:
        self.table = table_of(content, kind)
        self.mapping: Mapping = proposed(kind, self.table, context)
        self.questions: list[Question] = questions_of(kind, self.table, self.mapping, _ids(answers), context)
        self.rows: list[ReadRow] = list(read_rows(kind, self.table, self.mapping, answers_of(self.questions), context))

    @property
    def mapped(self) -> dict[str, str]:
        return {field: self.table.columns[at] for field, at in self.mapping.items() if at is not None}

    def values(self, field: str) -> list[Any]:
        return [row.values.get(field) for row in self.rows if not row.errors and row.values]

    @property
    def errors(self) -> list[tuple[int, str, str]]:
        return [(error.row, error.field, error.code) for row in self.rows for error in row.errors]

    @property
    def notes(self) -> list[tuple[int, str, str]]:
        return [(note.row, note.field, note.code) for row in self.rows for note in row.notes]


def _ids(answers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", ":"): value for name, value in answers.items()}


def case(name: str, kind: ImportKind, context: Context = POLISH) -> Found:
    return Found((CASES / name).read_bytes(), kind, context)


def prices(found: Found) -> list[str]:
    return [f"{price.normalize():f}" for price in found.values("unitPrice")]


@pytest.mark.parametrize("context", [POLISH, ENGLISH])
def test_decimals_of_numbers_and_of_texts_are_theirs_in_either_language(context: Context) -> None:
    assert prices(case("x1-numeric-three-decimals.xlsx", "tiles", context)) == ["0.125", "1.375", "3"]
    found = case("n1-decimals-comma.csv", "tiles", context)
    assert (prices(found), found.questions) == (["0.125", "0.075", "3"], [])


def test_the_price_is_that_of_a_sale_and_never_the_cost() -> None:
    assert case("c15-shopify.csv", "tiles").mapped["unitPrice"] == "Variant Price"
    assert case("c26-cena-zakupu.csv", "tiles").mapped["unitPrice"] == "Cena sprzedaży"


def test_parts_of_names_and_addresses_are_what_they_say() -> None:
    maria, tomasz = case("c21-google-prefix.csv", "customers").rows
    assert (maria.values["firstName"], maria.values["lastName"]) == ("Maria", "Dąbek")
    assert (tomasz.values["firstName"], tomasz.values["phone"]) == ("Tomasz", ["601 000 602"])
    ann = case("c23-address-line.csv", "customers").rows[0].values
    assert (ann["address"], ann["addressLine"], ann["city"]) == ("4 Mill Lane", "Flat 2", "Leeds")


def test_repeated_headings_fill_second_fields() -> None:
    found = case("c13-duplicate-headings.csv", "customers")
    assert found.values("phone") == [["601000311", "601000312"]]
    assert found.values("email") == [["a@example.org", "b@example.org"]]


def test_an_open_quotation_mark_is_named_with_its_row() -> None:
    for content in ((CASES / "c7-open-quote.csv").read_bytes(), b'A,B\n"x,1\ny,"2"\n'):
        with pytest.raises(UnreadableFile) as refused:
            table_of(content, "tiles")
        assert (refused.value.code, refused.value.row) == ("open_quote", 2)
    assert table_of('Name,Note\n"Big" bench,x\nShelf,"two\nlines"\n', "customers").rows[1].cells == [
        "Shelf",
        "two\nlines",
    ]


def test_negative_amounts_are_refused_in_every_form() -> None:
    found = case("n4-negative.csv", "tiles")
    assert found.errors == [(at, "unitPrice", "out_of_range") for at in (2, 3, 4)]
    assert found.values("label") == ["Hem"]


def test_hidden_sheets_are_never_taken_and_spaces_count_for_nothing() -> None:
    assert case("x3-hidden-first.xlsx", "tiles").values("label") == ["Zszycie"]
    assert case("x5-space-in-last-row.xlsx", "tiles").values("label") == ["Zszycie"]
    wide = table_of("Name,Phone" + "," * 200 + "\nEwa,600100200\n", "customers")
    assert wide.columns == ["Name", "Phone"]


def test_the_rows_of_a_price_list_are_between_its_titles_and_its_sum() -> None:
    found = case("h9-thousand-rows-title.csv", "tiles")
    assert (found.values("label"), prices(found)) == (["Zszycie", "Pranie"], ["25", "40"])
    assert found.errors == [(7, "label", "sum")]


def test_the_separator_is_the_one_that_finds_the_headings() -> None:
    found = case("c5-ragged-semicolons.csv", "customers")
    assert found.values("name") == ["Jan Kos", "Ewa Lis", "Ola Sum", "Iga Bąk", "Ada Żuk"]
    assert found.values("address")[0] == "Długa 5, Kraków"


def test_days_are_read_in_every_form_of_a_column() -> None:
    found = case("d1-excel-short-months.csv", "orders")
    days = [day.isoformat() for day in found.values("dueOn")]
    assert days == ["2026-11-23", "2026-12-01", *["2026-11-23"] * 8]
    assert (found.errors, found.notes) == ([], [])


def test_cards_are_read_whole_and_without_a_name() -> None:
    assert case("v1-qp-break-and-space.vcf", "customers").values("name") == ["Żółtańska Świętopełka"]
    found = case("v7-no-name.vcf", "customers")
    (chunk,) = records_of("customers", found.rows, found.mapping, POLISH).chunks
    assert found.errors == []
    assert [contact.name for contact in chunk.contacts] == ["", "", "has name"]
    assert all(f'"name":"{name}"' in chunk.rows for name in ("601000107", "only-mail@example.org", "Has Name"))


def test_phones_become_e164_or_none() -> None:
    found = case("p1-phones.csv", "customers")
    numbers = [e164_of(each, "PL") for (each,) in found.values("phone")]
    assert numbers == [
        "+48601000401", "+48601000402", "+48601000403", "+48601000404", "+48601000405", "+48601000406", "+48225550407",
        "+48601000408", "+48601000409", "+48601000410", "+48601000411", "+48601000412",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ((CASES / "h1-html-as.xls").read_bytes(), "web_page"),
        (b'[{"name": "Ewa"}]', "json"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "old_workbook"),
        (b"<?xml version='1.0'?><Workbook/>", "not_text"),
    ],
)
def test_what_is_no_table_is_refused_by_name(content: bytes, code: str) -> None:
    with pytest.raises(UnreadableFile) as refused:
        table_of(content, "tiles")
    assert refused.value.code == code


def test_a_cell_without_a_value_is_never_zero() -> None:
    broken = '<c t="e"><v>#REF!</v></c>'
    rows = [
        row(text("Name"), text("Price")),
        row(text("A"), broken),
        row(text("B"), "<c><f>1+1</f></c>"),
        row(text("C")),
    ]
    found = Found(xlsx([*rows, row(text("D"), number(0))]), "tiles")
    assert found.errors == [(2, "unitPrice", "no_value"), (3, "unitPrice", "no_value"), (4, "unitPrice", "missing")]
    assert prices(found) == ["0"]
    assert table_of("Name,Price\nA,#DIV/0!\nB,#ADR!\n", "tiles").rows[1] == Row(3, ["B", Broken("#ADR!")])


# What a spreadsheet shows with a number, and whether that is a price in złotys, with its unit.
FORMATS = {
    **dict.fromkeys((
        r"#,##0.00\ [$€-407]", r'_-* #,##0.00\ "€"_-;\-* #,##0.00\ "€"_-', '"$"#,##0.00', "[$EUR] #,##0.00",
        "€#,##0.00", r'[Red]#,##0.00\ "Kč"', '#,##0 "gr"', "[$£-809]#,##0.00;[Red]-[$£-809]#,##0.00",
    ), None),
    **dict.fromkeys((
        "General", "0.00", '#,##0.00 "zł"', r"#,##0.00\ [$zł-415]", "[$-415]0.00", r"_-* #,##0.00\ _z_ł_-",
        '"PLN" 0.00',
    ), ""),
    '0.00 "zł/m2"': "m2",
}  # fmt: skip


def test_a_number_is_in_the_currency_with_which_a_spreadsheet_shows_it() -> None:
    rows = [row(text(f"A{at}"), formatted(1.375, at)) for at in range(len(FORMATS))]
    content = xlsx([row(text("Nazwa"), text("Cena")), *rows], with_formats(*FORMATS))
    found = Found(content, "tiles")
    read = {
        code: each.values.get("unit", "") if not each.errors else None
        for code, each in zip(FORMATS, found.rows, strict=True)
    }
    assert read == FORMATS
    assert {code for _, _, code in found.errors} == {"other_currency"}
    assert {*prices(found)} == {"1.375"}
    assert (unpacked(packed(found.table)), found.questions) == (found.table, [])


def test_words_of_merged_cells_are_those_of_each_row_that_they_reach() -> None:
    blank = "<c/>"
    rows = [
        row(text("Cennik 2026")),
        row(text("Nazwa"), text("J.m."), text("Cena"), text("Zestaw")),
        row(text("Gładź"), text("m2"), number(45), text("Ściany")),
        row(text("Malowanie"), blank, number(20), blank),
        row(text("Grunt"), blank, blank, blank),
        row(text("Dojazd"), blank, number(50), text("Inne")),
        row(text("Pakiet"), text("kpl."), number(300), text("Inne")),
        row(text("w tym kosze"), blank, blank, blank),
    ]
    found = Found(xlsx(rows, {}, "A1:D1", "B3:B5", "D3:D5", "B7:B8", "C7:C8", "D7:D8"), "tiles")
    assert [(each.values.get("label"), each.values.get("unit"), each.values.get("grid")) for each in found.rows] == [
        ("Gładź", "m2", "Ściany"),
        ("Malowanie", "m2", "Ściany"),
        ("Grunt", None, None),
        ("Dojazd", None, "Inne"),
        ("Pakiet", "kpl.", "Inne"),
        ("w tym kosze", None, None),
    ]
    # A price of several rows may be that of all of them.
    assert found.errors == [(5, "unitPrice", "missing"), (8, "unitPrice", "missing")]
    for range_ in ("B3", "B3:B2"):
        assert Found(xlsx(rows, {}, range_), "tiles").values("unit")[:2] == ["m2", None]


# Questions


def test_a_column_that_can_be_read_in_two_ways_is_asked_about_with_samples() -> None:
    found = Found("Nazwa;Cena\nA;1,250\nB;2,500\n", "tiles")
    (question,) = found.questions
    assert (question.id, question.column, question.proposed) == ("decimals:unitPrice", 1, ",")
    samples = {option.value: [(each.cell, each.value) for each in option.samples] for option in question.options}
    assert samples == {",": [("1,250", "1.25"), ("2,500", "2.5")], ".": [("1,250", "1250"), ("2,500", "2500")]}
    assert prices(found) == ["1.25", "2.5"]
    answered = Found("Nazwa;Cena\nA;1,250\nB;2,500\n", "tiles", decimals_unitPrice=".")
    assert [price.normalize() for price in answered.values("unitPrice")] == [1250, 2500]
    assert answered.questions[0].answer == "."
    assert Found("Nazwa;Cena\nA;1,250\nB;12,50\n", "tiles").questions == []


def test_days_with_strokes_are_asked_about_and_days_with_dots_are_not() -> None:
    found = Found("Title,Due\nA,04/03/2026\n", "orders", ENGLISH)
    assert [(each.id, each.proposed) for each in found.questions] == [("days:dueOn", "day")]
    answered = Found("Title,Due\nA,04/03/2026\n", "orders", ENGLISH, days_dueOn="month")
    assert [day.isoformat() for day in answered.values("dueOn")] == ["2026-04-03"]
    assert Found("Title,Due\nA,04.03.2026\nB,04/13/2026\n", "orders").questions == []
    (question,) = Found("Title,Due\nA,26-11-23\n", "orders").questions
    samples = {option.value: [each.value for each in option.samples] for option in question.options}
    assert (question.proposed, samples) == ("day", {"day": ["2023-11-26"], "year": ["2026-11-23"]})
    assert Found("Title,Due\nA,26-11-23\n", "orders", days_dueOn="year").values("dueOn") == [date(2026, 11, 23)]


def test_prices_with_tax_are_asked_about_where_the_workshop_enters_them_without() -> None:
    content = "Nazwa;Cena brutto\nA;123,00\n"
    found = Found(content, "tiles")
    assert [(each.id, each.proposed) for each in found.questions] == [("tax:unitPrice", "convert")]
    assert prices(found) == ["100"]
    assert prices(Found(content, "tiles", tax_unitPrice="keep")) == ["123"]
    gross = structs.replace(POLISH, prices_entered="gross")
    assert (Found(content, "tiles", gross).questions, prices(Found(content, "tiles", gross))) == ([], ["123"])
    assert prices(Found("Nazwa;Cena netto\nA;100,00\n", "tiles", gross)) == ["123"]
    for heading in ("Cena detaliczna brutto", "Verkaufspreis (brutto)", "Prix TTC", "Brutto", "Cena z VAT [zł]"):
        found = Found(f"Nazwa;{heading}\nA;123,00\n", "tiles")
        assert (found.mapped.get("unitPrice"), [each.id for each in found.questions]) == (heading, ["tax:unitPrice"])
    both = "Nazwa;Cena netto;Cena brutto\nA;100,00;123,00\n"
    assert Found(both, "tiles").mapped["unitPrice"] == "Cena netto"
    assert Found(both, "tiles", gross).mapped["unitPrice"] == "Cena brutto"
    assert Found(content, "tiles", structs.replace(POLISH, tax_percent=None)).questions == []


def test_two_columns_that_both_may_be_the_price_are_asked_about() -> None:
    found = Found("Nazwa;Cena detaliczna;Cena regularna\nA;10,00;12,00\n", "tiles")
    (question,) = found.questions
    assert (question.id, [option.text for option in question.options]) == (
        "column:unitPrice",
        ["Cena detaliczna", "Cena regularna"],
    )


def test_prices_in_another_currency_are_no_prices_of_the_workshop() -> None:
    found = Found("Nazwa;Cena\nA;12,00 €\nB;12,00 zł\nC;12,00\n", "tiles")
    assert found.errors == [(2, "unitPrice", "other_currency")]
    assert Found("Name,Price,Currency\nA,1.00,EUR\n", "tiles").errors == [(2, "currency", "other_currency")]


# People


def test_every_value_arrives_or_is_named() -> None:
    content = "Name,Phone,E-mail\nEwa,601000001; 601000002,a@example.org ::: b@example.org\n"
    found = Found(content, "customers")
    assert found.values("phone") == [["601000001", "601000002"]]
    assert found.values("email") == [["a@example.org", "b@example.org"]]
    many = "; ".join(f"60100000{at}" for at in range(7))
    found = Found(f"Name,Phone\nEwa,{many}\n", "customers")
    assert (len(found.values("phone")[0]), found.notes) == (5, [(2, "phone", "too_many")])
    card = "BEGIN:VCARD\nFN:Ewa\nBDAY:1980-01-02\n" + "".join(f"TEL:60100000{at}\n" for at in range(6)) + "END:VCARD\n"
    found = Found(card, "customers")
    assert (found.table.columns[-1], found.notes) == ("BDAY", [(1, "phone5", "too_many")])


def test_business_and_home_address_are_two_addresses() -> None:
    headings = "First Name,Last Name,E-mail Address,Business Phone,Business Street,Business City,Home Street,Home City"
    found = Found(f"{headings}\nEwa,Nowak,ewa@example.org,601000001,Long 1,Leeds,Short 2,York\n", "customers")
    assert program_of("customers", found.table) == "outlook"
    (values,) = (each.values for each in found.rows)
    assert (values["address"], values["city"]) == ("Long 1", "Leeds")
    assert (values["siteAddress"], values["siteCity"]) == ("Short 2", "York")
    alone = Found(f"{headings}\nEwa,Nowak,ewa@example.org,601000001,,,Short 2,York\n", "customers")
    assert (alone.mapped["address"], alone.mapped["city"]) == ("Home Street", "Home City")


# Programs

PROGRAMS = tomllib.loads((Path(__file__).parent / "programs.toml").read_text("utf-8"))["programs"]
CELLS = {
    "phone": "601 000 001", "email": "ewa@example.org", "unitPrice": "12,50", "postalCode": "30-001",
    "taxId": "5260250274", "name": "Ewa", "label": "Krzesło",
}  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: f"{each['id']}-{each['kind']}")
def test_files_of_known_programs_are_recognized(program: dict[str, Any]) -> None:
    of = {heading: field.rstrip("2345") for field, heading in program["fields"].items()}
    rows = [program["headings"], [CELLS.get(of.get(heading, ""), "x") for heading in program["headings"]]]
    found = Found("\n".join("\t".join(row) for row in rows), program["kind"])
    assert program_of(program["kind"], found.table) == program["id"]
    assert found.mapped == program["fields"]
