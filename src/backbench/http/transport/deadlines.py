"""Deadlines: how slowly a client may send a body and read a response. Later, its request is given up."""

import asyncio
from collections.abc import Awaitable, Coroutine, Mapping
from typing import Any

from msgspec import Struct

from backbench.http.asgi import Receive
from backbench.values.errors import BodyTooSlow


class Deadlines(Struct, frozen=True):
    """In seconds, and bytes. The contract names these figures, so they are no settings; tests pass shorter ones."""

    # A JSON body, from its first byte to its last.
    body: float = 10.0
    # Between two pieces of an upload.
    stall: float = 30.0
    # An upload brings at least `upload_rate` bytes a second over each `window` spent waiting for it.
    window: float = 30.0
    upload_rate: int = 64 * 1024
    # Until the client has taken a piece of a streamed response.
    piece: float = 30.0
    # For the rest of a body that was not read, and its bytes: so long the client can still read the response.
    linger: float = 5.0
    max_lingering: int = 4 * 1024 * 1024


DEADLINES = Deadlines()


class _Deadline:
    """Cancels tasks that wait for longer than `seconds`.

    All of them have the same time, so they end in the order in which they began, and one timer serves them all. A timer
    for each body would take longer than a statement of its request.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self.loop = loop
        self._seconds = seconds
        # When each ends, the earliest first.
        self._waiting: dict[asyncio.Task[Any], float] = {}
        self._late: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def limit(self, arriving: Awaitable[bytes]) -> bytes:
        """Raises BodyTooSlow when the seconds have passed."""
        task = asyncio.current_task(self.loop)
        assert task is not None
        self._waiting[task] = self.loop.time() + self._seconds
        if self._timer is None:
            self._timer = self.loop.call_later(self._seconds, self._cancel_late)
        try:
            return await arriving
        except asyncio.CancelledError:
            # Cancelled by this deadline, and by nobody else as well.
            if task in self._late and task.uncancel() == 0:
                raise BodyTooSlow(f"The body did not arrive within {self._seconds:g} seconds") from None
            raise
        finally:
            self._waiting.pop(task, None)
            self._late.discard(task)

    def _cancel_late(self) -> None:
        self._timer = None
        now = self.loop.time()
        while self._waiting:
            task, ends_at = next(iter(self._waiting.items()))
            if ends_at > now:
                self._timer = self.loop.call_later(ends_at - now, self._cancel_late)
                return
            del self._waiting[task]
            self._late.add(task)
            task.cancel()


_deadlines: dict[float, _Deadline] = {}


def within(seconds: float, arriving: Awaitable[bytes]) -> Coroutine[Any, Any, bytes]:
    """What arrives. Raises BodyTooSlow when the seconds have passed."""
    loop = asyncio.get_running_loop()
    deadline = _deadlines.get(seconds)
    if deadline is None or deadline.loop is not loop:
        deadline = _deadlines[seconds] = _Deadline(loop, seconds)
    return deadline.limit(arriving)


class UploadPace:
    """Receives the pieces of an upload. Only the time spent waiting counts: the disk may be slower than the client."""

    def __init__(self, receive: Receive, deadlines: Deadlines) -> None:
        self._receive = receive
        self._stall = deadlines.stall
        self._window = deadlines.window
        self._rate = deadlines.upload_rate
        self._clock = asyncio.get_running_loop().time
        self._waited = 0.0
        self._received = 0

    async def next(self) -> Mapping[str, Any]:
        """The next message. Raises BodyTooSlow after a stall, and at the end of a window with too few bytes."""
        began = self._clock()
        is_behind = self._received < self._window * self._rate
        left = self._window - self._waited
        try:
            async with asyncio.timeout(min(self._stall, left) if is_behind else self._stall):
                message = await self._receive()
        except TimeoutError:
            raise BodyTooSlow(f"An upload must bring at least {self._rate // 1024} KiB a second") from None
        self._waited += self._clock() - began
        self._received += len(message.get("body", b""))
        if self._waited >= self._window:
            self._waited, self._received = 0.0, 0
        return message
