"""The loop of deliveries: its end."""

import asyncio
from collections.abc import Sequence
from unittest.mock import Mock

import pytest

from backbench.jobs.deliveries import Deliveries


class NoMessages(Deliveries[str]):
    """`has_read` is set each time when it is about to wait."""

    def __init__(self) -> None:
        super().__init__("nothing", Mock())
        self.has_read = asyncio.Event()

    async def read_logs(self) -> None:
        pass

    async def list_due(self) -> Sequence[str]:
        self.has_read.set()
        return []

    async def send(self, message: str) -> None:
        raise NotImplementedError

    def receiver_of(self, message: str) -> str:
        return message


@pytest.mark.parametrize("steps", range(5))
async def test_it_stops_also_where_a_delivery_has_just_ended(steps: int) -> None:
    """`steps` of the event loop between the two."""
    deliveries = NoMessages()
    deliveries.start()
    await deliveries.has_read.wait()
    await asyncio.sleep(0)
    deliveries._repeated.wake()
    for _ in range(steps):
        await asyncio.sleep(0)
    async with asyncio.timeout(60):
        await deliveries.stop()
    assert deliveries._repeated.task is not None
    assert deliveries._repeated.task.done()
