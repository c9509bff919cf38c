"""Signing up: an account begins when whoever reads the address's mails says so, and nobody learns who has one."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from backbench.actions.accounts.accounts import save_sign_up
from backbench.actions.operations import administration
from backbench.domain.accounts.accounts import SignUp
from backbench.domain.values import times
from backbench.domain.values.ids import new_id
from backbench.domain.values.limits import Limit
from backbench.integrations.passwords import Passwords
from backbench.storage.accounts import accounts
from tests.people import PASSWORD, Person, Shop, pointers
from tests.support.engines import opened_shop
from tests.support.postbox import last_mail_to, mails_to, token_for, token_in
from tests.support.statements import recorded
from tests.support.stored import everything_in


@pytest.fixture(scope="module")
async def open_shop(new_database_url: Callable[[], str]) -> AsyncIterator[Shop]:
    """A shop where anybody may sign up, and passwords cost what they do for people."""
    generous = {"mail_limit": Limit(10_000, 3600), "mail_ceiling": Limit(10_000, 3600)}
    async with opened_shop(new_database_url(), Passwords(), sign_up="open", **generous) as opened:
        yield opened


def wish(person: Person, **fields: Any) -> dict[str, Any]:
    return {"name": "Zofia", "email": person.email, "password": PASSWORD, "acceptTerms": True, **fields}


async def signed_up(shop: Shop, **fields: Any) -> Person:
    """Somebody who has signed up and not confirmed it yet."""
    zofia = shop.visitor()
    answer = await zofia.post("/accounts", wish(zofia, **fields))
    assert (answer.status_code, answer.content) == (202, b"")
    return zofia


async def confirmed(person: Person, token: str | None = None) -> httpx.Response:
    return await person.post("/accounts/verify", {"token": token or await token_for(person.shop, person.email)})


async def test_confirming_the_email_signs_in_with_a_default_workshop(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop, locale="pl")
    answer = await confirmed(zofia)
    user = answer.json()["user"]
    assert (user["email"], user["name"], user["locale"]) == (zofia.email, "Zofia", "pl")
    [workshop] = (await zofia.get("/workshops")).json()["workshops"]
    assert (workshop["isDefault"], workshop["crafterName"]) == (True, "Zofia")
    assert [(member["id"], member["role"]) for member in workshop["members"]] == [(user["uid"], "owner")]


async def test_signing_in_needs_a_confirmed_email(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop)
    assert (await zofia.sign_in()).status_code == 401
    await confirmed(zofia)
    assert (await zofia.sign_in()).status_code == 200


async def test_the_export_has_the_accepted_terms_and_their_time(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop)
    await confirmed(zofia)
    user = (await zofia.get("/me/data-export")).json()["user"]
    assert (user["status"], user["termsVersion"]) == ("active", "1")
    assert user["termsAcceptedAt"] <= user["emailVerifiedAt"] <= user["lastLoginAt"]


async def test_a_confirmation_link_works_once(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop)
    token = await token_for(open_shop, zofia.email)
    await confirmed(zofia, token)
    assert pointers(await confirmed(zofia, token)) == ["/token"]


async def test_a_confirmation_link_works_once_in_parallel_requests(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop)
    token = await token_for(open_shop, zofia.email)
    answers = await asyncio.gather(*[confirmed(open_shop.visitor(), token) for _ in range(8)])
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 7
    await zofia.sign_in()
    assert len((await zofia.get("/workshops")).json()["workshops"]) == 1


async def test_a_confirmation_link_expires(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop)
    token = await token_for(open_shop, zofia.email)
    await open_shop.db.write(lambda db: db.run("UPDATE tokens SET expires_at = :now", now=times.now()))
    assert pointers(await confirmed(zofia, token)) == ["/token"]


async def test_an_unknown_token_is_rejected_and_changes_nothing(open_shop: Shop) -> None:
    await signed_up(open_shop)
    before = await everything_in(open_shop.db)
    assert pointers(await confirmed(open_shop.visitor(), "A" * 43)) == ["/token"]
    assert await everything_in(open_shop.db) == before


async def test_a_token_for_another_purpose_is_rejected(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop)
    token = await token_for(open_shop, zofia.email)
    answer = await zofia.post("/password-resets/confirm", {"token": token, "password": "a chisel and glue"})
    assert pointers(answer) == ["/token"]


async def test_a_get_of_a_confirmation_link_confirms_nothing(open_shop: Shop) -> None:
    """Mail scanners open links: only the POST that the page sends on a press of its button does something."""
    zofia = await signed_up(open_shop)
    token = await token_for(open_shop, zofia.email)
    before = await everything_in(open_shop.db)
    assert (await zofia.browser.get(f"/verify/?token={token}")).status_code == 200
    assert (await zofia.get(f"/accounts/verify?token={token}")).status_code == 405
    assert (await zofia.send("HEAD", "/accounts/verify")).status_code == 405
    assert await everything_in(open_shop.db) == before


async def test_no_secret_of_an_email_is_in_the_database(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop)
    token = await token_for(open_shop, zofia.email)
    held = repr(await everything_in(open_shop.db))
    assert token not in held
    assert PASSWORD not in held


async def test_sign_up_with_a_taken_address_emails_its_owner(open_shop: Shop) -> None:
    anna = await open_shop.person("Anna", locale="pl")
    answer = await open_shop.visitor().post("/accounts", wish(anna))
    assert (answer.status_code, answer.content) == (202, b"")
    assert (await last_mail_to(open_shop, anna.email))["Subject"] == "Masz już u nas konto"


async def test_sign_up_with_a_taken_address_changes_no_account(open_shop: Shop) -> None:
    anna = await open_shop.person("Anna")
    intruder = open_shop.visitor()
    await intruder.post("/accounts", wish(anna, name="Eve", email=anna.email.upper(), password="let me in now"))
    assert (await anna.get("/me")).json()["name"] == "Anna"
    assert (await anna.sign_in("let me in now")).status_code == 401
    assert (await anna.sign_in()).status_code == 200


async def test_an_attackers_earlier_sign_up_does_not_set_the_password(open_shop: Shop) -> None:
    """The pre-hijack: Eve signs up with Zofia's address, waits, and signs up again after Zofia did."""
    zofia, eve = open_shop.visitor(), open_shop.visitor()
    await eve.post("/accounts", wish(zofia, name="Eve", password="eve was here 1"))
    await zofia.post("/accounts", wish(zofia))
    await eve.post("/accounts", wish(zofia, name="Eve", password="eve was here 2"))
    first, own, last = await mails_to(open_shop, zofia.email)
    assert (await confirmed(zofia, token_in(own))).json()["user"]["name"] == "Zofia"
    assert (await zofia.sign_in()).status_code == 200
    for password in ("eve was here 1", "eve was here 2"):
        assert (await zofia.sign_in(password)).status_code == 401
    for mail in (first, last):
        assert pointers(await confirmed(eve, token_in(mail))) == ["/token"]


