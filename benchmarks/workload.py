"""Workloads: the same requests for every server (read, list, create and move orders)."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks.closed_loop import Exchange, LoadResult, UnexpectedResponse

READ_ORDERS = 2_000
LISTED_ORDERS = 200
STATUSES = ("in_progress", "done", "todo")

_PIECES = ("Oak table", "Stół dębowy", "Walnut bench", "Krzesło tapicerowane", "Stoneware bowls", "Ash shelf")
_CUSTOMERS = ("Jan Kowalski", "Łucja Wiśniewska", "Anna Nowak", "M. O'Neill", "")

# Seeded: requests are shuffled, and the same in every run.
_random = Random(7)


class NewOrder(Struct, frozen=True, rename="camel"):
    title: str
    customer_name: str


class Workload(Struct, frozen=True):
    """Requests of one kind to one server. `is_expected(request, body)` checks a decoded response body."""

    requests: list[bytes]
    status: int
    is_expected: Callable[[bytes, Any], bool]

    def check(self, result: LoadResult) -> None:
        """Raises UnexpectedResponse if a sampled response body is not the expected one."""
        if not result.samples:
            raise UnexpectedResponse("no response was sampled")
        for exchange in result.samples:
            self._check_exchange(exchange)

    def _check_exchange(self, exchange: Exchange) -> None:
        if not self.is_expected(exchange.request, msgspec.json.decode(exchange.body)):
            raise UnexpectedResponse(f"unexpected response to {exchange.request!r}: {exchange.body[:500]!r}")


class Workloads(Struct, frozen=True):
    read: Workload
    list_: Workload
    create: Workload
    move: Workload


def new_orders(count: int) -> list[NewOrder]:
    """Orders with unique titles."""
    return [
        NewOrder(f"{_PIECES[number % len(_PIECES)]} no. {number}", _CUSTOMERS[number % len(_CUSTOMERS)])
        for number in range(count)
    ]


def shuffled(requests: list[bytes]) -> list[bytes]:
    return _random.sample(requests, len(requests))


def status_of(number: int) -> str:
    return STATUSES[number % len(STATUSES)]
