"""What is owed: collected orders with something due, in the inbox, in the numbers and in their list."""

import asyncio
import json
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

from backbench.engine.database import Write
from backbench.engine.urls import open_database
from backbench.jobs.sweep import SweepJob
from backbench.orders import balances
from backbench.values import times
from backbench.workshops import inbox
from tests.orders.test_numbers import numbers
from tests.orders.test_payment_histories import Driver
from tests.orders.test_payments import (
    agree,
    balance,
    confirm,
    decide,
    order_of_estimate,
    paid,
    set_up,
    summary,
    void,
)
from tests.people import App, Person
from tests.workshops.test_inbox import dismiss, items

HISTORIES = 8
STEPS = 14
EVERY = 7


async def collect(person: Person, order_id: str) -> None:
    moved = await person.patch(f"/orders/{order_id}/status", {"status": "done"})
    collected = await person.post(f"/orders/{order_id}/collected", {})
    assert (moved.status_code, collected.status_code) == (200, 200)


async def collected_order(person: Person, price: Any = 55, **fields: Any) -> str:
    """A collected order at a price without an estimate."""
    order_id = str((await person.order(**{"title": "Ring", "customerName": "Ewa", **fields}))["id"])
    await agree(person, order_id, price)
    await collect(person, order_id)
    return order_id


async def owed_items(person: Person) -> list[dict[str, Any]]:
    return [item for item in await items(person) if item["kind"] == "owed"]


async def owed_list(person: Person, query: str = "") -> list[dict[str, Any]]:
    response = await person.get(f"/workshops/{person.workshop}/order-summaries?owed=true{query}")
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = json.loads(response.content, parse_float=Decimal)["summaries"]
    return found


async def test_a_collected_order_with_something_due_is_owed_until_it_is_paid(app: App) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="EUR")
    order_id = (await anna.order(title="Ring", customerName="Ewa"))["id"]
    await agree(anna, order_id, 55)
    assert await owed_items(anna) == []
    assert (await numbers(anna))["owed"] == {"count": 0, "sums": [], "customers": 0}
    await collect(anna, order_id)
    details = (await anna.get(f"/orders/{order_id}/details")).json()
    assert await owed_items(anna) == [
        {
            "id": f"owed.{order_id}.55000",
            "kind": "owed",
            "at": details["collectedAt"],
            "read": False,
            "title": "Ring",
            "name": "Ewa",
            "text": "55.00 EUR",
            "orderId": order_id,
        }
    ]
    assert (await numbers(anna))["owed"] == {
        "count": 1,
        "sums": [{"currency": "EUR", "amount": 55}],
        "customers": 1,
    }
    assert [each["orderId"] for each in await owed_list(anna)] == [order_id]
    first = await paid(anna, order_id, 20)
    [item] = await owed_items(anna)
    assert item["text"] == "35.00 EUR"
    await paid(anna, order_id, 35)
    assert await owed_items(anna) == await owed_list(anna) == []
    await void(anna, first["id"])
    assert [item["text"] for item in await owed_items(anna)] == ["20.00 EUR"]
    await agree(anna, order_id, 35)
    assert await owed_items(anna) == []


@pytest.mark.parametrize("left", ["uncollect", "move", "delete", "unlink"])
async def test_what_is_not_collected_any_more_is_not_owed(app: App, left: str) -> None:
    anna = await app.owner("Anna")
    order_id, _ = await order_of_estimate(anna, 1000)
    await collect(anna, order_id)
    assert len(await owed_items(anna)) == 1
    changes: dict[str, Any] = {
        "uncollect": ("DELETE", "/collected", None),
        "move": ("PATCH", "/status", {"status": "in_progress"}),
        "delete": ("DELETE", "", None),
        "unlink": ("PATCH", "/details", {"estimateId": None}),
    }
    method, path, body = changes[left]
    assert (await anna.send(method, f"/orders/{order_id}{path}", body)).status_code in (200, 204)
    assert await owed_items(anna) == await owed_list(anna) == []
    assert (await numbers(anna))["owed"]["count"] == 0


async def test_what_is_owed_follows_the_price_of_the_estimate(app: App) -> None:
    anna = await app.owner("Anna")
    await app.put_on_pro(anna.workshop)
    order_id, estimate_id = await order_of_estimate(anna, 1000)
    await collect(anna, order_id)
    await anna.patch(f"/estimates/{estimate_id}", {"lineItems": [{**_line(), "unitPrice": 1500}]})
    await confirm(anna, estimate_id)
    amounts = [[each["due"]["amount"] for each in await owed_list(anna)]]
    decision = await decide(anna, estimate_id, 1)
    amounts.append([each["due"]["amount"] for each in await owed_list(anna)])
    assert (await numbers(anna))["owed"]["sums"] == [{"currency": "EUR", "amount": 1000}]
    assert (await anna.post(f"/decisions/{decision}/void", {"reason": "A mistake"})).status_code == 200
    assert (await numbers(anna))["owed"]["sums"] == [{"currency": "EUR", "amount": 1500}]
    assert (await anna.delete(f"/estimates/{estimate_id}")).status_code == 204
    amounts.append([each["due"]["amount"] for each in await owed_list(anna)])
    assert amounts == [[1500], [1000], []]
    assert await owed_items(anna) == []


