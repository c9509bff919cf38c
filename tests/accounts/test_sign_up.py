"""Sign-up: an account is activated by the link in the email, and no response reveals who has one."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from backbench.accounts import accounts
from backbench.accounts.accounts import SignUp
from backbench.accounts.sign_up import save_sign_up
from backbench.hosting import administration
from backbench.integrations.passwords import Passwords
from backbench.values import times
from backbench.values.ids import new_id
from backbench.values.limits import Limit
from tests.people import PASSWORD, App, Person, pointers
from tests.support.database_dump import dump_of
from tests.support.databases import running_app
from tests.support.mailbox import emails_to, last_email_to, text_of, token_for, token_in
from tests.support.statements import recorded
from tests.support.violations import all_of


@pytest.fixture(scope="module")
async def open_app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """An app in which anyone may sign up, with the password hashing of production."""
    generous = {"mail_limit": Limit(10_000, 3600), "mail_ceiling": Limit(10_000, 3600)}
    async with running_app(new_database_url(), Passwords(), sign_up="open", **generous) as opened:
        yield opened


def sign_up_body(person: Person, **fields: Any) -> dict[str, Any]:
    return {"name": "Zofia", "email": person.email, "password": PASSWORD, "acceptTerms": True, **fields}


async def sign_up(app: App, **fields: Any) -> Person:
    """A person who has signed up and not confirmed it yet."""
    zofia = app.anonymous()
    response = await zofia.post("/accounts", sign_up_body(zofia, **fields))
    assert (response.status_code, response.content) == (202, b"")
    return zofia


async def confirm(person: Person, token: str | None = None, password: str = PASSWORD) -> httpx.Response:
    body = {"token": token or await token_for(person.app, person.email), "password": password}
    return await person.post("/accounts/verify", body)


async def test_confirming_the_email_signs_in_with_a_default_workshop(open_app: App) -> None:
    zofia = await sign_up(open_app, locale="pl")
    response = await confirm(zofia)
    user = response.json()["user"]
    assert (user["email"], user["name"], user["locale"]) == (zofia.email, "Zofia", "pl")
    [workshop] = (await zofia.get("/workshops")).json()["workshops"]
    assert (workshop["isDefault"], workshop["crafterName"]) == (True, "Zofia")
    assert [(member["id"], member["role"]) for member in workshop["members"]] == [(user["uid"], "owner")]


async def test_signing_in_needs_a_confirmed_email(open_app: App) -> None:
    zofia = await sign_up(open_app)
    assert (await zofia.sign_in()).status_code == 401
    await confirm(zofia)
    assert (await zofia.sign_in()).status_code == 200


async def test_the_export_has_the_accepted_terms_and_their_time(open_app: App) -> None:
    zofia = await sign_up(open_app)
    await confirm(zofia)
    user = (await zofia.get("/me/data-export")).json()["user"]
    assert (user["status"], user["termsVersion"]) == ("active", "1")
    assert user["termsAcceptedAt"] <= user["emailVerifiedAt"] <= user["lastLoginAt"]


async def test_a_confirmation_link_works_once(open_app: App) -> None:
    zofia = await sign_up(open_app)
    token = await token_for(open_app, zofia.email)
    await confirm(zofia, token)
    assert pointers(await confirm(zofia, token)) == ["/token"]


@pytest.mark.both_engines
async def test_a_confirmation_link_works_once_in_parallel_requests(open_app: App) -> None:
    zofia = await sign_up(open_app)
    token = await token_for(open_app, zofia.email)
    responses = await asyncio.gather(*[confirm(open_app.anonymous(), token) for _ in range(8)])
    assert sorted(response.status_code for response in responses) == [200] + [400] * 7
    await zofia.sign_in()
    assert len((await zofia.get("/workshops")).json()["workshops"]) == 1


async def test_a_confirmation_link_expires(open_app: App) -> None:
    zofia = await sign_up(open_app)
    token = await token_for(open_app, zofia.email)
    await open_app.db.write(lambda db: db.run("UPDATE tokens SET expires_at = :now", now=times.now()))
    assert pointers(await confirm(zofia, token)) == ["/token"]


async def test_an_unknown_token_is_rejected_and_changes_nothing(open_app: App) -> None:
    await sign_up(open_app)
    before = await dump_of(open_app.db)
    assert pointers(await confirm(open_app.anonymous(), "A" * 43)) == ["/token"]
    assert await dump_of(open_app.db) == before


async def test_a_token_for_another_purpose_is_rejected(open_app: App) -> None:
    zofia = await sign_up(open_app)
    token = await token_for(open_app, zofia.email)
    response = await zofia.post("/password-resets/confirm", {"token": token, "password": "a chisel and glue"})
    assert pointers(response) == ["/token"]


async def test_a_forgotten_password_of_a_pending_account_sends_the_verification_again(open_app: App) -> None:
    """It has no password yet: the link of the sign-up chooses the first one."""
    zofia = await sign_up(open_app)
    first = await token_for(open_app, zofia.email)
    asked = await open_app.anonymous().post("/password-resets", {"email": zofia.email})
    assert (asked.status_code, asked.content) == (202, b"")
    sent = await emails_to(open_app, zofia.email)
    assert len(sent) == 2
    assert sent[1]["Subject"] == sent[0]["Subject"]
    assert (token := token_in(sent[1])) != first
    assert (await zofia.post("/password-resets/confirm", {"token": token, "password": PASSWORD})).status_code == 400
    assert (await confirm(zofia, token)).status_code == 200
    # From now on it is a reset.
    await open_app.anonymous().post("/password-resets", {"email": zofia.email})
    assert "/reset/" in text_of(await last_email_to(open_app, zofia.email))


async def test_a_get_of_a_confirmation_link_confirms_nothing(open_app: App) -> None:
    """Email scanners open links: only the POST that the button of the page sends confirms."""
    zofia = await sign_up(open_app)
    token = await token_for(open_app, zofia.email)
    before = await dump_of(open_app.db)
    assert (await zofia.browser.get(f"/verify/?token={token}")).status_code == 200
    assert (await zofia.get(f"/accounts/verify?token={token}")).status_code == 405
    assert (await zofia.send("HEAD", "/accounts/verify")).status_code == 405
    assert await dump_of(open_app.db) == before


async def test_no_secret_of_an_email_is_in_the_database(open_app: App) -> None:
    zofia = await sign_up(open_app)
    token = await token_for(open_app, zofia.email)
    stored = repr(await dump_of(open_app.db))
    assert token not in stored
    assert PASSWORD not in stored


async def test_sign_up_with_a_taken_address_emails_its_owner(open_app: App) -> None:
    anna = await open_app.person("Anna", locale="pl")
    response = await open_app.anonymous().post("/accounts", sign_up_body(anna))
    assert (response.status_code, response.content) == (202, b"")
    assert (await last_email_to(open_app, anna.email))["Subject"] == "Masz już u nas konto"


async def test_sign_up_with_a_taken_address_changes_no_account(open_app: App) -> None:
    anna = await open_app.person("Anna")
    intruder = open_app.anonymous()
    await intruder.post("/accounts", sign_up_body(anna, name="Eve", email=anna.email.upper(), password="let me in now"))
    assert (await anna.get("/me")).json()["name"] == "Anna"
    assert (await anna.sign_in("let me in now")).status_code == 401
    assert (await anna.sign_in()).status_code == 200


@pytest.mark.parametrize("pressed", ["first", "own", "last", "resent"])
async def test_no_sign_up_sets_the_password_of_an_account(open_app: App, pressed: str) -> None:
    """Pre-hijacking: Eve signs up with Zofia's address before and after Zofia; the emails look the same."""
    zofia, eve = open_app.anonymous(), open_app.anonymous()
    await eve.post("/accounts", sign_up_body(zofia, name="Eve", password="eve was here 1"))
    await zofia.post("/accounts", sign_up_body(zofia))
    await eve.post("/accounts", sign_up_body(zofia, name="Eve", password="eve was here 2"))
    await zofia.post("/accounts/verify/resend", {"email": zofia.email})
    emails = dict(zip(("first", "own", "last", "resent"), await emails_to(open_app, zofia.email), strict=True))
    assert (await confirm(zofia, token_in(emails.pop(pressed)), "chosen with the link")).status_code == 200
    assert (await zofia.sign_in("chosen with the link")).status_code == 200
    for password in ("eve was here 1", "eve was here 2", PASSWORD):
        assert (await zofia.sign_in(password)).status_code == 401
    for email in emails.values():
        assert pointers(await confirm(eve, token_in(email))) == ["/token"]


