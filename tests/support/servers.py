"""Server processes: `backbench serve` with its workers, stopped with a signal or killed."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

# A dependency of the PostgreSQL wheel; has no types.
import psutil  # type: ignore[import-untyped]

from tests.people import Person
from tests.support.canaries import lines_with_secrets, remember_settings

# Only ends a hang; it is not a promise.
START_SECONDS = 120.0


class Served:
    """A running server: the started process, its workers and its URL."""

    def __init__(self, database_url: str, port: int, folder: Path, workers: int, settings: dict[str, str]) -> None:
        remember_settings(settings)
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._log = folder / "log"
        with self._log.open("ab") as log:
            self.process: subprocess.Popen[Any] = subprocess.Popen(
                [sys.executable, "-m", "backbench", "serve", "--port", str(port), "--workers", str(workers)],
                # A separate folder: no `.env` of a developer is read, and no `data` is left behind.
                cwd=folder,
                env=_environment() | {"BACKBENCH_DATABASE_URL": database_url} | settings,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until_ready(time.monotonic() + START_SECONDS)

    @property
    def log(self) -> str:
        return self._log.read_text("utf-8", "replace")

    def workers(self) -> list[int]:
        """The ids of the worker processes."""
        return [child.pid for child in psutil.Process(self.process.pid).children()]

    def cpu_seconds(self) -> float:
        """The processor time that the process and its workers have used."""
        main = psutil.Process(self.process.pid)
        times = [process.cpu_times() for process in (main, *main.children(recursive=True))]
        return float(sum(each.user + each.system for each in times))

    def stop(self, number: signal.Signals = signal.SIGTERM, *, whole_group: bool = False) -> int:
        """Signals the process, or its process group as Ctrl-C in a terminal does. Returns the exit status."""
        if whole_group:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        return self.process.wait(60)

    def kill(self, *, only_main: bool = False) -> None:
        """Sends SIGKILL to all processes, or only to the main one."""
        with contextlib.suppress(ProcessLookupError):
            if only_main:
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(60)

    def _wait_until_ready(self, deadline: float) -> None:
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(httpx.TransportError):
                # Without certificate authorities, as for all test clients of plain HTTP: loading them takes 50 ms of
                # processor time.
                if httpx.get(f"{self.url}/readyz", trust_env=False, verify=False).is_success:
                    return
            time.sleep(0.02)
        self.kill()
        raise AssertionError(f"the server did not become ready:\n{self.log}")


@contextlib.contextmanager
def served(database_url: str, *, port: int = 0, workers: int = 1, **settings: str) -> Iterator[Served]:
    """Runs a server on that database, on a free port unless one is given. Kills all its processes at the end.

    `settings` are environment variables.
    """
    with tempfile.TemporaryDirectory(prefix="backbench-served-", ignore_cleanup_errors=True) as folder:
        running = Served(database_url, port or free_port(), Path(folder), workers, settings)
        try:
            yield running
        finally:
            running.kill()
        assert lines_with_secrets(running.log) == []


def carried(person: Person) -> dict[str, str]:
    """The session and CSRF headers of a signed-in person, for requests by other clients."""
    cookies = person.browser.cookies
    return {
        "cookie": f"session={cookies['session']}; csrf-token={cookies['csrf-token']}",
        "x-csrf-token": cookies["csrf-token"],
    }


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


def _environment() -> dict[str, str]:
    """This process's environment without any setting of Backbench."""
    return {name: value for name, value in os.environ.items() if not name.startswith("BACKBENCH_")}
