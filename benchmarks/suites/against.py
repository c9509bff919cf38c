"""The same requests to this version and to an earlier one, with `--against REV`: what a change costs or saves.

The processor time of the server for a request is the better figure where other processes use the machine.
"""

import subprocess
import sys
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import msgspec

from benchmarks import backbench_server
from benchmarks.backbench_server import Session
from benchmarks.comparison import Medians, Side, alternate
from benchmarks.config import Config
from benchmarks.figures import Figure, Note, Result
from benchmarks.postgres_server import running_postgres
from benchmarks.server_process import Server
from benchmarks.suites import estimates
from benchmarks.workload import Workload

SUITE = "against"
_ROOT = Path(__file__).parents[2]
_CREATE_ACCOUNT = """
import sys
import msgspec
from benchmarks import backbench_server
ids = backbench_server.create_account(sys.argv[1], workshops=4)
backbench_server.grant_pro(sys.argv[1], ids[0])
sys.stdout.buffer.write(msgspec.json.encode(ids))
"""


def measure(config: Config, folder: Path) -> Iterator[Result]:
    if not config.against:
        yield Note(SUITE, "--against REV compares this version with an earlier one.")
        return
    earlier = folder / "source"
    _extract(config.against, earlier)
    data = [folder / "now", folder / "earlier"]
    for each in data:
        each.mkdir()
    yield from _compared("SQLite", [backbench_server.sqlite_url(each) for each in data], data, earlier, config)
    with running_postgres(data[0]) as mine, running_postgres(data[1]) as theirs:
        yield from _compared("PostgreSQL", [mine.url, theirs.url], data, earlier, config)


def _compared(engine: str, urls: list[str], data: list[Path], earlier: Path, config: Config) -> Iterator[Result]:
    """This version and the earlier one with databases of their own at these URLs."""
    with (
        backbench_server.running_server(urls[0], data[0], _ROOT) as now,
        backbench_server.running_server(urls[1], data[1], earlier) as then,
    ):
        mine = _workloads(now, urls[0], _ROOT, config)
        theirs = _workloads(then, urls[1], earlier, config)
        for name, workload in mine.items():
            sides = [Side("now", now, workload), Side(config.against, then, theirs[name])]
            yield _figure(f"{engine}: {name}", config.against, *alternate(sides, config))


def _figure(name: str, against: str, now: Medians, then: Medians) -> Figure:
    ratio = now.processor_us / then.processor_us
    return Figure(
        SUITE,
        f"{name}, processor time to that of {against}",
        now.cell,
        f"{against} {then.cell}",
        ratio,
        f"{ratio:.2f}×",
        numbers={"processor_ratio": ratio, "rate_ratio": now.rate / then.rate},
    )


def _extract(revision: str, folder: Path) -> None:
    packed = subprocess.run(["git", "archive", revision], cwd=_ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


def _workloads(server: Server, url: str, source: Path, config: Config) -> dict[str, Workload]:
    """The workloads by name. The account is added by the version itself: its schema is another one."""
    created = subprocess.run(
        [sys.executable, "-c", _CREATE_ACCOUNT, url],
        cwd=source,
        env=backbench_server.with_source(source),
        capture_output=True,
        check=True,
    )
    workshops = msgspec.json.decode(created.stdout.splitlines()[-1], type=list[str])
    session: Session = backbench_server.sign_in(server, workshops)
    orders = backbench_server.workloads_of(server, session, config.orders_to_move)
    lines = estimates.line_workloads(server, session)
    return {
        "GET one order": orders.read,
        "GET a list of 200 orders": orders.list_,
        "POST an order": orders.create,
        "PATCH an order's status": orders.move,
        **lines,
    }
