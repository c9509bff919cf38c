"""Data export of a large account: constant memory, and other requests are served meanwhile."""

import asyncio
import tracemalloc

import pytest

from backbench.actions.operations.exports import data_export
from backbench.domain.accounts.sessions import Caller
from backbench.domain.values import times
from tests.people import App, Person

MIB = 1024 * 1024


async def fill_board(person: Person, orders: int) -> None:
    """Adds that many orders, each with notes."""
    sql = """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :many)
        INSERT INTO orders (workshop_id, created_at, id, title, customer_name, notes, status, last_activity_at,
            status_history, title_folded, customer_folded)
        SELECT :workshop, '2026-01-01T00:00:00.000Z', :workshop || '-' || n, 'Oak table ' || n, 'Łucja', :notes, 'todo',
            '2026-01-01T00:00:00.000Z', '[{"status":"todo","at":"2026-01-01T00:00:00.000Z"}]', '', ''
        FROM numbers
    """
    await person.app.db.write(lambda db: db.run(sql, many=orders, workshop=person.workshop, notes="ash, oiled " * 10))


async def exported(app: App, person: Person) -> int:
    """The size of the export in bytes; no piece is retained."""
    return sum([len(piece) async for piece in data_export(app.db, Caller(person.uid), times.now())])


async def peak_of_export(app: App, person: Person) -> int:
    tracemalloc.start()
    try:
        await exported(app, person)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("orders", [20_000, pytest.param(100_000, marks=pytest.mark.prove)])
async def test_export_memory_does_not_grow_with_the_number_of_orders(app: App, orders: int) -> None:
    few, many = await app.owner(), await app.owner()
    await fill_board(few, 1_000)
    await fill_board(many, orders)
    assert await exported(app, many) > orders * 200
    small_peak = await peak_of_export(app, few)
    assert await peak_of_export(app, many) < small_peak + MIB


async def test_other_requests_are_served_during_a_large_export(app: App) -> None:
    anna, other = await app.owner(), await app.owner("Marek")
    await fill_board(anna, 20_000)
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
    slow = [data_export(app.db, Caller(anna.uid), times.now()) for _ in range(12)]
    for export in slow:
        await anext(export)
    assert (await anna.get("/me")).status_code == 200
    for export in slow:
        await export.aclose()