async def test_parallel_sign_ups_with_one_address_send_an_email_each(open_shop: Shop) -> None:
    """As two nodes would do it: one alone hashes passwords one after the other."""
    zofia = open_shop.visitor()
    now = times.now()
    wanted = SignUp(zofia.email, "Zofia", "en", "hash", "1", now)
    await asyncio.gather(*[open_shop.db.write(lambda db: save_sign_up(db, wanted, now, new_id)) for _ in range(8)])
    assert len(await mails_to(open_shop, zofia.email)) == 8


async def test_a_suspended_sign_up_cannot_be_confirmed(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop)
    token = await token_for(open_shop, zofia.email)
    await open_shop.db.write(lambda db: administration.suspend(db, zofia.email, times.now()))
    assert pointers(await confirmed(zofia, token)) == ["/token"]
    async with open_shop.db.read() as db:
        assert (await accounts.find_by_email(db, zofia.email)).status == "suspended"


async def test_the_confirmation_email_can_be_sent_again(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop)
    answer = await zofia.post("/accounts/verify/resend", {"email": zofia.email.upper()})
    assert (answer.status_code, answer.content) == (202, b"")
    _, again = await mails_to(open_shop, zofia.email)
    assert (await confirmed(zofia, token_in(again))).status_code == 200
    assert (await zofia.sign_in()).status_code == 200


