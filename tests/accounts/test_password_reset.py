"""Password reset by email, and password change with the current password."""

import asyncio

import httpx
import pytest

from backbench.accounts.accounts import is_same_mailbox
from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import PASSWORD, App, Person, pointers
from tests.support.database_dump import dump_of
from tests.support.mailbox import emails_to, last_email_to, text_of, token_for, token_in
from tests.support.operation_samples import signed_in_again

NEW = "a chisel and some glue"


async def request_reset(person: Person, email: str | None = None) -> None:
    """Requests the reset email without a session."""
    response = await person.app.anonymous().post("/password-resets", {"email": email or person.email})
    assert (response.status_code, response.content) == (202, b"")


async def reset_password(person: Person, token: str, password: str = NEW) -> httpx.Response:
    return await person.app.anonymous().post("/password-resets/confirm", {"token": token, "password": password})


async def test_the_new_password_signs_in_and_the_old_one_does_not(app: App) -> None:
    anna = await app.person("Anna")
    await request_reset(anna)
    response = await reset_password(anna, await token_for(app, anna.email))
    assert (response.status_code, response.content) == (204, b"")
    assert (await anna.sign_in(PASSWORD)).status_code == 401
    assert (await anna.sign_in(NEW)).status_code == 200


async def test_a_reset_ends_every_session_and_starts_none(app: App) -> None:
    anna = await app.person("Anna")
    again = await signed_in_again(anna)
    await request_reset(anna)
    response = await reset_password(anna, await token_for(app, anna.email))
    assert "set-cookie" not in response.headers
    for browser in (anna, again):
        assert (await browser.get("/me")).status_code == 401


async def key_of(person: Person, name: str = "Shop window") -> Person:
    """A program with a new API key of the person."""
    response = await person.post("/me/api-keys", {"name": name, "scopes": ["orders:read"]})
    program = Person(person.app, person.email)
    program.workshop, program.bearer = person.workshop, response.json()["secret"]
    return program


@pytest.mark.parametrize(("choice", "status"), [({}, 200), ({"endApiKeys": False}, 200), ({"endApiKeys": True}, 401)])
async def test_a_reset_ends_api_keys_on_request(app: App, choice: dict[str, bool], status: int) -> None:
    anna, karol = await app.owner("Anna"), await app.owner("Karol")
    program, other = await key_of(anna), await key_of(karol)
    await request_reset(anna)
    body = {"token": await token_for(app, anna.email), "password": NEW, **choice}
    assert (await app.anonymous().post("/password-resets/confirm", body)).status_code == 204
    assert (await program.get(f"/workshops/{anna.workshop}/orders")).status_code == status
    assert (await other.get(f"/workshops/{karol.workshop}/orders")).status_code == 200


@pytest.mark.parametrize(
    ("locale", "words"),
    [("en", "Your account has active API keys: "), ("pl", "Twoje konto ma aktywne klucze API: ")],
)
async def test_the_reset_email_names_the_active_api_keys(app: App, locale: str, words: str) -> None:
    anna = await app.person("Anna", locale=locale)
    await request_reset(anna)
    plain = await last_email_to(app, anna.email)
    assert words not in text_of(plain).replace("\n", " ")
    await key_of(anna, "Shop window")
    await key_of(anna, "evil.example")
    await key_of(anna, "Revoked")
    keys = (await anna.get("/me/api-keys")).json()["apiKeys"]
    revoked, bait, harmless = [key["prefix"] for key in keys]
    await anna.delete(f"/me/api-keys/{keys[0]['id']}")
    await request_reset(anna)
    text = text_of(await last_email_to(app, anna.email)).replace("\n", " ")
    assert f"{words}{bait}, {harmless} (Shop window)." in text
    assert revoked not in text
    assert f"/reset/?lang={locale}&keys=2#token=" in text


async def test_a_new_api_key_is_emailed_to_its_account(app: App) -> None:
    anna = await app.person("Anna", locale="pl")
    program = await key_of(anna)
    email = await last_email_to(app, anna.email)
    assert email["Subject"] == "Nowy klucz API"
    assert program.bearer is not None
    assert f"{program.bearer[:12]} (Shop window)" in text_of(email).replace("\n", " ")
    assert program.bearer not in text_of(email)


@pytest.mark.both_engines
async def test_a_reset_link_works_once_in_parallel_requests(app: App) -> None:
    anna = await app.person("Anna")
    await request_reset(anna)
    token = await token_for(app, anna.email)
    responses = await asyncio.gather(*[reset_password(anna, token, f"{NEW} {number}") for number in range(6)])
    assert sorted(response.status_code for response in responses) == [204] + [400] * 5
    [winner] = [number for number, response in enumerate(responses) if response.status_code == 204]
    assert (await anna.sign_in(f"{NEW} {winner}")).status_code == 200


async def test_a_reset_invalidates_every_other_link(app: App) -> None:
    anna = await app.person("Anna")
    await request_reset(anna)
    await request_reset(anna)
    first, second = [token_in(email) for email in await emails_to(app, anna.email)]
    assert (await reset_password(anna, second)).status_code == 204
    assert pointers(await reset_password(anna, first)) == ["/token"]