def _line() -> dict[str, Any]:
    return {"label": "Oak", "unit": "job", "quantity": 1}


async def test_done_with_it_is_for_everybody_until_another_amount_is_owed(app: App) -> None:
    anna = await app.owner("Anna")
    bert = await app.member(anna)
    order_id = await collected_order(anna)
    [item] = await owed_items(bert)
    assert await dismiss(bert, item) == 204
    assert await owed_items(anna) == []
    # It is owed nevertheless.
    assert (await numbers(anna))["owed"]["count"] == 1
    await paid(anna, order_id, 20)
    assert [each["text"] for each in await owed_items(anna)] == ["35.00 EUR"]


async def test_customers_who_owe_are_counted_once(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/customers"
    customer = (await anna.post(path, {"name": "Ewa Nowak"})).json()["id"]
    for name in ("Ewa Nowak", "ewa nowak", "Jan", "", ""):
        order_id = await collected_order(anna, 10, customerName=name)
        if name == "Ewa Nowak":
            details = {"customerId": customer}
            assert (await anna.patch(f"/orders/{order_id}/details", details)).status_code == 200
    await set_up(anna, currency="PLN")
    second = await collected_order(anna, 7, customerName="E. Nowak")
    assert (await anna.patch(f"/orders/{second}/details", {"customerId": customer})).status_code == 200
    # The customer, the two names, and two nobody knows.
    assert (await numbers(anna))["owed"] == {
        "count": 6,
        "sums": [{"currency": "EUR", "amount": 50}, {"currency": "PLN", "amount": 7}],
        "customers": 5,
    }


async def test_who_owes_is_known_to_members_and_keys_of_payments_alone(app: App) -> None:
    anna, zofia = await app.owner("Anna"), await app.owner("Zofia")
    await collected_order(anna)
    path = f"/workshops/{anna.workshop}/order-summaries?owed=true"
    assert (await zofia.get(path)).status_code == 403
    bookkeeper = await anna.integrator("orders:read", "payments:read")
    assert len((await bookkeeper.get(path)).json()["summaries"]) == 1
    reader = await anna.integrator("orders:read", "estimates:read")
    assert (await reader.get(path)).status_code == 403
    inbox = (await reader.get(f"/workshops/{anna.workshop}/inbox")).json()["items"]
    assert "owed" not in {item["kind"] for item in inbox}
    assert len(await owed_items(anna)) == 1
    assert (await anna.get(path.replace("true", "yes"))).status_code == 400
    assert await owed_items(zofia) == []
    assert (await numbers(zofia))["owed"]["count"] == 0


async def test_the_sweep_computes_what_is_owed_for_orders_without_it(app: App) -> None:
    anna = await app.owner("Anna")
    order_id, paid_id = await collected_order(anna), await collected_order(anna, 10)
    await paid(anna, paid_id, 10)
    await app.db.write(forget_owed)
    assert await owed_items(anna) == []
    await SweepJob(app.db, app.backbench.blobs, times.now).sweep()
    assert [item["orderId"] for item in await owed_items(anna)] == [order_id]


@pytest.mark.parametrize("locale", ["en", "pl"])
@pytest.mark.parametrize("tone", ["formal", "friendly"])
async def test_the_messages_that_an_order_is_ready_name_what_is_due(app: App, tone: str, locale: str) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="PLN")
    order_id = (await anna.order(title="Ring"))["id"]

    async def drafted(kind: str) -> dict[str, str]:
        body = {"kind": kind, "locale": locale, "tone": tone}
        found: dict[str, str] = (await anna.post(f"/orders/{order_id}/message-draft", body)).json()
        return found

    kinds = ("received", "waiting", "delayed", "ready", "reminder")
    without = {kind: await drafted(kind) for kind in kinds}
    await agree(anna, order_id, 1055)
    sum_ = {"en": "PLN\u00a01,055.00", "pl": "1\u00a0055,00\u00a0zł"}[locale]
    naming = {kind for kind in kinds if sum_ in (await drafted(kind))["body"]}
    assert naming == {"ready", "reminder"}
    # Collected already: what it waits for is the payment.
    at_hand = (await drafted("reminder"))["body"]
    await collect(anna, order_id)
    reminder = await drafted("reminder")
    assert sum_ in reminder["body"]
    assert "Ring" in reminder["body"]
    assert reminder["subject"] != without["reminder"]["subject"]
    assert reminder["body"] != at_hand
    await paid(anna, order_id, 1055)
    assert {kind: await drafted(kind) for kind in kinds} == without


async def test_summaries_of_orders_by_their_ids_are_those_of_the_workshop(app: App) -> None:
    anna, zofia = await app.owner("Anna"), await app.owner("Zofia")
    mine = [(await anna.order())["id"] for _ in range(3)]
    others = (await zofia.order())["id"]
    path = f"/workshops/{anna.workshop}/order-summaries?ids="
    found = (await anna.get(path + ",".join([mine[2], others, mine[0], "0" * 36]))).json()["summaries"]
    assert [each["orderId"] for each in found] == [mine[0], mine[2]]
    assert len((await anna.get(path + ",".join(mine * 33))).json()["summaries"]) == 3
    for wrong in ("", "x", ",", f"{mine[0]},", ",".join(mine * 34)):
        assert (await anna.get(path + wrong)).status_code == 400, wrong


