"""Numbers of payments: a series by year and direction, without gap or duplicate, that receipts and files have."""

import asyncio
import io
from decimal import Decimal
from typing import Any

import pypdf
import pytest

from backbench.engine.database import Write
from backbench.orders import payments
from backbench.values import times
from tests.orders.test_numbers import rows
from tests.orders.test_payments import agree, decide, line, order_of_estimate, paid, pay, set_up, void
from tests.people import App, Person

pytestmark = pytest.mark.both_engines

YEAR = times.now()[:4]


async def receipt_text(person: Person, payment_id: str, locale: str = "pl") -> str:
    response = await person.get(f"/payments/{payment_id}/receipt?locale={locale}")
    assert response.status_code == 200, response.text
    (page,) = pypdf.PdfReader(io.BytesIO(response.content)).pages
    return " ".join(page.extract_text().split())


async def books(person: Person, path: str = "payments.csv?locale=en") -> list[dict[str, str]]:
    headings, *found = await rows(person, path)
    return [dict(zip(headings, row, strict=True)) for row in found]


async def test_received_and_paid_back_have_a_series_each(app: App) -> None:
    anna, bert = await app.owner("Anna"), await app.owner("Bert")
    order_id = (await anna.order())["id"]
    kinds = ("deposit", "payment", "refund", "payment", "refund")
    numbers = [(await paid(anna, order_id, 20 if kind != "refund" else 5, kind))["number"] for kind in kinds]
    assert numbers == [f"{each}/{YEAR}" for each in ("KP 1", "KP 2", "KW 1", "KP 3", "KW 2")]
    assert (await paid(bert, (await bert.order())["id"], 5))["number"] == f"KP 1/{YEAR}"


