"""Numbers of a workshop and its CSV files: each number is that of its list, in every currency apart."""

import csv
import io
import json
from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import apsw
import pytest

from backbench.engine.database import Write
from backbench.engine.urls import open_database
from backbench.jobs.sweep import SweepJob
from backbench.orders import numbers as orders_numbers
from backbench.orders.numbers import period
from backbench.values import times
from tests.orders.test_payments import agree, confirm, decide, line, order_of_estimate, paid, set_up, void
from tests.people import App, Person


async def numbers(person: Person, query: str = "") -> dict[str, Any]:
    response = await person.get(f"/workshops/{person.workshop}/numbers{query}")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = json.loads(response.content, parse_float=Decimal)
    return found


async def rows(person: Person, path: str, delimiter: str = "") -> list[list[str]]:
    response = await person.get(f"/workshops/{person.workshop}/{path}")
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.content.startswith("\ufeff".encode())
    delimiter = delimiter or (";" if "locale=pl" in path else ",")
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"), newline=""), delimiter=delimiter))


async def test_open_estimates_are_confirmed_valid_and_undecided_at_their_latest_revision(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.estimate(lineItems=[line(5)])
    changed = (await anna.estimate(lineItems=[line(100)]))["id"]
    await confirm(anna, changed)
    await anna.patch(f"/estimates/{changed}", {"lineItems": [line(150)]})
    await confirm(anna, changed)
    _, accepted = await order_of_estimate(anna, 1000)
    await decide(anna, accepted, 1)
    _, declined = await order_of_estimate(anna, 2000)
    await decide(anna, declined, 1, "declined")
    await set_up(anna, currency="PLN", validDays=0)
    await order_of_estimate(anna, 70)
    found = await numbers(anna)
    assert found["openEstimates"] == {
        "count": 2,
        "sums": [{"currency": "EUR", "amount": 150}, {"currency": "PLN", "amount": 70}],
    }
    assert found["decided"] == {"accepted": 1, "declined": 1}
    # A new revision after a decline is open again.
    await confirm(anna, declined)
    assert (await numbers(anna))["openEstimates"]["count"] == 3


async def test_agreed_and_received_are_the_sums_of_their_lists(app: App) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="EUR", timeZone="UTC")
    entered = (await anna.order(title="Ring", customerName="Ewa"))["id"]
    await agree(anna, entered, 40)
    order_id, estimate_id = await order_of_estimate(anna, 1000)
    await agree(anna, order_id, 900)
    await decide(anna, estimate_id, 1)
    payment = await paid(anna, order_id, 300)
    await paid(anna, order_id, 20.05, "refund")
    await void(anna, (await paid(anna, order_id, 7))["id"])
    await paid(anna, order_id, 1, receivedOn="2020-01-31")
    month = (await numbers(anna))["months"][-1]
    # What was entered for an order whose estimate was accepted counts no more.
    assert month["agreed"] == {"count": 2, "sums": [{"currency": "EUR", "amount": 1040}]}
    assert month["received"] == {"count": 2, "sums": [{"currency": "EUR", "amount": Decimal("279.95")}]}
    today = payment["receivedOn"]
    agreed = (await anna.get(f"/workshops/{anna.workshop}/agreed?from={today}&to={today}")).json()["agreed"]
    assert sorted((each["amount"], each["source"], each["orderId"]) for each in agreed) == [
        (40, "entered", entered),
        (1000, "accepted", order_id),
    ]
    old = await numbers(anna, "?from=2020-01-15&to=2020-02-03")
    assert [(each["month"], each["received"]["count"]) for each in old["months"]] == [("2020-01", 1), ("2020-02", 0)]


async def test_late_and_ready_orders_are_those_of_the_board(app: App) -> None:
    anna = await app.owner("Anna")
    for due in ("2020-01-01", "2099-01-01", None):
        order_id = (await anna.order())["id"]
        await anna.patch(f"/orders/{order_id}/details", {"dueOn": due})
    late_and_done, collected = (await anna.order())["id"], (await anna.order())["id"]
    await anna.patch(f"/orders/{late_and_done}/details", {"dueOn": "2020-01-01"})
    for order_id in (late_and_done, collected):
        await anna.patch(f"/orders/{order_id}/status", {"status": "done"})
    await anna.post(f"/orders/{collected}/collected", {})
    found = await numbers(anna)
    counts = (await anna.get(f"/workshops/{anna.workshop}/order-counts")).json()
    assert (found["late"], found["ready"]) == (counts["overdue"], counts["ready"]) == (1, 1)


