"""Connection pool for PostgreSQL: which connections are used again, which are closed, and its end."""

import asyncio

import asyncpg
import pytest

from backbench.engine.postgres import pool as servers_pool
from backbench.engine.postgres.pool import ConnectionPool
from tests.engine.pool.users import SECONDS, Connection, Server, User, leave, settle, users


async def test_a_connection_is_used_again_and_the_last_one_first(server: Server) -> None:
    pool = ConnectionPool(server.connect, 3)
    everyone = await users(pool, 3)
    await leave(*everyone)
    for _ in range(3):
        (user,) = await users(pool, 1)
        assert user.connection is everyone[2].connection
        await user.fail(ValueError())
    assert server.open == [0, 1, 2]


@pytest.mark.parametrize(
    "error",
    [
        asyncio.CancelledError(),
        TimeoutError(),
        ConnectionResetError(),
        asyncpg.InterfaceError("another operation is in progress"),
        asyncpg.AdminShutdownError("terminating connection"),
        ExceptionGroup("one of several", [TimeoutError()]),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_a_connection_with_an_interrupted_statement_is_closed(server: Server, error: BaseException) -> None:
    pool = ConnectionPool(server.connect, 1)
    first, second = await users(pool, 2)
    assert first.connection is not None
    await first.fail(error)
    await settle()
    assert (first.connection.ended, server.open) == ("closed", [1])
    await second.leave()


async def test_a_connection_with_an_open_transaction_is_closed(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    (first,) = await users(pool, 1)
    assert first.connection is not None
    first.connection.in_transaction = True
    await first.leave()
    (second,) = await users(pool, 1)
    assert server.open == [1]
    await second.leave()


async def test_a_connection_that_cannot_be_closed_is_terminated(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def close(_self: Connection, timeout: float) -> None:  # noqa: ASYNC109
        raise TimeoutError

    monkeypatch.setattr(Connection, "close", close)
    pool = ConnectionPool(server.connect, 1)
    first, second = await users(pool, 2)
    await first.fail(TimeoutError())
    await settle()
    assert server.opened[0].ended == "terminated"
    assert second.connection is server.opened[1]
    await second.leave()


async def test_connections_that_the_server_closed_are_not_handed_out(server: Server) -> None:
    pool = ConnectionPool(server.connect, 2)
    await leave(*(await users(pool, 2)))
    for connection in server.opened:
        connection.terminate()
    async with pool.connection(SECONDS) as connection:
        second, third = await users(pool, 2)
        assert server.open == [2, 3]
    # Passed to the third, which has not run yet.
    connection.terminate()
    await settle()
    assert third.connection is server.opened[4]
    await leave(second, third)
    await pool.close()
    assert server.open == []


async def test_expired_connections_are_not_used_again(server: Server) -> None:
    pool = ConnectionPool(server.connect, 3)
    first, second, third = await users(pool, 3)
    await third.leave()
    pool.expire()
    assert server.open == [0, 1]
    await leave(first, second)
    await settle()
    assert server.open == []
    (fourth,) = await users(pool, 1)
    await fourth.leave()
    assert server.open == [3]


async def test_a_connection_that_expires_on_its_way_to_the_next_is_replaced(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    async with pool.connection(SECONDS):
        (second,) = await users(pool, 1)
    pool.expire()
    await settle()
    assert second.connection is server.opened[1]
    await second.leave()
    assert server.open == [1]


# Idle connections and the end


async def test_connections_that_are_idle_for_a_whole_interval_are_closed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers_pool, "_IDLE_SECONDS", 3600.0)
    pool = ConnectionPool(server.connect, 3)
    everyone = await users(pool, 3)
    await leave(*everyone)
    pool._close_unused()
    # The first was idle since the interval began; the others came back during it.
    assert server.open == [1, 2]
    (user,) = await users(pool, 1)
    await user.leave()
    pool._close_unused()
    assert server.open == [2]
    pool._close_unused()
    assert server.open == []
    assert pool._sweep is None
    await pool.close()


async def test_the_sweep_after_an_expiry_closes_no_connection_of_its_interval(server: Server) -> None:
    pool = ConnectionPool(server.connect, 2)
    await leave(*(await users(pool, 2)))
    pool._close_unused()
    pool.expire()
    await leave(*(await users(pool, 1)))
    pool._close_unused()
    assert server.open == [2]
    await pool.close()


async def test_close_waits_for_users_and_for_those_who_wait(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    first, second, third = await users(pool, 3)
    closing = asyncio.create_task(pool.close())
    await settle()
    await first.leave()
    await settle()
    await second.fail(OSError())
    await settle()
    assert not closing.done()
    await third.leave()
    await closing
    assert server.open == []


async def test_close_waits_for_a_connection_that_is_being_opened(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    server.may_open.clear()
    (user,) = await users(pool, 1)
    closing = asyncio.create_task(pool.close())
    await settle()
    assert not closing.done()
    server.may_open.set()
    await settle()
    await user.leave()
    await closing
    assert server.open == []


async def test_a_closed_pool_opens_no_connection(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    await pool.close()
    with pytest.raises(asyncpg.InterfaceError):
        await User(pool).task
    assert server.attempts == 0


async def test_a_cancelled_close_ends_the_connections_in_use(server: Server) -> None:
    pool = ConnectionPool(server.connect, 2)
    first, second = await users(pool, 2)
    await second.leave()
    closing = asyncio.create_task(pool.close())
    await settle()
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert server.open == []
    await first.leave()
