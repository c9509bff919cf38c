"""Writes at the same time on PostgreSQL: none brings back what another took away.

For each pair of writes that concern one object, the second is committed when the first has read everything and is
about to change something. The database is then as after the two in one order or in the other.
"""

import itertools
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from backbench.http.operations import Operation
from backbench.routes import OPERATIONS
from tests.http.races.write_races import Races, SavedState, Write, observe, one_of_each, pairs_of, part_of, some_of_each
from tests.people import App, Person
from tests.support.databases import migrated_database, new_database, running_app
from tests.support.operation_samples import BODIES, PATH_PARAMETERS, body_for, fill_path, line
from tests.support.run.engines import runs_all
from tests.support.shared_links import LINES, client_of
from tests.support.uploads import FORM_TYPE, photo, proposal, sample_form
from tests.support.violations import violations

# Without a language model, with an invalid token, and where the trial has begun.
REFUSED = {
    "POST /workshops/{workshopId}/context/synthesis",
    "POST /invitations/accept",
    "POST /workshops/{workshopId}/billing/trial",
}


class World:
    """A workshop whose objects refer to each other, and requests to change each of them."""

    def __init__(self, app: App, owner: Person) -> None:
        self.app = app
        self.owner = owner
        self.client = self.customer = owner
        # The ids of the objects for each parameter of a path.
        self.objects: dict[str, list[str]] = {}
        # Bodies beside those of the samples.
        self.bodies: dict[str, list[dict[str, Any]]] = {}

    async def _post(self, path: str, body: Any = None) -> dict[str, Any]:
        response = await self.owner.post(path, body)
        assert response.status_code in (200, 201), response.text
        found: dict[str, Any] = response.json()
        return found

    async def fill(self) -> None:
        owner, workshop = self.owner, self.owner.workshop
        member = await self.app.member(owner, "Marek")
        named = {"phones": [{"number": "600 100 200"}]}
        customer, other, merged = [
            (await self._post(f"/workshops/{workshop}/customers", {"name": name, **named}))["id"]
            for name in ("Łucja", "Jan", "Ewa")
        ]
        await self._post(f"/customers/{customer}/merge", {"fromId": merged})
        draft, sent, decided = [(await owner.estimate(lineItems=LINES))["id"] for _ in range(3)]
        for estimate in (draft, sent, decided):
            document = {"customerId": customer, "recipientAddress": "ul. Młyńska 14"}
            assert (await owner.put(f"/estimates/{estimate}/document", document)).status_code == 200
        for estimate in (sent, decided):
            await self._post(f"/estimates/{estimate}/confirm")
        shared = await self._post(f"/estimates/{sent}/links", {"locale": "en"})
        export = await self._post(f"/estimates/{sent}/pdf-exports", {"locale": "pl", "preliminary": False})
        decision = await self._post(f"/estimates/{decided}/decisions", BODIES["POST /estimates/{estimateId}/decisions"])
        self.client = client_of(self.app, shared["url"])
        shown = (await self.client.get("/client/estimate")).json()
        orders = [(await owner.order(customerName="Łucja"))["id"] for _ in range(2)]
        for order, estimate in zip(orders, (sent, decided), strict=True):
            details = {"customerId": customer, "phone": "600 100 200", "assignedTo": member.uid, "estimateId": estimate}
            assert (await owner.patch(f"/orders/{order}/details", details)).status_code == 200
            assert (await owner.patch(f"/orders/{order}/status", {"status": "done"})).status_code == 200
            signature = BODIES["PUT /orders/{orderId}/signature"]
            assert (await owner.put(f"/orders/{order}/signature", signature)).status_code == 200
        # One without a price, which can be deleted.
        plain = (await owner.order(customerName="Łucja"))["id"]
        details = {"customerId": customer, "phone": "600 100 200", "assignedTo": member.uid}
        assert (await owner.patch(f"/orders/{plain}/details", details)).status_code == 200
        payments = [
            (await self._post(f"/orders/{order}/payments", BODIES["POST /orders/{orderId}/payments"]))["id"]
            for order in orders
        ]
        issued = (await self._post(f"/orders/{orders[1]}/invoices", {"kind": "invoice"}))["id"]
        await self._post(f"/invoices/{issued}/issue", {})
        draft_of_invoice = BODIES["POST /orders/{orderId}/invoices"]
        invoices = [issued, (await self._post(f"/orders/{plain}/invoices", draft_of_invoice))["id"]]
        photos = [(await photo(owner, orders[0]))["id"] for _ in range(2)]
        await self._post(f"/orders/{orders[1]}/collected", {})
        self.customer = client_of(self.app, (await owner.get(f"/orders/{orders[0]}/status-link")).json()["url"])
        line_id = (await owner.get(f"/estimates/{draft}")).json()["lineItems"][0]["id"]
        imports = [(await proposal(owner, f"Name,Phone\n{name},600 100 20{name[-1]}\n"))["id"] for name in ("A1", "B2")]
        await self._post(f"/imports/{imports[1]}/run")
        grids = [(await self._post(f"/workshops/{workshop}/grids", {"name": name}))["id"] for name in ("Oak", "Ash")]
        settings = (await owner.get(f"/workshops/{workshop}/document-settings")).json()
        self.objects = {
            "workshopId": [workshop],
            "userId": [member.uid],
            "customerId": [customer, other],
            "estimateId": [draft, sent],
            "lineId": [line_id],
            "linkId": [shared["link"]["id"]],
            "pdfExportId": [export["id"]],
            "decisionId": [decision["id"]],
            "orderId": [*orders, plain],
            "paymentId": payments,
            "invoiceId": invoices,
            "photoId": [photos[0]],
            "importId": imports,
            "gridId": grids,
        }
        self.bodies = {
            "PATCH /orders/{orderId}/details": [
                {"place": "Shelf 3"},
                {"customerId": other},
                {"estimateId": draft},
                {"assignedTo": owner.uid, "waitingFor": "customer"},
            ],
            "PUT /estimates/{estimateId}/document": [{"customerId": other}],
            "PATCH /customers/{customerId}": [{"name": "Łucja Nowak"}],
            "PUT /workshops/{workshopId}/document-settings": [{**settings, "country": "PL"}],
            "POST /customers/{customerId}/merge": [{"fromId": other}, {"fromId": customer}],
            "POST /customers/{customerId}/unmerge": [{"fromId": merged}],
            "PUT /orders/{orderId}/photos/order": [{"photoIds": photos[::-1]}],
            "PUT /orders/{orderId}/signature": [{"strokes": [[[5, 6]]], "name": "Jan"}],
            "PUT /workshops/{workshopId}/grids/order": [{"gridIds": grids}, {"gridIds": grids[::-1]}],
            "PATCH /estimates/{estimateId}": [{"name": "Kitchen of oak"}],
            "PATCH /orders/{orderId}": [{"customerName": "Jan"}],
            "PATCH /orders/{orderId}/status": [{"status": "todo"}],
            "PATCH /photos/{photoId}": [{"kind": "after"}],
            "POST /client/estimate/accept": [
                {
                    **BODIES["POST /client/estimate/accept"],
                    "documentHash": shown["documentHash"],
                    "consentId": shown["consent"]["id"],
                }
            ],
        }

    async def writes(self) -> list[Write]:
        """Every write of the table with an event, to each of the objects and with each of the bodies."""
        found = []
        for operation in OPERATIONS:
            if operation.event is None or operation.is_safe:
                continue
            for name in operation.path_names:
                if name not in self.objects:
                    self.objects[name] = [await PATH_PARAMETERS[name](self.owner, {})]
            ids = [self.objects[name] for name in operation.path_names]
            for values in itertools.product(*ids):
                path = fill_path(operation, dict(zip(operation.path_names, values, strict=True)))
                found += [self._write(operation, path, body) for body in self._bodies_of(operation)]
        return found

    def _bodies_of(self, operation: Operation) -> list[Any]:
        if operation.form is not None:
            return [sample_form(operation.path, self.owner)]
        return [body_for(operation), *self.bodies.get(line(operation), ())]

    def _write(self, operation: Operation, path: str, body: Any) -> Write:
        access = operation.access
        caller = self.customer if access.of_order else self.client if access.takes_link else self.owner
        headers = {"content_type": FORM_TYPE} if operation.form is not None else {}
        name = f"{operation.method} {path}" + ("" if body is None or isinstance(body, bytes) else f" {body}")
        for kind, ids in self.objects.items():
            for number, id_ in enumerate(ids, 1):
                name = name.replace(id_, f"{{{kind} {number}}}")
        return Write(line(operation), name, lambda: caller.send(operation.method, path, body, headers=headers))


