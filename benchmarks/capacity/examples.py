"""Loads of the worked examples. All of it is assumed, except for the operations themselves."""

from msgspec.structs import replace

from benchmarks.capacity.model import Limits, Load

# Operations of an active workshop on a day: 25 writes, 250 reads, and a sign-in every other day.
DAILY = {
    "create an order": 2.5,
    "move an order": 6.0,
    "create an estimate": 1.6,
    "change a line": 11.3,
    "confirm an estimate": 2.0,
    "export a PDF": 1.6,
    "read an order": 50.0,
    "read the board": 40.0,
    "list estimates": 20.0,
    "read an estimate": 35.0,
    "ask for changes": 100.0,
    "read the client page": 5.0,
    "sign in": 0.5,
}
ONE = Load("one workshop, 4 people", 1, active=1.0, daily={name: 4 * n for name, n in DAILY.items()}, peak=6, streams=4)
THOUSAND = Load("1,000 workshops", 1_000, active=0.3, daily=DAILY, peak=6, streams=0.5)
MILLIONS = replace(THOUSAND, name="10 million workshops", workshops=10_000_000, active=0.1, streams=0.1)
LIMITS = Limits()
