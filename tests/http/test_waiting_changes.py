"""What the app shows while a change waits to be sent is what the server makes of it, also where its answer is lost."""

import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest

from tests.documents.generated_documents import Ask, process
from tests.people import App, Person
from tests.support.uploads import photo

ROOT = Path(__file__).parents[2]
FEWEST_ROUNDS, MOST_ROUNDS = 2, 20
# Given by the server when it takes a change: times, ids of what is made, and who made it.
GIVEN = {"id", "createdAt", "lastActivityAt", "at", "createdByUid", "byUid", "voidedAt", "signedAt", "collectedAt"}
# What the server alone finds out, and the app does without while a change waits.
SERVER_ONLY = {"e164", "exceedsLimit", "readyAt", "updatedAt", "voidedBy"}
SERVER_ONLY_OF = {
    "invoice": {"amount"},
    "orderPayments": {"number"},
    "orderQuestions": {"name"},
    "orderSignature": {"orderId"},
}
# Members that are left out where they are these.
DEFAULTS: dict[str, dict[str, Any]] = {
    "document": {"pricesEntered": "net"},
    "settings": {
        **dict.fromkeys(("address", "email", "footer", "phone", "taxId"), ""),
        "paperSize": "A4",
        "showLogo": True,
    },
}
MUTATIONS = ROOT / "src/backbench/web/app/state/sync/mutations.js"
# Compared in `test_payment_histories`; sent with bytes; of no object that can be read.
ELSEWHERE = {"orderBalance.agree", "orderPhotos.add", "inbox.dismiss"}


@pytest.fixture(scope="module")
def client_app() -> Iterator[Ask]:
    with process("unit/changes_process.js") as ask:
        yield ask


def comparable(kind: str, value: Any) -> Any:
    if isinstance(value, dict):
        without = SERVER_ONLY | SERVER_ONLY_OF.get(kind, set())
        known = {name: each for name, each in value.items() if each is not None and name not in without}
        return {name: "given" if name in GIVEN else comparable(kind, each) for name, each in known.items()}
    return [comparable(kind, each) for each in value] if isinstance(value, list) else value


def differences(kind: str, shown: Any, after: Any, unknown: frozenset[str] = frozenset()) -> list[str]:
    if shown is None or after is None:
        return [] if shown == after else [f"{shown} is {after}"]
    defaults = DEFAULTS.get(kind, {})
    shown, after = defaults | comparable(kind, shown), defaults | comparable(kind, after)
    names = sorted(name for name in (shown.keys() | after.keys()) - unknown if shown.get(name) != after.get(name))
    return [f"{name}: {shown.get(name)!r} is {after.get(name)!r}" for name in names]


class Phone:
    """The app of a person, without a connection for one change at a time, each of which loses its first answer."""

    def __init__(self, person: Person, ask: Ask, unknown: frozenset[str] = frozenset()) -> None:
        self.person, self.ask, self.unknown, self.made = person, ask, unknown, 0

    async def read(self, path: str) -> Any:
        response = await self.person.get(path)
        found = response.json() if response.status_code == 200 else None
        # An order comes with its details.
        return found["order"] if found and "order" in found else found

    async def change(self, op: str, object_id: str, **args: Any) -> list[str] | None:
        """How what is shown while it waits differs from what the server has then; None where the server refuses it."""
        kind, what = op.split(".")
        item: dict[str, Any] = {
            "op": op,
            "kind": kind,
            "objectId": object_id,
            "workshopId": self.person.workshop,
            "args": args,
        }
        self.made += 1
        item |= {"key": f"waits-{self.made}", "madeAt": 0, "order": 1, "tab": "phone"}
        is_new = what == "create"
        path = "" if is_new else self.ask({"path": kind, "id": object_id})
        question: dict[str, Any] = {"item": item}
        if not is_new:
            question["object"] = await self.read(path)
        if kind == "orderDetails":
            question["order"] = await self.read(f"/orders/{object_id}")
        asked = self.ask(question)
        response = await self.send(asked.get("sent"))
        if response and not response.is_success:
            return None
        after = response.json() if response and is_new else await self.read(path)
        return differences(kind, asked["shown"], after, self.unknown) + await self.left(question, path, after)

    async def send(self, request: dict[str, Any] | None) -> httpx.Response | None:
        """None where the server has all of the change."""
        if not request:
            return None
        key = {"Idempotency-Key": request["key"]} if "key" in request else {}
        return await self.person.send(request["method"], request["path"], request.get("body"), key)

    async def left(self, question: dict[str, Any], path: str, after: Any) -> list[str]:
        """What is left of a change that the server took, and whose answer was lost."""
        again = self.ask(question | {"after": after})
        if again["isStrange"]:
            return ["is of somebody else to the next change"]
        if "sent" not in again:
            return ["waits for a choice after a lost answer"] if again["waits"] else []
        if "key" not in again["sent"] and again["sent"]["method"] != "DELETE":
            return [f"is sent again: {again['sent']}"]
        response = await self.send(again["sent"])
        assert response
        if not (response.is_success or response.status_code == 404):
            return [f"is refused when it is sent again: {response.text}"]
        present = await self.read(path) if path else response.json()
        return [f"{present} was {after}"] if present != after else []


