"""`backbench serve` in processes of its own: started on a free port, stopped with a signal or killed."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

# A dependency of the PostgreSQL wheel; has no types.
import psutil  # type: ignore[import-untyped]

from tests.people import PASSWORD, Person
from tests.support.run_folder import PORTS_FOLDER
from tests.support.secret_log_check import lines_with_secrets, remember_response_secrets, remember_secret_settings

# Ends a test that hangs. No test asserts how long a start takes by it.
START_SECONDS = 120.0


class Server:
    """A running server: the process that was started, its workers, its URL and what it printed."""

    def __init__(
        self,
        database_url: str,
        port: int,
        folder: Path,
        output: Path,
        environment: Mapping[str, str],
        options: Sequence[str] = (),
        python: str | Path = sys.executable,
        module: str = "backbench",
    ) -> None:
        """Returns once the server is ready. Its standard output and its log are files in `output`."""
        self.database_url = database_url
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._printed, self._log = output / "printed", output / "log"
        self._clients: list[httpx.Client] = []
        with self._printed.open("ab") as printed, self._log.open("ab") as log:
            self.process: subprocess.Popen[Any] = subprocess.Popen(
                [str(python), "-m", module, "serve", "--port", str(port), *options],
                cwd=folder,
                env={**environment, "BACKBENCH_DATABASE_URL": database_url},
                stdout=printed,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until_ready(time.monotonic() + START_SECONDS)

    @property
    def printed(self) -> str:
        """Standard output."""
        return self._printed.read_text("utf-8")

    @property
    def log(self) -> str:
        """Standard error."""
        return self._log.read_text("utf-8", "replace")

    def workers(self) -> list[int]:
        """The ids of the worker processes."""
        return [child.pid for child in psutil.Process(self.process.pid).children()]

    def cpu_seconds(self) -> float:
        """The processor time that the process and its workers have used."""
        main = psutil.Process(self.process.pid)
        times = [process.cpu_times() for process in (main, *main.children(recursive=True))]
        return float(sum(each.user + each.system for each in times))

    def client(self) -> httpx.Client:
        """A client that is not signed in; closed together with the server."""
        client = httpx.Client(
            base_url=f"{self.url}/api", timeout=60, event_hooks={"response": [_remember]}, verify=False
        )
        self._clients.append(client)
        return client

    def signed_in(self, email: str, password: str = PASSWORD) -> httpx.Client:
        client = self.client()
        response = client.post("/authenticate", json={"email": email, "password": password})
        assert response.status_code == 200, response.text
        client.headers["x-csrf-token"] = client.cookies["csrf-token"]
        return client

    def with_api_key(self, secret: str) -> httpx.Client:
        client = self.client()
        client.headers["authorization"] = f"Bearer {secret}"
        return client

    def stop(self, number: signal.Signals = signal.SIGTERM, *, whole_group: bool = False) -> int:
        """Signals the process, or all of its group like a terminal's Ctrl-C does. Returns the exit status."""
        if whole_group:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        return self.process.wait(60)

    def kill(self, *, only_main: bool = False) -> None:
        """Sends SIGKILL to every process, or only to the one that was started."""
        workers: list[psutil.Process] = []
        with contextlib.suppress(ProcessLookupError, psutil.NoSuchProcess):
            if only_main:
                self.process.kill()
            else:
                workers = psutil.Process(self.process.pid).children(recursive=True)
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(60)
        # They have the port until they have ended.
        psutil.wait_procs(workers, timeout=60)

    def close(self) -> None:
        """Kills every process and closes the clients."""
        self.kill()
        for client in self._clients:
            client.close()

    def _wait_until_ready(self, deadline: float) -> None:
        while time.monotonic() < deadline and self.process.poll() is None:
            # A client of HTTP takes a millisecond, a connection that is refused almost nothing.
            if is_listening(self.port) and is_ready(self.url):
                return
            time.sleep(0.02)
        self.kill()
        raise AssertionError(f"the server did not get ready:\n{self.log}")


@contextlib.contextmanager
def running_server(
    database_url: str,
    *options: str,
    port: int = 0,
    workers: int = 1,
    python: str | Path = sys.executable,
    module: str = "backbench",
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    **settings: str,
) -> Iterator[Server]:
    """A server on that database, on a free port unless one is given; none of its processes is left afterwards.

    `options` are further arguments of `backbench serve`; `module` is run with them instead of the package. `settings`
    are environment variables, which are added to `environment`: by default this process's, without any setting of
    Backbench.
    """
    remember_secret_settings(settings)
    with tempfile.TemporaryDirectory(prefix="backbench-server-", ignore_cleanup_errors=True) as own:
        server = Server(
            database_url,
            port or free_port(),
            # A folder of its own: no `.env` of a developer is read, no `data` is left behind.
            folder or Path(own),
            Path(own),
            (_environment() if environment is None else dict(environment)) | settings,
            ("--workers", str(workers), *options),
            python,
            module,
        )
        try:
            yield server
        finally:
            server.close()
            sys.stderr.write(server.log)
        assert lines_with_secrets(server.log) == []


def session_headers(person: Person) -> dict[str, str]:
    """The headers of a signed-in person's browser, for requests that a test makes itself."""
    cookies = person.browser.cookies
    return {
        "cookie": f"session={cookies['session']}; csrf-token={cookies['csrf-token']}",
        "x-csrf-token": cookies["csrf-token"],
    }


def is_ready(url: str) -> bool:
    """Whether a server answers there, and that it is ready."""
    with contextlib.suppress(httpx.TransportError):
        # `verify=False`, as for every client of plain HTTP in the tests: loading CA certificates takes 50 ms.
        return httpx.get(f"{url}/readyz", trust_env=False, verify=False, timeout=60).is_success
    return False


_PORTS_OF_SERVERS = range(20_000, 32_000)


def free_port() -> int:
    """A port that no server has, and that this run of the tests has not been given before.

    Below those that the system gives to clients: a browser that asks for a server which is stopped could get its port.
    """
    given = Path(tempfile.gettempdir()) / PORTS_FOLDER
    for port in random.sample(_PORTS_OF_SERVERS, len(_PORTS_OF_SERVERS)):
        with socket.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
        if not given.is_dir():
            # Outside of a run.
            return port
        try:
            (given / str(port)).touch(exist_ok=False)
        except FileExistsError:
            continue
        except PermissionError:
            # A test that runs as another user.
            return port
        return port
    raise RuntimeError("no free port for a server")


def is_listening(port: int) -> bool:
    with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), 60):
        return True
    return False


def _remember(response: httpx.Response) -> None:
    if response.status_code == 201:
        response.read()
    remember_response_secrets(response)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("BACKBENCH_")}
