"""Generated files: each is imported as it was made, or asked about, and never otherwise."""

import csv
import io
import random
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from msgspec import structs

from backbench.imports.fields import Context
from backbench.imports.headings import ImportKind
from tests.imports.spreadsheets import number, row, text, xlsx
from tests.imports.test_edges import ENGLISH, POLISH, Found

# 10,000 files of each kind in `make prove`.
SEEDS = [
    *((seed, 40) for seed in range(4)),
    *(pytest.param(seed, 2_500, marks=pytest.mark.prove) for seed in range(4, 8)),
]
# Some headings name the currency.
IN_ENGLISH = structs.replace(ENGLISH, currency="PLN")
PRICE_HEADINGS = ("Cena", "Price", "Cena netto [zł]", "Preis", "Prix", "Unit price", "Cena sprzedaży")
OTHER_PRICES = ("Cena zakupu", "Cost per item", "Einkaufspreis", "Purchase price")
LABELS = ("Nazwa", "Name", "Bezeichnung", "Désignation", "Nazwa usługi", "Item")
DAYS = ("Termin", "Due date", "Fällig am", "Échéance", "Due on")
WORDS = ("Ława dębowa", "Chair", "Façade", "Ärmel", "Zszycie", "Kant 3 mm", "Nit, mosiądz", 'Rura 1/2"')
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16")


def grouped(value: Decimal, mark: str, group: str, places: int) -> str:
    whole, _, decimals = f"{value:,.{places}f}".partition(".")
    return whole.replace(",", group) + (mark + decimals if decimals else "")


def as_file(rows: list[list[str]], chance: random.Random, separator: str | None = None) -> bytes:
    """The rows as a program may write them: under a title, with an empty line, in some encoding."""
    before = chance.choice([[], [["Cennik 2026"]], [["Lista"], []]])
    written = io.StringIO()
    csv.writer(written, delimiter=separator or chance.choice(";,\t|")).writerows([*before, *rows])
    return written.getvalue().encode(chance.choice(ENCODINGS))


def is_read(content: bytes, kind: ImportKind, context: Context, field: str, expected: list[Any]) -> bool:
    """Whether the file is read as it was meant under the proposal, or else under an answer to one of its questions."""
    found = Found(content, kind, context)
    asked = [{each.id.replace(":", "_"): option.value} for each in found.questions for option in each.options]
    return any(Found(content, kind, context, **answers).values(field) == expected for answers in [{}, *asked])


@pytest.mark.parametrize(("seed", "files"), SEEDS)
def test_prices_of_generated_lists_are_what_was_written(seed: int, files: int) -> None:
    chance = random.Random(seed)
    for _ in range(files):
        mark = chance.choice(",.")
        group = chance.choice(["", " ", "\u00a0", "." if mark == "," else ",", "'"])
        places = chance.choice([0, 2, 2, 2, 3])
        prices = [Decimal(chance.randint(1, 5_000_000)) / 1000 for _ in range(chance.randint(1, 6))]
        prices = [price.quantize(Decimal(1).scaleb(-places)) for price in prices]
        columns = [
            (chance.choice(LABELS), [f"{chance.choice(WORDS)} {at}" for at in range(len(prices))]),
            (chance.choice(PRICE_HEADINGS), [grouped(price, mark, group, places) for price in prices]),
            (chance.choice(OTHER_PRICES), [grouped(price / 2, mark, group, 2) for price in prices]),
            ("SKU", [f"S{at}" for at in range(len(prices))]),
        ]
        chance.shuffle(columns)
        rows = [[name for name, _ in columns], *map(list, zip(*(cells for _, cells in columns), strict=True))]
        if chance.random() < 0.3:
            written = [
                row(*(number(float(prices[at - 1])) if at and name in PRICE_HEADINGS else text(each[column])
                      for column, (name, _) in enumerate(columns)))
                for at, each in enumerate(rows)
            ]  # fmt: skip
            content = xlsx(written)
            assert Found(content, "tiles", IN_ENGLISH).questions == [], rows
        else:
            content = as_file(rows, chance)
        context = chance.choice([POLISH, IN_ENGLISH])
        assert Found(content, "tiles", context).mapped.get("unitPrice") in PRICE_HEADINGS, rows
        assert is_read(
            content, "tiles", context, "unitPrice", [price.quantize(Decimal("0.0001")) for price in prices]
        ), rows


@pytest.mark.parametrize(("seed", "files"), SEEDS)
def test_days_of_generated_lists_are_what_was_written(seed: int, files: int) -> None:
    chance = random.Random(seed)
    forms = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y%m%d", "%d %B %Y", "%d-%b-%y", "%d.%m.%y")
    for _ in range(files):
        days = [date(2026, 1, 1) + timedelta(days=chance.randint(0, 700)) for _ in range(chance.randint(1, 5))]
        form = chance.choice(forms)
        rows = [["Title", chance.choice(DAYS)], *([f"Chair {at}", day.strftime(form)] for at, day in enumerate(days))]
        assert is_read(as_file(rows, chance), "orders", chance.choice([POLISH, ENGLISH]), "dueOn", days), rows


@pytest.mark.parametrize(("seed", "files"), SEEDS)
def test_people_of_generated_lists_have_what_was_written(seed: int, files: int) -> None:
    chance = random.Random(seed)
    for _ in range(files):
        count = chance.randint(1, 5)
        people = [
            f"{chance.choice(('Ewa', 'Łukasz', 'Zoë'))} {chance.choice(('Nowak', 'Żak', 'Müller'))}"
            for _ in range(count)
        ]
        phones = [f"60{chance.randint(1000000, 9999999)}" for _ in range(count)]
        emails = [f"p{chance.randint(1, 999)}@example.org" for _ in range(count)]
        columns = [
            (chance.choice(("Nazwa", "Name", "Klient", "Kunde", "Full name")), people),
            (chance.choice(("Telefon", "Phone", "Mobile", "Handy", "Tel. komórkowy", "Téléphone")), phones),
            (chance.choice(("E-mail", "Email address", "Adres e-mail", "Courriel", "E-Mail-Adresse")), emails),
            (chance.choice(("Miasto", "City", "Ort", "Ville")), ["Kraków"] * count),
            (chance.choice(("Lp.", "Phone type", "Name prefix", "Address book")), ["x"] * count),
        ]
        chance.shuffle(columns)
        rows = [[name for name, _ in columns], *map(list, zip(*(cells for _, cells in columns), strict=True))]
        found = Found(as_file(rows, chance), "customers")
        assert found.values("name") == people, rows
        assert found.values("phone") == [[phone] for phone in phones], rows
        assert found.values("email") == [[email] for email in emails], rows
        assert found.values("city") == ["Kraków"] * count, rows