class Edits(NamedTuple):
    """Changes of one field each. `make`: the id of the object; `values` of each field, as the app sends them."""

    make: Callable[[Person], Awaitable[str]]
    values: dict[str, list[Any]]
    # What the app leaves out of what it shows while one of these waits.
    unknown: frozenset[str] = frozenset()


async def order_of(person: Person) -> str:
    return str((await person.order())["id"])


async def estimate_of(person: Person) -> str:
    line = {"id": "a", "label": "Oak", "unit": "job", "unitPrice": 5, "quantity": 1}
    return str((await person.estimate(lineItems=[line]))["id"])


async def made(person: Person, path: str, body: dict[str, Any]) -> str:
    response = await person.post(path, body)
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


async def grid_of(person: Person) -> str:
    return await made(person, f"/workshops/{person.workshop}/grids", {"name": "Doors"})


async def customer_of(person: Person) -> str:
    return await made(person, f"/workshops/{person.workshop}/customers", {"name": "Ewa"})


async def workshop_of(person: Person) -> str:
    return str(person.workshop)


OF_INVOICE = {"label": "Oak", "unit": "job", "quantity": 2, "unitPrice": 50, "tax": 23}


async def invoice_of(person: Person) -> str:
    body = {"kind": "invoice", "lines": [OF_INVOICE]}
    return await made(person, f"/orders/{await order_of(person)}/invoices", body)


async def advance_of(person: Person) -> str:
    body = {"kind": "advance", "amount": 30, "lines": [OF_INVOICE]}
    return await made(person, f"/orders/{await order_of(person)}/invoices", body)


