"""API keys: creation, scopes, expiry, revocation and last use."""

import asyncio
import re
import zlib
from typing import Any, get_args

import httpx
import pytest

from backbench.accounts import api_keys
from backbench.accounts.api_keys import is_well_formed, new_secret
from backbench.accounts.sessions import digest
from backbench.engine.database import Write
from backbench.values import times
from backbench.values.calls import Scope
from backbench.workshops import members
from tests.people import App, Person, ids, pointers
from tests.support.database_dump import dump_of
from tests.support.statements import recorded
from tests.support.violations import all_of

BOTH: list[Scope] = ["orders:read", "orders:write"]


async def create_key(person: Person, **fields: Any) -> dict[str, Any]:
    response = await person.post("/me/api-keys", {"name": "Web shop", "scopes": BOTH, **fields})
    assert response.status_code == 201, response.text
    key: dict[str, Any] = response.json()
    return key


def program(person: Person, key: dict[str, Any]) -> Person:
    """A client that has only the key's secret."""
    other = Person(person.app, person.email)
    other.workshop, other.bearer = person.workshop, key["secret"]
    return other


def board(person: Person) -> str:
    return f"/workshops/{person.workshop}/orders"


def must_be_empty(response: httpx.Response, status: int) -> None:
    assert (response.status_code, response.content) == (status, b"")


# Creation


async def test_a_secret_is_returned_only_when_the_key_is_created(app: App) -> None:
    anna = await app.owner("Anna")
    key = await create_key(anna)
    assert set(key) == {"apiKey", "secret"}
    assert set(key["apiKey"]) == {"id", "name", "prefix", "scopes", "createdAt"}
    assert (key["apiKey"]["name"], key["apiKey"]["scopes"]) == ("Web shop", BOTH)
    assert key["apiKey"]["prefix"] == key["secret"][:12]
    assert key["secret"] not in (await anna.get("/me/api-keys")).text
    assert key["secret"] not in (await anna.get("/me/data-export")).text


async def test_only_the_digest_of_a_secret_is_stored(app: App) -> None:
    key = await create_key(await app.owner("Anna"))
    stored = str(await dump_of(app.db))
    assert key["secret"] not in stored
    assert digest(key["secret"]) in stored


async def test_a_secret_has_256_bits_in_base62_and_a_checksum(app: App) -> None:
    secret = (await create_key(await app.owner("Anna")))["secret"]
    assert re.fullmatch(r"bbk_[0-9A-Za-z]{49}", secret)
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    number = 0
    for digit in secret[-6:]:
        number = number * 62 + digits.index(digit)
    assert number == zlib.crc32(secret[:-6].encode())


def test_a_mistyped_secret_fails_its_checksum() -> None:
    secret = new_secret()
    assert is_well_formed(secret)
    for at in (4, 20, 46, 52):
        other = "0" if secret[at] != "0" else "1"
        assert not is_well_formed(secret[:at] + other + secret[at + 1 :])
    for wrong in ("", "bbk_", secret[:-1], secret + "0", secret.replace("bbk_", "bbx_"), "é" * 53, secret[:-1] + "!"):
        assert not is_well_formed(wrong)


async def test_keys_are_listed_newest_first(app: App) -> None:
    anna = await app.owner("Anna")
    created = [(await create_key(anna, name=f"Key {number}"))["apiKey"] for number in range(3)]
    assert (await anna.get("/me/api-keys")).json() == {"apiKeys": created[::-1]}


async def test_a_duplicate_scope_is_stored_once(app: App) -> None:
    key = await create_key(await app.owner("Anna"), scopes=["orders:write", "orders:read", "orders:write"])
    assert key["apiKey"]["scopes"] == BOTH


