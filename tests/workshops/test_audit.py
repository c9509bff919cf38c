"""Audit trail: an entry for each change to a workshop, with actor, action, object and time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from backbench.http.operations import Operation
from backbench.routes import OPERATIONS
from backbench.workshops import audit
from tests.exports.test_archives import archive_of, archived, document
from tests.people import PASSWORD, App, Person
from tests.support import operation_samples
from tests.support.databases import running_app
from tests.support.mailbox import token_for
from tests.support.operation_samples import line
from tests.support.uploads import FORM_TYPE, photo, sample_form
from tests.support.violations import violations, violations_or_changes

# Operations that change no workshop: a draft is not stored, and the payment provider has its own pages.
NOT_AUDITED = {
    "POST /estimates/{estimateId}/message-draft",
    "POST /orders/{orderId}/message-draft",
    # Of the account, not of the workshop.
    "POST /workshops/{workshopId}/inbox/read",
    "POST /workshops/{workshopId}/calendars",
    # A proposal is no record of the workshop.
    "POST /workshops/{workshopId}/imports",
    "PATCH /imports/{importId}",
    # They send again what has its entry, or nothing of the workshop.
    "POST /webhooks/{webhookId}/test",
    "POST /deliveries/{deliveryId}/resend",
    "POST /workshops/{workshopId}/billing/checkout",
    "POST /workshops/{workshopId}/billing/portal",
}
# The first needs a language model (test_synthesis.py), the second deletes the trail itself, and the sample of the third
# changes no order (both tested below).
TESTED_SEPARATELY = {
    # Their samples change nothing: no signature, no other customer (test_order_signatures.py, test_merges.py).
    "DELETE /orders/{orderId}/signature",
    "POST /customers/{customerId}/merge",
    "POST /customers/{customerId}/unmerge",
    "POST /workshops/{workshopId}/context/synthesis",
    "DELETE /workshops/{workshopId}",
    "PUT /workshops/{workshopId}/grids/order",
    # The order of the samples is not done (tests/orders/test_order_details.py).
    "POST /orders/{orderId}/collected",
    "DELETE /orders/{orderId}/collected",
}
AUDITED = [
    operation
    for operation in OPERATIONS
    if not operation.is_safe
    and operation.access.needs_session
    and not operation.access.takes_link
    and (operation.path.startswith("/workshops") or operation.path_names or operation.form is not None)
    and not operation_samples.is_personal(operation)
    and operation_samples.line(operation) not in NOT_AUDITED | TESTED_SEPARATELY
]


@pytest.fixture(scope="module")
async def app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """A service with few rows: these tests compare its whole database."""
    async with running_app(new_database_url(), default_plan="free") as opened:
        yield opened


async def trail(owner: Person, query: str = "") -> list[dict[str, Any]]:
    response = await owner.get(f"/workshops/{owner.workshop}/audit{query}")
    assert response.status_code == 200, response.text
    entries: list[dict[str, Any]] = response.json()["entries"]
    return entries


async def test_every_change_has_an_audit_entry(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    await anna.delete(f"/orders/{order['id']}")
    *entries, first = await trail(anna)
    assert [entry["action"] for entry in entries] == ["order.deleted", "order.moved", "order.created"]
    assert (first["action"], first["version"]) == ("workshop.created", 1)
    assert {entry["objectId"] for entry in entries} == {order["id"]}
    assert {entry["actorUid"] for entry in entries} == {anna.uid}
    assert all("sessionId" in entry and "keyId" not in entry for entry in entries)


async def body_of(operation: Operation, person: Person, path: str) -> Any:
    """The sample body; one that changes something."""
    if operation.name != "reorderPhotos":
        return operation_samples.body_for(operation)
    first, second = [await photo(person, path.split("/")[2]) for _ in range(2)]
    return {"photoIds": [second["id"], first["id"]]}


async def perform(operation: Operation, person: Person) -> str:
    """Performs the operation. Returns the id of the workshop that it changed."""
    path = await operation_samples.create_path_for(operation, person)
    if operation.form is not None:
        response = await person.post(path, sample_form(operation.path, person), content_type=FORM_TYPE)
        assert response.status_code == 201
        return person.workshop
    if path.endswith(("/pdf-exports", "/links", "/decisions")):
        await person.post(path.rpartition("/")[0] + "/confirm")
    response = await person.send(operation.method, path, await body_of(operation, person, path))
    assert response.status_code == operation.status, response.text
    return str(response.json()["id"]) if path == "/workshops" else person.workshop


async def test_every_operation_that_changes_a_workshop_adds_an_audit_entry(app: App) -> None:
    members = {"id", "workshopId", "version", "at", "actorKind", "actorUid", "action", "objectId", "sessionId"}
    with violations() as case:
        for operation in AUDITED:
            with case(line(operation)):
                anna = await app.owner("Anna")
                anna.workshop = await perform(operation, anna)
                newest, *_ = await trail(anna)
                actor = (newest["action"], newest["actorKind"], newest["actorUid"])
                assert actor == (operation.event, "account", anna.uid)
                assert members == newest.keys()


async def test_a_change_is_rolled_back_if_its_audit_entry_fails(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """The change and its audit entry are one transaction."""

    async def fail(*_: Any) -> None:
        raise MemoryError

    attempts = []
    for operation in AUDITED:
        anna = await app.owner("Anna")
        path = await operation_samples.create_path_for(operation, anna)
        if path.endswith(("/pdf-exports", "/links", "/decisions")):
            await anna.post(path.rpartition("/")[0] + "/confirm")
        attempts.append((operation, anna, path, await body_of(operation, anna, path)))
    # The failed upload leaves an orphaned blob, which the sweep deletes.
    async with violations_or_changes(app.db, "stray_bytes") as case:
        with monkeypatch.context() as broken:
            broken.setattr(audit, "add", fail)
            broken.setattr(audit, "add_all", fail)
            for operation, anna, path, body in attempts:
                with case(line(operation)):
                    if operation.form is not None:
                        response = await anna.post(path, sample_form(operation.path, anna), content_type=FORM_TYPE)
                    else:
                        response = await anna.send(operation.method, path, body)
                    assert response.status_code == 500


async def test_accepting_an_invitation_adds_an_audit_entry(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    await anna.post(f"/workshops/{anna.workshop}/invitations", {"email": marek.email, "role": "member"})
    token = await token_for(app, marek.email)
    assert (await marek.post("/invitations/accept", {"token": token})).status_code == 200
    newest, *_ = await trail(anna)
    assert (newest["action"], newest["actorUid"]) == ("member.joined", marek.uid)
    assert token not in str(newest)


async def test_deleting_an_account_adds_an_audit_entry_to_shared_workshops(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    assert (await marek.delete("/me", {"password": PASSWORD})).status_code == 204
    newest, *_ = await trail(anna)
    assert (newest["action"], newest["actorUid"], newest["objectId"]) == ("member.left", marek.uid, marek.uid)


async def test_an_audit_entry_states_the_api_key(app: App) -> None:
    anna = await app.owner("Anna")
    program = await anna.integrator("orders:write")
    await program.order()
    entry, _ = await trail(anna)
    assert "keyId" in entry
    assert entry["actorKind"] == "key"
    assert "sessionId" not in entry


async def test_a_rejected_change_adds_no_audit_entry(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    order = await anna.order()
    before = await trail(anna)
    assert (await eve.delete(f"/orders/{order['id']}")).status_code == 403
    assert (await anna.patch(f"/orders/{order['id']}", {})).status_code == 400
    assert await trail(anna) == before


async def test_reading_adds_no_audit_entry(app: App) -> None:
    anna = await app.owner("Anna")
    before = await trail(anna)
    await anna.get(f"/workshops/{anna.workshop}/orders")
    assert await trail(anna) == before


async def test_only_owners_can_read_the_audit_trail(app: App) -> None:
    anna = await app.owner("Anna")
    marek, eve = await app.member(anna), await app.owner("Eve")
    for person in (marek, eve):
        assert (await person.get(f"/workshops/{anna.workshop}/audit")).status_code == 403


async def test_the_audit_trail_is_paginated(app: App) -> None:
    anna = await app.owner("Anna")
    await asyncio.gather(*[anna.order(title=f"order {number}") for number in range(7)])
    path, seen = f"/workshops/{anna.workshop}/audit?limit=3", list[str]()
    while path:
        response = await anna.get(path)
        seen += [entry["id"] for entry in response.json()["entries"]]
        path = response.links.get("next", {}).get("url", "").removeprefix("/api")
    assert len(seen) == len(set(seen)) == 8
    assert seen == [entry["id"] for entry in await trail(anna)]


async def test_deleting_a_workshop_deletes_its_audit_trail(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.order()
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    async with app.db.read() as db:
        sql = "SELECT count(*) FROM audit_entries WHERE workshop_id = :id"
        assert await db.value(sql, id=anna.workshop) == 0


async def test_only_an_owners_archive_contains_the_audit_trail(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    order = await marek.order()
    newest, *_ = (await archived(anna, "audit"))["audit"]
    assert (newest["action"], newest["objectId"], newest["actorUid"]) == ("order.created", order["id"], marek.uid)
    archive = await archive_of(marek)
    trails = [document(archive, path)["audit"] for path in archive.namelist() if path.endswith("/audit.json")]
    assert len(trails) == 1, "of the workshop that he owns"
    assert anna.workshop not in {entry["workshopId"] for entry in trails[0]}


async def test_the_hosts_changes_have_audit_entries(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    await app.put_on_pro(anna.workshop)
    entries = await trail(anna)
    assert [(entry["version"], entry["action"], entry["objectId"]) for entry in entries] == [
        (3, "plan.changed", anna.workshop),
        (2, "member.joined", marek.uid),
        (1, "workshop.created", anna.workshop),
    ]
    assert {entry["actorKind"] for entry in entries} == {"host"}
    assert not any("actorUid" in entry for entry in entries)


async def test_a_new_order_of_grids_has_an_audit_entry_and_the_same_order_none(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/grids"
    made = [(await anna.post(path, {"name": name})).json()["id"] for name in ("Oak", "Ash")]
    assert (await anna.put(f"{path}/order", {"gridIds": made})).status_code == 200
    newest, *_ = before = await trail(anna)
    assert (newest["action"], newest["objectId"]) == ("workshop.updated", anna.workshop)
    assert (await anna.put(f"{path}/order", {"gridIds": made})).status_code == 200
    assert await trail(anna) == before
