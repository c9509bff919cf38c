"""Made-up histories of orders over HTTP: each response and balance is that of an independent model."""

import asyncio
import json
from collections.abc import Iterator
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from tests.documents.generated_documents import Ask, process
from tests.orders.payment_model import MINOR_DIGITS, Model, Paid, Revision, amount, revision, text
from tests.orders.test_payments import balance, set_up, void
from tests.people import App, Person

HISTORIES = 40


@pytest.fixture(scope="module")
def client_app() -> Iterator[Ask]:
    with process("unit/balances_process.js") as ask:
        yield ask


class Driver:
    """Applies operations to an order of the API and to the model."""

    def __init__(self, person: Person, random: Random, currency: str) -> None:
        self.person, self.random, self.model = person, random, Model(currency)
        self.order_id = self.estimate_id = self.decision_id = ""
        self.ids: list[str] = []

    async def begin(self) -> None:
        self.estimate_id = (await self.person.estimate())["id"]
        response = await self.person.post(f"/estimates/{self.estimate_id}/orders", {})
        self.order_id = response.json()["id"]

    async def step(self) -> None:
        name = self.random.choice(("confirm", "accept", "undecide", "enter", "clear", "pay", "pay", "refund", "void"))
        await getattr(self, name)()

    async def confirm(self) -> None:
        made: Revision = revision(self.random, self.model.currency)
        lines = ",".join(
            f'{{"label": "Oak", "unit": "job", "unitPrice": {price}, "quantity": {quantity}}}'
            for price, quantity in made.lines
        )
        body = f'{{"lineItems": [{lines}], "markupPercent": {made.markup}, "discountPercent": {made.discount}}}'
        assert (await self.person.patch(f"/estimates/{self.estimate_id}", body.encode())).status_code == 200
        document = f'{{"taxPercent": {made.tax}, "depositPercent": {made.deposit}}}'
        assert (await self.person.put(f"/estimates/{self.estimate_id}/document", document.encode())).status_code == 200
        assert (await self.person.post(f"/estimates/{self.estimate_id}/confirm")).status_code == 201
        self.model.revisions.append(made)

    async def accept(self) -> None:
        if not self.model.revisions or self.model.accepted is not None:
            return
        at = self.random.randrange(len(self.model.revisions))
        body = {"revisionNumber": at + 1, "outcome": "accepted", "method": "phone", "name": "Ewa"}
        response = await self.person.post(f"/estimates/{self.estimate_id}/decisions", body)
        assert response.status_code == 201
        self.decision_id, self.model.accepted = response.json()["id"], at

    async def undecide(self) -> None:
        if self.model.accepted is not None:
            response = await self.person.post(f"/decisions/{self.decision_id}/void", {"reason": "A mistake"})
            assert response.status_code == 200
            self.model.accepted = None

    async def enter(self) -> None:
        minor = self.random.randrange(10**7)
        response = await self._agree(text(minor, self.model.currency))
        if self.model.accepted is None:
            assert response.status_code == 200
            self.model.entered = minor
        else:
            assert (response.status_code, response.json()["code"]) == (409, "accepted")

    async def clear(self) -> None:
        assert (await self._agree("null")).status_code == 200
        self.model.entered = None

    async def pay(self) -> None:
        minor, kind = amount(self.random, self.model), self.random.choice(("payment", "deposit"))
        response = await self._pay(kind, minor)
        assert response.status_code == 201, response.text
        self._record(response, kind, minor)

    async def refund(self) -> None:
        minor = self.random.randrange(1, max(2 * self.model.paid, 2))
        response = await self._pay("refund", minor)
        if minor <= self.model.paid:
            assert response.status_code == 201, response.text
            self._record(response, "refund", minor)
        else:
            assert (response.status_code, response.json()["code"]) == (409, "over_refund")

    async def void(self) -> None:
        if not self.ids:
            return
        at = self.random.randrange(len(self.ids))
        response = await void(self.person, self.ids[at])
        if self.model.payments[at].is_void:
            assert (response.status_code, response.json()["code"]) == (409, "void")
        elif self.model.may_void(at):
            assert response.status_code == 200
            self.model.payments[at].is_void = True
        else:
            assert (response.status_code, response.json()["code"]) == (409, "over_refund")

    async def check(self, client_app: Ask) -> None:
        found = await balance(self.person, self.order_id)
        assert in_minor_units(found, self.model.currency) == self.model.balance()
        listed = await self.person.get(f"/orders/{self.order_id}/payments")
        payments = json.loads(listed.content, parse_float=Decimal)["payments"]
        order = {"balance": found, "payments": payments, "currency": self.model.currency}
        self.check_app(client_app(order | {"waiting": []}))
        # What the app shows while a change waits is what is so once it has arrived.
        waiting = await self.change()
        self.check_app(client_app(order | {"waiting": [waiting]}))

    def check_app(self, shown: dict[str, Any]) -> None:
        currency, expected = self.model.currency, self.model.balance()
        expected.pop("revisionNumber", None)
        money, due = shown["money"], shown["onBoard"]
        if "deposit" in money:
            del money["deposit"]["left"]
        assert in_minor_units(money, currency) == expected
        assert (None if due is None else minor_units(due["amount"], currency)) == expected.get("due")

    async def change(self) -> dict[str, Any]:
        """Makes a change; returns it as the app keeps it while it waits."""
        currency, model = self.model.currency, self.model
        standing = [at for at, payment in enumerate(model.payments) if not payment.is_void and model.may_void(at)]
        kind = self.random.choice(("payment", "refund", "void", "agree"))
        if kind == "agree" and model.accepted is None:
            minor = self.random.randrange(10**7)
            assert (await self._agree(text(minor, currency))).status_code == 200
            model.entered = minor
            fields = {"agreed": Decimal(text(minor, currency))}
            return {"kind": "orderBalance", "op": "orderBalance.agree", "args": {"fields": fields}}
        item: dict[str, Any] = {"kind": "orderPayments", "key": "waits", "madeAt": 0}
        if kind == "void" and standing:
            at = self.random.choice(standing)
            assert (await void(self.person, self.ids[at])).status_code == 200
            model.payments[at].is_void = True
            return item | {"op": "orderPayments.void", "args": {"paymentId": self.ids[at], "reason": "A mistake"}}
        most = model.paid if kind == "refund" else 0
        kind, minor = ("refund", self.random.randint(1, most)) if most else ("payment", amount(self.random, model))
        response = await self._pay(kind, minor)
        assert response.status_code == 201, response.text
        self._record(response, kind, minor)
        payment = {"kind": kind, "amount": Decimal(text(minor, currency))}
        args = {"payment": payment, "shown": {"currency": currency}}
        return item | {"op": "orderPayments.record", "args": args}

    def _record(self, response: Any, kind: str, minor: int) -> None:
        self.ids.append(response.json()["id"])
        self.model.payments.append(Paid(kind, minor))

    async def _agree(self, price: str) -> Any:
        return await self.person.put(f"/orders/{self.order_id}/agreed", f'{{"amount": {price}}}'.encode())

    async def _pay(self, kind: str, minor: int) -> Any:
        body = f'{{"kind": "{kind}", "method": "cash", "amount": {text(minor, self.model.currency)}}}'
        return await self.person.post(f"/orders/{self.order_id}/payments", body.encode())


