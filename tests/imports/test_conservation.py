"""Conservation: what a cell says is in the record exactly, or the cell is named. Nothing is dropped or guessed."""

import re
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import structs

from backbench.imports import fields, imported
from backbench.imports.cells import Cell
from backbench.imports.fields import FIELDS, Mapping, RowError
from backbench.imports.headings import ImportKind
from backbench.imports.records import DETAILS, Chunk, customers_in, records_of
from backbench.imports.rows import ReadRow, read_rows
from backbench.imports.tables import Row, Table
from tests.imports.test_edges import ENGLISH, POLISH, Found
from tests.support.violations import violations

# Cells that say what the record has no place for where nothing else is in the row, or with such a status.
ROWS: dict[ImportKind, tuple[dict[str, str], ...]] = {
    "tiles": (
        {"label": "Deska", "unitPrice": "12,50"},
        {"label": "Deska", "unitPrice": "12,50 zł/m2", "unit": "m2", "grid": "Ceny", "emoji": "🪑", "currency": "PLN"},
    ),
    "customers": (
        {"name": "Ewa"},
        {"company": "Drewno", "phone": "601000001", "address": "Długa 1", "postalCode": "30-001", "siteCity": "Łódź"},
    ),
    "orders": (
        {"title": "Krzesło"},
        {"title": "Krzesło", "dueOn": "2026-12-04", "createdAt": "2026-11-02", "priceLimit": "120"},
        *({"title": "Krzesło", "status": each} for each in ("w toku", "gotowe", "odebrane")),
        {"title": "Krzesło", "createdAt": "2026-11-02", "readyOn": "2026-11-04", "collectedOn": "2026-11-06"},
    ),
}
CELLS = (
    "12", "12,50 zł", "12 EUR", "10 %", "1/2", "12/m2", "2026-11-23", "23.11.2099", "2026-11-23 16:30",
    "2026-11-23 albo później", "16:30", "w toku", "odebrane", "Ewa Nowak",
    "ewa@example.org", "601 000 411, mama; 602 000 411", "x" * 300, "🧵", "X", "firma", "en", "Niemcy", "3 pary",
)  # fmt: skip
TEXTS = ("12,50 zł", "Ewa Nowak", "x" * 300)


def read_as(kind: ImportKind, *written: dict[str, str]) -> tuple[list[ReadRow], list[str], list[RowError]]:
    """Rows with these cells, read, the records that they become, without their ids, and what merging them names."""
    columns = list(dict.fromkeys(field for cells in written for field in cells))
    numbered = enumerate(written, start=2)
    table = Table(columns, [Row(at, [cells.get(field, "") for field in columns]) for at, cells in numbered])
    mapping = mapping_of(kind, columns)
    rows = list(read_rows(kind, table, mapping, {}, POLISH))
    records = records_of(kind, rows, mapping, POLISH)
    texts = []
    for chunk in records.chunks:
        text = f"{chunk.rows} {chunk.keys} {chunk.grid}"
        for id_ in chunk.ids:
            text = text.replace(id_, "")
        texts.append(text)
    return rows, texts, records.notes


def mapping_of(kind: ImportKind, columns: list[str]) -> Mapping:
    return {field: columns.index(field) if field in columns else None for field in FIELDS[kind]}


def is_same_without(field: str, cell: str, rest: dict[str, str]) -> bool:
    """What a company and a collected order are without that cell. A currency is that of amounts: without one it says
    nothing, and that of the workshop says nothing new."""
    if field == "taxPercent":
        return cell == "23 %"
    if field == "currency":
        return cell == "12,50 zł" or not {"unitPrice", "priceLimit"} & {*rest}
    return (field, cell) in (("kind", "firma"), ("status", "odebrane"))


