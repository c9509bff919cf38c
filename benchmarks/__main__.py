"""`python -m benchmarks`: runs the suites, prints the figures with their goals, and writes them as JSON on request.

A suite that fails does not end the run, and a run that is ended (Ctrl-C, SIGTERM, SIGHUP) still prints and writes what
it has measured.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
import traceback
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
    board,
    capacity,
    estimates,
    growth,
    idle,
    neighbours,
    orders,
    postgres,
    records,
    scale,
    sign_ins,
    size,
    slow_statements,
    streams,
    web_app,
    workers,
)

Measure = Callable[[Config, Path], Iterator[Result]]
_ALL = (
    orders,
    bare_asgi,
    postgres,
    idle,
    records,
    sign_ins,
    estimates,
    board,
    growth,
    scale,
    slow_statements,
    neighbours,
    workers,
    streams,
    capacity,
    size,
    web_app,
    against,
)
SUITES: dict[str, Measure] = {suite.SUITE: suite.measure for suite in _ALL}


class Run(Struct, frozen=True):
    """A complete run, as `--json` writes it."""

    at: str
    config: Config
    seconds: float
    machine: Machine
    figures: list[Figure]
    notes: list[Note]
    # What went wrong in a suite, or ended the run.
    failures: list[str] = []


class Ended(KeyboardInterrupt):
    """A signal ended the run. No Exception, and no BaseException of our own: asyncio would log it and continue."""


def main() -> None:
    options = _options()
    config = QUICK if options.quick else FULL
    overrides = {"rounds": options.rounds, "seconds": options.seconds, "against": options.against}
    config = msgspec.structs.replace(config, **{name: value for name, value in overrides.items() if value})
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    for run in _runs(options.suites or list(SUITES), config, options.folder):
        # After each suite: a killed process leaves the figures of those before.
        if options.json is not None:
            options.json.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n")
    _print(run)
    if run.failures:
        sys.exit(1)


def _end(number: int, _frame: object) -> None:
    raise Ended(f"ended by {signal.Signals(number).name}")


def _print(run: Run) -> None:
    print(f"\nBackbench compared with its peers, {run.at[:10]}\n{run.machine.description}\n")
    print(table(run.figures))
    if run.machine.was_busy:
        print("\nOther processes used this machine when the run began; figures from an idle machine will differ.")
    for note in run.notes:
        print(f"\n{note.text}")
    for failure in run.failures:
        print(f"\nFAILED: {failure}")
    print(f"\n{run.seconds:.0f} s in total.", flush=True)


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


def _runs(suites: list[str], config: Config, folder: Path | None) -> Iterator[Run]:
    """The run so far, after each suite."""
    started, load = time.perf_counter(), os.getloadavg()[0]
    results: list[Result] = []
    failures: list[str] = []
    with tempfile.TemporaryDirectory(prefix="backbench-bench-", dir=folder) as temporary:
        for name in suites:
            goes_on = _run_suite(name, config, Path(temporary), results, failures)
            yield Run(
                at=datetime.now(UTC).isoformat(timespec="seconds"),
                config=config,
                seconds=time.perf_counter() - started,
                machine=machine(Path(temporary), load),
                figures=[result for result in results if isinstance(result, Figure)],
                notes=[result for result in results if isinstance(result, Note)],
                failures=list(failures),
            )
            if not goes_on:
                return


def _run_suite(name: str, config: Config, folder: Path, results: list[Result], failures: list[str]) -> bool:
    """Adds its results and failures. False if the run has been ended."""
    try:
        # A suite can take minutes until its first figure.
        print(f"-- {name}, {datetime.now(UTC):%H:%M:%S}", file=sys.stderr, flush=True)
        own = folder / name
        own.mkdir()
        for result in SUITES[name](config, own):
            _print_progress(result)
            results.append(result)
    except Ended as ended:
        # A codec that it interrupts raises another one, with a text of its own.
        failures.append(f"{name}: {ended.__cause__ or ended}")
        return False
    except Exception as error:  # noqa: BLE001 - a failure of any kind is reported with the figures of the others
        traceback.print_exc()
        failures.append(f"{name}: {type(error).__name__}: {error}")
    return True


def _print_progress(result: Result) -> None:
    """Prints each result when it is measured: a full run takes minutes."""
    line = result.text if isinstance(result, Note) else f"{result.name}: {result.result or result.backbench}"
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
