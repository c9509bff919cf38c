"""A steady trickle of requests, with or without a crowd beside it: how long a single person waits."""

import select
import time
from collections import deque
from collections.abc import Sequence
from itertools import cycle

from msgspec import Struct

from benchmarks.load import Line, Wrong

# As many as could be waiting at once before the trickle itself is held up, and then that is counted as waiting.
_LINES = 64
_PATIENCE_SECONDS = 30.0


class Crowd(Struct, frozen=True):
    """`size` people who ask for the same, each again as soon as they are answered."""

    size: int
    request: bytes


class Paced(Struct, frozen=True):
    times: list[float]
    signed_in: int


def paced(port: int, requests: Sequence[bytes], rate: float, seconds: float, crowd: Crowd | None = None) -> Paced:
    """Sends `rate` requests a second whatever becomes of them, and waits for the last answer."""
    trickle = _Trickle(port, requests, rate, seconds, crowd)
    try:
        return trickle.run()
    finally:
        trickle.close()


class _Trickle:
    def __init__(self, port: int, requests: Sequence[bytes], rate: float, seconds: float, crowd: Crowd | None) -> None:
        self._requests = cycle(requests)
        self._gap = 1 / rate
        self._left = round(rate * seconds)
        self._crowd = crowd
        self._idle = [Line(port) for _ in range(_LINES)]
        self._people = {Line(port) for _ in range(crowd.size)} if crowd else set()
        self._asked: dict[int, Line] = {}
        self._late: deque[float] = deque()
        self._times: list[float] = []
        self._signed_in = 0

    def run(self) -> Paced:
        for person in self._people:
            assert self._crowd is not None
            self._ask(person, self._crowd.request)
        due = time.perf_counter() + self._gap
        while self._left:
            until_due = due - time.perf_counter()
            if until_due > 0:
                self._listen(until_due)
                continue
            self._start(due)
            self._left -= 1
            due += self._gap
        signed_in = self._signed_in
        while self._asked:
            if not self._listen(_PATIENCE_SECONDS):
                raise Wrong(f"no answer for {_PATIENCE_SECONDS:.0f} s")
        return Paced(self._times, signed_in)

    def _listen(self, seconds: float) -> bool:
        """Hears whoever is answered within `seconds`; False where nobody is."""
        ready, _, _ = select.select(list(self._asked), [], [], seconds)
        for number in ready:
            self._hear(self._asked[number])
        return bool(ready)

    def _start(self, due: float) -> None:
        if self._idle:
            self._ask(self._idle.pop(), next(self._requests))
        else:
            self._late.append(due)

    def _ask(self, line: Line, wanted: bytes) -> None:
        line.send(wanted)
        self._asked[line.socket.fileno()] = line

    def _hear(self, line: Line) -> None:
        answer = line.receive()
        if answer is None:
            return
        if answer[9:12] != b"200":
            raise Wrong(f"expected 200, got {answer[:500]!r}")
        del self._asked[line.socket.fileno()]
        if line in self._people:
            self._signed_in += 1
            if self._left:
                self._ask(line, line.request)
            return
        self._times.append(time.perf_counter() - line.sent_at)
        self._idle.append(line)
        if self._late:
            self._start_late()

    def _start_late(self) -> None:
        line = self._idle.pop()
        self._ask(line, next(self._requests))
        line.sent_at = self._late.popleft()

    def close(self) -> None:
        for line in {*self._idle, *self._people, *self._asked.values()}:
            line.close()
