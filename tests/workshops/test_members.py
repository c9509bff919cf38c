"""Workshop members: owners change roles and remove members, members can leave, one owner always remains."""

import asyncio

import pytest

from backbench.hosting import administration
from backbench.values import times
from backbench.values.errors import Conflict
from backbench.values.ids import new_id
from tests.people import App, Person, pointers
from tests.support.database_dump import dump_of
from tests.support.mailbox import emails_to, text_of
from tests.support.operation_samples import signed_in_again


def path(owner: Person, member: Person) -> str:
    return f"/workshops/{owner.workshop}/members/{member.uid}"


async def roles(person: Person) -> dict[str, str]:
    members = (await person.get(f"/workshops/{person.workshop}")).json()["members"]
    return {member["id"]: member["role"] for member in members}


async def second_owner(owner: Person) -> Person:
    karol = await owner.app.member(owner, "Karol")
    assert (await owner.patch(path(owner, karol), {"role": "owner"})).status_code == 200
    return karol


async def test_an_owner_can_change_the_role_of_a_member(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    for role in ("owner", "member", "member"):
        response = await anna.patch(path(anna, marek), {"role": role})
        assert response.status_code == 200
        assert response.json() == {"id": marek.uid, "name": "Marek", "avatarSeed": marek.uid, "role": role}
        assert (await roles(anna))[marek.uid] == role


async def test_a_removed_member_loses_access_immediately(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    program = await marek.integrator("orders:read")
    response = await anna.delete(path(anna, marek))
    assert (response.status_code, response.content) == (204, b"")
    assert (await marek.get(f"/workshops/{anna.workshop}")).status_code == 403
    assert (await program.get(f"/workshops/{anna.workshop}/orders")).status_code == 403


async def test_a_member_removed_by_an_owner_is_notified_and_one_who_leaves_is_not(app: App) -> None:
    anna, marek, zofia = await app.owner("Anna"), await app.person("Marek", locale="pl"), await app.person("Zofia")
    for member in (marek, zofia):
        await app.db.write(
            lambda db, email=member.email: administration.add_member(  # type: ignore[misc]
                db, anna.workshop, email, "member", times.now(), new_id
            )
        )
    await anna.patch(f"/workshops/{anna.workshop}", {"name": "Dąb i Jesion"})
    assert (await anna.delete(path(anna, marek))).status_code == 204
    assert (await zofia.delete(path(anna, zofia))).status_code == 204
    [message] = await emails_to(app, marek.email)
    assert message["Subject"] == "Nie masz już dostępu do warsztatu"
    assert "Twój dostęp do warsztatu „Dąb i Jesion” w Backbench" in text_of(message).replace("\n", " ")
    assert await emails_to(app, zofia.email) == []


async def test_a_member_may_leave(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    assert (await marek.delete(path(anna, marek))).status_code == 204
    assert list(await roles(anna)) == [anna.uid]


async def test_a_member_cannot_change_roles_or_remove_others(app: App) -> None:
    """Vaultwarden CVE-2026-27898: a partial update without an ownership check."""
    anna = await app.owner("Anna")
    marek, zofia = await app.member(anna), await app.member(anna, "Zofia")
    before = await dump_of(app.db)
    for person in (anna, marek, zofia):
        assert (await marek.patch(path(anna, person), {"role": "owner"})).status_code == 403
    for person in (anna, zofia):
        assert (await marek.delete(path(anna, person))).status_code == 403
    assert await dump_of(app.db) == before


async def test_an_owner_cannot_change_members_of_another_workshop(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    marek = await app.member(anna)
    before = await dump_of(app.db)
    assert (await eve.patch(path(anna, marek), {"role": "member"})).status_code == 403
    assert (await eve.delete(path(anna, marek))).status_code == 403
    assert (await eve.patch(path(eve, marek), {"role": "member"})).status_code == 404
    assert (await eve.delete(path(eve, marek))).status_code == 404
    assert await dump_of(app.db) == before


async def test_the_last_owner_cannot_leave_or_become_a_member(app: App) -> None:
    anna = await app.owner("Anna")
    await app.member(anna)
    before = await dump_of(app.db)
    for response in (await anna.delete(path(anna, anna)), await anna.patch(path(anna, anna), {"role": "member"})):
        assert (response.status_code, response.json()["code"]) == (409, "last_owner")
    assert await dump_of(app.db) == before


async def test_one_of_two_owners_can_leave(app: App) -> None:
    anna = await app.owner("Anna")
    karol = await second_owner(anna)
    assert (await anna.patch(path(anna, anna), {"role": "member"})).status_code == 200
    assert (await anna.delete(path(anna, anna))).status_code == 204
    assert await roles(karol) == {karol.uid: "owner"}


@pytest.mark.both_engines
async def test_one_owner_remains_if_all_leave_concurrently(app: App) -> None:
    anna = await app.owner("Anna")
    others = [await second_owner(anna) for _ in range(3)]
    owners = [anna, *others]
    responses = await asyncio.gather(*[owner.delete(path(anna, owner)) for owner in owners])
    assert sorted(response.status_code for response in responses) == [204, 204, 204, 409]
    [last] = [owner for owner, response in zip(owners, responses, strict=True) if response.status_code == 409]
    assert await roles(last) == {last.uid: "owner"}


async def test_one_owner_remains_if_two_demote_each_other(app: App) -> None:
    anna = await app.owner("Anna")
    karol = await second_owner(anna)
    responses = await asyncio.gather(
        anna.patch(path(anna, karol), {"role": "member"}),
        karol.patch(path(anna, anna), {"role": "member"}),
    )
    assert sorted(response.status_code for response in responses) == [200, 403]
    assert sorted((await roles(anna)).values()) == ["member", "owner"]


async def test_the_last_owner_cannot_be_demoted_on_the_command_line(app: App) -> None:
    anna = await app.owner("Anna")
    karol = await second_owner(anna)

    async def demote(person: Person) -> str:
        try:
            await app.db.write(
                lambda db: administration.add_member(db, anna.workshop, person.email, "member", times.now(), new_id)
            )
        except Conflict as error:
            return error.code
        return "done"

    assert sorted(await asyncio.gather(demote(anna), demote(karol))) == ["done", "last_owner"]


async def test_a_role_is_owner_or_member(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    assert pointers(await anna.patch(path(anna, marek), {"role": "admin"})) == ["/role"]
    assert pointers(await anna.patch(path(anna, marek), {})) == ["/role"]


async def test_a_demoted_owner_loses_the_role_in_all_sessions(app: App) -> None:
    anna = await app.owner("Anna")
    karol = await second_owner(anna)
    again = await signed_in_again(karol)
    await anna.patch(path(anna, karol), {"role": "member"})
    for browser in (karol, again):
        assert (await browser.delete(path(anna, anna))).status_code == 403