async def test_an_invalid_api_key_body_is_rejected(app: App) -> None:
    anna = await app.owner("Anna")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"name": ""}, "/name"),
        ({"name": "x" * 251}, "/name"),
        ({"name": "a\n"}, "/name"),
        ({"scopes": []}, "/scopes"),
        ({"scopes": "orders:read"}, "/scopes"),
        ({"scopes": ["orders:read", "orders:delete"]}, "/scopes/1"),
        ({"scopes": ["*"]}, "/scopes/0"),
        ({"secret": "mine"}, "/secret"),
        ({"workshopId": "nothing"}, "/workshopId"),
        ({"workshopId": ""}, "/workshopId"),
        ({"workshopId": None}, "/workshopId"),
    ]
    for fields, pointer in wrong:
        response = await anna.post("/me/api-keys", {"name": "Web shop", "scopes": BOTH, **fields})
        assert pointers(response) == [pointer], fields
    assert pointers(await anna.post("/me/api-keys", {})) == ["/name", "/scopes"]
    assert (await anna.get("/me/api-keys")).json() == {"apiKeys": []}


async def test_an_expiry_must_be_a_future_timestamp_with_a_zone(app: App) -> None:
    anna = await app.owner("Anna")
    for wrong in (
        "", "tomorrow", "2099-01-01", "2099-01-01T00:00:00", "2099-13-01T00:00:00Z", "2020-01-01T00:00:00Z",
        "2099-01-01T00:00:00Z\n", "9999-12-31T23:59:59-12:00", None, 4070908800,
    ):  # fmt: skip
        response = await anna.post("/me/api-keys", {"name": "x", "scopes": BOTH, "expiresAt": wrong})
        assert pointers(response) == ["/expiresAt"], wrong


async def test_an_expiry_is_returned_in_utc(app: App) -> None:
    key = await create_key(await app.owner("Anna"), expiresAt="2099-01-01T00:30:00+01:00")
    assert key["apiKey"]["expiresAt"] == "2098-12-31T23:30:00.000Z"


async def test_an_account_has_at_most_a_hundred_active_keys(app: App) -> None:
    anna = await app.owner("Anna")
    keys = [(await create_key(anna))["apiKey"]["id"] for _ in range(100)]
    response = await anna.post("/me/api-keys", {"name": "x", "scopes": BOTH})
    assert (response.status_code, response.json()["code"]) == (409, "too_many_keys")
    await anna.delete(f"/me/api-keys/{keys[0]}")
    await create_key(anna)


# Access


async def test_a_key_may_do_what_its_scopes_allow(app: App) -> None:
    anna = await app.owner("Anna")
    order = await anna.order()
    reader = program(anna, await create_key(anna, scopes=["orders:read"]))
    writer = program(anna, await create_key(anna, scopes=["orders:write"]))
    one = f"/orders/{order['id']}"
    assert (await reader.get(board(anna))).status_code == (await reader.get(one)).status_code == 200
    must_be_empty(await reader.post(board(anna), {"title": "x"}), 403)
    must_be_empty(await reader.patch(f"{one}/status", {"status": "done"}), 403)
    must_be_empty(await writer.get(board(anna)), 403)
    must_be_empty(await writer.get(one), 403)
    assert (await writer.post(board(anna), {"title": "x"})).status_code == 201
    assert (await writer.patch(f"{one}/status", {"status": "done"})).status_code == 200


async def test_the_bearer_scheme_is_case_insensitive(app: App) -> None:
    anna = await app.owner("Anna")
    secret = (await create_key(anna))["secret"]
    anonymous = app.anonymous()
    for scheme in ("Bearer", "bearer", "BEARER"):
        assert (await anonymous.get(board(anna), authorization=f"{scheme} {secret}")).status_code == 200


async def test_an_invalid_authorization_header_is_401(app: App) -> None:
    anna = await app.owner("Anna")
    secret = (await create_key(anna))["secret"]
    for bearer in (
        f"Basic {secret}", secret, "Bearer", f"Bearer  {secret}", f"Bearer {secret}x", f"Bearer {new_secret()}",
        f"Bearer {secret},{secret}", f"Bearer {secret} x", f"Token {secret}", "Bearer " + "x" * 5000,
    ):  # fmt: skip
        must_be_empty(await app.anonymous().get(board(anna), authorization=bearer), 401)


async def test_a_session_is_ignored_when_a_key_is_sent(app: App) -> None:
    anna = await app.owner("Anna")
    reader = (await create_key(anna, scopes=["orders:read"]))["secret"]
    must_be_empty(await anna.post(board(anna), {"title": "x"}, authorization=f"Bearer {reader}"), 403)
    must_be_empty(await anna.get("/me", authorization=f"Bearer {reader}"), 401)


