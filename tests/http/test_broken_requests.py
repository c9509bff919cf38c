"""Requests that break the rules of HTTP, sent to the running server: no 500, no hang, nothing changed."""

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from typing import NamedTuple

import pytest

from backbench.http.requests import MAX_JSON_SIZE
from tests.people import Person
from tests.support.engines import opened_shop
from tests.support.servers import Served, carried, served
from tests.support.stored import everything_in

# The end of a hang, and no promise.
SECONDS = 60.0
BODY = b'{"title":"Oak table"}'


class Place(NamedTuple):
    """A running server, and somebody who is known to it."""

    server: Served
    anna: Person

    @property
    def head(self) -> bytes:
        """The beginning of a request that makes an order, up to what tells how long its body is."""
        headers = {"host": f"127.0.0.1:{self.server.port}", "content-type": "application/json", **carried(self.anna)}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"POST /api/workshops/{self.anna.workshop}/orders HTTP/1.1\r\n{lines}".encode()


@pytest.fixture(scope="module")
async def place(new_database_url: Callable[[], str]) -> AsyncIterator[Place]:
    url = new_database_url()
    with served(url) as server:
        async with opened_shop(url) as shop:
            yield Place(server, await shop.owner("Anna"))


@contextlib.contextmanager
def connected(place: Place) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", place.server.port), SECONDS) as wire:
        yield wire


def heard(wire: socket.socket) -> bytes:
    """All that comes until the server closes the connection. Raises TimeoutError if it does not."""
    said = b""
    with contextlib.suppress(ConnectionError):
        while piece := wire.recv(65536):
            said += piece
    return said


def first_response(wire: socket.socket) -> bytes:
    """Up to the end of its body, or what came before the server closed the connection. Raises TimeoutError."""
    said = b""
    with contextlib.suppress(ConnectionError):
        while not _is_whole(said) and (piece := wire.recv(65536)):
            said += piece
    return said


def _is_whole(response: bytes) -> bool:
    head, end, body = response.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(end) and len(body) >= int(length[1] if length else 0)


