"""Statements of each operation: no more in a large workshop than in a small one.

A loop of statements over what a workshop has is short in a test, and seconds without responses for everybody in a
workshop with 20,000 orders.
"""

from typing import Any

import apsw

from backbench.http.operations import Operation
from backbench.routes import OPERATIONS
from tests.people import PASSWORD, App, Person
from tests.support.operation_samples import BODIES, PATH_PARAMETERS, SharedObjects, body_for, fill_path, line
from tests.support.statements import recorded
from tests.support.uploads import FORM_TYPE, proposal, sample_form
from tests.support.violations import violations

FEW, MANY = 2, 10
# Long reads of a snapshot, in pieces, one at a time for an account and a few in an hour.
EXPORTS = {"exportAccount", "downloadArchive"}
# What depends on the moment: a counter that is made first, an object that the sample changes once more.
ALLOWED = 3
# What takes away what others need, in an order in which each finds what it needs, in a workshop of their own.
TAKES_AWAY = (
    "updateCustomer",
    "unmergeCustomers",
    "mergeCustomers",
    "eraseCustomer",
    "deleteCustomer",
    "updateMember",
    "deleteMember",
    "deleteAccount",
    "deleteWorkshop",
)


class Workshop:
    """A workshop with `count` of everything, and the objects that have the most of it."""

    def __init__(self, owner: Person, member: Person, leaver: Person, count: int) -> None:
        self.owner, self.member, self.leaver, self.count = owner, member, leaver, count
        self.shared = SharedObjects(owner)
        self.objects: dict[str, str] = {}
        self.read: dict[str, str] = {}
        self.bodies: dict[str, dict[str, Any]] = {}

    @classmethod
    async def of(cls, app: App, count: int) -> "Workshop":
        owner = await app.owner("Anna")
        await app.put_on_pro(owner.workshop)
        self = cls(owner, await app.member(owner, "Marek"), await app.member(owner, "Ola"), count)
        await self._fill()
        return self

    async def _fill(self) -> None:
        owner, path = self.owner, f"/workshops/{self.owner.workshop}"
        customer, other, merged, erased = [await self._customer(name) for name in ("Łucja", "Ewa", "Zofia", "Iga")]
        for each in (customer, other, merged, erased):
            await self._add_links(each)
        await self._post(f"/customers/{customer}/merge", {"fromId": merged})
        for number in range(self.count):
            await self._customer(f"Jan {number}")
            for each in (customer, erased):
                same = await self._customer(f"Piotr {number}")
                await self._post(f"/customers/{each}/merge", {"fromId": same})
            if number % 2:
                await self._post(f"{path}/grids", {"name": f"Grid {number}"})
            await proposal(owner, f"Name,Phone\nAdam {number},600 200 {number:03}\n")
        self.objects = {"workshopId": owner.workshop, "customerId": customer, "userId": self.member.uid}
        self.read = dict(self.objects)
        self.erased = erased
        self.bodies = {
            "POST /customers/{customerId}/merge": {"fromId": other},
            "POST /customers/{customerId}/unmerge": {"fromId": merged},
            "PUT /workshops/{workshopId}/document-settings": {"currency": "PLN", "country": "PL"},
            "DELETE /me": {"password": PASSWORD},
        }

    async def _customer(self, name: str) -> str:
        body = {**BODIES["POST /workshops/{workshopId}/customers"], "name": name}
        return str((await self._post(f"/workshops/{self.owner.workshop}/customers", body))["id"])

    async def _add_links(self, customer: str) -> None:
        """Orders and estimates that name the customer, with what they can have."""
        owner, path = self.owner, f"/workshops/{self.owner.workshop}"
        for number in range(self.count):
            key = {"idempotency_key": f"{customer} {number}"}
            order = (await self._post(f"{path}/orders", {"title": "Ring", "customerName": "Łucja"}, **key))["id"]
            details = {"customerId": customer, "assignedTo": self.member.uid, "dueOn": "2026-12-04"}
            assert (await owner.patch(f"/orders/{order}/details", details)).status_code == 200
            await self._post(f"/orders/{order}/payments", BODIES["POST /orders/{orderId}/payments"])
            await self._post(f"/orders/{order}/questions", {"text": "Yes"})
            estimate = (await owner.estimate(recipientName="Łucja"))["id"]
            assert (await owner.put(f"/estimates/{estimate}/document", {"customerId": customer})).status_code == 200
            lines = [{"label": "Ring", "unit": "piece", "unitPrice": 90, "quantity": 1}]
            invoice: dict[str, Any] = {"kind": "invoice", "lines": lines}
            if number % 2:
                await self._post(f"/estimates/{estimate}/confirm", None)
                assert (await owner.patch(f"/orders/{order}/details", {"estimateId": estimate})).status_code == 200
                del invoice["lines"]
            await self._post(f"/orders/{order}/invoices", invoice)

    async def _post(self, path: str, body: Any, **headers: str) -> dict[str, Any]:
        response = await self.owner.post(path, body, **headers)
        assert response.status_code in (200, 201), response.text
        found: dict[str, Any] = response.json()
        return found

    async def send(self, operation: Operation) -> tuple[int, list[str]]:
        """The status of the response to the sample, and the statements that were made for it."""
        # What only reads need is made once: a workshop has a limit of most things.
        found = self.read if operation.is_safe else dict(self.objects)
        if operation.name == "eraseCustomer":
            found["customerId"] = self.erased
        for name in operation.path_names:
            if name not in found:
                found[name] = await PATH_PARAMETERS[name](self.owner, found)
        # An account with workshops of its own leaves the workshop; the owner could not.
        caller = self.leaver if operation.name == "deleteAccount" else await self.shared.caller_for(operation)
        body: Any = self.bodies.get(line(operation)) or body_for(operation)
        headers = {}
        if operation.form is not None:
            body, headers = sample_form(operation.path, self.owner), {"content_type": FORM_TYPE}
        path = fill_path(operation, {name: found[name] for name in operation.path_names})
        with recorded() as statements:
            response = await caller.send(operation.method, path, body, headers)
        return response.status_code, statements


