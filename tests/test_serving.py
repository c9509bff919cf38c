"""`backbench serve`: start-up time, workers, and graceful shutdown."""

import asyncio
import contextlib
import json
import os
import pty
import shutil
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import NamedTuple

import httpx

# A dependency of the PostgreSQL wheel; has no types.
import psutil  # type: ignore[import-untyped]
import pytest

from backbench.values.times import now
from tests.people import PASSWORD, Person
from tests.support.databases import migrated_file, new_file, running_app
from tests.support.server import Server, free_port, is_listening, is_ready, running_server, session_headers


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return migrated_file(tmp_path_factory.mktemp("migrated"))


@pytest.fixture
def url(migrated: Path, tmp_path: Path) -> str:
    return copy_of(migrated, tmp_path)


def copy_of(migrated: Path, folder: Path) -> str:
    url = new_file(folder)
    shutil.copy(migrated, url.removeprefix("sqlite:///"))
    return url


@pytest.fixture
def server(url: str) -> Iterator[Server]:
    with running_server(url, BACKBENCH_SIGN_IN_LIMIT="1000/900") as running:
        yield running


async def signed_in(database_url: str) -> tuple[Person, dict[str, str]]:
    """A signed-in person of that database, and the headers of its session."""
    async with running_app(database_url) as app:
        anna = await app.owner("Anna")
    return anna, session_headers(anna)


@contextlib.asynccontextmanager
async def connection(server: Server) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


class Stopped(NamedTuple):
    """A server that has got a signal while a connection of a client was idle, and its processor time until then."""

    cpu_seconds: float
    status: int
    printed: str
    log: str
    url: str


