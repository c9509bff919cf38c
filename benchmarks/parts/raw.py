"""GET one order beside a bare callable that does the same work: what the house costs."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks import ours, raw
from benchmarks.effort import Effort
from benchmarks.figures import Bound, Found
from benchmarks.jobs import READ_ORDERS
from benchmarks.rounds import Side, against

PART = "raw"


def measure(effort: Effort, folder: Path) -> Iterator[Found]:
    url = ours.file_in(folder)
    with ours.served(url, folder) as backbench, raw.served("sqlite", str(folder / "backbench.db"), folder) as bare:
        anna = ours.desk(backbench, ours.furnish(url))
        job = ours.reading(anna, ours.opened(backbench, anna, anna.workshops[0], READ_ORDERS))
        yield against(
            PART,
            "GET one order, beside the bare callable",
            Side("backbench", backbench, job),
            Side("raw", bare, job),
            effort,
            Bound(0.6),
        )
