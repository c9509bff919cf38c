"""What changes with what: after each write, `changes` with `include` brings a copy of every list up to date."""

import io
import json
import random
import zipfile
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from backbench.http.operations import Operation
from backbench.routes import OPERATIONS
from backbench.values import times
from tests.people import App, Person
from tests.support import operation_samples
from tests.support.operation_samples import body_for, caller_for, create_path_for, line
from tests.support.uploads import FORM_TYPE, photo, sample_form
from tests.support.violations import violations

INCLUDE = "orderSummaries,estimateSummaries,inbox,comments,payments,photos"
# By member of the response: the kind in `removed`, and what names the object.
LISTS = {
    "orderSummaries": ("order", "orderId"),
    "estimateSummaries": ("estimate", "estimateId"),
    "inbox": ("inboxItem", "id"),
    "comments": ("comment", "id"),
    "payments": ("payment", "id"),
    "photos": ("photo", "id"),
    "orders": ("order", "id"),
    "orderDetails": ("order", "orderId"),
    "estimates": ("estimate", "id"),
    "grids": ("grid", "id"),
    "customers": ("customer", "id"),
    "invoices": ("invoice", "id"),
}
Rows = dict[str, dict[str, Any]]


class Copy:
    """What a client keeps of the lists: read once, then followed by `changes` alone."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self.cursor = ""
        self.lists: dict[str, Rows] = {}

    async def read(self) -> None:
        self.cursor = (await self._changes(""))["cursor"]
        self.lists = await self.present()

    async def present(self) -> dict[str, Rows]:
        """The lists as the server has them now."""
        workshop = f"/workshops/{self._person.workshop}"
        found = {
            "orderSummaries": await self._all(f"{workshop}/order-summaries", "summaries"),
            "estimateSummaries": await self._all(f"{workshop}/estimate-summaries", "summaries"),
            "inbox": await self._all(f"{workshop}/inbox", "items"),
            "payments": await self._all(f"{workshop}/payments", "payments"),
            "comments": [],
            "photos": [],
            "orderDetails": [],
        }
        for name in ("orders", "estimates", "grids", "customers", "invoices"):
            found[name] = await self._all(f"{workshop}/{name}", name)
        for each in found["estimateSummaries"]:
            comments = await self._all(f"/estimates/{each['estimateId']}/comments", "comments")
            found["comments"] += [{**comment, "estimateId": each["estimateId"]} for comment in comments]
        for each in found["orderSummaries"]:
            found["photos"] += await self._all(f"/orders/{each['orderId']}/photos", "photos")
            found["orderDetails"].append((await self._person.get(f"/orders/{each['orderId']}/details")).json())
        return {name: {row[LISTS[name][1]]: row for row in rows} for name, rows in found.items()}

    async def _all(self, path: str, member: str) -> list[Any]:
        response = await self._person.get(path)
        assert response.status_code == 200, response.text
        rows: list[Any] = response.json()[member]
        return rows

    async def alone(self, path: str) -> Any:
        return (await self._person.get(path)).json()

    async def _changes(self, query: str) -> dict[str, Any]:
        response = await self._person.get(f"/workshops/{self._person.workshop}/changes?include={INCLUDE}{query}")
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    async def follow(self, limit: int = 200) -> None:
        has_more = True
        while has_more:
            found = await self._changes(f"&since={self.cursor}&limit={limit}")
            assert not found["reset"]
            for name, (_, key) in LISTS.items():
                self.lists[name] |= {row[key]: row for row in found[name]}
            for gone in found["removed"]:
                self._remove(gone["kind"], gone["id"])
            self.cursor, has_more = found["cursor"], found["more"]

    def _remove(self, kind: str, id_: str) -> None:
        """What hangs on a removed order or estimate goes with it unnamed."""
        for name, (of, _) in LISTS.items():
            if of == kind:
                self.lists[name].pop(id_, None)
        if kind not in ("order", "estimate"):
            return
        named, other = f"{kind}Id", "estimateId" if kind == "order" else "orderId"
        for name in ("comments", "payments", "photos", "inbox", "invoices"):
            hanging = [key for key, row in self.lists[name].items() if row.get(named) == id_ and other not in row]
            for key in hanging:
                del self.lists[name][key]


async def assert_followed(copy: Copy, after: str, limit: int = 200) -> None:
    await copy.follow(limit)
    present = await copy.present()
    for name in LISTS:
        assert copy.lists[name] == present[name], f"{name} after {after}"
    for id_, row in copy.lists["invoices"].items():
        assert row == await copy.alone(f"/invoices/{id_}"), f"an invoice by itself after {after}"


# A synthesis needs a language model, and changes what replaceContext changes.
WRITES = [each for each in OPERATIONS if each.event and each.name != "synthesizeContext"]


async def test_each_write_brings_what_it_changes(app: App) -> None:
    with violations() as case:
        # To fill a workshop takes longer than some writes; but each makes the lists longer that are compared.
        for at in range(0, len(WRITES), 10):
            anna = await app.owner("Anna")
            await app.put_on_pro(anna.workshop)
            await World(anna).fill()
            copy = Copy(anna)
            await copy.read()
            for operation in WRITES[at : at + 10]:
                with case(line(operation)):
                    await write_and_follow(anna, operation, copy)


async def write_and_follow(anna: Person, operation: Operation, copy: Copy) -> None:
    caller = await caller_for(operation, anna)
    path = await create_path_for(operation, anna)
    body: Any = body_for(operation)
    if operation.name in ("createPdfExport", "createLink", "recordDecision"):
        await anna.post(f"{path.rpartition('/')[0]}/confirm")
    if operation.name in ("mergeCustomers", "unmergeCustomers"):
        other = (await anna.post(f"/workshops/{anna.workshop}/customers", {"name": "L."})).json()["id"]
        body = {"fromId": other}
        if operation.name == "unmergeCustomers":
            await anna.post(path.replace("unmerge", "merge"), body)
    if operation.name == "mailLink":
        # Emails to one address are few.
        body = {**(body or {}), "email": anna.email}
    headers = {}
    if operation.form is not None:
        body, headers = sample_form(operation.path, anna), {"content-type": FORM_TYPE}
    # What was prepared may concern the same objects, and is no change of the operation.
    await copy.follow()
    response = await caller.send(operation.method, path, body, headers)
    if operation.name not in REFUSED_SAMPLES:
        assert response.status_code < 300, response.text
    try:
        await assert_followed(copy, operation.name)
    except AssertionError:
        await copy.read()
        raise


# Their samples are for the tests of access alone; below they are done with what they need.
REFUSED_SAMPLES = {
    "acceptInvitation",
    "acceptEstimate",
    "declineEstimate",
    "reorderGrids",
    "reorderPhotos",
    "startTrial",
}


class World:
    """A workshop in which everything hangs together, and what can happen there."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.orders: list[str] = []
        self.estimates: list[str] = []
        self.links: list[tuple[str, Person]] = []
        self.customer = ""

    async def fill(self) -> None:
        """An order of an accepted estimate with photos, payments and a question; and one that is overdue."""
        for happens in (
            add_customer, add_order, add_estimate, confirm, order_of_estimate, share, comment, decide, take_photo,
            take_photo, agree, pay, ask, add_order, set_due, set_limit, make_pdf, hand_off, invoice, issue, correct,
            invoice,
        ):  # fmt: skip
            await happens(self, random.Random(1))

    def order(self, random: random.Random) -> str:
        return random.choice(self.orders)

    def estimate(self, random: random.Random) -> str:
        return random.choice(self.estimates)

    async def rows(self, path: str, member: str) -> list[Any]:
        rows: list[Any] = (await self.person.get(path)).json().get(member, [])
        return rows