def status(answer: bytes) -> int | None:
    """The status of the first answer; None where the server just hung up."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else None


def told(place: Place, *pieces: bytes, then_close: bool = False) -> int | None:
    """What these bytes are answered; the server hangs up or answers in time, whatever they are."""
    with connected(place) as wire:
        with contextlib.suppress(ConnectionError):
            for piece in pieces:
                wire.sendall(piece)
        if then_close:
            with contextlib.suppress(OSError):
                wire.shutdown(socket.SHUT_WR)
        answer = first_response(wire)
    return status(answer)


BROKEN_CHUNKS = {
    "no number": b"zz\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a negative number": b"-5\r\n" + BODY + b"\r\n0\r\n\r\n",
    "an endless number": b"f" * 40 + b"\r\n" + BODY + b"\r\n0\r\n\r\n",
    "shorter than told": b"ff\r\n" + BODY + b"\r\n0\r\n\r\n",
    "longer than told": b"5\r\n" + BODY + b"\r\n0\r\n\r\n",
    "without its line end": b"15\r\n" + BODY + b"0\r\n\r\n",
    "empty lines": b"\r\n\r\n\r\n",
    "NUL": b"15\x00\r\n" + BODY + b"\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("chunks", BROKEN_CHUNKS.values(), ids=BROKEN_CHUNKS)
async def test_broken_chunks_are_400_or_close_the_connection(place: Place, chunks: bytes) -> None:
    before = await everything_in(place.anna.shop.db)
    answer = told(place, place.head + b"transfer-encoding: chunked\r\n\r\n", chunks, then_close=True)
    assert answer in (400, None)
    assert await everything_in(place.anna.shop.db) == before


async def test_a_chunked_body_is_accepted(place: Place) -> None:
    pieces = [b"%x\r\n%s\r\n" % (len(part), part) for part in (BODY[:5], BODY[5:6], BODY[6:])]
    assert told(place, place.head + b"transfer-encoding: chunked\r\n\r\n", *pieces, b"0\r\n\r\n") == 201


async def test_a_body_sent_byte_by_byte_is_accepted(place: Place) -> None:
    head = place.head + b"content-length: %d\r\n\r\n" % len(BODY)
    assert told(place, head, *[BODY[at : at + 1] for at in range(len(BODY))]) == 201


@pytest.mark.parametrize("sent", [0, 1, len(BODY) - 1])
async def test_an_incomplete_body_changes_nothing(place: Place, sent: int) -> None:
    before = await everything_in(place.anna.shop.db)
    head = place.head + b"content-length: %d\r\n\r\n" % len(BODY)
    assert told(place, head + BODY[:sent], then_close=True) in (400, None)
    assert await everything_in(place.anna.shop.db) == before


async def test_a_connection_reset_during_the_body_changes_nothing(place: Place) -> None:
    before = await everything_in(place.anna.shop.db)
    for number in range(5):
        wire = socket.create_connection(("127.0.0.1", place.server.port))
        # Closed with something unread, the connection is reset instead of ended.
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        wire.sendall(place.head + b"content-length: 5000\r\n\r\n" + BODY[:number])
        await asyncio.sleep(0.02)
        wire.close()
    await asyncio.sleep(0.1)
    assert await everything_in(place.anna.shop.db) == before


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
    ids=["no number", "negative", "endless", "two", "hexadecimal", "a list"],
)
async def test_an_invalid_content_length_is_rejected(place: Place, lengths: bytes) -> None:
    before = await everything_in(place.anna.shop.db)
    assert told(place, place.head + lengths + b"\r\n" + BODY, then_close=True) in (400, 413, None)
    assert await everything_in(place.anna.shop.db) == before


async def test_length_with_chunked_encoding_cannot_smuggle_a_request(place: Place) -> None:
    """Whatever of the two the server goes by, what follows is not taken for a request of its own."""
    smuggled = b"DELETE /api/workshops/%s HTTP/1.1\r\nhost: x\r\n\r\n" % place.anna.workshop.encode()
    lengths = b"content-length: %d\r\ntransfer-encoding: chunked\r\n\r\n" % (len(smuggled) + 5)
    with connected(place) as wire:
        with contextlib.suppress(ConnectionError):
            wire.sendall(place.head + lengths + b"0\r\n\r\n" + smuggled)
        answers = heard(wire).split(b"HTTP/1.1 ")
    assert len(answers) <= 3
    assert all(answer[:1] == b"4" for answer in answers[1:])


@pytest.mark.parametrize("size", [MAX_JSON_SIZE + 1, 5_000_000])
async def test_a_too_large_content_length_is_413_before_the_body_is_sent(place: Place, size: int) -> None:
    head = place.head + b"content-length: %d\r\n\r\n" % size
    assert told(place, head, BODY) == 413


async def test_endless_chunks_are_413_once_they_exceed_the_limit(place: Place) -> None:
    chunk = b"2000\r\n" + b" " * 0x2000 + b"\r\n"
    assert told(place, place.head + b"transfer-encoding: chunked\r\n\r\n", *[chunk] * 60) in (413, None)


@pytest.mark.parametrize("rest", [b"x" * 100, b"x" * 300_000], ids=["a little", "a lot"])
async def test_an_unexpected_body_does_not_affect_the_next_request(place: Place, rest: bytes) -> None:
    """On one connection: an operation without a body, sent one all the same, then another request."""
    session = carried(place.anna)["cookie"].encode()
    first = b"GET /api/me HTTP/1.1\r\nhost: x\r\ncookie: %s\r\ncontent-length: %d\r\n\r\n" % (session, len(rest))
    second = b"GET /api/me HTTP/1.1\r\nhost: x\r\ncookie: %s\r\nconnection: close\r\n\r\n" % session
    with connected(place) as wire:
        with contextlib.suppress(ConnectionError):
            wire.sendall(first + rest + second)
        answers = heard(wire).split(b"HTTP/1.1 ")[1:]
    assert answers
    assert {answer[:3] for answer in answers} == {b"200"}


NO_HTTP = {
    "nothing": b"",
    "a word": b"hello\r\n\r\n",
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    "no path": b"GET HTTP/1.1\r\nhost: x\r\n\r\n",
    "another version": b"GET /api/me HTTP/9.9\r\nhost: x\r\n\r\n",
    "NUL in a header": b"GET /api/me HTTP/1.1\r\nhost: x\r\nx: a\x00b\r\n\r\n",
    "no name of a header": b"GET /api/me HTTP/1.1\r\n: x\r\n\r\n",
    "a header without end": b"GET /api/me HTTP/1.1\r\nx: " + b"a" * 2_000_000,
    "headers without end": b"GET /api/me HTTP/1.1\r\n" + b"x: a\r\n" * 20_000,
    "a path without end": b"GET /" + b"a" * 2_000_000 + b" HTTP/1.1\r\n\r\n",
    "a raw path": b"GET /api/orders/\xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n",
    "half an escape": b"GET /api/orders/%f HTTP/1.1\r\nhost: x\r\n\r\n",
    "an escape of no UTF-8": b"GET /api/orders/%ff HTTP/1.1\r\nhost: x\r\n\r\n",
    "an escaped NUL": b"GET /api/orders/%00 HTTP/1.1\r\nhost: x\r\n\r\n",
    "no host": b"GET /api/me HTTP/1.1\r\n\r\n",
    "a cookie of no ASCII": b"GET /api/me HTTP/1.1\r\nhost: x\r\ncookie: session=\xff\xfe\r\n\r\n",
    "a bearer of no ASCII": b"GET /api/me HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \xff\xfe\r\n\r\n",
    "a foreign method": b"BREW /api/me HTTP/1.1\r\nhost: x\r\n\r\n",
    "a tunnel": b"CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n",
    "a whole URL": b"GET http://elsewhere.example/api/me HTTP/1.1\r\nhost: x\r\n\r\n",
    "an upgrade": b"GET /api/me HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    "an expectation": b"GET /api/me HTTP/1.1\r\nhost: x\r\nexpect: 200-maybe\r\ncontent-length: 5\r\n\r\n",
}


@pytest.mark.parametrize("nonsense", NO_HTTP.values(), ids=NO_HTTP)
async def test_malformed_requests_are_4xx_or_close_the_connection(place: Place, nonsense: bytes) -> None:
    answer = told(place, nonsense, then_close=True)
    assert answer is None or 400 <= answer < 500


async def test_a_raw_utf_8_query_equals_the_percent_encoded_one(place: Place) -> None:
    """As curl sends it when nobody has escaped it."""
    program = await place.anna.integrator("orders:read")
    await place.anna.order(title="Stół")
    head = f" HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {program.bearer}\r\n\r\n".encode()
    path = f"GET /api/workshops/{place.anna.workshop}/orders?q=".encode()
    found = []
    for words in (b"st%C3%B3%C5%82", "stół".encode()):
        with connected(place) as wire:
            wire.sendall(path + words + head)
            found.append(heard(wire).partition(b"\r\n\r\n")[2])
    assert b'"title":"St' in found[0]
    assert found[0] == found[1]


async def test_pipelined_requests_get_responses_in_order(place: Place) -> None:
    one = b"GET %s HTTP/1.1\r\nhost: x\r\n%s\r\n"
    with connected(place) as wire:
        wire.sendall(
            one % (b"/healthz", b"") + one % (b"/api/me", b"") + one % (b"/api/nothing", b"connection: close\r\n")
        )
        answers = heard(wire).split(b"HTTP/1.1 ")[1:]
    assert [answer[:3] for answer in answers] == [b"200", b"401", b"404"]


async def test_the_server_still_responds_and_has_logged_no_error(place: Place) -> None:
    assert told(place, place.head + b"content-length: %d\r\n\r\n" % len(BODY) + BODY) == 201
    assert '"event": "fault' not in place.server.log
    assert "Traceback" not in place.server.log
    assert "panicked" not in place.server.log
