"""Open-loop load generator: requests at a constant rate, with or without closed-loop background load."""

import select
import time
from collections import deque
from collections.abc import Sequence
from itertools import cycle

from msgspec import Struct

from benchmarks.closed_loop import Connection, UnexpectedResponse

# More requests than these wait for a connection; their latency includes that wait.
_CONNECTIONS = 64
_TIMEOUT_SECONDS = 30.0


class BackgroundLoad(Struct, frozen=True):
    """Connections that send the next of the requests as soon as one is answered."""

    connections: int
    requests: Sequence[bytes]


class OpenLoopResult(Struct, frozen=True):
    """Latencies in seconds of the requests at the constant rate, and the number of background responses."""

    latencies: list[float]
    background_responses: int


def open_loop(
    port: int, requests: Sequence[bytes], rate: float, seconds: float, background: BackgroundLoad | None = None
) -> OpenLoopResult:
    """Sends `rate` requests per second independently of the responses, and waits for the last response."""
    loop = _OpenLoop(port, requests, rate, seconds, background)
    try:
        return loop.run()
    finally:
        loop.close()


class _OpenLoop:
    def __init__(
        self, port: int, requests: Sequence[bytes], rate: float, seconds: float, background: BackgroundLoad | None
    ) -> None:
        self._requests = cycle(requests)
        self._interval = 1 / rate
        self._left = round(rate * seconds)
        self._background_requests = cycle(background.requests if background else ())
        self._idle = [Connection(port) for _ in range(_CONNECTIONS)]
        self._background_connections = (
            {Connection(port) for _ in range(background.connections)} if background else set()
        )
        self._waiting: dict[int, Connection] = {}
        self._late: deque[float] = deque()
        # Not `select.select`: with thousands of event streams open, the numbers of these sockets exceed its limit.
        self._poll = select.poll()
        for connection in (*self._idle, *self._background_connections):
            self._poll.register(connection.socket, select.POLLIN)
        self._latencies: list[float] = []
        self._background_responses = 0

    def run(self) -> OpenLoopResult:
        for connection in self._background_connections:
            self._send(connection, next(self._background_requests))
        due = time.perf_counter() + self._interval
        while self._left:
            until_due = due - time.perf_counter()
            if until_due > 0:
                self._receive(until_due)
                continue
            self._start(due)
            self._left -= 1
            due += self._interval
        background_responses = self._background_responses
        while self._waiting:
            if not self._receive(_TIMEOUT_SECONDS):
                raise UnexpectedResponse(f"no response for {_TIMEOUT_SECONDS:.0f} s")
        return OpenLoopResult(self._latencies, background_responses)

    def _receive(self, seconds: float) -> bool:
        """Receives the responses that arrive within `seconds`; False if there are none."""
        ready = self._poll.poll(seconds * 1000)
        for number, _ in ready:
            if number in self._waiting:
                self._receive_on(self._waiting[number])
            else:
                self._drop(number)
        return bool(ready)

    def _drop(self, number: int) -> None:
        """The server has closed a connection that was idle for long."""
        self._poll.unregister(number)
        for connection in [each for each in self._idle if each.socket.fileno() == number]:
            self._idle.remove(connection)
            connection.close()

    def _start(self, due: float) -> None:
        if self._idle:
            self._send(self._idle.pop(), next(self._requests))
        else:
            self._late.append(due)

    def _send(self, connection: Connection, request: bytes) -> None:
        connection.send(request)
        self._waiting[connection.socket.fileno()] = connection

    def _receive_on(self, connection: Connection) -> None:
        response = connection.receive()
        if response is None:
            return
        if response[9:12] != b"200":
            raise UnexpectedResponse(f"expected 200, got {response[:500]!r}")
        del self._waiting[connection.socket.fileno()]
        if connection in self._background_connections:
            self._background_responses += 1
            if self._left:
                self._send(connection, next(self._background_requests))
            return
        self._latencies.append(time.perf_counter() - connection.sent_at)
        self._idle.append(connection)
        if self._late:
            self._start_late()

    def _start_late(self) -> None:
        connection = self._idle.pop()
        self._send(connection, next(self._requests))
        connection.sent_at = self._late.popleft()

    def close(self) -> None:
        for connection in {*self._idle, *self._background_connections, *self._waiting.values()}:
            connection.close()
