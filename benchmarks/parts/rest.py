"""What a Backbench costs that nobody uses: its memory, and the moment until it answers."""

import statistics
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from benchmarks import ours, pocketbase
from benchmarks.effort import Effort
from benchmarks.figures import Bound, Figure, Found, Note
from benchmarks.servers import Memory, Server, memory

PART = "rest"
_MIB = 1024 * 1024
Start = Callable[[], AbstractContextManager[Server]]


def measure(effort: Effort, folder: Path) -> Iterator[Found]:
    own, other = folder / "own", folder / "pocketbase"
    own.mkdir()
    other.mkdir()
    url = ours.file_in(own)
    mine, my_memory = _starts(lambda: ours.served(url, own), effort.starts)
    theirs, their_memory = _starts(lambda: pocketbase.served(other), effort.starts)
    yield Figure(
        PART,
        "from start to ready",
        f"{mine:.2f} s",
        f"pocketbase {theirs:.2f} s",
        mine,
        f"{mine:.2f} s",
        Bound(1.0, is_ceiling=True),
        {"backbench_seconds": mine, "pocketbase_seconds": theirs},
    )
    if my_memory is None or their_memory is None:
        yield Note(PART, "Memory is not measured: this system has no /proc.")
        return
    resident = my_memory.rss / _MIB
    yield Figure(
        PART,
        "memory of an idle worker (RSS)",
        f"{resident:.0f} MiB (PSS {my_memory.pss / _MIB:.0f})",
        f"pocketbase {their_memory.rss / _MIB:.0f} MiB",
        resident,
        f"{resident:.0f} MiB",
        Bound(80, is_ceiling=True),
        {"backbench_rss": my_memory.rss, "backbench_pss": my_memory.pss, "pocketbase_rss": their_memory.rss},
    )


def _starts(start: Start, count: int) -> tuple[float, Memory | None]:
    """The median time until ready, the first start with its migrations left out; the worker's memory then."""
    times = []
    weighed = None
    for number in range(count + 1):
        with start() as server:
            if number:
                times.append(server.ready_after)
            weighed = memory(server.workers[0])
    return statistics.median(times), weighed
