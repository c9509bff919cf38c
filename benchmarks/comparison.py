"""A/B comparison: rounds alternate between two servers, so that noise affects both; medians are compared."""

import statistics
from collections.abc import Callable, Sequence

from msgspec import Struct

from benchmarks.closed_loop import LoadResult, closed_loop
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure
from benchmarks.server_process import Server
from benchmarks.workload import Workload

_WARM_UP_SECONDS = 0.4


class Side(Struct, frozen=True):
    name: str
    server: Server
    workload: Workload

    def round(self, seconds: float) -> "Round":
        used = self.server.processor_seconds
        load = closed_loop(self.server.port, self.workload.requests, self.workload.status, seconds)
        self.workload.check(load)
        return Round(load, (self.server.processor_seconds - used) / load.responses)


class Round(Struct, frozen=True):
    """`processor_seconds` is the processor time per response: it depends less on other processes than the rate."""

    load: LoadResult
    processor_seconds: float


class Medians(Struct, frozen=True):
    """Medians of the rounds of one server. `busy` is the load generator's share of processor time."""

    rate: float
    p50_ms: float
    p99_ms: float
    processor_us: float
    busy: float

    @property
    def cell(self) -> str:
        return f"{self.rate:,.0f}/s (p99 {self.p99_ms:.1f} ms, {self.processor_us:.0f} µs of processor)"


def alternate(sides: Sequence[Side], config: Config, before: Callable[[], None] = lambda: None) -> list[Medians]:
    """`before` runs before each round of all sides."""
    for side in sides:
        side.round(_WARM_UP_SECONDS)
    rounds: list[list[Round]] = [[] for _ in sides]
    for _ in range(config.rounds):
        before()
        for side, own_rounds in zip(sides, rounds, strict=True):
            own_rounds.append(side.round(config.seconds))
    return [_medians(own_rounds) for own_rounds in rounds]


def _medians(rounds: list[Round]) -> Medians:
    return Medians(
        rate=statistics.median(round_.load.rate for round_ in rounds),
        p50_ms=statistics.median(round_.load.percentile(50) for round_ in rounds) * 1000,
        p99_ms=statistics.median(round_.load.percentile(99) for round_ in rounds) * 1000,
        processor_us=statistics.median(round_.processor_seconds for round_ in rounds) * 1_000_000,
        busy=statistics.median(round_.load.busy for round_ in rounds),
    )


def compare(suite: str, name: str, backbench: Side, peer: Side, config: Config, bound: Bound | None) -> Figure:
    """The ratio of Backbench's rate to the peer's."""
    mine, theirs = alternate([backbench, peer], config)
    ratio = mine.rate / theirs.rate
    numbers = {
        f"{side}_{field}": getattr(medians, field)
        for side, medians in (("backbench", mine), (peer.name, theirs))
        for field in Medians.__struct_fields__
    }
    return Figure(suite, name, mine.cell, f"{peer.name} {theirs.cell}", ratio, f"{ratio:.2f}×", bound, numbers)
