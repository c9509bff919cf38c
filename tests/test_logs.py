"""The logs: JSON lines that tell who was refused, and never a secret."""

import json
import logging

import pytest
import structlog

from backbench.domain.values.errors import Unavailable
from tests.people import PASSWORD, Shop
from tests.support.canaries import Lines, lines_with_secrets
from tests.support.postbox import token_for


async def test_a_refusal_is_noted_with_the_address_and_nothing_that_was_sent(shop: Shop, logs: Lines) -> None:
    eve = shop.visitor("203.0.113.9")
    before = len(logs.getvalue())
    await eve.sign_in("the wrong password")
    line = json.loads(logs.getvalue()[before:].splitlines()[-1])
    assert (line["event"], line["status"], line["address"]) == ("request.rejected", 401, "203.0.113.9")
    assert eve.email not in json.dumps(line)


async def test_the_watch_over_the_logs_bites(shop: Shop) -> None:
    """Seen to fail: a line with anything that somebody has sent or been handed in confidence is found."""
    anna = await shop.owner("Anna")
    program = await anna.integrator("orders:read")
    key = await anna.post("/me/api-keys", {"name": "Shop window", "scopes": ["orders:read"]})
    notes = 'Nobody is to know: "gęsie pióra"\nfor the cushions'
    await anna.put(f"/workshops/{anna.workshop}/context", {"notes": notes})
    await anna.put("/me/password", {"currentPassword": PASSWORD, "newPassword": "three planes and a saw"})
    await shop.visitor().post("/password-resets", {"email": anna.email})
    confided = [
        PASSWORD,
        "three planes and a saw",
        anna.browser.cookies["session"],
        anna.browser.cookies["csrf-token"],
        program.bearer,
        key.json()["secret"],
        notes,
        await token_for(shop, anna.email),
        anna.email,
    ]
    for secret in confided:
        careless = json.dumps({"event": "careless", "said": f"it was {secret} that came"})
        assert lines_with_secrets(f"quiet\n{careless}\nquiet") == [careless]
    assert lines_with_secrets('{"event": "careful"}') == []


async def test_signing_in_and_what_guards_an_account_is_noted_with_who_and_from_where(shop: Shop, logs: Lines) -> None:
    anna = await shop.owner("Anna")
    before = len(logs.getvalue())
    key = (await anna.post("/me/api-keys", {"name": "Shop window", "scopes": ["orders:read"]})).json()
    await anna.delete(f"/me/api-keys/{key['apiKey']['id']}")
    await anna.put("/me/password", {"currentPassword": PASSWORD, "newPassword": "two planes and a saw"})
    await anna.post("/logout")
    await anna.sign_in("two planes and a saw")
    lines = [json.loads(line) for line in logs.getvalue()[before:].splitlines()]
    noted = [line for line in lines if line.get("uid") == anna.uid]
    assert [line["event"] for line in noted] == [
        "api_key.created",
        "api_key.revoked",
        "password.changed",
        "session.deleted",
        "session.created",
    ]
    assert all(line["address"].startswith("10.") and line["request_id"] and line["timestamp"] for line in noted)


async def test_a_refusal_is_noted_with_whoever_was_refused(shop: Shop, logs: Lines) -> None:
    anna, eve = await shop.owner("Anna"), await shop.owner("Eve")
    before = len(logs.getvalue())
    await eve.get(f"/workshops/{anna.workshop}")
    await eve.patch("/me", {"name": "Eve"}, x_csrf_token="invented")
    await eve.patch("/me", {"plan": "pro"})
    lines = [json.loads(line) for line in logs.getvalue()[before:].splitlines()]
    told = [(line["event"], line["status"], line["uid"]) for line in lines]
    assert told == [
        ("request.rejected", 403, eve.uid),
        ("request.rejected", 403, eve.uid),
        ("request.rejected", 400, eve.uid),
    ]


async def test_a_part_that_is_down_is_noted(shop: Shop, logs: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await shop.owner("Anna")
    before = len(logs.getvalue())

    async def down(*_: object) -> None:
        raise Unavailable("unavailable", "The database cannot be used now", wait=5)

    monkeypatch.setattr("backbench.storage.accounts.accounts.find", down)
    assert (await anna.get("/me")).status_code == 503
    [line] = [json.loads(line) for line in logs.getvalue()[before:].splitlines()]
    assert (line["event"], line["level"], line["operation"]) == ("unavailable", "warning", "getProfile")
    assert line["reason"] == "The database cannot be used now"


def test_a_line_of_a_library_is_json_as_well(logs: Lines) -> None:
    before = len(logs.getvalue())
    logging.getLogger("a library").warning("the glue of %s is old", "birch")
    logging.getLogger("a library").info("and nobody needs to know more")
    [line] = [json.loads(line) for line in logs.getvalue()[before:].splitlines()]
    assert (line["event"], line["level"], line["logger"]) == ("the glue of birch is old", "warning", "a library")
    assert line["timestamp"].endswith("Z")


def test_what_is_sent_cannot_forge_a_line(logs: Lines) -> None:
    before = len(logs.getvalue())
    structlog.get_logger().info("refused", operation='x"}\n{"event":"signed in"}\r\u2028')
    [line] = logs.getvalue()[before:].split("\n")[:-1]
    assert json.loads(line)["event"] == "refused"