async def test_resending_emails_only_unconfirmed_accounts(open_shop: Shop) -> None:
    anna, nobody = await open_shop.person("Anna"), open_shop.visitor()
    for person in (anna, nobody):
        answer = await nobody.post("/accounts/verify/resend", {"email": person.email})
        assert (answer.status_code, answer.content) == (202, b"")
        assert await mails_to(open_shop, person.email) == []


async def test_every_invalid_sign_up_field_is_named(open_shop: Shop) -> None:
    zofia = open_shop.visitor()
    faulty = {"name": "<b>", "email": "zofia@", "password": "short", "acceptTerms": False, "locale": "de", "x": 1}
    found = pointers(await zofia.post("/accounts", faulty))
    assert found == ["/name", "/email", "/password", "/acceptTerms", "/locale", "/x"]
    missing = pointers(await zofia.post("/accounts", {}))
    assert missing == ["/name", "/email", "/password", "/acceptTerms"]


@pytest.mark.parametrize(
    ("password", "is_taken"),
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
async def test_a_password_must_be_long_enough_and_uncommon(open_shop: Shop, password: str, is_taken: bool) -> None:
    zofia = open_shop.visitor()
    answer = await zofia.post("/accounts", wish(zofia, password=password))
    assert answer.status_code == (202 if is_taken else 400)


async def test_a_password_must_not_be_the_email_address(open_shop: Shop) -> None:
    zofia = open_shop.visitor()
    assert pointers(await zofia.post("/accounts", wish(zofia, password=zofia.email.upper()))) == ["/password"]


async def test_closed_sign_up_rejects_known_and_unknown_addresses_alike(new_database_url: Callable[[], str]) -> None:
    async with opened_shop(new_database_url(), sign_up="closed") as closed:
        anna, zofia = await closed.person("Anna"), closed.visitor()
        for person in (anna, zofia):
            answer = await closed.visitor().post("/accounts", wish(person))
            assert (answer.status_code, answer.content) == (403, b"")
            assert await mails_to(closed, person.email) == []


async def test_invited_sign_up_accepts_only_invited_addresses(shop: Shop) -> None:
    anna, zofia, stranger = await shop.owner("Anna"), shop.visitor(), shop.visitor()
    assert (await zofia.post("/accounts", wish(zofia))).status_code == 403
    invited = {"email": zofia.email, "role": "member"}
    assert (await anna.post(f"/workshops/{anna.workshop}/invitations", invited)).status_code == 201
    assert (await zofia.post("/accounts", wish(zofia))).status_code == 202
    assert (await stranger.post("/accounts", wish(stranger))).status_code == 403
    # An address that has an account is told nothing else than one that has none.
    assert (await stranger.post("/accounts", wish(anna))).status_code == 403
    assert (await confirmed(zofia)).status_code == 200


async def test_a_rejected_sign_up_stores_nothing(shop: Shop) -> None:
    """Directus CVE-2025-55746: refused, but written."""
    zofia = shop.visitor()
    before = await everything_in(shop.db)
    assert (await zofia.post("/accounts", wish(zofia))).status_code == 403
    assert (await zofia.post("/accounts", wish(zofia, name=""))).status_code == 400
    assert await everything_in(shop.db) == before


async def test_emails_to_one_address_are_limited(new_database_url: Callable[[], str]) -> None:
    async with opened_shop(new_database_url(), sign_up="open", mail_limit=Limit(3, 3600)) as limited:
        zofia = limited.visitor()
        await zofia.post("/accounts", wish(zofia))
        await zofia.post("/accounts/verify/resend", {"email": zofia.email.upper()})
        await zofia.post("/password-resets", {"email": zofia.email})
        answer = await zofia.post("/password-resets", {"email": zofia.email})
        assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
        assert 3590 <= int(answer.headers["retry-after"]) <= 3600
        assert (await zofia.post("/password-resets", {"email": "other@example.com"})).status_code == 202


async def test_emails_requested_from_one_ip_address_are_limited(new_database_url: Callable[[], str]) -> None:
    async with opened_shop(new_database_url(), sign_up="open", mail_ceiling=Limit(2, 3600)) as limited:
        here, there = limited.visitor("10.1.1.1"), limited.visitor("10.1.1.2")
        for _ in range(2):
            assert (await here.post("/password-resets", {"email": limited.visitor().email})).status_code == 202
        assert (await here.post("/password-resets", {"email": limited.visitor().email})).status_code == 429
        assert (await there.post("/password-resets", {"email": limited.visitor().email})).status_code == 202


async def test_rate_limit_rows_do_not_grow_without_bound(new_database_url: Callable[[], str]) -> None:
    """Tryton GNUHEALTH-SA-2016-1: a flood of attempts filled the table for good."""
    async with opened_shop(new_database_url(), mail_ceiling=Limit(3, 3600)) as limited:
        for _ in range(10):
            await limited.visitor().post("/password-resets", {"email": limited.visitor().email})
        assert await rows_of_attempts(limited) == 1 + 3, "the place, and the mailboxes before it was shut"
        await limited.db.write(lambda db: db.run("UPDATE attempts SET ends_at = :now", now=times.now()))
        await limited.app.sweep()
        assert await rows_of_attempts(limited) == 0


async def rows_of_attempts(shop: Shop) -> int:
    async with shop.db.read() as db:
        number: int = await db.value("SELECT count(*) FROM attempts")
    return number


async def test_an_unconfirmed_sign_up_is_deleted_by_the_sweep(open_shop: Shop) -> None:
    zofia = await signed_up(open_shop)
    await token_for(open_shop, zofia.email)
    long_ago = times.later(times.now(), -8 * 86_400)

    async def age(db: Any) -> None:
        await db.run("UPDATE accounts SET created_at = :at WHERE email = :email", at=long_ago, email=zofia.email)

    await open_shop.db.write(age)
    await open_shop.app.sweep()
    async with open_shop.db.read() as db:
        assert await accounts.lookup_by_email(db, zofia.email) is not None, "its link is still good"
    await open_shop.db.write(lambda db: db.run("UPDATE tokens SET expires_at = :at", at=long_ago))
    await open_shop.app.sweep()
    async with open_shop.db.read() as db:
        assert await accounts.lookup_by_email(db, zofia.email) is None


async def test_a_sign_up_does_the_same_work_for_a_taken_address(
    open_shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of a response would tell who has an account: whoever it is, one hash and the same statements but one."""
    anna, hash_, hashed = await open_shop.person("Anna"), open_shop.app.passwords.hash, []

    async def counted(password: str) -> str:
        hashed.append(password)
        return await hash_(password)

    monkeypatch.setattr(open_shop.app.passwords, "hash", counted)

    async def work(email: str) -> tuple[list[str], list[str]]:
        visitor = open_shop.visitor()
        hashed.clear()
        with recorded() as statements:
            assert (await visitor.post("/accounts", wish(visitor, email=email))).status_code == 202
        # One row more in a transaction that writes anyway, beside a hash of 20 ms: nobody can tell.
        return [sql for sql in statements if not sql.startswith("INSERT INTO accounts")], list(hashed)

    known = await work(anna.email)
    assert len(known[1]) == 1
    assert await work(open_shop.visitor().email) == known


async def test_a_reset_request_does_the_same_work_for_every_address(open_shop: Shop) -> None:
    """Directus CVE-2026-26185: a reset took longer where there was somebody to write to."""
    anna = await open_shop.person("Anna")

    async def work(email: str) -> list[str]:
        with recorded() as statements:
            assert (await open_shop.visitor().post("/password-resets", {"email": email})).status_code == 202
        return statements

    known = await work(anna.email)
    assert known
    assert await work(open_shop.visitor().email) == known
