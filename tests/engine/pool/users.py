"""Users of a connection pool, and connections that open and close when the test says."""

import asyncio
from itertools import count

import pytest

from backbench.engine.postgres.pool import ConnectionPool

# A deadline that ends a hang; no test asserts it.
SECONDS = 60.0


class Connection:
    """What the pool uses of a connection of the driver. A close waits until `may_close`."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.ended = ""
        self.in_transaction = False
        self.committing: asyncio.Future[str] | None = None
        self.may_close = asyncio.Event()
        self.may_close.set()

    def is_closed(self) -> bool:
        return self.ended != ""

    def is_in_transaction(self) -> bool:
        return self.in_transaction

    def terminate(self) -> None:
        self.ended = self.ended or "terminated"

    async def close(self, timeout: float) -> None:  # noqa: ASYNC109
        assert timeout > 0
        await self.may_close.wait()
        self.ended = self.ended or "closed"


class Server:
    """Opens connections, and fails as often as `failures` says."""

    def __init__(self) -> None:
        self.opened: list[Connection] = []
        self.failures = 0
        self.attempts = 0
        self.may_open = asyncio.Event()
        self.may_open.set()

    async def connect(self) -> Connection:
        self.attempts += 1
        await self.may_open.wait()
        if self.failures:
            self.failures -= 1
            raise ConnectionRefusedError
        self.opened.append(Connection(len(self.opened)))
        return self.opened[-1]

    @property
    def open(self) -> list[int]:
        return [connection.number for connection in self.opened if not connection.is_closed()]


class User:
    """A task that acquires a connection, has it until `leave` or `fail`, and knows its number."""

    order = count()

    def __init__(self, pool: ConnectionPool, seconds: float = SECONDS, *, is_transaction: bool = False) -> None:
        self.connection: Connection | None = None
        self.turn = -1
        self._end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(self._use(pool, seconds, is_transaction))

    async def _use(self, pool: ConnectionPool, seconds: float, is_transaction: bool) -> None:
        async with pool.connection(seconds, is_transaction=is_transaction) as connection:
            self.connection, self.turn = connection, next(self.order)
            await self._end

    async def leave(self) -> None:
        self._end.set_result(None)
        await self.task

    async def fail(self, error: BaseException) -> None:
        self._end.set_exception(error)
        with pytest.raises(type(error)):
            await self.task


async def settle() -> None:
    """Lets every task run until it waits for something else."""
    for _ in range(20):
        await asyncio.sleep(0)


async def users(pool: ConnectionPool, number: int, *, are_transactions: bool = False) -> list[User]:
    started = [User(pool, is_transaction=are_transactions) for _ in range(number)]
    await settle()
    return started


async def leave(*those: User) -> None:
    for user in those:
        await user.leave()
