"""Malformed HTTP requests to the running server: no 500, no hang, no change."""

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from typing import NamedTuple

import pytest

from backbench.http.requests import MAX_JSON_SIZE
from tests.people import Person
from tests.support.database_dump import dump_of
from tests.support.databases import running_app
from tests.support.server import Server, running_server, session_headers

# A deadline that ends a hang; no test asserts it.
SECONDS = 60.0
BODY = b'{"title":"Oak table"}'


class Target(NamedTuple):
    """A running server, and a person who is signed in."""

    server: Server
    anna: Person

    @property
    def head(self) -> bytes:
        """The beginning of a request that creates an order, up to the headers with the length of its body."""
        headers = {
            "host": f"127.0.0.1:{self.server.port}",
            "content-type": "application/json",
            **session_headers(self.anna),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"POST /api/workshops/{self.anna.workshop}/orders HTTP/1.1\r\n{lines}".encode()


@pytest.fixture(scope="module")
async def target(new_database_url: Callable[[], str]) -> AsyncIterator[Target]:
    url = new_database_url()
    with running_server(url) as server:
        async with running_app(url) as app:
            yield Target(server, await app.owner("Anna"))


@contextlib.contextmanager
def connected(target: Target) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", target.server.port), SECONDS) as connection:
        yield connection


def read_all(connection: socket.socket) -> bytes:
    """All bytes until the server closes the connection. Raises TimeoutError if it does not."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(65536):
            received += piece
    return received


def first_response(connection: socket.socket) -> bytes:
    """One whole response, or the bytes before the server closed the connection. Raises TimeoutError."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while not _is_whole(received) and (piece := connection.recv(65536)):
            received += piece
    return received


def _is_whole(response: bytes) -> bool:
    head, end, body = response.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(end) and len(body) >= int(length[1] if length else 0)


def status(response: bytes) -> int | None:
    """The status of the first response; None if the server closed the connection without one."""
    return int(response.split(b" ", 2)[1]) if response.startswith(b"HTTP/1.1 ") else None


def send(target: Target, *pieces: bytes, then_close: bool = False) -> int | None:
    """The status of the response to these bytes; None if the server closed the connection."""
    with connected(target) as connection:
        with contextlib.suppress(ConnectionError):
            for piece in pieces:
                connection.sendall(piece)
        if then_close:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
        response = first_response(connection)
    return status(response)


BROKEN_CHUNKS = {
    "not a number": b"zz\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a negative number": b"-5\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a huge number": b"f" * 40 + b"\r\n" + BODY + b"\r\n0\r\n\r\n",
    "shorter than declared": b"ff\r\n" + BODY + b"\r\n0\r\n\r\n",
    "longer than declared": b"5\r\n" + BODY + b"\r\n0\r\n\r\n",
    "without its line end": b"15\r\n" + BODY + b"0\r\n\r\n",
    "empty lines": b"\r\n\r\n\r\n",
    "NUL": b"15\x00\r\n" + BODY + b"\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("chunks", BROKEN_CHUNKS.values(), ids=BROKEN_CHUNKS)
async def test_broken_chunks_are_400_or_close_the_connection(target: Target, chunks: bytes) -> None:
    before = await dump_of(target.anna.app.db)
    response = send(target, target.head + b"transfer-encoding: chunked\r\n\r\n", chunks, then_close=True)
    assert response in (400, None)
    assert await dump_of(target.anna.app.db) == before


async def test_a_chunked_body_is_accepted(target: Target) -> None:
    pieces = [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (BODY[:5], BODY[5:6], BODY[6:])]
    assert send(target, target.head + b"transfer-encoding: chunked\r\n\r\n", *pieces, b"0\r\n\r\n") == 201


async def test_a_body_sent_byte_by_byte_is_accepted(target: Target) -> None:
    head = target.head + b"content-length: %d\r\n\r\n" % len(BODY)
    assert send(target, head, *[BODY[at : at + 1] for at in range(len(BODY))]) == 201


@pytest.mark.parametrize("sent", [0, 1, len(BODY) - 1])
async def test_an_incomplete_body_changes_nothing(target: Target, sent: int) -> None:
    before = await dump_of(target.anna.app.db)
    head = target.head + b"content-length: %d\r\n\r\n" % len(BODY)
    assert send(target, head + BODY[:sent], then_close=True) in (400, None)
    assert await dump_of(target.anna.app.db) == before


async def test_a_connection_reset_during_the_body_changes_nothing(target: Target) -> None:
    before = await dump_of(target.anna.app.db)
    for number in range(5):
        connection = socket.create_connection(("127.0.0.1", target.server.port))
        # Closed with something unread, the connection is reset instead of ended.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        connection.sendall(target.head + b"content-length: 5000\r\n\r\n" + BODY[:number])
        await asyncio.sleep(0.02)
        connection.close()
    await asyncio.sleep(0.1)
    assert await dump_of(target.anna.app.db) == before


@pytest.mark.parametrize(
    "lengths",
    [
        b"content-length: x\r\n",
        b"content-length: -1\r\n",
        b"content-length: 99999999999999999999999\r\n",
        b"content-length: 5\r\ncontent-length: 21\r\n",
        b"content-length: 0x15\r\n",
        b"content-length: 21, 22\r\n",
    ],
    ids=["not a number", "negative", "huge", "two", "hexadecimal", "a list"],
)
async def test_an_invalid_content_length_is_rejected(target: Target, lengths: bytes) -> None:
    before = await dump_of(target.anna.app.db)
    assert send(target, target.head + lengths + b"\r\n" + BODY, then_close=True) in (400, 413, None)
    assert await dump_of(target.anna.app.db) == before


async def test_length_with_chunked_encoding_cannot_smuggle_a_request(target: Target) -> None:
    """Whichever header the server uses, what follows is not read as another request."""
    smuggled = b"DELETE /api/workshops/%s HTTP/1.1\r\nhost: x\r\n\r\n" % target.anna.workshop.encode()
    lengths = b"content-length: %d\r\ntransfer-encoding: chunked\r\n\r\n" % (len(smuggled) + 5)
    with connected(target) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(target.head + lengths + b"0\r\n\r\n" + smuggled)
        responses = read_all(connection).split(b"HTTP/1.1 ")
    assert len(responses) <= 3
    assert all(response[:1] == b"4" for response in responses[1:])


@pytest.mark.parametrize("size", [MAX_JSON_SIZE + 1, 5_000_000])
async def test_a_too_large_content_length_is_413_before_the_body_is_sent(target: Target, size: int) -> None:
    head = target.head + b"content-length: %d\r\n\r\n" % size
    assert send(target, head, BODY) == 413


async def test_endless_chunks_are_413_once_they_exceed_the_limit(target: Target) -> None:
    chunk = b"2000\r\n" + b" " * 0x2000 + b"\r\n"
    assert send(target, target.head + b"transfer-encoding: chunked\r\n\r\n", *[chunk] * 60) in (413, None)


@pytest.mark.parametrize("rest", [b"x" * 100, b"x" * 300_000], ids=["a little", "a lot"])
async def test_an_unexpected_body_does_not_affect_the_next_request(target: Target, rest: bytes) -> None:
    """On one connection: a body for an operation without one, then another request."""
    session = session_headers(target.anna)["cookie"].encode()
    first = b"GET /api/me HTTP/1.1\r\nhost: x\r\ncookie: %s\r\ncontent-length: %d\r\n\r\n" % (session, len(rest))
    second = b"GET /api/me HTTP/1.1\r\nhost: x\r\ncookie: %s\r\nconnection: close\r\n\r\n" % session
    with connected(target) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(first + rest + second)
        responses = read_all(connection).split(b"HTTP/1.1 ")[1:]
    assert responses
    assert {response[:3] for response in responses} == {b"200"}


MALFORMED = {
    "empty": b"",
    "a word": b"hello\r\n\r\n",
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "no path": b"GET HTTP/1.1\r\nhost: x\r\n\r\n",
    "another version": b"GET /api/me HTTP/9.9\r\nhost: x\r\n\r\n",
    "NUL in a header": b"GET /api/me HTTP/1.1\r\nhost: x\r\nx: a\x00b\r\n\r\n",
    "a header without a name": b"GET /api/me HTTP/1.1\r\n: x\r\n\r\n",
    "an endless header": b"GET /api/me HTTP/1.1\r\nx: " + b"a" * 2_000_000,
    "endless headers": b"GET /api/me HTTP/1.1\r\n" + b"x: a\r\n" * 20_000,
    "an endless path": b"GET /" + b"a" * 2_000_000 + b" HTTP/1.1\r\n\r\n",
    "raw bytes in the path": b"GET /api/orders/\xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n",
    "an incomplete escape": b"GET /api/orders/%f HTTP/1.1\r\nhost: x\r\n\r\n",
    "an escape that is not UTF-8": b"GET /api/orders/%ff HTTP/1.1\r\nhost: x\r\n\r\n",
    "an escaped NUL": b"GET /api/orders/%00 HTTP/1.1\r\nhost: x\r\n\r\n",
    "no host": b"GET /api/me HTTP/1.1\r\n\r\n",
    "a cookie that is not ASCII": b"GET /api/me HTTP/1.1\r\nhost: x\r\ncookie: session=\xff\xfe\r\n\r\n",
    "a bearer token that is not ASCII": b"GET /api/me HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \xff\xfe\r\n\r\n",
    "CONNECT": b"CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n",
    "an absolute URL": b"GET http://elsewhere.example/api/me HTTP/1.1\r\nhost: x\r\n\r\n",
    "an upgrade": b"GET /api/me HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    "an expectation": b"GET /api/me HTTP/1.1\r\nhost: x\r\nexpect: 200-maybe\r\ncontent-length: 5\r\n\r\n",
}


@pytest.mark.parametrize("payload", MALFORMED.values(), ids=MALFORMED)
async def test_malformed_requests_are_4xx_or_close_the_connection(target: Target, payload: bytes) -> None:
    response = send(target, payload, then_close=True)
    assert response is None or 400 <= response < 500


async def test_a_raw_utf_8_query_equals_the_percent_encoded_one(target: Target) -> None:
    """As curl sends a query that was not percent-encoded."""
    program = await target.anna.integrator("orders:read")
    await target.anna.order(title="Stół")
    head = f" HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {program.bearer}\r\n\r\n".encode()
    path = f"GET /api/workshops/{target.anna.workshop}/orders?q=".encode()
    found = []
    for query in (b"st%C3%B3%C5%82", "stół".encode()):
        with connected(target) as connection:
            connection.sendall(path + query + head)
            found.append(read_all(connection).partition(b"\r\n\r\n")[2])
    assert b'"title":"St' in found[0]
    assert found[0] == found[1]


@pytest.mark.parametrize("path", [b"/api/me", b"/api/nothing", b"/healthz"])
async def test_an_unknown_method_is_501(target: Target, path: bytes) -> None:
    for method in (b"BREW", b"get", b"X" * 20_000):
        assert send(target, method + b" " + path + b" HTTP/1.1\r\nhost: x\r\n\r\n") == 501


async def test_pipelined_requests_get_responses_in_order(target: Target) -> None:
    one = b"GET %s HTTP/1.1\r\nhost: x\r\n%s\r\n"
    with connected(target) as connection:
        connection.sendall(
            one % (b"/healthz", b"") + one % (b"/api/me", b"") + one % (b"/api/nothing", b"connection: close\r\n")
        )
        responses = read_all(connection).split(b"HTTP/1.1 ")[1:]
    assert [response[:3] for response in responses] == [b"200", b"401", b"404"]


async def test_the_server_still_responds_and_has_logged_no_error(target: Target) -> None:
    assert send(target, target.head + b"content-length: %d\r\n\r\n" % len(BODY) + BODY) == 201
    assert '"event": "unhandled error' not in target.server.log
    assert "Traceback" not in target.server.log
    assert "panicked" not in target.server.log
