"""Servers of the tests end with their connections, and what a test leaves open is reported for that test."""

import ast
import asyncio
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.support.providers.servers import HttpServer, protocol_server, served, stream_server
from tests.support.run.examples import run_examples
from tests.support.run.open_files import open_files

TESTS = Path(__file__).parents[1]
SUPPORT = Path("support/providers/servers.py")
# A program of its own, which the machine ends.
PROGRAM = Path("web/gallery/serve.py")
STARTERS = {"start_server", "start_unix_server", "create_server", "serve_forever", "make_server"}
EXAMPLES = """
import asyncio
import socket
import pytest

class Client:
    def __init__(self, address):
        self.itself = self
        self.connection = socket.create_connection(address)

def test_leaves_a_connection_open():
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert Client(server.getsockname())

def test_leaves_a_loop_open():
    loop = asyncio.new_event_loop()
    loop.itself = loop
    assert loop

def test_closes_what_it_opens():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client

@pytest.fixture(scope="module")
def client():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield Client(server.getsockname())

def test_last_one_with_a_fixture_that_leaves_a_connection_open(client):
    assert client
"""


def test_what_a_test_leaves_open_is_reported_for_that_test(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    (tmp_path / "conftest.py").write_text("from tests.support.run.open_files import *\n")
    (tmp_path / "test_examples.py").write_text(EXAMPLES)
    (tmp_path / "test_later.py").write_text("import gc\n\ndef test_later():\n    gc.collect()\n")
    printed = run_examples(tmp_path, "-rA")
    assert sorted(re.findall(r"^ERROR test_(?:examples|later).py::(\w+)", printed, re.MULTILINE)) == [
        "test_last_one_with_a_fixture_that_leaves_a_connection_open",
        "test_leaves_a_connection_open",
        "test_leaves_a_loop_open",
    ], printed


def test_tests_start_servers_by_the_helpers_alone() -> None:
    """They end the connections, too."""
    others = [
        f"{path.relative_to(TESTS)}:{node.lineno}"
        for path in TESTS.rglob("*.py")
        if path.relative_to(TESTS) not in (SUPPORT, PROGRAM)
        if any(name in (text := path.read_text("utf-8")) for name in (*STARTERS, "ThreadingHTTPServer"))
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Attribute) and node.attr in STARTERS and ast.unparse(node) != "socket.create_server")
        or (isinstance(node, ast.Name) and node.id == "ThreadingHTTPServer")
    ]
    assert others == []


@pytest.mark.parametrize("iterations", [0, 1, 2, None])
async def test_a_server_of_streams_ends_accepted_connections(iterations: int | None) -> None:
    """After so many iterations of the loop: not accepted yet, accepted, and (None) in the handler."""
    begun: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        begun.append(writer)
        await reader.read()
        await asyncio.Event().wait()

    before = open_files()
    async with stream_server(serve) as port:
        client = socket.create_connection(("127.0.0.1", port))
        for _ in range(iterations or 0):
            await asyncio.sleep(0)
        while iterations is None and not begun:  # noqa: ASYNC110 - the iterations of the loop are what it is about
            await asyncio.sleep(0)
    with client:
        client.setblocking(True)
        assert is_ended(client)
    assert open_files() - before == set()
    assert iterations != 0 or not begun


async def test_a_server_of_protocols_ends_a_connection_whose_tls_handshake_has_not_begun(tmp_path: Path) -> None:
    from tests.support.providers.smtp_server import certificate, tls_server

    before = open_files()
    async with protocol_server(asyncio.Protocol, tls=tls_server(certificate(tmp_path))) as port:
        client = socket.create_connection(("127.0.0.1", port))
        for _ in range(10):
            await asyncio.sleep(0)
    with client:
        assert is_ended(client)
    assert open_files() - before == set()


async def test_what_a_handler_raises_fails_the_test() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise LookupError("no such answer")

    async def ask() -> None:
        async with stream_server(serve) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            assert await reader.read() == b""
            writer.close()

    with pytest.raises(LookupError):
        await ask()


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\n\r\n"])
def test_a_server_of_threads_ends_a_connection_that_it_serves(sent: bytes) -> None:
    begun = threading.Event()

    class Waiting(BaseHTTPRequestHandler):
        def setup(self) -> None:
            super().setup()
            begun.set()

        def do_GET(self) -> None:
            self.rfile.read(1)

        def log_message(self, *_: object) -> None:
            """Not to the terminal."""

    before = open_files()
    with served(HttpServer(("127.0.0.1", 0), Waiting)) as server:
        client = socket.create_connection(("127.0.0.1", server.server_port))
        client.sendall(sent)
        assert begun.wait(60)
    with client:
        assert is_ended(client)
    assert open_files() - before == set()


def is_ended(client: socket.socket) -> bool:
    """Whether the server has ended the connection: it would wait for ever where it has not."""
    client.settimeout(60)
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True
