"""Workers of a node: their processes, files and request metrics."""

import asyncio
import os
import resource
import secrets
import time
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path

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
    """What a worker process uses; `started` is in seconds since 1970, `waiting_pdfs` is a number of documents."""

    pid: int
    started: float
    cpu_seconds: float
    resident_bytes: int = 0
    open_fds: int = 0
    max_fds: int = 0
    waiting_pdfs: int = 0


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


FOLDER_VARIABLE = "_BACKBENCH_WORKER_FOLDER"
_SUFFIX = ".json"


class WorkerFiles:
    """The files of the workers. Without a folder, in a process of its own, there is no other worker."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._name = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock = asyncio.Lock()

    async def exchange(self, own: bytes) -> list[bytes]:
        """Publishes the content of this worker, and returns that of every worker, its own included.

        What one worker has reported has always been published before: a later report of another is never lower.
        """
        if self._folder is None:
            return [own]
        async with self._lock:
            return await asyncio.to_thread(self._exchange, self._folder, own)

    def _exchange(self, folder: Path, own: bytes) -> list[bytes]:
        new = folder / f"{self._name}.new"
        new.write_bytes(own)
        new.replace(folder / f"{self._name}{_SUFFIX}")
        return [file.read_bytes() for file in sorted(folder.glob(f"*{_SUFFIX}"))]


_STARTED = time.time()
_OWN = Path("/proc/self")


def this_process(waiting_pdfs: int = 0) -> WorkerProcess:
    """Memory and open files are 0 on systems without /proc."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    cpu = usage.ru_utime + usage.ru_stime
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    try:
        pages = int((_OWN / "statm").read_text().split()[1])
        fds = sum(1 for _ in (_OWN / "fd").iterdir())
    except OSError:
        pages = fds = 0
    return WorkerProcess(os.getpid(), _STARTED, cpu, pages * resource.getpagesize(), fds, limit, waiting_pdfs)


def is_running(process: WorkerProcess) -> bool:
    """Whether a process has that id now. One that was killed has published no end."""
    try:
        os.kill(process.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # Of another user, so not a worker of this server.
        return False
    return True