def takes_away(operation: Operation) -> bool:
    """Whether the operation changes an object that the others need."""
    names = operation.path_names
    is_of_customer_or_member = bool({"customerId", "userId"} & set(names))
    is_end = operation.method == "DELETE" and (names == ("workshopId",) or operation.name == "deleteAccount")
    return not operation.is_safe and (is_of_customer_or_member or is_end)


def place(operation: Operation) -> tuple[bool, bool, int]:
    """Where it is sent among the others."""
    order = TAKES_AWAY.index(operation.name) if takes_away(operation) else -1
    return not operation.is_safe, operation.name == "signOut", order


def repeats_what_is_sent(database: apsw.Connection, statement: str) -> bool:
    """Whether rows that are sent as JSON are decoded again for each row of a table: the plan has them in its loop."""
    plan = list(database.execute(f"EXPLAIN QUERY PLAN {statement}", AnyValue()))
    outer: set[int] = set()
    for _id, parent, _unused, detail in plan:
        if detail.startswith(("SCAN json_each", "SCAN sent")) and parent in outer:
            return True
        if detail.startswith(("SCAN ", "SEARCH ")):
            outer.add(parent)
    return False


class AnyValue(dict[str, None]):
    """Values of every name: a plan does not depend on them."""

    def __missing__(self, name: str) -> None:
        return None


async def test_no_operation_makes_more_statements_in_a_larger_workshop(app: App) -> None:
    small, large = await Workshop.of(app, FEW), await Workshop.of(app, MANY)
    sent: set[str] = set()
    for kind, text in (
        ("customers", "Name,Phone\nJan 1,600 200 001\nOla,600 200 002\n"),
        ("orders", "Title,Phone\nRing,600 200 001\n"),
    ):
        asked = await proposal(small.owner, text, kind=kind)
        with recorded() as statements:
            assert (await small.owner.post(f"/imports/{asked['id']}/run")).status_code == 200
        sent |= set(statements)
    taken_from = (await Workshop.of(app, FEW), await Workshop.of(app, MANY))
    with violations() as case:
        for operation in sorted(OPERATIONS, key=place):
            if operation.content_type == "text/event-stream" or operation.name in EXPORTS:
                continue
            with case(line(operation)):
                pair = taken_from if takes_away(operation) else (small, large)
                (status, few), (same, many) = [await each.send(operation) for each in pair]
                sent |= {*few, *many}
                assert status == same
                assert status < 300 or not takes_away(operation), f"{status}"
                assert len(many) <= len(few) + ALLOWED, f"{len(few)} statements, {len(many)} in the larger workshop"
        if app.engine == "sqlite":
            with apsw.Connection(str(app.db._path)) as database:  # type: ignore[attr-defined] # not of the interface
                for statement in sorted(each for each in sent if "json_each" in each):
                    with case(statement):
                        assert not repeats_what_is_sent(database, statement)