def test_no_cell_of_any_column_is_dropped_in_silence() -> None:
    """Each changes what becomes of its row, or is named."""
    with violations() as case:
        tried = [(kind, field, others) for kind in ROWS for field in FIELDS[kind] for others in ROWS[kind]]
        for kind, field, others in tried:
            rest = {name: cell for name, cell in others.items() if name != field}
            _, without, _ = read_as(kind, rest)
            # Texts are read as texts, each in the same way.
            for cell in TEXTS if isinstance(FIELDS[kind][field].read, partial) else CELLS:
                with case(f"{kind}: {field} {cell[:30]!r} with {rest}"):
                    rows, records, _ = read_as(kind, {**rest, field: cell})
                    is_named = any(each.field == field for row in rows for each in (*row.errors, *row.notes))
                    is_kept = is_named or records != without or is_same_without(field, cell, rest)
                    assert is_kept, "dropped"


# A customer who has everything, and another row of the same person.
EWA = {
    "name": "Ewa", "taxId": "PL 526-000-12-46", "phone": "601000001; 609000009", "email": "ewa@example.org",
    "address": "Długa 1", "siteAddress": "Polna 2", "notes": "Dzwoni dwa razy", "kind": "osoba", "locale": "pl",
}  # fmt: skip
# What the record has already: in other letters, without signs, or as the word for it.
SAME = {
    "name": "EWA", "taxId": "5260001246", "phone": "+48 601 000 001", "email": "EWA@example.org",
    "address": "długa  1", "siteAddress": "Polna 2", "notes": "dzwoni dwa razy", "kind": "person", "locale": "Polish",
}  # fmt: skip
OTHERS = {
    "taxId": "PL 526-000-12-53", "phone": "601 000 001, mama", "address": "Krótka 3", "houseNumber": "7",
    "postalCode": "30-001", "city": "Łódź", "country": "Niemcy", "siteCity": "Łódź", "siteAddress": "Krótka 3",
    "notes": "Nie dzwoni", "kind": "firma", "locale": "en",
    "email": "; ".join(f"ewa{at}@example.org" for at in range(5)),
    "phone2": "; ".join(f"60200000{at}" for at in range(4)),
}  # fmt: skip


def test_another_row_of_a_customer_adds_what_is_new_and_names_what_differs() -> None:
    """Of the same file, and of a customer who exists."""
    with violations() as case:
        _, (alone,), _ = read_as("customers", EWA)
        for field, cell in OTHERS.items():
            with case(f"{field} {cell!r}"):
                sent = {"name": "Ewa", "phone": "601000001", field: cell}
                entry = FIELDS["customers"][field].words
                _, (both,), notes = read_as("customers", EWA, sent)
                code = "too_many" if "; " in cell else "differs"
                assert {(note.row, FIELDS["customers"][note.field].words, note.code) for note in notes} == {
                    (3, entry, code)
                }
                assert is_filled(EWA, sent) == {(2, entry, code)}
                assert code == "too_many" or both == alone
        with case("the same"):
            _, (both,), notes = read_as("customers", EWA, SAME)
            assert (both, notes, is_filled(EWA, SAME)) == (alone, [], set())
        for field, cell in {**EWA, "kind": "firma"}.items():
            with case(f"{field}, which only the second has"):
                key = "taxId" if field == "phone" else "phone"
                first = {"name": "Ewa", key: EWA[key]}
                _, (both,), notes = read_as("customers", first, {**first, field: cell})
                assert (both, notes) == (read_as("customers", {**first, field: cell})[1][0], [])


def test_of_another_address_the_parts_that_differ_are_named() -> None:
    known = {"name": "Ewa", "phone": "601000001", "address": "Długa 1", "postalCode": "30-001", "city": "Kraków"}
    site = {"siteAddress": "Polna 2", "sitePostalCode": "30-001", "siteCity": "Nowe Miasto"}
    with violations() as case:
        for changes, expected in (
            ({"address": "Krótka 3"}, {"address"}),
            ({"city": "Łódź"}, {"city"}),
            ({"city": "KRAKÓW "}, set()),
            ({"city": "Krak"}, {"city"}),
            ({"address": "Długa 12", "postalCode": "30-0"}, {"address", "postalCode"}),
            ({"address": "Długa 1, 30-001 Kraków", "postalCode": "", "city": ""}, set()),
            ({"address": "Długa", "houseNumber": "1"}, set()),
            ({"postalCode": "", "city": ""}, set()),
            ({"country": "Niemcy"}, {"country"}),
            ({"siteCity": "Nowe"}, {"siteCity"}),
            ({"siteAddress": "Polna 3", "siteCity": "Miasto Nowe"}, {"siteAddress", "siteCity"}),
        ):
            with case(f"{changes}"):
                stored, sent = {**known, **site}, {**known, **site, **changes}
                _, (both,), notes = read_as("customers", stored, sent)
                named = {FIELDS["customers"][note.field].words for note in notes}
                assert (named, both) == (expected, read_as("customers", stored)[1][0])
                assert {entry for _, entry, _ in is_filled(stored, sent)} == expected


