"""Inputs of the capacity model (benchmarks/capacity/README.md): what operations, rows, streams and connections cost.

Processor time and bytes, on both engines: they depend little on what else the machine does.
"""

import statistics
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from benchmarks import backbench_server
from benchmarks.backbench_server import Session
from benchmarks.capacity import costs, databases, rows
from benchmarks.capacity.costs import Cost
from benchmarks.capacity.databases import MeasuredDatabase
from benchmarks.capacity.operations import WORKSHOPS, Mix
from benchmarks.config import Config
from benchmarks.figures import Figure, Note, Result
from benchmarks.idle_streams import open_streams
from benchmarks.server_process import Server, memory
from benchmarks.suites.streams import stream_requests

SUITE = "capacity"
_KIB = 1024
_ENGINES: tuple[Callable[[Path], AbstractContextManager[MeasuredDatabase]], ...] = (
    databases.sqlite,
    databases.postgres,
)


def measure(config: Config, folder: Path) -> Iterator[Result]:
    for start in _ENGINES:
        own = folder / start.__name__
        own.mkdir()
        with start(own) as database:
            yield from _of_engine(database, config, own)


def _of_engine(database: MeasuredDatabase, config: Config, folder: Path) -> Iterator[Result]:
    workshops = backbench_server.create_account(database.url, WORKSHOPS)
    for workshop in workshops:
        backbench_server.grant_pro(database.url, workshop)
    before = database.table_sizes()
    with backbench_server.running_server(database.url, folder) as server:
        session: Session = backbench_server.sign_in(server, workshops)
        mix = Mix(server, session, config.capacity_requests)
        for name, cost in costs.measured(server, database, mix.operations()):
            yield _cost_figure(database.name, name, cost)
        rows.add_sessions_and_emails(database.url, config.capacity_requests)
        for table, size in sorted(rows.row_sizes(before, database.table_sizes()).items()):
            yield _size_figure(database.name, f"row of {table}", size)
        yield _size_figure(database.name, "stored PDF", _mean_size(folder / "files"))
        yield from _of_worker(server, database, config.streams // 10)


def _cost_figure(engine: str, name: str, cost: Cost) -> Figure:
    written = f", {cost.written_bytes:,.0f} bytes written" if cost.written_bytes >= 1 else ""
    server = f" + {cost.database_us:,.0f} µs of the database server" if cost.database_us else ""
    cell = f"{cost.processor_us:,.0f} µs{server}{written}"
    return Figure(SUITE, f"{engine}: {name}", cell, numbers=msgspec.structs.asdict(cost))


def _size_figure(engine: str, name: str, size: float) -> Figure:
    return Figure(SUITE, f"{engine}: {name}", f"{size:,.0f} bytes", numbers={"bytes": size})


def _mean_size(folder: Path) -> float:
    return statistics.mean(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _of_worker(server: Server, database: MeasuredDatabase, streams: int) -> Iterator[Result]:
    connections = database.connections()
    if connections:
        numbers = {"connections": float(connections)}
        yield Figure(SUITE, f"{database.name}: connections of a worker", f"{connections}", numbers=numbers)
    before = memory(server.workers[0])
    with open_streams(server.port, stream_requests(database.url, streams)):
        after = memory(server.workers[0])
    if before is None or after is None:
        yield Note(SUITE, "Memory is not measured: this system has no /proc.")
        return
    yield _size_figure(database.name, "memory of a worker", before.rss)
    each = (after.rss - before.rss) / streams
    yield Figure(
        SUITE, f"{database.name}: memory of an event stream", f"{each / _KIB:.1f} KiB", numbers={"bytes": each}
    )