Happens = Callable[[World, random.Random], Awaitable[Any]]


async def add_customer(world: World, _: random.Random) -> None:
    path = f"/workshops/{world.person.workshop}/customers"
    world.customer = (await world.person.post(path, {"name": "Ewa Nowak", "phones": []})).json()["id"]


async def add_order(world: World, _: random.Random) -> None:
    world.orders.append((await world.person.order(customerName="Ewa Nowak"))["id"])


async def add_estimate(world: World, random: random.Random) -> None:
    lines = [{"label": "Oak", "unit": "piece", "unitPrice": random.randint(10, 90), "quantity": 2}]
    world.estimates.append((await world.person.estimate(lineItems=lines, recipientName="Ewa Nowak"))["id"])


async def confirm(world: World, random: random.Random) -> None:
    await world.person.post(f"/estimates/{world.estimate(random)}/confirm")


async def edit_estimate(world: World, random: random.Random) -> None:
    await world.person.patch(f"/estimates/{world.estimate(random)}", {"markupPercent": random.randint(0, 50)})


async def order_of_estimate(world: World, random: random.Random) -> None:
    response = await world.person.post(f"/estimates/{world.estimate(random)}/orders", {"title": "Kitchen"})
    world.orders.append(response.json()["id"])


async def link_estimate(world: World, random: random.Random) -> None:
    estimate = random.choice([*world.estimates, None])
    await world.person.patch(f"/orders/{world.order(random)}/details", {"estimateId": estimate})


