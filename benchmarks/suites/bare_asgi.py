"""GET one order, compared with a bare ASGI application: the overhead of Backbench's own code."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks import backbench_server, bare_asgi
from benchmarks.comparison import Side, compare
from benchmarks.config import Config
from benchmarks.figures import Bound, Result
from benchmarks.workload import READ_ORDERS

SUITE = "bare-asgi"


def measure(config: Config, folder: Path) -> Iterator[Result]:
    url = backbench_server.sqlite_url(folder)
    with (
        backbench_server.running_server(url, folder) as backbench,
        bare_asgi.running_server("sqlite", str(folder / "backbench.db"), folder) as bare,
    ):
        session = backbench_server.sign_in(backbench, backbench_server.create_account(url))
        orders = backbench_server.add_orders(backbench, session, session.workshops[0], READ_ORDERS)
        workload = backbench_server.read_orders(session, orders)
        yield compare(
            SUITE,
            "GET one order, compared with bare ASGI",
            Side("backbench", backbench, workload),
            Side("bare", bare, workload),
            config,
            Bound(0.6),
        )
