"""One thread for what sleeps: the wait for another process's lock, and for the disk."""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")
_Call = tuple[Callable[[], Any], asyncio.AbstractEventLoop, asyncio.Future[Any]]


class BlockingThread:
    """Runs calls one after another, beside the loop.

    An executor would do; its two futures a call cost 40 µs, which every group of writes would pay.
    """

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def run(self, call: Callable[[], Result]) -> asyncio.Future[Result]:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Result] = loop.create_future()
        self._calls.put((call, loop, answer))
        return answer

    def close(self) -> None:
        self._calls.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (waiting := self._calls.get()) is not None:
            call, loop, answer = waiting
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001 - it is the caller's, who gets it re-raised
                loop.call_soon_threadsafe(_fail, answer, error)
            else:
                loop.call_soon_threadsafe(_finish, answer, result)


def _finish(answer: asyncio.Future[Any], result: Any) -> None:
    if not answer.done():
        answer.set_result(result)


def _fail(answer: asyncio.Future[Any], error: BaseException) -> None:
    if not answer.done():
        answer.set_exception(error)
