"""Reading and writing orders, compared with PocketBase."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from benchmarks import backbench_server, pocketbase_server
from benchmarks.closed_loop import CONNECTIONS
from benchmarks.comparison import Side, compare
from benchmarks.config import Config
from benchmarks.figures import Bound, Note, Result
from benchmarks.workload import Workload, Workloads

SUITE = "orders"
_WORKLOADS = (
    ("GET one order", "read", Bound(5, 4.5)),
    ("GET a list of 200 orders", "list_", Bound(13, 10)),
    ("POST an order", "create", Bound(4.5, 4)),
    ("PATCH an order's status", "move", Bound(4.5, 4)),
)


def measure(config: Config, folder: Path) -> Iterator[Result]:
    own, other = folder / "own", folder / "pocketbase"
    own.mkdir()
    other.mkdir()
    url = backbench_server.sqlite_url(own)
    with backbench_server.running_server(url, own) as backbench, pocketbase_server.running_server(other) as peer:
        mine = backbench_server.workloads(backbench, url, config.orders_to_move)
        theirs = pocketbase_server.workloads(peer, config.orders_to_move)
        for label, name, bound in _WORKLOADS:
            yield compare(
                SUITE,
                label,
                Side("backbench", backbench, workload_of(mine, name)),
                Side("pocketbase", peer, workload_of(theirs, name)),
                config,
                bound,
            )
        yield from _cross_check(backbench.port, mine.read, peer.port, theirs.read, config)


def workload_of(workloads: Workloads, name: str) -> Workload:
    workload: Workload = getattr(workloads, name)
    return workload


def _cross_check(own_port: int, own: Workload, peer_port: int, peer: Workload, config: Config) -> Iterator[Note]:
    """The first figure as measured by `wrk`, if it is installed."""
    if shutil.which("wrk") is None:
        return
    mine = _wrk_rate(own_port, own.requests[0], config.seconds)
    theirs = _wrk_rate(peer_port, peer.requests[0], config.seconds)
    yield Note(SUITE, f"With wrk, GET one order: {mine:,.0f}/s and {theirs:,.0f}/s, {mine / theirs:.2f}×.")


def _wrk_rate(port: int, request: bytes, seconds: float) -> float:
    """Requests per second measured by wrk, with the path and headers of `request`."""
    start, *headers = request.decode().strip().split("\r\n")
    url = f"http://127.0.0.1:{port}{start.split()[1]}"
    sent = [part for header in headers if not header.startswith("host:") for part in ("-H", header)]
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s", *sent, url]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in printed:
        raise RuntimeError(printed)
    line = next(line for line in printed.splitlines() if line.startswith("Requests/sec:"))
    return float(line.split()[1])