def test_a_customer_of_many_rows_keeps_no_more_cells_than_are_named() -> None:
    """Each row would copy those of all before it, and 50,000 rows would take a minute."""
    columns = [field for field in EWA if field != "kind"]
    cells = [EWA[field] for field in columns]
    rows = [Row(at, list[Cell](cells)) for at in range(2, 4 + fields.MOST_ERRORS)]
    mapping = mapping_of("customers", columns)
    read = read_rows("customers", Table(columns, rows), mapping, {}, POLISH)
    ((contact,),) = (chunk.contacts for chunk in records_of("customers", read, mapping, POLISH).chunks)
    assert [at for at, *_ in contact.cells["notes"]] == [*range(2, 2 + fields.MOST_ERRORS)]
    assert {len(named) for named in contact.cells.values()} == {fields.MOST_ERRORS}


def is_filled(stored: dict[str, str], sent: dict[str, str]) -> set[tuple[int, str, str]]:
    """The notes of a row of the customer who is stored so: row, entry of the field and code."""
    found = []
    for written in (stored, sent):
        mapping = mapping_of("customers", list(written))
        rows = read_rows("customers", Table(list(written), [Row(2, list(written.values()))]), mapping, {}, POLISH)
        found.append(records_of("customers", rows, mapping, POLISH).chunks[0])
    (customer, _), *_ = customers_in(found[0], "", POLISH.now)
    matches = {found[1].ids[0]: customer.id}
    _, notes = imported._filled({customer.id: customer}, found[1], matches, mapping, POLISH.now)
    return {(note.row, FIELDS["customers"][note.field].words, note.code) for note in notes}


# Cells that each fit alone: what is too long together, and whether the row is left out with it.
TOGETHER: tuple[tuple[ImportKind, dict[str, str], set[str], bool], ...] = (
    ("customers", {"name": "x" * 240, "company": "Y" * 8}, set(), False),
    ("customers", {"name": "x" * 240, "company": "Y" * 9}, {"name"}, True),
    ("customers", {"firstName": "x" * 90, "middleName": "y" * 80, "lastName": "z" * 80}, {"firstName"}, True),
    ("customers", {"name": "Ewa", "address": "x" * 2000, "city": "Łódź"}, {"address"}, False),
    ("customers", {"name": "Ewa", "siteAddress": "x" * 2000, "sitePostalCode": "30-001"}, {"siteAddress"}, False),
    ("tiles", {"label": "x" * 250, "unit": "kg"}, {"unit"}, False),
    ("tiles", {"label": "x" * 250, "unitPrice": "12 zł/kg"}, {"unitPrice"}, True),
    ("tiles", {"label": "Deska", "grid": "x" * 247}, set(), False),
    ("tiles", {"label": "Deska", "grid": "x" * 248}, {"grid"}, False),
)


def test_what_is_too_long_together_is_named_and_nothing_is_cut() -> None:
    with violations() as case:
        for kind, written, named, is_left_out in TOGETHER:
            with case(f"{kind}: {written}"):
                ((row,), records, _) = read_as(kind, written)
                assert {each.field for each in (*row.errors, *row.notes) if each.code == "too_long"} == named
                assert bool(row.errors) is is_left_out
                kept = [cell for field, cell in written.items() if field not in named]
                assert is_left_out or all(cell in records[0] for cell in kept)
    chunks = [Chunk([], "", grid="x" * 247)] * 2
    assert imported._grid_names("list.csv", chunks) == [f"{'x' * 247} {number}" for number in (1, 2)]


