"""Measured inputs of the capacity model: `inputs.json`, from the figures of a run of the suite."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from backbench.engine.postgres.handles import CONNECTIONS_PER_WORKER
from benchmarks.capacity.costs import Cost

FILE = Path(__file__).with_name("inputs.json")
_PDF, _WORKER, _STREAM, _CONNECTIONS = (
    "stored PDF",
    "memory of a worker",
    "memory of an event stream",
    "connections of a worker",
)


class Engine(Struct, frozen=True):
    """What was measured with one database engine."""

    operations: dict[str, Cost]
    # Bytes of a row with its indexes, by table.
    rows: dict[str, float]
    pdf_bytes: float
    worker_bytes: float
    stream_bytes: float
    # The most connections of a worker to the database server.
    connections: float = 0


class Inputs(Struct, frozen=True):
    measured: str
    machine: str
    engines: dict[str, Engine]


def stored() -> Inputs:
    return msgspec.json.decode(FILE.read_bytes(), type=Inputs)


def from_run(run: dict[str, Any]) -> Inputs:
    """From what `python -m benchmarks capacity --json FILE` writes. Not a quick run: it has few rows."""
    engines: dict[str, dict[str, dict[str, float]]] = {}
    for figure in run["figures"]:
        if figure["suite"] == "capacity":
            engine, _, name = figure["name"].partition(": ")
            engines.setdefault(engine, {})[name] = figure["numbers"]
    machine = run["machine"]
    described = (
        f"{machine['processors']} × {machine['model']}, Python {machine['python']}; load {machine['load'][0]:.0f}"
    )
    return Inputs(run["at"][:10], described, {name: _engine(numbers) for name, numbers in engines.items()})


def _engine(numbers: dict[str, dict[str, float]]) -> Engine:
    return Engine(
        operations={name: Cost(**each) for name, each in numbers.items() if "processor_us" in each},
        rows={name[7:]: each["bytes"] for name, each in numbers.items() if name.startswith("row of ")},
        pdf_bytes=numbers[_PDF]["bytes"],
        worker_bytes=numbers[_WORKER]["bytes"],
        stream_bytes=numbers[_STREAM]["bytes"],
        connections=CONNECTIONS_PER_WORKER if _CONNECTIONS in numbers else 0,
    )
