"""Two sides in turn, A B A B, so that a noisy moment of the machine meets both; medians of the rounds."""

import statistics
from collections.abc import Sequence

from msgspec import Struct

from benchmarks.effort import Effort
from benchmarks.figures import Bound, Figure
from benchmarks.jobs import Job
from benchmarks.load import Measured, hammer
from benchmarks.servers import Server

_WARM_UP_SECONDS = 0.4


class Side(Struct, frozen=True):
    name: str
    server: Server
    job: Job

    def round(self, seconds: float) -> "Round":
        worked = self.server.worked
        load = hammer(self.server.port, self.job.requests, self.job.status, seconds)
        self.job.must_fit(load)
        return Round(load, (self.server.worked - worked) / load.answers)


class Round(Struct, frozen=True):
    """`work` is the processor time of one answer, in seconds: it depends less on what else the machine does."""

    load: Measured
    work: float


class Medians(Struct, frozen=True):
    """Of one side's rounds. `busy` is the share of its time that the load itself worked."""

    rate: float
    p50_ms: float
    p99_ms: float
    work_us: float
    busy: float

    @property
    def shown(self) -> str:
        return f"{self.rate:,.0f}/s (p99 {self.p99_ms:.1f} ms, {self.work_us:.0f} µs of processor)"


def in_turn(sides: Sequence[Side], effort: Effort) -> list[Medians]:
    for side in sides:
        side.round(_WARM_UP_SECONDS)
    rounds: list[list[Round]] = [[] for _ in sides]
    for _ in range(effort.rounds):
        for side, measured in zip(sides, rounds, strict=True):
            measured.append(side.round(effort.seconds))
    return [_medians(measured) for measured in rounds]


def _medians(rounds: list[Round]) -> Medians:
    return Medians(
        rate=statistics.median(round_.load.rate for round_ in rounds),
        p50_ms=statistics.median(round_.load.percentile(50) for round_ in rounds) * 1000,
        p99_ms=statistics.median(round_.load.percentile(99) for round_ in rounds) * 1000,
        work_us=statistics.median(round_.work for round_ in rounds) * 1_000_000,
        busy=statistics.median(round_.load.busy for round_ in rounds),
    )


def against(part: str, what: str, ours: Side, peer: Side, effort: Effort, bound: Bound | None) -> Figure:
    """How many times the peer's rate ours is."""
    mine, theirs = in_turn([ours, peer], effort)
    ratio = mine.rate / theirs.rate
    numbers = {
        f"{side}_{name}": getattr(medians, name)
        for side, medians in (("backbench", mine), (peer.name, theirs))
        for name in Medians.__struct_fields__
    }
    return Figure(part, what, mine.shown, f"{peer.name} {theirs.shown}", ratio, f"{ratio:.2f}×", bound, numbers)