async def test_activation_by_the_host_brings_no_password(open_app: App) -> None:
    zofia, eve = open_app.anonymous(), open_app.anonymous()
    await eve.post("/accounts", sign_up_body(zofia, password="eve was here 1"))
    verification = await token_for(open_app, zofia.email)
    needs_password = await open_app.db.write(lambda db: administration.activate(db, zofia.email, times.now(), new_id))
    assert needs_password
    assert (await zofia.sign_in("eve was here 1")).status_code == 401
    assert pointers(await confirm(eve, verification)) == ["/token"]
    email = await last_email_to(open_app, zofia.email)
    assert email["Subject"] == "Your account is ready"
    chosen = {"token": token_in(email), "password": "chosen with the link"}
    assert (await zofia.post("/password-resets/confirm", chosen)).status_code == 204
    assert (await zofia.sign_in("chosen with the link")).status_code == 200
    assert [each["isDefault"] for each in (await zofia.get("/workshops")).json()["workshops"]] == [True]


async def test_a_rejected_password_leaves_the_confirmation_link_valid(open_app: App) -> None:
    zofia = await sign_up(open_app)
    token = await token_for(open_app, zofia.email)
    for password in ("short", "password1", zofia.email.upper()):
        assert pointers(await confirm(zofia, token, password)) == ["/password"]
    assert pointers(await zofia.post("/accounts/verify", {"token": token})) == ["/password"]
    assert (await confirm(zofia, token)).status_code == 200