SUMS = frozenset({"amount", "subtotal", "taxes", "net", "tax", "total", "toPay"})
LINES = "Hinges\nand a lock"
EDITED = {
    "order.edit": Edits(order_of, {"title": ["Bench", "Chair"], "customerName": ["Ewa", ""], "notes": ["", LINES]}),
    "orderDetails.edit": Edits(
        order_of,
        {
            "phone": ["+48 600 100 200", None],
            "dueOn": ["2030-01-02", "2030-03-04", None],
            "dueTime": ["10:00", None],
            "priceLimit": [10, 99.5, None],
            "place": ["A3", None],
            "waitingFor": ["parts", "customer", None],
            "waitingUntil": ["2030-01-01", None],
            "outcome": ["repaired", "declined", None],
        },
    ),
    "orderDetails.editItem": Edits(
        order_of,
        {"description": ["Boots", None], "condition": ["Worn", None], "serial": ["17", None], "pieces": [2, None]},
    ),
    "estimate.edit": Edits(
        estimate_of,
        {
            "name": ["Hall", "Door"],
            "markupPercent": [0, 12.5],
            "discountPercent": [0, 5],
            "recipientName": ["Ewa", None],
        },
    ),
    "document.edit": Edits(
        estimate_of,
        {
            "number": ["7/A", None],
            "recipientAddress": [LINES, None],
            "recipientTaxId": ["5252248481", None],
            "recipientEmail": ["ewa@example.org", None],
            "recipientPhone": ["600 100 200", None],
            "siteAddress": [LINES, None],
            "intro": [LINES, None],
            "terms": [LINES, None],
            "leadTime": ["3 weeks", None],
            "taxNote": ["Note", None],
            "taxPercent": [23, 13.5, None],
            "taxLabel": ["VAT", None],
            "depositPercent": [30, None],
            "validDays": [14, None],
            "taxKind": ["rate", "exempt", "reverse_charge", None],
            "depositAmount": [3, None],
            "depositKind": ["advance", "earnest", None],
            "pricesShown": ["net", "gross", None],
            "documentTitle": ["quotation", None],
            "breakdown": ["full", "none", None],
            "sections": [{"a": "Hall", "b": "Roof"}, {"a": "Hall"}, None],
            "withdrawal": ["none", "start_early", None],
            "pricesEntered": ["net", "gross"],
        },
    ),
    "document.editTaxes": Edits(estimate_of, {"a": [8, "exempt", None]}),
    "settings.edit": Edits(
        workshop_of,
        {
            "currency": ["PLN", "EUR"],
            "address": [LINES, ""],
            "phone": ["600 100 200", ""],
            "email": ["anna@example.org", ""],
            "taxId": ["NIP 525 224 84 81", ""],
            "footer": [LINES, ""],
            "taxPercent": [23, 8, None],
            "taxLabel": ["VAT", {"en": "VAT", "pl": "podatek"}, None],
            "validDays": [30, None],
            "iban": ["PL61109010140000071219812874", "PL61 1090 1014 0000 0712 1981 2874", None],
            "registration": ["KRS", None],
            "website": ["https://example.org", None],
            "tagline": ["Oak", None],
            "terms": [LINES, None],
            "timeZone": ["Europe/Warsaw", "Europe/Dublin"],
            "paperSize": ["A4", "Letter"],
            "showLogo": [True, False],
            "openingHours": ["9 to 5", None],
            "taxKind": ["rate", "exempt", None],
            "pricesShown": ["net", "gross", None],
            "documentTitle": ["quotation", None],
            "depositKind": ["advance", None],
            "withdrawal": ["bespoke", None],
            "privacyUrl": ["https://example.org/p", None],
            "paymentLink": ["https://example.org/pay", None],
            "country": ["PL", "IE", None],
            "pricesEntered": ["net", "gross", None],
            "keepCustomers": [True, False, None],
            "slipTerms": [LINES, None],
            "invoiceNumbers": [{"invoice": "F {n}/{year}", "final": "K {n}/{year}"}, {"invoice": "F {n}/{year}"}, None],
            "paymentDays": [14, None],
            "exemptReason": ["art. 113", None],
        },
    ),
    "grid.edit": Edits(grid_of, {"name": ["Windows", "Doors"], "iconSize": ["small", "large"]}),
    "customer.edit": Edits(
        customer_of,
        {
            "name": ["Ewa", "Ada"],
            "kind": ["person", "company"],
            "phones": [
                [],
                [{"number": "+48 600 100 200", "label": "mobile"}],
                [{"number": "+48 600 100 200"}],
                [{"number": "18 443 00 00"}, {"number": "+48 600 100 200"}],
            ],
            "emails": [[], ["ewa@example.org"]],
            "notes": ["", LINES],
            "address": [LINES, None],
            "siteAddress": [LINES, None],
            "taxId": ["5252248481", None],
            "locale": ["pl", "en", None],
        },
    ),
    "invoice.edit": Edits(
        invoice_of,
        {
            "saleDate": ["2030-01-02", None],
            "dueDate": ["2030-02-03", None],
            "method": ["cash", "transfer", None],
            "notes": [LINES, None],
            "lines": [
                [OF_INVOICE],
                [OF_INVOICE | {"quantity": 3}],
                [{name: value for name, value in OF_INVOICE.items() if name != "tax"}],
                [OF_INVOICE, OF_INVOICE | {"label": "Ash"}],
            ],
        },
        SUMS,
    ),
    "invoice.edit of an advance": Edits(advance_of, {"amount": [30, 40.5], "notes": [LINES, None]}, SUMS | {"lines"}),
    "invoice.editBuyer": Edits(
        invoice_of,
        {
            "name": ["Ewa", "Meblex"],
            "address": [LINES, None],
            "country": ["PL", "DE", None],
            "taxId": ["5252248481", None],
            "email": ["ewa@example.org", None],
            "isConsumer": [True, None],
        },
    ),
    "workshop.edit": Edits(
        workshop_of,
        {
            "name": ["Oak & Ash", "Stolarnia"],
            "tagline": ["", "Doors"],
            "logo": ["🪵", "🪑"],
            "crafterName": ["Anna", ""],
            "background": ["linen", "plum"],
            "titleFont": ["serif", "sans"],
            "customBackground": [
                {"kind": "solid", "color": "#AABBCC"},
                {"kind": "gradient", "from": "#AABBCC", "to": "#CCBBAA", "angle": 45},
                None,
            ],
            "accentColor": ["#112233", None],
        },
    ),
    "workshop.editNotes": Edits(workshop_of, {"notes": ["Oak", LINES]}),
    "profile.edit": Edits(workshop_of, {"name": ["Anna", "Ada"], "locale": ["pl", "en"]}),
}