def minor_units(value: Any, currency: str) -> int:
    scaled = Decimal(value).scaleb(MINOR_DIGITS[currency])
    assert scaled == scaled.to_integral_value()
    return int(scaled)


def in_minor_units(found: dict[str, Any], currency: str) -> dict[str, Any]:
    amounts = ("paid", "agreed", "due", "overpaid")
    converted: dict[str, Any] = {name: minor_units(found[name], currency) for name in amounts if name in found}
    if "deposit" in found:
        deposit = found["deposit"]
        converted["deposit"] = {name: minor_units(deposit[name], currency) for name in ("amount", "paid")}
    return found | converted


@pytest.mark.parametrize("currency", MINOR_DIGITS)
async def test_a_made_up_history_of_an_order_gives_the_balance_of_an_independent_model(
    app: App, client_app: Ask, currency: str
) -> None:
    random = Random(f"histories in {currency} on {app.engine}")
    anna = await app.owner("Anna")
    await app.put_on_pro(anna.workshop)
    await set_up(anna, currency=currency)
    drivers = [Driver(anna, random, currency) for _ in range(HISTORIES)]
    for driver in drivers:
        await driver.begin()
        for _ in range(8):
            await driver.step()
        await driver.check(client_app)
    response = await anna.get(f"/workshops/{anna.workshop}/order-summaries")
    found = {each["orderId"]: each for each in json.loads(response.content, parse_float=Decimal)["summaries"]}
    for driver in drivers:
        expected, due = driver.model.balance(), found[driver.order_id].get("due")
        shown = None if due is None else (due["currency"], Decimal(due["amount"]).scaleb(MINOR_DIGITS[currency]))
        assert shown == (None if "due" not in expected else (currency, expected["due"]))


@pytest.mark.both_engines
async def test_parallel_writers_leave_the_balance_of_what_succeeded(app: App) -> None:
    random = Random("parallel writers")
    anna = await app.owner("Anna")
    marek = await app.member(anna, "Marek")
    order_id = (await anna.order())["id"]
    await anna.put(f"/orders/{order_id}/agreed", {"amount": 100})
    paid, ids = 0, list[str]()
    for _ in range(6):
        sent: list[tuple[int, Any]] = []
        for _ in range(8):
            person, minor = random.choice((anna, marek)), random.randrange(1, 5000)
            kind = random.choice(("payment", "deposit", "refund"))
            body = f'{{"kind": "{kind}", "method": "cash", "amount": {text(minor, "EUR")}}}'.encode()
            sent.append((-minor if kind == "refund" else minor, person.post(f"/orders/{order_id}/payments", body)))
        voided = random.choice(ids) if ids else None
        responses = await asyncio.gather(*(request for _, request in sent))
        for (added, _), response in zip(sent, responses, strict=True):
            assert response.status_code in (201, 409)
            if response.status_code == 201:
                paid += added
                ids.append(response.json()["id"])
        if voided is not None:
            answers = await asyncio.gather(void(anna, voided), void(marek, voided))
            assert sum(answer.status_code == 200 for answer in answers) <= 1
            for answer in answers:
                if answer.status_code == 200:
                    minor = int(Decimal(str(answer.json()["amount"])).scaleb(2))
                    paid += minor if answer.json()["kind"] == "refund" else -minor
        found = await balance(anna, order_id)
        assert Decimal(found["paid"]).scaleb(2) == paid >= 0
        assert found["due"] == max(100 - found["paid"], 0)
