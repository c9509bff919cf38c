"""`python -m benchmarks`: runs the suites, prints the figures with their goals, and writes them as JSON on request."""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.config import FULL, QUICK, Config
from benchmarks.figures import Figure, Note, Result, table
from benchmarks.machine import Machine, machine
from benchmarks.suites import (
    against,
    bare_asgi,
    estimates,
    growth,
    idle,
    orders,
    postgres,
    sign_ins,
    size,
    streams,
    web_app,
)

Measure = Callable[[Config, Path], Iterator[Result]]
_ALL = (orders, bare_asgi, postgres, idle, sign_ins, estimates, growth, streams, size, web_app, against)
SUITES: dict[str, Measure] = {suite.SUITE: suite.measure for suite in _ALL}


class Run(Struct, frozen=True):
    """A complete run, as `--json` writes it."""

    at: str
    config: Config
    seconds: float
    machine: Machine
    figures: list[Figure]
    notes: list[Note]


def main() -> None:
    options = _options()
    config = QUICK if options.quick else FULL
    overrides = {"rounds": options.rounds, "seconds": options.seconds, "against": options.against}
    config = msgspec.structs.replace(config, **{name: value for name, value in overrides.items() if value})
    run = _run(options.suites or list(SUITES), config, options.folder)
    print(f"\nBackbench compared with its peers, {run.at[:10]}\n{run.machine.description}\n")
    print(table(run.figures))
    if run.machine.was_busy:
        print("\nOther processes used this machine when the run began; figures from an idle machine will differ.")
    for note in run.notes:
        print(f"\n{note.text}")
    print(f"\n{run.seconds:.0f} s in total.")
    if options.json is not None:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "suites", nargs="*", choices=[*SUITES, []], metavar="suite", help=f"{', '.join(SUITES)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="a short run of less than three minutes")
    parser.add_argument("--rounds", type=int, help="rounds of load per server")
    parser.add_argument("--seconds", type=float, help="seconds per round")
    parser.add_argument("--against", metavar="REV", help="also compare with this revision of the repository")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to this file")
    parser.add_argument("--folder", type=Path, help="where to create the databases: on the disk to measure")
    return parser.parse_args()


def _run(suites: list[str], config: Config, folder: Path | None) -> Run:
    started, load = time.perf_counter(), os.getloadavg()[0]
    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="backbench-bench-", dir=folder) as temporary:
        for name in suites:
            own = Path(temporary) / name
            own.mkdir()
            for result in SUITES[name](config, own):
                _print_progress(result)
                results.append(result)
        described = machine(Path(temporary), load)
    return Run(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        config=config,
        seconds=time.perf_counter() - started,
        machine=described,
        figures=[result for result in results if isinstance(result, Figure)],
        notes=[result for result in results if isinstance(result, Note)],
    )


def _print_progress(result: Result) -> None:
    """Prints each result when it is measured: a full run takes minutes."""
    line = result.text if isinstance(result, Note) else f"{result.name}: {result.result or result.backbench}"
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
