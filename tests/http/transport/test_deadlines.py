"""Deadlines of bodies: one timer serves all of them, and each ends at its own time."""

import asyncio

import pytest

from backbench.http.requests import within
from backbench.values.errors import BodyTooSlow

SECONDS = 0.05


async def late() -> bytes:
    await asyncio.sleep(60)
    return b""


async def outcome(body: asyncio.Future[bytes]) -> object:
    try:
        return await within(SECONDS, body)
    except BodyTooSlow:
        return "too slow"


async def test_only_bodies_that_are_late_are_ended() -> None:
    loop = asyncio.get_running_loop()
    bodies = [loop.create_future() for _ in range(3)]
    running = [asyncio.create_task(outcome(body)) for body in bodies]
    await asyncio.sleep(0)
    bodies[1].set_result(b"{}")
    assert await asyncio.gather(*running) == ["too slow", b"{}", "too slow"]


async def test_a_later_body_has_its_whole_time() -> None:
    loop = asyncio.get_running_loop()
    first, second = loop.create_future(), loop.create_future()
    early = asyncio.create_task(outcome(first))
    await asyncio.sleep(SECONDS / 2)
    began = loop.time()
    assert [await outcome(second), await early] == ["too slow", "too slow"]
    assert loop.time() - began >= SECONDS * 0.9


async def test_a_request_cancelled_by_others_is_not_a_slow_body() -> None:
    task = asyncio.create_task(within(SECONDS, late()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
