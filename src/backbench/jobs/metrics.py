"""Metrics job: publishes the request counts of this worker every few seconds, for the worker that is asked for them."""

import asyncio
from collections.abc import Callable

import structlog

from backbench.integrations.worker_files import WorkerFiles

log = structlog.get_logger()

_INTERVAL_SECONDS = 5.0


class MetricsJob:
    """Publishes what `counts` returns, from `start` to `stop`."""

    def __init__(self, files: WorkerFiles, counts: Callable[[], bytes], interval: float = _INTERVAL_SECONDS) -> None:
        self._files = files
        self._counts = counts
        self._interval = interval
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Publishes the last counts: those of a worker that was replaced stay in the sums."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.wait([self._task])
        await self._publish()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._interval)
            await self._publish()

    async def _publish(self) -> None:
        try:
            await self._files.exchange(self._counts())
        except OSError as error:
            log.warning("metrics not published", reason=repr(error))
