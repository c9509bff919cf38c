"""Runs a bare ASGI callable on the server that Backbench runs on: `python -m benchmarks.raw sqlite 8100`.

What it does is the least that the answer needs, so its rate is what the server and the engine allow.
"""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from granian import Granian

from backbench import serving
from benchmarks.servers import Server, free_port, running

_ROOT = Path(__file__).parent.parent


@contextlib.contextmanager
def served(engine: str, place: str, folder: Path) -> Iterator[Server]:
    """The callable for `engine`, on the database at `place`: a path for sqlite, a URL for postgres."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.raw", engine, str(port)]
    with running(command, port, "/", folder, {"RAW_DATABASE": place, "PYTHONPATH": str(_ROOT)}) as server:
        yield server


def main(engine: str, port: int) -> None:
    """Calls the same `run`, so that both have the same server options, whatever they come to be."""

    def build(_target: str, **options: Any) -> Any:
        return Granian(f"benchmarks.raw_{engine}:served", **options)

    with patch.object(serving, "Granian", build):
        serving.run("127.0.0.1", port, workers=1)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
