"""Closed-loop load generator: keep-alive connections that send the next request once the last is answered.

One thread, one `poll`, prepared requests and minimal parsing of responses keep it cheap, since it runs on the same
machine as the server. `LoadResult.busy` is its share of processor time: near 1 the generator was the bottleneck.
"""

import re
import select
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice

from msgspec import Struct

CONNECTIONS = 16
_TIMEOUT_SECONDS = 30.0
_READ_BYTES = 256 * 1024
_SAMPLE_EVERY = 97
_MAX_SAMPLES = 200
_HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
_LAST_CHUNK = b"\r\n0\r\n\r\n"


class UnexpectedResponse(Exception):
    """A response other than the expected one: a figure that counts it would be meaningless."""


class Exchange(Struct, frozen=True):
    request: bytes
    body: bytes


class LoadResult(Struct, frozen=True):
    """A round of load. Times are in seconds."""

    responses: int
    elapsed: float
    latencies: list[float]
    busy: float
    samples: list[Exchange]

    @property
    def rate(self) -> float:
        return self.responses / self.elapsed

    def percentile(self, percent: float) -> float:
        return percentile(self.latencies, percent)


def percentile(times: Sequence[float], percent: float) -> float:
    """The smallest of `times` that `percent` percent of them do not exceed."""
    ordered = sorted(times)
    return ordered[max(0, -(-len(ordered) * percent // 100).__trunc__() - 1)]


def request(method: str, path: str, headers: dict[str, str] | None = None, body: bytes | None = None) -> bytes:
    """The bytes of an HTTP/1.1 request."""
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body is not None:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


class Connection:
    """A keep-alive connection and its current request."""

    __slots__ = ("_left", "_parts", "request", "sent_at", "socket")

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self.request = b""
        self.sent_at = 0.0
        self._parts: list[bytes] = []
        self._left = 0

    def send(self, request: bytes) -> None:
        """Sends it in one call: requests are small, and the last one was answered, so the socket's buffer is empty."""
        self.request = request
        self.sent_at = time.perf_counter()
        if self.socket.send(request) != len(request):
            raise UnexpectedResponse("the request did not fit the socket's buffer")

    def receive(self) -> bytes | None:
        """The complete response, or None if more of it is to come."""
        received = self.socket.recv(_READ_BYTES)
        if not received:
            raise UnexpectedResponse("the server closed the connection")
        if self._parts:
            return self._append(received)
        left = _bytes_left(received)
        if left == 0:
            return received
        self._parts, self._left = [received], left
        return None

    def _append(self, received: bytes) -> bytes | None:
        self._parts.append(received)
        if self._left > 0:
            self._left -= len(received)
            if self._left > 0:
                return None
            response = b"".join(self._parts)
        else:
            response = b"".join(self._parts)
            if _bytes_left(response) != 0:
                return None
        self._parts = []
        return response

    def close(self) -> None:
        self.socket.close()


def _bytes_left(response: bytes) -> int:
    """The number of bytes still to come; -1 if unknown."""
    head = response.find(_HEAD_END)
    if head < 0:
        return -1
    length = _LENGTH.search(response, 0, head + 2)
    if length is None:
        return 0 if response.endswith(_LAST_CHUNK) else -1
    return head + len(_HEAD_END) + int(length[1]) - len(response)


def body_of(response: bytes) -> bytes:
    """The body of a complete response, decoded if chunked."""
    head, _, body = response.partition(_HEAD_END)
    return body if _LENGTH.search(head + b"\r\n") else b"".join(_chunks(body))


def _chunks(body: bytes) -> Iterator[bytes]:
    while True:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        if length == 0:
            return
        yield rest[:length]
        body = rest[length + 2 :]


def closed_loop(port: int, requests: Sequence[bytes], status: int, seconds: float) -> LoadResult:
    """Sends `requests` in turn, repeatedly, on all connections, for `seconds`."""
    return _run(port, cycle(requests), status, time.perf_counter() + seconds, _SAMPLE_EVERY, _MAX_SAMPLES)


def send_all(port: int, requests: Sequence[bytes], status: int) -> list[bytes]:
    """Sends each once. Returns the response bodies in the order of `requests`, which must be unique."""
    result = _run(port, iter(requests), status, float("inf"), 1, len(requests))
    bodies = {exchange.request: exchange.body for exchange in result.samples}
    return [bodies[request] for request in requests]


def send_each(port: int, requests: Sequence[bytes], status: int) -> LoadResult:
    """Sends each once, in turn, on all connections."""
    return _run(port, iter(requests), status, float("inf"), _SAMPLE_EVERY, _MAX_SAMPLES)


def send_sequentially(port: int, requests: Sequence[bytes], status: int) -> LoadResult:
    """Sends each once on a single connection; samples every response."""
    return _run(port, iter(requests), status, float("inf"), 1, len(requests), connections=1)


def _run(
    port: int,
    requests: Iterator[bytes],
    status: int,
    until: float,
    sample_every: int,
    max_samples: int,
    connections: int = CONNECTIONS,
) -> LoadResult:
    open_connections = [Connection(port) for _ in range(connections)]
    latencies: list[float] = []
    samples: list[Exchange] = []
    started, processor_started = time.perf_counter(), time.process_time()

    def on_response(connection: Connection, response: bytes) -> bool:
        latencies.append(time.perf_counter() - connection.sent_at)
        _require_status(response, status)
        if (len(latencies) - 1) % sample_every == 0 and len(samples) < max_samples:
            samples.append(Exchange(connection.request, body_of(response)))
        next_request = next(requests, None) if time.perf_counter() < until else None
        if next_request is None:
            return False
        connection.send(next_request)
        return True

    try:
        used = []
        for connection, first in zip(open_connections, islice(requests, connections), strict=False):
            connection.send(first)
            used.append(connection)
        poll_responses(used, on_response)
        elapsed = time.perf_counter() - started
        return LoadResult(
            len(latencies), elapsed, latencies, (time.process_time() - processor_started) / elapsed, samples
        )
    finally:
        for connection in open_connections:
            connection.close()


def poll_responses(connections: Sequence[Connection], on_response: Callable[[Connection, bytes], bool]) -> None:
    """Calls `on_response` with every response, until it has returned False for each connection."""
    by_number = {connection.socket.fileno(): connection for connection in connections}
    poll = select.poll()
    for number in by_number:
        poll.register(number, select.POLLIN)
    while by_number:
        ready = poll.poll(_TIMEOUT_SECONDS * 1000)
        if not ready:
            raise UnexpectedResponse(f"no response for {_TIMEOUT_SECONDS:.0f} s")
        for number, _ in ready:
            connection = by_number[number]
            response = connection.receive()
            if response is not None and not on_response(connection, response):
                poll.unregister(number)
                del by_number[number]


def _require_status(response: bytes, status: int) -> None:
    if response[9:12] != b"%d" % status or _is_empty(response):
        raise UnexpectedResponse(f"expected {status} and a body, got {response[:500]!r}")


def _is_empty(response: bytes) -> bool:
    return response.endswith(_HEAD_END) and response.find(_HEAD_END) in (len(response) - 4, len(response) - 9)
