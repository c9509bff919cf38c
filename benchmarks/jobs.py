"""What is asked of every side: the same orders, read, listed, opened and moved."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks.load import Exchange, Measured, Wrong

READ_ORDERS = 2_000
LISTED_ORDERS = 200
STATUSES = ("in_progress", "done", "todo")

_PIECES = ("Oak table", "Stół dębowy", "Walnut bench", "Krzesło tapicerowane", "Stoneware bowls", "Ash shelf")
_CUSTOMERS = ("Jan Kowalski", "Łucja Wiśniewska", "Anna Nowak", "M. O'Neill", "")

# The order of the sides' requests is shuffled, yet the same in every run.
_chance = Random(7)


class NewOrder(Struct, frozen=True, rename="camel"):
    title: str
    customer_name: str


class Job(Struct, frozen=True):
    """One kind of request as a side wants it asked, and how to tell that its answer is the right one."""

    requests: list[bytes]
    status: int
    fits: Callable[[bytes, Any], bool]

    def must_fit(self, measured: Measured) -> None:
        """Raises Wrong where a sampled body is not what this request must be answered with."""
        if not measured.samples:
            raise Wrong("no answer was sampled")
        for exchange in measured.samples:
            self._must_fit(exchange)

    def _must_fit(self, exchange: Exchange) -> None:
        if not self.fits(exchange.request, msgspec.json.decode(exchange.body)):
            raise Wrong(f"{exchange.request!r} was answered with {exchange.body[:500]!r}")


class Jobs(Struct, frozen=True):
    read: Job
    list_: Job
    create: Job
    move: Job


def new_orders(count: int) -> list[NewOrder]:
    """Orders as a workshop writes them, each with a title of its own."""
    return [
        NewOrder(f"{_PIECES[number % len(_PIECES)]} no. {number}", _CUSTOMERS[number % len(_CUSTOMERS)])
        for number in range(count)
    ]


def shuffled(requests: list[bytes]) -> list[bytes]:
    return _chance.sample(requests, len(requests))


def status_of(number: int) -> str:
    return STATUSES[number % len(STATUSES)]
