"""Growth: reading and writing an order in a small and in a large database must cost the same."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backbench.domain.values import times
from backbench.domain.values.ids import new_id
from backbench.domain.workshops.orders import NewOrder, Order, StatusChange
from backbench.storage.engine.database import Write
from backbench.storage.engine.urls import open_database
from backbench.storage.workshops import orders
from benchmarks import backbench_server, workload
from benchmarks.comparison import Medians, Side, alternate
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Note, Result
from benchmarks.workload import Workload

SUITE = "growth"
_FEW = 1_000
_FEW_PER_WORKSHOP = 250
_MANY_PER_WORKSHOP = 4_000
_MAX_READ = 20_000
_SECONDS_BETWEEN_ORDERS = 3600
_FIRST = "2020-01-02T08:00:00.000Z"


class Archive(Struct, frozen=True):
    """A database of orders, and the orders that are read."""

    url: str
    workshops: list[str]
    to_read: list[dict[str, Any]]


def measure(config: Config, folder: Path) -> Iterator[Result]:
    small, large = folder / "small", folder / "large"
    few = _archive(small, _FEW, _FEW_PER_WORKSHOP)
    started = time.perf_counter()
    many = _archive(large, config.large_database, _MANY_PER_WORKSHOP)
    took = time.perf_counter() - started
    size = (large / "backbench.db").stat().st_size
    yield Note(
        SUITE,
        f"{config.large_database:,} orders in {len(many.workshops)} workshops were stored in {took:.0f} s and take "
        f"{size / 2**20:,.0f} MiB, {size / config.large_database:,.0f} bytes an order.",
    )
    with ExitStack() as stack:
        few_read, few_created = _workloads(stack, few, small)
        many_read, many_created = _workloads(stack, many, large)
        yield _figure("GET one order", alternate([many_read, few_read], config), config.large_database)
        yield _figure("POST an order", alternate([many_created, few_created], config), config.large_database)


def _workloads(stack: ExitStack, archive: Archive, folder: Path) -> tuple[Side, Side]:
    """Starts a server on the archive; returns a workload that reads and one that creates."""
    server = stack.enter_context(backbench_server.running_server(archive.url, folder))
    session = backbench_server.sign_in(server, archive.workshops)
    reads: Workload = backbench_server.read_orders(session, archive.to_read)
    creations: Workload = backbench_server.create_orders(session, archive.workshops, 5_000)
    return Side("backbench", server, reads), Side("backbench", server, creations)


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


def _archive(folder: Path, count: int, per_workshop: int) -> Archive:
    folder.mkdir()
    url = backbench_server.sqlite_url(folder)
    workshops = backbench_server.create_account(url, count // per_workshop)
    every = max(1, count // _MAX_READ)
    return Archive(url, workshops, asyncio.run(_fill(url, workshops, per_workshop, every)))


async def _fill(url: str, workshops: list[str], per_workshop: int, every: int) -> list[dict[str, Any]]:
    """Adds the orders through `storage`, one transaction per workshop. Returns every `every`th order."""
    db = open_database(url)
    to_read = []
    new_orders = workload.new_orders(per_workshop)
    moments = _moments(per_workshop + 1)
    for workshop in workshops:
        finished = [_finished(workshop, new, moments[number : number + 2]) for number, new in enumerate(new_orders)]

        async def add(write: Write, finished: list[Order] = finished) -> None:
            for order in finished:
                await orders.add(write, order)

        await db.write(add)
        to_read += [msgspec.to_builtins(order) for order in finished[::every]]
    await db.close()
    return to_read


def _moments(count: int) -> list[str]:
    return [times.later(_FIRST, number * _SECONDS_BETWEEN_ORDERS) for number in range(count)]


def _finished(workshop: str, new: workload.NewOrder, moments: list[str]) -> Order:
    """An order that was created and done."""
    created, done = moments
    order = NewOrder(title=new.title, customer_name=new.customer_name).to_order(workshop, new_id(), created)
    history = [*order.status_history, StatusChange("done", done)]
    return msgspec.structs.replace(order, status="done", last_activity_at=done, status_history=history)