# Amounts: what the heading says, what the cell says, and the amount in zlotys without tax and what it is the price of,
# or the reason why it is none.
AMOUNTS: dict[tuple[str, str], tuple[str, str] | str] = {
    **{(heading, "12,00"): "other_currency" for heading in (
        "Cena (EUR)", "Price EUR", "Price [€]", "Cena $", "EUR", "Cena netto EUR", "EUR/m2", "Cena w euro",
        "PriceEUR", "Price_eur",
        "Preis in CHF", "Cena Kč", "Price in £", "Cena PLN/EUR", "Cena (gr)", "Cena w tys. zł", "Cena ₺", "Price kr",
    )},
    **{(heading, "12,00"): ("12", "") for heading in (
        "Cena", "Cena zł", "Cena [zł]", "Cena (PLN)", "Cena netto PLN", "PricePLN", "zł", "Cena netto zł",
    )},
    **{("Cena", cell): "other_currency" for cell in (
        "12 EUR", "12 eur", "12€", "12 euro", "US$ 12", "12 kr", "12 ₺", "12 ₸", "EUR 12 PLN", "PLN 12 EUR",
        "50 gr", "12 tys. zł", "1,5 mln",
    )},
    **{("Cena", cell): "not_a_number" for cell in (
        "10 %", "od 100 zł", "~12", "12k", "1/2", "12 szt.", "12 zł za 2", "1.2.3", "12 34", "12,345,67",
        "12.05.2026", "10-20", "12*", "+5", "od 100", "ok. 100", "~100", "100-200", "do 300 zł", "max. 300 zł",
        "12 zł inne", "szt. 12 zł", "2 szt. 12 zł", "12½", "12 zł + montaż", "12 zł + 23% VAT", "VAT 12 zł",
    )},
    **{("Cena", cell): "out_of_range" for cell in (
        "-5", "(5)", "5-", "0,00001", "–5", "— 5", "−5", "5–", "5— zł", "5-zł",
    )},
    **{("Cena", cell): ("12", "") for cell in ("12", "12 zł", "12,00 PLN", "zł 12", "12,-", "12 zł netto",
    "12,00 zł.")},
    ("Cena", "12 zł brutto"): "other_tax",
    ("Cena netto", "12 zł brutto"): "other_tax",
    ("Cena netto/brutto", "12"): "other_tax",
    ("Cena EUR", "12 zł"): "other_currency",
    ("Cena zł", "12 EUR"): "other_currency",
    ("Cena brutto", "123 zł brutto"): ("100", ""),
    ("Cena brutto", "123 zł netto"): "other_tax",
    ("Cena brutto", "0,0123"): ("0.01", ""),
    ("Cena", "1 234 567,50"): ("1234567.5", ""),
    ("Cena", "1,00,000.00"): ("100000", ""),
    ("Cena", "12 zł/m2"): ("12", "m2"),
    ("Cena", "12 zł / szt. netto"): ("12", "szt"),
    ("Cena", "12/100 szt."): ("12", "100 szt"),
    ("Cena", "12 zł za m2"): ("12", "m2"),
    ("Cena za m2", "12"): ("12", "m2"),
    ("Cena za 100 szt.", "12"): ("12", "100 szt"),
    ("zł/mb", "12"): ("12", "mb"),
    ("Cena za m2", "12 zł/szt"): ("12", "szt"),
    **{("Cena", f"12 zł{unit}"): ("12", unit.strip(" ()./").removeprefix("za ")) for unit in (
        "/m²", "/m³", " m²", "/gr", " / 100 gr", " szt.", " (szt.)", " para", " za parę", " (za szt.)", "/m kw.",
    )},
    **{("Cena", f"12 zł/{one}"): ("12", unit) for one, unit in (
        ("1 szt", "szt"), ("1h", "h"), ("1 m²", "m²"), ("10 szt", "10 szt"), ("1000 szt", "1000 szt"),
        ("1 000 szt", "1 000 szt"), ("1,5 h", "1,5 h"),
    )},
    **{(heading, "12"): ("12", unit) for heading, unit in (
        ("Cena zł/m²", "m²"), ("Cena za m²", "m²"), ("zł/m²", "m²"), ("Cena [zł/m²]", "m²"), ("Cena/m²", "m²"),
        ("Cena netto za m²", "m²"), ("Cena za m³", "m³"), ("Cena za 1 szt.", "szt"), ("Cena/szt. (zł)", "szt"),
        ("Cena za szt. w zł", "szt"),
    )},
    **{(heading, "12"): ("12", unit) for heading, unit in (
        ("Cena od 01.01.2026", ""), ("Cena netto od 1.01.2026 r.", ""), ("Cena od stycznia 2026", ""),
        ("Cena od 1 stycznia 2026 r.", ""), ("Cena od 2026-01-01", ""), ("Cena zł/m2 od 01.01.2026", "m2"),
        ("Cena za szt. od stycznia 2026 (zł)", "szt"), ("Cena za szt. 2026", "szt"), ("Cena/2000 szt.", "2000 szt"),
    )},
    **{("Cena", cell): "not_a_number" for cell in (
        "12 zł od 01.01.2026", "12 zł/m2 od stycznia 2026", "12 zł od 2026",
    )},
    **{(heading, "12"): "other_currency" for heading in (
        "Cena za szt. (gr)", "Cena za szt. w gr", "Cena/szt. [Ft]", "Cena za szt. w euro", "Cena za szt. EUR",
        "Cena za szt. w tys. zł", "Cena/m² €",
    )},
    **{("Cena", f"12 zł{tax}"): ("12", "") for tax in (
        " + VAT", "+VAT", " bez VAT", " plus VAT", " (bez VAT)", " + podatek VAT",
    )},
    ("Cena", "12 zł/szt. + VAT"): ("12", "szt"),
    **{("Cena", cell): ("12", "m²") for cell in ("12 zł m2", "12,00 zł (m2)", "12 zł netto m2")},
    **{("Cena", cell): "not_a_number" for cell in ("12 m2", "12 zł m3", "12 m2 zł 3", "ok. 12 zł")},
    ("Cena", "12 zł + VAT/szt."): ("12", "szt"),
    **{("Cena", f"12 zł {tax}"): "other_tax" for tax in ("z VAT", "w tym VAT", "z podatkiem", "(z VAT)")},
    ("Cena brutto", "123 zł z VAT"): ("100", ""),
    ("Cena brutto", "123 zł + VAT"): "other_tax",
    ("Cena z VAT", "123"): ("100", ""),
    ("Cena + VAT", "12"): ("12", ""),
    ("Cena bez VAT", "12 zł z VAT"): "other_tax",
}  # fmt: skip
# Of workshops that have their prices in other currencies, without tax.
ABROAD: dict[tuple[str, str, str], tuple[str, str] | str] = {
    **{("USD", "Price", cell): ("3", unit) for cell, unit in (
        ("$3/ft", "ft"), ("$3/sq ft", "sq ft"), ("$3 per linear ft", "linear ft"), ("$3 each", "each"),
        ("$3.00 ea", "ea"), ("$3 + tax", ""), ("$3 (per hour)", "hour"),
    )},
    **{("USD", heading, "3"): ("3", unit) for heading, unit in (
        ("Price ($/ft)", "ft"), ("Price ($/sq ft)", "sq ft"), ("Price per linear ft", "linear ft"),
        ("Price per hour (USD)", "hour"), ("Price (per hour)", "hour"),
    )},
    **{("USD", heading, "3"): "other_currency" for heading in (
        "Price per hour (kr)", "Price per piece (Ft)", "Price per hour in cents", "Price per ft (CAD)",
    )},
    **{("EUR", "Preis", f"12 €{rest}"): ("12", unit) for rest, unit in (
        ("/m²", "m²"), (" zzgl. MwSt", ""), (" zzgl. USt.", ""), (" exkl. MwSt.", ""), (" H.T.", ""), (" hors TVA", ""),
        (" Stk.", "Stk"), ("/ct", "ct"),
    )},
    **{("EUR", "Preis", f"12 € {rest}"): "other_tax" for rest in ("inkl. MwSt.", "T.T.C.", "TTC", "mit MwSt")},
    **{("EUR", heading, "12"): ("12", "m²") for heading in ("Preis €/m²", "€/m²", "Price per m²")},
    ("EUR", "Preis", "1,2 tsd"): "other_currency",
    **{("CHF", "Preis", cell): ("1200", "") for cell in ("Fr. 1'200.--", "SFr. 1'200.00", "CHF 1’200.-")},
    ("GBP", "Price", "£5/m²"): ("5", "m²"),
    ("GBP", "Price", "£3/ft"): ("3", "ft"),
    **{("GBP", "Price", f"£12 {tax}"): ("12", "") for tax in (
        "+ VAT", "ex VAT", "ex. VAT", "excl. VAT", "(ex VAT)", "ex-VAT",
    )},
    **{("GBP", "Price", f"£12 {tax}"): "other_tax" for tax in ("inc VAT", "incl. VAT", "including VAT")},
    ("HUF", "Price", "1200 Ft/db"): ("1200", "db"),
    ("SEK", "Price", "12 kr/st"): ("12", "st"),
    **{("JPY", "Price", cell): ("1200", "") for cell in ("1,200円", "1200円", "￥1,200", "¥1,200", "1,200 yen")},
    ("JPY", "Price (円)", "1200"): ("1200", ""),
    ("JPY", "Price", "＄12"): "other_currency",
    ("CNY", "Price", "1200円"): "other_currency",
    ("PLN", "Price", "￥1,200"): "other_currency",
}  # fmt: skip


