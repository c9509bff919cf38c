"""Data export of a large account: constant memory, and other requests are served meanwhile."""

import asyncio
import tracemalloc
from collections.abc import AsyncIterator, Callable

import pytest

from backbench.engine.database import Write
from backbench.exports.exports import data_export
from backbench.values import times
from backbench.values.calls import Call, Caller
from tests.people import App, Person
from tests.support.databases import running_app

MIB = 1024 * 1024
IN_A_TRANSACTION = 250


@pytest.fixture(scope="module")
async def app(new_database_url: Callable[[], str]) -> AsyncIterator[App]:
    """One of this module: its rows, in that of all tests, would slow each test that compares all rows."""
    async with running_app(new_database_url()) as opened:
        yield opened


async def fill_board(person: Person, orders: int) -> None:
    """Adds that many orders, each with notes: many in a transaction, but few enough to be counted quickly.

    PostgreSQL updates the counters of the workshop for each row, which takes longer with each update of a transaction.
    """
    sql = """
        WITH RECURSIVE numbers (n) AS (
            SELECT CAST(:first AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n < :last
        )
        INSERT INTO orders (workshop_id, created_at, id, title, customer_name, notes, status, last_activity_at,
            status_history, title_folded, customer_folded)
        SELECT :workshop, '2026-01-01T00:00:00.000Z', :workshop || '-' || n, 'Oak table ' || n, 'Łucja', :notes, 'todo',
            '2026-01-01T00:00:00.000Z', '[{"status":"todo","at":"2026-01-01T00:00:00.000Z"}]', '', ''
        FROM numbers
    """
    for first in range(1, orders + 1, IN_A_TRANSACTION):
        last = min(first + IN_A_TRANSACTION - 1, orders)

        async def fill(db: Write, first: int = first, last: int = last) -> None:
            await db.run(sql, first=first, last=last, workshop=person.workshop, notes="ash, oiled " * 10)

        await person.app.db.write(fill)


async def exported(app: App, person: Person) -> int:
    """The size of the export in bytes; no piece is retained."""
    return sum(
        [
            len(piece)
            async for piece in data_export(
                app.db, Call(Caller(person.uid), times.now()), app.backbench.settings.plan_rules
            )
        ]
    )


async def size_and_peak(app: App, person: Person) -> tuple[int, int]:
    """The size of the export in bytes, and the most memory that it took."""
    tracemalloc.start()
    try:
        size = await exported(app, person)
        return size, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# 8,000 orders are 4 MB: tracing them takes a tenth of a second for a thousand.
@pytest.mark.parametrize("orders", [8_000, pytest.param(100_000, marks=pytest.mark.prove)])
async def test_export_memory_does_not_grow_with_the_number_of_orders(app: App, orders: int) -> None:
    few, many = await app.owner(), await app.owner()
    await fill_board(few, 1_000)
    await fill_board(many, orders)
    _, small_peak = await size_and_peak(app, few)
    size, peak = await size_and_peak(app, many)
    assert size > orders * 200
    assert peak < small_peak + MIB


async def test_other_requests_are_served_during_a_large_export(app: App) -> None:
    anna, other = await app.owner(), await app.owner("Marek")
    await fill_board(anna, 10_000)
    exporting = asyncio.create_task(exported(app, anna))
    served = 0
    while not exporting.done():
        # A request of another client also waits for the event loop.
        await asyncio.sleep(0)
        assert (await other.get("/me")).status_code == 200
        served += 1
    assert served > 20


async def test_an_unread_export_holds_no_database_connection(app: App) -> None:
    """Of each of them only the first piece is read; another request still gets a connection."""
    anna = await app.owner()
    await fill_board(anna, 2_000)
    slow = [
        data_export(app.db, Call(Caller(anna.uid), times.now()), app.backbench.settings.plan_rules) for _ in range(12)
    ]
    for export in slow:
        await anext(export)
    assert (await anna.get("/me")).status_code == 200
    for export in slow:
        await export.aclose()
