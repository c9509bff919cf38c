"""Many workshops in one database, next to a database with one of them: rates, size, backup and restore; many phones.

The database of PostgreSQL is restored from the backup of the one of SQLite, so both have the same rows.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import asyncpg
from msgspec import Struct

from benchmarks import backbench_server, many_workshops
from benchmarks.closed_loop import percentile
from benchmarks.comparison import Medians, Side, alternate
from benchmarks.config import Config
from benchmarks.figures import Figure, Result
from benchmarks.many_workshops import Owner
from benchmarks.phones import phones
from benchmarks.postgres_server import running_postgres
from benchmarks.server_process import with_bytecode

SUITE = "scale"
_ORDERS_EACH = 200
_PHONES = 1_000
_PHONE_RATES = (500, 1_000, 2_000, 4_000, 6_000)
_MIB = 1024 * 1024
_WORKLOADS = {
    "GET one order": many_workshops.reads,
    "GET a list of 200 orders": many_workshops.lists,
    "PATCH an order's status": many_workshops.moves,
}


class Filled(Struct, frozen=True):
    """A database with workshops, and a folder of its own."""

    url: str
    folder: Path
    owners: list[Owner]

    @property
    def name(self) -> str:
        return f"{len(self.owners):,} workshops" if len(self.owners) > 1 else "one workshop"


def measure(config: Config, folder: Path) -> Iterator[Result]:
    if not config.workshops:
        return
    one, many = filled(folder / "one", 1), filled(folder / "many", config.workshops)
    yield from sizes("SQLite", [one, many])
    for each in (one, many):
        yield backup("SQLite", each)
        yield restore("SQLite", each, backbench_server.sqlite_url(each.folder / "restored"))
    yield from rates("SQLite", [one, many], config)
    yield phones_figure("SQLite", many, config)
    with running_postgres(folder) as server:
        for each in (one, many):
            yield restore("PostgreSQL", each, new_database(server.url, each.folder.name))
        copies = [Filled(url_of(server.url, each.folder.name), each.folder, each.owners) for each in (one, many)]
        yield from sizes("PostgreSQL", copies)
        yield backup("PostgreSQL", copies[1])
        yield from rates("PostgreSQL", copies, config)
        yield phones_figure("PostgreSQL", copies[1], config)


def filled(folder: Path, workshops: int) -> Filled:
    """A new SQLite database in the folder."""
    folder.mkdir()
    url = backbench_server.sqlite_url(folder)
    return Filled(url, folder, many_workshops.fill(url, workshops, _ORDERS_EACH))


def rates(
    engine: str, databases: Sequence[Filled], config: Config, workers: Sequence[int] = (1, 2)
) -> Iterator[Figure]:
    """Rates of the second database to those of the first, which has few orders."""
    shorten = partial(many_workshops.shorten_histories, databases[0].url)
    for count in workers:
        with ExitStack() as stack:
            servers = [
                stack.enter_context(backbench_server.running_server(each.url, each.folder, workers=count))
                for each in databases
            ]
            for name, workload in _WORKLOADS.items():
                sides = [
                    Side(each.name, server, workload(each.owners))
                    for each, server in zip(databases, servers, strict=True)
                ]
                few, many = alternate(sides, config, before=shorten)
                yield _rate_figure(f"{engine}, --workers {count}: {name}", databases[1].name, few, many)


def _rate_figure(name: str, of: str, few: Medians, many: Medians) -> Figure:
    ratio = many.rate / few.rate
    return Figure(
        SUITE,
        f"{name}, {of} to one",
        many.cell,
        f"one {few.cell}",
        ratio,
        f"{ratio:.2f}×",
        numbers={"many_rate": many.rate, "one_rate": few.rate, "many_p99_ms": many.p99_ms, "one_p99_ms": few.p99_ms},
    )


def phones_figure(engine: str, database: Filled, config: Config, workers: int = 1) -> Figure:
    """The latencies of phones at each rate, up to the first that the server does not reach."""
    owners = database.owners[:_PHONES]
    cells: list[str] = []
    numbers: dict[str, float] = {}
    with backbench_server.running_server(database.url, database.folder, workers=workers) as server:
        for rate in _PHONE_RATES:
            found = phones(server.port, owners, rate, 2 * config.paced_seconds)
            asks, moves = (percentile(times, 99) * 1000 for times in (found.asks, found.moves))
            cells.append(f"{found.rate:,.0f}/s: p99 {asks:.0f} ms to ask, {moves:.0f} ms to move")
            numbers |= {f"asks_p99_ms_{rate}": asks, f"moves_p99_ms_{rate}": moves, f"rate_{rate}": found.rate}
            if found.rate < 0.95 * rate:
                break
    name = f"{engine}, --workers {workers}: {len(owners):,} phones that ask for changes, a fifth of the requests moves"
    return Figure(SUITE, name, "; ".join(cells), numbers=numbers)


def sizes(engine: str, databases: Sequence[Filled]) -> Iterator[Figure]:
    for each in databases:
        if engine == "SQLite":
            size = Path(each.url.removeprefix("sqlite:///")).stat().st_size
        else:
            size = asyncio.run(_postgres_size(each.url))
        yield Figure(SUITE, f"{engine}, size of {each.name}", f"{size / _MIB:,.1f} MiB", numbers={"bytes": size})


async def _postgres_size(url: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval("SELECT pg_database_size(current_database())"))
    finally:
        await connection.close()


def backup(engine: str, database: Filled) -> Figure:
    """Time of `backbench backup`. The backup of SQLite stays in the folder."""
    target = database.folder / f"backup-{engine}"
    seconds = _run("backup", target, database.url, database.folder)
    size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    cell = f"{seconds:.1f} s, {size / _MIB:,.1f} MiB"
    return Figure(SUITE, f"{engine}, backup of {database.name}", cell, numbers={"seconds": seconds, "bytes": size})


def restore(engine: str, database: Filled, url: str) -> Figure:
    """Time of `backbench restore` of the backup of SQLite into a new database."""
    (database.folder / "restored").mkdir(exist_ok=True)
    seconds = _run("restore", database.folder / "backup-SQLite", url, database.folder / "restored")
    return Figure(SUITE, f"{engine}, restore of {database.name}", f"{seconds:.1f} s", numbers={"seconds": seconds})


def _run(command: str, target: Path, url: str, folder: Path) -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "backbench", command, str(target)],
        env=with_bytecode() | backbench_server.environment(url, folder),
        capture_output=True,
        check=True,
    )
    return time.perf_counter() - started


def new_database(server_url: str, name: str) -> str:
    """The URL of a new database of the server."""

    async def create() -> None:
        connection = await asyncpg.connect(server_url)
        try:
            await connection.execute(f'CREATE DATABASE "{name}"')
        finally:
            await connection.close()

    asyncio.run(create())
    return url_of(server_url, name)


def url_of(server_url: str, name: str) -> str:
    return server_url.replace("/postgres?", f"/{name}?", 1)