def test_an_amount_is_what_its_cell_and_its_heading_say_or_is_refused() -> None:
    with violations() as case:
        here = {("PLN", *written): each for written, each in AMOUNTS.items()}
        for (currency, heading, cell), expected in (here | ABROAD).items():
            context = structs.replace(ENGLISH, currency=currency) if (currency, heading, cell) in ABROAD else POLISH
            with case(f"{currency} {heading!r} {cell!r}"):
                read = Found(f"Nazwa\t{heading}\nDeska\t{cell}\n", "tiles", context)
                assert read.mapped.get("unitPrice") == heading
                (row,) = read.rows
                if row.errors:
                    assert row.errors[0].code == expected
                else:
                    assert (f"{row.values['unitPrice'].normalize():f}", row.values.get("unit", "")) == expected


def test_a_limit_is_in_the_currency_of_its_row_and_with_tax() -> None:
    content = "Tytuł\t{}\tWaluta\nA\t120 zł\tPLN\nB\t120\tEUR\nC\t\tEUR\nD\t120\t\n"
    read = Found(content.format("Limit ceny"), "orders")
    assert read.values("priceLimit") == [Decimal(120), None, None, Decimal(120)]
    assert read.notes == [(3, "currency", "other_currency"), (3, "priceLimit", "other_currency")]
    for heading, code in (("Limit ceny EUR", "other_currency"), ("Budżet netto", "other_tax")):
        read = Found(f"Tytuł\t{heading}\nA\t120\n", "orders")
        assert (read.values("priceLimit"), read.notes) == ([None], [(2, "priceLimit", code)])
    assert Found("Tytuł\tLimit ceny brutto\nA\t120\n", "orders").values("priceLimit") == [120]


