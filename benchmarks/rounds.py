"""Two sides in turn, A B A B, so that a noisy moment of the machine meets both; medians of the rounds."""

import statistics
from collections.abc import Sequence

from msgspec import Struct

from benchmarks.effort import Effort
from benchmarks.figures import Bound, Figure
from benchmarks.jobs import Job
from benchmarks.load import Measured, hammer

_WARM_UP_SECONDS = 0.4


class Side(Struct, frozen=True):
    name: str
    port: int
    job: Job


class Medians(Struct, frozen=True):
    """Of one side's rounds; times in milliseconds. `busy` is the share of its time that the load itself worked."""

    rate: float
    p50: float
    p99: float
    busy: float

    @property
    def shown(self) -> str:
        return f"{self.rate:,.0f}/s (p99 {self.p99:.1f} ms)"


def in_turn(sides: Sequence[Side], effort: Effort) -> list[Medians]:
    for side in sides:
        hammer(side.port, side.job.requests, side.job.status, _WARM_UP_SECONDS)
    rounds: list[list[Measured]] = [[] for _ in sides]
    for _ in range(effort.rounds):
        for side, measured in zip(sides, rounds, strict=True):
            round_ = hammer(side.port, side.job.requests, side.job.status, effort.seconds)
            side.job.must_fit(round_)
            measured.append(round_)
    return [_medians(measured) for measured in rounds]


def _medians(rounds: list[Measured]) -> Medians:
    return Medians(
        rate=statistics.median(round_.rate for round_ in rounds),
        p50=statistics.median(round_.percentile(50) for round_ in rounds) * 1000,
        p99=statistics.median(round_.percentile(99) for round_ in rounds) * 1000,
        busy=statistics.median(round_.busy for round_ in rounds),
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