async def test_a_key_needs_no_csrf_token_and_no_own_origin(app: App) -> None:
    anna = await app.owner("Anna")
    key = program(anna, await create_key(anna))
    headers = {"origin": "https://elsewhere.example", "sec_fetch_site": "cross-site"}
    assert (await key.post(board(anna), {"title": "x"}, **headers)).status_code == 201


async def test_a_key_loses_access_when_its_account_leaves_the_workshop(app: App) -> None:
    anna = await app.owner("Anna")
    marek = await app.member(anna)
    key = program(marek, await create_key(marek))
    order = await key.order()
    await app.db.write(lambda db: members.delete(db, anna.workshop, marek.uid))
    must_be_empty(await key.get(board(anna)), 403)
    must_be_empty(await key.post(board(anna), {"title": "x"}), 403)
    must_be_empty(await key.get(f"/orders/{order['id']}"), 403)
    must_be_empty(await key.patch(f"/orders/{order['id']}/status", {"status": "done"}), 403)


async def test_a_key_bound_to_a_workshop_is_forbidden_in_others(app: App) -> None:
    anna = await app.owner("Anna")
    second = (await anna.post("/workshops", {"name": "Second"})).json()["id"]
    key = program(anna, await create_key(anna, workshopId=second))
    elsewhere = await anna.order()
    must_be_empty(await key.get(board(anna)), 403)
    must_be_empty(await key.post(board(anna), {"title": "x"}), 403)
    must_be_empty(await key.get(f"/orders/{elsewhere['id']}"), 403)
    must_be_empty(await key.patch(f"/orders/{elsewhere['id']}/status", {"status": "done"}), 403)
    key.workshop = second
    order = await key.order()
    assert ids((await key.get(board(key))).json()["orders"]) == [order["id"]]
    assert (await anna.get("/me/api-keys")).json()["apiKeys"][0]["workshopId"] == second


async def test_a_key_cannot_be_bound_to_a_workshop_of_others(app: App) -> None:
    anna, jan = await app.owner("Anna"), await app.owner("Jan")
    response = await anna.post("/me/api-keys", {"name": "x", "scopes": BOTH, "workshopId": jan.workshop})
    assert pointers(response) == ["/workshopId"]


# The key of the request


async def test_a_key_can_read_itself_and_its_workshops(app: App) -> None:
    anna = await app.owner("Anna")
    second = (await anna.post("/workshops", {"name": "Second"})).json()["id"]
    created = await create_key(anna, expiresAt="2099-01-01T00:00:00Z")
    name = (await anna.get(f"/workshops/{anna.workshop}")).json()["name"]
    assert (await program(anna, created).get("/key")).json() == {
        "id": created["apiKey"]["id"],
        "name": "Web shop",
        "scopes": BOTH,
        "expiresAt": "2099-01-01T00:00:00.000Z",
        "workshops": [{"id": second, "name": "Second"}, {"id": anna.workshop, "name": name}],
    }


@all_of("scope", get_args(Scope))
async def test_a_key_of_any_scope_can_read_itself(app: App, scope: Scope) -> None:
    anna = await app.owner("Anna")
    key = (await program(anna, await create_key(anna, scopes=[scope])).get("/key")).json()
    assert (key["scopes"], ids(key["workshops"]), "expiresAt" in key) == ([scope], [anna.workshop], False)


async def test_a_bound_key_reads_only_its_workshop(app: App) -> None:
    anna = await app.owner("Anna")
    await anna.post("/workshops", {"name": "Second"})
    marek = await app.member(anna)
    key = program(marek, await create_key(marek, workshopId=anna.workshop))
    assert ids((await key.get("/key")).json()["workshops"]) == [anna.workshop]
    await app.db.write(lambda db: members.delete(db, anna.workshop, marek.uid))
    assert (await key.get("/key")).json()["workshops"] == []


async def test_a_revoked_key_cannot_read_itself(app: App) -> None:
    anna = await app.owner("Anna")
    created = await create_key(anna)
    await anna.delete(f"/me/api-keys/{created['apiKey']['id']}")
    must_be_empty(await program(anna, created).get("/key"), 401)


