"""Slow statements of reads: those of one workshop run one after the other, and other requests do not wait for them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Any, cast

import pytest

from backbench.engine import slow_statements, sqlite
from backbench.engine.database import Write
from backbench.engine.postgres import handles
from backbench.engine.postgres.cluster import Cluster
from backbench.engine.postgres.handles import Reading
from backbench.engine.postgres.pool import DatabaseConnection
from backbench.engine.slow_statements import SlowStatements
from backbench.engine.sqlite import SQLite
from backbench.values.errors import Unavailable
from tests.people import App

pytestmark = pytest.mark.both_engines


def counting(most: int) -> str:
    return f"""
        WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {most})
        SELECT count(*) FROM numbers
    """


# Takes a second and more.
LONG = counting(4_000_000)
LONG_OF_WORKSHOP = f"{LONG} WHERE :workshop_id <> ''"
# Takes several times as long as a statement may on the event loop.
SLOW_OF_WORKSHOP = f"{counting(500_000)} WHERE :workshop_id <> ''"
# More than the connections of PostgreSQL, and than the threads of SQLite.
MANY = 15


async def test_many_slow_statements_of_one_workshop_leave_others_their_connections(app: App) -> None:
    async def count() -> None:
        async with app.db.read() as db:
            await db.value(LONG_OF_WORKSHOP, workshop_id="large")

    running = [asyncio.create_task(count()) for _ in range(MANY)]
    await asyncio.sleep(0)
    for _ in range(30):
        async with app.db.read() as db:
            assert await db.value("SELECT 1") == 1
    assert not any(each.done() for each in running)
    for each in running:
        each.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def test_a_statement_that_is_slow_is_not_tried_again_for_its_workshop(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[object] = []
    end_interrupted, put_back = sqlite.SQLiteReader._end_interrupted, Cluster.put_back

    def counted_on_sqlite(*arguments: Any) -> None:
        stopped.append(arguments)
        end_interrupted(*arguments)

    def counted_on_postgres(cluster: Cluster, connection: DatabaseConnection, error: Exception | None) -> None:
        if error is not None:
            stopped.append(error)
        put_back(cluster, connection, error)

    monkeypatch.setattr(sqlite.SQLiteReader, "_end_interrupted", counted_on_sqlite)
    monkeypatch.setattr(Cluster, "put_back", counted_on_postgres)
    # A fast machine ends the statement within what a statement may take on a connection.
    monkeypatch.setattr(handles, "_SHORT_SECONDS", 0.01)
    values = {"workshop_id": "first"}

    async def read() -> bool:
        async with app.db.read() as db:
            assert await db.value(SLOW_OF_WORKSHOP, **values) == 500_000
            return cast(Reading, db)._slow.is_known(SLOW_OF_WORKSHOP, values)

    # It is known once it has used the processor, rather than waited for it.
    while not await read():
        pass
    assert stopped
    stopped.clear()
    for _ in range(3):
        assert await read()
    assert stopped == []


# Waits as a busy machine lets it wait, and takes microseconds once it waits no longer.
WAITING_OF_WORKSHOP = "SELECT 1 FROM (SELECT pg_advisory_xact_lock_shared(4711)) waited WHERE :workshop_id <> ''"


async def test_a_statement_that_had_to_wait_is_not_known_as_slow(
    postgres_app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else more than twenty requests of a workshop at once were refused for a minute."""
    db = postgres_app.db
    locked, stopped = asyncio.Event(), asyncio.Event()

    async def lock(write: Write) -> None:
        assert await write.value("SELECT 1 FROM (SELECT pg_advisory_xact_lock(4711)) locked") == 1
        locked.set()
        await stopped.wait()

    async def read() -> None:
        async with db.read() as handle:
            assert await handle.value(WAITING_OF_WORKSHOP, workshop_id="busy") == 1

    place = SlowStatements.place
    taken: list[object] = []

    @contextlib.asynccontextmanager
    async def unlocking(places: SlowStatements, values: dict[str, object]) -> AsyncIterator[None]:
        async with place(places, values):  # type: ignore[arg-type] # as it was called
            taken.append(values["workshop_id"])
            stopped.set()
            await locking
            yield

    monkeypatch.setattr(SlowStatements, "place", unlocking)
    async with asyncio.timeout(60):
        locking = asyncio.create_task(db.write(lock))
        await locked.wait()
        await read()
        assert taken == ["busy"]
        await asyncio.gather(*[read() for _ in range(2 * slow_statements._MOST_OF_WORKSHOP)])
    assert taken == ["busy"]


