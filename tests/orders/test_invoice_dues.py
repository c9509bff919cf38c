"""Due days of invoices: what is reminded of was stated on an invoice or correction, with that day and that sum."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from backbench.values import times
from tests.orders.test_invoices import BUYER, exact, issued, paid, workshop
from tests.people import App, Person
from tests.support.violations import violations

PRICE = Decimal("1.23")
# An invoice or correction by its total of so many prices and the days until it is due; a payment of so many prices.
Step = tuple[str, int, int] | tuple[str, int]
# What is overdue then: the kind, the days, and the prices that are left.
Overdue = tuple[str, int, int]
CASES: dict[str, tuple[Sequence[Step], Sequence[Overdue]]] = {
    "paid in full, then corrected upwards": ([("invoice", 100, -9), ("paid", 100), ("to", 300, 14)], []),
    "the correction is overdue": ([("invoice", 100, -9), ("paid", 100), ("to", 300, -2)], [("correction", -2, 200)]),
    "paid in part": ([("invoice", 100, -9), ("paid", 90), ("to", 300, 14)], [("invoice", -9, 10)]),
    "both overdue": (
        [("invoice", 100, -9), ("paid", 90), ("to", 300, -2)],
        [("invoice", -9, 10), ("correction", -2, 200)],
    ),
    "paid more since": ([("invoice", 100, -9), ("to", 300, -2), ("paid", 250)], [("correction", -2, 50)]),
    "corrected upwards before it is due": ([("invoice", 100, 3), ("to", 300, -2)], [("correction", -2, 200)]),
    "taken back": ([("invoice", 100, -9), ("to", 300, -2), ("to", 100, 14)], [("invoice", -9, 100)]),
    "taken back in part": (
        [("invoice", 100, -9), ("paid", 100), ("to", 300, -2), ("to", 250, 14)],
        [("correction", -2, 150)],
    ),
    "to nothing": ([("invoice", 100, -9), ("to", 300, -2), ("to", 0, -1)], []),
    "to nothing and back": ([("invoice", 100, -9), ("to", 0, -2), ("to", 100, 14)], []),
    "downwards": ([("invoice", 100, -9), ("to", 40, 14)], [("invoice", -9, 40)]),
}


async def made(anna: Person, order_id: str, steps: Sequence[Step], today: date) -> None:
    line = {"label": "Blat", "unit": "piece", "quantity": 100, "unitPrice": 1}
    first = ""
    for step in steps:
        kind, count = step[:2]
        if kind == "paid":
            await paid(anna, order_id, count * PRICE)
            continue
        due = (today + timedelta(step[2])).isoformat()  # type: ignore[misc]  # has a day unless it is a payment
        if kind == "invoice":
            first = (await issued(anna, order_id, lines=[line], buyer=BUYER, dueDate=due))["id"]
            continue
        drafted = exact(await anna.post(f"/invoices/{first}/corrections", {"reason": "Inaczej"}))
        body = {"lines": [line | {"quantity": count}], "dueDate": due}
        assert (await anna.patch(f"/invoices/{drafted['id']}", body)).status_code == 200
        assert (await anna.post(f"/invoices/{drafted['id']}/issue", {})).status_code == 200


async def reminded_of(anna: Person, order_id: str) -> list[tuple[str, str, str]]:
    """Number, day and sum of each, as the inbox, the list and the invoices say them, which must agree."""
    items = (await anna.get(f"/workshops/{anna.workshop}/inbox?limit=100")).json()["items"]
    of_inbox = {each["invoiceId"]: each for each in items if each["kind"] == "unpaid" and each["orderId"] == order_id}
    listed = exact(await anna.get(f"/workshops/{anna.workshop}/invoices?unpaid=true"))["invoices"]
    of_list = {each["id"]: each for each in listed if each["orderId"] == order_id}
    assert of_inbox.keys() == of_list.keys()
    assert all(of_inbox[id_]["title"] == each["number"] for id_, each in of_list.items())
    assert all(of_inbox[id_]["text"] == f"{each['toPay']:.2f} PLN" for id_, each in of_list.items())
    return sorted((each["dueDate"], each["kind"], f"{each['toPay']:.2f}") for each in of_list.values())


async def test_what_is_overdue_was_stated_with_its_day_and_sum(app: App) -> None:
    anna = await workshop(app)
    today = times.local_date(times.now(), "Europe/Warsaw")
    body: dict[str, Any] = {"kind": "reminder", "locale": "en", "tone": "formal"}
    with violations() as case:
        for name, (steps, overdue) in CASES.items():
            with case(name):
                order_id = (await anna.order())["id"]
                await made(anna, order_id, steps, today)
                expected = [
                    ((today + timedelta(days)).isoformat(), kind, f"{count * PRICE:.2f}")
                    for kind, days, count in overdue
                ]
                assert await reminded_of(anna, order_id) == expected
                of_order = exact(await anna.get(f"/orders/{order_id}/invoices"))["invoices"]
                text = (await anna.post(f"/orders/{order_id}/message-draft", body)).json()["body"]
                assert ("due on" in text) == bool(expected)
                for day, _, sum_ in expected[:1]:
                    number = next(each["number"] for each in of_order if each["dueDate"] == day)
                    assert f"{number}, due on {date.fromisoformat(day).day} " in text
                    assert sum_ in text
                total = sum((each["toPay"] + each["paid"] for each in of_order), Decimal(0))
                assert total == next(step[1] for step in reversed(steps) if step[0] != "paid") * PRICE
