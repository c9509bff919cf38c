"""Orders, read and written through Backbench and through PocketBase."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from benchmarks import ours, pocketbase
from benchmarks.effort import Effort
from benchmarks.figures import Bound, Found, Note
from benchmarks.jobs import Job, Jobs
from benchmarks.load import CONNECTIONS
from benchmarks.rounds import Side, against

PART = "peer"
_JOBS = (
    ("GET one order", "read", Bound(5, 3)),
    ("GET a list of 200 orders", "list_", Bound(10, 6)),
    ("POST an order", "create", Bound(5, 2.5)),
    ("PATCH an order's status", "move", Bound(5, 2.5)),
)


def measure(effort: Effort, folder: Path) -> Iterator[Found]:
    own, other = folder / "own", folder / "pocketbase"
    own.mkdir()
    other.mkdir()
    url = ours.file_in(own)
    with ours.served(url, own) as backbench, pocketbase.served(other) as peer:
        mine = ours.jobs(backbench, url, effort.movers)
        theirs = pocketbase.jobs(peer, effort.movers)
        for what, name, bound in _JOBS:
            yield against(
                PART,
                what,
                Side("backbench", backbench, _job(mine, name)),
                Side("pocketbase", peer, _job(theirs, name)),
                effort,
                bound,
            )
        yield from _cross_check(backbench.port, mine.read, peer.port, theirs.read, effort)


def _job(jobs: Jobs, name: str) -> Job:
    job: Job = getattr(jobs, name)
    return job


def _cross_check(own_port: int, own: Job, peer_port: int, peer: Job, effort: Effort) -> Iterator[Note]:
    """The first figure by another program's count, where `wrk` is at hand."""
    if shutil.which("wrk") is None:
        return
    mine = _wrk_rate(own_port, own.requests[0], effort.seconds)
    theirs = _wrk_rate(peer_port, peer.requests[0], effort.seconds)
    yield Note(PART, f"By wrk, one and the same order: {mine:,.0f}/s and {theirs:,.0f}/s, {mine / theirs:.2f}×.")


def _wrk_rate(port: int, request: bytes, seconds: float) -> float:
    """Requests a second that wrk counts with the path and the headers of `request`."""
    start, *headers = request.decode().strip().split("\r\n")
    url = f"http://127.0.0.1:{port}{start.split()[1]}"
    sent = [part for header in headers if not header.startswith("host:") for part in ("-H", header)]
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s", *sent, url]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in printed:
        raise RuntimeError(printed)
    line = next(line for line in printed.splitlines() if line.startswith("Requests/sec:"))
    return float(line.split()[1])