async def share(world: World, random: random.Random) -> None:
    response = await world.person.post(f"/estimates/{world.estimate(random)}/links", {"locale": "en"})
    if response.status_code == 201:
        client = world.person.app.anonymous()
        client.bearer = response.json()["url"].partition("#")[2]
        world.links.append((response.json()["link"]["id"], client))


async def comment(world: World, random: random.Random) -> None:
    if world.links:
        await random.choice(world.links)[1].post("/client/estimate/comments", {"name": "Ewa", "text": "When?"})


async def answer_comment(world: World, random: random.Random) -> None:
    if world.links:
        await world.person.post(f"/links/{random.choice(world.links)[0]}/comments", {"text": "On Friday."})


async def revoke_link(world: World, random: random.Random) -> None:
    if world.links:
        await world.person.delete(f"/links/{random.choice(world.links)[0]}")


async def decide(world: World, random: random.Random) -> None:
    if world.links:
        client = random.choice(world.links)[1]
        response = await client.get("/client/estimate")
        shown = response.json() if response.status_code == 200 else {}
        if random.random() < 0.4:
            await client.post("/client/estimate/decline", {"name": "Ewa", "reason": "Too dear"})
        elif "documentHash" in shown:
            await client.post(
                "/client/estimate/accept",
                {
                    "name": "Ewa",
                    "documentHash": shown["documentHash"],
                    "consentId": shown["consent"]["id"],
                    "agreed": True,
                    "signature": {"kind": "typed"},
                },
            )


async def void_decision(world: World, random: random.Random) -> None:
    for decision in await world.rows(f"/estimates/{world.estimate(random)}/decisions", "decisions"):
        await world.person.post(f"/decisions/{decision['id']}/void", {"reason": "By mistake"})


async def take_photo(world: World, random: random.Random) -> None:
    await photo(world.person, world.order(random))


async def change_photos(world: World, random: random.Random) -> None:
    order = world.order(random)
    found = [each["id"] for each in await world.rows(f"/orders/{order}/photos", "photos")]
    if len(found) > 1:
        await world.person.put(f"/orders/{order}/photos/order", {"photoIds": found[::-1]})


async def delete_photo(world: World, random: random.Random) -> None:
    for each in (await world.rows(f"/orders/{world.order(random)}/photos", "photos"))[:1]:
        await world.person.delete(f"/photos/{each['id']}")


async def agree(world: World, random: random.Random) -> None:
    amount = random.choice([None, 100, 250.5])
    await world.person.put(f"/orders/{world.order(random)}/agreed", {"amount": amount})


async def pay(world: World, random: random.Random) -> None:
    body = {"kind": "payment", "amount": random.randint(1, 60), "method": "cash"}
    await world.person.post(f"/orders/{world.order(random)}/payments", body)


