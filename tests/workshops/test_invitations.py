"""Invitations: an owner invites an email address; only its account can accept with the emailed token."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest

from backbench.accounts import accounts
from backbench.accounts.accounts import Account
from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id
from backbench.workshops.team import MAX_ADDRESSES
from tests.people import PASSWORD, App, Person, ids, pointers
from tests.support.database_dump import dump_of
from tests.support.mailbox import emails_to, last_email_to, send_due_emails, text_of, token_for, token_in
from tests.support.operation_samples import signed_in_again
from tests.support.secret_log_check import remember_secrets


async def invite(owner: Person, email: str, role: str = "member") -> dict[str, str]:
    response = await owner.post(f"/workshops/{owner.workshop}/invitations", {"email": email, "role": role})
    assert response.status_code == 201, response.text
    invitation: dict[str, str] = response.json()
    return invitation


async def accept(person: Person, token: str) -> httpx.Response:
    return await person.post("/invitations/accept", {"token": token})


async def is_member(person: Person, workshop_id: str) -> bool:
    return (await person.get(f"/workshops/{workshop_id}")).status_code == 200


async def test_accepting_an_emailed_invitation_adds_a_member(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    invitation = await invite(anna, marek.email)
    assert (invitation["email"], invitation["role"], invitation["invitedByUid"]) == (marek.email, "member", anna.uid)
    assert invitation["expiresAt"] == times.later(invitation["createdAt"], 7 * 86_400)
    response = await accept(marek, await token_for(app, marek.email))
    assert (response.status_code, response.json()["id"]) == (200, anna.workshop)
    assert {"id": marek.uid, "name": "Marek", "avatarSeed": marek.uid, "role": "member"} in response.json()["members"]
    assert response.json() == (await marek.get(f"/workshops/{anna.workshop}")).json()


def token_of(url: str) -> str:
    token = url.partition("#token=")[2]
    remember_secrets(token)
    return token


async def join(app: App, token: str) -> httpx.Response:
    body = {"token": token, "name": "Zofia", "password": PASSWORD, "acceptTerms": True}
    return await app.anonymous().post("/invitations/join", body)


async def test_an_owner_can_pass_an_invitation_on_by_hand(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    await anna.patch("/me", {"locale": "pl"})
    invitation = await invite(anna, marek.email)
    assert invitation["url"].startswith(f"{app.backbench.settings.public_url}/join/?lang=en#token=")
    assert invitation["qrCode"].startswith("<svg")
    further = await anna.post(f"/invitations/{invitation['id']}/addresses")
    assert (further.status_code, sorted(further.json())) == (201, ["qrCode", "url"])
    assert "url" not in (await anna.get(f"/workshops/{anna.workshop}/invitations")).json()["invitations"][0]
    assert (await accept(marek, token_of(further.json()["url"]))).status_code == 200
    assert pointers(await accept(marek, token_of(invitation["url"]))) == ["/token"], "it is used"


async def test_an_invitation_passed_on_says_what_it_is_for(app: App) -> None:
    anna = await app.owner("Anna")
    invitation = await invite(anna, f"zofia.{new_id()}@example.com", "owner")
    shown = await app.anonymous().post("/invitations/preview", {"token": token_of(invitation["url"])})
    assert shown.json() == {
        "workshopName": "Anna",
        "inviterName": "Anna",
        "email": invitation["email"],
        "role": "owner",
        "expiresAt": invitation["expiresAt"],
    }
    await anna.delete(f"/invitations/{invitation['id']}")
    gone = await app.anonymous().post("/invitations/preview", {"token": token_of(invitation["url"])})
    assert pointers(gone) == ["/token"]


async def test_addresses_of_an_invitation_are_limited(app: App) -> None:
    anna = await app.owner("Anna")
    invitation = await invite(anna, f"zofia.{new_id()}@example.com")
    await send_due_emails(app.backbench)
    for _ in range(MAX_ADDRESSES - 1):
        assert (await anna.post(f"/invitations/{invitation['id']}/addresses")).status_code == 201
    refused = await anna.post(f"/invitations/{invitation['id']}/addresses")
    assert (refused.status_code, refused.json()["code"], refused.json()["limit"]) == (409, "plan_limit", MAX_ADDRESSES)


async def test_only_an_emailed_invitation_verifies_the_address(app: App) -> None:
    """An owner could else take the address of somebody, whom Google would later sign in to that account."""
    anna = await app.owner("Anna")
    for number, is_mailed in enumerate((True, False)):
        email = f"zofia.{number}.{new_id()}@example.com"
        invitation = await invite(anna, email)
        token = await token_for(app, email) if is_mailed else token_of(invitation["url"])
        assert (await join(app, token)).status_code == 200
        account = await account_of(app, email)
        assert (account.email_verified_at is not None) == is_mailed


@pytest.mark.both_engines
async def test_who_proves_an_address_ends_the_keys_made_without_that_proof(app: App) -> None:
    anna = await app.owner("Anna")
    email = f"zofia.{new_id()}@example.com"
    invitation = await invite(anna, email)
    stranger = Person(app, email)
    body = {"token": token_of(invitation["url"]), "name": "Zofia", "password": PASSWORD, "acceptTerms": True}
    assert (await stranger.post("/invitations/join", body)).status_code == 200
    program = await stranger.integrator("orders:read")
    assert (await program.get("/key")).status_code == 200
    await app.anonymous().post("/password-resets", {"email": email})
    reset = {"token": await token_for(app, email), "password": "another long password"}
    assert (await app.anonymous().post("/password-resets/confirm", reset)).status_code == 204
    assert (await program.get("/key")).status_code == 401
    assert (await account_of(app, email)).email_verified_at is not None


async def account_of(app: App, email: str) -> Account:
    async with app.db.read() as db:
        return await accounts.find_by_email(db, email)


async def test_an_accepted_invitation_cannot_be_used_again(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    invitation = await invite(anna, marek.email, "owner")
    token = await token_for(app, marek.email)
    await accept(marek, token)
    assert (await anna.get(f"/workshops/{anna.workshop}/invitations")).json() == {"invitations": []}
    assert pointers(await accept(marek, token)) == ["/token"]
    assert (await anna.delete(f"/invitations/{invitation['id']}")).status_code == 404


@pytest.mark.both_engines
async def test_concurrent_acceptances_of_an_invitation_succeed_once(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    await invite(anna, marek.email)
    token = await token_for(app, marek.email)
    browsers = [await signed_in_again(marek) for _ in range(6)]
    responses = await asyncio.gather(*[accept(browser, token) for browser in browsers])
    assert sorted(response.status_code for response in responses)[:2] == [200, 400]
    assert sum(response.status_code == 200 for response in responses) == 1


async def test_an_invitation_cannot_be_accepted_by_another_account(app: App) -> None:
    anna, marek, eve = await app.owner("Anna"), await app.person("Marek"), await app.person("Eve")
    await invite(anna, marek.email)
    token = await token_for(app, marek.email)
    before = await dump_of(app.db)
    assert (await accept(eve, token)).status_code == 403
    assert await dump_of(app.db) == before
    assert (await accept(marek, token)).status_code == 200


async def test_somebody_who_joined_by_hand_can_join_another_workshop(app: App) -> None:
    anna, ben = await app.owner("Anna"), await app.owner("Ben")
    zofia = Person(app, f"zofia.{new_id()}@example.com")
    first = await invite(anna, zofia.email)
    body = {"token": token_of(first["url"]), "name": "Zofia", "password": PASSWORD, "acceptTerms": True}
    assert (await zofia.post("/invitations/join", body)).status_code == 200
    second = await invite(ben, zofia.email)
    assert (await accept(zofia, token_of(second["url"]))).status_code == 200
    assert await is_member(zofia, ben.workshop)


async def end_by_removal(owner: Person, inviter: Person) -> None:
    assert (await owner.delete(f"/workshops/{owner.workshop}/members/{inviter.uid}")).status_code == 204


async def end_by_demotion(owner: Person, inviter: Person) -> None:
    path = f"/workshops/{owner.workshop}/members/{inviter.uid}"
    assert (await owner.patch(path, {"role": "member"})).status_code == 200


async def end_by_the_hosts_demotion(owner: Person, inviter: Person) -> None:
    await owner.app.db.write(
        lambda db: administration.add_member(db, owner.workshop, inviter.email, "member", times.now(), new_id)
    )


async def end_by_suspension(owner: Person, inviter: Person) -> None:
    await owner.app.db.write(lambda db: administration.suspend(db, inviter.email, times.now(), new_id))


async def end_by_deletion(_: Person, inviter: Person) -> None:
    assert (await inviter.delete("/me", {"password": PASSWORD})).status_code == 204


async def end_by_the_hosts_deletion(owner: Person, inviter: Person) -> None:
    await owner.app.db.write(lambda db: administration.delete(db, inviter.email, times.now(), new_id))


async def end_in_the_database(owner: Person, inviter: Person) -> None:
    """As an older version did: the invitation remains."""
    sql = "DELETE FROM members WHERE workshop_id = :workshop AND account_id = :uid"
    await owner.app.db.write(lambda db: db.run(sql, workshop=owner.workshop, uid=inviter.uid))


@pytest.mark.parametrize(
    "end",
    [
        end_by_removal,
        end_by_demotion,
        end_by_the_hosts_demotion,
        end_by_suspension,
        end_by_deletion,
        end_by_the_hosts_deletion,
        end_in_the_database,
    ],
)
async def test_an_invitation_ends_with_the_inviters_ownership(
    app: App, end: Callable[[Person, Person], Awaitable[None]]
) -> None:
    anna, eve, alias = await app.owner("Anna"), await app.person("Eve"), await app.person("Alias")
    await app.db.write(lambda db: administration.add_member(db, anna.workshop, eve.email, "owner", times.now(), new_id))
    eve.workshop = anna.workshop
    invitation = await invite(eve, alias.email, "owner")
    await invite(eve, newcomer := f"{new_id()}@example.com")
    token = await token_for(app, alias.email)
    await end(anna, eve)
    assert pointers(await accept(alias, token)) == ["/token"]
    assert not await is_member(alias, anna.workshop)
    assert (await anna.get(f"/workshops/{anna.workshop}/invitations")).json() == {"invitations": []}
    assert (await anna.delete(f"/invitations/{invitation['id']}")).status_code == 404
    sign_up = {"name": "New", "email": newcomer, "password": PASSWORD, "acceptTerms": True}
    assert (await app.anonymous().post("/accounts", sign_up)).status_code == 403, "sign-up is open to invited addresses"


async def test_regained_ownership_restores_no_invitation(app: App) -> None:
    anna, eve, alias = await app.owner("Anna"), await app.person("Eve"), await app.person("Alias")
    add, workshop = administration.add_member, anna.workshop
    await app.db.write(lambda db: add(db, workshop, eve.email, "owner", times.now(), new_id))
    eve.workshop = workshop
    await invite(eve, alias.email)
    token = await token_for(app, alias.email)
    await app.db.write(lambda db: add(db, workshop, eve.email, "member", times.now(), new_id))
    await app.db.write(lambda db: add(db, workshop, eve.email, "owner", times.now(), new_id))
    assert pointers(await accept(alias, token)) == ["/token"]


async def test_a_removal_leaves_the_invitations_of_others(app: App) -> None:
    anna, zofia = await app.owner("Anna"), await app.person("Zofia")
    marek = await app.member(anna)
    await invite(anna, zofia.email)
    token = await token_for(app, zofia.email)
    await end_by_removal(anna, marek)
    assert (await accept(zofia, token)).status_code == 200


async def test_opening_the_link_does_not_accept_an_invitation(app: App) -> None:
    """Frappe CVE-2026-63654: approval by GET."""
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    await invite(anna, marek.email)
    token = await token_for(app, marek.email)
    before = await dump_of(app.db)
    assert (await marek.get(f"/invitations/accept?token={token}")).status_code == 405
    assert (await marek.browser.get(f"/join/?token={token}")).status_code == 200
    assert await dump_of(app.db) == before


async def test_accepting_an_invitation_requires_signing_in(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    await invite(anna, marek.email)
    assert (await accept(app.anonymous(), await token_for(app, marek.email))).status_code == 401


async def test_an_invitation_expires(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    invitation = await invite(anna, marek.email)
    token = await token_for(app, marek.email)
    await app.db.write(
        lambda db: db.run(
            "UPDATE invitations SET expires_at = :now WHERE id = :id", now=times.now(), id=invitation["id"]
        )
    )
    assert pointers(await accept(marek, token)) == ["/token"]
    assert (await anna.get(f"/workshops/{anna.workshop}/invitations")).json() == {"invitations": []}
    assert not await is_member(marek, anna.workshop)
    await app.backbench.sweep_job.sweep()
    assert pointers(await accept(marek, token)) == ["/token"]


async def test_a_deleted_invitation_cannot_be_accepted(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    invitation = await invite(anna, marek.email)
    token = await token_for(app, marek.email)
    response = await anna.delete(f"/invitations/{invitation['id']}")
    assert (response.status_code, response.content) == (204, b"")
    assert pointers(await accept(marek, token)) == ["/token"]


async def test_an_invitation_deleted_before_sending_is_not_emailed(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    invitation = await invite(anna, marek.email)
    await anna.delete(f"/invitations/{invitation['id']}")
    assert await emails_to(app, marek.email) == []


async def test_a_second_invitation_replaces_the_first(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    await invite(anna, marek.email, "owner")
    old = await token_for(app, marek.email)
    second = await invite(anna, marek.email.upper(), "member")
    listed = (await anna.get(f"/workshops/{anna.workshop}/invitations")).json()["invitations"]
    assert listed == [{name: second[name] for name in listed[0]}]
    assert "url" not in listed[0]
    assert pointers(await accept(marek, old)) == ["/token"]
    new = token_in(await last_email_to(app, marek.email.upper()))
    assert (await accept(marek, new)).status_code == 200


async def test_invitations_are_listed_newest_first_for_owners_only(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    created = [await invite(anna, f"{new_id()}@example.com") for _ in range(3)]
    path = f"/workshops/{anna.workshop}/invitations"
    assert ids((await anna.get(path)).json()["invitations"]) == ids(created[::-1])
    assert (await marek.get(path)).status_code == 403
    assert (await marek.post(path, {"email": "eve@example.com", "role": "owner"})).status_code == 403
    assert (await marek.delete(f"/invitations/{created[0]['id']}")).status_code == 403


async def test_an_invitation_of_another_workshop_cannot_be_deleted(app: App) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    invitation = await invite(anna, "zofia@example.com")
    assert (await eve.delete(f"/invitations/{invitation['id']}")).status_code == 403
    assert len((await anna.get(f"/workshops/{anna.workshop}/invitations")).json()["invitations"]) == 1


async def test_a_member_cannot_be_invited_again(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    response = await anna.post(
        f"/workshops/{anna.workshop}/invitations", {"email": marek.email.upper(), "role": "owner"}
    )
    assert (response.status_code, response.json()["code"]) == (409, "already_member")


async def test_accepting_an_invitation_never_lowers_a_role(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    await invite(anna, marek.email, "member")
    token = await token_for(app, marek.email)
    await app.db.write(
        lambda db: administration.add_member(db, anna.workshop, marek.email, "owner", times.now(), new_id)
    )
    members = (await accept(marek, token)).json()["members"]
    assert {member["id"]: member["role"] for member in members}[marek.uid] == "owner"


async def test_a_workshop_has_at_most_100_open_invitations(app: App) -> None:
    anna = await app.owner("Anna")

    async def fill(db: object) -> None:
        for number in range(100):
            await db.run(  # type: ignore[attr-defined]  # a Write
                """
                INSERT INTO invitations (id, workshop_id, email, email_key, role, created_at, expires_at, invited_by)
                VALUES (:id, :workshop_id, :email, :email, 'member', :now, :later, :uid)
                """,
                id=new_id(),
                workshop_id=anna.workshop,
                email=f"{number}@example.com",
                now=times.now(),
                later=times.later(times.now(), 600),
                uid=anna.uid,
            )

    await app.db.write(fill)
    path = f"/workshops/{anna.workshop}/invitations"
    response = await anna.post(path, {"email": "more@example.com", "role": "member"})
    assert (response.status_code, response.json()["code"]) == (409, "too_many_invitations")
    assert (await anna.post(path, {"email": "7@example.com", "role": "member"})).status_code == 201


async def test_invitations_to_an_address_are_rate_limited(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/invitations"
    email = f"{new_id()}@example.com"
    statuses = [(await anna.post(path, {"email": email, "role": "member"})).status_code for _ in range(11)]
    assert statuses == [201] * 10 + [429]


async def test_the_email_states_the_inviter_in_the_language_of_the_recipient(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek", locale="pl")
    await anna.patch(f"/workshops/{anna.workshop}", {"name": "Dąb & Jesion <b>" + "x" * 200})
    await invite(anna, marek.email)
    message = await last_email_to(app, marek.email)
    assert message["Subject"] == "Zaproszenie do warsztatu"
    assert "Anna zaprasza Cię do warsztatu „Dąb & Jesion <b>" in text_of(message).replace("\n", " ")
    assert "Dąb &amp; Jesion &lt;b&gt;" in text_of(message, "html")
    assert "x" * 100 not in text_of(message)


async def test_an_invitation_email_shows_no_name_with_a_link(app: App) -> None:
    eve, marek = await app.owner("Eve"), await app.person("Marek")
    assert (await eve.patch("/me", {"name": "Security desk evil.example"})).status_code == 200
    bait = "URGENT https://evil.example/login to keep your account"
    assert (await eve.patch(f"/workshops/{eve.workshop}", {"name": bait})).status_code == 200
    await invite(eve, marek.email)
    message = await last_email_to(app, marek.email)
    for content in (message["Subject"], text_of(message), text_of(message, "html")):
        assert "evil" not in content
    assert "Somebody has invited you to join a workshop on Backbench." in text_of(message)


async def test_the_inviter_is_notified_when_the_invitation_is_accepted(app: App) -> None:
    anna, marek = await app.person("Anna", locale="pl"), await app.person("Marek")
    anna.workshop = (await anna.post("/workshops", {"name": "Dąb i Jesion"})).json()["id"]
    await invite(anna, marek.email)
    body = {"token": await token_for(app, marek.email)}
    assert (await marek.post("/invitations/accept", body)).status_code == 200
    assert (await marek.post("/invitations/accept", body)).status_code == 400
    [message] = await emails_to(app, anna.email)
    assert message["Subject"] == "Twoje zaproszenie zostało przyjęte"
    assert "Marek należy już do warsztatu „Dąb i Jesion” w Backbench." in text_of(message).replace("\n", " ")


async def test_all_invalid_fields_of_an_invitation_are_reported(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/workshops/{anna.workshop}/invitations"
    assert pointers(await anna.post(path, {"email": "anna@", "role": "boss", "note": ""})) == [
        "/email",
        "/role",
        "/note",
    ]
    assert pointers(await anna.post(path, {})) == ["/email", "/role"]
