"""Workers: how many more reads two worker processes answer than one.

The load generator shares the processors. Its share of one is printed: near 1 it was the bottleneck.
"""

from collections.abc import Iterator
from pathlib import Path

from benchmarks import backbench_server
from benchmarks.comparison import Side, alternate
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Result
from benchmarks.workload import READ_ORDERS

SUITE = "workers"


def measure(config: Config, folder: Path) -> Iterator[Result]:
    url = backbench_server.sqlite_url(folder)
    workshops = backbench_server.create_account(url)
    with (
        backbench_server.running_server(url, folder) as one,
        backbench_server.running_server(url, folder, workers=2) as two,
    ):
        session = backbench_server.sign_in(one, workshops)
        reads = backbench_server.read_orders(
            session, backbench_server.add_orders(one, session, workshops[0], READ_ORDERS)
        )
        single, both = alternate([Side("one", one, reads), Side("two", two, reads)], config)
    ratio = both.rate / single.rate
    yield Figure(
        SUITE,
        "GET one order with two workers, compared with one",
        f"{both.cell}, load generator {both.busy:.2f} of a processor",
        f"one {single.cell}, load generator {single.busy:.2f}",
        ratio,
        f"{ratio:.2f}×",
        Bound(1.6),
        {"two_rate": both.rate, "one_rate": single.rate},
    )
