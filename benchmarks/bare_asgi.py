"""Bare ASGI baseline: a minimal application on the same server as Backbench.

`python -m benchmarks.bare_asgi sqlite 8100` runs it. It does no more than the response requires, so its rate is the
upper bound that the server and the database engine allow.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from backbench import serving
from backbench.settings import Settings
from benchmarks.server_process import Server, free_port, running_process

_ROOT = Path(__file__).parent.parent


@contextlib.contextmanager
def running_server(engine: str, database: str, folder: Path) -> Iterator[Server]:
    """The application for `engine`. `database` is a path for sqlite, a URL for postgres."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.bare_asgi", engine, str(port)]
    path = os.pathsep.join([str(_ROOT), str(_ROOT / "src")])
    with running_process(command, port, "/", folder, {"BARE_ASGI_DATABASE": database, "PYTHONPATH": path}) as server:
        yield server


def main(engine: str, port: int) -> None:
    """Calls Backbench's own `serving.run`, so that the server options are always the same."""
    serving.run(Settings(port=port), "127.0.0.1", workers=1, build=partial(_application, engine))


def _application(engine: str) -> Any:
    return import_module(f"benchmarks.bare_asgi_{engine}").application()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