# Each is 300 of a column of limits; None where it is none.
LIMITS: dict[str, int | None] = {
    **dict.fromkeys((
        "do 300 zł", "max 300", "max. 300 zł", "Maks. 300 zł", "maksymalnie 300,00 zł", "nie więcej niż 300 zł",
        "up to 300", "bis 300", "bis zu 300 zł", "at most 300 PLN", "≤ 300 zł", "<= 300", "300 zł max", "300 zł maks.",
        "300,-", "300 zł z VAT", "do 300 zł brutto", "300 zł za całość",
    ), 300),
    **dict.fromkeys((
        "od 300 zł", "ok. 300", "~300", "200-300", "do 300 EUR", "do 300 zł netto", "do 300 zł + VAT", "300 zł/szt.",
        "300 zł szt.", "300 za m²", "min. 300", "do",
    ), None),
}  # fmt: skip


def test_a_limit_may_say_that_it_is_one() -> None:
    rows = "".join(f"A\t{cell}\n" for cell in LIMITS)
    read = Found(f"Tytuł\tLimit ceny\n{rows}", "orders")
    assert dict(zip(LIMITS, read.values("priceLimit"), strict=True)) == LIMITS
    context = structs.replace(ENGLISH, currency="EUR", tax_percent=None)
    for cell in ("bis 300 €", "up to €300", "höchstens 300 €", "jusqu'à 300 €"):
        assert Found(f"Title\tBudget\nA\t{cell}\n", "orders", context).values("priceLimit") == [300]


