"""Repeated work of a job: at an interval, from `start` to `stop`."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from backbench.values.errors import Unavailable

log = structlog.get_logger()


class Repeated:
    """Runs `work` every `interval` seconds, also after it failed. `name` is its name in the log."""

    def __init__(self, name: str, work: Callable[[], Awaitable[None]], interval: float) -> None:
        self._name = name
        self._work = work
        self._interval = interval
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> bool:
        """Cancels the work. Returns whether it was started, and never raises an error of it."""
        if self._task is None:
            return False
        self._task.cancel()
        await asyncio.wait([self._task])
        return True

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._interval)
            try:
                await self._work()
            except Unavailable as error:
                log.warning(f"{self._name} postponed", reason=error.detail)
            except Exception:  # an unhandled error must not end the job: nothing would be done until a restart
                log.exception(f"{self._name} failed")
