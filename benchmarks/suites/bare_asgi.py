"""Orders, compared with a bare ASGI application that runs the same statements: the overhead of Backbench's own code.

The bare application commits each write by itself, durably; Backbench commits those that wait together.
"""

from collections.abc import Iterator
from pathlib import Path

from benchmarks import backbench_server, bare_asgi
from benchmarks.comparison import Side, compare
from benchmarks.config import Config
from benchmarks.figures import Bound, Result
from benchmarks.suites.orders import workload_of

SUITE = "bare-asgi"
_WORKLOADS = (
    ("GET one order", "read", Bound(0.7, 0.6)),
    ("GET a list of 200 orders", "list_", Bound(0.8)),
    ("POST an order", "create", Bound(1.0, 0.8)),
    ("PATCH an order's status", "move", Bound(1.0, 0.8)),
)


def measure(config: Config, folder: Path) -> Iterator[Result]:
    url = backbench_server.sqlite_url(folder)
    with (
        backbench_server.running_server(url, folder) as backbench,
        bare_asgi.running_server("sqlite", str(folder / "backbench.db"), folder) as bare,
    ):
        workloads = backbench_server.workloads(backbench, url, config.orders_to_move)
        for label, name, bound in _WORKLOADS:
            workload = workload_of(workloads, name)
            yield compare(
                SUITE,
                f"{label}, compared with bare ASGI",
                Side("backbench", backbench, workload),
                Side("bare", bare, workload),
                config,
                bound,
            )