async def void_payment(world: World, random: random.Random) -> None:
    for each in (await world.rows(f"/orders/{world.order(random)}/payments", "payments"))[:1]:
        await world.person.post(f"/payments/{each['id']}/void", {"reason": "Typed twice"})


async def invoice(world: World, random: random.Random) -> None:
    """A draft, in advance or of all, of what the order has."""
    order, lines = world.order(random), [{"label": "Oak", "unit": "piece", "unitPrice": 90, "quantity": 2}]
    for body in ({"kind": random.choice(["invoice", "advance", "final"]), "amount": 40}, {"kind": "invoice"}):
        for more in ({}, {"lines": lines}):
            if body["kind"] != "advance":
                body.pop("amount", None)
            if (await world.person.post(f"/orders/{order}/invoices", {**body, **more})).status_code == 201:
                return


async def of_state(world: World, random: random.Random, state: str) -> str:
    path = f"/workshops/{world.person.workshop}/invoices"
    found = [each["id"] for each in await world.rows(f"{path}?state={state}", "invoices")]
    return random.choice(found) if found else "none"


async def issue(world: World, random: random.Random) -> None:
    await world.person.post(f"/invoices/{await of_state(world, random, 'draft')}/issue", {})


async def correct(world: World, random: random.Random) -> None:
    issued = await of_state(world, random, "issued")
    made = (await world.person.post(f"/invoices/{issued}/corrections", {"reason": "Too many"})).json()
    if "lines" in made:
        names = ("label", "unit", "quantity", "unitPrice", "tax")
        lines = [{name: line[name] for name in names if name in line} for line in made["lines"][:1]]
        await world.person.patch(f"/invoices/{made['id']}", {"lines": lines})


async def delete_draft(world: World, random: random.Random) -> None:
    await world.person.delete(f"/invoices/{await of_state(world, random, 'draft')}")


async def ask(world: World, random: random.Random) -> None:
    order = world.order(random)
    url = (await world.person.get(f"/orders/{order}/status-link")).json()["url"]
    customer = world.person.app.anonymous()
    customer.bearer = url.partition("#")[2]
    await customer.post("/client/order/questions", {"name": "Ewa", "text": "Is it ready?"})


async def answer_question(world: World, random: random.Random) -> None:
    await world.person.post(f"/orders/{world.order(random)}/questions", {"text": "Tomorrow."})


async def set_due(world: World, random: random.Random) -> None:
    today = times.now()[:10]
    due = random.choice([{"dueOn": today}, {"dueOn": "2026-01-05", "dueTime": "10:00"}, {"dueOn": None}])
    await world.person.patch(f"/orders/{world.order(random)}/details", due)


async def set_limit(world: World, random: random.Random) -> None:
    limit = random.choice([None, 5, 12.5, 900])
    await world.person.patch(f"/orders/{world.order(random)}/details", {"priceLimit": limit})


async def set_customer(world: World, random: random.Random) -> None:
    await world.person.patch(f"/orders/{world.order(random)}/details", {"customerId": world.customer})


async def move(world: World, random: random.Random) -> None:
    status = random.choice(["todo", "in_progress", "done", "done"])
    await world.person.patch(f"/orders/{world.order(random)}/status", {"status": status})


async def collect(world: World, random: random.Random) -> None:
    await world.person.post(f"/orders/{world.order(random)}/collected", {})


async def uncollect(world: World, random: random.Random) -> None:
    await world.person.delete(f"/orders/{world.order(random)}/collected")


async def make_pdf(world: World, random: random.Random) -> None:
    body = {"locale": "en", "preliminary": False}
    await world.person.post(f"/estimates/{world.estimate(random)}/pdf-exports", body)


async def delete_pdf(world: World, random: random.Random) -> None:
    for each in (await world.rows(f"/estimates/{world.estimate(random)}/pdf-exports", "pdfExports"))[:1]:
        await world.person.delete(f"/pdf-exports/{each['id']}")


async def hand_off(world: World, random: random.Random) -> None:
    handoff = operation_samples.BODIES["POST /estimates/{estimateId}/handoffs"]
    await world.person.post(f"/estimates/{world.estimate(random)}/handoffs", handoff)


