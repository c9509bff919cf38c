"""Payments over HTTP: the balance of an order, its rules, and that every place states the same amount."""

import asyncio
import json
from decimal import Decimal
from typing import Any

import httpx
import pytest

from backbench.values import times
from tests.people import App, Person
from tests.support.secret_log_check import remember_secrets
from tests.support.violations import all_of

YEAR = times.now()[:4]
IBAN = "PL61 1090 1014 0000 0712 1981 2874"


async def set_up(person: Person, **changed: Any) -> None:
    path = f"/workshops/{person.workshop}/document-settings"
    response = await person.put(path, {**(await person.get(path)).json(), **changed})
    assert response.status_code == 200, response.text


async def pay(person: Person, order_id: str, amount: Any, kind: str = "payment", **more: Any) -> httpx.Response:
    return await person.post(f"/orders/{order_id}/payments", {"kind": kind, "amount": amount, "method": "cash", **more})


async def paid(person: Person, order_id: str, amount: Any, kind: str = "payment", **more: Any) -> dict[str, Any]:
    response = await pay(person, order_id, amount, kind, **more)
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()
    return found


async def agree(person: Person, order_id: str, amount: Any) -> httpx.Response:
    return await person.put(f"/orders/{order_id}/agreed", {"amount": amount})


async def void(person: Person, payment_id: str) -> httpx.Response:
    return await person.post(f"/payments/{payment_id}/void", {"reason": "Typed twice"})


async def balance(person: Person, order_id: str) -> dict[str, Any]:
    response = await person.get(f"/orders/{order_id}/balance")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = json.loads(response.content, parse_float=Decimal)
    return found


async def summary(person: Person, order_id: str) -> dict[str, Any]:
    response = await person.get(f"/workshops/{person.workshop}/order-summaries")
    found = json.loads(response.content, parse_float=Decimal)["summaries"]
    return next(each for each in found if each["orderId"] == order_id)


async def order_of_estimate(person: Person, price: Any = 1000, **document: Any) -> tuple[str, str]:
    """An order made from a confirmed estimate of this price; its id, and that of the estimate."""
    estimate = await person.estimate(lineItems=[line(price)])
    if document:
        assert (await person.put(f"/estimates/{estimate['id']}/document", document)).status_code == 200
    await confirm(person, estimate["id"])
    order = await person.post(f"/estimates/{estimate['id']}/orders", {})
    return order.json()["id"], estimate["id"]


def line(price: Any) -> dict[str, Any]:
    return {"label": "Oak", "unit": "job", "unitPrice": price, "quantity": 1}


async def confirm(person: Person, estimate_id: str) -> None:
    assert (await person.post(f"/estimates/{estimate_id}/confirm")).status_code == 201


async def decide(person: Person, estimate_id: str, revision: int, outcome: str = "accepted") -> str:
    body = {"revisionNumber": revision, "outcome": outcome, "method": "phone", "name": "Ewa"}
    response = await person.post(f"/estimates/{estimate_id}/decisions", body)
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


async def customer_of(person: Person, order_id: str) -> Person:
    customer = person.app.anonymous()
    customer.bearer = (await person.get(f"/orders/{order_id}/status-link")).json()["url"].partition("#")[2]
    remember_secrets(customer.bearer)
    return customer


def code_of(response: httpx.Response) -> tuple[Any, ...]:
    return response.status_code, response.json().get("code")


async def test_a_payment_is_listed_as_it_was_recorded_and_counted(app: App) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency="EUR", timeZone="Europe/Dublin")
    order_id = (await anna.order())["id"]
    first = await paid(anna, order_id, 100.5, "deposit", receivedOn="2026-11-02", note="half")
    assert {name: value for name, value in first.items() if name not in ("id", "createdAt")} == {
        "orderId": order_id, "kind": "deposit", "amount": 100.5, "currency": "EUR", "method": "cash",
        "receivedOn": "2026-11-02", "createdByUid": anna.uid, "note": "half", "number": f"KP 1/{YEAR}",
    }  # fmt: skip
    second = await paid(anna, order_id, 7)
    assert second["receivedOn"] == str(times.local_date(times.now(), "Europe/Dublin"))
    assert (await anna.get(f"/orders/{order_id}/payments")).json() == {"payments": [second, first]}
    assert await balance(anna, order_id) == {"currency": "EUR", "source": "none", "paid": Decimal("107.5")}
    assert "due" not in await summary(anna, order_id)