async def test_a_payment_that_is_refused_takes_no_number(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    first = await paid(anna, order_id, 5)
    assert (await pay(anna, order_id, 6, "refund")).status_code == 409
    assert (await pay(anna, order_id, "6")).status_code == 400
    assert (await void(anna, first["id"])).json()["number"] == f"KP 1/{YEAR}"
    assert (await paid(anna, order_id, 5))["number"] == f"KP 2/{YEAR}"


async def test_the_year_is_that_of_the_workshop(app: App) -> None:
    day = times.local_date("2026-12-31T11:30:00.000Z", "Pacific/Auckland")
    assert day.year == 2027

    async def take(db: Write) -> list[str]:
        return [await payments.take_number(db, anna.workshop, "payment", day) for _ in range(2)]

    anna = await app.owner("Anna")
    assert await app.db.write(take) == ["KP 1/2027", "KP 2/2027"]


async def test_payments_at_the_same_time_leave_no_gap_and_no_duplicate(app: App) -> None:
    anna = await app.owner("Anna")
    order_ids = [(await anna.order())["id"] for _ in range(5)]
    found = await asyncio.gather(*[pay(anna, order_ids[at % 5], 5) for at in range(50)])
    numbers = [response.json()["number"] for response in found if response.status_code == 201]
    assert len(numbers) == 50
    assert sorted(numbers) == sorted(f"KP {at}/{YEAR}" for at in range(1, 51))


async def test_payments_of_a_version_before_are_numbered_in_their_order(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    ids = [(await paid(anna, order_id, 5))["id"] for _ in range(5)]

    async def forget(db: Write) -> None:
        await db.run("UPDATE payments SET number = NULL WHERE workshop_id = :id", id=anna.workshop)
        await db.run("DELETE FROM payment_series WHERE workshop_id = :id", id=anna.workshop)

    await app.db.write(forget)
    listed = (await anna.get(f"/orders/{order_id}/payments")).json()["payments"]
    assert not any("number" in each for each in listed)
    assert ids[0] in (await receipt_text(anna, ids[0])).replace(" ", "")
    while await app.db.write(lambda db: payments.add_missing_numbers(db, 2)) == 2:
        pass
    listed = (await anna.get(f"/orders/{order_id}/payments")).json()["payments"]
    numbers = {each["id"]: each["number"] for each in listed}
    assert [numbers[each] for each in ids] == [f"KP {at}/{YEAR}" for at in range(1, 6)]
    assert (await paid(anna, order_id, 5))["number"] == f"KP 6/{YEAR}"


async def test_a_receipt_says_what_accountants_file(app: App) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="PLN", taxId="734-293-88-41")
    order_id, _ = await order_of_estimate(anna, 1000, depositPercent=30, depositKind="earnest")
    deposit, refund = await paid(anna, order_id, 300.5, "deposit"), await paid(anna, order_id, 2, "refund")
    text = await receipt_text(anna, deposit["id"])
    for expected in (
        "Potwierdzenie wpłaty zadatku", f"KP 1/{YEAR}", "300,50 zł", "Słownie trzysta złotych 50/100",
        "To potwierdzenie wpłaty zadatku. Nie jest paragonem fiskalnym ani fakturą.", "NIP 734-293-88-41",
        "Przyjął(-ęła) Anna",
    ):  # fmt: skip
        assert expected in text, expected
    text = await receipt_text(anna, refund["id"])
    for expected in (
        "Potwierdzenie zwrotu", f"KW 1/{YEAR}", "Słownie dwa złote 00/100", "To potwierdzenie zwrotu.",
        "Wypłacił(a) Anna", "Otrzymał(a)",
    ):  # fmt: skip
        assert expected in text, expected
    assert "wpłaty" not in text
    transfer = await anna.post(f"/orders/{order_id}/payments", {"kind": "refund", "amount": 1, "method": "transfer"})
    text = await receipt_text(anna, transfer.json()["id"])
    assert "Wystawił(a) Anna" in text
    assert "Otrzymał(a)" not in text
    response = await anna.get(f"/payments/{deposit['id']}/receipt")
    assert f'filename="KP 1-{YEAR}.pdf"' in response.headers["content-disposition"]


async def test_a_deposit_that_nobody_named_is_a_prepayment(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    payment = await paid(anna, order_id, 5, "deposit")
    assert "Potwierdzenie przedpłaty" in await receipt_text(anna, payment["id"])
    await set_up(anna, depositKind="advance")
    assert "Potwierdzenie wpłaty zaliczki" in await receipt_text(anna, payment["id"])


async def test_columns_of_the_books_add_up(app: App) -> None:
    """Refunds are negative, voided payments are 0, and net and tax of all parts are those of the price."""
    anna = await app.owner("Anna")
    await set_up(anna, currency="PLN", taxPercent=23)
    order_id, estimate_id = await order_of_estimate(anna, 100.01, recipientTaxId="PL6762345678")
    await decide(anna, estimate_id, 1)
    for amount in (41, 41, 41.01):
        await paid(anna, order_id, amount)
    await paid(anna, order_id, 10, "refund")
    last = await paid(anna, order_id, 10)
    gone = await paid(anna, order_id, 7)
    await void(anna, gone["id"])

    found = await books(anna)
    sums = {name: sum(Decimal(row[name]) for row in found) for name in ("Net", "Tax", "Amount, gross")}
    assert sums == {"Net": Decimal("100.01"), "Tax": Decimal("23.00"), "Amount, gross": Decimal("123.01")}
    by_id = {row["Id"]: row for row in found}
    assert [by_id[gone["id"]][name] for name in ("Amount, gross", "Net", "Tax", "Amount voided")] == [
        "0.00", "0.00", "0.00", "7.00",
    ]  # fmt: skip
    assert by_id[last["id"]]["Payment no."] == last["number"]
    assert {row["Tax ID"] for row in found} == {"PL6762345678"}
    assert sorted(row["Amount, gross"] for row in found if row["Kind"] == "refund") == ["-10.00"]
    assert all(Decimal(row["Net"]) + Decimal(row["Tax"]) == Decimal(row["Amount, gross"]) for row in found)
    (order,) = await books(anna, "orders.csv?locale=en")
    assert (order["Agreed, net"], order["Agreed, tax"], order["Agreed, gross"]) == ("100.01", "23.00", "123.01")
    number = (await anna.get(f"/estimates/{estimate_id}/revisions/1/totals")).json()["number"]
    day = times.local_date(times.now(), "UTC").isoformat()
    assert (order["Estimate"], order["Tax ID"]) == (number, "PL6762345678")
    assert order["Accepted on"][:7] == day[:7]


async def test_net_and_tax_stay_empty_where_nobody_knows_them(app: App) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="PLN", taxPercent=23)
    customers = f"/workshops/{anna.workshop}/customers"
    firm = (await anna.post(customers, {"name": "Meble", "kind": "company", "taxId": "6762345678"})).json()["id"]
    order_id = (await anna.order())["id"]
    assert (await anna.patch(f"/orders/{order_id}/details", {"customerId": firm})).status_code == 200
    await agree(anna, order_id, 50)
    await paid(anna, order_id, 20)
    (row,), (order,) = await books(anna), await books(anna, "orders.csv?locale=en")
    assert [row[name] for name in ("Net", "Tax", "Amount, gross", "Tax ID")] == ["", "", "20.00", "6762345678"]
    assert [order[name] for name in ("Agreed, net", "Agreed, tax", "Agreed, gross")] == ["", "", "50.00"]
    assert order["Tax ID"] == "6762345678"


async def test_several_rates_and_gross_prices_have_their_net_and_tax_in_the_books(app: App) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="PLN", taxPercent=23, pricesEntered="gross")
    items: list[dict[str, Any]] = [line(123), {**line(108), "label": "Reduced"}]
    estimate = await anna.estimate(lineItems=items)
    reduced = estimate["lineItems"][1]["id"]
    assert (await anna.put(f"/estimates/{estimate['id']}/document", {"lineTaxes": {reduced: 8}})).status_code == 200
    assert (await anna.post(f"/estimates/{estimate['id']}/confirm")).status_code == 201
    assert (await anna.post(f"/estimates/{estimate['id']}/orders", {})).status_code == 201
    (order,) = await books(anna, "orders.csv?locale=en")
    assert [order[name] for name in ("Agreed, net", "Agreed, tax", "Agreed, gross")] == ["200.00", "31.00", "231.00"]
