"""A dedicated thread for blocking calls: waiting for another process's lock, and for the disk."""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")
_Call = tuple[Callable[[], Any], asyncio.AbstractEventLoop, asyncio.Future[Any]]


class BlockingThread:
    """Runs calls one after another, outside the event loop.

    An executor would do as well, but it makes two futures per call, which take 40 µs for every group of writes.
    """

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run_calls, name=name, daemon=True)
        self._thread.start()

    def run(self, call: Callable[[], Result]) -> asyncio.Future[Result]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._calls.put((call, loop, future))
        return future

    def close(self) -> None:
        """Waits for the calls that are queued."""
        self.close_later()
        self._thread.join()

    def close_later(self) -> None:
        """Ends the thread after the calls that are queued, without waiting for it."""
        self._calls.put(None)

    def _run_calls(self) -> None:
        while (queued := self._calls.get()) is not None:
            call, loop, future = queued
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001 - raised again where the future is awaited
                loop.call_soon_threadsafe(_set_exception, future, error)
            else:
                loop.call_soon_threadsafe(_set_result, future, result)


def _set_result(future: asyncio.Future[Any], result: Any) -> None:
    if not future.done():
        future.set_result(result)


def _set_exception(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
