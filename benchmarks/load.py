"""The load: browsers and programs that keep their connections and ask again as soon as they are answered.

One thread, one `poll`, requests prepared as bytes and answers read no further than needed, so that it costs little
beside the servers that it shares the machine with. `Measured.busy` tells how much: near 1 it was itself the limit.
"""

import re
import select
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice

from msgspec import Struct

CONNECTIONS = 16
_PATIENCE_SECONDS = 30.0
_READ_BYTES = 256 * 1024
_SAMPLE_EVERY = 97
_MOST_SAMPLES = 200
_HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
_LAST_CHUNK = b"\r\n0\r\n\r\n"


class Wrong(Exception):
    """An answer that is not what was asked for: a figure from it would mean nothing."""


class Exchange(Struct, frozen=True):
    request: bytes
    body: bytes


class Measured(Struct, frozen=True):
    """What a round of load came to. Times in seconds."""

    answers: int
    elapsed: float
    times: list[float]
    busy: float
    samples: list[Exchange]

    @property
    def rate(self) -> float:
        return self.answers / self.elapsed

    def percentile(self, percent: float) -> float:
        return percentile(self.times, percent)


def percentile(times: Sequence[float], percent: float) -> float:
    """The least of `times` that `percent` of them do not exceed."""
    ordered = sorted(times)
    return ordered[max(0, -(-len(ordered) * percent // 100).__trunc__() - 1)]


def request(method: str, path: str, headers: dict[str, str] | None = None, body: bytes | None = None) -> bytes:
    """A request as it goes over the wire."""
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body is not None:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


class Line:
    """A kept connection, with the request that is under way on it."""

    __slots__ = ("_left", "_parts", "request", "sent_at", "socket")

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self.request = b""
        self.sent_at = 0.0
        self._parts: list[bytes] = []
        self._left = 0

    def send(self, wanted: bytes) -> None:
        """Requests are small and the last one was answered, so there is room for all of it."""
        self.request = wanted
        self.sent_at = time.perf_counter()
        if self.socket.send(wanted) != len(wanted):
            raise Wrong("a request did not fit the socket's buffer")

    def receive(self) -> bytes | None:
        """The whole answer; None while a part of it is under way."""
        received = self.socket.recv(_READ_BYTES)
        if not received:
            raise Wrong("the server hung up")
        if self._parts:
            return self._joined(received)
        left = _left(received)
        if left == 0:
            return received
        self._parts, self._left = [received], left
        return None

    def _joined(self, received: bytes) -> bytes | None:
        self._parts.append(received)
        if self._left > 0:
            self._left -= len(received)
            if self._left > 0:
                return None
            answer = b"".join(self._parts)
        else:
            answer = b"".join(self._parts)
            if _left(answer) != 0:
                return None
        self._parts = []
        return answer

    def close(self) -> None:
        self.socket.close()


def _left(answer: bytes) -> int:
    """How many bytes are still to come; -1 where the answer does not tell."""
    head = answer.find(_HEAD_END)
    if head < 0:
        return -1
    length = _LENGTH.search(answer, 0, head + 2)
    if length is None:
        return 0 if answer.endswith(_LAST_CHUNK) else -1
    return head + len(_HEAD_END) + int(length[1]) - len(answer)


def body_of(answer: bytes) -> bytes:
    """The body of a whole answer, its chunks joined."""
    head, _, body = answer.partition(_HEAD_END)
    return body if _LENGTH.search(head + b"\r\n") else b"".join(_chunks(body))


def _chunks(body: bytes) -> Iterator[bytes]:
    while True:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        if length == 0:
            return
        yield rest[:length]
        body = rest[length + 2 :]


def hammer(port: int, requests: Sequence[bytes], status: int, seconds: float) -> Measured:
    """Asks for `requests` in turn, over and over, on every connection, for `seconds`."""
    return _driven(port, cycle(requests), status, time.perf_counter() + seconds, _SAMPLE_EVERY, _MOST_SAMPLES)


def ask_all(port: int, requests: Sequence[bytes], status: int) -> list[bytes]:
    """Asks for each once; the answers' bodies in the order of `requests`, which must differ from one another."""
    measured = _driven(port, iter(requests), status, float("inf"), 1, len(requests))
    bodies = {exchange.request: exchange.body for exchange in measured.samples}
    return [bodies[wanted] for wanted in requests]


def one_by_one(port: int, requests: Sequence[bytes], status: int) -> Measured:
    """Asks for each once on a single connection, the next when the last is answered; all answers are sampled."""
    return _driven(port, iter(requests), status, float("inf"), 1, len(requests), connections=1)


def _driven(
    port: int,
    requests: Iterator[bytes],
    status: int,
    until: float,
    every: int,
    most: int,
    connections: int = CONNECTIONS,
) -> Measured:
    lines = [Line(port) for _ in range(connections)]
    times: list[float] = []
    samples: list[Exchange] = []
    started, worked = time.perf_counter(), time.process_time()

    def take(line: Line, answer: bytes) -> bool:
        times.append(time.perf_counter() - line.sent_at)
        _must_be(answer, status)
        if (len(times) - 1) % every == 0 and len(samples) < most:
            samples.append(Exchange(line.request, body_of(answer)))
        following = next(requests, None) if time.perf_counter() < until else None
        if following is None:
            return False
        line.send(following)
        return True

    try:
        waiting = [
            line for line, wanted in zip(lines, islice(requests, len(lines)), strict=False) if _sent(line, wanted)
        ]
        serve(waiting, take)
        elapsed = time.perf_counter() - started
        return Measured(len(times), elapsed, times, (time.process_time() - worked) / elapsed, samples)
    finally:
        for line in lines:
            line.close()


def _sent(line: Line, wanted: bytes) -> bool:
    line.send(wanted)
    return True


def serve(lines: Sequence[Line], take: Callable[[Line, bytes], bool]) -> None:
    """Hands every answer to `take` until it has said of each line that nothing more is asked there."""
    by_number = {line.socket.fileno(): line for line in lines}
    poll = select.poll()
    for number in by_number:
        poll.register(number, select.POLLIN)
    while by_number:
        ready = poll.poll(_PATIENCE_SECONDS * 1000)
        if not ready:
            raise Wrong(f"no answer for {_PATIENCE_SECONDS:.0f} s")
        for number, _ in ready:
            line = by_number[number]
            answer = line.receive()
            if answer is not None and not take(line, answer):
                poll.unregister(number)
                del by_number[number]


def _must_be(answer: bytes, status: int) -> None:
    if answer[9:12] != b"%d" % status or _is_empty(answer):
        raise Wrong(f"expected {status} and a body, got {answer[:500]!r}")


def _is_empty(answer: bytes) -> bool:
    return answer.endswith(_HEAD_END) and answer.find(_HEAD_END) in (len(answer) - 4, len(answer) - 9)
