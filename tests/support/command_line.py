"""The command line, called in this process: arguments in, exit status and output out."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from backbench import cli
from tests.people import PASSWORD
from tests.support.secret_log_check import remember_secret_fields
from tests.support.server import Server, running_server


class CommandResult(msgspec.Struct, frozen=True):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.out)


class CommandLine:
    """Runs commands in a folder of its own, with one database."""

    def __init__(
        self, database_url: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        monkeypatch.chdir(folder)
        for name in [name for name in os.environ if name.startswith("BACKBENCH_")]:
            monkeypatch.delenv(name)
        self.set(DATABASE_URL=database_url, FILES_URL=f"file://{folder}/files")

    def set(self, **settings: str) -> None:
        """Sets environment variables, named without BACKBENCH_."""
        for name, value in settings.items():
            self._monkeypatch.setenv(f"BACKBENCH_{name}", value)

    def run(self, *arguments: str) -> CommandResult:
        self._capsys.readouterr()
        status = cli.run(arguments)
        printed = self._capsys.readouterr()
        return CommandResult(status, printed.out, printed.err)

    def run_json(self, *arguments: str) -> Any:
        """The JSON output of a command that must succeed."""
        result = self.run(*arguments, "--json")
        assert result.status == 0, result
        assert result.err == "", result
        remember_secret_fields(result.json)
        return result.json

    def add_account(self, email: str, name: str = "Anna") -> Any:
        return self.run_json("accounts", "add", email, "--name", name, "--password", PASSWORD)

    @contextlib.contextmanager
    def running_server(self, *options: str) -> Iterator[Server]:
        """A server with the same folder and settings."""
        url = os.environ["BACKBENCH_DATABASE_URL"]
        with running_server(url, *options, folder=self.folder, environment=os.environ) as server:
            yield server
