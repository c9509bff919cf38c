"""Request metrics of a worker: how many responses an operation gave with a status, and how long they took."""

from bisect import bisect_left
from collections.abc import Iterable

import msgspec
from msgspec import Struct

# Upper bounds in seconds; the last bucket has none.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
# Method, path of the operation, and status.
Labels = tuple[str, str, int]


class RequestCount(Struct):
    """The responses with the same labels: their number by duration, and the seconds they took in all."""

    buckets: list[int] = msgspec.field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        self.buckets[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


class WorkerProcess(Struct, frozen=True):
    """What a worker process uses; `started` is in seconds since 1970."""

    pid: int
    started: float
    cpu_seconds: float
    resident_bytes: int = 0
    open_fds: int = 0
    max_fds: int = 0


class _Published(Struct):
    """What a worker publishes for the others."""

    counts: list[tuple[Labels, RequestCount]]
    process: WorkerProcess | None = None


_decoder = msgspec.json.Decoder(_Published)


def encode(counts: dict[Labels, RequestCount], process: WorkerProcess | None = None) -> bytes:
    return msgspec.json.encode(_Published(list(counts.items()), process))


def processes(published: Iterable[bytes]) -> list[WorkerProcess]:
    """The workers that have published something, also those that have ended since, each once as it was last."""
    last: dict[tuple[int, float], WorkerProcess] = {}
    for worker in published:
        process = _decoder.decode(worker).process
        if process is not None:
            known = last.get((process.pid, process.started))
            if known is None or known.cpu_seconds <= process.cpu_seconds:
                last[process.pid, process.started] = process
    return list(last.values())


def total(published: Iterable[bytes]) -> dict[Labels, RequestCount]:
    """The sum of what several workers have published."""
    sums: dict[Labels, RequestCount] = {}
    for worker in published:
        for labels, count in _decoder.decode(worker).counts:
            known = sums.setdefault(labels, RequestCount())
            known.buckets = [one + other for one, other in zip(known.buckets, count.buckets, strict=True)]
            known.seconds += count.seconds
    return sums
