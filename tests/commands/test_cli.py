"""The command line: what the host can do with it, beside a server that runs, and what it says when it cannot."""

import io
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backbench.commands.database import in_database
from backbench.domain.values import times
from tests.support import buckets
from tests.support.engines import new_database
from tests.support.hosts import PASSWORD, Host, Server, Told, free_port, serving

NIL_ID = "01943e5a-7c1f-7d3e-9b52-0f6a4c8e1d27"


@pytest.fixture
def host(
    empty_database_url: Callable[[], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Host:
    """With a database of its own, which is empty."""
    return Host(empty_database_url(), tmp_path, monkeypatch, capsys)


@pytest.fixture(scope="module")
def server(new_database_url: Callable[[], str]) -> Iterator[Server]:
    with serving({**os.environ, "BACKBENCH_DATABASE_URL": new_database_url()}) as running:
        yield running


@pytest.fixture
def keeper(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Host:
    """The host beside the server that runs."""
    return Host(server.database_url, tmp_path, monkeypatch, capsys)


# Beside a server that runs


def test_an_account_added_while_the_server_runs_signs_in(keeper: Host, server: Server) -> None:
    added = keeper.account("anna.2@example.com", "Anna Łęcka")
    anna = server.signed_in("anna.2@example.com")
    assert anna.get("/me").json()["name"] == "Anna Łęcka"
    assert [workshop["id"] for workshop in anna.get("/workshops").json()["workshops"]] == [added["workshopId"]]


def test_suspension_ends_sessions_and_keys_at_once_and_activation_lets_in_again(keeper: Host, server: Server) -> None:
    workshop = keeper.account("anna.3@example.com")["workshopId"]
    key = keeper.gets("api-keys", "issue", "anna.3@example.com", "--scope", "orders:read")["secret"]
    anna, program = server.signed_in("anna.3@example.com"), server.program(key)
    assert program.get(f"/workshops/{workshop}/orders").status_code == 200
    keeper.gets("accounts", "suspend", "anna.3@example.com")
    assert anna.get("/me").status_code == 401
    assert program.get(f"/workshops/{workshop}/orders").status_code == 401
    keeper.gets("accounts", "activate", "anna.3@example.com")
    assert server.signed_in("anna.3@example.com").get("/me").status_code == 200
    assert anna.get("/me").status_code == 401


def test_a_deleted_account_is_gone_with_the_workshops_it_alone_belonged_to(keeper: Host, server: Server) -> None:
    workshop = keeper.account("anna.4@example.com")["workshopId"]
    keeper.account("bruno.4@example.com")
    bruno = server.signed_in("bruno.4@example.com")
    keeper.gets("accounts", "delete", "anna.4@example.com")
    assert bruno.get(f"/workshops/{workshop}").status_code == 404
    assert keeper.account("anna.4@example.com")["workshopId"] != workshop


def test_a_plan_holds_until_its_time(keeper: Host, server: Server) -> None:
    workshop = keeper.account("anna.5@example.com")["workshopId"]
    anna = server.signed_in("anna.5@example.com")
    keeper.gets("workshops", "plan", workshop, "pro", "--until", "2099-01-31T12:00:00+01:00", "--source", "trial")
    shown = anna.get(f"/workshops/{workshop}").json()
    assert (shown["plan"], shown["planExpiresAt"], shown["planSource"]) == ("pro", "2099-01-31T11:00:00.000Z", "trial")
    keeper.gets("workshops", "plan", workshop, "pro", "--until", "2020-01-31")
    assert anna.get(f"/workshops/{workshop}").json()["plan"] == "free"
    keeper.gets("workshops", "plan", workshop, "pro")
    assert anna.get(f"/workshops/{workshop}").json()["planExpiresAt"] is None
    keeper.gets("workshops", "plan", workshop, "free")
    assert anna.get(f"/workshops/{workshop}").json()["plan"] == "free"


def test_a_member_added_sees_the_workshop_and_an_owner_may_become_one(keeper: Host, server: Server) -> None:
    keeper.account("anna.6@example.com")
    keeper.account("bruno.6@example.com")
    workshop = keeper.gets("workshops", "add", "--owner", "anna.6@example.com", "--name", "Oak & Ash")["workshopId"]
    bruno = server.signed_in("bruno.6@example.com")
    assert bruno.get(f"/workshops/{workshop}").status_code == 403
    keeper.gets("members", "add", workshop, "bruno.6@example.com")
    assert [member["role"] for member in bruno.get(f"/workshops/{workshop}").json()["members"]] == ["owner", "member"]
    keeper.gets("members", "add", workshop, "bruno.6@example.com", "--role", "owner")
    assert [member["role"] for member in bruno.get(f"/workshops/{workshop}").json()["members"]] == ["owner", "owner"]


def test_a_key_does_what_its_scopes_say(keeper: Host, server: Server) -> None:
    workshop = keeper.account("anna.7@example.com")["workshopId"]
    both = ("--scope", "orders:read", "--scope", "orders:write")
    issued = keeper.gets("api-keys", "issue", "anna.7@example.com", *both, "--name", "Shop window")
    writer = server.program(issued["secret"])
    reader = server.program(keeper.gets("api-keys", "issue", "anna.7@example.com", *both[:2])["secret"])
    assert writer.post(f"/workshops/{workshop}/orders", json={"title": "Oak table"}).status_code == 201
    assert reader.post(f"/workshops/{workshop}/orders", json={"title": "Oak table"}).status_code == 403
    keys = server.signed_in("anna.7@example.com").get("/me/api-keys").json()["apiKeys"]
    assert {key["name"]: key["scopes"] for key in keys} == {
        "Shop window": ["orders:read", "orders:write"],
        "command line": ["orders:read"],
    }


def test_a_backup_is_made_and_the_doctor_comes_while_the_server_runs(keeper: Host, server: Server) -> None:
    keeper.account("anna.8@example.com")
    assert keeper.gets("backup", "aside")["files"] == 0
    assert keeper.gets("doctor")["ok"]
    assert keeper.gets("migrate") == {"applied": 0}
    assert server.signed_in("anna.8@example.com").get("/me").status_code == 200


# The server


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_worker_is_small(server: Server) -> None:
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    resident = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{children[0]}/status").read_text())
    assert resident is not None
    assert int(resident[1]) < 80 * 1024


def test_parts_that_are_set_up_by_halves_stop_the_start_with_one_clear_line(keeper: Host) -> None:
    keeper.set(AI_PROVIDER="openai", AI_KEY="sk")
    told = keeper.types("serve", "--port", str(free_port()))
    assert told.status == 1
    assert told.err == "backbench: BACKBENCH_AI_PROVIDER needs BACKBENCH_AI_MODEL, the name of a model\n"


def test_a_port_in_use_is_one_line_that_names_a_free_one(keeper: Host) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        told = keeper.types("serve", "--port", port)
        demo = keeper.types("serve", "--demo", "--port", port)
    assert (told.status, demo.status) == (1, 1)
    line = f"backbench: cannot listen on 127.0.0.1 port {port}: Address already in use; "
    other = re.fullmatch(re.escape(line) + r"try --port (\d+)\n", told.err)
    assert other is not None
    assert int(other[1]) > int(port)
    assert re.fullmatch(re.escape(line) + r"try --port (\d+), or make run PORT=\1\n", demo.err)


# What it says


def test_json_may_stand_anywhere(keeper: Host) -> None:
    before = keeper.types("--json", "version")
    assert before.json == keeper.types("version", "--json").json
    assert before.err == ""


def test_version_is_an_option_and_a_command(keeper: Host) -> None:
    assert keeper.types("--version").out == keeper.types("version").out == "0.1.0\n"
    assert keeper.types("--version", "--json").json == {"version": "0.1.0"}


def test_without_json_people_get_words(keeper: Host) -> None:
    told = keeper.types("accounts", "add", "anna.50@example.com", "--name", "Anna", "--password", PASSWORD)
    assert re.fullmatch(r"anna.50@example\.com may sign in; its workshop is [0-9a-f-]{36}\n", told.out)


def test_a_password_may_come_from_standard_input(keeper: Host, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    assert keeper.types("accounts", "add", "typed@example.com", "--name", "Anna").status == 0
    server.signed_in("typed@example.com", PASSWORD)


FAILURES = {
    "accounts add anna --name Anna --password a-plane-and-a-saw": "'anna' is not an e-mail address",
    "accounts add b@example.com --name <b> --password a-plane-and-a-saw": "is not a name",
    "accounts add b@example.com --name B --password short": "8 to 256",
    "accounts add b@example.com --name B --password iloveyou": "too easy to guess",
    "accounts add b@example.com --name B --password B@example.COM": "too easy to guess",
    "accounts suspend nobody@example.com": "there is no account nobody@example.com",
    "accounts activate nobody@example.com": "there is no account nobody@example.com",
    "accounts delete nobody@example.com": "there is no account nobody@example.com",
    "accounts delete \udcff@example.com": "is not an e-mail address",
    "workshops add --owner nobody@example.com --name Oak": "there is no account nobody@example.com",
    f"workshops plan {NIL_ID} pro": f"there is no workshop {NIL_ID}",
    "workshops plan 1 pro": "'1' is not an id",
    f"workshops plan {NIL_ID} pro --until tomorrow": "'tomorrow' is not a time",
    f"workshops plan {NIL_ID} free --until 2030-01-01": "--until goes with pro",
    f"members add {NIL_ID} anna@example.com": f"there is no workshop {NIL_ID}, or no account anna@example.com",
    "members add ' anna@example.com": "is not an id",
    "api-keys issue nobody@example.com --scope orders:read": "there is no account nobody@example.com",
    "restore nowhere": "nowhere is not a backup",
}
MISUNDERSTOOD = {
    "nonsense": "No such command 'nonsense'",
    "accounts add": "Missing argument 'EMAIL'",
    "accounts add b@example.com": "Missing option '--name'",
    "api-keys issue anna@example.com --scope orders:eat": "'orders:eat'",
    "members add x anna@example.com --role king": "'king'",
    "serve --port many": "--port",
    "serve --workers 0": "--workers",
    "migrate --faster": "--faster",
}


@pytest.mark.parametrize("words", FAILURES)
def test_what_cannot_be_done_is_one_clear_line(keeper: Host, words: str) -> None:
    told = keeper.types(*words.split(" "))
    assert (told.status, told.out) == (1, "")
    assert told.err.startswith("backbench: ")
    assert told.err.count("\n") == 1
    assert FAILURES[words] in told.err


@pytest.mark.parametrize("words", MISUNDERSTOOD)
def test_what_is_not_understood_is_one_clear_line(keeper: Host, words: str) -> None:
    told = keeper.types(*words.split(" "))
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith("backbench: ")
    assert told.err.count("\n") == 1
    assert MISUNDERSTOOD[words] in told.err


def test_an_address_is_taken_in_whatever_case(keeper: Host) -> None:
    keeper.account("taken@example.com")
    told = keeper.types("accounts", "add", "TAKEN@Example.com", "--name", "Anna", "--password", PASSWORD)
    assert told.status == 1
    assert told.err == "backbench: an account with this e-mail address exists\n"


def test_scripts_get_the_failure_as_json_too(keeper: Host) -> None:
    told = keeper.types("accounts", "suspend", "nobody@example.com", "--json")
    assert told.status == 1
    assert told.json == {"error": "there is no account nobody@example.com"}


def test_an_owner_whom_a_workshop_needs_is_not_deleted(keeper: Host) -> None:
    workshop = keeper.account("anna.51@example.com")["workshopId"]
    keeper.account("bruno.51@example.com")
    keeper.gets("members", "add", workshop, "bruno.51@example.com")
    told = keeper.types("accounts", "delete", "anna.51@example.com")
    assert told.status == 1
    assert workshop in told.err


def test_the_process_ends_with_the_status_and_no_traceback(keeper: Host) -> None:
    keeper.set(SIGN_IN_LIMIT="ten")
    ended = subprocess.run([sys.executable, "-m", "backbench", "migrate"], capture_output=True, text=True)
    assert ended.returncode == 1
    assert (
        ended.stderr
        == "backbench: BACKBENCH_SIGN_IN_LIMIT='ten' is not understood: expected count/seconds, such as 10/900\n"
    )


@pytest.mark.parametrize("url", ["sqlite:////proc/nowhere/x.db", "postgresql://nobody@127.0.0.1:1/nothing"])
def test_a_database_out_of_reach_is_one_clear_line(keeper: Host, url: str) -> None:
    keeper.set(DATABASE_URL=url)
    for words in (("migrate",), ("serve", "--port", str(free_port())), ("accounts", "suspend", "a@example.com")):
        told = keeper.types(*words)
        assert told.status == 1
        assert re.fullmatch(r"backbench: the database cannot be used now \(\w+\)\n", told.err)


def test_a_database_that_lets_nobody_in_is_one_clear_line(host: Host, postgres: Any) -> None:
    url = new_database(postgres)
    postgres.psql("DROP USER IF EXISTS guest; CREATE USER guest PASSWORD 'guest'")
    host.set(DATABASE_URL=url.replace("postgres:@", "guest:guest@"))
    for words in (("migrate",), ("accounts", "suspend", "a@example.com")):
        told = host.types(*words)
        assert (told.status, told.err.count("\n")) == (1, 1)


def test_every_command_is_in_the_help_with_a_line_about_it(keeper: Host) -> None:
    told = keeper.types("--help")
    assert told.status == 0
    for command in ("serve", "migrate", "accounts", "workshops", "members", "api-keys", "backup", "restore", "doctor"):
        assert re.search(rf"^  {command} +[A-Z]", told.out, re.MULTILINE)


# The doctor


def test_the_doctor_finds_a_shop_well(keeper: Host) -> None:
    keeper.gets("migrate")
    findings = {finding["part"]: finding for finding in keeper.gets("doctor")["findings"]}
    assert {"settings", "database", "schema", "durability", "files", "disk"} <= findings.keys()
    assert all(finding["state"] != "wrong" for finding in findings.values())


def test_the_doctor_says_what_to_do_about_a_schema_that_is_behind(
    keeper: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper.gets("migrate")
    from backbench.storage.engine import migrations

    later = migrations.Migration(9999, "later", "")
    known = migrations.known
    monkeypatch.setattr(migrations, "known", lambda engine: (*known(engine), later))
    told = keeper.types("doctor")
    assert told.status == 1
    assert re.search(r"^wrong +schema +at \d+ of 9999\n +Run `backbench migrate`", told.out, re.MULTILINE)


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
def test_the_doctor_finds_what_is_wrong(keeper: Host, settings: dict[str, str], part: str) -> None:
    keeper.gets("migrate")
    keeper.set(**settings)
    told = keeper.types("doctor", "--json")
    assert told.status == 1
    wrong = [finding["part"] for finding in told.json["findings"] if finding["state"] == "wrong"]
    assert wrong == [part]
    assert next(finding["do"] for finding in told.json["findings"] if finding["part"] == part)


@pytest.mark.parametrize(("bucket", "state"), [(buckets.NAME, "ok"), ("no-such-bucket", "wrong")])
def test_the_doctor_tries_the_bucket(keeper: Host, bucket: str, state: str) -> None:
    keeper.set(FILES_URL=f"s3://{bucket}/files")
    with buckets.s3_service() as port, buckets.environment(port):
        told = keeper.types("doctor", "--json")
    assert [finding["state"] for finding in told.json["findings"] if finding["part"] == "files"] == [state]


def test_the_doctor_tells_of_mails_that_do_not_go_out(host: Host) -> None:
    host.gets("migrate")
    host.set(SMTP_URL=f"smtp://127.0.0.1:{free_port()}", SIGN_UP="open")
    wish = {"name": "Anna", "email": "anna.60@example.com", "password": PASSWORD, "acceptTerms": True}
    with host.serving() as server:
        assert server.browser().post("/accounts", json=wish).status_code == 202
        told = _when_the_doctor_finds(host, "wrong")
    assert told.status == 1
    assert re.search(r"^wrong +outbox +1 cannot be sent .* 127\.0\.0\.1", told.out, re.MULTILINE), told.out
    assert "anna.60" not in told.out
    _give_up_all_mails(host)
    assert re.search(r"^note +outbox +1 were given up", host.types("doctor").out, re.MULTILINE)


def _when_the_doctor_finds(host: Host, state: str) -> Told:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        told = host.types("doctor")
        if re.search(f"^{state} +outbox", told.out, re.MULTILINE):
            return told
        time.sleep(0.2)
    raise AssertionError(told.out)


def _give_up_all_mails(host: Host) -> None:
    in_database(lambda db: db.write(lambda write: write.run("UPDATE outbox SET failed_at = due_at")))


def test_the_doctor_finds_a_damaged_file(tmp_path: Path, keeper: Host) -> None:
    file = tmp_path / "damaged.db"
    keeper.set(DATABASE_URL=f"sqlite:///{file}")
    keeper.gets("migrate")
    pages = bytearray(file.read_bytes())
    pages[-3 * 4096 :] = b"!" * 3 * 4096
    file.write_bytes(pages)
    told = keeper.types("doctor", "--json")
    assert told.status == 1
    assert "integrity" in [finding["part"] for finding in told.json["findings"] if finding["state"] == "wrong"]


def test_the_doctor_makes_no_database(tmp_path: Path, keeper: Host) -> None:
    keeper.set(DATABASE_URL=f"sqlite:///{tmp_path}/none.db")
    assert keeper.types("doctor").status == 1
    assert not (tmp_path / "none.db").exists()


def test_the_times_of_plans_are_utc(keeper: Host) -> None:
    workshop = keeper.account("anna.52@example.com")["workshopId"]
    plan = keeper.gets("workshops", "plan", workshop, "pro", "--until", "2030-06-01T00:00:00-05:00")
    assert times.parse(plan["planExpiresAt"]) == times.parse("2030-06-01T05:00:00.000Z")
