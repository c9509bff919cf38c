"""Connection pool for PostgreSQL: its bound, its queue and connect failures."""

import asyncio

import pytest

from backbench.engine.postgres.pool import ConnectionPool
from backbench.values import fair_queue
from tests.engine.pool.users import SECONDS, Server, User, settle, users


async def test_no_more_connections_are_open_than_the_largest_number(server: Server) -> None:
    pool = ConnectionPool(server.connect, 2)
    everyone = await users(pool, 7)
    served: list[User] = []
    while waiting := [user for user in everyone if user not in served]:
        has_one = [user for user in waiting if user.connection is not None]
        assert len(has_one) <= 2
        # One of three errs, so its connection is replaced.
        for user in has_one:
            await (user.fail(OSError()) if len(served) % 3 == 0 else user.leave())
            served.append(user)
        assert len(server.open) <= 2
        await settle()
    await pool.close()
    assert server.open == []


async def test_connections_that_are_being_opened_and_closed_count(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    server.may_open.clear()
    first, second = await users(pool, 2)
    assert server.attempts == 1
    server.may_open.set()
    await settle()
    assert first.connection is not None
    first.connection.may_close.clear()
    await first.fail(TimeoutError())
    await settle()
    assert (server.attempts, second.connection) == (1, None)
    first.connection.may_close.set()
    await settle()
    assert (server.attempts, server.open) == (2, [1])
    await second.leave()


async def test_those_who_wait_are_served_in_turn(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    everyone = await users(pool, 4)
    for user in everyone[:2]:
        await user.leave()
        await settle()
    await everyone[2].fail(OSError())
    await settle()
    await everyone[3].leave()
    assert [user.turn for user in everyone] == sorted(user.turn for user in everyone)


@pytest.mark.parametrize("is_replaced", [False, True])
async def test_a_newcomer_does_not_overtake_those_who_wait(server: Server, is_replaced: bool) -> None:
    pool = ConnectionPool(server.connect, 1)
    async with pool.connection(SECONDS) as connection:
        (waiting,) = await users(pool, 1)
        if is_replaced:
            connection.terminate()
    # The one that waits has its turn, and has not run yet.
    with pytest.raises(TimeoutError):
        async with pool.connection(0.001):
            pass
    assert waiting.connection is not None
    await waiting.leave()


async def test_a_user_that_waits_too_long_gets_a_timeout(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    (first,) = await users(pool, 1)
    with pytest.raises(TimeoutError):
        await User(pool, seconds=0.001).task
    await first.leave()
    (second,) = await users(pool, 1)
    assert second.connection is first.connection
    await second.leave()


@pytest.mark.parametrize("is_replaced", [False, True])
async def test_a_turn_that_comes_with_the_end_of_the_wait_is_passed_on(server: Server, is_replaced: bool) -> None:
    pool = ConnectionPool(server.connect, 1)
    async with pool.connection(SECONDS) as connection:
        second, third = await users(pool, 2)
        if is_replaced:
            connection.terminate()
    # The second has its turn, and has not run yet.
    second.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second.task
    await settle()
    assert third.connection is not None
    assert (third.connection is connection) != is_replaced
    await third.leave()
    (fourth,) = await users(pool, 1)
    assert fourth.connection is third.connection
    await fourth.leave()
    await pool.close()


async def test_a_turn_is_taken_though_the_time_of_the_wait_ends_with_it(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    async with pool.connection(SECONDS) as connection:
        (second,) = await users(pool, 1)
        turn = pool._waiting._by_owner[None, False][0]
    fair_queue.end(turn)
    await settle()
    assert second.connection is connection
    await second.leave()
    await pool.close()


async def test_a_connect_failure_lets_the_next_one_try(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    server.failures = 2
    server.may_open.clear()
    everyone = await users(pool, 3)
    server.may_open.set()
    for user in everyone[:2]:
        with pytest.raises(ConnectionRefusedError):
            await user.task
    await settle()
    assert everyone[2].connection is not None
    await everyone[2].leave()


async def test_a_cancelled_connect_lets_the_next_one_try(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    server.may_open.clear()
    first, second = await users(pool, 2)
    first.task.cancel()
    server.may_open.set()
    with pytest.raises(asyncio.CancelledError):
        await first.task
    await settle()
    assert second.connection is not None
    await second.leave()


async def test_aborted_connections_end_while_they_are_in_use(server: Server) -> None:
    pool = ConnectionPool(server.connect, 2)
    first, second = await users(pool, 2)
    await second.leave()
    pool.abort()
    assert server.open == []
    await first.leave()
    (third,) = await users(pool, 1)
    assert server.open == [2]
    await third.leave()


async def test_a_connection_given_up_as_a_newer_server_is_found_leaves_its_place(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    connection = await pool.acquire(SECONDS)
    pool.release(connection, TimeoutError())
    # The task that closes the connection has not begun.
    pool.abort()
    async with asyncio.timeout(SECONDS):
        await pool.acquire(SECONDS)
    assert server.open == [1]


async def after_a_slow_commit(pool: ConnectionPool, server: Server) -> None:
    (first,) = await users(pool, 1)
    [committing] = server.opened
    committing.committing = asyncio.get_running_loop().create_future()
    committing.may_close.clear()
    await first.fail(TimeoutError())


async def test_a_commit_that_takes_too_long_keeps_its_place_until_a_newer_server_is_found(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    await after_a_slow_commit(pool, server)
    (second,) = await users(pool, 1)
    assert len(server.opened) == 1
    pool.abort()
    await settle()
    assert len(server.opened) == 2
    await second.leave()


async def test_closing_does_not_wait_for_a_commit_that_takes_too_long(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    await after_a_slow_commit(pool, server)
    async with asyncio.timeout(SECONDS):
        await pool.close()
    assert not server.opened[0].may_close.is_set()