# The tests of a whole process group send the other signal, too.
@pytest.fixture(scope="module", params=[signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.all_only)])
def stopped(migrated: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Stopped:
    with (
        running_server(copy_of(migrated, tmp_path_factory.mktemp("stopped"))) as running,
        httpx.Client(base_url=running.url, trust_env=False, verify=False, timeout=60) as browser,
    ):
        cpu_seconds = running.cpu_seconds()
        assert browser.get("/healthz").is_success
        return Stopped(cpu_seconds, running.stop(request.param), running.printed, running.log, running.url)


def test_the_server_starts_with_little_processor_time(stopped: Stopped) -> None:
    """About 0.8 s; the limit allows for slower machines. `make bench` measures the elapsed time."""
    assert 0.0 < stopped.cpu_seconds < 4.0


def test_a_signal_stops_the_server_with_status_0_though_a_connection_is_idle(stopped: Stopped) -> None:
    assert stopped.status == 0, stopped.log
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{stopped.url}/healthz", trust_env=False, verify=False, timeout=60)


def test_each_line_that_a_service_manager_gets_is_an_object(stopped: Stopped) -> None:
    lines = (stopped.printed + stopped.log).splitlines()
    events = [json.loads(line)["event"] for line in lines]
    assert (events[0], events[-1]) == ("started", "stopped")


# The workers below that have replaced others, and the server that stops after a delay, get a signal in the same way.
@pytest.mark.all_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_process_group_stops_the_server_with_status_0(url: str, number: signal.Signals) -> None:
    with running_server(url, workers=2) as running:
        assert running.stop(number, whole_group=True) == 0, running.log


def test_workers_that_end_before_the_main_process_hears_of_the_signal_have_not_failed(url: str) -> None:
    with running_server(url, workers=2) as running:
        workers = [psutil.Process(each) for each in running.workers()]
        os.kill(running.process.pid, signal.SIGSTOP)
        for each in workers:
            each.send_signal(signal.SIGINT)
        deadline = time.monotonic() + 60
        while any(each.status() != psutil.STATUS_ZOMBIE for each in workers) and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(running.process.pid, signal.SIGINT)
        os.kill(running.process.pid, signal.SIGCONT)
        assert running.process.wait(60) == 0, running.log


def test_a_signal_stops_workers_that_are_still_starting(url: str) -> None:
    # Ready means that one worker is; the others of three are still starting.
    with running_server(url, workers=3) as running:
        assert running.stop() == 0, running.log


# The child executes another program at once, so threads that are lost in it do not matter.
@pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")
def test_a_closed_terminal_stops_the_server(url: str) -> None:
    """As over ssh: the terminal hangs up, and every later write to it fails."""
    port = free_port()
    child, terminal = pty.fork()
    if child == 0:
        environment = os.environ | {"BACKBENCH_DATABASE_URL": url, "BACKBENCH_ACCESS_LOG": "on"}
        command = [sys.executable, "-m", "backbench", "serve", "--port", str(port), "--workers", "2"]
        os.execve(sys.executable, command, environment)
    server = psutil.Process(child)
    processes = [server]
    try:
        while b"serves http" not in os.read(terminal, 4096):
            pass
        while len(processes) < 3:
            processes = [server, *server.children()]
            time.sleep(0.02)
        # The line is printed before a worker listens.
        while not is_ready(f"http://127.0.0.1:{port}"):
            assert server.status() != psutil.STATUS_ZOMBIE
            time.sleep(0.02)
        os.close(terminal)
        _, alive = psutil.wait_procs(processes, 60)
        assert alive == []
    finally:
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


def test_workers_share_one_database_sighup_replaces_them_and_a_signal_to_the_group_stops_them(url: str) -> None:
    """No connection is refused; one that was opened as a worker stopped may be closed without a response."""
    with running_server(url, workers=2) as running:
        asyncio.run(require_shared_database(url, running))
        before = running.workers()
        if sys.platform == "linux":
            # Forks, which share what the main process has loaded.
            main = psutil.Process(running.process.pid).cmdline()
            assert [psutil.Process(worker).cmdline() for worker in before] == [main, main]
        running.process.send_signal(signal.SIGHUP)
        while '"event": "reloaded"' not in running.log:
            with contextlib.suppress(httpx.ReadError, httpx.RemoteProtocolError):
                assert httpx.get(f"{running.url}/healthz", trust_env=False, verify=False, timeout=60).is_success
        assert not set(before) & set(running.workers())
        assert running.stop(signal.SIGINT, whole_group=True) == 0, running.log
        assert "ended unexpectedly" not in running.log


async def require_shared_database(url: str, running: Server) -> None:
    """What was added through one worker is in the list of the other."""
    anna, headers = await signed_in(url)
    orders = f"{running.url}/api/workshops/{anna.workshop}/orders"

    async def add_and_list(number: int) -> None:
        # One connection per request, so that both workers get some.
        async with httpx.AsyncClient(headers=headers, timeout=60, trust_env=False, verify=False) as browser:
            response = await browser.post(orders, json={"title": f"Order {number}"})
            assert response.status_code == 201, response.text
        async with httpx.AsyncClient(headers=headers, timeout=60, trust_env=False, verify=False) as browser:
            listed = (await browser.get(orders)).json()["orders"]
            assert response.json() in listed

    await asyncio.gather(*(add_and_list(number) for number in range(20)))
    async with httpx.AsyncClient(headers=headers, trust_env=False, verify=False, timeout=60) as browser:
        assert len((await browser.get(orders)).json()["orders"]) == 20


async def test_requests_in_progress_are_finished_before_the_server_stops(url: str, server: Server) -> None:
    """Those that are handled, and one whose body is incomplete."""
    anna, session = await signed_in(url)
    body = json.dumps({"title": f"Bench at {now()}"}).encode()
    async with (
        connection(server) as (reader, writer),
        httpx.AsyncClient(base_url=server.url, timeout=60, trust_env=False, verify=False) as browser,
    ):
        writer.write(head_of(f"/api/workshops/{anna.workshop}/orders", session, len(body)))
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 ")
        writer.write(body[:5])
        credentials = {"email": anna.email, "password": PASSWORD}
        in_progress = [asyncio.create_task(browser.post("/api/authenticate", json=credentials)) for _ in range(8)]
        await asyncio.wait(in_progress, return_when=asyncio.FIRST_COMPLETED)
        server.process.send_signal(signal.SIGTERM)
        responses = await asyncio.gather(*in_progress)
        await asyncio.sleep(0.2)
        writer.write(body[5:])
        status = await reader.readline()
        assert status.startswith(b"HTTP/1.1 201"), status
        await reader.read()
    assert [response.status_code for response in responses] == [200] * 8
    assert server.process.wait(60) == 0, server.log
    async with running_app(url) as app:
        titles = "SELECT title FROM orders WHERE workshop_id = :workshop"
        async with app.db.read() as db:
            assert await db.value(titles, workshop=anna.workshop) == json.loads(body)["title"]


def head_of(path: str, session: dict[str, str], length: int) -> bytes:
    """The server sends 100 Continue when the application reads the body: then the request is in progress."""
    named = {"host": "x", "content-type": "application/json", "content-length": str(length), "expect": "100-continue"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in (session | named).items())
    return f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode()


async def test_a_stopping_server_is_not_ready_but_still_serves_for_the_delay(url: str) -> None:
    anna, headers = await signed_in(url)
    with running_server(url, workers=2, BACKBENCH_STOP_DELAY="300") as running:
        orders = f"{running.url}/api/workshops/{anna.workshop}/orders"
        running.process.send_signal(signal.SIGTERM)
        async with httpx.AsyncClient(headers=headers, timeout=60, trust_env=False, verify=False) as browser:
            # Either worker may have the connection; the second gets its signal a little later.
            not_ready = 0
            while not_ready < 20:
                response = await browser.get(f"{running.url}/readyz")
                not_ready = not_ready + 1 if (response.status_code, response.text) == (503, "stopping\n") else 0
            for _ in range(4):
                response = await browser.post(orders, json={"title": "Bench"})
                assert (response.status_code, response.headers["connection"]) == (201, "close")
            assert (await browser.get(f"{running.url}/healthz")).headers["connection"] == "close"


async def test_a_killed_worker_is_replaced_and_serves_once_the_database_file_is_back(url: str, tmp_path: Path) -> None:
    """The file is missing as the new worker starts. The server then stops when its delay has passed."""
    anna, headers = await signed_in(url)
    with running_server(url, BACKBENCH_ACCESS_LOG="on", BACKBENCH_STOP_DELAY="1") as running:
        async with httpx.AsyncClient(
            base_url=running.url, headers=headers, trust_env=False, verify=False, timeout=60
        ) as browser:
            path = f"/api/workshops/{anna.workshop}/orders"
            assert (await browser.post(path, json={"title": "First"})).status_code == 201
            with moved_away(tmp_path):
                kill_worker(running)
                assert await status(browser, "/readyz") == 503
                assert (await browser.get(path)).status_code == 503
            assert await status(browser, "/readyz") == 200
            assert [order["title"] for order in (await browser.get(path)).json()["orders"]] == ["First"]
            assert (await browser.post(path, json={"title": "Second"})).status_code == 201
        assert running.stop(whole_group=True) == 0, running.log
        assert not is_listening(running.port)
        lines = [json.loads(line) for line in running.log.splitlines()]
    events = [line["event"] for line in lines]
    for event in ("started", "worker ended unexpectedly", "worker replaced", "request", "stopped"):
        assert event in events
    started = lines[events.index("started")]
    database = url.removeprefix("sqlite:///")
    assert (started["address"], started["public_url"], started["database"]) == (running.url, running.url, database)
    assert Path(started["files"]).is_absolute()
    assert lines[events.index("worker ended unexpectedly")]["exit_code"] == -signal.SIGKILL


@contextlib.contextmanager
def moved_away(folder: Path) -> Iterator[None]:
    """Replaces the folder by an empty one; afterwards the folder is back and the other was not written to."""
    away = folder.with_name("away")
    folder.rename(away)
    folder.mkdir()
    yield
    assert list(folder.iterdir()) == []
    folder.rmdir()
    away.rename(folder)


def kill_worker(running: Server) -> None:
    [worker] = running.workers()
    os.kill(worker, signal.SIGKILL)
    while running.workers() in ([], [worker]):
        time.sleep(0.01)


async def status(browser: httpx.AsyncClient, path: str) -> int:
    """The status of a response; retries while the worker is starting."""
    while True:
        with contextlib.suppress(httpx.TransportError):
            return (await browser.get(path)).status_code
        await asyncio.sleep(0.02)


async def test_a_worker_that_cannot_start_stops_the_server(url: str) -> None:
    """For example if another node has migrated to a newer schema: the service manager then starts the new version."""
    with running_server(url) as running:
        async with running_app(url) as app:
            await app.db.write(lambda db: db.run("INSERT INTO migrations (number, name) VALUES (9999, 'later')"))
        [worker] = running.workers()
        os.kill(worker, signal.SIGKILL)
        assert running.process.wait(60) == 1


def test_the_port_is_free_after_the_server_was_killed(url: str) -> None:
    with running_server(url, workers=2) as running:
        workers = [psutil.Process(worker) for worker in running.workers()]
        running.kill(only_main=True)
        _, alive = psutil.wait_procs(workers, timeout=60)
        assert alive == []
        # Only one that nothing listens on can be taken so.
        with socket.create_server(("127.0.0.1", running.port)) as again:
            assert again.getsockname()[1] == running.port
