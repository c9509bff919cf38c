"""Orders on PostgreSQL, compared with a bare ASGI application that runs the same statements with asyncpg."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks import backbench_server, bare_asgi
from benchmarks.comparison import Side, alternate, compare
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Result
from benchmarks.postgres_server import running_postgres
from benchmarks.workload import READ_ORDERS

SUITE = "postgres"


def measure(config: Config, folder: Path) -> Iterator[Result]:
    with (
        running_postgres(folder) as database,
        backbench_server.running_server(database.url, folder) as backbench,
        bare_asgi.running_server("postgres", database.url, folder) as bare,
    ):
        session = backbench_server.sign_in(backbench, backbench_server.create_account(database.url))
        workshop = session.workshops[0]
        orders = backbench_server.add_orders(backbench, session, workshop, READ_ORDERS)
        workload = backbench_server.read_orders(session, orders)
        yield compare(
            SUITE,
            "PostgreSQL: GET one order, compared with bare asyncpg",
            Side("backbench", backbench, workload),
            Side("bare", bare, workload),
            config,
            Bound(0.5),
        )
        creation = backbench_server.create_orders(session, [workshop], 500)
        (created,) = alternate([Side("backbench", backbench, creation)], config)
        yield Figure(SUITE, "PostgreSQL: POST an order", created.cell, numbers={"backbench_rate": created.rate})
