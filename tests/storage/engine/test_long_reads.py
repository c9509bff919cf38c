"""Reads that take long on SQLite: they go on in a thread, and other requests do not wait for them."""

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest

from backbench.domain.values.errors import Unavailable
from backbench.storage.engine import sqlite_reads
from backbench.storage.engine.database import Read
from backbench.storage.engine.sqlite import SQLite
from tests.people import App

# Counts for seconds.
LONG = """
    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 20000000)
    SELECT count(*) FROM numbers
"""


@pytest.fixture
def sqlite_app(app: App) -> App:
    if app.engine != "sqlite":
        pytest.skip("PostgreSQL runs its statements in processes of its own")
    return app


async def test_other_reads_run_while_one_takes_long(sqlite_app: App) -> None:
    async def count() -> int:
        async with sqlite_app.db.read() as db:
            return int(await db.value(LONG))

    counting = asyncio.create_task(count())
    reads = 0
    while not counting.done():
        async with sqlite_app.db.read() as db:
            assert await db.value("SELECT 1") == 1
        reads += 1
        await asyncio.sleep(0.001)
    assert await counting == 20_000_000
    assert reads > 10


async def test_a_list_that_is_read_in_a_thread_is_the_same(sqlite_app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await sqlite_app.owner("Anna")
    for number in range(30):
        await anna.order(title=f"Oak {number}")
    lists = [f"/workshops/{anna.workshop}/orders{query}" for query in ("", "?q=oak%201", "?status=todo&limit=3")]
    before = [(await anna.get(path)).content for path in lists]
    snapshots: list[SQLite] = []
    snapshot = SQLite.snapshot

    def counted(db: SQLite) -> AbstractAsyncContextManager[Read]:
        snapshots.append(db)
        return snapshot(db)

    monkeypatch.setattr(SQLite, "snapshot", counted)
    monkeypatch.setattr(sqlite_reads, "_LOOP_SECONDS", -1.0)
    async with sqlite_app.db.read() as db:
        assert isinstance(db, sqlite_reads.SQLiteReader)
        db._connection.set_progress_handler(db._is_too_long, 1)
        db._snapshot = sqlite_app.db.snapshot  # type: ignore[assignment] # the one that counts
        assert [(await anna.get(path)).content for path in lists] == before
        db._connection.set_progress_handler(db._is_too_long, sqlite_reads._STEPS)
    assert snapshots


async def test_a_long_read_of_a_file_that_is_gone_is_unavailable(
    sqlite_app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SQLite, "_connect", _gone)
    async with sqlite_app.db.read() as db:
        with pytest.raises(Unavailable):
            await db.value(LONG)


def _gone(_: SQLite) -> None:
    raise Unavailable("unavailable", "The file is gone")
