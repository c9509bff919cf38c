"""Sign-in and sign-out: responses, cookies, CSRF tokens, and the lifetime of sessions."""

import asyncio
from http.cookies import SimpleCookie
from typing import Any

import argon2
import httpx
import pytest

from backbench.accounts import sign_in as sign_in_actions
from backbench.accounts.sessions import digest
from backbench.engine.database import Write
from backbench.hosting import administration
from backbench.values import times
from backbench.values.ids import new_id
from tests.people import PASSWORD, App, Person
from tests.support.database_dump import dump_of
from tests.support.databases import running_app
from tests.support.operation_samples import signed_in_again
from tests.support.statements import recorded

FOREIGN = "https://elsewhere.example"


def cookies(response: httpx.Response) -> SimpleCookie:
    """The cookies that the response sets, with their attributes."""
    jar = SimpleCookie()
    for line in response.headers.get_list("set-cookie"):
        jar.load(line)
    return jar


def must_be_empty(response: httpx.Response, status: int) -> None:
    assert (response.status_code, response.content) == (status, b"")


async def sign_in(person: Person, **headers: str) -> httpx.Response:
    """Signs in once more, in a browser without cookies."""
    fresh = Person(person.app, person.email, "198.51.100.7")
    return await fresh.post("/authenticate", {"email": person.email, "password": PASSWORD}, **headers)


# POST /authenticate


async def test_signing_in_returns_the_user(app: App) -> None:
    anna = await app.person("Anna", locale="pl")
    response = await sign_in(anna)
    assert response.status_code == 200
    assert response.json() == {"user": {"uid": anna.uid, "email": anna.email, "name": "Anna", "locale": "pl"}}


async def test_the_session_cookie_is_http_only_and_same_site(app: App) -> None:
    session = cookies(await sign_in(await app.owner("Anna")))["session"]
    assert (session["httponly"], session["samesite"], session["path"]) == (True, "Lax", "/")
    assert session["domain"] == ""


async def test_the_csrf_cookie_is_same_site_and_readable_by_scripts(app: App) -> None:
    token = cookies(await sign_in(await app.owner("Anna")))["csrf-token"]
    assert (token["httponly"], token["samesite"], token["path"]) == ("", "Lax", "/")


async def test_cookies_expire_with_the_absolute_session_lifetime(app: App) -> None:
    jar = cookies(await sign_in(await app.owner("Anna")))
    assert {jar[name]["max-age"] for name in ("session", "csrf-token")} == {str(90 * 86_400)}


async def test_cookies_are_secure_with_an_https_public_url(new_database_url: Any) -> None:
    async with running_app(new_database_url(), public_url="https://office.example.com") as app:
        jar = cookies(await sign_in(await app.owner("Anna")))
        assert jar["session"]["secure"] is jar["csrf-token"]["secure"] is True


async def test_cookies_are_not_secure_with_an_http_public_url(app: App) -> None:
    jar = cookies(await sign_in(await app.owner("Anna")))
    assert jar["session"]["secure"] == jar["csrf-token"]["secure"] == ""


async def test_a_session_id_has_256_random_bits_and_only_its_digest_is_stored(app: App) -> None:
    anna = await app.owner("Anna")
    secrets = {cookies(await sign_in(anna))["session"].value for _ in range(3)}
    assert len(secrets) == 3
    assert all(len(secret) == 43 for secret in secrets)
    stored = "".join((await dump_of(app.db))["sessions"])
    assert all(secret not in stored and digest(secret) in stored for secret in secrets)


async def test_an_email_address_is_case_insensitive(app: App) -> None:
    anna = await app.owner("Anna")
    response = await app.anonymous().post("/authenticate", {"email": anna.email.upper(), "password": PASSWORD})
    assert response.json()["user"]["email"] == anna.email


async def test_a_wrong_password_is_401_without_a_body(app: App) -> None:
    anna = await app.owner("Anna")
    for password in ("wrong", "", PASSWORD.upper(), PASSWORD + " ", " " + PASSWORD, "a" * 5000):
        response = await anna.sign_in(password)
        must_be_empty(response, 401)
        assert "set-cookie" not in response.headers


async def test_an_unknown_address_is_401_without_a_body(app: App) -> None:
    must_be_empty(await app.anonymous().sign_in(), 401)


async def test_only_an_active_account_signs_in(app: App) -> None:
    anna = await app.owner("Anna")
    for status in ("pending", "suspended", "deleted"):
        await update_row(app, "UPDATE accounts SET status = :status WHERE id = :uid", status=status, uid=anna.uid)
        must_be_empty(await sign_in(anna), 401)