# Revocation, expiry and last use


async def test_a_revoked_key_is_401_at_once_and_stays_in_the_list(app: App) -> None:
    anna = await app.owner("Anna")
    created = await create_key(anna)
    key = program(anna, created)
    assert (await key.get(board(anna))).status_code == 200
    must_be_empty(await anna.delete(f"/me/api-keys/{created['apiKey']['id']}"), 204)
    must_be_empty(await key.get(board(anna)), 401)
    (listed,) = (await anna.get("/me/api-keys")).json()["apiKeys"]
    assert listed["id"] == created["apiKey"]["id"]
    assert listed["revokedAt"] >= listed["createdAt"]


async def test_revoking_twice_keeps_the_first_timestamp(app: App) -> None:
    anna = await app.owner("Anna")
    path = f"/me/api-keys/{(await create_key(anna))['apiKey']['id']}"
    await anna.delete(path)
    first = (await anna.get("/me/api-keys")).json()
    must_be_empty(await anna.delete(path), 204)
    assert (await anna.get("/me/api-keys")).json() == first


@pytest.mark.parametrize("seconds", [-3600, 0])
async def test_an_expired_key_is_401(app: App, seconds: int) -> None:
    anna = await app.owner("Anna")
    created = await create_key(anna, expiresAt=times.later(times.now(), 3600))
    key = program(anna, created)
    assert (await key.get(board(anna))).status_code == 200

    async def expire(db: Write) -> None:
        sql = "UPDATE api_keys SET expires_at = :at WHERE id = :id"
        await db.run(sql, id=created["apiKey"]["id"], at=times.later(times.now(), seconds))

    await app.db.write(expire)
    must_be_empty(await key.get(board(anna)), 401)


async def test_the_last_use_of_a_key_is_listed(app: App) -> None:
    anna = await app.owner("Anna")
    key = program(anna, await create_key(anna))
    await key.get(board(anna))
    for _ in range(1000):
        # The last use is written after the response.
        await key.order()
        (listed,) = (await anna.get("/me/api-keys")).json()["apiKeys"]
        if "lastUsedAt" in listed:
            break
    assert listed["lastUsedAt"] >= listed["createdAt"]


async def test_the_last_use_of_a_key_is_written_once_an_hour(app: App) -> None:
    anna = await app.owner("Anna")
    key = program(anna, await create_key(anna))
    began = times.now()[:13]
    await key.get(board(anna))
    # The last use is written after the response.
    async with asyncio.timeout(60):
        while "lastUsedAt" not in (await anna.get("/me/api-keys")).json()["apiKeys"][0]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    with recorded() as statements:
        for _ in range(20):
            await key.get(board(anna))
        await asyncio.sleep(0.1)
    assert statements
    assert [sql for sql in statements if "UPDATE api_keys" in sql] == [] or times.now()[:13] != began


async def test_a_mistyped_key_is_rejected_without_a_database_query(app: App) -> None:
    anna = await app.owner("Anna")
    key = program(anna, await create_key(anna))
    with recorded() as statements:
        assert (await key.get(board(anna))).status_code == 200
    assert [sql for sql in statements if "api_keys" in sql]
    right = key.bearer or ""
    for at in (4, 30, 52):
        key.bearer = right[:at] + ("0" if right[at] != "0" else "1") + right[at + 1 :]
        with recorded() as statements:
            must_be_empty(await key.get(board(anna)), 401)
        # The last use of the previous request may still be written.
        assert [sql for sql in statements if sql.startswith("SELECT")] == []


async def test_only_the_newest_revoked_keys_stay(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_keys, "MAX_REVOKED_KEYS", 2)
    anna = await app.owner("Anna")
    created = []
    for number in range(4):
        key = await anna.post("/me/api-keys", {"name": f"Key {number}", "scopes": ["orders:read"]})
        created.append(key.json()["apiKey"]["id"])
        if number < 3:
            assert (await anna.delete(f"/me/api-keys/{created[-1]}")).status_code == 204
    assert [key["id"] for key in (await anna.get("/me/api-keys")).json()["apiKeys"]] == created[:0:-1]
