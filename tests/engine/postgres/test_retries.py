"""Transactions that conflict on PostgreSQL are retried from their start."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
from msgspec import Struct

from backbench.engine.database import Write
from backbench.engine.postgres import database
from backbench.engine.postgres.database import Postgres
from backbench.values.errors import Unavailable
from tests.support.cluster.postgres_cluster import Cluster
from tests.support.databases import new_database

# The error that the server raises when two transactions conflict.
_CONFLICT = "DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = 'serialization_failure'; END $$"


@pytest.fixture
async def db(postgres: Any) -> AsyncIterator[Postgres]:
    opened = Postgres(new_database(postgres))
    await opened.write(lambda handle: handle.run("CREATE TABLE tallies (name TEXT PRIMARY KEY, number BIGINT)"))
    await opened.write(lambda handle: handle.run("INSERT INTO tallies VALUES ('left', 0), ('right', 0)"))
    yield opened
    await opened.close()


async def numbers(db: Postgres) -> list[int]:
    async with db.read() as read:
        return await read.all(int, "SELECT number FROM tallies ORDER BY name")


async def test_a_locked_read_and_write_is_never_overwritten(db: Postgres) -> None:
    class Tally(Struct, frozen=True):
        number: int

    async def add_one(handle: Write) -> None:
        tally = await handle.locking().one(Tally, "SELECT number FROM tallies WHERE name = 'left'")
        assert tally is not None
        await handle.run("UPDATE tallies SET number = :number WHERE name = 'left'", number=tally.number + 1)

    await asyncio.gather(*(db.write(add_one) for _ in range(30)))
    assert await numbers(db) == [30, 0]


async def test_a_deadlock_is_resolved_and_both_writes_succeed(db: Postgres) -> None:
    met = asyncio.Barrier(2)
    tries = 0

    async def write(first: str, second: str) -> None:
        async def work(handle: Write) -> None:
            nonlocal tries
            tries += 1
            await handle.run("UPDATE tallies SET number = number + 1 WHERE name = :name", name=first)
            if tries <= 2:
                await met.wait()
            await handle.run("UPDATE tallies SET number = number + 1 WHERE name = :name", name=second)

        await db.write(work)

    await asyncio.gather(write("left", "right"), write("right", "left"))
    # More often if the one undone is faster, with its next try, than the other with the lock that it gave back.
    assert tries >= 3
    assert await numbers(db) == [2, 2]


async def test_a_write_that_keeps_conflicting_is_unavailable_and_rolled_back(
    db: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "TRIES", 3)
    tries = 0

    async def work(handle: Write) -> None:
        nonlocal tries
        tries += 1
        await handle.run("UPDATE tallies SET number = 9")
        await handle.run(_CONFLICT)

    with pytest.raises(Unavailable) as refused:
        await db.write(work)
    assert (tries, refused.value.wait) == (3, 1)
    assert await numbers(db) == [0, 0]


async def test_a_write_continues_after_a_newer_node_changes_its_table(db: Postgres) -> None:
    async def look(handle: Write) -> Any:
        await handle.run("UPDATE tallies SET number = 7 WHERE name = 'left'")
        return await handle.value("SELECT number FROM tallies WHERE name = 'left'")

    assert await db.write(look) == 7
    other = await asyncpg.connect(db.cluster.hosts.urls[0])
    await other.execute("ALTER TABLE tallies ALTER number TYPE SMALLINT")
    await other.close()
    assert await db.write(look) == 7


# Durability of acknowledged writes


@pytest.mark.parametrize(("configured", "used"), [("off", "on"), ("on", "on"), ("remote_apply", "remote_apply")])
async def test_asynchronous_commit_is_switched_off(breakable: Cluster, configured: str, used: str) -> None:
    name = f"acknowledging_{configured}"
    url = breakable.new_database(name)
    breakable.run(f"ALTER DATABASE {name} SET synchronous_commit = {configured}")
    db = Postgres(url)
    async with db.read() as read:
        assert await read.value("SHOW synchronous_commit") == used
    await db.close()


async def test_with_asynchronous_commit_a_killed_server_loses_acknowledged_writes(breakable: Cluster) -> None:
    """Shows that the kills of test_kills.py can detect lost writes."""
    lost = 0
    for turn in range(5):
        name = f"careless_{turn}"
        url = breakable.new_database(name)
        breakable.run("CREATE TABLE kept (number BIGINT)", name)
        acknowledged = await _write_asynchronously_until_killed(breakable, url)
        lost += acknowledged - int(breakable.run("SELECT count(*) FROM kept", name))
        if lost:
            break
    assert lost > 0


async def _write_asynchronously_until_killed(cluster: Cluster, url: str) -> int:
    connection = await asyncpg.connect(url, server_settings={"synchronous_commit": "off"})
    killing = asyncio.create_task(asyncio.to_thread(cluster.kill))
    acknowledged = 0
    try:
        while True:
            await connection.execute("INSERT INTO kept (number) VALUES (1)")
            acknowledged += 1
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
        connection.terminate()
    await killing
    await asyncio.to_thread(cluster.start)
    return acknowledged