@pytest.mark.both_engines
async def test_parallel_sign_ups_with_one_address_send_an_email_each(open_app: App) -> None:
    """As several nodes would do it: a single one hashes passwords one after the other."""
    zofia = open_app.anonymous()
    now = times.now()
    wanted = SignUp(zofia.email, "Zofia", "en", "1", now)
    await asyncio.gather(*[open_app.db.write(lambda db: save_sign_up(db, wanted, now, new_id)) for _ in range(8)])
    assert len(await emails_to(open_app, zofia.email)) == 8


async def test_a_suspended_sign_up_cannot_be_confirmed(open_app: App) -> None:
    zofia = await sign_up(open_app)
    token = await token_for(open_app, zofia.email)
    await open_app.db.write(lambda db: administration.suspend(db, zofia.email, times.now(), new_id))
    assert pointers(await confirm(zofia, token)) == ["/token"]
    async with open_app.db.read() as db:
        assert (await accounts.find_by_email(db, zofia.email)).status == "suspended"


async def test_the_confirmation_email_can_be_sent_again(open_app: App) -> None:
    zofia = await sign_up(open_app)
    response = await zofia.post("/accounts/verify/resend", {"email": zofia.email.upper()})
    assert (response.status_code, response.content) == (202, b"")
    _, again = await emails_to(open_app, zofia.email)
    assert (await confirm(zofia, token_in(again))).status_code == 200
    assert (await zofia.sign_in()).status_code == 200


async def test_resending_emails_only_unconfirmed_accounts(open_app: App) -> None:
    anna, nobody = await open_app.person("Anna"), open_app.anonymous()
    for person in (anna, nobody):
        response = await nobody.post("/accounts/verify/resend", {"email": person.email})
        assert (response.status_code, response.content) == (202, b"")
        assert await emails_to(open_app, person.email) == []