# A lock that one operation lacks shows in most of its pairs; a run of all tests takes all of them.
PAIRS_OF_ONE = 1_000 if runs_all() else 4
# Workers of one run share them.
PARTS = 4 if runs_all() else 2


@pytest.fixture(scope="module")
async def races(postgres: Any) -> AsyncIterator[tuple[list[Write], Races]]:
    """The writes that change something, and the state from which they race."""
    url = new_database(postgres, migrated_database(postgres))
    connection = await asyncpg.connect(url)
    try:
        # Some pairs wait for each other; PostgreSQL looks for that after a second, unless a setting says otherwise.
        name = await connection.fetchval("SELECT quote_ident(current_database())")
        await connection.execute(f"ALTER DATABASE {name} SET deadlock_timeout = '20ms'")
        async with running_app(url) as app:
            found = World(app, await app.owner())
            await found.fill()
            # What they need beside that is added as well.
            await found.writes()
            state = await SavedState.of(connection)
            with pytest.MonkeyPatch.context() as patch:
                observe(patch)
                yield await _learned(found, state), Races(state)
    finally:
        await connection.close()


async def _learned(world: World, state: SavedState) -> list[Write]:
    """The writes that change something, after each has been sent alone."""
    writes = await world.writes()
    for write in writes:
        await write.learn(state)
    done = [write for write in writes if write.transactions and write.status < 300]
    refused = {write.operation for write in writes} - {write.operation for write in done}
    assert refused == REFUSED
    return done


@pytest.mark.parametrize("part", range(PARTS))
async def test_no_write_brings_back_what_another_took_away(races: tuple[list[Write], Races], part: int) -> None:
    """One pair of each two operations, the second at the first and at the last change of the first after a read."""
    writes, raced = races
    with violations() as case:
        for first, rival in some_of_each(one_of_each(pairs_of(writes)), PAIRS_OF_ONE):
            if part_of(first, rival, PARTS) != part:
                continue
            for change in sorted({first.changes[0], first.changes[-1]}):
                with case(f"{first.name}, and at its change {change} {rival.name}"):
                    violation = await raced.violation(first, rival, change)
                    assert not violation, violation


@pytest.mark.prove
async def test_no_write_brings_back_what_another_took_away_at_any_of_its_changes(
    races: tuple[list[Write], Races],
) -> None:
    """Every pair, the second at each change of the first before which it has read something."""
    writes, raced = races
    with violations() as case:
        for first, rival in pairs_of(writes):
            for change in first.changes:
                with case(f"{first.name}, and at its change {change} {rival.name}"):
                    violation = await raced.violation(first, rival, change)
                    assert not violation, violation
