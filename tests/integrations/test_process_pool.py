"""Queues of worker processes: owners are served in turn, and none keeps the others waiting."""

import asyncio
import random
from collections import Counter
from collections.abc import Hashable

import pytest

from backbench.integrations.processes.pool import Limits, PoolUnavailable, ProcessPool
from backbench.values.fair_queue import owner

pytestmark = pytest.mark.anyio


class Pool(ProcessPool):
    """Its work is done when the test says."""

    def __init__(self, processes: int, queued: int) -> None:
        super().__init__("no.module", Limits(processes=processes, queued=queued), "photo")
        self.started: list[bytes] = []
        self.running: dict[bytes, asyncio.Future[bytes]] = {}

    async def _send(self, request: bytes) -> bytes:
        self.started.append(request)
        self.running[request] = asyncio.get_running_loop().create_future()
        try:
            return await self.running[request]
        finally:
            del self.running[request]

    def end(self, request: bytes) -> None:
        self.running[request].set_result(request)


def sent(pool: Pool, of: Hashable, name: str) -> asyncio.Task[bytes]:
    before = owner.set(lambda: of)
    try:
        return asyncio.create_task(pool.send(name.encode()))
    finally:
        owner.reset(before)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_the_first_of_another_account_comes_next() -> None:
    pool = Pool(processes=1, queued=8)
    tasks = [sent(pool, "anna", f"a{number}") for number in range(4)]
    await settle()
    tasks.append(sent(pool, "bea", "b0"))
    for _ in range(5):
        await settle()
        pool.end(pool.started[-1])
    await asyncio.gather(*tasks)
    assert pool.started == [b"a0", b"a1", b"b0", b"a2", b"a3"] or pool.started == [b"a0", b"b0", b"a1", b"a2", b"a3"]


async def test_one_process_of_several_is_left_to_others() -> None:
    pool = Pool(processes=3, queued=8)
    tasks = [sent(pool, "anna", f"a{number}") for number in range(4)]
    await settle()
    assert pool.started == [b"a0", b"a1"]
    tasks.append(sent(pool, "bea", "b0"))
    await settle()
    assert pool.started == [b"a0", b"a1", b"b0"]
    while pool.running:
        pool.end(next(iter(pool.running)))
        await settle()
    await asyncio.gather(*tasks)


async def test_a_full_queue_refuses_the_owner_that_has_most_of_it() -> None:
    pool = Pool(processes=1, queued=4)
    many = [sent(pool, "anna", f"a{number}") for number in range(5)]
    await settle()
    other = sent(pool, "bea", "b0")
    await settle()
    with pytest.raises(PoolUnavailable):
        await many[-1]
    with pytest.raises(PoolUnavailable):
        await sent(pool, "anna", "a5")
    while pool.running:
        pool.end(next(iter(pool.running)))
        await settle()
    assert await other == b"b0"


@pytest.mark.parametrize("seed", range(20))
async def test_nobody_is_forgotten_and_owners_keep_to_their_processes(seed: int) -> None:
    chance = random.Random(seed)
    processes = chance.choice([1, 2, 3])
    pool = Pool(processes, queued=5)
    tasks: dict[asyncio.Task[bytes], str] = {}
    for number in range(100):
        match chance.choice(["send", "send", "end", "cancel"]):
            case "send":
                of = chance.choice(["anna", "bea", "cyd"])
                tasks[sent(pool, of, f"{of} {number}")] = of
            case "end" if pool.running:
                pool.end(chance.choice(list(pool.running)))
            case "cancel" if tasks:
                chance.choice(list(tasks)).cancel()
        await settle()
        running = Counter(request.decode().split()[0] for request in pool.running)
        assert running.total() <= processes
        assert max(running.values(), default=0) <= max(1, processes - 1)
    while pool.running:
        pool.end(next(iter(pool.running)))
        await settle()
    assert all(task.done() for task in tasks)
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(result, (bytes, PoolUnavailable, asyncio.CancelledError))
    assert pool._working == {}