async def test_every_invalid_sign_up_field_is_named(open_app: App) -> None:
    zofia = open_app.anonymous()
    invalid = {"name": "<b>", "email": "zofia@", "password": "short", "acceptTerms": False, "locale": "de", "x": 1}
    found = pointers(await zofia.post("/accounts", invalid))
    assert set(found) == {"/name", "/email", "/acceptTerms", "/locale", "/x"}
    # The password is chosen with the link in the email.
    missing = pointers(await zofia.post("/accounts", {}))
    assert missing == ["/name", "/email", "/acceptTerms"]


@all_of(
    ("password", "is_accepted"),
    [
        ("a" * 7, False),
        ("ab3$" * 2, True),
        ("ab3$" * 64, True),
        ("ab3$" * 64 + "x", False),
        ("Password1", False),
        ("QWERTY123", False),
        ("Warsztat2024!", False),
        ("🪚🔨🪵🧰🪛📐📏🔩", True),
        (" leading and trailing ", True),
    ],
)
async def test_a_password_must_be_long_enough_and_uncommon(open_app: App, password: str, is_accepted: bool) -> None:
    zofia = await sign_up(open_app)
    response = await confirm(zofia, await token_for(open_app, zofia.email), password)
    assert response.status_code == (200 if is_accepted else 400)


async def test_a_password_must_not_be_the_email_address(open_app: App) -> None:
    zofia = await sign_up(open_app)
    token = await token_for(open_app, zofia.email)
    assert pointers(await confirm(zofia, token, zofia.email.upper())) == ["/password"]


@pytest.mark.parametrize("ignored", ["", "short", "x" * 1_000])
async def test_the_password_of_a_sign_up_is_ignored(open_app: App, ignored: str) -> None:
    """It is chosen with the link in the email, and judged there."""
    zofia = open_app.anonymous()
    assert (await zofia.post("/accounts", sign_up_body(zofia, password=ignored))).status_code == 202


async def test_closed_sign_up_rejects_known_and_unknown_addresses_alike(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), sign_up="closed") as closed:
        anna, zofia = await closed.person("Anna"), closed.anonymous()
        for person in (anna, zofia):
            response = await closed.anonymous().post("/accounts", sign_up_body(person))
            assert (response.status_code, response.content) == (403, b"")
            assert await emails_to(closed, person.email) == []


async def test_invited_sign_up_accepts_only_invited_addresses(app: App) -> None:
    anna, zofia, stranger = await app.owner("Anna"), app.anonymous(), app.anonymous()
    assert (await zofia.post("/accounts", sign_up_body(zofia))).status_code == 403
    invited = {"email": zofia.email, "role": "member"}
    assert (await anna.post(f"/workshops/{anna.workshop}/invitations", invited)).status_code == 201
    assert (await zofia.post("/accounts", sign_up_body(zofia))).status_code == 202
    assert (await stranger.post("/accounts", sign_up_body(stranger))).status_code == 403
    # An address with an account gets the same response.
    assert (await stranger.post("/accounts", sign_up_body(anna))).status_code == 403
    assert (await confirm(zofia)).status_code == 200


@pytest.mark.both_engines
async def test_a_rejected_sign_up_stores_nothing(app: App) -> None:
    """Directus CVE-2025-55746: a rejected request was stored."""
    zofia = app.anonymous()
    before = await dump_of(app.db)
    assert (await zofia.post("/accounts", sign_up_body(zofia))).status_code == 403
    assert (await zofia.post("/accounts", sign_up_body(zofia, name=""))).status_code == 400
    assert await dump_of(app.db) == before


async def test_emails_to_one_address_are_limited(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), sign_up="open", mail_limit=Limit(3, 3600)) as limited:
        zofia = limited.anonymous()
        await zofia.post("/accounts", sign_up_body(zofia))
        await zofia.post("/accounts/verify/resend", {"email": zofia.email.upper()})
        await zofia.post("/password-resets", {"email": zofia.email})
        response = await zofia.post("/password-resets", {"email": zofia.email})
        assert (response.status_code, response.json()["code"]) == (429, "rate_limited")
        assert 3000 < int(response.headers["retry-after"]) <= 3600
        assert (await zofia.post("/password-resets", {"email": "other@example.com"})).status_code == 202


