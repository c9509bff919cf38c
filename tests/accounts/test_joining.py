"""Joining: an invitation makes an account for somebody who has none, without a second email."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import App, Person, pointers
from tests.support.databases import running_app
from tests.support.mailbox import emails_to, last_email_to, token_for

PASSWORD = "a chisel and glue"


async def invited(anna: Person, role: str = "member") -> tuple[str, str]:
    """An address without an account, and the token of its invitation."""
    email = f"zofia.{new_id()}@example.com"
    response = await anna.post(f"/workshops/{anna.workshop}/invitations", {"email": email, "role": role})
    assert response.status_code == 201, response.text
    return email, await token_for(anna.app, email)


def body(token: str, **fields: Any) -> dict[str, Any]:
    return {"token": token, "name": "Zofia", "password": PASSWORD, "acceptTerms": True, **fields}


async def join(person: Person, token: str, **fields: Any) -> Any:
    return await person.post("/invitations/join", body(token, **fields))


async def test_an_invitation_makes_an_account_and_signs_in(app: App) -> None:
    anna = await app.owner("Anna")
    email, token = await invited(anna)
    zofia = app.anonymous()
    joined = await join(zofia, token, locale="pl")
    assert joined.status_code == 200, joined.text
    user = joined.json()["user"]
    assert (user["email"], user["name"], user["locale"]) == (email, "Zofia", "pl")
    workshops = (await zofia.get("/workshops")).json()["workshops"]
    assert [each["id"] for each in workshops] == [anna.workshop], "no workshop of her own"
    assert {"id": user["uid"], "name": "Zofia", "avatarSeed": user["uid"], "role": "member"} in workshops[0]["members"]
    assert len(await emails_to(app, email)) == 1, "the invitation alone"
    assert (await last_email_to(app, anna.email))["Subject"] == "Your invitation was accepted"
    zofia.email = email
    assert (await zofia.sign_in(PASSWORD)).status_code == 200
    entry = (await anna.get(f"/workshops/{anna.workshop}/audit?limit=1")).json()["entries"][0]
    assert (entry["action"], entry["actorUid"], entry["objectId"]) == ("member.joined", user["uid"], user["uid"])
    exported = (await zofia.get("/me/data-export")).json()["user"]
    assert (exported["status"], "termsAcceptedAt" in exported) == ("active", True)


async def test_an_invitation_is_joined_once(app: App) -> None:
    _, token = await invited(await app.owner("Anna"))
    responses = await asyncio.gather(*[join(app.anonymous(), token) for _ in range(4)])
    codes = sorted(response.status_code for response in responses)
    assert codes[0] == 200
    assert set(codes[1:]) <= {400, 409}
    assert pointers(await join(app.anonymous(), token)) == ["/token"]


async def test_a_person_with_an_account_signs_in_and_accepts(app: App) -> None:
    anna, marek = await app.owner("Anna"), await app.person("Marek")
    await anna.post(f"/workshops/{anna.workshop}/invitations", {"email": marek.email, "role": "member"})
    token = await token_for(app, marek.email)
    refused = await join(app.anonymous(), token)
    assert (refused.status_code, refused.json()["code"]) == (409, "has_account")
    assert "set-cookie" not in refused.headers
    assert (await marek.post("/invitations/accept", {"token": token})).status_code == 200


async def test_an_account_that_was_never_confirmed_becomes_active(app: App) -> None:
    anna = await app.owner("Anna")
    email, token = await invited(anna)
    sign_up = {"name": "Somebody", "email": email, "password": "another password", "acceptTerms": True}
    assert (await app.anonymous().post("/accounts", sign_up)).status_code == 202
    pending = await token_for(app, email)
    zofia = app.anonymous()
    joined = await join(zofia, token)
    assert (joined.status_code, joined.json()["user"]["name"]) == (200, "Zofia")
    assert len((await zofia.get("/workshops")).json()["workshops"]) == 1
    # The link of the sign-up is no way to another password.
    verified = await app.anonymous().post("/accounts/verify", {"token": pending, "password": "one more password"})
    assert pointers(verified) == ["/token"]


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [({"acceptTerms": False}, "/acceptTerms"), ({"password": "short"}, "/password"), ({"name": ""}, "/name")],
)
async def test_a_form_with_an_error_joins_nothing(app: App, fields: dict[str, Any], pointer: str) -> None:
    anna = await app.owner("Anna")
    _, token = await invited(anna)
    assert pointers(await join(app.anonymous(), token, **fields)) == [pointer]
    assert (await join(app.anonymous(), token)).status_code == 200


async def test_the_address_is_no_password(app: App) -> None:
    email, token = await invited(await app.owner("Anna"))
    assert pointers(await join(app.anonymous(), token, password=email.upper())) == ["/password"]


async def test_an_invitation_ends_with_the_right_of_its_maker(app: App) -> None:
    anna = await app.owner("Anna")
    _, token = await invited(anna)
    await app.db.write(lambda db: administration.suspend(db, anna.email, times.now(), new_id))
    assert pointers(await join(app.anonymous(), token)) == ["/token"]


async def test_where_sign_up_is_closed_nobody_joins(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), sign_up="closed") as app:
        _, token = await invited(await app.owner("Anna"))
        refused = await join(app.anonymous(), token)
        assert (refused.status_code, refused.content) == (403, b"")
