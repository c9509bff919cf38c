"""`backbench doctor` tries what the service needs: a write, the permissions, SMTP. No message is a traceback."""

import asyncio
import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backbench.commands import doctor
from backbench.demo.workshop import WORKSHOPS, contents
from tests.people import PASSWORD
from tests.support.command_line import CommandLine, CommandResult
from tests.support.providers.smtp_server import post_office
from tests.support.server import free_port

NOBODY = 65534


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """In a folder with a database."""
    commands = CommandLine(f"sqlite:///{tmp_path}/office.db", tmp_path, monkeypatch, capsys)
    commands.run_json("migrate")
    return commands


@pytest.fixture
def command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[CommandLine]:
    """In a folder with a database, both of an ordinary user: permissions do not apply to root."""
    with tempfile.TemporaryDirectory() as folder:
        commands = CommandLine(f"sqlite:///{folder}/data/office.db", Path(folder), monkeypatch, capsys)
        is_root = os.geteuid() == 0
        # Imports what the commands need, which another user may not be able to read.
        assert commands.run("serve", "--host", "203.0.113.1").status == 1
        commands.run_json("migrate")
        commands.add_account("anna@example.com")
        commands.run("doctor")
        if is_root:
            for path in (Path(folder), *Path(folder).rglob("*")):
                os.chown(path, NOBODY, -1)
            os.seteuid(NOBODY)
        try:
            yield commands
        finally:
            if is_root:
                os.seteuid(0)
            with contextlib.suppress(FileNotFoundError):
                (Path(folder) / "data").chmod(0o700)


def wrong(result: CommandResult) -> dict[str, Any]:
    assert (result.status, result.err) == (1, "")
    return {each["part"]: each for each in result.json["findings"] if each["state"] == "wrong"}


def one_line(result: CommandResult) -> str:
    assert (result.status, result.err.count("\n")) == (1, 1), result
    return result.err


ADD = ("accounts", "add", "bruno@example.com", "--name", "Bruno", "--password", PASSWORD)


def test_a_data_folder_of_another_user_is_named_with_path_and_user(command_line: CommandLine) -> None:
    (command_line.folder / "data").chmod(0)
    database = command_line.folder / "data" / "office.db"
    for arguments in (ADD, ("serve", "--port", str(free_port())), ("migrate",)):
        assert f"{database} cannot be used now by user " in one_line(command_line.run(*arguments))
    finding = wrong(command_line.run("doctor", "--json"))["database"]
    assert f"{database} cannot be used now by user " in finding["says"]
    assert finding["says"].endswith(": permission denied")


def test_doctor_finds_a_database_that_cannot_be_written(command_line: CommandLine) -> None:
    (command_line.folder / "data" / "office.db").chmod(0o400)
    finding = wrong(command_line.run("doctor", "--json"))["database"]
    assert finding["says"].endswith(": its files are read-only for this user")
    assert "chown" in finding["do"]


def damaged(path: Path) -> None:
    content = bytearray(path.read_bytes())
    # The root page of the catalog of tables, behind the header of 100 bytes.
    content[100:200] = b"\xff" * 100
    path.write_bytes(content)


def overwritten(path: Path) -> None:
    path.write_bytes(b"not a database " * 1000)


@pytest.mark.parametrize(
    ("damage", "says", "do"),
    [
        (damaged, "the file is damaged", "Restore the latest backup"),
        (overwritten, "the file is not an SQLite database", "If BACKBENCH_DATABASE_URL names the right file: Restore"),
    ],
)
def test_advice_about_a_database_fits_the_cause(
    office: CommandLine, damage: Callable[[Path], None], says: str, do: str
) -> None:
    damage(office.folder / "office.db")
    finding = wrong(office.run("doctor", "--json"))["database"]
    assert says in finding["says"]
    assert finding["do"].startswith(do)
    assert "chown" not in finding["do"]


def test_a_full_disk_is_named_for_any_error(command_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    (command_line.folder / "data" / "office.db").chmod(0o400)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: (1000, 1000, 0))
    finding = wrong(command_line.run("doctor", "--json"))["database"]
    assert finding["do"] == f"The disk is full: free some space in {command_line.folder}/data. No stored data is lost."


def test_a_read_only_shm_file_is_one_line(command_line: CommandLine) -> None:
    shm = command_line.folder / "data" / "office.db-shm"
    for arguments in (ADD, ("migrate",), ("doctor", "--json")):
        # Closing the database deletes it.
        shm.touch()
        shm.chmod(0o400)
        result = command_line.run(*arguments)
        assert result.status == 1
        assert "read-only for this user" in result.out + result.err
        assert "raceback" not in result.err


def test_doctor_leaves_nothing_behind(command_line: CommandLine) -> None:
    before = command_line.run_json("backup", "before")["rows"]
    assert command_line.run("doctor").status == 0
    assert command_line.run("doctor").status == 0
    assert command_line.run_json("backup", "after")["rows"] == before


def test_doctor_advises_nothing_that_hides_data(command_line: CommandLine) -> None:
    (command_line.folder / "data").rename(command_line.folder / "away")
    finding = wrong(command_line.run("doctor", "--json"))["database"]
    assert finding["says"] == f"not found at {command_line.folder}/data/office.db"
    assert "Moved, or its disk not mounted?" in finding["do"]
    assert "migrate" not in finding["do"]


def test_a_check_that_fails_unexpectedly_does_not_end_the_others(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: str) -> None:
        raise RuntimeError("unexpected\nand long")

    monkeypatch.setattr(doctor, "files", fail)
    findings = command_line.run("doctor", "--json").json["findings"]
    assert [each["says"] for each in findings if each["part"] == "files"] == [
        "the check itself failed: RuntimeError: unexpected and long"
    ]
    assert {"database", "disk", "mail"} <= {each["part"] for each in findings}


def test_doctor_names_both_demo_accounts(office: CommandLine) -> None:
    emails = [contents(name).owner.email for name in WORKSHOPS]
    for email in emails:
        office.add_account(email)
    noted = [finding for finding in office.run("doctor", "--json").json["findings"] if finding["part"] == "demo"]
    assert [email in finding["says"] for email, finding in zip(emails, noted, strict=True)] == [True, True]


def test_a_restore_into_a_database_that_is_not_empty_names_it(office: CommandLine) -> None:
    office.add_account("anna@example.com")
    office.run_json("backup", "copy")
    error = one_line(office.run("restore", "copy"))
    assert f"the database {office.folder}/office.db is not empty; restore into a new one" in error


# Email


async def mail_finding(office: CommandLine, url: str) -> Any:
    office.set(SMTP_URL=url)
    result = await asyncio.to_thread(office.run, "doctor", "--json")
    return next(finding for finding in result.json["findings"] if finding["part"] == "mail")


async def test_doctor_connects_to_the_smtp_server_and_signs_in(office: CommandLine) -> None:
    async with post_office(login="office:secret@") as server:
        finding = await mail_finding(office, server.url)
        assert (finding["state"], finding["says"]) == ("ok", "127.0.0.1 responds and signs in")
        assert (server.logins, server.emails) == ([("office", "secret")], [])
        server.is_login_right = False
        finding = await mail_finding(office, server.url)
    assert finding["state"] == "wrong"
    assert "535" in finding["says"]
    assert "secret" not in finding["says"]


async def test_doctor_reports_a_mail_server_that_does_not_respond(office: CommandLine) -> None:
    finding = await mail_finding(office, f"smtp://127.0.0.1:{free_port()}")
    assert finding["state"] == "wrong"
    assert finding["says"] == "127.0.0.1 cannot be used: connection refused"
