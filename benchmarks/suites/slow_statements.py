"""Read latency of an account while another one searches, filters and counts in a workshop with 300,000 orders."""

import asyncio
import statistics
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import msgspec

from backbench.engine.database import Write
from backbench.engine.urls import open_database
from benchmarks import backbench_server
from benchmarks.closed_loop import percentile, send_all, send_each, send_sequentially
from benchmarks.config import Config
from benchmarks.figures import Bound, Figure, Note, Result
from benchmarks.open_loop import BackgroundLoad, open_loop
from benchmarks.postgres_server import running_postgres
from benchmarks.workload import READ_ORDERS

SUITE = "slow-statements"
_PER_SECOND = 200
_CONCURRENT = 10
_ORDERS = 300_000
_AT_ONCE = 10_000
# With 500 lines each, 400,000 uses of line items.
_ESTIMATES = 800
_LINES = 500
_OTHER = "bea@example.com"
_FILL = """
    WITH RECURSIVE numbers (number) AS (
        SELECT CAST(:first AS BIGINT) UNION ALL SELECT number + 1 FROM numbers WHERE number < :last
    )
    INSERT INTO orders (id, workshop_id, title, customer_name, notes, status, created_at, last_activity_at,
        status_history, title_folded, customer_folded)
    SELECT '01900000-0000-7000-8000-' || CAST(100000000000 + number AS TEXT), :workshop_id, 'Oak table ' || number,
        'Jan Kowalski', 'Ring before delivery', 'done', '2020-01-02T08:00:00.000Z', '2020-01-03T08:00:00.000Z',
        '[{"status":"todo","at":"2020-01-02T08:00:00.000Z"},{"status":"done","at":"2020-01-03T08:00:00.000Z"}]',
        'oak table ' || number, 'jan kowalski'
    FROM numbers
"""
# What finds nothing looks at everything.
_READS = (
    "orders?q=zzz&limit=1",
    "orders?status=in_progress&limit=1",
    "orders?limit=200",
    "order-summaries?q=zzz&limit=1",
    "order-summaries?limit=50",
    "order-summaries?due=overdue&limit=50",
    "order-counts",
    "line-items/most-used?limit=50",
    "estimate-summaries?q=zzz&limit=1",
    "recipients?q=zzz",
    "inbox",
)


def measure(config: Config, folder: Path) -> Iterator[Result]:
    own, database = folder / "sqlite", folder / "postgres"
    own.mkdir()
    database.mkdir()
    yield from _measured("SQLite", backbench_server.sqlite_url(own), own, config)
    with running_postgres(database) as postgres:
        yield from _measured("PostgreSQL", postgres.url, database, config)


def _measured(engine: str, url: str, folder: Path, config: Config) -> Iterator[Result]:
    workshops = backbench_server.create_account(url)
    [large] = backbench_server.create_account(url, email=_OTHER)
    backbench_server.grant_pro(url, large)
    asyncio.run(_fill(url, large))
    with ExitStack() as stack:
        server = stack.enter_context(backbench_server.running_server(url, folder))
        session = backbench_server.sign_in(server, workshops)
        orders = backbench_server.add_orders(server, session, workshops[0], READ_ORDERS)
        reads = backbench_server.read_orders(session, orders).requests
        other = backbench_server.sign_in(server, [large], _OTHER)
        [estimate] = send_all(server.port, [_estimate(other, large)], 201)
        path = f"/estimates/{msgspec.json.decode(estimate)['id']}/duplicate"
        duplicate = backbench_server.session_request(other, "POST", path)
        send_each(server.port, [duplicate] * (_ESTIMATES - 1), 201)
        heavy = [backbench_server.session_request(other, "GET", f"/workshops/{large}/{path}") for path in _READS]
        alone = send_sequentially(server.port, heavy, 200).latencies
        yield Note(SUITE, f"{engine}, alone: " + _listed(alone))
        background = BackgroundLoad(_CONCURRENT, heavy)
        calm, during, responses = [], [], 0
        for _ in range(config.paced_rounds):
            calm.append(percentile(open_loop(server.port, reads, _PER_SECOND, config.paced_seconds).latencies, 99))
            measured = open_loop(server.port, reads, _PER_SECOND, config.paced_seconds, background)
            during.append(percentile(measured.latencies, 99))
            responses += measured.background_responses
        yield _figure(engine, statistics.median(calm) * 1000, statistics.median(during) * 1000, responses)


async def _fill(url: str, workshop: str) -> None:
    """Adds the orders, all of them done, in a few statements."""
    db = open_database(url)
    for first in range(1, _ORDERS, _AT_ONCE):
        last = first + _AT_ONCE - 1
        await db.write(partial(_add, workshop, first, last))
    await db.close()


async def _add(workshop: str, first: int, last: int, write: Write) -> None:
    await write.run(_FILL, workshop_id=workshop, first=first, last=last)


def _estimate(session: backbench_server.Session, workshop: str) -> bytes:
    line = {"unit": "piece", "unitPrice": 10, "quantity": 1}
    lines = [{"id": f"line-{number}", "label": f"Part {number}", **line} for number in range(_LINES)]
    body = {"name": "Kitchen", "lineItems": lines}
    return backbench_server.session_request(session, "POST", f"/workshops/{workshop}/estimates", body)


def _listed(latencies: list[float]) -> str:
    return ", ".join(f"`{path}` {seconds * 1000:,.0f} ms" for path, seconds in zip(_READS, latencies, strict=True))


def _figure(engine: str, calm: float, during: float, responses: int) -> Figure:
    return Figure(
        SUITE,
        f"{engine}: p99 of {_PER_SECOND} GETs/s while {_CONCURRENT} slow statements of another account run, to calm",
        f"{during:.1f} ms, calm {calm:.1f} ms ({responses} slow statements)",
        value=during / calm,
        result=f"{during / calm:.1f}×",
        bound=Bound(3, is_ceiling=True),
        numbers={"calm_p99_ms": calm, "during_p99_ms": during, "slow_statements": responses},
    )
