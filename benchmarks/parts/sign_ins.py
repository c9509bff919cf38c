"""Reading while fifty people sign in at once: hashing their passwords must not hold up anybody else."""

import statistics
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from benchmarks import ours, pocketbase
from benchmarks.effort import Effort
from benchmarks.figures import Bound, Figure, Found
from benchmarks.jobs import READ_ORDERS
from benchmarks.load import percentile
from benchmarks.pacing import Crowd, paced

PART = "sign-ins"
_PER_SECOND = 200
_AT_ONCE = 50


class Queue(Struct, frozen=True):
    """One side: what is read at a pace, and how somebody signs in there."""

    port: int
    reading: list[bytes]
    signing_in: bytes

    def calm(self, seconds: float) -> float:
        return percentile(paced(self.port, self.reading, _PER_SECOND, seconds).times, 99) * 1000

    def crowded(self, seconds: float) -> tuple[float, float]:
        """The 99th percentile in milliseconds, and how many signed in a second."""
        measured = paced(self.port, self.reading, _PER_SECOND, seconds, Crowd(_AT_ONCE, self.signing_in))
        return percentile(measured.times, 99) * 1000, measured.signed_in / seconds


class Strain(Struct, frozen=True):
    calm: float
    crowded: float
    signed_in: float

    @property
    def ratio(self) -> float:
        return self.crowded / self.calm

    @property
    def shown(self) -> str:
        return f"{self.crowded:.1f} ms, calm {self.calm:.1f} ms ({self.signed_in:.0f} sign-ins/s)"


def measure(effort: Effort, folder: Path) -> Iterator[Found]:
    own, other = folder / "own", folder / "pocketbase"
    own.mkdir()
    other.mkdir()
    url = ours.file_in(own)
    with ours.served(url, own) as backbench, pocketbase.served(other) as peer:
        anna = ours.desk(backbench, ours.furnish(url))
        reading = ours.reading(anna, ours.opened(backbench, anna, anna.workshops[0], READ_ORDERS)).requests
        mine = Queue(backbench.port, reading, ours.signing_in())
        board = pocketbase.person(peer, pocketbase.prepare(peer), pocketbase.EMAIL)
        theirs = Queue(peer.port, pocketbase.reading(peer, board), pocketbase.signing_in())
        strains = _strains([mine, theirs], effort)
    yield _figure(*strains)


def _strains(queues: list[Queue], effort: Effort) -> list[Strain]:
    calm: list[list[float]] = [[] for _ in queues]
    crowded: list[list[tuple[float, float]]] = [[] for _ in queues]
    for _ in range(effort.paced_rounds):
        for queue, found in zip(queues, calm, strict=True):
            found.append(queue.calm(effort.paced_seconds))
        for queue, crowds in zip(queues, crowded, strict=True):
            crowds.append(queue.crowded(effort.paced_seconds))
    return [
        Strain(
            statistics.median(found),
            statistics.median(p99 for p99, _ in crowds),
            statistics.median(rate for _, rate in crowds),
        )
        for found, crowds in zip(calm, crowded, strict=True)
    ]


def _figure(mine: Strain, theirs: Strain) -> Figure:
    return Figure(
        PART,
        f"p99 of {_PER_SECOND} GETs/s during {_AT_ONCE} parallel sign-ins, to calm",
        mine.shown,
        f"pocketbase {theirs.shown}, {theirs.ratio:.0f}×",
        mine.ratio,
        f"{mine.ratio:.1f}×",
        Bound(3, is_ceiling=True),
        {
            f"{side}_{name}": getattr(strain, name)
            for side, strain in (("backbench", mine), ("pocketbase", theirs))
            for name in Strain.__struct_fields__
        },
    )