async def test_a_reset_link_expires(app: App) -> None:
    anna = await app.person("Anna")
    await request_reset(anna)
    token = await token_for(app, anna.email)
    almost = times.later(times.now(), 3600 - 60)
    async with app.db.read() as db:
        expires_at = await db.value("SELECT expires_at FROM tokens WHERE account_id = :uid", uid=anna.uid)
    assert almost < expires_at <= times.later(times.now(), 3600)
    await app.db.write(
        lambda db: db.run("UPDATE tokens SET expires_at = :now WHERE account_id = :uid", now=times.now(), uid=anna.uid)
    )
    assert pointers(await reset_password(anna, token)) == ["/token"]


async def test_a_rejected_password_does_not_use_the_link(app: App) -> None:
    anna = await app.person("Anna")
    await request_reset(anna)
    token = await token_for(app, anna.email)
    assert pointers(await reset_password(anna, token, "short")) == ["/password"]
    assert pointers(await reset_password(anna, token, "password1")) == ["/password"]
    assert (await reset_password(anna, token)).status_code == 204


async def test_an_unknown_address_gets_no_email_and_the_same_response(app: App) -> None:
    nobody = app.anonymous()
    await request_reset(nobody)
    assert await emails_to(app, nobody.email) == []


async def test_the_email_goes_to_the_stored_address_not_the_typed_one(app: App) -> None:
    anna = await app.person("Anna")
    await request_reset(anna, anna.email.upper())
    assert await emails_to(app, anna.email.upper()) == []
    assert len(await emails_to(app, anna.email)) == 1


def test_addresses_that_differ_for_mail_servers_are_different_mailboxes() -> None:
    assert is_same_mailbox("Anna@Example.com", "anna@example.com")
    assert not is_same_mailbox("stra\u00dfe@example.com", "strasse@example.com")
    assert not is_same_mailbox("\u212aarol@example.com", "karol@example.com")


async def test_a_suspended_account_cannot_reset_its_password(app: App) -> None:
    anna = await app.person("Anna")
    await request_reset(anna)
    token = await token_for(app, anna.email)
    await app.db.write(lambda db: administration.suspend(db, anna.email, times.now(), new_id))
    before = await dump_of(app.db)
    assert pointers(await reset_password(anna, token)) == ["/token"]
    assert await dump_of(app.db) == before
    await request_reset(anna)
    assert len(await emails_to(app, anna.email)) == 1


async def test_a_password_change_is_emailed_in_the_accounts_language(app: App) -> None:
    anna = await app.person("Anna", locale="pl")
    await request_reset(anna)
    await reset_password(anna, await token_for(app, anna.email))
    email = await last_email_to(app, anna.email)
    assert email["Subject"] == "Twoje hasło zostało zmienione"
    assert NEW not in text_of(email)


async def test_changing_the_password_ends_all_other_sessions(app: App) -> None:
    anna = await app.person("Anna")
    again = await signed_in_again(anna)
    response = await anna.put("/me/password", {"currentPassword": PASSWORD, "newPassword": NEW})
    assert (response.status_code, response.content) == (204, b"")
    assert (await anna.get("/me")).status_code == 200
    assert (await again.get("/me")).status_code == 401
    assert (await again.sign_in(NEW)).status_code == 200


async def test_changing_the_password_invalidates_reset_links(app: App) -> None:
    anna = await app.person("Anna")
    await request_reset(anna)
    token = await token_for(app, anna.email)
    await anna.put("/me/password", {"currentPassword": PASSWORD, "newPassword": NEW})
    assert pointers(await reset_password(anna, token)) == ["/token"]


async def test_a_wrong_current_password_changes_nothing(app: App) -> None:
    anna = await app.person("Anna")
    again = await signed_in_again(anna)
    before = await dump_of(app.db)
    response = await anna.put("/me/password", {"currentPassword": "not this one", "newPassword": NEW})
    assert (response.status_code, response.json()["code"]) == (400, "wrong_password")
    assert await dump_of(app.db) == before
    assert (await again.get("/me")).status_code == 200


async def test_guesses_at_the_current_password_are_limited(app: App) -> None:
    """A stolen session must not allow guessing the password."""
    anna = await app.person("Anna")
    guess = {"currentPassword": "not this one", "newPassword": NEW}
    statuses = [(await anna.put("/me/password", guess)).status_code for _ in range(11)]
    assert statuses == [400] * 10 + [429]
    right = await anna.put("/me/password", {"currentPassword": PASSWORD, "newPassword": NEW})
    assert right.status_code == 429


@pytest.mark.both_engines
async def test_only_one_of_two_parallel_changes_succeeds(app: App) -> None:
    anna = await app.person("Anna")
    again = await signed_in_again(anna)
    responses = await asyncio.gather(
        anna.put("/me/password", {"currentPassword": PASSWORD, "newPassword": NEW + " 1"}),
        again.put("/me/password", {"currentPassword": PASSWORD, "newPassword": NEW + " 2"}),
    )
    assert sorted(response.status_code for response in responses) in ([204, 400], [204, 401])


async def test_a_common_new_password_is_rejected(app: App) -> None:
    anna = await app.person("Anna")
    response = await anna.put("/me/password", {"currentPassword": PASSWORD, "newPassword": "Football1"})
    assert pointers(response) == ["/newPassword"]
