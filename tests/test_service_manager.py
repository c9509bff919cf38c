"""systemd is notified (`Type=notify`) when the service is ready, and what it waits for before."""

import asyncio
import queue
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from structlog.testing import capture_logs

from backbench import serving
from backbench.integrations.workers import FOLDER_VARIABLE
from backbench.service_manager import notify
from tests.support.databases import new_file
from tests.support.server import free_port, running_server


@pytest.fixture
def manager() -> Iterator[tuple[str, socket.socket]]:
    """The path of a socket like that of systemd, and the socket."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as opened:
        opened.settimeout(60)
        opened.bind(f"{folder}/notify")
        yield f"{folder}/notify", opened


def test_once_it_is_ready_the_server_accepts_a_connection(manager: tuple[str, socket.socket], tmp_path: Path) -> None:
    path, opened = manager
    port, statuses = free_port(), []

    def request_when_ready() -> None:
        assert opened.recv(1000) == b"READY=1\nSTATUS=serving"
        # At once, and without a second try.
        statuses.append(httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=60, trust_env=False).status_code)

    client = threading.Thread(target=request_when_ready)
    client.start()
    with running_server(new_file(tmp_path), port=port, NOTIFY_SOCKET=path):
        client.join()
    assert statuses == [200]


async def test_a_worker_that_serves_prepares_for_first_requests_in_a_thread(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    prepared_by: queue.Queue[str] = queue.Queue()
    worker = object.__new__(serving._Worker)
    monkeypatch.setattr(worker, "prepare", lambda: prepared_by.put(threading.current_thread().name))
    with socket.create_server(("127.0.0.1", 0)):
        worker._begin_to_serve(asyncio.get_running_loop())
    assert await asyncio.to_thread(prepared_by.get, timeout=60) == "prepare"


def test_without_a_service_manager_nothing_is_sent(
    manager: tuple[str, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, opened = manager
    monkeypatch.setenv("NOTIFY_SOCKET", "")
    notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    notify("STATUS=waiting for the database: connection refused")
    assert opened.recv(1000) == b"STATUS=waiting for the database: connection refused"


def test_a_lost_service_manager_is_logged_and_stops_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", f"{tmp_path}/gone")
    with capture_logs() as logged:
        notify("READY=1")
    assert [line["event"] for line in logged] == ["service manager not notified"]
