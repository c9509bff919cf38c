"""Slow and silent clients: each is given up in time, and none keeps the server from answering others."""

import asyncio
import contextlib
import gc
import os
import resource
import socket
import time
import weakref
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil  # type: ignore[import-untyped]
import pytest
from msgspec import structs
from structlog.testing import capture_logs

from backbench.connection_limits import limit_unread_responses
from backbench.http.requests import DEADLINES, UploadPace
from backbench.http.responses import Response
from backbench.http.router import ResponseUnread, send_response
from backbench.values.errors import BodyTooSlow
from tests.people import App
from tests.support import image_files
from tests.support.databases import new_file, running_app
from tests.support.server import Server, running_server, session_headers
from tests.support.uploads import BOUNDARY, form, used

ROOT = Path(__file__).parents[3]
# Ends a test that hangs; no test asserts it.
SECONDS = 60.0
SHORT = structs.replace(DEADLINES, body=0.01, stall=0.01, window=0.05, piece=0.01, linger=0.01)
HEAD = b"POST /api/authenticate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with deadlines of a fraction of a second."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    url = new_file(tmp_path_factory.mktemp("slow"))
    with running_server(url, module="tests.support.short_deadlines", PYTHONPATH=path) as server:
        yield server


def connected(server: Server, receive_buffer: int | None = None) -> socket.socket:
    connection = socket.socket()
    if receive_buffer is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(SECONDS)
    connection.connect(("127.0.0.1", server.port))
    return connection


def read_to_end(connection: socket.socket) -> bytes:
    """All bytes until the server closes the connection. Raises TimeoutError if it does not."""
    with connection:
        return b"".join(iter(lambda: connection.recv(65536), b""))


# The running server


def test_a_thousand_silent_and_slow_clients_do_not_stop_the_service(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    with running_server(new_file(tmp_path)) as server, contextlib.ExitStack() as open_connections:
        for number in range(1_500):
            connection = open_connections.enter_context(connected(server))
            if number % 3:
                connection.sendall(HEAD)
        assert httpx.get(f"{server.url}/healthz", trust_env=False, verify=False, timeout=SECONDS).status_code == 200


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHos"], ids=["nothing", "half a head"])
def test_a_silent_connection_is_closed(impatient: Server, sent: bytes) -> None:
    connection = connected(impatient)
    connection.sendall(sent)
    assert read_to_end(connection) == b""


def test_a_late_json_body_is_408_and_closes_the_connection(impatient: Server) -> None:
    connection = connected(impatient)
    connection.sendall(HEAD)
    response = read_to_end(connection)
    assert response.startswith(b"HTTP/1.1 408 ")
    assert b"\r\nconnection: close\r\n" in response
    assert b'"code":"request_timeout"' in response


async def test_a_stalled_upload_is_408_and_stores_nothing(impatient: Server) -> None:
    async with running_app(impatient.database_url) as app:
        anna = await app.owner("Anna")
        lines = "".join(f"{name}: {value}\r\n" for name, value in session_headers(anna).items())
        content = form(("category", "estimate_pdf"), ("workshopId", anna.workshop), ("file", image_files.pdf()))
        connection = connected(impatient)
        connection.sendall(
            f"POST /api/files HTTP/1.1\r\nHost: x\r\n{lines}Content-Length: {len(content)}\r\n"
            f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n".encode()
            + content[:-1]
        )
        assert read_to_end(connection).startswith(b"HTTP/1.1 408 ")
        assert await used(anna) == 0


def test_http_2_is_not_spoken(impatient: Server) -> None:
    """Its headers could occupy 16 MiB for each of 200 requests of one connection."""
    connection = connected(impatient)
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5))
    assert read_to_end(connection)[:9] in (b"", b"HTTP/1.1 ")


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux alone closes a connection that is not read")
def test_a_client_that_does_not_read_is_disconnected(impatient: Server) -> None:
    with connected(impatient, receive_buffer=4096) as connection:
        connection.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 100)
        assert connection.recv(1) == b"H"
        deadline = time.monotonic() + SECONDS
        while is_connected(impatient, connection):
            assert time.monotonic() < deadline
            time.sleep(0.02)


def is_connected(server: Server, connection: socket.socket) -> bool:
    """Whether the server has its end of the connection. The client would have to read to find out.

    The list of the kernel is read in parts: a connection can be missing in it while others come and go.
    """
    [worker] = server.workers()
    lists = (psutil.Process(worker).net_connections("tcp4") for _ in range(10))
    return any(connection.getsockname() in [each.raddr for each in connections] for connections in lists)


# Uploads


def receiving(size: int, seconds: float) -> Any:
    """An ASGI `receive` that brings `size` bytes every `seconds`, without end."""

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(seconds)
        return {"type": "http.request", "body": bytes(size), "more_body": True}

    return receive


async def receive_all(pace: UploadPace, number: int) -> list[Any]:
    return [await pace.next() for _ in range(number)]


async def test_an_upload_that_never_stalls_but_trickles_is_given_up() -> None:
    deadlines = structs.replace(DEADLINES, window=0.05)
    async with asyncio.timeout(SECONDS):
        with pytest.raises(BodyTooSlow):
            await receive_all(UploadPace(receiving(1, 0.001), deadlines), 100_000)


async def test_an_upload_that_was_fast_may_not_trickle_later() -> None:
    """The bytes of one window do not count in the next."""
    deadlines = structs.replace(DEADLINES, window=0.05)
    sizes = iter([10_000_000])

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.001)
        return {"type": "http.request", "body": bytes(next(sizes, 1)), "more_body": True}

    async with asyncio.timeout(SECONDS):
        with pytest.raises(BodyTooSlow):
            await receive_all(UploadPace(receive, deadlines), 100_000)


