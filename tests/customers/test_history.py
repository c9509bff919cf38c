"""History of a customer, everything stored about one, and what an archive has."""

import io
import json
import zipfile
from typing import Any

import pytest

from tests.customers.test_customers import EVERYTHING, customer, read
from tests.customers.test_merges import estimate_of, order_of
from tests.people import App, Person
from tests.support.counted_data import assert_counted, held
from tests.support.operation_samples import BODIES
from tests.support.statements import recorded
from tests.support.uploads import photo

LINES = [{"label": "Oak", "unit": "piece", "unitPrice": 100, "quantity": 2}]


async def history(person: Person, of: dict[str, Any], query: str = "") -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = (await read(person, f"/customers/{of['id']}/history{query}"))["entries"]
    return entries


async def test_the_history_has_orders_estimates_decisions_and_notices_with_amounts(app: App) -> None:
    anna = await app.owner("Anna")
    ewa = await customer(anna)
    estimate = await estimate_of(anna, ewa)
    path = f"/estimates/{estimate['id']}"
    await anna.patch(path, {"lineItems": LINES})
    await anna.post(f"{path}/confirm")
    body = {"revisionNumber": 1, "outcome": "accepted", "method": "phone", "name": "Ewa"}
    decision = (await anna.post(f"{path}/decisions", body)).json()
    order = (await anna.post(f"{path}/orders", {"title": "Oak table"})).json()
    notice = (await anna.post(f"/orders/{order['id']}/notices", {"kind": "ready", "channel": "called"})).json()
    await anna.patch(path, {"lineItems": [LINES[0] | {"quantity": 3}]})
    bare = await order_of(anna, ewa)
    await anna.order()
    assert await history(anna, ewa) == [
        {"kind": "order", "id": bare["id"], "at": bare["createdAt"], "title": bare["title"], "state": "received"},
        {"kind": "notice", "id": notice["id"], "at": notice["at"], "title": "Oak table", "state": "ready"},
        {
            "kind": "order",
            "id": order["id"],
            "at": order["createdAt"],
            "title": "Oak table",
            "amount": 200,
            "currency": "EUR",
            "state": "received",
        },
        {
            "kind": "decision",
            "id": decision["id"],
            "at": decision["decidedAt"],
            "title": "Kitchen",
            "amount": 200,
            "currency": "EUR",
            "state": "accepted",
        },
        {
            "kind": "estimate",
            "id": estimate["id"],
            "at": estimate["createdAt"],
            "title": "Kitchen",
            "amount": 300,
            "currency": "EUR",
            "state": "changed",
        },
    ]


@pytest.mark.both_engines
async def test_a_page_of_the_history_is_one_statement_however_long(app: App) -> None:
    anna = await app.owner("Anna")
    ewa = await customer(anna)
    estimate = await estimate_of(anna, ewa)
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    for _ in range(125):
        order = (await anna.post(f"/estimates/{estimate['id']}/orders", {})).json()
        for _ in range(3):
            await anna.post(f"/orders/{order['id']}/notices", {"kind": "ready", "channel": "called"})
    counts = []
    for limit in (1, 50, 500):
        with recorded() as statements:
            assert len(await history(anna, ewa, f"?limit={limit}")) == limit
        counts.append(statements)
    assert len(set(map(len, counts))) == 1
    pages = [each for each in counts[-1] if "order_notices" in each]
    assert len(pages) == 1
    paged, url = [], f"/customers/{ewa['id']}/history?limit=150"
    while url:
        response = await anna.get(url)
        paged += response.json()["entries"]
        url = response.links["next"]["url"].removeprefix("/api") if "next" in response.links else ""
    assert paged == await history(anna, ewa)
    assert len(paged) == 501


async def test_the_data_of_a_customer_are_everything_about_it(app: App) -> None:
    anna = await app.owner("Anna")
    ewa = await customer(anna, **EVERYTHING)
    same = await customer(anna, name="E. Nowak")
    order, estimate = await order_of(anna, same), await estimate_of(anna, ewa, leadTime="A week")
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    await anna.post(f"/customers/{ewa['id']}/merge", {"fromId": same["id"]})
    await anna.post(f"/orders/{order['id']}/questions", {"text": "By Friday"})
    data = await read(anna, f"/customers/{ewa['id']}/data")
    assert data["customer"]["name"] == ewa["name"]
    assert [each["name"] for each in data["merged"]] == ["E. Nowak"]
    assert [each["order"]["id"] for each in data["orders"]] == [order["id"]]
    assert [each["text"] for each in data["orders"][0]["questions"]] == ["By Friday"]
    assert data["orders"][0]["details"]["customerId"] == ewa["id"]
    assert [each["estimate"]["id"] for each in data["estimates"]] == [estimate["id"]]
    assert data["estimates"][0]["document"] == {"leadTime": "A week", "customerId": ewa["id"]}
    shown = data["estimates"][0]["revisions"][0]
    assert (shown["recipientName"], shown["document"]["recipientAddress"]) == (ewa["name"], EVERYTHING["address"])
    eve = await app.owner("Eve")
    assert (await eve.get(f"/customers/{ewa['id']}/data")).status_code == 403


