"""Tables of benchmarks/capacity/README.md, computed from the stored inputs."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from benchmarks.capacity.examples import DAILY, LIMITS, MILLIONS, ONE, THOUSAND
from benchmarks.capacity.inputs import Engine, Inputs
from benchmarks.capacity.model import WRITES, Load, Need, need, operations_per_second

PAGE = Path(__file__).with_name("README.md")
_BLOCK = re.compile(r"<!-- capacity: ([\w ]+) -->\n.*?<!-- end -->", re.DOTALL)
_POSTGRES, _SQLITE = "PostgreSQL", "SQLite"


def with_blocks(text: str, inputs: Inputs) -> str:
    """The page with its generated blocks replaced. Raises KeyError for an unknown block."""
    return _BLOCK.sub(lambda match: f"<!-- capacity: {match[1]} -->\n{_BLOCKS[match[1]](inputs)}\n<!-- end -->", text)


def _machine(inputs: Inputs) -> str:
    return f"Measured on {inputs.measured}: {inputs.machine}."


def _operations(inputs: Inputs) -> str:
    sqlite, postgres = inputs.engines[_SQLITE], inputs.engines[_POSTGRES]
    rows = [
        (
            name,
            _number(sqlite.operations[name].processor_us),
            _number(sqlite.operations[name].written_bytes) if name in WRITES else "",
            _number(postgres.operations[name].processor_us),
            _number(postgres.operations[name].database_us),
            _number(postgres.operations[name].written_bytes) if name in WRITES else "",
        )
        for name in DAILY
    ]
    head = ("Operation", "SQLite, µs", "bytes to the disk", "PostgreSQL, µs", "its server, µs", "bytes of its log")
    return _table(head, rows)


def _rows(inputs: Inputs) -> str:
    sqlite, postgres = inputs.engines[_SQLITE].rows, inputs.engines[_POSTGRES].rows
    tables = sorted(sqlite.keys() & postgres.keys())
    return _table(
        ("Table", "SQLite", "PostgreSQL"), [(f"`{t}`", _number(sqlite[t]), _number(postgres[t])) for t in tables]
    )


def _others(inputs: Inputs) -> str:
    engines = [inputs.engines[_SQLITE], inputs.engines[_POSTGRES]]
    rows = [
        ("bytes of a stored PDF", *(_number(each.pdf_bytes) for each in engines)),
        ("memory of a worker, MB", *(_number(each.worker_bytes / 1e6) for each in engines)),
        ("memory of an event stream, kB", *(_number(each.stream_bytes / 1e3) for each in engines)),
        (
            "connections of a worker to the database",
            *("" if not e.connections else f"{e.connections:.0f}" for e in engines),
        ),
    ]
    return _table(("", _SQLITE, _POSTGRES), rows)


def _mix(inputs: Inputs) -> str:
    shares = [_shares(inputs.engines[engine]) for engine in (_SQLITE, _POSTGRES)]
    rows = [(name, f"{n:g}", *(f"{share[name]:.0%}" for share in shares)) for name, n in DAILY.items()]
    return _table(("Operation", "a day", "of the time, SQLite", "of the time, PostgreSQL"), rows)


def _shares(engine: Engine) -> dict[str, float]:
    """The share of each operation in the processor time of the mix, the database server's included."""
    times = {
        name: n * (engine.operations[name].processor_us + engine.operations[name].database_us)
        for name, n in DAILY.items()
    }
    return {name: each / sum(times.values()) for name, each in times.items()}


def _capacity(inputs: Inputs) -> str:
    rows = []
    for name in (_SQLITE, _POSTGRES):
        application, database = operations_per_second(inputs.engines[name], DAILY)
        peak = application * LIMITS.utilization
        active = peak / sum(DAILY.values()) * 86_400 / THOUSAND.peak
        rows.append((name, _number(application), _number(database) if database else "", _number(peak), _round(active)))
    head = (
        "Engine",
        "operations/s of a core, application",
        "of a core, database server",
        "of a worker at 50 %",
        "active workshops of a worker",
    )
    return _table(head, rows)


def _example(load: Load, *engines: str) -> Callable[[Inputs], str]:
    def block(inputs: Inputs) -> str:
        needs = [need(load, inputs.engines[engine], LIMITS) for engine in engines]
        return _table(("", *engines), [(label, *map(text, needs)) for label, text in _NEEDS if any(map(text, needs))])

    return block


_NEEDS: tuple[tuple[str, Callable[[Need], str]], ...] = (
    ("requests/s at peak", lambda n: _round(n.requests)),
    ("of which writes", lambda n: _round(n.writes)),
    ("busy cores at peak, application", lambda n: _round(n.application_cores)),
    ("busy cores at peak, database server", lambda n: _round(n.database_cores) if n.database_cores else ""),
    ("open event streams", lambda n: _round(n.streams)),
    ("workers", lambda n: _round(n.workers)),
    ("nodes of 8 workers", lambda n: _round(n.nodes)),
    ("memory of all workers", lambda n: _bytes(n.worker_bytes)),
    ("connections to PostgreSQL", lambda n: _round(n.connections) if n.connections else ""),
    ("rows a year", lambda n: _round(sum(n.rows.values()))),
    ("database, growth a year", lambda n: _bytes(n.bytes)),
    ("of which the log", lambda n: _bytes(n.row_bytes["audit_entries"])),
    ("of which estimates and revisions", lambda n: _bytes(n.row_bytes["estimates"] + n.row_bytes["revisions"])),
    ("of which line uses", lambda n: _bytes(n.row_bytes["line_uses"])),
    ("rows that are deleted again, at any time", lambda n: _bytes(n.passing_bytes)),
    ("written to the write-ahead log a day", lambda n: _bytes(n.log_bytes_a_day)),
    ("PDFs, growth a year", lambda n: _bytes(n.pdf_bytes)),
    ("databases", lambda n: _round(n.databases)),
)
_BLOCKS: dict[str, Callable[[Inputs], str]] = {
    "machine": _machine,
    "operations": _operations,
    "rows": _rows,
    "others": _others,
    "mix": _mix,
    "worker": _capacity,
    "one": _example(ONE, _SQLITE),
    "thousand": _example(THOUSAND, _SQLITE, _POSTGRES),
    "millions": _example(MILLIONS, _POSTGRES),
}


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(line)} |" for line in (head, *rows)]
    return "\n".join([lines[0], f"|---|{'---:|' * (len(head) - 1)}", *lines[1:]])


def _number(value: float) -> str:
    return f"{value:,.0f}"


def _round(value: float) -> str:
    """With three digits: more would be more exact than the assumptions."""
    if value < 100:
        return "below 0.01" if 0 < value < 0.01 else f"{value:.2g}" if value < 10 else f"{value:.0f}"
    return f"{float(f'{value:.3g}'):,.0f}"


def _bytes(value: float) -> str:
    for unit, size in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if value >= size:
            return f"{_round(value / size)} {unit}"
    return f"{_round(value / 1e3)} kB"
