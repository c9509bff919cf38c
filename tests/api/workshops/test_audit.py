"""The audit trail: who did what to which workshop."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from backbench.api.routes import OPERATIONS
from backbench.http.operations import Operation
from backbench.storage.workshops import audit
from tests.people import PASSWORD, Person, Shop
from tests.support import samples
from tests.support.engines import opened_shop
from tests.support.pictures import png
from tests.support.postbox import token_for
from tests.support.stored import everything_in
from tests.support.uploads import upload

# What changes no workshop: one's own account, what is only drafted, and a page of the payment provider.
UNTOLD = {
    "POST /estimates/{estimateId}/message-draft",
    "POST /workshops/{workshopId}/billing/checkout",
    "POST /workshops/{workshopId}/billing/portal",
}
# Needs a language model: tests/api/workshops/test_synthesis.py. Takes the trail along: below.
ELSEWHERE = {"POST /workshops/{workshopId}/context/synthesis", "DELETE /workshops/{workshopId}"}
changing = [
    operation
    for operation in OPERATIONS
    if not operation.is_safe
    and operation.access.needs_session
    and (operation.path.startswith("/workshops") or operation.path_names or operation.form is not None)
    and not samples.is_personal(operation)
    and samples.line(operation) not in UNTOLD | ELSEWHERE
]


@pytest.fixture(scope="module")
async def shop(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """One that holds little: these tests compare all of it."""
    async with opened_shop(new_database_url()) as opened:
        yield opened


async def trail(owner: Person, query: str = "") -> list[dict[str, str]]:
    answer = await owner.get(f"/workshops/{owner.workshop}/audit{query}")
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, str]] = answer.json()["entries"]
    return entries


async def test_every_change_has_an_audit_entry(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    order = await anna.order()
    await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    await anna.delete(f"/orders/{order['id']}")
    lines = await trail(anna)
    assert [line["action"] for line in lines] == ["order.deleted", "order.moved", "order.created"]
    assert {line["objectId"] for line in lines} == {order["id"]}
    assert {line["actorUid"] for line in lines} == {anna.uid}
    assert all("sessionId" in line and "keyId" not in line for line in lines)


async def changed(operation: Operation, person: Person) -> str:
    """Does what the operation does; the workshop that it was done to."""
    if operation.form is not None:
        assert (await upload(person, png())).status_code == 201
        return person.workshop
    path = await samples.path_of(operation, person)
    if path.endswith("/pdf-exports"):
        await person.post(path.replace("/pdf-exports", "/confirm"))
    answer = await person.send(operation.method, path, samples.body_for(operation))
    assert answer.status_code == operation.status, answer.text
    return str(answer.json()["id"]) if path == "/workshops" else person.workshop


@pytest.mark.parametrize("operation", changing, ids=samples.line)
async def test_every_operation_that_changes_a_workshop_adds_an_audit_entry(shop: Shop, operation: Operation) -> None:
    anna = await shop.owner("Anna")
    anna.workshop = await changed(operation, anna)
    newest, *_ = await trail(anna)
    assert (newest["action"], newest["actorUid"]) == (operation.event, anna.uid)
    assert {"id", "workshopId", "at", "actorUid", "action", "objectId", "sessionId"} == newest.keys()


@pytest.mark.parametrize("operation", changing, ids=samples.line)
async def test_a_change_is_rolled_back_if_its_audit_entry_fails(
    shop: Shop, operation: Operation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are one transaction: where the line cannot be written, nothing is changed."""
    anna = await shop.owner("Anna")

    async def full(*_: Any) -> None:
        raise MemoryError

    path = "/files" if operation.form is not None else await samples.path_of(operation, anna)
    if path.endswith("/pdf-exports"):
        await anna.post(path.replace("/pdf-exports", "/confirm"))
    before = await everything_in(shop.db)
    monkeypatch.setattr(audit, "add", full)
    if operation.form is not None:
        answer = await upload(anna, png())
    else:
        answer = await anna.send(operation.method, path, samples.body_for(operation))
    assert answer.status_code == 500
    # The bytes of an upload that came to nothing wait for their removal.
    after = await everything_in(shop.db)
    assert {**after, "stray_bytes": []} == {**before, "stray_bytes": []}


async def test_accepting_an_invitation_adds_an_audit_entry(shop: Shop) -> None:
    anna, marek = await shop.owner("Anna"), await shop.person("Marek")
    await anna.post(f"/workshops/{anna.workshop}/invitations", {"email": marek.email, "role": "member"})
    token = await token_for(shop, marek.email)
    assert (await marek.post("/invitations/accept", {"token": token})).status_code == 200
    newest, *_ = await trail(anna)
    assert (newest["action"], newest["actorUid"]) == ("member.joined", marek.uid)
    assert token not in str(newest)


async def test_deleting_an_account_adds_an_audit_entry_to_shared_workshops(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    marek = await shop.member(anna)
    assert (await marek.delete("/me", {"password": PASSWORD})).status_code == 204
    newest, *_ = await trail(anna)
    assert (newest["action"], newest["actorUid"], newest["objectId"]) == ("member.left", marek.uid, marek.uid)


async def test_an_audit_entry_states_the_api_key(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    program = await anna.integrator("orders:write")
    await program.order()
    (line,) = await trail(anna)
    assert "keyId" in line
    assert "sessionId" not in line


async def test_a_rejected_change_adds_no_audit_entry(shop: Shop) -> None:
    anna, eve = await shop.owner("Anna"), await shop.owner("Eve")
    order = await anna.order()
    before = await trail(anna)
    assert (await eve.delete(f"/orders/{order['id']}")).status_code == 403
    assert (await anna.patch(f"/orders/{order['id']}", {})).status_code == 400
    assert await trail(anna) == before


async def test_reading_adds_no_audit_entry(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    await anna.get(f"/workshops/{anna.workshop}/orders")
    assert await trail(anna) == []


async def test_only_owners_can_read_the_audit_trail(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    marek, eve = await shop.member(anna), await shop.owner("Eve")
    for person in (marek, eve):
        assert (await person.get(f"/workshops/{anna.workshop}/audit")).status_code == 403


async def test_the_audit_trail_is_paginated(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    await asyncio.gather(*[anna.order(title=f"order {number}") for number in range(7)])
    path, seen = f"/workshops/{anna.workshop}/audit?limit=3", list[str]()
    while path:
        answer = await anna.get(path)
        seen += [line["id"] for line in answer.json()["entries"]]
        path = answer.links.get("next", {}).get("url", "").removeprefix("/api")
    assert len(seen) == len(set(seen)) == 7
    assert seen == [line["id"] for line in await trail(anna)]


async def test_deleting_a_workshop_deletes_its_audit_trail(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    await anna.order()
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    async with shop.db.read() as db:
        sql = "SELECT count(*) FROM audit_entries WHERE workshop_id = :id"
        assert await db.value(sql, id=anna.workshop) == 0


async def test_only_an_owners_data_export_contains_the_audit_trail(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    marek = await shop.member(anna)
    order = await marek.order()
    exported = (await anna.get("/me/data-export")).json()["audit"]
    assert [(line["action"], line["objectId"], line["actorUid"]) for line in exported] == [
        ("order.created", order["id"], marek.uid)
    ]
    assert (await marek.get("/me/data-export")).json()["audit"] == []
