"""Connection pool for PostgreSQL: how many connections an owner has, and who is next."""

import asyncio
import random
from collections import Counter

import pytest

from backbench.engine.postgres import pool as servers_pool
from backbench.engine.postgres.pool import LEFT_TO_OTHERS, MOST_OF_OWNER, ConnectionPool
from backbench.values.fair_queue import owner
from tests.engine.pool.users import SECONDS, Server, User, leave, settle, users


async def users_of(pool: ConnectionPool, account: str, number: int, *, are_transactions: bool = True) -> list[User]:
    """Users whose connections are of the account: a task has a copy of what is set where it is created."""
    before = owner.set(lambda: account)
    try:
        return await users(pool, number, are_transactions=are_transactions)
    finally:
        owner.reset(before)


def served(started: list[User]) -> list[User]:
    return [user for user in started if user.connection is not None]


async def test_an_owner_leaves_connections_to_others(server: Server) -> None:
    pool = ConnectionPool(server.connect, MOST_OF_OWNER + 2)
    many = await users_of(pool, "anna", 10)
    assert len(served(many)) == MOST_OF_OWNER
    own, others = await users(pool, 1), await users_of(pool, "bea", 1)
    assert len(served([*own, *others])) == 2
    await leave(*own, *others)
    # Free now, and still not hers.
    await settle()
    assert len(served(many)) == MOST_OF_OWNER
    while waiting := [user for user in many if user.connection is None]:
        await leave(served(many)[-1])
        many = [user for user in many if not user.task.done()]
        await settle()
        assert len(served(many)) == MOST_OF_OWNER
        assert len(waiting) > len([user for user in many if user.connection is None])
    await leave(*many)
    await pool.close()


@pytest.mark.parametrize("are_long", [False, True])
async def test_reads_leave_connections_to_others(
    server: Server, monkeypatch: pytest.MonkeyPatch, are_long: bool
) -> None:
    seconds = 0.0
    monkeypatch.setattr(servers_pool, "monotonic", lambda: seconds)
    largest = 2 * MOST_OF_OWNER + LEFT_TO_OTHERS
    pool = ConnectionPool(server.connect, largest)
    (first,) = await users_of(pool, "anna", 1, are_transactions=False)
    seconds += 1 if are_long else 0.01
    await first.leave()
    many = await users_of(pool, "anna", largest, are_transactions=False)
    assert len(served(many)) == (MOST_OF_OWNER if are_long else largest - LEFT_TO_OTHERS)
    # Nor do they keep its own transactions waiting.
    (write,) = await users_of(pool, "anna", 1)
    assert write.connection is not None
    remaining = [*many, write]
    while remaining:
        await leave(*served(remaining))
        remaining = [user for user in remaining if not user.task.done()]
        await settle()
    seconds += 100
    await leave(*(await users_of(pool, "bea", 1)))
    again = await users_of(pool, "anna", largest, are_transactions=False)
    assert len(served(again)) == largest - LEFT_TO_OTHERS
    await leave(*served(again))
    await settle()
    await leave(*[user for user in again if not user.task.done()])
    await pool.close()


async def test_owners_that_wait_are_served_in_turn(server: Server) -> None:
    pool = ConnectionPool(server.connect, 1)
    (first,) = await users(pool, 1)
    anna, bea = await users_of(pool, "anna", 3), await users_of(pool, "bea", 2)
    await first.leave()
    order: list[User] = []
    while len(order) < 5:
        await settle()
        (now,) = [user for user in (*anna, *bea) if user.connection is not None and user not in order]
        order.append(now)
        await now.leave()
    assert order == [anna[0], bea[0], anna[1], bea[1], anna[2]]
    await pool.close()


async def test_a_connection_that_closes_slowly_keeps_no_other_one_from_its_owner(server: Server) -> None:
    pool = ConnectionPool(server.connect, MOST_OF_OWNER + 1)
    (other,) = await users(pool, 1)
    many = await users_of(pool, "anna", MOST_OF_OWNER + 1)
    await other.leave()
    broken, waiting = many[0], many[-1]
    assert broken.connection is not None
    broken.connection.may_close.clear()
    await broken.fail(TimeoutError())
    await settle()
    assert waiting.connection is other.connection
    broken.connection.may_close.set()
    await leave(*many[1:])
    await pool.close()


@pytest.mark.parametrize("seed", range(30))
async def test_owners_keep_to_their_number_and_nobody_that_waits_is_forgotten(server: Server, seed: int) -> None:
    chance = random.Random(seed)
    largest = chance.choice([1, 3, 4, 10])
    pool = ConnectionPool(server.connect, largest)
    started: dict[User, tuple[str, bool]] = {}
    for _ in range(120):
        running = [user for user in started if not user.task.done()]
        having = [user for user in running if user.connection is not None]
        match chance.choice(["start", "start", "leave", "leave", "fail", "cancel", "expire"]):
            case "start":
                account, is_write = chance.choice(["anna", "bea", ""]), chance.random() < 0.5
                (user,) = (
                    await users_of(pool, account, 1, are_transactions=is_write) if account else await users(pool, 1)
                )
                started[user] = (account, is_write)
            case "leave" if having:
                await chance.choice(having).leave()
            case "fail" if having:
                await chance.choice(having).fail(ConnectionResetError())
            case "cancel" if running:
                chance.choice(running).task.cancel()
            case "expire":
                pool.expire()
        await settle()
        held = Counter(started[user] for user in started if user.connection is not None and not user.task.done())
        assert held.total() <= largest
        assert all(held[account, True] <= MOST_OF_OWNER for account in ("anna", "bea"))
    while running := [user for user in started if not user.task.done()]:
        await settle()
        having = [user for user in running if user.connection is not None]
        assert having, f"{len(running)} wait for connections that nobody has"
        await having[0].leave()
    await asyncio.wait_for(pool.close(), SECONDS)
    assert not pool._number_of
    assert server.open == []
