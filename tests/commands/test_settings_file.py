"""`--env-file`: one settings file for the service and for every command, from any folder."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from backbench.commands.configuration import settings
from tests.people import PASSWORD
from tests.support.command_line import CommandLine
from tests.support.databases import new_database
from tests.support.providers import s3_server
from tests.support.violations import violations


@pytest.fixture
def command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """In an empty folder, without a setting in the environment."""
    (tmp_path / "elsewhere").mkdir()
    commands = CommandLine("", tmp_path / "elsewhere", monkeypatch, capsys)
    commands.set(DATABASE_URL="", FILES_URL="")
    monkeypatch.delenv("BACKBENCH_DATABASE_URL")
    monkeypatch.delenv("BACKBENCH_FILES_URL")
    return commands


def names_here() -> list[str]:
    return [path.name for path in Path().iterdir()]


@pytest.fixture
def env_file(tmp_path: Path) -> Path:
    file = tmp_path / "backbench.env"
    file.write_text(
        f"BACKBENCH_DATABASE_URL=sqlite:///{tmp_path}/lib/office.db\n"
        f"BACKBENCH_FILES_URL=file://{tmp_path}/lib/files\n"
        "BACKBENCH_MAIL_FROM=Our Workshop <office@example.com>\n"
        "BACKBENCH_PORT=8123\n"
    )
    return file


def test_every_command_reads_the_settings_file(command_line: CommandLine, env_file: Path, tmp_path: Path) -> None:
    own = ("--env-file", str(env_file))
    assert command_line.run(*own, "migrate").out.endswith(f"\nDatabase: {tmp_path}/lib/office.db\n")
    anna = ("anna@example.com", "--name", "Anna", "--password", PASSWORD)
    assert command_line.run("accounts", "add", *anna, f"--env-file={env_file}").status == 0
    listed = command_line.run_json("accounts", "list", *own)["accounts"]
    assert [account["email"] for account in listed] == ["anna@example.com"]
    assert command_line.run_json("backup", "saved", *own)["rows"] > 0
    doctor = command_line.run(*own, "doctor")
    assert doctor.status == 0, doctor
    assert f"valid, read from {env_file}; listens on 127.0.0.1 port 8123" in doctor.out
    assert names_here() == ["saved"]


def test_without_the_option_the_file_of_the_folder_is_read(
    command_line: CommandLine, env_file: Path, tmp_path: Path
) -> None:
    env_file.rename(tmp_path / "elsewhere" / ".env")
    assert f"Database: {tmp_path}/lib/office.db\n" in command_line.run("migrate").out
    other = tmp_path / "other.env"
    other.write_text("BACKBENCH_DATABASE_URL=sqlite:///other.db\n")
    assert f"Database: {tmp_path}/elsewhere/other.db\n" in command_line.run("migrate", "--env-file", str(other)).out


@pytest.mark.parametrize("arguments", ["migrate --env-file none.env", "--env-file=none.env serve"])
def test_a_settings_file_that_does_not_exist_is_named_in_full(command_line: CommandLine, arguments: str) -> None:
    result = command_line.run(*arguments.split())
    assert (result.status, result.err) == (1, f"backbench: there is no settings file {command_line.folder}/none.env\n")


def test_a_folder_is_no_settings_file(command_line: CommandLine) -> None:
    result = command_line.run("doctor", "--env-file", str(command_line.folder))
    expected = f"backbench: {command_line.folder} is a folder, not a settings file\n"
    assert (result.status, result.err) == (1, expected)


def test_the_option_needs_a_file(command_line: CommandLine) -> None:
    result = command_line.run("migrate", "--env-file")
    assert (result.status, result.err.count("\n")) == (2, 1)


def test_an_unreadable_settings_file_is_one_line_with_path_and_user(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    result = command_line.run("accounts", "list")
    expected = rf"backbench: {command_line.folder}/\.env cannot be read by user \S+: permission denied\n"
    assert re.fullmatch(expected, result.err)


def test_aws_variables_of_the_file_reach_the_bucket_library(
    command_line: CommandLine, env_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_REGION", "eu-north-1")
    # Set and deleted first, so that pytest removes what the command sets.
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    env_file.write_text("BACKBENCH_FILES_URL=s3://shop/files\nAWS_ACCESS_KEY_ID=anna\nAWS_REGION=eu-west-1\nOTHER=1\n")
    env_file.rename(command_line.folder / ".env")
    assert settings().files_url == "s3://shop/files"
    assert (os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_REGION"]) == ("anna", "eu-north-1")
    assert "OTHER" not in os.environ


ENDPOINTS = [
    "objects.example.com",
    "ftp://objects.example.com",
    "https://",
    "http://127.0.0.1:99999",
    "http://127.0.0.1:abc",
    "http://[::1",
    "http://objects example.com",
    "http://objects.example.com/a<b",
    "http://anna:hunter2@objects.example.com",
]


def test_an_endpoint_that_the_bucket_library_fails_with_is_one_line(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library ends its thread with a panic, and prints its own traceback."""
    command_line.run_json("migrate")
    command_line.set(FILES_URL=f"s3://{s3_server.BUCKET}/files")
    for name, value in s3_server.CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    with violations() as case:
        for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"):
            for endpoint in ENDPOINTS:
                with case(f"{name}={endpoint}"), monkeypatch.context() as environment:
                    environment.setenv(name, endpoint)
                    backup, doctor = command_line.run("backup", "one"), command_line.run("doctor", "--json")
                    assert (backup.status, backup.err.count("\n")) == (1, 1)
                    assert f"{name} is not understood: expected" in backup.err
                    assert "hunter2" not in backup.err + doctor.out
                    assert [each["part"] for each in doctor.json["findings"]] == ["settings"]
    # As compose files write what is left open.
    monkeypatch.setenv("AWS_ENDPOINT_URL", "")
    settings()
    assert "AWS_ENDPOINT_URL" not in os.environ


