"""Statements that are sent together: what that depends on of the driver, beyond its documentation."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from backbench.domain.values.errors import Unavailable
from backbench.storage.engine.database import Value, Write
from backbench.storage.engine.postgres import Postgres
from backbench.storage.engine.servers.connections import DatabaseConnection
from backbench.storage.engine.servers.transactions import RECHECK
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
        await handle.send(_ADD, number=number)


async def pid_of(db: Postgres) -> int:
    async with db.read() as read:
        pid: int = await read.value("SELECT pg_backend_pid()")
        return pid


async def test_what_is_sent_takes_effect_before_the_next_statement(db: Postgres) -> None:
    async def work(handle: Write) -> list[Any]:
        await add(handle, 1, 2)
        # A statement that the connection has not prepared yet, one without values, and a lock.
        counts = [await handle.value("SELECT count(*) FROM kept WHERE number > :least", least=0)]
        await add(handle, 3)
        counts.append(await handle.run("UPDATE kept SET text = 'x'"))
        await add(handle, 4)
        await handle.lock("a")
        await add(handle, 5)
        return counts

    assert await db.write(work) == [2, 3]
    assert await numbers(db) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "next_sql", ["", "SELECT 1", "SELECT count(*) FROM kept WHERE number = 7", "UPDATE kept SET text = 'x'"]
)
async def test_an_error_of_what_was_sent_undoes_the_transaction(db: Postgres, next_sql: str) -> None:
    await db.write(lambda handle: add(handle, 1))
    pid = await pid_of(db)

    async def work(handle: Write) -> None:
        await add(handle, 2, 1)
        if next_sql:
            await handle.run(next_sql)

    for _ in range(2):
        with pytest.raises(asyncpg.UniqueViolationError):
            await db.write(work)
        assert await numbers(db) == [1]
    assert await pid_of(db) == pid


async def test_a_refused_value_of_the_next_statement_undoes_what_was_sent(db: Postgres) -> None:
    async def work(handle: Write) -> None:
        await add(handle, 1)
        await handle.value("SELECT CAST(:number AS BIGINT)", number="no number")

    pid = await pid_of(db)
    with pytest.raises(asyncpg.DataError):
        await db.write(work)
    assert (await numbers(db), await pid_of(db)) == ([], pid)


@pytest.mark.parametrize(
    "value", ["", "Zażółć 'it' \\ $1 \U0001f600", None, 0, -(2**63), 1.5e-300, True, b"\x00\\x\xff"]
)
async def test_a_value_that_is_sent_is_stored_as_another_one(db: Postgres, value: Value) -> None:
    kind = {str: "TEXT", float: "DOUBLE PRECISION", bytes: "BYTEA"}.get(type(value), "BIGINT")
    await db.write(lambda handle: handle.run(f"CREATE TABLE pairs (sent {kind}, run {kind})"))

    async def work(handle: Write) -> None:
        await handle.send("INSERT INTO pairs (sent) VALUES (:value)", value=value)
        await handle.run("UPDATE pairs SET run = :value", value=value)

    await db.write(work)
    async with db.read() as read:
        assert await read.value("SELECT count(*) FROM pairs WHERE sent IS NOT DISTINCT FROM run") == 1
        assert await read.value("SELECT sent FROM pairs") == value


async def test_a_statement_with_columns_is_not_sent(db: Postgres) -> None:
    with pytest.raises(TypeError, match="has no columns"):
        await db.write(lambda handle: handle.send("SELECT 1 AS one"))


async def test_a_transaction_whose_error_was_ignored_is_not_acknowledged(db: Postgres) -> None:
    async def work(handle: Write) -> None:
        await add(handle, 1)
        with pytest.raises(asyncpg.PostgresError):
            await handle.value("SELECT 1 / 0")

    with pytest.raises(asyncpg.InFailedSQLTransactionError):
        await db.write(work)
    assert await numbers(db) == []


async def test_a_statement_that_asks_for_it_has_the_transaction_run_again_once(db: Postgres) -> None:
    refuse = f"DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '{RECHECK}'; END $$"
    seen = []

    async def work(handle: Write) -> None:
        seen.append(handle.can_recheck)
        await add(handle, len(seen))
        if handle.can_recheck:
            await handle.send(refuse)

    await db.write(work)
    assert (seen, await numbers(db)) == ([True, False], [2])


@contextlib.asynccontextmanager
async def blocked_commit(db: Postgres) -> AsyncIterator[tuple[asyncio.Task[None], DatabaseConnection]]:
    """A write whose COMMIT waits, and another connection, which ends the wait by unlocking 7."""
    other = await asyncpg.connect(db.cluster.hosts.urls[0], connection_class=DatabaseConnection)
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
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    async with asyncio.timeout(60):
        while not await other.fetchval(waiting):  # noqa: ASYNC110
            await asyncio.sleep(0.002)
    yield writing, other
    await other.close()


async def test_a_commit_goes_on_though_its_task_is_cancelled(db: Postgres) -> None:
    """Guards the method of the driver that DatabaseConnection overrides."""
    assert hasattr(asyncpg.Connection, "_cancel_current_command")
    async with blocked_commit(db) as (writing, other):
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        await other.execute("SELECT pg_advisory_unlock(7)")
        async with asyncio.timeout(10):
            while not await other.fetchval("SELECT count(*) FROM kept"):  # noqa: ASYNC110
                await asyncio.sleep(0.002)


async def test_a_commit_whose_connection_is_given_up_has_an_unknown_result(db: Postgres) -> None:
    """As when the database has a newer primary: connections to the former one are ended."""
    async with blocked_commit(db) as (writing, _):
        db.cluster.hosts._on_newer_timeline()
        with pytest.raises(Unavailable, match="during the commit"):
            await writing
