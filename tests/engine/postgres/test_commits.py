"""COMMITs on PostgreSQL: which are acknowledged, and that none is cancelled."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from backbench.engine.database import Write
from backbench.engine.postgres import pool
from backbench.engine.postgres.database import Postgres
from backbench.engine.postgres.pool import DatabaseConnection
from backbench.values.errors import Unavailable
from tests.support.databases import new_database

_ADD = "INSERT INTO kept (number) VALUES (:number)"


@pytest.fixture
async def db(postgres: Any) -> AsyncIterator[Postgres]:
    opened = Postgres(new_database(postgres), largest_pool=1)
    await opened.write(lambda handle: handle.run("CREATE TABLE kept (number BIGINT PRIMARY KEY, text TEXT)"))
    yield opened
    await opened.close()


async def numbers(db: Postgres) -> list[int]:
    async with db.read() as read:
        return await read.all(int, "SELECT number FROM kept ORDER BY number")


async def add(handle: Write, *numbers: int) -> None:
    for number in numbers:
        await handle.run(_ADD, number=number)


async def test_a_transaction_whose_error_was_ignored_is_not_acknowledged(db: Postgres) -> None:
    async def work(handle: Write) -> None:
        await add(handle, 1)
        with pytest.raises(asyncpg.PostgresError):
            await handle.value("SELECT 1 / 0")

    with pytest.raises(asyncpg.InFailedSQLTransactionError):
        await db.write(work)
    assert await numbers(db) == []


# Of this database alone: other processes of the run have databases of their own on the same server.
_WAITING = """
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted
    """


@contextlib.asynccontextmanager
async def blocked_commit(db: Postgres) -> AsyncIterator[tuple[asyncio.Task[None], DatabaseConnection]]:
    """A write whose COMMIT waits, and another connection, which ends the wait by unlocking 7."""
    other = await asyncpg.connect(db.cluster.hosts.urls[0], connection_class=DatabaseConnection)
    try:
        await other.execute("SELECT pg_advisory_lock(7)")
        await other.execute(
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER late AFTER INSERT ON kept DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
                EXECUTE FUNCTION wait();
            """
        )
        writing = asyncio.create_task(db.write(lambda handle: add(handle, 1)))
        await until(other, _WAITING)
        yield writing, other
    finally:
        await other.close()


async def until(connection: DatabaseConnection, count: str) -> None:
    """Returns when this count is above 0."""
    async with asyncio.timeout(60):
        while not await connection.fetchval(count):  # noqa: ASYNC110
            await asyncio.sleep(0.002)


async def test_a_commit_goes_on_though_its_task_is_cancelled(db: Postgres) -> None:
    async with blocked_commit(db) as (writing, other):
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        await other.execute("SELECT pg_advisory_unlock(7)")
        await until(other, "SELECT count(*) FROM kept")


async def test_a_commit_whose_connection_is_given_up_has_an_unknown_result(db: Postgres) -> None:
    """As when the database has a newer primary: connections to the former one are ended."""
    async with blocked_commit(db) as (writing, _):
        db.cluster.hosts._on_newer_timeline()
        with pytest.raises(Unavailable, match="during the commit"):
            await writing


async def test_a_commit_that_takes_too_long_has_an_unknown_result_and_goes_on(
    db: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_RESULT_SECONDS", 0.2)
    async with blocked_commit(db) as (writing, other):
        with pytest.raises(Unavailable, match="during the commit"):
            await writing
        await other.execute("SELECT pg_advisory_unlock(7)")
        await until(other, "SELECT count(*) FROM kept")
    # Its connection was the only one.
    assert await numbers(db) == [1]
