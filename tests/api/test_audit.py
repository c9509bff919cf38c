"""The audit trail: who did what to which workshop."""

import asyncio

from tests.people import Person, Shop


async def trail(owner: Person, query: str = "") -> list[dict[str, str]]:
    answer = await owner.get(f"/workshops/{owner.workshop}/audit{query}")
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, str]] = answer.json()["entries"]
    return entries


async def test_every_change_leaves_its_line(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    order = await anna.order()
    await anna.patch(f"/orders/{order['id']}/status", {"status": "done"})
    await anna.delete(f"/orders/{order['id']}")
    lines = await trail(anna)
    assert [line["action"] for line in lines] == ["orders.remove", "orders.change_status", "orders.create"]
    assert {line["objectId"] for line in lines} == {order["id"]}
    assert {line["actorUid"] for line in lines} == {anna.uid}
    assert all("sessionId" in line and "keyId" not in line for line in lines)


async def test_a_line_tells_the_key_it_was_done_with(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    program = await anna.integrator("orders:write")
    await program.order()
    (line,) = await trail(anna)
    assert "keyId" in line
    assert "sessionId" not in line


async def test_a_refused_change_leaves_no_line(shop: Shop) -> None:
    anna, eve = await shop.owner("Anna"), await shop.owner("Eve")
    order = await anna.order()
    before = await trail(anna)
    assert (await eve.delete(f"/orders/{order['id']}")).status_code == 403
    assert (await anna.patch(f"/orders/{order['id']}", {})).status_code == 400
    assert await trail(anna) == before


async def test_reading_leaves_no_line(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    await anna.get(f"/workshops/{anna.workshop}/orders")
    assert await trail(anna) == []


async def test_only_the_owner_reads_the_trail(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    marek, eve = await shop.member(anna), await shop.owner("Eve")
    for person in (marek, eve):
        assert (await person.get(f"/workshops/{anna.workshop}/audit")).status_code == 403


async def test_the_trail_is_read_in_pages(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    await asyncio.gather(*[anna.order(title=f"order {number}") for number in range(7)])
    path, seen = f"/workshops/{anna.workshop}/audit?limit=3", list[str]()
    while path:
        answer = await anna.get(path)
        seen += [line["id"] for line in answer.json()["entries"]]
        path = answer.links.get("next", {}).get("url", "").removeprefix("/api")
    assert len(seen) == len(set(seen)) == 7
    assert seen == [line["id"] for line in await trail(anna)]


async def test_a_removed_workshop_takes_its_trail_with_it(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    await anna.order()
    assert (await anna.delete(f"/workshops/{anna.workshop}")).status_code == 204
    async with shop.db.read() as db:
        sql = "SELECT count(*) FROM audit_entries WHERE workshop_id = :id"
        assert await db.value(sql, id=anna.workshop) == 0


async def test_the_owners_export_holds_the_trail_and_a_members_does_not(shop: Shop) -> None:
    anna = await shop.owner("Anna")
    marek = await shop.member(anna)
    order = await marek.order()
    exported = (await anna.get("/me/data-export")).json()["audit"]
    assert [(line["action"], line["objectId"], line["actorUid"]) for line in exported] == [
        ("orders.create", order["id"], marek.uid)
    ]
    assert (await marek.get("/me/data-export")).json()["audit"] == []
