"""An idle server: start-up time and memory, compared with PocketBase."""

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from benchmarks import backbench_server, pocketbase_server
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Note, Result
from benchmarks.server_process import Memory, Server, memory

SUITE = "idle"
_MIB = 1024 * 1024
Start = Callable[[], AbstractContextManager[Server]]


def measure(config: Config, folder: Path) -> Iterator[Result]:
    own, other = folder / "own", folder / "pocketbase"
    own.mkdir()
    other.mkdir()
    url = backbench_server.sqlite_url(own)
    mine, my_memory = _starts(lambda: backbench_server.running_server(url, own), config.starts)
    theirs, their_memory = _starts(lambda: pocketbase_server.running_server(other), config.starts)
    yield Figure(
        SUITE,
        "from start to ready",
        f"{mine:.2f} s",
        f"pocketbase {theirs:.2f} s",
        mine,
        f"{mine:.2f} s",
        Bound(1.0, is_ceiling=True),
        {"backbench_seconds": mine, "pocketbase_seconds": theirs},
    )
    yield _import_time(config)
    if my_memory is None or their_memory is None:
        yield Note(SUITE, "Memory is not measured: this system has no /proc.")
        return
    resident = my_memory.rss / _MIB
    yield Figure(
        SUITE,
        "memory of an idle worker (RSS)",
        f"{resident:.0f} MiB (PSS {my_memory.pss / _MIB:.0f})",
        f"pocketbase {their_memory.rss / _MIB:.0f} MiB",
        resident,
        f"{resident:.0f} MiB",
        Bound(80, is_ceiling=True),
        {"backbench_rss": my_memory.rss, "backbench_pss": my_memory.pss, "pocketbase_rss": their_memory.rss},
    )


def _import_time(config: Config) -> Figure:
    """How long a worker's modules take to import, measured by the interpreter itself."""
    code = "import time; began = time.perf_counter(); import backbench.serving; print(time.perf_counter() - began)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(config.starts)]
    seconds = statistics.median(float(run.stdout) for run in runs)
    return Figure(SUITE, "import of the service", f"{seconds:.2f} s", numbers={"seconds": seconds})


def _starts(start: Start, count: int) -> tuple[float, Memory | None]:
    """The median start-up time, without the first start, which migrates; and the memory of a worker."""
    times = []
    measured = None
    for number in range(count + 1):
        with start() as server:
            if number:
                times.append(server.ready_after)
            measured = memory(server.workers[0])
    return statistics.median(times), measured
