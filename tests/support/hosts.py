"""Whoever keeps a Backbench running: at its command line, and with its server started for real."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from backbench import cli
from tests.support.canaries import lines_with_secrets, remember_answer, remember_fields

PASSWORD = "a plane and a saw"


class Told(msgspec.Struct, frozen=True):
    """What a command said, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.out)


class Host:
    """Types commands, in this process. Works in a folder of its own, with one database."""

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
        for name, value in settings.items():
            self._monkeypatch.setenv(f"BACKBENCH_{name}", value)

    def types(self, *words: str) -> Told:
        self._capsys.readouterr()
        status = cli.run(words)
        said = self._capsys.readouterr()
        return Told(status, said.out, said.err)

    def gets(self, *words: str) -> Any:
        """The JSON answer of a command that must succeed."""
        told = self.types(*words, "--json")
        assert told.status == 0, told
        assert told.err == "", told
        remember_fields(told.json)
        return told.json

    def account(self, email: str, name: str = "Anna") -> Any:
        return self.gets("accounts", "add", email, "--name", name, "--password", PASSWORD)

    @contextlib.contextmanager
    def serving(self, *words: str) -> Iterator["Server"]:
        with serving(os.environ, *words) as server:
            yield server


class Server:
    """A Backbench in a process of its own. `first_words` is what it printed as it started."""

    def __init__(self, process: subprocess.Popen[str], url: str, database_url: str, first_words: str) -> None:
        self.process = process
        self.url = url
        self.database_url = database_url
        self.first_words = first_words
        self._browsers: list[httpx.Client] = []

    def browser(self) -> httpx.Client:
        browser = httpx.Client(
            base_url=f"{self.url}/api", timeout=60, event_hooks={"response": [_remembered]}, verify=False
        )
        self._browsers.append(browser)
        return browser

    def signed_in(self, email: str, password: str = PASSWORD) -> httpx.Client:
        browser = self.browser()
        answer = browser.post("/authenticate", json={"email": email, "password": password})
        assert answer.status_code == 200, answer.text
        browser.headers["x-csrf-token"] = browser.cookies["csrf-token"]
        return browser

    def program(self, secret: str) -> httpx.Client:
        browser = self.browser()
        browser.headers["authorization"] = f"Bearer {secret}"
        return browser

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """The exit status."""
        self.process.send_signal(by)
        return self.process.wait(60)

    def close(self) -> None:
        for browser in self._browsers:
            browser.close()


@contextlib.contextmanager
def serving(
    environment: Mapping[str, str], *words: str, python: str | Path = sys.executable, folder: Path | None = None
) -> Iterator[Server]:
    """`backbench serve` on a free port, ready, and stopped afterwards."""
    port = free_port()
    command = [str(python), "-m", "backbench", "serve", "--port", str(port), *words]
    with (
        tempfile.TemporaryFile("w+") as log,
        subprocess.Popen(
            command, cwd=folder, env=dict(environment), stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            _wait_until_ready(process, f"http://127.0.0.1:{port}")
            assert process.stdout is not None
            os.set_blocking(process.stdout.fileno(), False)
            first_words = process.stdout.read() or ""
            database_url = environment["BACKBENCH_DATABASE_URL"]
            server = Server(process, f"http://127.0.0.1:{port}", database_url, first_words)
            with contextlib.closing(server):
                yield server
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(60)
            log.seek(0)
            logged = log.read()
            sys.stderr.write(logged)
        assert lines_with_secrets(logged) == []


def _remembered(answer: httpx.Response) -> None:
    if answer.status_code == 201:
        answer.read()
    remember_answer(answer)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_until_ready(process: subprocess.Popen[str], url: str) -> None:
    started = time.monotonic()
    while time.monotonic() - started < 120:
        assert process.poll() is None, f"the server ended with {process.returncode}"
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{url}/readyz", timeout=5, verify=False).status_code == 200:
                return
        time.sleep(0.02)
    raise AssertionError("the server was not ready in 120 seconds")