async def set_validity(world: World, random: random.Random) -> None:
    body = {"validDays": random.choice([1, 2, 30])}
    await world.person.put(f"/estimates/{world.estimate(random)}/document", body)


async def dismiss(world: World, random: random.Random) -> None:
    found = await world.rows(f"/workshops/{world.person.workshop}/inbox", "items")
    if found:
        await world.person.delete(f"/workshops/{world.person.workshop}/inbox/{random.choice(found)['id']}")


async def delete_order(world: World, random: random.Random) -> None:
    order = world.order(random)
    response = await world.person.delete(f"/orders/{order}")
    if response.status_code == 204:
        world.orders.remove(order)
        await add_order(world, random)


async def delete_estimate(world: World, random: random.Random) -> None:
    estimate = world.estimate(random)
    response = await world.person.delete(f"/estimates/{estimate}")
    if response.status_code == 204:
        world.estimates.remove(estimate)
        await add_estimate(world, random)


async def change_settings(world: World, random: random.Random) -> None:
    zone = random.choice(["Europe/Warsaw", "Pacific/Auckland"])
    settings = {"currency": "EUR", "taxPercent": random.choice([8, 23]), "timeZone": zone}
    await world.person.put(f"/workshops/{world.person.workshop}/document-settings", settings)


async def erase(world: World, random: random.Random) -> None:
    await world.person.post(f"/customers/{world.customer}/erase", {})
    await add_customer(world, random)


HAPPENINGS: list[Happens] = [
    add_order, add_estimate, confirm, confirm, edit_estimate, edit_estimate, order_of_estimate, link_estimate, share,
    comment, comment, answer_comment, revoke_link, decide, decide, void_decision, take_photo, change_photos,
    delete_photo, agree, pay, pay, void_payment, ask, answer_question, set_due, set_due, set_limit, set_customer,
    move, move, collect,
    collect, uncollect, make_pdf, delete_pdf, hand_off, set_validity, dismiss, dismiss, delete_order, delete_estimate,
    change_settings, erase, invoice, invoice, issue, issue, correct, delete_draft,
]  # fmt: skip


# Each seed makes up another order of the same happenings.
OTHER_SEEDS = [pytest.param(seed, marks=pytest.mark.all_only) for seed in (3, 4, 5)]


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.both_engines), 1, 2, *OTHER_SEEDS])
async def test_a_copy_is_followed_through_all_that_happens(app: App, seed: int) -> None:
    anna = await app.owner("Anna")
    await app.put_on_pro(anna.workshop)
    world, choice = World(anna), random.Random(seed)
    await world.fill()
    copy = Copy(anna)
    await copy.read()
    happened = []
    for number in range(60):
        happens = choice.choice(HAPPENINGS)
        happened.append(happens.__name__)
        await happens(world, choice)
        # Several at once, too, in pages of two.
        if number % 4 == 3:
            await assert_followed(copy, f"{happened[-4:]}", limit=2)


@pytest.mark.both_engines
async def test_a_key_sees_of_each_list_what_it_may_read(app: App) -> None:
    anna = await app.owner("Anna")
    world = World(anna)
    since = (await anna.get(f"/workshops/{anna.workshop}/changes")).json()["cursor"]
    await world.fill()
    path = f"/workshops/{anna.workshop}/changes?since={since}&limit=500&include={INCLUDE}"
    found = (await (await anna.integrator("orders:read")).get(path)).json()
    assert found["orderSummaries"]
    assert not any("due" in each or "agreed" in each for each in found["orderSummaries"])
    assert [found[name] for name in ("estimateSummaries", "inbox", "comments", "payments")] == [[], [], [], []]
    found = (await (await anna.integrator("estimates:read")).get(path)).json()
    assert found["estimateSummaries"]
    assert found["comments"]
    assert [found[name] for name in ("orderSummaries", "inbox", "photos")] == [[], [], []]
    found = (await (await anna.integrator("orders:read", "estimates:read")).get(path)).json()
    assert found["inbox"]
    assert not any(each["kind"] == "owed" for each in found["inbox"])
    # The id of an item about what is owed has the amount.
    assert not any(each["id"].startswith("owed.") for each in found["removed"])
    session = (await anna.get(path)).json()
    assert any(each["id"].startswith("owed.") for each in session["removed"])