# Prices with tax and the rate of their row; the price without tax, or the reason why it is none; whether the workshop
# has that rate.
RATES: dict[tuple[str, str], tuple[str, bool]] = {
    ("123", "23%"): ("100", True), ("123", "23"): ("100", True), ("123", "0,23"): ("100", True),
    ("123", ""): ("100", True),
    ("108", "8%"): ("100", False), ("108", "8,0 %"): ("100", False), ("105.50", "5,5"): ("100", False),
    ("100", "zw."): ("100", False), ("100", "0"): ("100", False), ("100", "NP"): ("100", False),
    ("123", "A"): ("other_tax", False), ("123", "230"): ("other_tax", False),
    ("123", "23% albo 8%"): ("other_tax", False),
}  # fmt: skip


def test_a_price_is_converted_at_the_tax_rate_of_its_row() -> None:
    for heading in ("VAT", "VAT %", "Stawka VAT", "Podatek VAT [%]", "Tax rate"):
        content = f"Nazwa\tCena brutto\t{heading}\n"
        with violations() as case:
            for (price, rate), (expected, is_own) in RATES.items():
                with case(f"{heading} {price} {rate}"):
                    read = Found(f"{content}A\t{price}\t{rate}\n" + "B\t123\t23\n" * 2, "tiles")
                    assert read.mapped.get("taxPercent") == heading
                    first = read.rows[0]
                    named = {note.field for note in (*first.notes, *first.errors)}
                    assert ("taxPercent" in named) is not is_own
                    if first.errors:
                        assert first.errors[0].code == expected
                    else:
                        assert f"{first.values['unitPrice'].normalize():f}" == expected
    read = Found("Nazwa\tCena brutto\tVAT\nA\t108\t8%\nB\t123\t23%\n", "tiles")
    (question,) = read.questions
    convert, _ = question.options
    assert (convert.text, [each.value for each in convert.samples]) == ("Take the tax of each row off", ["100", "100"])
    # Amounts of tax are no rates.
    amounts = Found("Nazwa\tCena netto\tVAT\tCena brutto\nA\t10\t2,30\t12,30\nB\t50\t11,50\t61,50\n", "tiles")
    assert (amounts.mapped.get("taxPercent"), amounts.notes) == (None, [])


def test_a_number_of_pieces_says_nothing_else() -> None:
    written = {
        "2": 2,
        "2x": 2,
        "x2": 2,
        "2 ×": 2,
        "2 szt.": 2,
        "2 pary": None,
        "3 krzesła": None,
        "2x3": None,
        "2 kpl.": None,
    }
    read = Found("Tytuł;Sztuk\n" + "".join(f"A;{cell}\n" for cell in written), "orders")
    assert dict(zip(written, read.values("pieces"), strict=True)) == written


def test_of_prices_in_two_currencies_those_of_the_workshop_are_taken() -> None:
    for headings in ("Cena EUR;Cena PLN", "Cena PLN;Cena EUR", "€;zł"):
        found = Found(f"Nazwa;{headings}\nA;12;12\n", "tiles")
        assert (found.mapped["unitPrice"] in ("Cena PLN", "zł"), found.questions) == (True, [])
    for currency, cells in (("CAD", ["$12", "C$ 12", "12 CAD"]), ("USD", ["$12", "US$ 12", "12 usd"])):
        context = structs.replace(ENGLISH, currency=currency)
        rows = [f"{at},{cell}\n" for at, cell in enumerate(["$12", "C$ 12", "12 CAD", "US$ 12", "12 usd", "$12 AUD"])]
        read = Found("Name,Price\n" + "".join(rows), "tiles", context)
        assert len(read.values("label")) == len(cells)


