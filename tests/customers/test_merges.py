"""Two records of one customer become one, and are separated again."""

from typing import Any

import pytest

from backbench.customers import merges
from backbench.values import times
from tests.customers.test_customers import EVERYTHING, customer, in_poland, read
from tests.people import App, Person, pointers

pytestmark = pytest.mark.both_engines


async def merge(person: Person, into: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    response = await person.post(f"/customers/{into['id']}/merge", {"fromId": other["id"]})
    assert response.status_code == 200, response.text
    merged: dict[str, Any] = response.json()
    return merged


async def named(person: Person, order: dict[str, Any]) -> str | None:
    found: str | None = (await read(person, f"/orders/{order['id']}/details")).get("customerId")
    return found


async def order_of(person: Person, of: dict[str, Any]) -> dict[str, Any]:
    order = await person.order()
    assert (await person.patch(f"/orders/{order['id']}/details", {"customerId": of["id"]})).status_code == 200
    return order


async def estimate_of(person: Person, of: dict[str, Any], **facts: Any) -> dict[str, Any]:
    estimate = await person.estimate()
    response = await person.put(f"/estimates/{estimate['id']}/document", {**facts, "customerId": of["id"]})
    assert response.status_code == 200, response.text
    return estimate


async def document_customer(person: Person, estimate: dict[str, Any]) -> str | None:
    found: str | None = (await read(person, f"/estimates/{estimate['id']}/document")).get("customerId")
    return found


async def test_a_merge_moves_orders_and_estimates_and_unmerge_moves_them_back(app: App) -> None:
    anna = await app.owner("Anna")
    ewa, same = await customer(anna), await customer(anna, name="E. Nowak")
    orders = [await order_of(anna, ewa), await order_of(anna, same)]
    estimate = await estimate_of(anna, same)
    await merge(anna, ewa, same)
    assert [await named(anna, each) for each in orders] == [ewa["id"], ewa["id"]]
    assert await document_customer(anna, estimate) == ewa["id"]
    assert (await anna.get(f"/customers/{same['id']}")).status_code == 404
    assert (await read(anna, f"/workshops/{anna.workshop}/customers"))["customers"] == [
        await read(anna, f"/customers/{ewa['id']}")
    ]
    later = await order_of(anna, ewa)
    response = await anna.post(f"/customers/{ewa['id']}/unmerge", {"fromId": same["id"]})
    assert (response.status_code, response.json()) == (200, same)
    assert await read(anna, f"/customers/{same['id']}") == same
    assert [await named(anna, each) for each in [*orders, later]] == [ewa["id"], same["id"], ewa["id"]]
    assert await document_customer(anna, estimate) == same["id"]


async def test_a_merge_loses_nothing_that_one_of_the_records_says(app: App) -> None:
    anna = await app.owner("Anna")
    await in_poland(anna)
    ewa = await customer(anna, phones=[{"number": "600 100 200"}], emails=["ewa@example.com"], notes="Likes oak")
    same = await customer(anna, **EVERYTHING)
    merged = await merge(anna, ewa, same)
    assert merged["name"] == ewa["name"]
    assert [each["number"] for each in merged["phones"]] == ["600 100 200", "18 443 00 00"]
    assert merged["emails"] == ["ewa@example.com", "office@example.com"]
    assert merged["notes"] == "Likes oak\n\nRings the bell twice"
    assert {name: merged[name] for name in ("address", "siteAddress", "taxId", "locale")} == {
        name: EVERYTHING[name] for name in ("address", "siteAddress", "taxId", "locale")
    }
    # What is changed meanwhile stays.
    await anna.patch(f"/customers/{ewa['id']}", {"emails": [*merged["emails"], "new@example.com"], "locale": "en"})
    await anna.post(f"/customers/{ewa['id']}/unmerge", {"fromId": same["id"]})
    after = await read(anna, f"/customers/{ewa['id']}")
    assert after["emails"] == ["ewa@example.com", "new@example.com"]
    assert (after["phones"], after["notes"], after["locale"]) == (ewa["phones"], "Likes oak", "en")
    assert not {"address", "siteAddress", "taxId"} & after.keys()
    assert after["duplicates"] == [same["id"]]


async def test_a_record_that_was_merged_is_no_duplicate(app: App) -> None:
    anna = await app.owner("Anna")
    ewa, same = await customer(anna, emails=["e@example.com"]), await customer(anna, emails=["E@example.com"])
    assert (await read(anna, f"/customers/{ewa['id']}"))["duplicates"] == [same["id"]]
    assert "duplicates" not in await merge(anna, ewa, same)
    assert "duplicates" not in await read(anna, f"/customers/{ewa['id']}")


async def test_what_cannot_be_merged(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    ewa, jan, other = await customer(anna), await customer(anna, name="Jan"), await customer(eve)
    for unknown in (ewa["id"], other["id"], anna.workshop, "x"):
        assert pointers(await anna.post(f"/customers/{ewa['id']}/merge", {"fromId": unknown})) == ["/fromId"]
        assert pointers(await anna.post(f"/customers/{ewa['id']}/unmerge", {"fromId": unknown})) == ["/fromId"]
    await merge(anna, ewa, jan)
    assert pointers(await anna.post(f"/customers/{ewa['id']}/merge", {"fromId": jan["id"]})) == ["/fromId"]
    assert (await anna.post(f"/customers/{jan['id']}/merge", {"fromId": ewa["id"]})).status_code == 404
    assert (await eve.post(f"/customers/{ewa['id']}/unmerge", {"fromId": jan["id"]})).status_code == 403


async def test_merges_of_merged_records_are_undone_one_by_one(app: App) -> None:
    anna = await app.owner("Anna")
    ada, bea, cleo = [await customer(anna, name=name) for name in ("Ada", "Bea", "Cleo")]
    order = await order_of(anna, ada)
    await merge(anna, bea, ada)
    await merge(anna, cleo, bea)
    assert await named(anna, order) == cleo["id"]
    assert pointers(await anna.post(f"/customers/{cleo['id']}/unmerge", {"fromId": ada["id"]})) == ["/fromId"]
    assert (await anna.post(f"/customers/{bea['id']}/unmerge", {"fromId": ada["id"]})).status_code == 404
    assert (await anna.post(f"/customers/{cleo['id']}/unmerge", {"fromId": bea["id"]})).status_code == 200
    assert (await anna.post(f"/customers/{bea['id']}/unmerge", {"fromId": ada["id"]})).status_code == 200
    assert await named(anna, order) == ada["id"]


async def test_clients_learn_of_everything_that_a_merge_changes(app: App) -> None:
    anna = await app.owner("Anna")
    ewa, same = await customer(anna), await customer(anna, name="E. Nowak")
    order, estimate = await order_of(anna, same), await estimate_of(anna, same)
    path = f"/workshops/{anna.workshop}/changes"
    before = (await read(anna, path))["cursor"]
    await merge(anna, ewa, same)
    changed = await read(anna, f"{path}?since={before}")
    assert changed["removed"] == [{"kind": "customer", "id": same["id"]}]
    assert [each["id"] for each in changed["customers"]] == [ewa["id"]]
    assert [each["customerId"] for each in changed["orderDetails"]] == [ewa["id"]]
    assert [each["id"] for each in changed["estimates"]] == [estimate["id"]]
    await anna.post(f"/customers/{ewa['id']}/unmerge", {"fromId": same["id"]})
    after = await read(anna, f"{path}?since={changed['cursor']}")
    assert {each["id"] for each in after["customers"]} == {ewa["id"], same["id"]}
    assert [(each["orderId"], each["customerId"]) for each in after["orderDetails"]] == [(order["id"], same["id"])]


async def test_a_merged_record_is_kept_for_30_days(app: App) -> None:
    anna = await app.owner("Anna")
    ewa, same = await customer(anna), await customer(anna, name="E. Nowak")
    await merge(anna, ewa, same)
    kept = await _rows(app, same["id"])
    await app.db.write(lambda db: merges.delete_expired(db, times.later(times.now(), 30 * 86_400 - 60)))
    assert await _rows(app, same["id"]) == kept == 1
    await app.db.write(lambda db: merges.delete_expired(db, times.later(times.now(), 30 * 86_400 + 60)))
    assert await _rows(app, same["id"]) == 0
    assert pointers(await anna.post(f"/customers/{ewa['id']}/unmerge", {"fromId": same["id"]})) == ["/fromId"]
    assert (await anna.get(f"/customers/{ewa['id']}")).status_code == 200


@pytest.mark.parametrize("member", ["phones", "emails"])
async def test_a_merge_keeps_to_the_limits(app: App, member: str) -> None:
    anna = await app.owner("Anna")
    values: dict[str, list[Any]] = {
        "phones": [{"number": f"60010020{number}"} for number in range(8)],
        "emails": [f"e{number}@example.com" for number in range(8)],
    }
    ewa = await customer(anna, **{member: values[member][:4]})
    same = await customer(anna, **{member: values[member][3:]}, notes="n" * 5000)
    merged = await merge(anna, ewa, same)
    assert merged[member] == values[member][:5]
    assert (await anna.post(f"/customers/{ewa['id']}/unmerge", {"fromId": same["id"]})).json()[member] == same[member]
    assert (await read(anna, f"/customers/{ewa['id']}"))[member] == ewa[member]


async def _rows(app: App, customer_id: str) -> int:
    async with app.db.read() as db:
        return int(await db.value("SELECT count(*) FROM customers WHERE id = :id", id=customer_id))


async def test_a_customer_has_a_limit_of_merged_records(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merges, "MOST_MERGED", 3)
    anna = await app.owner("Anna")
    first, second, third, fourth, fifth = [await customer(anna, name=name) for name in ("A", "B", "C", "D", "E")]
    await merge(anna, second, third)
    await merge(anna, first, second)
    await merge(anna, first, fourth)
    response = await anna.post(f"/customers/{first['id']}/merge", {"fromId": fifth["id"]})
    assert (response.status_code, response.json()["code"]) == (409, "plan_limit")
    assert (response.json()["limit"], response.json()["current"]) == (3, 3)
    assert (await anna.get(f"/customers/{fifth['id']}")).status_code == 200
    # What was merged into the other record counts as well.
    response = await anna.post(f"/customers/{fifth['id']}/merge", {"fromId": first["id"]})
    assert response.status_code == 409
