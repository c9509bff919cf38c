"""Metrics job: publishes the request counts of this worker every few seconds, for the worker that is asked for them."""

from collections.abc import Callable

from backbench.integrations.workers import WorkerFiles
from backbench.jobs.repeated import Repeated
from backbench.logs import log

_INTERVAL_SECONDS = 5.0


class MetricsJob:
    """Publishes what `counts` returns, from `start` to `stop`."""

    def __init__(self, files: WorkerFiles, counts: Callable[[], bytes], interval: float = _INTERVAL_SECONDS) -> None:
        self._files = files
        self._counts = counts
        self._repeated = Repeated("metrics", self._publish, interval)

    def start(self) -> None:
        self._repeated.start()

    async def stop(self) -> None:
        """Publishes the last counts: those of a worker that was replaced stay in the sums."""
        if await self._repeated.stop():
            await self._publish()

    async def _publish(self) -> None:
        try:
            await self._files.exchange(self._counts())
        except OSError as error:
            log.warning("metrics not published", reason=repr(error))
