"""Sessions of PostgreSQL: the pool's connections with the driver, and statements that would change a session."""

import ast
import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import Any

import asyncpg
import pytest

import backbench
from backbench.engine.postgres.pool import ConnectionPool, DatabaseConnection
from backbench.engine.urls import open_database
from tests.engine.pool.users import SECONDS
from tests.support.databases import new_database

Pools = Callable[[int], ConnectionPool]


@pytest.fixture
async def real(postgres: Any) -> AsyncIterator[Pools]:
    url = new_database(postgres)
    async with AsyncExitStack() as stack:

        def new_pool(largest: int) -> ConnectionPool:
            pool = ConnectionPool(lambda: asyncpg.connect(url, connection_class=DatabaseConnection), largest)
            stack.push_async_callback(pool.close)
            return pool

        yield new_pool


def used(pool: ConnectionPool) -> AbstractAsyncContextManager[Any]:
    return pool.connection(SECONDS)


async def pid_of(pool: ConnectionPool) -> int:
    async with used(pool) as connection:
        number: int = await connection.fetchval("SELECT pg_backend_pid()")
        return number


async def until_gone(observer: Any, pid: int) -> None:
    async with asyncio.timeout(SECONDS):
        while await observer.fetchval("SELECT count(*) FROM pg_stat_activity WHERE pid = $1", pid):  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def test_a_snapshot_outlasts_the_time_outs_of_the_server(postgres: Any) -> None:
    """A backup writes files between statements, and a server that ended it would let none be made."""
    url = new_database(postgres)
    owner = await asyncpg.connect(url)
    names = await owner.fetch(
        "SELECT name FROM pg_settings WHERE name ~ '^(idle_in_transaction_session|transaction)_timeout$'"
    )
    database = await owner.fetchval("SELECT current_database()")
    for (name,) in names:
        await owner.execute(f'ALTER DATABASE "{database}" SET {name} = 60000')
    await owner.close()
    db = open_database(url)
    sql = "SELECT setting FROM pg_settings WHERE name = :name"
    async with db.snapshot() as read:
        assert [await read.value(sql, name=name) for (name,) in names] == ["0"] * len(names)
    await db.close()
    assert names


async def test_the_statement_of_a_cancelled_user_ends_at_the_server(real: Pools) -> None:
    pool, other = real(1), real(1)
    pid = await pid_of(pool)

    async def sleep() -> None:
        async with used(pool) as connection:
            await connection.execute("SELECT pg_sleep(60)")

    sleeping = asyncio.create_task(sleep())
    async with used(other) as observer:
        running = (
            "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%' AND state = 'active'"
        )
        async with asyncio.timeout(SECONDS):
            while not await observer.fetchval(running, pid):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        sleeping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sleeping
        await until_gone(observer, pid)
    assert await pid_of(pool) != pid


async def test_an_open_transaction_is_rolled_back_at_the_server(real: Pools) -> None:
    pool, other = real(1), real(1)
    async with used(pool) as connection:
        pid = await connection.fetchval("SELECT pg_backend_pid()")
        await connection.execute("BEGIN")
        await connection.execute("SELECT pg_advisory_xact_lock(7)")
    async with used(other) as observer:
        await until_gone(observer, pid)
        assert await observer.fetchval("SELECT pg_try_advisory_xact_lock(7)")
    assert await pid_of(pool) != pid


async def test_a_connection_that_the_server_ends_is_replaced_at_once(real: Pools) -> None:
    pool = real(1)
    pid = await pid_of(pool)
    with pytest.raises(asyncpg.PostgresError):
        async with used(pool) as connection:
            await connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    assert await pid_of(pool) != pid


async def test_an_error_of_a_statement_does_not_cost_the_connection(real: Pools) -> None:
    pool = real(1)
    pid = await pid_of(pool)
    for wrong in ("SELECT 1 / 0", "SELECT nothing", "SET LOCAL statement_timeout = 1; SELECT pg_sleep(60)"):
        with pytest.raises(asyncpg.PostgresError):
            async with used(pool) as connection, connection.transaction():
                await connection.execute(wrong)
    assert await pid_of(pool) == pid


# The state of a session stays with its connection, since the pool resets nothing

_STARTS = re.compile(
    r"\s*(?:SET\s+(?!LOCAL|CONSTRAINTS|TRANSACTION)|LISTEN|PREPARE|DISCARD|LOAD|CREATE\s+(?:\w+\s+)?TEMP|DECLARE\b.*HOLD)\b"
)
_PARTS = re.compile(
    r"pg_(?:try_)?advisory_(?:lock|unlock)|set_config\((?![^;]*?, true\))|\.add_listener|\.set_\w*type_codec"
)
_WORDS = re.compile(r"[\"\n; ]SET\s+[a-zST]|\b(?:LISTEN|PREPARE|DISCARD|LOAD|TEMP|TEMPORARY|HOLD)\b|" + _PARTS.pattern)


def changes_session(statement: str) -> bool:
    return any(_STARTS.match(part) for part in statement.split(";")) or _PARTS.search(statement) is not None


def texts(module: ast.AST) -> Iterator[str]:
    """Each string; of one with values, its beginning."""
    rest = {part for text in ast.walk(module) if isinstance(text, ast.JoinedStr) for part in text.values[1:]}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in rest:
            yield node.value


def test_no_statement_changes_the_session_that_the_next_user_gets() -> None:
    folder = Path(backbench.__file__).parent
    # Parsing all modules would take seconds.
    modules = [text for file in folder.rglob("*.py") if _WORDS.search(text := file.read_text())]
    found = [text for module in modules for text in texts(ast.parse(module)) if changes_session(text)]
    found += [file.name for file in folder.rglob("*.sql") if changes_session(file.read_text())]
    # At the connect, so it is the same for every user.
    assert [text for text in found if "'synchronous_commit'" not in text] == []
    assert len(found) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "SET statement_timeout = 1",
        "SELECT 1; LISTEN changes",
        "SELECT pg_advisory_lock(1)",
        "SELECT set_config('work_mem', '1MB', false)",
        "CREATE TEMP TABLE t (n int)",
    ],
)
def test_a_statement_that_changes_the_session_is_found(statement: str) -> None:
    assert changes_session(statement)
