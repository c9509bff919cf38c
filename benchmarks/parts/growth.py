"""A Backbench after its first weeks and after many years: reading and writing an order must cost the same."""

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
from benchmarks import jobs, ours
from benchmarks.effort import Effort
from benchmarks.figures import Bound, Figure, Found, Note
from benchmarks.jobs import Job
from benchmarks.rounds import Medians, Side, in_turn

PART = "growth"
_FEW = 1_000
_FEW_PER_WORKSHOP = 250
_MANY_PER_WORKSHOP = 4_000
_MOST_READ = 20_000
_SECONDS_BETWEEN_ORDERS = 3600
_FIRST = "2020-01-02T08:00:00.000Z"


class Archive(Struct, frozen=True):
    """A database of orders, and those of them that are read."""

    url: str
    workshops: list[str]
    to_read: list[dict[str, Any]]


def measure(effort: Effort, folder: Path) -> Iterator[Found]:
    small, large = folder / "few", folder / "many"
    few = _archive(small, _FEW, _FEW_PER_WORKSHOP)
    started = time.perf_counter()
    many = _archive(large, effort.many, _MANY_PER_WORKSHOP)
    took = time.perf_counter() - started
    size = (large / "backbench.db").stat().st_size
    yield Note(
        PART,
        f"{effort.many:,} orders in {len(many.workshops)} workshops were stored in {took:.0f} s and take "
        f"{size / 2**20:,.0f} MiB, {size / effort.many:,.0f} bytes an order.",
    )
    with ExitStack() as stack:
        few_read, few_made = _asked(stack, few, small)
        many_read, many_made = _asked(stack, many, large)
        yield _figure("GET one order", in_turn([many_read, few_read], effort), effort.many)
        yield _figure("POST an order", in_turn([many_made, few_made], effort), effort.many)


def _asked(stack: ExitStack, archive: Archive, folder: Path) -> tuple[Side, Side]:
    """Serves the archive: what is read of it, and what is written to it."""
    server = stack.enter_context(ours.served(archive.url, folder))
    anna = ours.desk(server, archive.workshops)
    reading: Job = ours.reading(anna, archive.to_read)
    creating: Job = ours.creating(anna, archive.workshops, 5_000)
    return Side("backbench", server, reading), Side("backbench", server, creating)


def _figure(what: str, medians: list[Medians], many: int) -> Figure:
    large, small = medians
    ratio = small.rate / large.rate
    return Figure(
        PART,
        f"{what} at {many:,} orders, cost to that at {_FEW:,}",
        large.shown,
        f"{small.shown} at {_FEW:,}",
        ratio,
        f"{ratio:.2f}×",
        Bound(1.3, is_ceiling=True),
        {"many_rate": large.rate, "few_rate": small.rate, "many_p99_ms": large.p99_ms, "few_p99_ms": small.p99_ms},
    )


def _archive(folder: Path, count: int, per_workshop: int) -> Archive:
    folder.mkdir()
    url = ours.file_in(folder)
    workshops = ours.furnish(url, count // per_workshop)
    every = max(1, count // _MOST_READ)
    return Archive(url, workshops, asyncio.run(_fill(url, workshops, per_workshop, every)))


async def _fill(url: str, workshops: list[str], per_workshop: int, every: int) -> list[dict[str, Any]]:
    """Stores the orders through `storage`, a transaction a workshop; one in `every` as it will be read."""
    db = open_database(url)
    to_read = []
    opened = jobs.new_orders(per_workshop)
    moments = _moments(per_workshop + 1)
    for workshop in workshops:
        filed = [_filed(workshop, new, moments[number : number + 2]) for number, new in enumerate(opened)]

        async def add(write: Write, filed: list[Order] = filed) -> None:
            for order in filed:
                await orders.add(write, order)

        await db.write(add)
        to_read += [msgspec.to_builtins(order) for order in filed[::every]]
    await db.close()
    return to_read


def _moments(count: int) -> list[str]:
    return [times.later(_FIRST, number * _SECONDS_BETWEEN_ORDERS) for number in range(count)]


def _filed(workshop: str, new: jobs.NewOrder, moments: list[str]) -> Order:
    """An order that was opened and finished."""
    opened, done = moments
    order = NewOrder(title=new.title, customer_name=new.customer_name).to_order(workshop, new_id(), opened)
    history = [*order.status_history, StatusChange("done", done)]
    return msgspec.structs.replace(order, status="done", last_activity_at=done, status_history=history)
