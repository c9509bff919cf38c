"""Benchmark configuration: a quick run for development, a full run for publication."""

from msgspec import Struct


class Config(Struct, frozen=True):
    """`rounds` of `seconds` are measured per server, alternating between the servers."""

    rounds: int
    seconds: float
    # So many orders are moved in turn that their status histories stay short.
    orders_to_move: int
    paced_rounds: int
    paced_seconds: float
    # Orders in the large database of the growth suite.
    large_database: int
    # Workshops in the large database of the scale suite, which takes some 20 minutes; 0 leaves it out.
    workshops: int
    # Timed starts of each server.
    starts: int
    # PDF exports of estimates with 30 lines.
    pdf_exports: int
    # Idle event streams.
    streams: int
    # Requests of each operation of the capacity suite; fewer of those that take long.
    capacity_requests: int
    # The revision to compare with; "" for none.
    against: str = ""


QUICK = Config(
    rounds=5,
    seconds=0.6,
    orders_to_move=3_000,
    paced_rounds=1,
    paced_seconds=3.0,
    large_database=200_000,
    workshops=0,
    starts=3,
    pdf_exports=30,
    streams=1_000,
    capacity_requests=400,
)
FULL = Config(
    rounds=9,
    seconds=1.6,
    orders_to_move=12_000,
    paced_rounds=3,
    paced_seconds=5.0,
    large_database=1_000_000,
    workshops=10_000,
    starts=7,
    pdf_exports=150,
    streams=5_000,
    capacity_requests=1_600,
)