async def test_slow_statements_of_a_workshop_run_one_after_the_other_and_others_meanwhile() -> None:
    places, running, most = SlowStatements(), dict[str, int](), dict[str, int]()
    end, other = asyncio.Event(), asyncio.Event()

    async def read(workshop: str) -> None:
        async with places.place({"workshop_id": workshop}):
            running[workshop] = running.get(workshop, 0) + 1
            most[workshop] = max(most.get(workshop, 0), running[workshop])
            if workshop == "other":
                other.set()
            await end.wait()
            running[workshop] -= 1

    reading = [asyncio.create_task(read("large")) for _ in range(5)]
    reading.append(asyncio.create_task(read("other")))
    async with asyncio.timeout(60):
        await other.wait()
    end.set()
    await asyncio.gather(*reading)
    assert most == {"large": 1, "other": 1}
    assert not places._waiting


async def test_too_many_slow_statements_of_a_workshop_are_unavailable() -> None:
    places = SlowStatements()
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(places.place({"workshop_id": "large"}))
        waiting = [
            asyncio.create_task(_take(places, "large", stack)) for _ in range(slow_statements._MOST_OF_WORKSHOP - 1)
        ]
        await asyncio.sleep(0)
        async with asyncio.timeout(60):
            with pytest.raises(Unavailable, match="queued for this workshop"):
                await _take(places, "large", stack)
            await _take(places, "other", stack)
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _take(places: SlowStatements, workshop: str, stack: contextlib.AsyncExitStack) -> None:
    await stack.enter_async_context(places.place({"workshop_id": workshop}))


def test_a_statement_of_no_workshop_and_one_of_long_ago_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    known, values = SlowStatements(), {"workshop_id": "large"}
    known.remember("SELECT 1", {})
    assert not known.is_known("SELECT 1", {})
    known.remember("SELECT 1", values)
    assert known.is_known("SELECT 1", values)
    assert not known.is_known("SELECT 2", values)
    monkeypatch.setattr(slow_statements, "_KNOWN_SECONDS", -1.0)
    known.remember("SELECT 1", values)
    assert not known.is_known("SELECT 1", values)


@pytest.fixture
def postgres_app(app: App) -> App:
    if app.engine != "postgres":
        pytest.skip("SQLite tells by the time of its thread what has waited")
    return app


@pytest.fixture
def sqlite_app(app: App) -> App:
    if app.engine != "sqlite":
        pytest.skip("PostgreSQL runs its statements in processes of its own")
    return app


async def test_other_reads_run_while_one_takes_long(sqlite_app: App) -> None:
    async def count() -> int:
        async with sqlite_app.db.read() as db:
            return int(await db.value(LONG))

    running = asyncio.create_task(count())
    reads = 0
    while not running.done():
        async with sqlite_app.db.read() as db:
            assert await db.value("SELECT 1") == 1
        reads += 1
        await asyncio.sleep(0.001)
    assert await running == 4_000_000
    assert reads > 10


async def test_a_list_that_takes_long_is_the_same(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = await app.owner("Anna")
    for number in range(30):
        await anna.order(title=f"Oak {number}")
    lists = [f"/workshops/{anna.workshop}/orders{query}" for query in ("", "?q=oak%201", "?status=todo&limit=3")]
    before = [(await anna.get(path)).content for path in lists]
    taken: list[object] = []
    place = SlowStatements.place

    def counted(places: SlowStatements, values: dict[str, str]) -> AbstractAsyncContextManager[None]:
        taken.append(values.get("workshop_id"))
        return place(places, values)

    monkeypatch.setattr(SlowStatements, "place", counted)
    monkeypatch.setattr(SlowStatements, "is_known", lambda *_: True)
    assert [(await anna.get(path)).content for path in lists] == before
    assert anna.workshop in taken


async def test_a_list_that_is_stopped_on_the_event_loop_is_the_same(
    sqlite_app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await sqlite_app.owner("Anna")
    await anna.order(title="Oak")
    path = f"/workshops/{anna.workshop}/orders?q=oak"
    before = (await anna.get(path)).content
    monkeypatch.setattr(sqlite, "_LOOP_SECONDS", -1.0)
    async with sqlite_app.db.read() as db:
        assert isinstance(db, sqlite.SQLiteReader)
        db._connection.set_progress_handler(db._is_too_long, 1)
        assert (await anna.get(path)).content == before
        db._connection.set_progress_handler(db._is_too_long, sqlite._STEPS)
        assert db._slow._known


async def test_a_long_read_of_a_file_that_is_gone_is_unavailable(
    sqlite_app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SQLite, "_connect", _gone)
    async with sqlite_app.db.read() as db:
        with pytest.raises(Unavailable):
            await db.value(LONG)


def _gone(_: SQLite) -> None:
    raise Unavailable("unavailable", "The file is gone")