@pytest.mark.parametrize("query", ["?from=2026-02-01&to=2026-01-31", "?from=2000-01-01", "?from=2026-13-01", "?to=x"])
async def test_a_period_that_is_none_is_refused(app: App, query: str) -> None:
    anna = await app.owner("Anna")
    assert (await anna.get(f"/workshops/{anna.workshop}/numbers{query}")).status_code == 400


def test_months_begin_by_the_clock_of_the_workshop() -> None:
    found = period("2026-03-15", "2026-04-02", times.parse("2026-05-01T00:00:00.000Z").date(), "Europe/Warsaw")
    assert [(each.month, each.starts, each.ends) for each in found.months] == [
        ("2026-03", "2026-03-14T23:00:00.000Z", "2026-03-31T22:00:00.000Z"),
        ("2026-04", "2026-03-31T22:00:00.000Z", "2026-04-02T22:00:00.000Z"),
    ]


async def test_the_sweep_computes_what_an_earlier_version_did_not_store(app: App) -> None:
    anna = await app.owner("Anna")
    await order_of_estimate(anna, 123.45)
    _, accepted = await order_of_estimate(anna, 1000)
    await decide(anna, accepted, 1)
    before = await numbers(anna)
    await app.db.write(lambda db: forget_sums(db, anna.workshop))
    without = await numbers(anna)
    assert (without["openEstimates"]["count"], without["months"][-1]["agreed"]["count"]) == (0, 0)
    await SweepJob(app.db, app.backbench.blobs, times.now).sweep()
    assert await numbers(anna) == before
    assert before["openEstimates"] == {"count": 1, "sums": [{"currency": "EUR", "amount": Decimal("123.45")}]}
    assert before["months"][-1]["agreed"] == {"count": 1, "sums": [{"currency": "EUR", "amount": 1000}]}


async def forget_sums(db: Write, workshop: str) -> None:
    for table, columns in {
        "revisions": ("currency", "total_thousandths", "valid_until"),
        "decisions": ("currency", "total_thousandths"),
    }.items():
        cleared = ", ".join(f"{column} = NULL" for column in columns)
        await db.run(f"UPDATE {table} SET {cleared} WHERE workshop_id = :w", w=workshop)