async def test_emails_requested_from_one_ip_address_are_limited(new_database_url: Callable[[], str]) -> None:
    async with running_app(new_database_url(), sign_up="open", mail_ceiling=Limit(2, 3600)) as limited:
        here, there = limited.anonymous("10.1.1.1"), limited.anonymous("10.1.1.2")
        for _ in range(2):
            assert (await here.post("/password-resets", {"email": limited.anonymous().email})).status_code == 202
        assert (await here.post("/password-resets", {"email": limited.anonymous().email})).status_code == 429
        assert (await there.post("/password-resets", {"email": limited.anonymous().email})).status_code == 202


async def test_rate_limit_rows_do_not_grow_without_bound(new_database_url: Callable[[], str]) -> None:
    """Tryton GNUHEALTH-SA-2016-1: a flood of attempts filled the table permanently."""
    async with running_app(new_database_url(), mail_ceiling=Limit(3, 3600)) as limited:
        for _ in range(10):
            await limited.anonymous().post("/password-resets", {"email": limited.anonymous().email})
        assert await rate_limit_rows(limited) == 1 + 3, "the IP address, and the mailboxes before its limit"
        await limited.db.write(lambda db: db.run("UPDATE attempts SET ends_at = :now", now=times.now()))
        await limited.backbench.sweep_job.sweep()
        assert await rate_limit_rows(limited) == 0


async def rate_limit_rows(app: App) -> int:
    async with app.db.read() as db:
        number: int = await db.value("SELECT count(*) FROM attempts")
    return number


async def test_an_unconfirmed_sign_up_is_deleted_by_the_sweep(open_app: App) -> None:
    zofia = await sign_up(open_app)
    await token_for(open_app, zofia.email)
    long_ago = times.later(times.now(), -8 * 86_400)

    async def age(db: Any) -> None:
        await db.run("UPDATE accounts SET created_at = :at WHERE email = :email", at=long_ago, email=zofia.email)

    await open_app.db.write(age)
    await open_app.backbench.sweep_job.sweep()
    async with open_app.db.read() as db:
        assert await accounts.lookup_by_email(db, zofia.email) is not None, "its link is still valid"
    await open_app.db.write(lambda db: db.run("UPDATE tokens SET expires_at = :at", at=long_ago))
    await open_app.backbench.sweep_job.sweep()
    async with open_app.db.read() as db:
        assert await accounts.lookup_by_email(db, zofia.email) is None


async def test_a_sign_up_does_the_same_work_for_a_taken_address(open_app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """The response time would reveal who has an account: no hash, and the same statements but one."""
    anna, hash_, hashed = await open_app.person("Anna"), open_app.backbench.passwords.hash, []

    async def counted(password: str) -> str:
        hashed.append(password)
        return await hash_(password)

    monkeypatch.setattr(open_app.backbench.passwords, "hash", counted)

    async def work(email: str) -> tuple[list[str], list[str]]:
        anonymous = open_app.anonymous()
        hashed.clear()
        with recorded() as statements:
            assert (await anonymous.post("/accounts", sign_up_body(anonymous, email=email))).status_code == 202
        # One more row in a transaction that writes anyway is not measurable next to its commit.
        return [sql for sql in statements if not sql.startswith("INSERT INTO accounts")], list(hashed)

    known = await work(anna.email)
    assert known[1] == []
    assert await work(open_app.anonymous().email) == known


async def test_a_reset_request_does_the_same_work_for_every_address(open_app: App) -> None:
    """Directus CVE-2026-26185: a reset took longer for an existing account."""
    anna = await open_app.person("Anna")

    async def work(email: str) -> list[str]:
        with recorded() as statements:
            assert (await open_app.anonymous().post("/password-resets", {"email": email})).status_code == 202
        return statements

    known = await work(anna.email)
    assert known
    assert await work(open_app.anonymous().email) == known
