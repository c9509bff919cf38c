"""Phones of many workshops, each on a connection of its own: they move an order, and ask for changes.

Requests begin at a constant rate, spread over the phones in turn. A phone whose last request has no response yet sends
the next one afterwards; its latency counts from when it was due.
"""

import re
import time
from collections import deque
from collections.abc import Sequence
from select import POLLIN, poll

import msgspec
from msgspec import Struct

from benchmarks.backbench_server import session_request
from benchmarks.closed_loop import Connection, UnexpectedResponse, body_of
from benchmarks.idle_streams import raise_file_limit
from benchmarks.many_workshops import Owner, move_request
from benchmarks.workload import STATUSES

# Of so many requests of a phone one moves an order; the others ask for changes.
ONE_WRITE_OF = 5
_TIMEOUT_SECONDS = 30.0
_CURSOR = re.compile(rb'"cursor":"([^"]+)"')


class PhonesResult(Struct, frozen=True):
    """Latencies in seconds, and the requests a second that were responded to."""

    asks: list[float]
    moves: list[float]
    rate: float


class Phone:
    """One phone, its place in the log and its connection."""

    def __init__(self, port: int, owner: Owner, number: int) -> None:
        """`number`: of its first request. Phones begin with different ones, so that not all move at the same time."""
        self._owner = owner
        self.connection = Connection(port)
        self._cursor = b""
        self._number = number
        # The status that the changes have to have next.
        self._moved_to: str | None = None
        self.is_move = False
        self.is_waiting = False
        self.due: deque[float] = deque()

    def send_next(self, due: float) -> None:
        number, self._number = self._number, self._number + 1
        self.is_move = number % ONE_WRITE_OF == 0 and self._cursor != b""
        if self.is_move:
            self._moved_to = STATUSES[number // ONE_WRITE_OF % len(STATUSES)]
            request = move_request(self._owner, self._owner.orders[0], self._moved_to)
        else:
            since = f"?since={self._cursor.decode()}" if self._cursor else ""
            request = session_request(self._owner.session, "GET", f"/workshops/{self._owner.workshop}/changes{since}")
        self.is_waiting = True
        self.connection.send(request)
        self.connection.sent_at = due

    def receive(self) -> float | None:
        """The latency of the request, once its response is complete. Raises UnexpectedResponse."""
        response = self.connection.receive()
        if response is None:
            return None
        if response[9:12] != b"200":
            raise UnexpectedResponse(f"expected 200, got {response[:500]!r}")
        self.is_waiting = False
        latency = time.perf_counter() - self.connection.sent_at
        if not self.is_move:
            self._follow(response)
        return latency

    def _follow(self, response: bytes) -> None:
        """Takes the cursor. Raises UnexpectedResponse unless the changes are those that the phone has made since."""
        cursor = _CURSOR.search(response)
        assert cursor is not None
        self._cursor = cursor[1]
        listed = [order["status"] for order in msgspec.json.decode(body_of(response))["orders"]]
        if listed != ([] if self._moved_to is None else [self._moved_to]):
            raise UnexpectedResponse(f"expected the order as {self._moved_to}, got {listed}")
        self._moved_to = None


def phones(port: int, owners: Sequence[Owner], rate: float, seconds: float) -> PhonesResult:
    """A phone for each of the owners; `rate` requests a second together, after each has asked once."""
    raise_file_limit(len(owners) + 512)
    all_phones = [Phone(port, owner, number) for number, owner in enumerate(owners)]
    try:
        _run(all_phones, rate, len(all_phones) / rate)
        return _run(all_phones, rate, seconds)
    finally:
        for phone in all_phones:
            phone.connection.close()


def _run(all_phones: Sequence[Phone], rate: float, seconds: float) -> PhonesResult:
    by_number = {phone.connection.socket.fileno(): phone for phone in all_phones}
    ready = poll()
    for number in by_number:
        ready.register(number, POLLIN)
    latencies: dict[bool, list[float]] = {True: [], False: []}
    started = time.perf_counter()
    total, begun, responses = round(rate * seconds), 0, 0
    while responses < total:
        due = started + begun / rate
        wait = due - time.perf_counter() if begun < total else _TIMEOUT_SECONDS
        if wait <= 0:
            phone = all_phones[begun % len(all_phones)]
            begun += 1
            phone.due.append(due) if phone.is_waiting else phone.send_next(due)
            continue
        found = ready.poll(wait * 1000)
        if not found and begun == total:
            raise UnexpectedResponse(f"no response for {_TIMEOUT_SECONDS:.0f} s")
        for number, _ in found:
            phone = by_number[number]
            latency = phone.receive()
            if latency is None:
                continue
            latencies[phone.is_move].append(latency)
            responses += 1
            if phone.due:
                phone.send_next(phone.due.popleft())
    return PhonesResult(latencies[False], latencies[True], responses / (time.perf_counter() - started))
