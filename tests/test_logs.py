"""Logs: one JSON object per line, with the client of every rejected request, and without secrets."""

import io
import json
import logging
import re

import pytest
import structlog

from backbench.logs import set_up
from backbench.values.errors import Unavailable
from tests.people import PASSWORD, App
from tests.support.mailbox import token_for
from tests.support.secret_log_check import LogOutput, lines_with_secrets


async def test_a_failed_sign_in_is_logged_with_the_address_and_no_request_data(app: App, logs: LogOutput) -> None:
    eve = app.anonymous("203.0.113.9")
    before = len(logs.getvalue())
    await eve.sign_in("the wrong password")
    line = json.loads(logs.getvalue()[before:].splitlines()[-1])
    assert (line["event"], line["status"], line["address"]) == ("request.rejected", 401, "203.0.113.9")
    assert eve.email not in json.dumps(line)


async def test_the_secret_check_finds_every_kind_of_secret(app: App) -> None:
    """The check of the whole run relies on this: a line with anything confidential, sent or returned, is found."""
    anna = await app.owner("Anna")
    program = await anna.integrator("orders:read")
    key = await anna.post("/me/api-keys", {"name": "Shop window", "scopes": ["orders:read"]})
    notes = 'Nobody is to know: "gęsie pióra"\nfor the cushions'
    await anna.put(f"/workshops/{anna.workshop}/context", {"notes": notes})
    await anna.put("/me/password", {"currentPassword": PASSWORD, "newPassword": "three planes and a saw"})
    await app.anonymous().post("/password-resets", {"email": anna.email})
    confidential = [
        PASSWORD,
        "three planes and a saw",
        anna.browser.cookies["session"],
        anna.browser.cookies["csrf-token"],
        program.bearer,
        key.json()["secret"],
        notes,
        await token_for(app, anna.email),
        anna.email,
    ]
    for secret in confidential:
        leak = json.dumps({"event": "leak", "detail": f"received {secret} from a client"})
        assert lines_with_secrets(f"first\n{leak}\nlast") == [leak]
    assert lines_with_secrets('{"event": "harmless"}') == []


async def test_sign_in_and_credential_changes_are_logged_with_account_and_address(app: App, logs: LogOutput) -> None:
    anna = await app.owner("Anna")
    before = len(logs.getvalue())
    key = (await anna.post("/me/api-keys", {"name": "Shop window", "scopes": ["orders:read"]})).json()
    await anna.delete(f"/me/api-keys/{key['apiKey']['id']}")
    await anna.put("/me/password", {"currentPassword": PASSWORD, "newPassword": "two planes and a saw"})
    await anna.post("/logout")
    await anna.sign_in("two planes and a saw")
    lines = [json.loads(line) for line in logs.getvalue()[before:].splitlines()]
    logged = [line for line in lines if line.get("uid") == anna.uid]
    assert [line["event"] for line in logged] == [
        "api_key.created",
        "api_key.revoked",
        "password.changed",
        "session.deleted",
        "session.created",
    ]
    assert all(line["address"].startswith("10.") and line["request_id"] and line["timestamp"] for line in logged)


async def test_a_rejected_request_is_logged_with_its_account(app: App, logs: LogOutput) -> None:
    anna, eve = await app.owner("Anna"), await app.owner("Eve")
    before = len(logs.getvalue())
    await eve.get(f"/workshops/{anna.workshop}")
    await eve.patch("/me", {"name": "Eve"}, x_csrf_token="invented")
    await eve.patch("/me", {"plan": "pro"})
    lines = [json.loads(line) for line in logs.getvalue()[before:].splitlines()]
    logged = [(line["event"], line["status"], line["uid"]) for line in lines]
    assert logged == [
        ("request.rejected", 403, eve.uid),
        ("request.rejected", 403, eve.uid),
        ("request.rejected", 400, eve.uid),
    ]


async def test_an_unavailable_dependency_is_logged(app: App, logs: LogOutput, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner("Anna")
    before = len(logs.getvalue())

    async def down(*_: object) -> None:
        raise Unavailable("unavailable", "The database cannot be used now", wait=5)

    monkeypatch.setattr("backbench.accounts.accounts.find", down)
    assert (await anna.get("/me")).status_code == 503
    [line] = [json.loads(line) for line in logs.getvalue()[before:].splitlines()]
    assert (line["event"], line["level"], line["operation"]) == ("unavailable", "warning", "getProfile")
    assert line["reason"] == "The database cannot be used now"


def test_log_records_of_libraries_are_json_too(logs: LogOutput) -> None:
    before = len(logs.getvalue())
    logging.getLogger("a library").warning("a warning about %s", "birch")
    logging.getLogger("a library").info("an info message is not logged")
    [line] = [json.loads(line) for line in logs.getvalue()[before:].splitlines()]
    assert (line["event"], line["level"], line["logger"]) == ("a warning about birch", "warning", "a library")
    assert line["timestamp"].endswith("Z")


def test_request_data_cannot_forge_a_log_line(logs: LogOutput) -> None:
    before = len(logs.getvalue())
    structlog.get_logger().info("refused", operation='x"}\n{"event":"signed in"}\r\u2028')
    [line] = logs.getvalue()[before:].split("\n")[:-1]
    assert json.loads(line)["event"] == "refused"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_log_is_text_that_cannot_be_forged(logs: LogOutput) -> None:
    terminal = Terminal()
    try:
        set_up("info", terminal)
        structlog.get_logger().warning("waiting for the database", reason="no\n12:00:00 info  \x1b[2Jforged")
        logging.getLogger("a library").warning("one\ntwo")
    finally:
        set_up("debug", logs)
    first, second = terminal.getvalue().splitlines()
    assert re.fullmatch(r"\d\d:\d\d:\d\d warning  waiting for the database  reason='no\\n12.*forged'", first)
    assert second.endswith(r"warning  'one\ntwo'  logger='a library'")


class Closed(io.StringIO):
    """A terminal that was closed."""

    attempts = 0

    def write(self, _: str) -> int:
        self.attempts += 1
        raise OSError(5, "Input/output error")


def test_a_log_line_that_cannot_be_written_raises_nothing(logs: LogOutput) -> None:
    closed = Closed()
    try:
        set_up("info", closed)
        structlog.get_logger().error("worker ended unexpectedly")
        logging.getLogger("a library").error("one")
    finally:
        set_up("debug", logs)
    assert closed.attempts >= 2
