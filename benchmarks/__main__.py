"""`python -m benchmarks`: measures, prints the figures beside their goals, and keeps them as JSON when asked."""

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

from benchmarks.effort import FULL, QUICK, Effort
from benchmarks.figures import Figure, Found, Note, table
from benchmarks.machine import Machine, machine
from benchmarks.parts import estimates, growth, peer, postgres, raw, rest, sign_ins, size

PageQuery = Callable[[Effort, Path], Iterator[Found]]
_ALL = (peer, raw, postgres, rest, sign_ins, estimates, growth, size)
PARTS: dict[str, PageQuery] = {part.PART: part.measure for part in _ALL}


class Run(Struct, frozen=True):
    """A whole run, as `--json` keeps it."""

    at: str
    effort: Effort
    seconds: float
    machine: Machine
    figures: list[Figure]
    notes: list[Note]


def main() -> None:
    options = _options()
    effort = QUICK if options.quick else FULL
    given = {"rounds": options.rounds, "seconds": options.seconds}
    effort = msgspec.structs.replace(effort, **{name: value for name, value in given.items() if value})
    run = _measured(options.parts or list(PARTS), effort, options.folder)
    print(f"\nBackbench beside its peers, {run.at[:10]}\n{run.machine.shown}\n")
    print(table(run.figures))
    if run.machine.was_busy:
        print("\nOthers were using this machine when the run began: figures from a quiet one will differ.")
    for note in run.notes:
        print(f"\n{note.words}")
    print(f"\n{run.seconds:.0f} s in all.")
    if options.json is not None:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=2) + b"\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="part", help=f"of {', '.join(PARTS)}; all")
    parser.add_argument("--quick", action="store_true", help="under two minutes, for a look while working")
    parser.add_argument("--rounds", type=int, help="rounds of load for each side")
    parser.add_argument("--seconds", type=float, help="seconds of a round")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument("--folder", type=Path, help="where the databases are made; on the disk you mean to measure")
    return parser.parse_args()


def _measured(parts: list[str], effort: Effort, folder: Path | None) -> Run:
    started, load = time.perf_counter(), os.getloadavg()[0]
    found: list[Found] = []
    with tempfile.TemporaryDirectory(prefix="backbench-bench-", dir=folder) as place:
        for name in parts:
            own = Path(place) / name
            own.mkdir()
            for entry in PARTS[name](effort, own):
                _tell(entry)
                found.append(entry)
        on = machine(Path(place), load)
    return Run(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        effort=effort,
        seconds=time.perf_counter() - started,
        machine=on,
        figures=[entry for entry in found if isinstance(entry, Figure)],
        notes=[entry for entry in found if isinstance(entry, Note)],
    )


def _tell(entry: Found) -> None:
    """A line as soon as it is known; a full run takes minutes."""
    words = entry.words if isinstance(entry, Note) else f"{entry.what}: {entry.shown or entry.ours}"
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
