"""Lists, passwords, removals and revocation on the command line."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.command_line import CommandLine
from tests.support.secret_log_check import remember_secrets
from tests.support.server import Server, running_server

UNKNOWN_ID = "01943e5a-7c1f-7d3e-9b52-0f6a4c8e1d27"


@pytest.fixture(scope="module")
def server(new_database_url: Callable[[], str]) -> Iterator[Server]:
    with running_server(new_database_url()) as running:
        yield running


@pytest.fixture
def command_line(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    """With the database of the running server."""
    return CommandLine(server.database_url, tmp_path, monkeypatch, capsys)


@pytest.mark.both_engines
def test_lists_show_accounts_workshops_members_and_keys(command_line: CommandLine) -> None:
    workshop = command_line.add_account("anna.1@example.com", "Anna Łęcka")["workshopId"]
    command_line.add_account("bruno.1@example.com", "Bruno")
    command_line.run_json("members", "add", workshop, "bruno.1@example.com")
    command_line.run_json("workshops", "plan", workshop, "pro", "--until", "2020-01-31")
    command_line.run_json("api-keys", "issue", "anna.1@example.com", "--scope", "orders:read")
    accounts = {account["email"]: account for account in command_line.run_json("accounts", "list")["accounts"]}
    assert accounts["anna.1@example.com"]["name"] == "Anna Łęcka"
    assert accounts["anna.1@example.com"]["status"] == "active"
    workshops = {each["id"]: each for each in command_line.run_json("workshops", "list")["workshops"]}
    assert workshops[workshop]["owners"] == ["anna.1@example.com"]
    members = command_line.run_json("members", "list", workshop)["members"]
    assert [(each["email"], each["role"]) for each in members] == [
        ("anna.1@example.com", "owner"),
        ("bruno.1@example.com", "member"),
    ]
    (key,) = command_line.run_json("api-keys", "list", "anna.1@example.com")["apiKeys"]
    assert (key["email"], key["scopes"], key["revokedAt"]) == ("anna.1@example.com", ["orders:read"], None)
    assert re.search(
        r"^anna\.1@example\.com +active +\S+ +- +Anna Łęcka$", command_line.run("accounts", "list").out, re.M
    )


@pytest.mark.parametrize(("setting", "plan"), [("", "pro"), ("free", "free"), ("pro", "pro")])
def test_the_list_of_workshops_shows_the_plan_in_effect(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, setting: str, plan: str
) -> None:
    """Of a workshop without a plan of its own, of one whose plan has expired, and of one that the host put on free."""
    monkeypatch.setenv("BACKBENCH_DEFAULT_PLAN", setting)
    owner = f"anna.default.{setting or 'unset'}@example.com"
    first = command_line.add_account(owner)["workshopId"]
    expired, free = (
        command_line.run_json("workshops", "add", "--owner", owner, "--name", name)["workshopId"]
        for name in ("Expired", "Free")
    )
    command_line.run_json("workshops", "plan", expired, "pro", "--until", "2020-01-31")
    command_line.run_json("workshops", "plan", free, "free")
    plans = {each["id"]: each["plan"] for each in command_line.run_json("workshops", "list")["workshops"]}
    assert [plans[each] for each in (first, expired, free)] == [plan, plan, "free"]
    assert re.search(rf"^{first} +{plan} ", command_line.run("workshops", "list").out, re.M)


def test_a_reset_link_lets_its_bearer_choose_a_password_once(command_line: CommandLine, server: Server) -> None:
    command_line.add_account("anna.7@example.com")
    before = server.signed_in("anna.7@example.com")
    command_line.run_json("api-keys", "issue", "anna.7@example.com", "--scope", "orders:read")
    link = command_line.run_json("accounts", "reset-link", "anna.7@example.com")
    assert (sorted(link), link["email"]) == (["email", "expiresAt", "url"], "anna.7@example.com")
    page, _, token = link["url"].partition("#token=")
    assert page == "http://127.0.0.1:8000/reset/?lang=en&keys=1"
    remember_secrets(token)
    body = {"token": token, "password": "three planes and a saw"}
    assert server.client().post("/password-resets/confirm", json=body).status_code == 204
    assert before.get("/me").status_code == 401
    assert server.signed_in("anna.7@example.com", "three planes and a saw").get("/me").status_code == 200
    assert server.client().post("/password-resets/confirm", json=body).status_code == 400
    assert command_line.run("accounts", "reset-link", "anna.7@example.com").out.startswith(f"{page}#token=")


@pytest.mark.parametrize(
    "arguments", ["accounts reset-link anna.8@example.com", "api-keys issue anna.8@example.com --scope orders:read"]
)
def test_an_account_that_is_not_active_gets_no_way_in(command_line: CommandLine, arguments: str) -> None:
    if command_line.run("accounts", "suspend", "anna.8@example.com").status:
        command_line.add_account("anna.8@example.com")
        command_line.run_json("accounts", "suspend", "anna.8@example.com")
    refused = command_line.run(*arguments.split(" "))
    assert (refused.status, refused.err) == (1, "backbench: the account is suspended; activate it first\n")


def test_an_empty_list_is_text_too(command_line: CommandLine) -> None:
    command_line.add_account("anna.2@example.com")
    assert command_line.run("api-keys", "list", "anna.2@example.com").out == "none\n"


@pytest.mark.both_engines
def test_a_new_password_ends_sessions_and_keeps_keys(command_line: CommandLine, server: Server) -> None:
    workshop = command_line.add_account("anna.3@example.com")["workshopId"]
    key = command_line.run_json("api-keys", "issue", "anna.3@example.com", "--scope", "orders:read")["secret"]
    before = server.signed_in("anna.3@example.com")
    command_line.run_json("accounts", "password", "anna.3@example.com", "--password", "three-planes-and-a-saw")
    assert before.get("/me").status_code == 401
    assert server.signed_in("anna.3@example.com", "three-planes-and-a-saw").get("/me").status_code == 200
    assert server.with_api_key(key).get(f"/workshops/{workshop}/orders").status_code == 200


def test_a_removed_member_loses_the_workshop_and_the_last_owner_stays(
    command_line: CommandLine, server: Server
) -> None:
    workshop = command_line.add_account("anna.4@example.com")["workshopId"]
    command_line.add_account("bruno.4@example.com")
    command_line.run_json("members", "add", workshop, "bruno.4@example.com")
    bruno = server.signed_in("bruno.4@example.com")
    assert bruno.get(f"/workshops/{workshop}").status_code == 200
    command_line.run_json("members", "remove", workshop, "bruno.4@example.com")
    assert bruno.get(f"/workshops/{workshop}").status_code == 403
    last = command_line.run("members", "remove", workshop, "anna.4@example.com")
    assert (last.status, last.err) == (1, "backbench: the workshop would have no owner\n")


def test_an_issued_key_is_bound_to_a_workshop_and_expires(command_line: CommandLine, server: Server) -> None:
    workshop = command_line.add_account("anna.5@example.com")["workshopId"]
    other = command_line.run_json("workshops", "add", "--owner", "anna.5@example.com", "--name", "Ash")["workshopId"]
    options = ("--scope", "orders:read", "--workshop", workshop, "--expires", "2099-01-31T12:00:00Z")
    issued = command_line.run_json("api-keys", "issue", "anna.5@example.com", *options)
    program = server.with_api_key(issued["secret"])
    assert program.get(f"/workshops/{workshop}/orders").status_code == 200
    assert program.get(f"/workshops/{other}/orders").status_code != 200
    (key,) = command_line.run_json("api-keys", "list", "anna.5@example.com")["apiKeys"]
    assert (key["workshopId"], key["expiresAt"]) == (workshop, "2099-01-31T12:00:00.000Z")


@pytest.mark.both_engines
def test_a_revoked_key_ends_at_once(command_line: CommandLine, server: Server) -> None:
    workshop = command_line.add_account("anna.6@example.com")["workshopId"]
    issued = command_line.run_json("api-keys", "issue", "anna.6@example.com", "--scope", "orders:read")
    program = server.with_api_key(issued["secret"])
    assert program.get(f"/workshops/{workshop}/orders").status_code == 200
    command_line.run_json("api-keys", "revoke", issued["id"])
    assert program.get(f"/workshops/{workshop}/orders").status_code == 401
    assert " revoked " in command_line.run("api-keys", "list", "anna.6@example.com").out


FAILURES = {
    "accounts password nobody@example.com --password a-plane-and-a-saw": "there is no account nobody@example.com",
    "accounts reset-link nobody@example.com": "there is no account nobody@example.com",
    "accounts password nobody@example.com --password short": "a password has 8 to 256 characters",
    f"members list {UNKNOWN_ID}": f"there is no workshop {UNKNOWN_ID}",
    f"members remove {UNKNOWN_ID} nobody@example.com": f"nobody@example.com is not a member of {UNKNOWN_ID}",
    "api-keys list nobody@example.com": "there is no account nobody@example.com",
    f"api-keys revoke {UNKNOWN_ID}": f"there is no API key {UNKNOWN_ID}",
    f"api-keys issue nobody@example.com --scope orders:read --workshop {UNKNOWN_ID}": "or it is not a member of",
    "api-keys issue nobody@example.com --scope orders:read --expires 2020-01-31": "--expires is in the past",
}


@pytest.mark.parametrize("arguments", FAILURES)
def test_a_failing_command_prints_one_line(command_line: CommandLine, arguments: str) -> None:
    result = command_line.run(*arguments.split(" "))
    assert (result.status, result.out, result.err.count("\n")) == (1, "", 1)
    assert FAILURES[arguments] in result.err