@pytest.mark.parametrize(
    ("name", "value"),
    [("BACKBENCH_FILES_URL", "s3://b/a//b"), ("BACKBENCH_FILES_URL", "s3://b:99999/a"), ("AWS_SKIP_SIGNATURE", "x")],
)
def test_other_settings_that_the_bucket_library_refuses_are_one_line(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    command_line.run_json("migrate")
    command_line.set(FILES_URL=f"s3://{s3_server.BUCKET}/files")
    monkeypatch.setenv(name, value)
    result = command_line.run("backup", "one")
    assert (result.status, result.err.count("\n")) == (1, 1)
    found = command_line.run("doctor", "--json").json["findings"]
    assert [each["do"] for each in found if each["part"] == "files"] == ["Check the bucket and the AWS_ variables."]


# No command but four makes a database

OTHER_COMMANDS = [
    "accounts add anna@example.com --name Anna --password a-plane-and-a-saw",
    "accounts list",
    "accounts password anna@example.com --password a-plane-and-a-saw",
    "accounts suspend anna@example.com",
    "accounts activate anna@example.com",
    "accounts delete anna@example.com",
    "workshops add --owner anna@example.com --name Oak",
    "workshops list",
    "workshops plan 01943e5a-7c1f-7d3e-9b52-0f6a4c8e1d27 pro",
    "members add 01943e5a-7c1f-7d3e-9b52-0f6a4c8e1d27 anna@example.com",
    "members remove 01943e5a-7c1f-7d3e-9b52-0f6a4c8e1d27 anna@example.com",
    "members list 01943e5a-7c1f-7d3e-9b52-0f6a4c8e1d27",
    "api-keys issue anna@example.com --scope orders:read",
    "api-keys list",
    "api-keys revoke 01943e5a-7c1f-7d3e-9b52-0f6a4c8e1d27",
    "backup saved",
    "doctor",
]


@pytest.mark.parametrize("arguments", OTHER_COMMANDS)
def test_other_commands_make_no_database_and_name_the_path(command_line: CommandLine, arguments: str) -> None:
    result = command_line.run(*arguments.split())
    assert result.status == 1
    assert f"{command_line.folder}/data/backbench.db" in result.out + result.err
    assert "raceback" not in result.err
    assert names_here() == []


def test_commands_refuse_a_postgres_database_without_tables(command_line: CommandLine, postgres: Any) -> None:
    command_line.set(DATABASE_URL=new_database(postgres))
    assert re.search(r"there is no database test_\w+ on ", command_line.run("accounts", "list").err)


def test_accounts_add_creates_the_database_where_it_is_asked_to(command_line: CommandLine) -> None:
    anna = ("accounts", "add", "anna@example.com", "--name", "Anna", "--password", PASSWORD)
    result = command_line.run(*anna, "--create")
    assert (result.status, names_here()) == (0, ["data"])
    assert result.out.endswith(f"Database: {command_line.folder}/data/backbench.db\n")