@pytest.mark.parametrize("of", EDITED)
async def test_a_field_shows_what_the_server_makes_of_it(app: App, client_app: Ask, of: str) -> None:
    op, random = of.split()[0], Random(of)
    anna = await app.owner()
    await app.put_on_pro(anna.workshop)
    edits = EDITED[of]
    phone = Phone(anna, client_app, edits.unknown)
    object_id = await edits.make(anna)
    choices = [(field, value) for field, values in edits.values.items() for value in values]
    left, rounds = [*choices], 0
    wrong: set[str] = set()
    # The server refuses some values next to others.
    while rounds < FEWEST_ROUNDS or (left and rounds < MOST_ROUNDS):
        rounds += 1
        # As listed, too: each value after the one before it.
        for field, value in choices if rounds == 1 else random.sample(choices, len(choices)):
            found = await phone.change(op, object_id, fields={field: value})
            if found is None:
                continue
            wrong |= {f"{field} {value!r}: {each}" for each in found}
            left = [each for each in left if each != (field, value)]
    assert not wrong, "\n".join(sorted(wrong))
    assert not left, "never taken"


# The other changes, in the order in which a person makes them: the object, the change, its arguments.
Step = tuple[str, str, dict[str, Any]]
TILE = {"id": "b1", "emoji": "🪵", "label": "Oak", "unit": "job", "unitPrice": 5}
LINE = {"id": "l1", "label": "Oak", "unit": "job", "unitPrice": 5, "quantity": 1}
STROKES = [[[0, 0], [10, 20], [30, 5]]]


async def steps_of_orders(person: Person) -> list[Step]:
    order, questions, photos = [await order_of(person) for _ in range(3)]
    customer_id, estimate_id = await customer_of(person), await estimate_of(person)
    named = {"customerId": customer_id, "estimateId": estimate_id, "assignedTo": person.uid}
    customer = person.app.anonymous()
    customer.bearer = (await person.get(f"/orders/{questions}/status-link")).json()["url"].partition("#")[2]
    assert (await customer.post("/client/order/questions", {"name": "Ewa", "text": "By Friday?"})).status_code == 201
    taken = [(await photo(person, photos))["id"] for _ in range(3)]
    payment = {"kind": "deposit", "method": "cash", "amount": 20, "receivedOn": "2026-11-02"}
    paid = await made(person, f"/orders/{order}/payments", {"kind": "payment", "method": "card", "amount": 5})
    shown = {"currency": "EUR", "receivedOn": "2026-11-02"}
    return [
        ("new", "order.create", {"title": "Bench", "customerName": "Ewa"}),
        ("new", "order.create", {"title": "Bench"}),
        (order, "order.move", {"status": "in_progress"}),
        (order, "orderDetails.edit", {"fields": {"waitingFor": "parts"}}),
        *[(order, "orderDetails.edit", {"fields": {name: value}}) for name, value in named.items()],
        *[(order, "orderDetails.edit", {"fields": {name: None}}) for name in named],
        (order, "order.move", {"status": "done"}),
        (order, "orderDetails.edit", {"fields": {"place": "A1"}}),
        (order, "orderDetails.collect", {"to": "Jan"}),
        (order, "orderDetails.collect", {}),
        (order, "orderDetails.uncollect", {}),
        (order, "orderDetails.collect", {}),
        (order, "order.move", {"status": "todo"}),
        (order, "orderDetails.edit", {"fields": {"place": None}}),
        (order, "orderSignature.sign", {"strokes": STROKES, "name": "Jan"}),
        (order, "orderSignature.sign", {"strokes": STROKES}),
        (order, "orderSignature.clear", {}),
        (order, "orderNotices.add", {"notice": {"kind": "ready", "channel": "called"}}),
        (order, "orderNotices.add", {"notice": {"kind": "waiting", "channel": "message-copied"}}),
        (questions, "orderQuestions.answer", {"text": "Yes."}),
        (order, "orderPayments.record", {"payment": payment, "shown": shown}),
        (order, "orderPayments.void", {"paymentId": paid, "reason": "A mistake"}),
        (photos, "orderPhotos.edit", {"photoId": taken[0], "fields": {"caption": "Leg", "kind": "during"}}),
        (photos, "orderPhotos.edit", {"photoId": taken[0], "fields": {"caption": None, "shared": True}}),
        (photos, "orderPhotos.cover", {"photoId": taken[2]}),
        (photos, "orderPhotos.delete", {"photoId": taken[1]}),
        (questions, "order.delete", {}),
    ]


