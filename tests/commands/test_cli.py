"""Command line: every command beside a running server, its output and its errors."""

import contextlib
import io
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args

import apsw
import pytest

from backbench import __version__
from backbench.commands.database import with_database
from backbench.commands.server import plain_options
from backbench.values import times
from backbench.values.calls import Scope
from tests.people import PASSWORD
from tests.support.command_line import CommandLine, CommandResult
from tests.support.databases import new_database
from tests.support.providers import s3_server
from tests.support.server import Server, free_port, running_server
from tests.support.violations import violations

UNKNOWN_ID = "01943e5a-7c1f-7d3e-9b52-0f6a4c8e1d27"


@pytest.fixture
def new_command_line(
    empty_database_url: Callable[[], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> CommandLine:
    """With an empty database of its own."""
    return CommandLine(empty_database_url(), tmp_path, monkeypatch, capsys)


class Started(NamedTuple):
    """A server, and the memory of its worker before the first request: hashing passwords leaves memory of its own."""

    server: Server
    idle_kib: int


@pytest.fixture(scope="module")
def started(new_database_url: Callable[[], str]) -> Iterator[Started]:
    with running_server(new_database_url(), BACKBENCH_DEFAULT_PLAN="free") as running:
        status = Path(f"/proc/{running.workers()[0]}/status")
        resident = re.search(r"VmRSS:\s+(\d+) kB", status.read_text()) if status.exists() else None
        yield Started(running, int(resident[1]) if resident else 0)


@pytest.fixture(scope="module")
def server(started: Started) -> Server:
    return started.server


@pytest.fixture
def command_line(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    """With the database of the running server."""
    return CommandLine(server.database_url, tmp_path, monkeypatch, capsys)


# Beside a running server


def test_an_account_added_while_the_server_runs_signs_in(command_line: CommandLine, server: Server) -> None:
    added = command_line.add_account("anna.2@example.com", "Anna Łęcka")
    anna = server.signed_in("anna.2@example.com")
    assert anna.get("/me").json()["name"] == "Anna Łęcka"
    assert [workshop["id"] for workshop in anna.get("/workshops").json()["workshops"]] == [added["workshopId"]]


def test_suspension_ends_sessions_and_keys_until_activation(command_line: CommandLine, server: Server) -> None:
    workshop = command_line.add_account("anna.3@example.com")["workshopId"]
    key = command_line.run_json("api-keys", "issue", "anna.3@example.com", "--scope", "orders:read")["secret"]
    anna, program = server.signed_in("anna.3@example.com"), server.with_api_key(key)
    assert program.get(f"/workshops/{workshop}/orders").status_code == 200
    command_line.run_json("accounts", "suspend", "anna.3@example.com")
    assert anna.get("/me").status_code == 401
    assert program.get(f"/workshops/{workshop}/orders").status_code == 401
    command_line.run_json("accounts", "activate", "anna.3@example.com")
    assert server.signed_in("anna.3@example.com").get("/me").status_code == 200
    assert anna.get("/me").status_code == 401


def test_deleting_an_account_deletes_workshops_without_other_members(command_line: CommandLine, server: Server) -> None:
    workshop = command_line.add_account("anna.4@example.com")["workshopId"]
    command_line.add_account("bruno.4@example.com")
    bruno = server.signed_in("bruno.4@example.com")
    command_line.run_json("accounts", "delete", "anna.4@example.com")
    assert bruno.get(f"/workshops/{workshop}").status_code == 404
    assert command_line.add_account("anna.4@example.com")["workshopId"] != workshop


def test_a_plan_ends_when_it_expires(command_line: CommandLine, server: Server) -> None:
    workshop = command_line.add_account("anna.5@example.com")["workshopId"]
    anna = server.signed_in("anna.5@example.com")
    command_line.run_json(
        "workshops", "plan", workshop, "pro", "--until", "2099-01-31T12:00:00+01:00", "--source", "trial"
    )
    shown = anna.get(f"/workshops/{workshop}").json()
    assert (shown["plan"], shown["planExpiresAt"], shown["planSource"]) == ("pro", "2099-01-31T11:00:00.000Z", "trial")
    command_line.run_json("workshops", "plan", workshop, "pro", "--until", "2020-01-31")
    assert anna.get(f"/workshops/{workshop}").json()["plan"] == "free"
    command_line.run_json("workshops", "plan", workshop, "pro")
    assert anna.get(f"/workshops/{workshop}").json()["planExpiresAt"] is None
    command_line.run_json("workshops", "plan", workshop, "free")
    assert anna.get(f"/workshops/{workshop}").json()["plan"] == "free"


def test_a_plan_that_is_over_already_is_named_as_such(command_line: CommandLine) -> None:
    workshop = command_line.add_account("anna.5a@example.com")["workshopId"]
    over, running = (
        command_line.run("workshops", "plan", workshop, "pro", "--until", f"{year}-01-31T12:00:00Z").out
        for year in (2020, 2099)
    )
    passed = "until 2020-01-31T12:00:00.000Z, a time that has passed: pro is over already"
    assert over.startswith(f"{workshop} is on pro {passed}\n")
    assert running.startswith(f"{workshop} is on pro until 2099-01-31T12:00:00.000Z\n")


def test_an_added_member_sees_the_workshop_and_can_become_owner(command_line: CommandLine, server: Server) -> None:
    command_line.add_account("anna.6@example.com")
    command_line.add_account("bruno.6@example.com")
    workshop = command_line.run_json("workshops", "add", "--owner", "anna.6@example.com", "--name", "Oak & Ash")[
        "workshopId"
    ]
    bruno = server.signed_in("bruno.6@example.com")
    assert bruno.get(f"/workshops/{workshop}").status_code == 403
    command_line.run_json("members", "add", workshop, "bruno.6@example.com")
    assert [member["role"] for member in bruno.get(f"/workshops/{workshop}").json()["members"]] == ["owner", "member"]
    command_line.run_json("members", "add", workshop, "bruno.6@example.com", "--role", "owner")
    assert [member["role"] for member in bruno.get(f"/workshops/{workshop}").json()["members"]] == ["owner", "owner"]


def test_an_api_key_is_limited_to_its_scopes(command_line: CommandLine, server: Server) -> None:
    workshop = command_line.add_account("anna.7@example.com")["workshopId"]
    both = ("--scope", "orders:read", "--scope", "orders:write")
    issued = command_line.run_json("api-keys", "issue", "anna.7@example.com", *both, "--name", "Shop window")
    writer = server.with_api_key(issued["secret"])
    reader = server.with_api_key(command_line.run_json("api-keys", "issue", "anna.7@example.com", *both[:2])["secret"])
    assert writer.post(f"/workshops/{workshop}/orders", json={"title": "Oak table"}).status_code == 201
    assert reader.post(f"/workshops/{workshop}/orders", json={"title": "Oak table"}).status_code == 403
    keys = server.signed_in("anna.7@example.com").get("/me/api-keys").json()["apiKeys"]
    assert {key["name"]: key["scopes"] for key in keys} == {
        "Shop window": ["orders:read", "orders:write"],
        "command line": ["orders:read"],
    }


def test_an_api_key_can_have_every_scope(command_line: CommandLine, server: Server) -> None:
    workshop = command_line.add_account("anna.12@example.com")["workshopId"]
    scopes = sorted(get_args(Scope))
    options = [part for scope in scopes for part in ("--scope", scope)]
    issued = command_line.run_json("api-keys", "issue", "anna.12@example.com", *options)
    key = server.with_api_key(issued["secret"]).get("/key").json()
    assert (key["id"], key["scopes"], [entry["id"] for entry in key["workshops"]]) == (issued["id"], scopes, [workshop])


@pytest.mark.both_engines
def test_backup_doctor_and_migrate_work_while_the_server_runs(command_line: CommandLine, server: Server) -> None:
    command_line.add_account("anna.8@example.com")
    assert command_line.run_json("backup", "aside")["files"] == 0
    assert command_line.run_json("doctor")["ok"]
    assert command_line.run_json("migrate") == {"applied": 0}
    assert server.signed_in("anna.8@example.com").get("/me").status_code == 200


# The server


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_an_idle_worker_takes_less_than_80_mib(started: Started) -> None:
    assert 0 < started.idle_kib < 80 * 1024


def test_incomplete_settings_stop_the_start_with_one_line(command_line: CommandLine) -> None:
    command_line.set(AI_PROVIDER="openai", AI_KEY="sk")
    result = command_line.run("serve", "--port", str(free_port()))
    assert result.status == 1
    assert result.err == "backbench: BACKBENCH_AI_PROVIDER needs BACKBENCH_AI_MODEL, the name of a model\n"


def test_a_port_in_use_is_one_line_that_names_a_free_one(command_line: CommandLine) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = command_line.run("serve", "--port", port)
        demo = command_line.run("serve", "--demo", "--port", port)
    assert (result.status, demo.status) == (1, 1)
    line = f"backbench: cannot listen on 127.0.0.1 port {port}: Address already in use; "
    other = re.fullmatch(re.escape(line) + r"try --port (\d+)\n", result.err)
    assert other is not None
    assert int(other[1]) > int(port)
    assert re.fullmatch(re.escape(line) + r"try --port (\d+) \(make run PORT=\1\)\n", demo.err)


# Output


def test_the_json_option_works_in_any_position(command_line: CommandLine) -> None:
    before = command_line.run("--json", "version")
    assert before.json == command_line.run("version", "--json").json
    assert before.err == ""


def test_version_is_an_option_and_a_command(command_line: CommandLine) -> None:
    printed = command_line.run("version").out
    assert command_line.run("--version").out == printed
    # Of this checkout.
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    commit = subprocess.run(
        command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert printed == f"{__version__} (commit {commit})\n"
    printed_json = command_line.run("--version", "--json").json
    assert printed_json == {"version": __version__, "commit": commit, "repository": None}


def test_output_is_text_without_the_json_option(command_line: CommandLine) -> None:
    result = command_line.run("accounts", "add", "anna.50@example.com", "--name", "Anna", "--password", PASSWORD)
    assert re.fullmatch(
        r"anna.50@example\.com can sign in; its workshop is [0-9a-f-]{36}\nDatabase: \S.*\n", result.out
    )


def test_a_password_is_read_from_standard_input(
    command_line: CommandLine, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    assert command_line.run("accounts", "add", "typed@example.com", "--name", "Anna").status == 0
    server.signed_in("typed@example.com", PASSWORD)


FAILURES = {
    "accounts add anna --name Anna --password a-plane-and-a-saw": "'anna' is not an email address",
    "accounts add b@example.com --name <b> --password a-plane-and-a-saw": "is not a name",
    "accounts add b@example.com --name B --password short": "8 to 256",
    "accounts add b@example.com --name B --password iloveyou": "too easy to guess",
    "accounts add b@example.com --name B --password B@example.COM": "too easy to guess",
    "accounts suspend nobody@example.com": "there is no account nobody@example.com",
    "accounts activate nobody@example.com": "there is no account nobody@example.com",
    "accounts delete nobody@example.com": "there is no account nobody@example.com",
    "accounts delete \udcff@example.com": "is not an email address",
    "workshops add --owner nobody@example.com --name Oak": "there is no account nobody@example.com",
    f"workshops plan {UNKNOWN_ID} pro": f"there is no workshop {UNKNOWN_ID}",
    "workshops plan 1 pro": "'1' is not an id",
    f"workshops plan {UNKNOWN_ID} pro --until tomorrow": "'tomorrow' is not a time",
    f"workshops plan {UNKNOWN_ID} free --until 2030-01-01": "--until is for pro",
    f"members add {UNKNOWN_ID} anna@example.com": f"there is no workshop {UNKNOWN_ID}, or no account anna@example.com",
    "members add ' anna@example.com": "is not an id",
    "api-keys issue nobody@example.com --scope orders:read": "there is no account nobody@example.com",
    "restore nowhere": "nowhere is not a backup",
}
USAGE_ERRORS = {
    "nonsense": "No such command 'nonsense'",
    "accounts add": "Missing argument 'EMAIL'",
    "accounts add b@example.com": "Missing option '--name'",
    "api-keys issue anna@example.com --scope orders:eat": "'orders:eat'",
    "members add x anna@example.com --role king": "'king'",
    "serve --port many": "--port",
    "serve --workers 0": "--workers",
    "migrate --faster": "--faster",
}


@pytest.mark.parametrize("arguments", FAILURES)
def test_a_failing_command_prints_one_line(command_line: CommandLine, arguments: str) -> None:
    result = command_line.run(*arguments.split(" "))
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith("backbench: ")
    assert result.err.count("\n") == 1
    assert FAILURES[arguments] in result.err


@pytest.mark.parametrize("arguments", USAGE_ERRORS)
def test_a_usage_error_prints_one_line(command_line: CommandLine, arguments: str) -> None:
    result = command_line.run(*arguments.split(" "))
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("backbench: ")
    assert result.err.count("\n") == 1
    assert USAGE_ERRORS[arguments] in result.err


def test_email_addresses_are_case_insensitive(command_line: CommandLine) -> None:
    command_line.add_account("taken@example.com")
    result = command_line.run("accounts", "add", "TAKEN@Example.com", "--name", "Anna", "--password", PASSWORD)
    assert result.status == 1
    assert result.err == "backbench: an account with this email address exists\n"


def test_an_error_is_json_too(command_line: CommandLine) -> None:
    result = command_line.run("accounts", "suspend", "nobody@example.com", "--json")
    assert result.status == 1
    assert result.json == {"error": "there is no account nobody@example.com"}


def test_the_only_owner_of_a_workshop_with_members_is_not_deleted(command_line: CommandLine) -> None:
    workshop = command_line.add_account("anna.51@example.com")["workshopId"]
    command_line.add_account("bruno.51@example.com")
    command_line.run_json("members", "add", workshop, "bruno.51@example.com")
    result = command_line.run("accounts", "delete", "anna.51@example.com")
    assert result.status == 1
    assert workshop in result.err


def test_the_process_exits_with_the_status_and_no_traceback(command_line: CommandLine) -> None:
    command_line.set(SIGN_IN_LIMIT="ten")
    ended = subprocess.run([sys.executable, "-m", "backbench", "migrate"], capture_output=True, text=True)
    assert ended.returncode == 1
    assert (
        ended.stderr
        == "backbench: BACKBENCH_SIGN_IN_LIMIT='ten' is not understood: expected count/seconds, such as 10/900\n"
    )


UNUSABLE = {
    "sqlite:////proc/nowhere/x.db": r"/proc/nowhere/x\.db cannot be used now by user \S+: no such file or directory",
    "postgresql://nobody:pw@127.0.0.1:1/shop": r"shop on 127\.0\.0\.1:1 cannot be used now: connection refused",
    "postgresql://nobody@no-such-host.invalid/shop": r"shop on no-such-host\.invalid cannot be used now: .*host.*",
    "postgresql://127.0.0.1/shop?sslmode=no": r"shop on 127\.0\.0\.1 cannot be used now: its URL is not understood.*",
}


@pytest.mark.parametrize("url", UNUSABLE)
def test_an_unusable_database_is_one_line_with_its_name_and_reason(command_line: CommandLine, url: str) -> None:
    command_line.set(DATABASE_URL=url)
    result = command_line.run("migrate")
    assert result.status == 1
    assert re.fullmatch(rf"backbench: the database {UNUSABLE[url]}\n", result.err)


def test_a_file_that_is_no_database_is_named(tmp_path: Path, command_line: CommandLine) -> None:
    (tmp_path / "notes.txt").write_text("no database" * 500)
    command_line.set(DATABASE_URL=f"sqlite:///{tmp_path}/notes.txt")
    for arguments in (("migrate",), ("serve",), ("accounts", "list")):
        error = command_line.run(*arguments).err
        assert f"{tmp_path}/notes.txt cannot be used now by user" in error
        assert error.endswith(": the file is not an SQLite database\n")


def test_a_missing_postgres_database_is_named(new_command_line: CommandLine, postgres: Any) -> None:
    new_command_line.set(DATABASE_URL=new_database(postgres).replace("/test_", "/no_such_test_"))
    for command in ("migrate", "serve"):
        assert re.search(
            r"database no_such_test_\w+ on .* cannot be used now: no such database$", new_command_line.run(command).err
        )


def test_serve_and_migrate_refuse_a_postgres_database_that_is_not_utf8(
    new_command_line: CommandLine, postgres: Any
) -> None:
    url = new_database(postgres)
    name = url.partition("?")[0].rpartition("/")[2]
    postgres.psql(f"CREATE DATABASE {name}_latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    new_command_line.set(DATABASE_URL=url.replace(name, f"{name}_latin1"))
    for command in ("migrate", "serve"):
        result = new_command_line.run(command)
        assert result.status == 1
        assert "its encoding is LATIN1, and it must be UTF8" in result.err


@pytest.mark.both_engines
def test_a_rejected_database_login_is_reported_in_one_line(new_command_line: CommandLine, postgres: Any) -> None:
    url = new_database(postgres)
    postgres.psql("DROP USER IF EXISTS guest; CREATE USER guest PASSWORD 'guest'")
    new_command_line.set(DATABASE_URL=url.replace("postgres:@", "guest:guest@"))
    for arguments in (("migrate",), ("accounts", "suspend", "a@example.com")):
        result = new_command_line.run(*arguments)
        assert (result.status, result.err.count("\n")) == (1, 1)


def test_the_help_describes_every_command_in_one_line(command_line: CommandLine) -> None:
    result = command_line.run("--help")
    assert result.status == 0
    for command in ("serve", "migrate", "accounts", "workshops", "members", "api-keys", "backup", "restore", "doctor"):
        assert re.search(rf"^  {command} +[A-Z]", result.out, re.MULTILINE)


# Doctor


@pytest.mark.both_engines
def test_doctor_finds_nothing_wrong_with_a_new_installation(command_line: CommandLine) -> None:
    command_line.run_json("migrate")
    findings = {finding["part"]: finding for finding in command_line.run_json("doctor")["findings"]}
    assert {"settings", "database", "schema", "durability", "files", "disk"} <= findings.keys()
    assert all(finding["state"] != "wrong" for finding in findings.values())


@pytest.mark.both_engines
def test_doctor_says_what_to_do_about_an_outdated_schema(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    command_line.run_json("migrate")
    from backbench.engine import migrations

    later = migrations.Migration(9999, "later", "")
    known = migrations.known
    monkeypatch.setattr(migrations, "known", lambda engine: (*known(engine), later))
    result = command_line.run("doctor")
    assert result.status == 1
    assert re.search(r"^wrong +schema +at \d+ of 9999\n +Run `backbench migrate`", result.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"SIGN_UP": "maybe"}, "settings"),
        ({"DATABASE_URL": "sqlite:///elsewhere.db"}, "database"),
        ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}, "database"),
        ({"FILES_URL": "file:///proc/files"}, "files"),
        ({"PUBLIC_URL": "http://office.example.com"}, "https"),
        ({"STRIPE_SECRET_KEY": "sk_test"}, "stripe"),
        ({"AI_PROVIDER": "openai", "AI_KEY": "sk"}, "ai"),
        ({"GOOGLE_CLIENT_ID": "id"}, "google"),
    ],
)
def test_doctor_reports_what_is_wrong(command_line: CommandLine, settings: dict[str, str], part: str) -> None:
    command_line.run_json("migrate")
    command_line.set(**settings)
    result = command_line.run("doctor", "--json")
    assert result.status == 1
    wrong = [finding["part"] for finding in result.json["findings"] if finding["state"] == "wrong"]
    assert wrong == [part]
    assert next(finding["do"] for finding in result.json["findings"] if finding["part"] == part)


def closed_pipe() -> io.TextIOWrapper:
    """As `| true` leaves it."""
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w")


def full_disk() -> io.TextIOWrapper:
    return os.fdopen(os.open("/dev/full", os.O_WRONLY), "w")


OUTPUTS: dict[str, Callable[[], io.TextIOWrapper | None]] = {
    "no space left on device": full_disk,
    "broken pipe": closed_pipe,
    "it is closed": lambda: None,
}


def test_an_output_that_cannot_be_written_is_one_line(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with violations() as case:
        for reason, opened in OUTPUTS.items():
            for arguments in (["version"], ["accounts", "list", "--json"], ["members", "list", UNKNOWN_ID, "--json"]):
                output = opened()
                with case(f"{' '.join(arguments)}: {reason}"), monkeypatch.context() as failing:
                    failing.setattr(sys, "stdout", output)
                    result = command_line.run(*arguments)
                    lines = result.err.splitlines()
                    assert (result.status, lines[-1]) == (1, f"backbench: the output cannot be written: {reason}")
                    # What the command itself could not do is said, too.
                    assert len(lines) == (2 if "members" in arguments else 1)
                if output is not None:
                    output.close()


def test_a_help_that_cannot_be_written_ends_without_a_traceback(command_line: CommandLine) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "backbench", "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ended.returncode, ended.stderr) == (1, f"backbench: the output cannot be written: {next(iter(OUTPUTS))}\n")


@pytest.mark.both_engines
def test_doctor_says_what_a_changed_public_url_means(command_line: CommandLine) -> None:
    command_line.run_json("migrate")
    command_line.set(PUBLIC_URL="https://new.example.com", FORMER_URLS="https://old.example.com")
    (finding,) = [each for each in command_line.run_json("doctor")["findings"] if each["part"] == "address"]
    assert finding["state"] == "note"
    assert "https://old.example.com" in finding["says"]
    assert "sends what waits" in finding["do"]


@pytest.mark.parametrize(("bucket", "state"), [(s3_server.BUCKET, "ok"), ("no-such-bucket", "wrong")])
def test_doctor_tries_the_bucket(command_line: CommandLine, bucket: str, state: str) -> None:
    command_line.set(FILES_URL=f"s3://{bucket}/files")
    with s3_server.running_s3_server() as port, s3_server.environment(port):
        result = command_line.run("doctor", "--json")
    assert [finding["state"] for finding in result.json["findings"] if finding["part"] == "files"] == [state]


def test_doctor_says_that_the_credentials_must_list_the_bucket(new_command_line: CommandLine) -> None:
    """S3 refuses a missing object otherwise, and one lost file ends every backup."""
    new_command_line.run_json("migrate")
    new_command_line.set(FILES_URL=f"s3://{s3_server.BUCKET}/files")
    with s3_server.running_s3_server(may_list=False) as port, s3_server.environment(port):
        found = new_command_line.run("doctor", "--json").json["findings"]
    (finding,) = [each for each in found if each["part"] == "files"]
    assert finding["state"] == "wrong"
    assert "does not say which files are missing" in finding["says"]
    assert "s3:ListBucket" in finding["do"]


def test_doctor_reports_undeliverable_email(new_command_line: CommandLine) -> None:
    new_command_line.run_json("migrate")
    new_command_line.set(SMTP_URL=f"smtp://127.0.0.1:{free_port()}", SIGN_UP="open")
    sign_up = {"name": "Anna", "email": "anna.60@example.com", "password": PASSWORD, "acceptTerms": True}
    with new_command_line.running_server() as server:
        assert server.client().post("/accounts", json=sign_up).status_code == 202
        result = _wait_for_outbox_finding(new_command_line, "wrong")
    assert result.status == 1
    assert re.search(r"^wrong +outbox +1 cannot be sent .* 127\.0\.0\.1", result.out, re.MULTILINE), result.out
    assert "anna.60" not in result.out
    _abandon_all_emails()
    assert re.search(r"^note +outbox +1 were given up", new_command_line.run("doctor").out, re.MULTILINE)


def _wait_for_outbox_finding(command_line: CommandLine, state: str) -> CommandResult:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        result = command_line.run("doctor")
        if re.search(f"^{state} +outbox", result.out, re.MULTILINE):
            return result
        time.sleep(0.2)
    raise AssertionError(result.out)


def _abandon_all_emails() -> None:
    with_database(lambda db: db.write(lambda write: write.run("UPDATE outbox SET failed_at = due_at")))


def test_doctor_reports_a_damaged_file(tmp_path: Path, command_line: CommandLine) -> None:
    file = tmp_path / "damaged.db"
    command_line.set(DATABASE_URL=f"sqlite:///{file}")
    command_line.run_json("migrate")
    with contextlib.closing(apsw.Connection(str(file))) as database:
        [(root,)] = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'feedback'")
    pages = bytearray(file.read_bytes())
    pages[(root - 1) * 4096 : root * 4096] = b"!" * 4096
    file.write_bytes(pages)
    result = command_line.run("doctor", "--json")
    assert result.status == 1
    assert "integrity" in [finding["part"] for finding in result.json["findings"] if finding["state"] == "wrong"]
    assert "Traceback" not in result.err


def test_doctor_creates_no_database(tmp_path: Path, command_line: CommandLine) -> None:
    command_line.set(DATABASE_URL=f"sqlite:///{tmp_path}/none.db")
    assert command_line.run("doctor").status == 1
    assert not (tmp_path / "none.db").exists()


def test_plan_expiry_is_stored_in_utc(command_line: CommandLine) -> None:
    workshop = command_line.add_account("anna.52@example.com")["workshopId"]
    plan = command_line.run_json("workshops", "plan", workshop, "pro", "--until", "2030-06-01T00:00:00-05:00")
    assert times.parse(plan["planExpiresAt"]) == times.parse("2030-06-01T05:00:00.000Z")


def test_a_server_starts_without_what_it_does_not_need(tmp_path: Path) -> None:
    """Each takes time at every start, and memory as long as the server runs."""
    unneeded = {
        *("typer", "pydantic", "rich", "rich.text", "asyncpg", "httpx", "httpx2", "stripe", "authlib"),
        *("pydantic_ai", "openai", "anthropic"),
        *("typst", "pypdfium2", "isal", "segno", "regex", "prometheus_client", "aiosmtplib"),
        "python_calamine",
        # Of the standard library: what the ones above would import too.
        *("email.message", "http.client", "http.cookies", "http.server", "tomllib", "urllib.request"),
        *("backbench.hosting.metrics", "backbench.reference", "backbench.http.openapi.document"),
    }
    code = (
        "import sys, backbench.cli, backbench.serving\n"
        "assert backbench.cli.server.plain_options(['serve', '--port', '8000', '--workers=2', '--demo'])\n"
        "from backbench.site.site import site\n"
        "from backbench.values.scalars import EMAIL_PATTERN\n"
        "import re\n"
        "application = backbench.serving.Backbench(backbench.serving.Settings())\n"
        "print('*', *(name for name, module in sys.modules.items() if module))\n"
        "print('*', site.cache_info().currsize, any(key[1] == EMAIL_PATTERN for key in re._cache))\n"
        "application.prepare()\n"
        "print('*', site.cache_info().currsize, any(key[1] == EMAIL_PATTERN for key in re._cache))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, cwd=tmp_path)
    modules, at_start, prepared = (line.split()[1:] for line in run.stdout.splitlines() if line.startswith("*"))
    # Made once the server is ready: the site, and a pattern that takes long.
    assert (at_start, prepared) == (["0", "False"], ["1", "True"])
    assert unneeded.isdisjoint(modules), sorted(unneeded.intersection(modules))


@pytest.mark.parametrize(
    "words",
    [
        ["migrate"],
        ["serve", "--help"],
        ["serve", "--port"],
        ["serve", "--port", "0"],
        ["serve", "--port=65536"],
        ["serve", "--workers", "65"],
        ["serve", "--workers", "١"],
        ["serve", "--host", "--demo"],
        ["serve", "--host="],
        ["serve", "--demo=yes"],
        ["serve", "here"],
    ],
)
def test_typer_reads_all_but_plain_options_of_a_server(words: list[str]) -> None:
    assert plain_options(words) is None


def test_plain_options_of_a_server_are_read() -> None:
    assert plain_options(["serve", "--host", "::1", "--port=80", "--workers", "64", "--demo"]) == {
        "host": "::1",
        "port": 80,
        "workers": 64,
        "demo": True,
    }
