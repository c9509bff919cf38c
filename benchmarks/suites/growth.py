"""Growth: reading, listing and creating orders must cost the same in a small and in a large workshop."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backbench.engine.database import Write
from backbench.engine.urls import open_database
from backbench.orders import orders
from backbench.orders.orders import NewOrder, Order, StatusChange
from backbench.values import times
from backbench.values.ids import new_id
from benchmarks import backbench_server, workload
from benchmarks.comparison import Medians, Side, alternate
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Note, Result
from benchmarks.workload import Workload

SUITE = "growth"
_FEW = 1_000
_MAX_READ = 20_000
_PAGE = 50
_PER_TRANSACTION = 10_000
_SECONDS_BETWEEN_ORDERS = 60
_FIRST = "2020-01-02T08:00:00.000Z"


class Archive(Struct, frozen=True):
    """A database with one workshop that is used, the orders of it that are read, and its first page of orders."""

    url: str
    workshop: str
    to_read: list[dict[str, Any]]
    newest: list[dict[str, Any]]


def measure(config: Config, folder: Path) -> Iterator[Result]:
    small, large = folder / "small", folder / "large"
    few = _archive(small, _FEW)
    started = time.perf_counter()
    many = _archive(large, config.large_database)
    took = time.perf_counter() - started
    size = (large / "backbench.db").stat().st_size
    yield Note(
        SUITE,
        f"{config.large_database:,} orders of one workshop were stored in {took:.0f} s and take "
        f"{size / 2**20:,.0f} MiB, {size / config.large_database:,.0f} bytes an order.",
    )
    with ExitStack() as stack:
        mine, theirs = _workloads(stack, many, large), _workloads(stack, few, small)
        for name, in_many, in_few in zip(_NAMES, mine, theirs, strict=True):
            yield _figure(name, alternate([in_many, in_few], config), config.large_database)


_NAMES = ("GET one order", f"GET a page of {_PAGE} orders", "POST an order")


def _workloads(stack: ExitStack, archive: Archive, folder: Path) -> list[Side]:
    """Starts a server on the archive; returns what is measured, in the order of `_NAMES`."""
    server = stack.enter_context(backbench_server.running_server(archive.url, folder))
    session = backbench_server.sign_in(server, [archive.workshop])
    page = backbench_server.session_request(session, "GET", f"/workshops/{archive.workshop}/orders?limit={_PAGE}")
    workloads = [
        backbench_server.read_orders(session, archive.to_read),
        Workload([page], 200, lambda _, body: body["orders"] == archive.newest),
        backbench_server.create_orders(session, [archive.workshop], 5_000),
    ]
    return [Side("backbench", server, each) for each in workloads]


def _figure(name: str, medians: list[Medians], many: int) -> Figure:
    large, small = medians
    ratio = small.rate / large.rate
    return Figure(
        SUITE,
        f"{name} at {many:,} orders, cost to that at {_FEW:,}",
        large.cell,
        f"{small.cell} at {_FEW:,}",
        ratio,
        f"{ratio:.2f}×",
        Bound(1.3, is_ceiling=True),
        {"many_rate": large.rate, "few_rate": small.rate, "many_p99_ms": large.p99_ms, "few_p99_ms": small.p99_ms},
    )


def _archive(folder: Path, count: int) -> Archive:
    folder.mkdir()
    url = backbench_server.sqlite_url(folder)
    [workshop] = backbench_server.create_account(url)
    backbench_server.grant_pro(url, workshop)
    to_read, newest = asyncio.run(_fill(url, workshop, count))
    return Archive(url, workshop, to_read, newest)


async def _fill(url: str, workshop: str, count: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Adds the orders through `storage`. Returns some of them, spread over all, and the newest page."""
    db = open_database(url)
    every = max(1, count // _MAX_READ)
    to_read: list[Order] = []
    added: list[Order] = []
    for first in range(0, count, _PER_TRANSACTION):
        numbers = range(first, min(first + _PER_TRANSACTION, count))
        new_orders = workload.new_orders(len(numbers))
        added = [_finished(workshop, new, number) for new, number in zip(new_orders, numbers, strict=True)]

        async def add(write: Write, orders_: list[Order] = added) -> None:
            for order in orders_:
                await orders.add(write, order)

        await db.write(add)
        to_read += added[::every]
    await db.close()
    newest = added[: -_PAGE - 1 : -1]
    return [msgspec.to_builtins(order) for order in to_read], [msgspec.to_builtins(order) for order in newest]


def _finished(workshop: str, new: workload.NewOrder, number: int) -> Order:
    """An order that was created and done."""
    created = times.later(_FIRST, number * _SECONDS_BETWEEN_ORDERS)
    done = times.later(created, _SECONDS_BETWEEN_ORDERS)
    order = NewOrder(title=new.title, customer_name=new.customer_name).to_order(workshop, new_id(), created)
    history = [*order.status_history, StatusChange("done", done)]
    return msgspec.structs.replace(order, status="done", last_activity_at=done, status_history=history)
