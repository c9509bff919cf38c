"""The files of an SQLite database have no byte of an erased person, in no free page and no log."""

from pathlib import Path

import pytest

from tests.customers.test_customers import customer
from tests.people import App

NAME, PHONE, EMAIL = "Zbysława Krzyworęka", "531942086", "zbyslawa@krzyworeka.example"
SECRETS = [text.encode() for text in ("Krzywor", "krzywor", PHONE, "Zbys", "zbys", "Wierzbinięta")]


async def test_no_byte_of_an_erased_person_is_left_in_the_files(app: App) -> None:
    if app.engine != "sqlite":
        pytest.skip("the files of PostgreSQL are its server's; a dump of it is tested with the erasures")
    anna = await app.owner("Anna")
    ids = []
    # Rows that grow and move between pages, as those of a person who is known for years do.
    for round_ in range(4):
        zbyslawa = await customer(anna, name=f"{NAME} {round_}", phones=[{"number": PHONE}], emails=[EMAIL])
        ids.append(zbyslawa["id"])
        for _ in range(6):
            order = await anna.order(customerName=NAME, title="Ring")
            await anna.patch(f"/orders/{order['id']}/details", {"customerId": zbyslawa["id"], "phone": PHONE})
            draft = await anna.estimate(recipientName=NAME)
            facts = {"recipientAddress": "ul. Wierzbinięta 4\n" * 20, "customerId": zbyslawa["id"]}
            await anna.put(f"/estimates/{draft['id']}/document", facts)
        for length in (4000, 10, 2500):
            notes = f"{NAME} {PHONE} ul. Wierzbinięta " * (length // 50 + 1)
            assert (await anna.patch(f"/customers/{zbyslawa['id']}", {"notes": notes})).status_code == 200
    for id_ in ids:
        assert (await anna.post(f"/customers/{id_}/erase")).status_code == 200
    await app.db.truncate_log()
    path = Path(app.db._path)  # type: ignore[attr-defined] # the files are not part of the interface
    for file in (path, path.with_name(path.name + "-wal")):
        content = file.read_bytes() if file.exists() else b""
        assert [secret for secret in SECRETS if secret in content] == [], file
