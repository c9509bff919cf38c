"""Workers: how many more requests two worker processes answer than one, and what one core answers.

The load generator shares the processors. Its share of one is printed: near 1 it was the bottleneck. Where the servers
have one core and the generator another, the number of workers alone makes the difference.
"""

import contextlib
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks import backbench_server
from benchmarks.comparison import Medians, Side, alternate
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Note, Result

SUITE = "workers"
_SERVER_CORE, _GENERATOR_CORE = 0, 1


def measure(config: Config, folder: Path) -> Iterator[Result]:
    url = backbench_server.sqlite_url(folder)
    workshops = backbench_server.create_account(url, workshops=4)
    shared = _compared(url, folder, workshops, config, "")
    yield _figure("GET one order with two workers, compared with one", *shared["GET one order"], Bound(1.6))
    if not hasattr(os, "sched_setaffinity") or (os.cpu_count() or 1) < 2:
        yield Note(SUITE, "Cores of their own are not measured: this system has one, or cannot assign them.")
        return
    with _generator_on_its_core():
        for name, medians in _compared(url, folder, workshops, config, str(_SERVER_CORE)).items():
            yield _figure(
                f"{name}, the server on one core, the load generator on another: two workers to one", *medians
            )


def _compared(
    url: str, folder: Path, workshops: list[str], config: Config, cores: str
) -> dict[str, tuple[Medians, Medians]]:
    """By workload: the medians with one worker and with two."""
    with ExitStack() as stack:
        one, two = (
            stack.enter_context(backbench_server.running_server(url, folder, workers=count, cores=cores))
            for count in (1, 2)
        )
        session = backbench_server.sign_in(one, workshops)
        loads = backbench_server.workloads_of(one, session, config.orders_to_move)
        compared = {}
        for name, load in (("GET one order", loads.read), ("PATCH an order's status", loads.move)):
            single, both = alternate([Side("one", one, load), Side("two", two, load)], config)
            compared[name] = (single, both)
        return compared


@contextlib.contextmanager
def _generator_on_its_core() -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {_GENERATOR_CORE})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _figure(name: str, single: Medians, both: Medians, bound: Bound | None = None) -> Figure:
    ratio = both.rate / single.rate
    return Figure(
        SUITE,
        name,
        f"{both.cell}, load generator {both.busy:.2f} of a processor",
        f"one {single.cell}, load generator {single.busy:.2f}",
        ratio,
        f"{ratio:.2f}×",
        bound,
        {"two_rate": both.rate, "one_rate": single.rate},
    )
