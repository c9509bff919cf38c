"""Cost of an operation: processor time of the application and of the database server, and bytes written."""

import statistics
from collections.abc import Callable, Iterator

from msgspec import Struct

from benchmarks.capacity.databases import MeasuredDatabase
from benchmarks.capacity.operations import Operation
from benchmarks.closed_loop import send_each
from benchmarks.server_process import Server

# The first only warms up.
_ROUNDS = 4


class Cost(Struct, frozen=True):
    """Of one operation, on average. Microseconds of processor time of the workers and of the database server."""

    processor_us: float
    database_us: float
    # To the write-ahead log; with SQLite to the disk, which includes copying the log into the database.
    written_bytes: float


class _Counters(Struct, frozen=True):
    processor: float
    database: float
    written: float


def measured(server: Server, database: MeasuredDatabase, operations: Iterator[Operation]) -> Iterator[tuple[str, Cost]]:
    for operation in operations:
        size = len(operation.requests) // _ROUNDS
        rounds = [
            _round(server, database, Operation(operation.name, requests, operation.status))
            for requests in (operation.requests[start : start + size] for start in range(0, size * _ROUNDS, size))
        ][1:]
        yield operation.name, Cost(*(_median(rounds, name) for name in Cost.__struct_fields__))


def _median(rounds: list[Cost], name: str) -> float:
    values: list[float] = [getattr(each, name) for each in rounds]
    return round(statistics.median(values), 1)


def _round(server: Server, database: MeasuredDatabase, operation: Operation) -> Cost:
    database.vacuum()
    before = _counters(server, database)
    sent = send_each(server.port, operation.requests, operation.status)
    after = _counters(server, database)

    def each(counter: Callable[[_Counters], float]) -> float:
        return max(0.0, counter(after) - counter(before)) / sent.responses

    return Cost(
        each(lambda counters: counters.processor) * 1e6,
        each(lambda counters: counters.database) * 1e6,
        each(lambda counters: counters.written),
    )


def _counters(server: Server, database: MeasuredDatabase) -> _Counters:
    return _Counters(
        server.processor_seconds_with_children, database.processor_seconds(), database.written_bytes(server)
    )