async def test_without_include_there_is_none_of_it(app: App) -> None:
    anna = await app.owner("Anna")
    since = (await anna.get(f"/workshops/{anna.workshop}/changes")).json()["cursor"]
    await World(anna).fill()
    found = (await anna.get(f"/workshops/{anna.workshop}/changes?since={since}&limit=500")).json()
    assert found.keys().isdisjoint({"orderSummaries", "estimateSummaries", "inbox", "comments"})
    assert {each["kind"] for each in found["removed"]} <= {"order", "estimate", "grid", "photo", "customer"}


@pytest.mark.parametrize("include", ["", "orders", "inbox,", "inbox;comments", "inbox%0A"])
async def test_what_cannot_be_included_is_rejected(app: App, include: str) -> None:
    anna = await app.owner("Anna")
    response = await anna.get(f"/workshops/{anna.workshop}/changes?include={include}")
    assert response.status_code == 400


class Draft:
    """A draft of a final invoice, of an order that has an estimate, a customer and an issued advance."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.id = self.order = self.estimate = self.other = self.advance = self.customer = ""

    @classmethod
    async def made(cls, person: Person) -> "Draft":
        self = cls(person)
        await self.change_settings()
        self.customer = str((await self._post(f"/workshops/{person.workshop}/customers", {"name": "Ewa"}))["id"])
        lines = [{"label": "Oak", "unit": "piece", "unitPrice": 90, "quantity": 2}]
        self.estimate, self.other = [(await person.estimate(lineItems=lines))["id"] for _ in range(2)]
        await self.confirm()
        self.order = (await self._post(f"/estimates/{self.estimate}/orders", {}))["id"]
        await self.set_details(customerId=self.customer)
        path = f"/orders/{self.order}/invoices"
        self.advance = (await self._post(path, {"kind": "advance", "amount": 40}))["id"]
        await self._post(f"/invoices/{self.advance}/issue", {})
        self.id = (await self._post(path, {"kind": "final"}))["id"]
        return self

    async def _post(self, path: str, body: Any = None) -> Any:
        response = await self.person.post(path, body)
        assert response.status_code < 300, response.text
        return response.json()

    async def _set(self, path: str, **members: Any) -> None:
        assert (await self.person.patch(path, members)).status_code == 200

    async def change_settings(self, **settings: Any) -> None:
        body = {"currency": "PLN", "country": "PL", "taxPercent": 23, **settings}
        path = f"/workshops/{self.person.workshop}/document-settings"
        assert (await self.person.put(path, body)).status_code == 200

    async def confirm(self, **members: Any) -> None:
        await self._set(f"/estimates/{self.estimate}", discountPercent=10, **members)
        await self._post(f"/estimates/{self.estimate}/confirm")

    async def share(self) -> None:
        toggles = {"showDiscount": True}
        await self._post(f"/estimates/{self.estimate}/links", {"locale": "en", "toggles": toggles})

    async def set_details(self, **members: Any) -> None:
        await self._set(f"/orders/{self.order}/details", **members)

    async def has_customer(self) -> bool:
        details = (await self.person.get(f"/orders/{self.order}/details")).json()
        return bool(details.get("customerId") == self.customer)

    async def edit_customer(self) -> None:
        await self._set(f"/customers/{self.customer}", address="Polna 7")

    async def merge_customer(self) -> None:
        body = {"name": "Ola", "taxId": "5252248481"}
        into = (await self._post(f"/workshops/{self.person.workshop}/customers", body))["id"]
        await self._post(f"/customers/{into}/merge", {"fromId": self.customer})
        self.customer = into

    async def correct_advance(self) -> None:
        correction = await self._post(f"/invoices/{self.advance}/corrections", {"reason": "Less"})
        lines = [{"label": "Oak", "unit": "job", "quantity": 1, "unitPrice": 8}]
        await self._set(f"/invoices/{correction['id']}", lines=lines)
        await self._post(f"/invoices/{correction['id']}/issue", {})

    async def rename_workshop(self) -> None:
        await self._set(f"/workshops/{self.person.workshop}", name="Another")

    async def edit_order(self) -> None:
        await self._set(f"/orders/{self.order}", customerName="Zofia")

    async def link_other(self) -> None:
        await self._post(f"/estimates/{self.other}/confirm")
        await self.set_details(estimateId=self.other)


# In an order in which each changes the draft.
SOURCES: dict[str, Callable[[Draft], Awaitable[None]]] = {
    "another revision": lambda draft: draft.confirm(markupPercent=50),
    "what a link shows": Draft.share,
    "the record of the customer": Draft.edit_customer,
    "another customer": Draft.merge_customer,
    "no customer": lambda draft: draft.set_details(customerId=None),
    "the name at the order": Draft.edit_order,
    "a recipient": lambda draft: draft.confirm(recipientName="Iga"),
    "a correction of its advance": Draft.correct_advance,
    "the address of the workshop": lambda draft: draft.change_settings(address="Inna 1"),
    "the name of the workshop": Draft.rename_workshop,
    "another estimate": Draft.link_other,
    "a customer again": lambda draft: draft.set_details(customerId=draft.customer),
}


@pytest.mark.both_engines
async def test_a_draft_of_an_invoice_is_the_same_wherever_it_is_read(app: App) -> None:
    anna = await app.owner("Anna")
    draft = await Draft.made(anna)
    copy = Copy(anna)
    await copy.read()
    with violations() as case:
        for name, change in SOURCES.items():
            with case(name):
                before = await copy.alone(f"/invoices/{draft.id}")
                await change(draft)
                now = await copy.alone(f"/invoices/{draft.id}")
                assert now != before
                await assert_followed(copy, name)
                assert now in (await copy.alone(f"/orders/{draft.order}/invoices"))["invoices"]
                of_customer = f"/workshops/{anna.workshop}/invoices?customerId={draft.customer}"
                assert (now in (await copy.alone(of_customer))["invoices"]) == (await draft.has_customer())
    now = await copy.alone(f"/invoices/{draft.id}")
    (order,) = (await copy.alone(f"/customers/{draft.customer}/data"))["orders"]
    assert now in order["invoices"]
    with zipfile.ZipFile(io.BytesIO((await anna.get("/me/data-archive")).content)) as archive:
        (path,) = [each for each in archive.namelist() if each.endswith("/invoices.json")]
        assert any(now.items() <= each.items() for each in json.loads(archive.read(path))["invoices"])


@pytest.mark.both_engines
async def test_what_changes_with_the_deletion_of_an_estimate_is_named(app: App) -> None:
    """The details of its orders, and drafts that are of it now: an order may have had another one before."""
    anna = await app.owner("Anna")
    estimates = [await anna.estimate() for _ in range(2)]
    orders, drafts = [], []
    for estimate in estimates:
        path = f"/estimates/{estimate['id']}"
        assert (await anna.post(f"{path}/confirm")).status_code == 201
        orders.append((await anna.post(f"{path}/orders", {})).json()["id"])
        drafts.append((await anna.post(f"/orders/{orders[-1]}/invoices", {"kind": "invoice"})).json()["id"])
    for order, estimate in zip(orders, reversed(estimates), strict=True):
        details = await anna.patch(f"/orders/{order}/details", {"estimateId": estimate["id"]})
        assert details.status_code == 200
    copy = Copy(anna)
    await copy.read()
    assert (await anna.delete(f"/estimates/{estimates[0]['id']}")).status_code == 204
    await assert_followed(copy, "a deletion")
    assert list(copy.lists["invoices"]) == drafts[:1]
    assert copy.lists["invoices"][drafts[0]]["basis"]["estimateId"] == estimates[1]["id"]