async def steps_of_estimates(person: Person) -> list[Step]:
    estimate, grid, customer = await estimate_of(person), await grid_of(person), await customer_of(person)
    return [
        ("new", "estimate.create", {"name": "Hall"}),
        ("new", "estimate.create", {"name": "Hall", "markupPercent": 5, "lineItems": [LINE], "recipientName": "Ewa"}),
        (estimate, "estimate.addLine", {"line": LINE}),
        (estimate, "estimate.addLine", {"line": LINE | {"id": "l2", "sourceButtonId": "b1"}}),
        (estimate, "estimate.editLine", {"lineId": "l1", "fields": {"quantity": 2.5, "label": "Ash"}}),
        (estimate, "estimate.moveLine", {"lineId": "l2", "index": 0}),
        (estimate, "estimate.moveLine", {"lineId": "l2", "index": 9}),
        (estimate, "document.edit", {"fields": {"customerId": customer}}),
        (estimate, "document.edit", {"fields": {"customerId": None}}),
        (estimate, "estimate.reprice", {"prices": {"l1": [5, 7], "l2": [4, 9]}}),
        (estimate, "estimate.deleteLine", {"lineId": "l1"}),
        (estimate, "estimate.delete", {}),
        ("new", "grid.create", {"name": "Doors"}),
        ("new", "grid.create", {"name": "Doors", "iconSize": "large", "buttons": [TILE]}),
        (grid, "grid.addTile", {"tile": TILE}),
        (grid, "grid.addTile", {"tile": TILE | {"id": "b2", "backgroundColor": "#112233"}}),
        (grid, "grid.editTile", {"tileId": "b1", "fields": {"unitPrice": 7.5, "backgroundColor": "#445566"}}),
        (grid, "grid.editTile", {"tileId": "b1", "fields": {"backgroundColor": None}}),
        (grid, "grid.moveTile", {"tileId": "b2", "index": 0}),
        (grid, "grid.reprice", {"prices": {"b1": [7.5, 8], "b2": [4, 9]}}),
        (grid, "grid.deleteTile", {"tileId": "b2"}),
        (grid, "grid.delete", {}),
    ]


async def steps_of_others(person: Person) -> list[Step]:
    customer, invoice = await customer_of(person), await invoice_of(person)
    return [
        ("new", "customer.create", {"name": "Ewa"}),
        ("new", "customer.create", {"name": "Meblex", "kind": "company", "emails": ["a@example.org"], "notes": "Oak"}),
        (customer, "customer.delete", {}),
        (invoice, "invoice.delete", {}),
    ]


STEPS = (steps_of_orders, steps_of_estimates, steps_of_others)


@pytest.mark.parametrize("steps_of", STEPS)
async def test_a_change_shows_what_the_server_makes_of_it(app: App, client_app: Ask, steps_of: Any) -> None:
    anna = await app.owner()
    await app.put_on_pro(anna.workshop)
    phone, wrong = Phone(anna, client_app), []
    for object_id, op, args in await steps_of(anna):
        found = await phone.change(op, object_id, **args)
        assert found is not None, f"{op} {args} is refused"
        wrong += [f"{op} {args}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


async def test_each_change_is_compared(app: App) -> None:
    anna = await app.owner()
    tried = {op for steps_of in STEPS for _, op, _ in await steps_of(anna)} | EDITED.keys() | ELSEWHERE
    named = re.findall(r'^  "(\w+\.\w+)":', MUTATIONS.read_text("utf-8"), re.MULTILINE)
    assert set(named) <= tried
    assert len(named) > 30
