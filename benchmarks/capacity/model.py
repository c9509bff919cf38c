"""Capacity model: what an installation needs, from measured costs and an assumed load (README.md)."""

from math import ceil

from msgspec import Struct

from backbench.settings import Settings
from benchmarks.capacity.inputs import Engine
from benchmarks.capacity.operations import LINES

_DAY_SECONDS = 86_400
_GB = 1e9
# Each adds an entry to the log of its workshop, and has a stored response.
WRITES = (
    "create an order",
    "move an order",
    "create an estimate",
    "change a line",
    "confirm an estimate",
    "export a PDF",
)
# Rows that each operation adds, apart from the entry of the log that each write adds.
_ROWS: dict[str, dict[str, float]] = {
    "create an order": {"orders": 1},
    "create an estimate": {"estimates": 1, "line_uses": LINES},
    "confirm an estimate": {"revisions": 1},
    "export a PDF": {"files": 1, "pdf_exports": 1},
}
_DEFAULTS = Settings()


class Load(Struct, frozen=True):
    """Assumptions: how many use it, and how much."""

    name: str
    workshops: int
    # The share of the workshops that use it on a day.
    active: float
    # Operations of an active workshop on a day.
    daily: dict[str, float]
    # How much more than the average of 24 hours the busiest minutes of a day have.
    peak: float
    # Open event streams of an active workshop at that time.
    streams: float


class Limits(Struct, frozen=True):
    """Assumptions: how much of a machine is used at peak."""

    # Share of a core: above it, requests wait for each other.
    utilization: float = 0.5
    streams_per_worker: int = 5_000
    workers_per_node: int = 8
    # Of the machine of one PostgreSQL primary.
    database_cores: int = 16
    database_bytes: float = 500 * _GB
    # Years of data in a database before it counts as full.
    years: float = 3


class Need(Struct, frozen=True):
    """What the load needs."""

    requests: float
    writes: float
    # Busy cores at peak.
    application_cores: float
    database_cores: float
    streams: float
    workers: int
    nodes: int
    worker_bytes: float
    connections: float
    # In a year.
    rows: dict[str, float]
    row_bytes: dict[str, float]
    pdf_bytes: float
    # Of rows that are deleted again: stored responses and sessions.
    passing_bytes: float
    log_bytes_a_day: float
    databases: int

    @property
    def bytes(self) -> float:
        return sum(self.row_bytes.values())


def need(load: Load, engine: Engine, limits: Limits) -> Need:
    active = load.workshops * load.active
    per_second = active * load.peak / _DAY_SECONDS
    writes = sum(load.daily[name] for name in WRITES)
    application = per_second * sum(n * engine.operations[name].processor_us for name, n in load.daily.items()) / 1e6
    database = per_second * sum(n * engine.operations[name].database_us for name, n in load.daily.items()) / 1e6
    streams = active * load.streams
    workers = max(1, ceil(application / limits.utilization), ceil(streams / limits.streams_per_worker))
    rows = yearly_rows(load)
    row_bytes = {table: count * engine.rows[table] for table, count in rows.items()}
    passing = active * (
        writes * _DEFAULTS.stored_response_days * engine.rows["idempotency_keys"]
        + load.daily["sign in"] * _DEFAULTS.session_idle_days * engine.rows["sessions"]
    )
    written = sum(n * engine.operations[name].written_bytes for name, n in load.daily.items())
    stored = sum(row_bytes.values()) * limits.years + passing
    return Need(
        requests=per_second * sum(load.daily.values()),
        writes=per_second * writes,
        application_cores=application,
        database_cores=database,
        streams=streams,
        workers=workers,
        nodes=ceil(workers / limits.workers_per_node),
        worker_bytes=workers * engine.worker_bytes + streams * engine.stream_bytes,
        connections=workers * engine.connections,
        rows=rows,
        row_bytes=row_bytes,
        pdf_bytes=active * 365 * load.daily["export a PDF"] * engine.pdf_bytes,
        passing_bytes=passing,
        log_bytes_a_day=active * written,
        databases=max(
            1,
            ceil(database / (limits.database_cores * limits.utilization)),
            ceil(stored / limits.database_bytes),
        ),
    )


def yearly_rows(load: Load) -> dict[str, float]:
    """Rows that come in a year, by table."""
    days = load.workshops * load.active * 365
    rows = {"audit_entries": days * sum(load.daily[name] for name in WRITES)}
    for name, added in _ROWS.items():
        for table, count in added.items():
            rows[table] = rows.get(table, 0) + days * load.daily[name] * count
    return rows


def operations_per_second(engine: Engine, daily: dict[str, float]) -> tuple[float, float]:
    """Operations of the mix per second of a whole core: of the application, and of the database server (0 if none)."""
    total = sum(daily.values())
    application = sum(n * engine.operations[name].processor_us for name, n in daily.items())
    database = sum(n * engine.operations[name].database_us for name, n in daily.items())
    return total * 1e6 / application, total * 1e6 / database if database else 0.0