async def test_an_upload_with_the_least_rate_is_accepted_in_each_window() -> None:
    deadlines = structs.replace(DEADLINES, stall=SECONDS, window=0.01, upload_rate=0)
    assert len(await receive_all(UploadPace(receiving(1, 0.01), deadlines), 5)) == 5


def test_an_upload_is_not_given_up_for_a_slow_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    # In a loop of its own, whose clock the disk puts forward.
    async def upload() -> None:
        loop, disk = asyncio.get_running_loop(), 0.0
        real = loop.time
        monkeypatch.setattr(loop, "time", lambda: real() + disk)
        pace = UploadPace(receiving(1, 0), structs.replace(DEADLINES, window=SECONDS, stall=SECONDS))
        for _ in range(3):
            assert len((await pace.next())["body"]) == 1
            disk += 2 * SECONDS

    asyncio.run(upload())


# Responses


async def endless(closed: list[bool]) -> AsyncGenerator[bytes, None]:
    try:
        while True:
            yield bytes(1000)
    finally:
        closed.append(True)


async def test_a_response_that_is_not_read_is_closed(app: App) -> None:
    """Its snapshot, file or connection to the database is free again."""

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    closed: list[bool] = []
    async with asyncio.timeout(SECONDS):
        with pytest.raises(ResponseUnread):
            await send_response(Response(200, b"", [], endless(closed)), send, SHORT, with_body=True)
    assert closed == [True]


async def test_an_export_that_is_not_read_ends_without_an_error(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner("Anna")
    monkeypatch.setattr(app.backbench.router, "deadlines", SHORT)

    async def receive() -> dict[str, Any]:
        # The client stays, and sends nothing.
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Any) -> None:
        if message.get("more_body"):
            await asyncio.Event().wait()

    headers = [(name.encode(), value.encode()) for name, value in session_headers(anna).items()]
    scope = {"type": "http", "method": "GET", "path": "/api/me/data-export", "query_string": b"", "headers": headers}
    with capture_logs() as logged:
        async with asyncio.timeout(SECONDS):
            await app.backbench(scope, receive, send)
    assert [line["event"] for line in logged] == ["response not read in time"]


async def test_a_large_piece_is_sent_in_parts_that_a_slow_client_can_take(app: App) -> None:
    """The time to take one is limited, so its size decides how slow a client may be."""
    sizes: list[int] = []

    async def send(message: Any) -> None:
        sizes.append(len(message.get("body", b"")))

    async def pieces() -> AsyncGenerator[bytes, None]:
        yield bytes(1_000_000)

    await send_response(Response(200, b"", [], pieces()), send, SHORT, with_body=True)
    assert sum(sizes) == 1_000_000
    assert max(sizes) <= 65_536


@pytest.mark.skipif(not hasattr(socket, "TCP_NOTSENT_LOWAT"), reason="this system has no limit of unsent bytes")
def test_little_of_a_response_waits_in_the_system_for_a_slow_client() -> None:
    """A buffer of megabytes would seem unread while a slow client reads it."""
    loop = asyncio.new_event_loop()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        limit_unread_responses(loop)
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert 0 < accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT) <= 64 * 1024
    loop.close()


class Receiver:
    """An ASGI `receive` that brings an empty JSON object."""

    async def __call__(self) -> dict[str, Any]:
        return {"type": "http.request", "body": b"{}", "more_body": False}


async def test_a_rejected_request_is_freed_at_once(app: App) -> None:
    """Until it is freed, a connection whose body was not read stays open."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"2")]
    scope = {"type": "http", "method": "POST", "path": "/api/authenticate", "query_string": b"", "headers": headers}
    scope["client"] = ("10.255.0.1", 50000)
    statuses: list[int] = []

    async def send(message: Any) -> None:
        statuses.append(message.get("status", 0))

    freed: list[bool] = []
    gc.disable()
    try:
        for _ in range(11):
            receive = Receiver()
            reference = weakref.ref(receive)
            await app.backbench(scope, receive, send)
            del receive
            freed.append(reference() is None)
    finally:
        gc.enable()
    assert 429 in statuses
    assert all(freed)


# Connections that cannot be used again

UNREAD = {
    "401": (b"POST /api/workshops/x/orders", 401),
    "404": (b"POST /api/nowhere", 404),
    "405": (b"PUT /api/authenticate", 405),
    "413": (b"POST /api/authenticate", 413),
    "a page": (b"POST /healthz", 405),
    "501": (b"BREW /healthz", 501),
}


@pytest.mark.parametrize(("line", "status"), UNREAD.values(), ids=UNREAD)
def test_a_response_before_the_end_of_the_body_closes_the_connection(
    impatient: Server, line: bytes, status: int
) -> None:
    """The client is still sending: it gets the whole response, and knows that the connection is closed."""
    with connected(impatient) as connection:
        connection.sendall(
            line + b" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 3000000\r\n\r\n"
        )
        connection.sendall(b" " * 3_000_000)
        response = read_to_end(connection)
    assert response.startswith(b"HTTP/1.1 %d " % status)
    assert b"\r\nconnection: close\r\n" in response


def test_a_connection_is_used_again_after_a_body_that_was_read(impatient: Server) -> None:
    body = b'{"email":"nobody"}'
    request = b"POST /api/accounts/verify/resend HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with connected(impatient) as connection:
        connection.sendall((request + b"Content-Length: %d\r\n\r\n" % len(body) + body) * 2)
        responses = read_to_end(connection)
    assert responses.count(b"HTTP/1.1 400 ") == 2
    assert b"connection: close" not in responses
