"""How long to measure: enough to see a change while working, or enough for a page that others read."""

from msgspec import Struct


class Effort(Struct, frozen=True):
    """Seconds are those of one round of load on one side; rounds of the sides take turns."""

    rounds: int
    seconds: float
    # Orders that are moved in turn: as many as keep their histories short.
    movers: int
    paced_rounds: int
    paced_seconds: float
    # Orders in the large file, and how many starts are timed.
    many: int
    starts: int
    # Estimates of 30 lines that are put on paper.
    papers: int


QUICK = Effort(
    rounds=5, seconds=0.6, movers=3_000, paced_rounds=1, paced_seconds=3.0, many=200_000, starts=3, papers=30
)
FULL = Effort(
    rounds=9, seconds=1.6, movers=12_000, paced_rounds=3, paced_seconds=5.0, many=1_000_000, starts=7, papers=150
)