async def test_an_entered_price_counts_while_no_estimate_of_the_order_is_accepted(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    await agree(anna, order_id, 40)
    estimate_id = (await anna.estimate(lineItems=[line(100)]))["id"]
    await confirm(anna, estimate_id)
    decision = await decide(anna, estimate_id, 1)

    async def agreed() -> list[int]:
        month = (await numbers(anna))["months"][-1]["agreed"]
        entries = (await anna.get(f"/workshops/{anna.workshop}/agreed")).json()["agreed"]
        assert (len(entries), sum(each["amount"] for each in entries)) == (month["count"], month["sums"][0]["amount"])
        return sorted(each["amount"] for each in entries)

    assert await agreed() == [40, 100]
    await anna.patch(f"/orders/{order_id}/details", {"estimateId": estimate_id})
    assert await agreed() == [100]
    await anna.post(f"/decisions/{decision}/void", {"reason": "by mistake"})
    assert await agreed() == [40]


async def test_sums_are_read_from_indexes_without_sorting(tmp_path: Path) -> None:
    """Rows that are read or sorted cost most of the time where there are 100,000 orders."""
    db = open_database(f"sqlite:///{tmp_path / 'plans.db'}")
    await db.migrate()
    await db.close()
    connection = apsw.Connection(str(tmp_path / "plans.db"))
    for name, sql in orders_numbers.SUMS.items():
        sql = sql.format("(:month, :starts, :ends)")
        plan = [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", defaultdict(str))]
        assert not [step for step in plan if "TEMP B-TREE" in step], (name, plan)
        assert [step for step in plan if f"COVERING INDEX {name}_sums" in step and "currency=? AND" in step], (
            name,
            plan,
        )


async def test_cells_of_csv_files_are_never_formulas(app: App) -> None:
    anna = await app.owner("Anna")
    formulas = ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("https://x.example","a, b")']
    # Of a program that splits at the delimiter of the other language, each part is a cell.
    parts = ["x;=1+1", "x,=1+1", 'x;"=1+1', "x,;=1+1"]
    await anna.order(title=parts[0], customerName=parts[1], dueOn="2026-11-26")
    order_id = (await anna.order(title=parts[2], customerName="x"))["id"]
    await paid(anna, order_id, 5, note=parts[3])
    for path in ("orders.csv", "payments.csv"):
        for locale in ("en", "pl"):
            for delimiter in ",;":
                found = await rows(anna, f"{path}?locale={locale}", delimiter)
                assert not [cell for row in found for cell in row if cell.startswith(("=", "+", "-", "@"))]
    for title in formulas:
        order_id = (await anna.order(title=title, customerName=title))["id"]
        await paid(anna, order_id, 5, note=title)
    for path in ("orders.csv", "payments.csv"):
        found = (await rows(anna, path))[1:]
        assert len(found) > len(formulas)
        for row in found:
            assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@"))]
        assert {f"'{title}" for title in formulas} <= {cell for row in found for cell in row}


async def test_csv_files_have_the_sums_of_orders_and_the_amounts_of_payments(app: App) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="EUR", timeZone="UTC")
    order_id = (await anna.order(title="Ring, gold", customerName="Ewa"))["id"]
    await agree(anna, order_id, 1234.5)
    payment = await paid(anna, order_id, 1000.05, "deposit", receivedOn="2026-11-02", note="half")
    await paid(anna, order_id, 5, "refund", receivedOn="2026-10-02")
    headings, order = await rows(anna, "orders.csv")
    assert dict(zip(headings, order, strict=True)) == {
        "Order": "1", "Title": "Ring, gold", "Customer": "Ewa", "Stage": "received", "Due on": "", "Ready": "",
        "Collected": "", "Agreed, net": "", "Agreed, tax": "", "Agreed, gross": "1234.50", "Paid": "995.05",
        "Still to pay": "239.45", "Currency": "EUR", "Estimate": "", "Accepted on": "", "Tax ID": "",
        "Id": order_id,
    }  # fmt: skip
    headings, *found = await rows(anna, "payments.csv?from=2026-11-01&to=2026-11-30&locale=pl")
    (only,) = [dict(zip(headings, row, strict=True)) for row in found]
    assert (only["Data wpłaty"], only["Kwota brutto"], only["Rodzaj"], only["Id"]) == (
        "2026-11-02", "1000,05", "przedpłata", payment["id"],
    )  # fmt: skip
    assert only["Zapisał(a)"] == "Anna"
    months = await rows(anna, "numbers.csv?from=2026-10-01&to=2026-11-30")
    assert [row[0] for row in months] == ["Month", "2026-10", "2026-11"]
    # A spreadsheet adds it up.
    assert months[1][-1] == "-5.00"


async def test_csv_files_are_for_those_who_may_read_what_is_in_them(app: App) -> None:
    anna, zofia = await app.owner("Anna"), await app.owner("Zofia")
    reader, cashier = await anna.integrator("orders:read"), await anna.integrator("payments:read")
    for name, allowed, other in (("orders.csv", reader, cashier), ("payments.csv", cashier, reader)):
        path = f"/workshops/{anna.workshop}/{name}"
        assert (await allowed.get(path)).status_code == 200
        assert (await other.get(path)).status_code == 403
        assert (await zofia.get(path)).status_code == 403
    for name in ("numbers", "numbers.csv", "agreed"):
        assert (await reader.get(f"/workshops/{anna.workshop}/{name}")).status_code == 403


async def test_days_of_no_calendar_are_refused(app: App) -> None:
    anna = await app.owner("Anna")
    for name in ("numbers", "numbers.csv", "agreed"):
        for query in (
            "to=0001-01-01",
            "from=0001-01-01",
            "from=0001-01-01&to=0001-02-01",
            "to=9999-12-31",
            "from=9999-12-01",
        ):
            response = await anna.get(f"/workshops/{anna.workshop}/{name}?{query}")
            assert response.status_code == 400, (name, query, response.text)


async def test_a_key_without_payments_gets_no_columns_of_amounts(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/orders.csv?locale=en"
    (with_amounts,) = await rows(anna, "orders.csv?locale=en")
    found = (await (await anna.integrator("orders:read")).get(path)).content.decode("utf-8-sig")
    (without,) = csv.reader(io.StringIO(found))
    assert [name for name in with_amounts if name not in without] == [
        "Agreed, net", "Agreed, tax", "Agreed, gross", "Paid", "Still to pay", "Currency", "Estimate", "Accepted on",
        "Tax ID",
    ]  # fmt: skip
    assert [name for name in with_amounts if name in without] == without
