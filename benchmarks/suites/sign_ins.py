"""Read latency during 50 concurrent sign-ins: password hashing must not delay other requests."""

import statistics
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from benchmarks import backbench_server, pocketbase_server
from benchmarks.closed_loop import percentile
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Result
from benchmarks.open_loop import BackgroundLoad, open_loop
from benchmarks.workload import READ_ORDERS

SUITE = "sign-ins"
_PER_SECOND = 200
_CONCURRENT = 50
_OTHER = "bea@example.com"


class Target(Struct, frozen=True):
    """One server: the requests that read, and the request that signs in."""

    port: int
    reads: list[bytes]
    sign_in: bytes

    def idle_p99_ms(self, seconds: float) -> float:
        """The 99th percentile in milliseconds without sign-ins."""
        return percentile(open_loop(self.port, self.reads, _PER_SECOND, seconds).latencies, 99) * 1000

    def loaded_p99_ms(self, seconds: float) -> tuple[float, float]:
        """The 99th percentile in milliseconds during sign-ins, and the sign-ins per second."""
        measured = open_loop(self.port, self.reads, _PER_SECOND, seconds, BackgroundLoad(_CONCURRENT, [self.sign_in]))
        return percentile(measured.latencies, 99) * 1000, measured.background_responses / seconds


class Latency(Struct, frozen=True):
    """The 99th percentiles in milliseconds without and with sign-ins, and the sign-ins per second."""

    idle: float
    loaded: float
    sign_ins: float

    @property
    def ratio(self) -> float:
        return self.loaded / self.idle

    @property
    def cell(self) -> str:
        return f"{self.loaded:.1f} ms, idle {self.idle:.1f} ms ({self.sign_ins:.0f} sign-ins/s)"


def measure(config: Config, folder: Path) -> Iterator[Result]:
    own, other = folder / "own", folder / "pocketbase"
    own.mkdir()
    other.mkdir()
    url = backbench_server.sqlite_url(own)
    with backbench_server.running_server(url, own) as backbench, pocketbase_server.running_server(other) as peer:
        session = backbench_server.sign_in(backbench, backbench_server.create_account(url))
        orders = backbench_server.add_orders(backbench, session, session.workshops[0], READ_ORDERS)
        reads = backbench_server.read_orders(session, orders).requests
        # Of another account: each account has its newest sessions only, and that of the reads would be ended.
        backbench_server.create_account(url, email=_OTHER)
        mine = Target(backbench.port, reads, backbench_server.sign_in_request(_OTHER))
        user = pocketbase_server.add_user(peer, pocketbase_server.prepare(peer), pocketbase_server.EMAIL)
        theirs = Target(peer.port, pocketbase_server.read_requests(peer, user), pocketbase_server.sign_in_request())
        latencies = _latencies([mine, theirs], config)
    yield _figure(*latencies)


def _latencies(targets: list[Target], config: Config) -> list[Latency]:
    idle: list[list[float]] = [[] for _ in targets]
    loaded: list[list[tuple[float, float]]] = [[] for _ in targets]
    for _ in range(config.paced_rounds):
        for target, idle_p99 in zip(targets, idle, strict=True):
            idle_p99.append(target.idle_p99_ms(config.paced_seconds))
        for target, loaded_p99 in zip(targets, loaded, strict=True):
            loaded_p99.append(target.loaded_p99_ms(config.paced_seconds))
    return [
        Latency(
            statistics.median(idle_p99),
            statistics.median(p99 for p99, _ in loaded_p99),
            statistics.median(rate for _, rate in loaded_p99),
        )
        for idle_p99, loaded_p99 in zip(idle, loaded, strict=True)
    ]


def _figure(mine: Latency, theirs: Latency) -> Figure:
    return Figure(
        SUITE,
        f"p99 of {_PER_SECOND} GETs/s during {_CONCURRENT} concurrent sign-ins, to idle",
        mine.cell,
        f"pocketbase {theirs.cell}, {theirs.ratio:.0f}×",
        mine.ratio,
        f"{mine.ratio:.1f}×",
        Bound(3, is_ceiling=True),
        {
            f"{side}_{name}": getattr(latency, name)
            for side, latency in (("backbench", mine), ("pocketbase", theirs))
            for name in Latency.__struct_fields__
        },
    )