async def test_an_unknown_address_does_the_same_work_as_a_wrong_password(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The response time would reveal who has an account: a password is hashed and compared for any address."""
    anna, verify, verified = await app.owner("Anna"), argon2.PasswordHasher.verify, []

    def counted(hasher: argon2.PasswordHasher, hash_: str, password: bytes) -> bool:
        verified.append(argon2.extract_parameters(hash_))
        return verify(hasher, hash_, password)

    monkeypatch.setattr(argon2.PasswordHasher, "verify", counted)

    async def work(person: Person) -> tuple[list[str], list[argon2.Parameters]]:
        verified.clear()
        with recorded() as statements:
            must_be_empty(await person.sign_in("wrong"), 401)
        return statements, list(verified)

    known = await work(Person(app, anna.email, "198.51.100.2"))
    assert len(known[1]) == 1
    assert await work(app.anonymous("198.51.100.1")) == known


async def test_an_invalid_sign_in_request_is_400_without_a_body(app: App) -> None:
    bodies: list[Any] = [
        b"",
        b"{",
        b"[]",
        {},
        {"email": "anna@example.com"},
        {"password": "x"},
        {"email": "anna", "password": "x"},
        {"email": "anna@example.com\n", "password": "x"},
        {"email": "anna@example.com", "password": 1},
        {"email": "anna@example.com", "password": None},
        {"email": "anna@example.com", "password": "x", "remember": True},
        {"email": "a" * 300 + "@example.com", "password": "x"},
    ]
    for number, body in enumerate(bodies):
        must_be_empty(await app.anonymous(f"198.51.100.{number}").post("/authenticate", body), 400)


async def test_signing_in_ends_the_presented_session(app: App) -> None:
    anna = await app.owner("Anna")
    before = anna.browser.cookies["session"]
    assert (await anna.sign_in()).status_code == 200
    assert anna.browser.cookies["session"] != before
    must_be_empty(await app.anonymous().get("/me", cookie=f"session={before}"), 401)


async def test_signing_in_leaves_other_sessions_alone(app: App) -> None:
    anna = await app.owner("Anna")
    assert (await sign_in(anna)).status_code == 200
    assert (await anna.get("/me")).status_code == 200


async def test_a_failed_sign_in_leaves_the_presented_session_alone(app: App) -> None:
    anna = await app.owner("Anna")
    must_be_empty(await anna.sign_in("wrong"), 401)
    assert (await anna.get("/me")).status_code == 200


async def test_signing_in_with_an_authorization_header_ignores_the_session(app: App) -> None:
    anna = await app.owner("Anna")
    before = anna.browser.cookies["session"]
    await anna.post("/authenticate", {"email": anna.email, "password": PASSWORD}, authorization="Bearer x")
    assert (await app.anonymous().get("/me", cookie=f"session={before}")).status_code == 200


async def test_a_cross_site_sign_in_is_forbidden(app: App) -> None:
    anna = await app.owner("Anna")
    must_be_empty(await sign_in(anna, origin=FOREIGN), 403)
    must_be_empty(await sign_in(anna, sec_fetch_site="cross-site"), 403)
    assert (await sign_in(anna, origin="http://127.0.0.1:8000", sec_fetch_site="same-origin")).status_code == 200


async def test_signing_in_updates_the_last_login_time(app: App) -> None:
    anna = await app.owner("Anna")
    before = times.now()
    await sign_in(anna)
    user = (await anna.get("/me/data-export")).json()["user"]
    assert before <= user["lastLoginAt"] <= times.now()


async def test_an_outdated_password_hash_is_renewed_at_sign_in(app: App) -> None:
    anna = await app.owner("Anna")
    weak = argon2.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    await update_row(app, "UPDATE accounts SET password_hash = :weak WHERE id = :uid", weak=weak, uid=anna.uid)
    assert (await sign_in(anna)).status_code == 200
    async with app.db.read() as read:
        stored = await read.value("SELECT password_hash FROM accounts WHERE id = :uid", uid=anna.uid)
    assert stored != weak
    assert not app.backbench.passwords.is_outdated(stored)
    assert (await sign_in(anna)).status_code == 200


# POST /logout


async def test_signing_out_ends_the_session_on_the_server(app: App) -> None:
    anna = await app.owner("Anna")
    session = anna.browser.cookies["session"]
    must_be_empty(await anna.post("/logout"), 200)
    must_be_empty(await app.anonymous().get("/me", cookie=f"session={session}"), 401)


async def test_signing_out_clears_both_cookies(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.sign_in()
    jar = cookies(await anna.post("/logout"))
    for name, flag in (("session", True), ("csrf-token", "")):
        assert (jar[name].value, jar[name]["max-age"], jar[name]["path"]) == ("", "0", "/")
        assert (jar[name]["httponly"], jar[name]["samesite"]) == (flag, "Lax")
    assert set(anna.browser.cookies) == {"device"}, "which signs nobody in"


async def test_signing_out_clears_the_browser_cache(app: App) -> None:
    anna = await app.owner("Anna")
    assert (await anna.post("/logout")).headers["clear-site-data"] == '"cache"'


async def test_signing_out_leaves_other_sessions_alone(app: App) -> None:
    anna = await app.owner("Anna")
    other = await signed_in_again(anna)
    await other.post("/logout")
    assert (await anna.get("/me")).status_code == 200


async def test_signing_out_twice_is_401(app: App) -> None:
    anna = await app.owner("Anna")
    again = await signed_in_again(anna)
    again.browser.cookies = httpx.Cookies(anna.browser.cookies)
    await anna.post("/logout")
    must_be_empty(await again.post("/logout"), 401)


async def test_signing_out_needs_the_csrf_token(app: App) -> None:
    anna = await app.owner("Anna")
    must_be_empty(await anna.post("/logout", x_csrf_token=""), 403)
    assert (await anna.get("/me")).status_code == 200


# CSRF


async def test_reading_needs_only_the_session_cookie(app: App) -> None:
    anna = await app.owner("Anna")
    session = anna.browser.cookies["session"]
    assert (await app.anonymous().get("/me", cookie=f"session={session}")).status_code == 200
    response = await app.anonymous().send("HEAD", "/me", headers={"cookie": f"session={session}"})
    assert response.status_code == 200


async def test_the_csrf_token_is_bound_to_the_session_not_to_a_cookie(app: App) -> None:
    """An attacker who plants a cookie can make header and cookie equal; that must not suffice."""
    anna = await app.owner("Anna")
    session, token = anna.browser.cookies["session"], anna.browser.cookies["csrf-token"]
    planted = f"session={session}; csrf-token=planted"
    anonymous = app.anonymous()
    must_be_empty(await anonymous.patch("/me", {"name": "Eve"}, cookie=planted, x_csrf_token="planted"), 403)
    response = await anonymous.patch("/me", {"name": "Ewa"}, cookie=f"session={session}", x_csrf_token=token)
    assert response.status_code == 200


async def test_the_csrf_token_of_another_session_is_rejected(app: App) -> None:
    anna = await app.owner("Anna")
    again = await signed_in_again(anna)
    token = again.browser.cookies["csrf-token"]
    must_be_empty(await anna.patch("/me", {"name": "Ewa"}, x_csrf_token=token), 403)


@pytest.mark.parametrize("others", ["session={own}; session=planted", "session=planted; session={own}"])
async def test_a_request_with_two_session_cookies_is_401(app: App, others: str) -> None:
    """A sibling domain can plant one: nothing tells which of the two is ours."""
    anna = await app.owner("Anna")
    cookie = others.format(own=anna.browser.cookies["session"])
    must_be_empty(await app.anonymous().get("/me", cookie=cookie), 401)


async def test_session_cookies_in_two_headers_are_401(app: App) -> None:
    anna = await app.owner("Anna")
    lines = [("cookie", "session=planted"), ("cookie", f"session={anna.browser.cookies['session']}")]
    must_be_empty(await app.anonymous().browser.get("/api/me", headers=lines), 401)


async def test_the_csrf_token_cannot_be_used_as_a_session(app: App) -> None:
    anna = await app.owner("Anna")
    must_be_empty(await app.anonymous().get("/me", cookie=f"session={anna.browser.cookies['csrf-token']}"), 401)


async def test_a_change_from_a_foreign_origin_is_rejected_despite_a_valid_token(app: App) -> None:
    anna = await app.owner("Anna")
    valid = {"content-type": "application/json", "x-csrf-token": anna.browser.cookies["csrf-token"]}
    for origin in (FOREIGN, "null", "http://127.0.0.1:8001", "http://[", "", "127.0.0.1:8000"):
        response = await anna.browser.patch("/api/me", content=b'{"name":"Eve"}', headers={"origin": origin, **valid})
        must_be_empty(response, 403)


async def test_a_cross_site_change_is_rejected(app: App) -> None:
    anna = await app.owner("Anna")
    must_be_empty(await anna.patch("/me", {"name": "Eve"}, sec_fetch_site="cross-site"), 403)


async def test_a_change_from_own_pages_is_accepted(app: App) -> None:
    anna = await app.owner("Anna")
    for site in ("same-origin", "same-site", "none"):
        response = await anna.patch("/me", {"name": "Ewa"}, sec_fetch_site=site, origin="http://127.0.0.1:8000")
        assert response.status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.168.1.5:8000", 200),
        ("[fe80::1]:8000", 200),
        ("localhost:8000", 200),
        ("workshop.local:8000", 200),
        ("workshop:8000", 200),
        ("rebound.example:8000", 403),
        ("1.evil.example", 403),
    ],
)
async def test_an_http_origin_with_a_public_name_is_foreign_unless_it_is_the_public_url(
    app: App, host: str, status: int
) -> None:
    """DNS rebinding: a page of another site whose name resolves to this machine sends that name as Host and Origin."""
    anna = await app.owner("Anna")
    response = await anna.patch("/me", {"name": "Ewa"}, host=host, origin=f"http://{host}")
    assert response.status_code == status


async def test_the_own_origin_is_the_public_url_not_the_host_header(new_database_url: Any) -> None:
    async with running_app(new_database_url(), public_url="https://office.example.com") as app:
        anna = await signed_in_again(await app.owner("Anna"))
        own = await anna.patch("/me", {"name": "Ewa"}, origin="https://office.example.com", host="backend:8000")
        assert own.status_code == 200
        must_be_empty(await anna.patch("/me", {"name": "Ewa"}, origin=FOREIGN, host="backend:8000"), 403)


async def test_an_http_origin_is_foreign_with_an_https_public_url(new_database_url: Any) -> None:
    async with running_app(new_database_url(), public_url="https://office.example.com") as app:
        anna = await signed_in_again(await app.owner("Anna"))
        for origin, status in (("http://office.example.com", 403), ("https://office.example.com", 200)):
            response = await anna.patch("/me", {"name": "Ewa"}, origin=origin, host="office.example.com")
            assert response.status_code == status


async def test_cross_site_reads_get_no_cors_headers(app: App) -> None:
    anna = await app.owner("Anna")
    response = await anna.get("/me", origin=FOREIGN, sec_fetch_site="cross-site")
    assert response.status_code == 200
    options = await anna.send("OPTIONS", "/me", headers={"origin": FOREIGN, "access-control-request-method": "PATCH"})
    assert not [name for name in (*response.headers, *options.headers) if name.startswith("access-control")]


# Sessions


async def test_cookies_are_ignored_with_an_authorization_header(app: App) -> None:
    anna = await app.owner("Anna")
    for scheme in ("Bearer nothing", "Basic YTpi", "Bearer", "", " "):
        response = await anna.browser.get("/api/me", headers={"authorization": scheme})
        must_be_empty(response, 401)
    path = f"/workshops/{anna.workshop}/orders"
    must_be_empty(await anna.get(path, authorization="Bearer nothing"), 401)


async def test_a_session_ends_after_30_idle_days(app: App) -> None:
    anna = await app.owner("Anna")
    assert await seconds_left(app, anna, "idle_until") == pytest.approx(30 * 86_400, abs=60)
    await update_row(
        app, "UPDATE sessions SET idle_until = :now WHERE account_id = :uid", now=times.now(), uid=anna.uid
    )
    must_be_empty(await anna.get("/me"), 401)


async def test_a_session_ends_90_days_after_signing_in(app: App) -> None:
    anna = await app.owner("Anna")
    assert await seconds_left(app, anna, "ends_at") == pytest.approx(90 * 86_400, abs=60)
    await update_row(app, "UPDATE sessions SET ends_at = :now WHERE account_id = :uid", now=times.now(), uid=anna.uid)
    must_be_empty(await anna.get("/me"), 401)


@pytest.mark.both_engines
async def test_a_session_is_extended_by_its_use(app: App) -> None:
    anna = await app.owner("Anna")
    day_ago, soon = times.later(times.now(), -86_400), times.later(times.now(), 60)
    await update_row(
        app,
        "UPDATE sessions SET last_seen_at = :then, idle_until = :soon WHERE account_id = :uid",
        then=day_ago,
        soon=soon,
        uid=anna.uid,
    )
    await anna.get("/me")
    # The last use is written after the response.
    for _ in range(3000):
        await asyncio.sleep(0.02)
        seen = (await anna.get("/me/sessions")).json()["sessions"][0]["lastSeenAt"]
        if seen > day_ago:
            break
    assert seen > day_ago
    assert await seconds_left(app, anna, "idle_until") == pytest.approx(30 * 86_400, abs=60)


async def test_session_lifetimes_are_settings(new_database_url: Any) -> None:
    others = {"session_idle_days": 2, "session_absolute_days": 5}
    async with running_app(new_database_url(), **others) as app:
        anna = await app.owner("Anna")
        assert cookies(await sign_in(anna))["session"]["max-age"] == str(5 * 86_400)
        assert await seconds_left(app, anna, "idle_until") == pytest.approx(2 * 86_400, abs=60)
        assert await seconds_left(app, anna, "ends_at") == pytest.approx(5 * 86_400, abs=60)


async def test_sessions_are_listed_newest_first_with_their_user_agent(app: App) -> None:
    anna = await app.owner("Anna")
    await sign_in(anna, user_agent="Firefox on the tablet")
    listed = (await anna.get("/me/sessions")).json()["sessions"]
    assert listed[0]["userAgent"] == "Firefox on the tablet"
    assert [session["current"] for session in listed] == [False, True]
    assert all(set(entry) == {"id", "createdAt", "lastSeenAt", "userAgent", "current"} for entry in listed)
    assert listed[0]["createdAt"] >= listed[1]["createdAt"]


async def test_a_listed_session_id_is_no_session_cookie(app: App) -> None:
    anna = await app.owner("Anna")
    listed = (await anna.get("/me/sessions")).json()["sessions"]
    must_be_empty(await app.anonymous().get("/me", cookie=f"session={listed[0]['id']}"), 401)


async def test_ending_a_session_signs_its_browser_out(app: App) -> None:
    anna = await app.owner("Anna")
    tablet = await signed_in_again(anna)
    listed = (await tablet.get("/me/sessions")).json()["sessions"]
    session_id = next(session["id"] for session in listed if session["current"])
    must_be_empty(await anna.delete(f"/me/sessions/{session_id}"), 204)
    must_be_empty(await tablet.get("/me"), 401)
    must_be_empty(await anna.delete(f"/me/sessions/{session_id}"), 404)
    assert (await anna.get("/me")).status_code == 200


async def test_ended_sessions_are_not_listed(app: App) -> None:
    anna = await app.owner("Anna")
    again = await signed_in_again(anna)
    await again.post("/logout")
    assert len((await anna.get("/me/sessions")).json()["sessions"]) == 1


async def test_a_stored_user_agent_is_printable_and_short(app: App) -> None:
    anna = await app.owner("Anna")
    await sign_in(anna, user_agent="x" * 5000)
    await sign_in(anna, user_agent="a\tb\x7fc")
    agents = [session["userAgent"] for session in (await anna.get("/me/sessions")).json()["sessions"]]
    assert len(agents[1]) <= 400
    assert agents[0] == "abc"


async def test_suspension_ends_every_session(app: App) -> None:
    anna = await app.owner("Anna")
    other = await signed_in_again(anna)
    await app.db.write(lambda db: administration.suspend(db, anna.email, times.now(), new_id))
    await app.db.write(lambda db: administration.activate(db, anna.email, times.now(), new_id))
    must_be_empty(await anna.get("/me"), 401)
    must_be_empty(await other.get("/me"), 401)


async def update_row(app: App, sql: str, **values: Any) -> None:
    async def work(db: Write) -> None:
        assert await db.run(sql, **values)

    await app.db.write(work)


async def seconds_left(app: App, person: Person, column: str) -> float:
    """The seconds until the person's only session ends."""
    async with app.db.read() as read:
        until = await read.value(f"SELECT max({column}) FROM sessions WHERE account_id = :uid", uid=person.uid)
    return times.seconds_between(times.now(), until)


async def test_an_account_has_a_bounded_number_of_sessions(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in_actions, "MAX_SESSIONS", 3)
    anna = await app.owner("Anna")
    for number in range(4):
        other = Person(app, anna.email, f"10.99.0.{number}")
        assert (await other.sign_in()).status_code == 200
    assert (await anna.get("/me")).status_code == 401
    assert len((await other.get("/me/sessions")).json()["sessions"]) == 3