async def forget_owed(db: Write) -> None:
    await db.run("UPDATE order_details SET owed_thousandths = NULL, owed_currency = NULL")


async def test_only_orders_that_are_owed_for_are_read(tmp_path: Path) -> None:
    """A workshop with 100,000 collected orders has few of them."""
    db = open_database(f"sqlite:///{tmp_path / 'plans.db'}")
    await db.migrate()
    await db.close()
    connection = apsw.Connection(str(tmp_path / "plans.db"))
    for sql in (balances.SUMS, inbox.OWED):
        plan = [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", defaultdict(str))]
        read = [step for step in plan if step.startswith(("SCAN d", "SEARCH d "))]
        assert read, plan
        assert all("INDEX order_details_owed (workshop_id=? AND collected_at>?)" in step for step in read), plan


async def test_what_happens_at_the_same_moment_is_owed_as_the_balance_says(app: App) -> None:
    anna = await app.owner("Anna")
    await app.put_on_pro(anna.workshop)
    ids = []
    for _ in range(6):
        order_id, estimate_id = await order_of_estimate(anna, 100)
        await anna.patch(f"/estimates/{estimate_id}", {"lineItems": [{**_line(), "unitPrice": 150}]})
        assert (await anna.patch(f"/orders/{order_id}/status", {"status": "done"})).status_code == 200
        ids.append(order_id)
        await asyncio.gather(
            anna.post(f"/orders/{order_id}/collected", {}),
            paid(anna, order_id, 20),
            confirm(anna, estimate_id),
            decide(anna, estimate_id, 1),
            paid(anna, order_id, 5),
        )
    expected = {order_id: (await balance(anna, order_id))["due"] for order_id in ids}
    assert {item["orderId"]: Decimal(item["text"].split()[0]) for item in await owed_items(anna)} == expected
    assert set(expected.values()) == {75}


class CollectedDriver(Driver):
    """A history in which the order is also collected, given back, and taken from its estimate."""

    is_collected = False

    async def step(self) -> None:
        name = self.random.choice(("collect", "collect", "uncollect", "reopen", "unlink", "money", "money", "money"))
        await (super().step() if name == "money" else getattr(self, name)())

    async def collect(self) -> None:
        await collect(self.person, self.order_id)
        self.is_collected = True

    async def uncollect(self) -> None:
        assert (await self.person.delete(f"/orders/{self.order_id}/collected")).status_code == 200
        self.is_collected = False

    async def reopen(self) -> None:
        assert (await self.person.patch(f"/orders/{self.order_id}/status", {"status": "todo"})).status_code == 200
        self.is_collected = False

    async def unlink(self) -> None:
        """And links it again: the model knows of no other."""
        for estimate_id in (None, self.estimate_id):
            path = f"/orders/{self.order_id}/details"
            assert (await self.person.patch(path, {"estimateId": estimate_id})).status_code == 200


async def check(drivers: list[CollectedDriver]) -> None:
    """The inbox, the list and the numbers are those of the orders that are collected with something due."""
    person = drivers[0].person
    expected, sums = {}, Counter[str]()
    for driver in drivers:
        found = await balance(person, driver.order_id)
        shown = (await summary(person, driver.order_id)).get("due", {})
        assert shown.get("amount") == found.get("due")
        if driver.is_collected and found.get("due", 0) > 0:
            expected[driver.order_id] = (found["currency"], Decimal(found["due"]))
            sums[found["currency"]] += found["due"]
    in_inbox = {}
    for item in await owed_items(person):
        amount, currency = item["text"].split()
        in_inbox[item["orderId"]] = (currency, Decimal(amount))
    assert in_inbox == expected
    listed = await owed_list(person)
    assert {each["orderId"]: (each["due"]["currency"], Decimal(each["due"]["amount"])) for each in listed} == expected
    owed = (await numbers(person))["owed"]
    assert owed["count"] == len(expected)
    assert {each["currency"]: each["amount"] for each in owed["sums"]} == sums


async def test_after_any_history_exactly_what_is_collected_and_due_is_owed(app: App) -> None:
    random = Random(f"owed on {app.engine}")
    anna = await app.owner("Anna")
    await app.put_on_pro(anna.workshop)
    drivers: list[CollectedDriver] = []
    for currency in ("EUR", "JPY", "KWD"):
        # Orders in the currencies before stay as they are.
        await set_up(anna, currency=currency)
        fresh = [CollectedDriver(anna, random, currency) for _ in range(HISTORIES)]
        drivers += fresh
        for driver in fresh:
            await driver.begin()
        for step in range(STEPS):
            for driver in fresh:
                await driver.step()
            if step % EVERY == EVERY - 1:
                await check(drivers)
    assert any(driver.is_collected for driver in drivers)
