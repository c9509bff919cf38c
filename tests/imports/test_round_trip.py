"""Round trip: every CSV that a workshop writes maps itself, and brings the same values into another workshop."""

import csv
import io
import random
from decimal import Decimal
from typing import Any

import pytest

from backbench.imports.cells import Notation, read_day, read_number
from backbench.words import words
from tests.people import App, Person
from tests.support.uploads import proposal

TEXTS = (
    "Ława, dębowa",
    "Krzesło; 2 szt.",
    "=1+1",
    "-5 cm",
    "@home",
    'Stół "duży"',
    "a,=b;-c",
    "line\nsecond",
    "O'Brien",
)

LINES = [text.replace("\n", " ") for text in TEXTS]


async def moved(app: App, anna: Person, kind: str, locale: str) -> tuple[Person, dict[str, Any]]:
    """Another workshop with what the CSV of the first one says, and the proposal."""
    eva = await app.owner()
    await eva.put(f"/workshops/{eva.workshop}/document-settings", {"currency": "PLN"})
    written = await anna.get(f"/workshops/{anna.workshop}/{kind}.csv?locale={locale}")
    proposed = await proposal(eva, written.content.decode(), kind)
    assert (proposed["errors"], proposed["notes"], proposed["questions"]) == ([], [], []), written.text
    assert proposed["program"] == "backbench"
    assert (await eva.post(f"/imports/{proposed['id']}/run")).status_code == 200
    return eva, proposed


def columns_left(proposed: dict[str, Any]) -> set[str]:
    used = set(proposed["mapping"].values())
    return {heading for at, heading in enumerate(proposed["columns"]) if at not in used}


@pytest.fixture
async def anna(app: App) -> Person:
    found = await app.owner()
    await found.put(f"/workshops/{found.workshop}/document-settings", {"currency": "PLN"})
    return found


@pytest.mark.parametrize("locale", ["en", "pl"])
async def test_tiles_come_back_with_their_prices(app: App, anna: Person, locale: str) -> None:
    chance = random.Random(1)
    prices = [0, 0.125, 1.125, 33.3333, 1234.5, 1_000_000, *(chance.randint(1, 10**7) / 10_000 for _ in range(20))]
    buttons = [
        {"id": f"b{at}", "emoji": "🪚", "label": f"{LINES[at % len(LINES)]} {at}",
         "unit": chance.choice(["sqm", "linear_m", "piece", "pair", "hour", "job", "freeform"]), "unitPrice": price}
        for at, price in enumerate(prices)
    ]  # fmt: skip
    for name, part in (("First", buttons[:9]), ("Second", buttons[9:])):
        sent = await anna.post(f"/workshops/{anna.workshop}/grids", {"name": name, "buttons": part})
        assert sent.status_code == 201, sent.text
    eva, proposed = await moved(app, anna, "tiles", locale)
    assert columns_left(proposed) == {"Id"}
    assert tiles_of(await grids(eva)) == tiles_of(await grids(anna))


def tiles_of(found: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    return {
        grid["name"]: [{**button, "id": ""} for button in grid["buttons"]]
        for grid in found
        if grid["name"] in ("First", "Second")
    }


async def grids(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await person.get(f"/workshops/{person.workshop}/grids")).json()["grids"]
    return found


@pytest.mark.parametrize("locale", ["en", "pl"])
async def test_customers_come_back_with_everything(app: App, anna: Person, locale: str) -> None:
    for at, text in enumerate(TEXTS):
        body = {
            "name": f"{text} {at}".replace("\n", " "), "kind": ("person", "company")[at % 2], "notes": text,
            "phones": [{"number": f"+48 60100{at}00{each}"} for each in range(at % 4)],
            "emails": [f"c{at}.{each}@example.org" for each in range(at % 3)],
            "address": "Long 1\n30-001 Kraków", "siteAddress": f"Site {at}", "taxId": f"PL526000{at:04}",
            "locale": ("pl", "en")[at % 2],
        }  # fmt: skip
        sent = await anna.post(f"/workshops/{anna.workshop}/customers", body)
        assert sent.status_code == 201, sent.text
    eva, proposed = await moved(app, anna, "customers", locale)
    assert columns_left(proposed) == {"Id"}
    assert await people(eva) == await people(anna)


async def people(person: Person) -> list[dict[str, Any]]:
    found = (await person.get(f"/workshops/{person.workshop}/customers?limit=100")).json()["customers"]
    own = ("id", "workshopId", "createdAt", "updatedAt")
    return [{name: value for name, value in each.items() if name not in own} for each in found]


@pytest.mark.parametrize("locale", ["en", "pl"])
async def test_orders_come_back_with_what_an_import_can_have(app: App, anna: Person, locale: str) -> None:
    for at, text in enumerate(TEXTS):
        order = await anna.order(title=text.replace("\n", " "), customerName=f"{text} {at}".replace("\n", " "))
        await anna.patch(f"/orders/{order['id']}/details", {"dueOn": f"2026-12-{at + 1:02}"})
        if at % 3:
            status = "in_progress" if at % 3 == 1 else "done"
            await anna.patch(f"/orders/{order['id']}/status", {"status": status})
    eva, proposed = await moved(app, anna, "orders", locale)
    # What only payments and agreements can say, and the numbers that the other workshop gives itself.
    names = words("pl" if locale == "pl" else "en").csv
    only_read = (
        "number", "agreed_net", "agreed_tax", "agreed", "paid", "due", "estimate", "accepted_on", "tax_id", "id",
    )  # fmt: skip
    assert columns_left(proposed) == {names[name] for name in only_read}
    assert await board(eva) == await board(anna)


async def board(person: Person) -> list[tuple[Any, ...]]:
    found = (await person.get(f"/workshops/{person.workshop}/orders?limit=100")).json()["orders"]
    details = [(await person.get(f"/orders/{order['id']}/details")).json() for order in found]
    return sorted(
        (each["number"], order["title"], order["customerName"], order["status"], each["dueOn"], each["stage"])
        for order, each in zip(found, details, strict=True)
    )


@pytest.mark.parametrize("locale", ["en", "pl"])
async def test_payments_can_be_read_as_they_were(anna: Person, locale: str) -> None:
    order = await anna.order()
    amounts = [Decimal("0.01"), Decimal(1000), Decimal("1234.50")]
    for amount in amounts:
        body = {"kind": "payment", "amount": float(amount), "method": "cash", "receivedOn": "2026-11-20"}
        assert (await anna.post(f"/orders/{order['id']}/payments", body)).status_code == 201
    written = await anna.get(f"/workshops/{anna.workshop}/payments.csv?locale={locale}")
    rows = csv.DictReader(io.StringIO(written.content.decode("utf-8-sig")), delimiter=";" if locale == "pl" else ",")
    names, read = words("pl" if locale == "pl" else "en").csv, list(rows)
    assert sorted(read_number(row[names["amount"]], Notation()) for row in read) == amounts
    assert {read_day(row[names["received"]], Notation()).isoformat() for row in read} == {"2026-11-20"}
