"""Host: the `backbench` command line in this process, and the server in a process of its own."""

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
    """Output and exit status of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.out)


class Host:
    """Runs commands in this process, in a separate folder with one database."""

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

    def types(self, *arguments: str) -> Told:
        self._capsys.readouterr()
        status = cli.run(arguments)
        captured = self._capsys.readouterr()
        return Told(status, captured.out, captured.err)

    def gets(self, *arguments: str) -> Any:
        """The JSON output of a command, which must succeed."""
        output = self.types(*arguments, "--json")
        assert output.status == 0, output
        assert output.err == "", output
        remember_fields(output.json)
        return output.json

    def account(self, email: str, name: str = "Anna") -> Any:
        return self.gets("accounts", "add", email, "--name", name, "--password", PASSWORD)

    @contextlib.contextmanager
    def serving(self, *arguments: str) -> Iterator["Server"]:
        with serving(os.environ, *arguments) as server:
            yield server


class Server:
    """A server process. `first_words` is its output until it was ready."""

    def __init__(self, process: subprocess.Popen[str], url: str, database_url: str, first_words: str) -> None:
        self.process = process
        self.url = url
        self.database_url = database_url
        self.first_words = first_words
        self._browsers: list[httpx.Client] = []

    def browser(self) -> httpx.Client:
        browser = httpx.Client(
            base_url=f"{self.url}/api", timeout=60, event_hooks={"response": [_record_secrets]}, verify=False
        )
        self._browsers.append(browser)
        return browser

    def signed_in(self, email: str, password: str = PASSWORD) -> httpx.Client:
        browser = self.browser()
        response = browser.post("/authenticate", json={"email": email, "password": password})
        assert response.status_code == 200, response.text
        browser.headers["x-csrf-token"] = browser.cookies["csrf-token"]
        return browser

    def program(self, secret: str) -> httpx.Client:
        browser = self.browser()
        browser.headers["authorization"] = f"Bearer {secret}"
        return browser

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Sends the signal. Returns the exit status."""
        self.process.send_signal(by)
        return self.process.wait(60)

    def close(self) -> None:
        for browser in self._browsers:
            browser.close()


@contextlib.contextmanager
def serving(
    environment: Mapping[str, str], *arguments: str, python: str | Path = sys.executable, folder: Path | None = None
) -> Iterator[Server]:
    """Runs `backbench serve` on a free port until the end of the block; it is ready when the block starts."""
    port = free_port()
    command = [str(python), "-m", "backbench", "serve", "--port", str(port), *arguments]
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


def _record_secrets(response: httpx.Response) -> None:
    if response.status_code == 201:
        response.read()
    remember_answer(response)


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
