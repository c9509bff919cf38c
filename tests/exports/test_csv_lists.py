"""CSV files of customers and tiles: complete, escaped, and only for those who may read what is in them."""

from tests.orders.test_numbers import rows
from tests.people import App

BUTTONS = [
    {"emoji": "🪑", "label": "Chair", "unit": "piece", "unitPrice": 120.5},
    {"emoji": "🧵", "label": "=Sum", "unit": "sqm", "unitPrice": 80},
]


async def test_the_customers_of_a_workshop_are_in_a_file_by_name(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/customers"
    phones = [{"number": "601 234 567"}, {"number": "22 123 45 67"}]
    ewa = await anna.post(path, {"name": "Ewa", "phones": phones, "emails": ["ewa@example.com"], "notes": "@home"})
    await anna.post(path, {"name": "Adam Ltd", "kind": "company", "taxId": "123", "address": "Street 1\nTown"})
    gone = (await anna.post(path, {"name": "Zenon"})).json()["id"]
    await anna.delete(f"/customers/{gone}")
    headings, adam, found = await rows(anna, "customers.csv")
    assert dict(zip(headings, found, strict=True)) == {
        "Name": "Ewa", "Kind": "person", "Phone": "601 234 567", "Other phones": "22 123 45 67",
        "Email": "ewa@example.com", "Other emails": "", "Address": "", "Site address": "", "Tax ID": "",
        "Language": "", "Note": "'@home", "Id": ewa.json()["id"],
    }  # fmt: skip
    assert adam[:2] == ["Adam Ltd", "company"]
    assert "Street 1\nTown" in adam
    assert (await rows(anna, "customers.csv?locale=pl"))[1][1] == "firma"


async def test_the_tiles_of_a_workshop_are_in_a_file_in_the_order_of_its_grids(app: App) -> None:
    anna = await app.owner("Anna")
    for name in ("Repairs", "New"):
        await anna.post(f"/workshops/{anna.workshop}/grids", {"name": name, "buttons": BUTTONS})
    headings, *found = await rows(anna, "tiles.csv?locale=pl")
    assert headings == ["Zestaw", "Emoji", "Nazwa", "Jednostka", "Cena jednostkowa", "Waluta", "Id"]
    grids = (await anna.get(f"/workshops/{anna.workshop}/grids")).json()["grids"]
    of_grids = [row for row in found if row[0] in ("Repairs", "New")]
    assert [row[-1] for row in found] == [button["id"] for grid in grids for button in grid["buttons"]]
    assert [row[:5] for row in of_grids[:2]] == [
        ["New", "🪑", "Chair", "szt.", "120,50"],
        ["New", "🧵", "'=Sum", "m²", "80,00"],
    ]


async def test_csv_files_of_lists_are_for_those_who_may_read_the_lists(app: App) -> None:
    anna, zofia = await app.owner("Anna"), await app.owner("Zofia")
    clerk, estimator = await anna.integrator("customers:read"), await anna.integrator("estimates:read")
    for name, allowed, other in (("customers.csv", clerk, estimator), ("tiles.csv", estimator, clerk)):
        path = f"/workshops/{anna.workshop}/{name}"
        assert (await allowed.get(path)).status_code == 200
        assert (await other.get(path)).status_code == 403
        assert (await zofia.get(path)).status_code == 403