async def test_the_archive_has_the_customers(app: App) -> None:
    anna = await app.owner("Anna")
    ewa = await customer(anna, **EVERYTHING)
    estimate = await estimate_of(anna, ewa)
    archive = zipfile.ZipFile(io.BytesIO((await anna.get("/me/data-archive")).content))
    contents = {
        name.rpartition("/")[2]: json.loads(archive.read(name)) for name in archive.namelist() if "json" in name
    }
    assert contents["customers.json"] == {"customers": [ewa]}
    assert contents["documents.json"]["documents"] == [
        {"estimateId": estimate["id"], "number": None, "document": {}, "customerId": ewa["id"]}
    ]


async def test_customers_count_as_data(app: App) -> None:
    anna = await app.owner("Anna")
    before = await held(app, anna.workshop)
    ewa, same = await customer(anna, notes="n" * 2000), await customer(anna, notes="m" * 2000)
    assert await held(app, anna.workshop) >= before + 4000
    for _ in range(20):
        await order_of(anna, same)
    estimate = await estimate_of(anna, same)
    await anna.post(f"/customers/{ewa['id']}/merge", {"fromId": same["id"]})
    await anna.post(f"/estimates/{estimate['id']}/confirm")
    await assert_counted(app, anna.workshop)


async def test_the_data_of_a_customer_have_what_belongs_to_each_order_and_estimate(app: App) -> None:
    anna = await app.owner("Anna")
    ewa = await customer(anna)
    expected_orders, expected_estimates = [], []
    for name in ("Ring", "Chain"):
        path = f"/orders/{(await anna.order(title=name))['id']}"
        assert (await anna.patch(f"{path}/details", {"customerId": ewa["id"], "place": name})).status_code == 200
        for number in (1, 2):
            assert (await anna.post(f"{path}/questions", {"text": f"{name} {number}"})).status_code == 201
            body = BODIES["POST /orders/{orderId}/payments"] | {"note": f"{name} {number}"}
            assert (await anna.post(f"{path}/payments", body)).status_code == 201
            assert (await anna.post(f"{path}/notices", {"kind": "ready", "channel": "called"})).status_code == 201
        assert (await anna.put(f"{path}/signature", BODIES["PUT /orders/{orderId}/signature"])).status_code == 200
        await photo(anna, path.rpartition("/")[2], caption=name)
        assert (await anna.post(f"{path}/invoices", BODIES["POST /orders/{orderId}/invoices"])).status_code == 201
        expected_orders.append(
            {
                "order": (await read(anna, path))["order"],
                "details": await read(anna, f"{path}/details"),
                **{kind: (await read(anna, f"{path}/{kind}"))[kind] for kind in ("questions", "notices", "photos")},
                "payments": (await read(anna, f"{path}/payments"))["payments"],
                "invoices": (await read(anna, f"{path}/invoices"))["invoices"],
                "signature": await read(anna, f"{path}/signature"),
            }
        )
        path = f"/estimates/{(await anna.estimate(name=name))['id']}"
        await anna.put(f"{path}/document", {"customerId": ewa["id"], "leadTime": name})
        for _ in range(2):
            assert (await anna.post(f"{path}/confirm")).status_code == 201
            await anna.patch(path, {"markupPercent": 5})
            assert (await anna.post(f"{path}/links", {"locale": "en"})).status_code == 201
            handoff = {"kind": "message-copied", "locale": "pl", "preliminary": False, "tone": "formal"}
            assert (await anna.post(f"{path}/handoffs", handoff | {"aiDrafted": False})).status_code == 201
        await anna.post(f"{path}/decisions", BODIES["POST /estimates/{estimateId}/decisions"])
        expected_estimates.append(
            {
                "estimate": (await read(anna, path)),
                "document": await read(anna, f"{path}/document"),
                "revisions": (await read(anna, f"{path}/revisions"))["revisions"][::-1],
                "handoffs": (await read(anna, f"{path}/handoffs"))["handoffs"],
                "links": [each["id"] for each in (await read(anna, f"{path}/links"))["links"]],
                "decisions": [each["id"] for each in (await read(anna, f"{path}/decisions"))["decisions"]],
            }
        )
    data = await read(anna, f"/customers/{ewa['id']}/data")
    assert data["orders"] == expected_orders
    for estimate in data["estimates"]:
        estimate["revisions"] = [each["revision"] for each in estimate["revisions"]]
        sharing = estimate.pop("sharing")
        estimate |= {kind: [each["id"] for each in sharing[kind]] for kind in ("links", "decisions")}
    assert [each["estimate"]["name"] for each in data["estimates"]] == ["Ring", "Chain"]
    assert data["estimates"] == expected_estimates
