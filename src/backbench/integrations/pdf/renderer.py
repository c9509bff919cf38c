"""Drawing estimates: the service's side, which keeps children that draw and ends those that cost too much."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

from msgspec import Struct

from backbench.domain.documents.documents import EstimateDocument
from backbench.domain.values.errors import Conflict, Unavailable
from backbench.integrations.pdf import render_protocol as frames

WAIT_SECONDS = 10
# Nothing else of the service's environment: settings hold secrets, and the child draws what strangers wrote.
PASSED_ON = ("PATH", "PYTHONPATH", "SYSTEMROOT")


class RenderError(Conflict):
    """This document cannot be drawn, or not at a bearable cost; another attempt would end the same way."""

    def __init__(self, reason: str) -> None:
        super().__init__("not_drawable", reason)


class RenderUnavailable(Unavailable):
    """Nothing is wrong with the document: drawing does not work now, or too many documents wait for it."""

    def __init__(self, reason: str) -> None:
        super().__init__("unavailable", reason, wait=WAIT_SECONDS)


class Limits(Struct, frozen=True):
    """What drawing may cost: `seconds` and `cpu_seconds` for one document, `memory_bytes` for one child.

    A child that has held more than `kept_bytes` ends after the document; an idle one after `idle_seconds`.
    """

    children: int = 2
    waiting: int = 32
    seconds: float = 10
    cpu_seconds: int = 10
    memory_bytes: int = 1 << 30
    kept_bytes: int = 256 << 20
    start_seconds: float = 30
    idle_seconds: float = 60


class PdfRenderer:
    """Belongs to one event loop. Children start when they are first needed."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._turns = asyncio.Semaphore(self._limits.children)
        self._pending = 0
        self._closed = False
        self._idle: list[_Child] = []
        self._busy: set[_Child] = set()
        self._farewells: set[asyncio.Task[None]] = set()
        self._idle_timer: asyncio.TimerHandle | None = None

    async def render(self, document: EstimateDocument) -> bytes:
        """The PDF, or RenderRefused, or RenderUnavailable. The same document gives the same bytes."""
        order = frames.order(document)
        if len(order) > frames.LONGEST_ORDER:
            raise RenderError("The document is too long")
        if self._pending >= self._limits.children + self._limits.waiting:
            raise RenderUnavailable("Too many documents are waiting to be drawn")
        self._pending += 1
        try:
            async with self._turns:
                if self._closed:
                    raise RenderUnavailable("Drawing has ended")
                return await self._drawn(order)
        finally:
            self._pending -= 1

    async def close(self) -> None:
        """Ends every child; what is being drawn, or waits for it, is refused."""
        self._closed = True
        self._end_idle()
        for child in self._busy:
            self._end(child)
        await asyncio.gather(*self._farewells)

    async def _drawn(self, order: bytes) -> bytes:
        while self._idle:
            with suppress(_GoneError):
                return await self._drawn_by(self._idle.pop(), order)
        try:
            return await self._drawn_by(await _Child.started(self._limits), order)
        except _GoneError:
            raise RenderUnavailable("The drawing process does not stay") from None

    async def _drawn_by(self, child: "_Child", order: bytes) -> bytes:
        self._busy.add(child)
        try:
            async with asyncio.timeout(self._limits.seconds):
                reply = await child.ask(order)
        except TimeoutError:
            raise RenderError("Drawing the document takes too long") from None
        except (OSError, EOFError):
            raise RenderError("Drawing the document takes more than it may") from None
        finally:
            # Also when the caller has gone away: a child in the middle of a document is of no use.
            self._busy.discard(child)
            self._put_back(child)
        if reply[:1] == frames.FAILED:
            raise RenderError(f"The document cannot be drawn: {reply[1:].decode()}")
        return reply[1:]

    def _put_back(self, child: "_Child") -> None:
        if not child.reusable or self._closed:
            self._end(child)
            return
        self._idle.append(child)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._idle_timer = asyncio.get_running_loop().call_later(self._limits.idle_seconds, self._end_idle)

    def _end_idle(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        while self._idle:
            self._end(self._idle.pop())

    def _end(self, child: "_Child") -> None:
        """Kills it now and buries it later: nobody has to wait for that."""
        farewell = asyncio.create_task(child.end())
        self._farewells.add(farewell)
        farewell.add_done_callback(self._farewells.discard)


class _GoneError(Exception):
    """The child had ended before it took the order: the document has nothing to do with it."""


class _Child:
    """A process that draws; `reusable` while it means to take another order."""

    def __init__(self, process: Process, orders: asyncio.StreamWriter, replies: asyncio.StreamReader) -> None:
        self._process = process
        self._orders = orders
        self._replies = replies
        self.reusable = False

    @classmethod
    async def started(cls, limits: Limits) -> "_Child":
        try:
            process = await _process(limits)
        except OSError as fault:
            raise RenderUnavailable(f"The drawing process does not start: {fault}") from fault
        if process.stdin is None or process.stdout is None:
            raise RenderUnavailable("The drawing process has no pipes")
        child = cls(process, process.stdin, process.stdout)
        try:
            async with asyncio.timeout(limits.start_seconds):
                child.reusable = await child._reply() == frames.READY
        except (OSError, EOFError):
            raise RenderUnavailable("The drawing process does not start") from None
        finally:
            if not child.reusable:
                await child.end()
        return child

    async def ask(self, order: bytes) -> bytes:
        self.reusable = False
        try:
            self._orders.write(len(order).to_bytes(frames.LENGTH_BYTES, "big") + order)
            await self._orders.drain()
            await self._reply()
        except TimeoutError:
            raise
        except (OSError, EOFError):
            raise _GoneError from None
        reply = await self._reply()
        self.reusable = reply[:1] != frames.LAST
        return reply

    async def _reply(self) -> bytes:
        length = await self._replies.readexactly(frames.LENGTH_BYTES)
        return await self._replies.readexactly(int.from_bytes(length, "big"))

    def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()

    async def end(self) -> None:
        self.kill()
        await self._process.wait()


async def _process(limits: Limits) -> Process:
    bounds = (limits.memory_bytes, limits.cpu_seconds, limits.kept_bytes)
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "backbench.integrations.pdf.render_process", *map(str, bounds)),
        stdin=PIPE,
        stdout=PIPE,
        # One thread draws as fast as several, and leaves the other cores to the service.
        env={**environment, "RAYON_NUM_THREADS": "1"},
        # A Ctrl-C in the terminal is for the service, which then ends its children.
        start_new_session=True,
    )
