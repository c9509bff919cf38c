"""Account deletion: all own data is deleted, nothing that others need is, and every access ends at once."""

import asyncio
from typing import Any

import httpx
import pytest
from msgspec import structs

from backbench.billing import billing
from backbench.billing.plans import Plan
from backbench.billing.subscriptions import Subscription
from backbench.hosting import administration
from backbench.values import times
from backbench.values.errors import Conflict
from backbench.values.ids import new_id
from tests.people import PASSWORD, App, Person, pointers
from tests.support.database_dump import dump_of
from tests.support.mailbox import last_email_to
from tests.support.operation_samples import signed_in_again


async def delete_account(person: Person, password: str = PASSWORD) -> httpx.Response:
    return await person.delete("/me", {"password": password})


async def test_deletion_ends_every_session_and_key(app: App) -> None:
    anna = await app.owner("Anna")
    again, program = await signed_in_again(anna), await anna.integrator("orders:read")
    response = await delete_account(anna)
    assert (response.status_code, response.content) == (204, b"")
    assert all("Max-Age=0" in cookie for cookie in response.headers.get_list("set-cookie"))
    assert (await again.get("/me")).status_code == 401
    assert (await program.get(f"/workshops/{anna.workshop}/orders")).status_code == 401
    assert (await anna.sign_in()).status_code == 401


async def test_deletion_removes_all_data_of_the_account(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.order()
    await anna.estimate()
    await anna.post("/feedback", {"kind": "support", "title": "Help", "message": "Please"})
    await anna.post(f"/workshops/{anna.workshop}/invitations", {"email": "zofia@example.com", "role": "member"})
    await anna.post("/password-resets", {"email": anna.email})
    assert (await delete_account(anna)).status_code == 204
    await last_email_to(app, anna.email)
    stored = repr(await dump_of(app.db))
    assert anna.uid not in stored
    assert anna.email not in stored
    assert anna.workshop not in stored


async def test_deletion_is_confirmed_by_email(app: App) -> None:
    anna = await app.person("Anna", locale="pl")
    await delete_account(anna)
    assert (await last_email_to(app, anna.email))["Subject"] == "Twoje konto zostało usunięte"


async def test_a_wrong_password_deletes_nothing(app: App) -> None:
    anna = await app.owner("Anna")
    before = await dump_of(app.db)
    response = await delete_account(anna, "not this one")
    assert (response.status_code, response.json()["code"]) == (400, "wrong_password")
    assert pointers(await anna.delete("/me", {})) == ["/password"]
    assert await dump_of(app.db) == before


async def test_the_last_owner_of_a_shared_workshop_cannot_be_deleted(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    before = await dump_of(app.db)
    response = await delete_account(anna)
    assert (response.status_code, response.json()["code"]) == (409, "last_owner")
    assert response.json()["workshopId"] == anna.workshop
    assert await dump_of(app.db) == before
    assert (await marek.get(f"/workshops/{anna.workshop}")).status_code == 200


async def test_a_workshop_with_another_owner_remains(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    await anna.patch(f"/workshops/{anna.workshop}/members/{marek.uid}", {"role": "owner"})
    assert (await delete_account(anna)).status_code == 204
    members = (await marek.get(f"/workshops/{anna.workshop}")).json()["members"]
    assert [member["id"] for member in members] == [marek.uid]


@pytest.mark.both_engines
async def test_only_one_of_two_owners_can_be_deleted_in_parallel(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    await app.member(anna, "Zofia")
    await anna.patch(f"/workshops/{anna.workshop}/members/{marek.uid}", {"role": "owner"})
    responses = await asyncio.gather(delete_account(anna), delete_account(marek))
    assert sorted(response.status_code for response in responses) == [204, 409]


async def test_a_running_subscription_prevents_deletion(app: App) -> None:
    anna = await app.owner("Anna")
    plan = Plan("pro", times.later(times.now(), 86_400), "subscription")
    await app.db.write(lambda db: administration.set_plan(db, anna.workshop, plan, times.now(), new_id))
    response = await delete_account(anna)
    assert (response.status_code, response.json()["code"]) == (409, "subscription_running")
    assert (await anna.get(f"/workshops/{anna.workshop}")).status_code == 200


async def test_an_overdue_subscription_prevents_every_kind_of_deletion(app: App) -> None:
    """Also one that pays for nothing at the moment: it is overdue, and the host has granted pro."""
    anna = await app.owner("Anna")
    now = times.now()
    overdue = Subscription(
        id=f"sub_{anna.uid}",
        customer_id=f"cus_{anna.uid}",
        workshop_id=anna.workshop,
        status="past_due",
        period_starts_at=times.later(now, -86_400),
        period_ends_at=times.later(now, 29 * 86_400),
        cancels_at_period_end=False,
    )
    await app.db.write(lambda db: billing.save_subscription(db, overdue, overdue.event_sort_key(now, "evt")))
    await app.put_on_pro(anna.workshop)
    before = await dump_of(app.db)
    response = await delete_account(anna)
    assert (response.status_code, response.json()["code"]) == (409, "subscription_running")
    assert response.json()["workshopId"] == anna.workshop
    with pytest.raises(Conflict):
        await app.db.write(lambda db: administration.delete(db, anna.email, now, new_id))
    assert await dump_of(app.db) == before
    ended = structs.replace(overdue, status="canceled")
    await app.db.write(
        lambda db: billing.save_subscription(db, ended, ended.event_sort_key(times.later(now, 1), "evt 2"))
    )
    assert (await delete_account(anna)).status_code == 204


async def test_the_email_address_can_be_used_again(app: App) -> None:
    anna = await app.owner("Anna")
    await delete_account(anna)
    hashed = await app.backbench.passwords.hash(PASSWORD)

    async def add(db: Any) -> administration.AddedAccount:
        return await administration.add_account(db, anna.email, "Anna", hashed, "en", times.now(), lambda: anna.uid)

    assert (await app.db.write(add)).email == anna.email


async def test_an_api_key_of_another_account_cannot_be_revoked(app: App) -> None:
    """Bigcapital: a key of any account was revoked by its id."""
    anna, eve = await app.owner("Anna"), await app.person("Eve")
    issued = (await anna.post("/me/api-keys", {"name": "Shop window", "scopes": ["orders:read"]})).json()
    assert (await eve.delete(f"/me/api-keys/{issued['apiKey']['id']}")).status_code == 404
    program = Person(app, anna.email)
    program.bearer = issued["secret"]
    assert (await program.get(f"/workshops/{anna.workshop}/orders")).status_code == 200


async def test_reactivation_restores_no_session_and_no_api_key(app: App) -> None:
    """Directus GHSA-56p6-qw3c-fq2g: the session of a suspended account remained valid."""
    anna = await app.owner("Anna")
    program = await anna.integrator("orders:read")
    await app.db.write(lambda db: administration.suspend(db, anna.email, times.now(), new_id))
    await app.db.write(lambda db: administration.activate(db, anna.email, times.now(), new_id))
    assert (await anna.get("/me")).status_code == 401
    assert (await program.get(f"/workshops/{anna.workshop}/orders")).status_code == 401
    assert (await anna.sign_in()).status_code == 200
