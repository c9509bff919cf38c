"""Repeated work of a job: at an interval, and at once where there is more to do, from `start` to `stop`."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from backbench.logs import log
from backbench.values.errors import Unavailable


class Repeated:
    """Runs `work` every `interval` seconds, and again without a pause where it returns True.

    An error ends no job: the work is done again after `error_pause`, or the interval. `name` is its name in the log.
    `begins_at_once`: without the first interval.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], Awaitable[object]],
        interval: float,
        *,
        error_pause: float | None = None,
        begins_at_once: bool = False,
    ) -> None:
        self._name = name
        self._work = work
        self._interval = interval
        self._error_pause = interval if error_pause is None else error_pause
        self._begins_at_once = begins_at_once
        self._wakes = asyncio.Event()
        self._is_stopping = False
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._is_stopping = False
        self.task = asyncio.create_task(self._run())

    def wake(self) -> None:
        """The work is done now, or again after the present one."""
        self._wakes.set()

    async def stop(self, patience: float = 0.0) -> bool:
        """Waits `patience` seconds for the present work, then cancels it. Never raises an error of it.

        Returns whether it was started.
        """
        if self.task is None:
            return False
        self._is_stopping = True
        self.wake()
        if patience:
            await asyncio.wait([self.task], timeout=patience)
        self.task.cancel()
        await asyncio.wait([self.task])
        return True

    async def _run(self) -> None:
        if not self._begins_at_once:
            await self._pause(self._interval)
        while not self._is_stopping:
            pause = self._interval
            try:
                if await self._work() is True:
                    continue
            except Unavailable as error:
                log.warning(f"{self._name} postponed", reason=error.detail)
                pause = self._error_pause
            except Exception:  # an unhandled error must not end the job: nothing would be done until a restart
                log.exception(f"{self._name} failed")
                pause = self._error_pause
            await self._pause(pause)

    async def _pause(self, seconds: float) -> None:
        # On Python 3.11 `asyncio.wait_for` ignores a cancellation just as it ends, and `stop` waits for ever.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wakes.wait()
        self._wakes.clear()
