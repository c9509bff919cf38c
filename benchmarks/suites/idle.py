"""An idle server: start-up time and memory, compared with PocketBase."""

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import Struct

from benchmarks import backbench_server, pocketbase_server
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Note, Result
from benchmarks.server_process import Memory, Server, memory, with_bytecode

SUITE = "idle"
_MIB = 1024 * 1024
Start = Callable[[], AbstractContextManager[Server]]


def measure(config: Config, folder: Path) -> Iterator[Result]:
    own, other = folder / "own", folder / "pocketbase"
    own.mkdir()
    other.mkdir()
    url = backbench_server.sqlite_url(own)
    mine = _starts(lambda: backbench_server.running_server(url, own), config.starts)
    theirs = _starts(lambda: pocketbase_server.running_server(other), config.starts)
    yield Figure(
        SUITE,
        "from start to ready",
        f"{mine.seconds:.2f} s",
        f"pocketbase {theirs.seconds:.2f} s",
        mine.seconds,
        f"{mine.seconds:.2f} s",
        Bound(0.7, is_ceiling=True),
        {"backbench_seconds": mine.seconds, "pocketbase_seconds": theirs.seconds},
    )
    yield _import_time(config)
    if not mine.memories or not theirs.memories:
        yield Note(SUITE, "Memory is not measured: this system has no /proc.")
        return
    my_memory, their_memory = mine.memories[-1], theirs.memories[-1]
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
    yield from _memory_of_both(mine.memories)


def _memory_of_both(memories: list[Memory]) -> Iterator[Figure]:
    """Of the supervisor and one worker. A page that both have is half of each PSS, and counts once in their sum."""
    pss = sum(each.pss for each in memories) / _MIB
    rss = " + ".join(f"{each.rss / _MIB:.0f}" for each in memories)
    yield Figure(
        SUITE,
        "memory of supervisor and worker at rest (sum of PSS)",
        f"{pss:.0f} MiB (RSS {rss})",
        value=pss,
        result=f"{pss:.0f} MiB",
        bound=Bound(70, is_ceiling=True),
        numbers={"pss": pss * _MIB, "rss": sum(each.rss for each in memories)},
    )


def _import_time(config: Config) -> Figure:
    """How long a worker's modules take to import, measured by the interpreter itself."""
    code = "import time; began = time.perf_counter(); import backbench.serving; print(time.perf_counter() - began)"
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, capture_output=True, check=True, env=with_bytecode()) for _ in range(config.starts)]
    seconds = statistics.median(float(run.stdout) for run in runs)
    return Figure(SUITE, "import of the service", f"{seconds:.2f} s", numbers={"seconds": seconds})


class _Starts(Struct, frozen=True):
    """The median start-up time, and the memory of the started process and of its first worker, if it has one."""

    seconds: float
    memories: list[Memory]


def _starts(start: Start, count: int) -> _Starts:
    """Without the first start, which migrates."""
    times = []
    measured: list[Memory] = []
    for number in range(count + 1):
        with start() as server:
            if number:
                times.append(server.ready_after)
            processes = dict.fromkeys([server.process.pid, server.workers[0]])
            measured = [found for found in map(memory, processes) if found is not None]
    return _Starts(statistics.median(times), measured)