# Days: the columns of an order, its cells, and what is not taken of them, by field.
ORDERS: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "createdAt=2030-01-01": ({}, {"createdAt": "in_future"}),
    "createdAt=01.01.27": ({}, {"createdAt": "in_future"}),
    "createdAt=0001-01-01": ({}, {"createdAt": "out_of_range"}),
    "createdAt=01.01.99 dueOn=02-01-99": ({"createdAt": date(1999, 1, 1), "dueOn": date(1999, 1, 2)}, {}),
    "createdAt=26.11.26": ({"createdAt": date(2026, 11, 26)}, {}),
    "createdAt=2026-11-23T23:30:00Z": ({"createdAt": date(2026, 11, 24)}, {}),
    "readyOn=27.11.26": ({}, {"readyOn": "in_future"}),
    "dueOn=27.11.2099": ({"dueOn": date(2099, 11, 27)}, {}),
    "dueOn=2026-12-23T16:30": ({"dueOn": date(2026, 12, 23), "dueTime": "16:30"}, {}),
    "dueOn=2026-12-23T16:30 dueTime=16:30": ({"dueOn": date(2026, 12, 23), "dueTime": "16:30"}, {}),
    "dueOn=2026-12-23T00:00 dueTime=9:00": ({"dueOn": date(2026, 12, 23), "dueTime": "09:00"}, {}),
    "dueOn=2026-12-23T16:30 dueTime=9:00": ({"dueOn": date(2026, 12, 23)}, {"dueTime": "unfit"}),
    "dueOn=soon dueTime=9:00": ({}, {"dueOn": "not_a_date", "dueTime": "unfit"}),
    "dueTime=9:00": ({}, {"dueTime": "unfit"}),
    "status=todo collectedOn=2026-11-01": ({"status": ("todo", False)}, {"collectedOn": "unfit"}),
    "status=wtoku readyOn=2026-11-01": ({"status": ("in_progress", False)}, {"readyOn": "unfit"}),
    "status=ready collectedOn=2026-11-01": ({"status": ("done", True), "collectedOn": date(2026, 11, 1)}, {}),
    "createdAt=2026-11-05 readyOn=2026-11-01": ({"readyOn": date(2026, 11, 1)}, {"createdAt": "unfit"}),
    "createdAt=2026-11-05 collectedOn=2026-11-01": ({"collectedOn": date(2026, 11, 1)}, {"createdAt": "unfit"}),
    "readyOn=2026-11-05 collectedOn=2026-11-01": ({"collectedOn": date(2026, 11, 1)}, {"readyOn": "unfit"}),
}


def test_a_day_is_what_its_cell_says_or_is_named() -> None:
    with violations() as case:
        for written, (values, notes) in ORDERS.items():
            with case(written):
                cells = {name: cell for name, _, cell in (each.partition("=") for each in written.split())}
                ((row,), _, _) = read_as("orders", {"title": "Krzesło", **cells})
                assert row.values == {"title": "Krzesło", **values}
                assert {note.field: note.code for note in row.notes} == notes


def test_every_reason_has_words_in_the_app_and_a_line_in_the_reference() -> None:
    package = Path(fields.__file__).parent
    names = ("cells", "composed", "fields", "records", "rows")
    source = "".join((package / f"{name}.py").read_text("utf-8") for name in names)
    codes = set(re.findall(r'(?:CellError\(|yield "\w+", |yield field, )"(\w+)"', source))
    codes |= set(re.findall(r'RowError\(.*?, "(\w+)", f?"', source))
    codes |= {*DETAILS}
    words = (package.parent / "web/app/words/connections.js").read_text("utf-8")
    reference = (package.parent / "reference/properties.md").read_text("utf-8")
    assert {"other_currency", "unfit", "in_future", "missing", "too_many", "differs"} <= codes
    assert [code for code in codes if f"      {code}: [" not in words or f"`{code}`" not in reference] == []