async def test_a_void_keeps_the_payment_with_the_reason_and_counts_it_no_more(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    await agree(anna, order_id, 50)
    payment = await paid(anna, order_id, 20)
    voided = await void(anna, payment["id"])
    assert voided.status_code == 200
    body = voided.json()
    assert body == {**payment, "voidedAt": body["voidedAt"], "voidedBy": anna.uid, "reason": "Typed twice"}
    assert (await anna.get(f"/orders/{order_id}/payments")).json() == {"payments": [body]}
    assert (await balance(anna, order_id))["due"] == 50
    assert code_of(await void(anna, payment["id"])) == (409, "void")


async def test_what_was_agreed_is_the_accepted_revision_else_the_entered_price_else_the_confirmed_revision(
    app: App,
) -> None:
    anna = await app.owner("Anna")
    order_id, estimate_id = await order_of_estimate(anna, 1000)

    async def agreed() -> tuple[Any, ...]:
        found = await balance(anna, order_id)
        return found["source"], found.get("agreed"), found.get("revisionNumber")

    assert await agreed() == ("confirmed", 1000, 1)
    await anna.patch(f"/estimates/{estimate_id}", {"lineItems": [line(1200)]})
    await confirm(anna, estimate_id)
    assert await agreed() == ("confirmed", 1200, 2)
    assert (await agree(anna, order_id, 900)).json()["source"] == "entered"
    assert await agreed() == ("entered", 900, None)
    assert (await summary(anna, order_id))["agreed"]["total"] == 1200
    assert (await summary(anna, order_id))["due"] == {"currency": "EUR", "amount": 900}
    decision = await decide(anna, estimate_id, 1)
    assert await agreed() == ("accepted", 1000, 1)
    assert code_of(await agree(anna, order_id, 800)) == (409, "accepted")
    await anna.post(f"/decisions/{decision}/void", {"reason": "A mistake"})
    assert await agreed() == ("entered", 900, None)
    assert (await agree(anna, order_id, None)).json()["source"] == "confirmed"
    assert await agreed() == ("confirmed", 1200, 2)


async def test_the_deposit_is_that_of_the_document_and_shown_with_what_was_paid_of_it(app: App) -> None:
    anna = await app.owner("Anna")
    order_id, estimate_id = await order_of_estimate(anna, 999.99, depositPercent=33.3333)
    await decide(anna, estimate_id, 1)
    await paid(anna, order_id, 100, "deposit")
    await paid(anna, order_id, 50)
    found = await balance(anna, order_id)
    assert found["deposit"] == {"percent": Decimal("33.3333"), "amount": Decimal("333.33"), "paid": 100}
    assert (found["paid"], found["due"]) == (150, Decimal("849.99"))
    fixed, _ = await order_of_estimate(anna, 100, depositAmount=500)
    assert (await balance(anna, fixed))["deposit"] == {"amount": 100, "paid": 0}


async def test_more_than_was_agreed_is_overpaid_and_never_a_negative_amount_due(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    await agree(anna, order_id, 10)
    await paid(anna, order_id, 10.01)
    found = await balance(anna, order_id)
    assert (found["due"], found["overpaid"]) == (0, Decimal("0.01"))
    await paid(anna, order_id, 0.01, "refund")
    found = await balance(anna, order_id)
    assert (found["due"], "overpaid" in found) == (0, False)


async def test_no_more_is_paid_back_than_was_received(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    payment = await paid(anna, order_id, 10)
    assert code_of(await pay(anna, order_id, 10.01, "refund")) == (409, "over_refund")
    refund = await paid(anna, order_id, 10, "refund")
    assert code_of(await void(anna, payment["id"])) == (409, "over_refund")
    assert (await void(anna, refund["id"])).status_code == 200
    assert (await void(anna, payment["id"])).status_code == 200
    assert (await balance(anna, order_id))["paid"] == 0


async def test_currencies_are_never_mixed(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    await agree(anna, order_id, 100)
    payment = await paid(anna, order_id, 40)
    await set_up(anna, currency="PLN")
    assert code_of(await pay(anna, order_id, 10)) == (409, "other_currency")
    assert code_of(await agree(anna, order_id, 200)) == (409, "other_currency")
    assert (await balance(anna, order_id))["currency"] == "EUR"
    # Without a price, what was paid keeps its currency; once that is voided, the order follows the workshop.
    await agree(anna, order_id, None)
    assert code_of(await pay(anna, order_id, 10)) == (409, "other_currency")
    await void(anna, payment["id"])
    assert (await paid(anna, order_id, 10))["currency"] == "PLN"
    assert await balance(anna, order_id) == {"currency": "PLN", "source": "none", "paid": 10}


@pytest.mark.parametrize(
    ("currency", "fits", "too_precise"),
    [("EUR", "0.01", "0.001"), ("PLN", "1.10", "1.105"), ("HUF", "0.05", "0.005"), ("JPY", "1", "0.5")],
)
async def test_amounts_have_the_decimals_of_their_currency(
    app: App, currency: str, fits: str, too_precise: str
) -> None:
    anna = await app.owner("Anna")
    await set_up(anna, currency=currency)
    order_id = (await anna.order())["id"]
    for amount, status in ((fits, 201), (too_precise, 400)):
        body = f'{{"kind": "payment", "method": "card", "amount": {amount}}}'.encode()
        response = await anna.post(f"/orders/{order_id}/payments", body)
        assert response.status_code == status
    assert response.json()["errors"][0]["pointer"] == "/amount"
    assert (await balance(anna, order_id))["paid"] == Decimal(fits)


@all_of(
    "wrong",
    [
        {"amount": 0}, {"amount": -1}, {"amount": 1000000000.01}, {"amount": "5"}, {"kind": "gift"}, {"method": "cow"},
        {"receivedOn": "2026-02-30"}, {"note": "n" * 251}, {"note": "two\nlines"}, {"currency": "EUR"},
    ],
)  # fmt: skip
async def test_a_payment_that_is_none_is_refused_and_nothing_is_stored(app: App, wrong: dict[str, Any]) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    body = {"kind": "payment", "amount": 5, "method": "cash", **wrong}
    response = await anna.post(f"/orders/{order_id}/payments", body)
    assert response.status_code == 400, response.text
    assert (await anna.get(f"/orders/{order_id}/payments")).json() == {"payments": []}


async def test_an_order_with_payments_that_stand_is_not_deleted(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    payment = await paid(anna, order_id, 10)
    assert code_of(await anna.delete(f"/orders/{order_id}")) == (409, "has_payments")
    await void(anna, payment["id"])
    assert (await anna.delete(f"/orders/{order_id}")).status_code == 204
    assert (await void(anna, payment["id"])).status_code == 404


async def test_a_price_that_is_the_same_changes_nothing_and_if_match_is_honoured(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    written = await agree(anna, order_id, 12.5)
    tag = (await anna.get(f"/orders/{order_id}/balance")).headers["etag"]
    assert written.headers["etag"] == tag
    changes = f"/workshops/{anna.workshop}/changes"
    cursor = (await anna.get(changes)).json()["cursor"]
    assert (await agree(anna, order_id, 12.5)).status_code == 200
    assert (await anna.get(changes)).json()["cursor"] == cursor
    await paid(anna, order_id, 1)
    stale = await anna.put(f"/orders/{order_id}/agreed", {"amount": 13}, if_match=tag)
    assert stale.status_code == 412


async def test_a_payment_is_recorded_once_however_often_it_is_sent(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    body = {"kind": "payment", "amount": 5, "method": "cash"}
    sent = [await anna.post(f"/orders/{order_id}/payments", body, idempotency_key="one") for _ in range(3)]
    assert {response.json()["id"] for response in sent} == {sent[0].json()["id"]}
    payment_id = sent[0].json()["id"]
    voided = [
        await anna.post(f"/payments/{payment_id}/void", {"reason": "Wrong"}, idempotency_key="two") for _ in range(2)
    ]
    assert [response.status_code for response in voided] == [200, 200]
    assert voided[0].json() == voided[1].json()


@pytest.mark.both_engines
async def test_parallel_refunds_and_voids_never_pay_back_more_than_was_received(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    payments = [await paid(anna, order_id, 10) for _ in range(4)]
    refunds = [pay(anna, order_id, 10, "refund") for _ in range(4)]
    voids = [void(anna, each["id"]) for each in payments]
    responses = await asyncio.gather(*refunds, *voids)
    succeeded = [response for response in responses if response.is_success]
    assert len(succeeded) == 4
    assert all(code_of(each) == (409, "over_refund") for each in responses if not each.is_success)
    assert (await balance(anna, order_id))["paid"] == 0


@pytest.mark.both_engines
async def test_a_deletion_and_a_payment_at_the_same_time_leave_no_payment_without_an_order(app: App) -> None:
    anna = await app.owner("Anna")
    for _ in range(5):
        order_id = (await anna.order())["id"]
        payment, deletion = await asyncio.gather(pay(anna, order_id, 5), anna.delete(f"/orders/{order_id}"))
        assert (payment.status_code, deletion.status_code) in ((201, 409), (404, 204))


async def test_members_and_keys_with_the_scopes_of_payments_record_payments_and_nobody_else_does(app: App) -> None:
    anna = await app.owner("Anna")
    marek, zofia = await app.member(anna, "Marek"), await app.owner("Zofia")
    order_id = (await anna.order())["id"]
    payment = await paid(marek, order_id, 5)
    writer, reader = await anna.integrator("payments:write"), await anna.integrator("payments:read")
    others = await anna.integrator("orders:read", "orders:write", "estimates:read", "estimates:write")
    assert (await pay(writer, order_id, 5)).status_code == 201
    assert (await pay(reader, order_id, 5)).status_code == 403
    assert (await balance(reader, order_id))["paid"] == 10
    for stranger in (zofia, others):
        for path in (
            f"/orders/{order_id}/balance",
            f"/orders/{order_id}/payments",
            f"/payments/{payment['id']}/receipt",
        ):
            assert (await stranger.get(path)).status_code == 403
        assert (await void(stranger, payment["id"])).status_code == 403


async def test_changes_and_events_name_payments_and_agreed_prices(app: App) -> None:
    anna = await app.owner("Anna")
    reader = await anna.integrator("payments:read")
    order_id = (await anna.order())["id"]
    path = f"/workshops/{anna.workshop}/changes"
    cursor = (await anna.get(path)).json()["cursor"]
    first, second = await paid(anna, order_id, 5), await paid(anna, order_id, 6)
    voided = (await void(anna, first["id"])).json()
    await agree(anna, order_id, 11)
    for person in (anna, reader):
        changes = (await person.get(f"{path}?since={cursor}")).json()
        assert changes["payments"] == [second, voided]
        assert (changes["orders"], changes["removed"]) == ([], [])
    one = (await anna.get(f"{path}?since={cursor}&limit=1")).json()
    assert ([each["id"] for each in one["payments"]], one["more"]) == ([second["id"]], True)
    entries = (await anna.get(f"/workshops/{anna.workshop}/audit")).json()["entries"][:4]
    assert [(each["action"], each["objectId"]) for each in reversed(entries)] == [
        ("payment.recorded", first["id"]), ("payment.recorded", second["id"]), ("payment.voided", first["id"]),
        ("order.agreed", order_id),
    ]  # fmt: skip


async def test_payments_of_a_period_are_listed_by_the_day_of_receipt(app: App) -> None:
    anna = await app.owner("Anna")
    order_id = (await anna.order())["id"]
    days = ["2026-10-31", "2026-11-01", "2026-11-30", "2026-12-01"]
    for day in reversed(days):
        await paid(anna, order_id, 5, receivedOn=day)
    path = f"/workshops/{anna.workshop}/payments?from=2026-11-01&to=2026-11-30"
    found = (await anna.get(path)).json()["payments"]
    assert [each["receivedOn"] for each in found] == ["2026-11-30", "2026-11-01"]
    page = await anna.get(f"{path}&limit=1")
    assert [each["receivedOn"] for each in page.json()["payments"]] == ["2026-11-30"]
    following = page.links["next"]["url"].partition("/api")[2]
    assert [each["receivedOn"] for each in (await anna.get(following)).json()["payments"]] == ["2026-11-01"]
