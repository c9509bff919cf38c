"""Pool of worker processes: hands each a request, and kills one that exceeds its limits."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Hashable
from contextlib import suppress

from msgspec import Struct

from backbench.integrations.processes import protocol
from backbench.values.fair_queue import FairQueue, owner

# The rest of the service's environment is not passed on: settings contain secrets, and the process reads what clients
# made.
PASSED_ENVIRONMENT = ("PATH", "PYTHONPATH", "SYSTEMROOT")


class WorkFailed(Exception):
    """This request cannot be fulfilled. Another attempt would fail as well."""


class LimitExceeded(WorkFailed):
    """The process ended at this request, which exceeds the limit of memory or processor time."""


class PoolUnavailable(Exception):
    """No process works now, or too many requests are queued. The request is not the cause."""


class Limits(Struct, frozen=True):
    """Limits: `seconds` and `cpu_seconds` per request, `memory_bytes` per process, `queued` requests.

    A request that needs `cpu_seconds` of processor time fails. One that takes `seconds` may have had to wait for a
    busy machine and can be sent again; they are longer, so that a request fails first for what it needs.

    A process whose peak memory exceeds `reusable_bytes` ends after its request; an idle one after `idle_seconds`.
    """

    processes: int = 2
    queued: int = 32
    seconds: float = 40
    cpu_seconds: int = 10
    memory_bytes: int = 1 << 30
    reusable_bytes: int = 256 << 20
    start_seconds: float = 30
    idle_seconds: float = 60


class ProcessPool:
    """Belongs to one event loop. Processes start when they are first needed, each with the module as its program."""

    def __init__(self, module: str, limits: Limits, noun: str) -> None:
        """`noun`: what a request is called in the reasons of errors."""
        self._module = module
        self._limits = limits
        self._noun = noun
        self._queue: FairQueue[Hashable, None] = FairQueue(
            limits.queued, lambda: PoolUnavailable(f"Too many {noun}s are queued")
        )
        # Requests in work, by owner (values/fair_queue.py).
        self._working: dict[Hashable, int] = {}
        self._closed = False
        self._idle: list[_WorkerProcess] = []
        self._busy: set[_WorkerProcess] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._idle_timer: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """The requests that no process works at yet."""
        return len(self._queue)

    async def send(self, request: bytes) -> bytes:
        """The body of the reply. Raises WorkFailed, LimitExceeded or PoolUnavailable."""
        of = owner.get()()
        if self._may_work(of):
            self._begin(of)
        else:
            # In its turn it is in work already.
            await self._queue.wait(of, lambda _: self._end_of_work(of))
        try:
            if self._closed:
                raise PoolUnavailable("The service is stopping")
            return await self._send(request)
        finally:
            self._end_of_work(of)

    def _may_work(self, of: Hashable) -> bool:
        """One process is left to others, where there are several."""
        is_free = sum(self._working.values()) < self._limits.processes
        return is_free and (of is None or self._working.get(of, 0) < max(1, self._limits.processes - 1))

    def _begin(self, of: Hashable) -> None:
        self._working[of] = self._working.get(of, 0) + 1

    def _end_of_work(self, of: Hashable) -> None:
        self._working[of] -= 1
        if not self._working[of]:
            del self._working[of]
        while (found := self._queue.pop(self._may_work)) is not None:
            self._begin(found[0])
            found[1].set_result(None)

    async def close(self) -> None:
        """Ends every process. Requests that are in work or queued raise an error."""
        self._closed = True
        self._end_idle()
        for process in self._busy:
            self._end(process)
        await asyncio.gather(*self._ending)

    async def _send(self, request: bytes) -> bytes:
        while self._idle:
            with suppress(_ProcessEndedError):
                return await self._send_to(self._idle.pop(), request)
        try:
            return await self._send_to(await _WorkerProcess.started(self._module, self._limits), request)
        except _ProcessEndedError:
            raise PoolUnavailable(f"The process ended before it accepted the {self._noun}") from None

    async def _send_to(self, process: "_WorkerProcess", request: bytes) -> bytes:
        self._busy.add(process)
        try:
            async with asyncio.timeout(self._limits.seconds):
                reply = await process.send(request)
        except TimeoutError:
            raise PoolUnavailable(f"The {self._noun} took too long; the server may be busy") from None
        except (OSError, EOFError):
            raise LimitExceeded from None
        finally:
            # Also if the caller was cancelled: a process that is still at work cannot be reused.
            self._busy.discard(process)
            self._release(process)
        if reply[:1] == protocol.FAILED:
            raise WorkFailed(reply[1:].decode())
        return reply[1:]

    def _release(self, process: "_WorkerProcess") -> None:
        if not process.reusable or self._closed:
            self._end(process)
            return
        self._idle.append(process)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._idle_timer = asyncio.get_running_loop().call_later(self._limits.idle_seconds, self._end_idle)

    def _end_idle(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        while self._idle:
            self._end(self._idle.pop())

    def _end(self, process: "_WorkerProcess") -> None:
        """Kills the process and reaps it in the background."""
        ending = asyncio.create_task(process.end())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


class _ProcessEndedError(Exception):
    """The process ended before it accepted the request: the request is not the cause."""


class _WorkerProcess:
    """A running process; `reusable` if it can take another request."""

    def __init__(self, process: Process, requests: asyncio.StreamWriter, replies: asyncio.StreamReader) -> None:
        self._process = process
        self._requests = requests
        self._replies = replies
        self.reusable = False

    @classmethod
    async def started(cls, module: str, limits: Limits) -> "_WorkerProcess":
        """Starts a process and waits until it is ready. Raises PoolUnavailable."""
        try:
            process = await _start_process(module, limits)
        except OSError as error:
            raise PoolUnavailable(f"The process does not start: {error}") from error
        if process.stdin is None or process.stdout is None:
            raise PoolUnavailable("The process has no pipes")
        started = cls(process, process.stdin, process.stdout)
        try:
            async with asyncio.timeout(limits.start_seconds):
                started.reusable = await started._reply() == protocol.READY
        except (OSError, EOFError):
            raise PoolUnavailable("The process does not start") from None
        finally:
            if not started.reusable:
                await started.end()
        return started

    async def send(self, request: bytes) -> bytes:
        """The reply. Raises OSError or EOFError if the process ends after it accepted the request."""
        self.reusable = False
        # As the process has ended: uvloop raises RuntimeError for what is written then.
        if self._requests.is_closing():
            raise _ProcessEndedError
        try:
            self._requests.write(protocol.framed(request))
            await self._requests.drain()
            await self._reply()
        except TimeoutError:
            raise
        except (OSError, EOFError):
            raise _ProcessEndedError from None
        reply = await self._reply()
        self.reusable = reply[:1] != protocol.DONE_LAST
        return reply

    async def _reply(self) -> bytes:
        length = await self._replies.readexactly(protocol.LENGTH_BYTES)
        return await self._replies.readexactly(int.from_bytes(length, "big"))

    def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()

    async def end(self) -> None:
        self.kill()
        await self._process.wait()
        # What could not be written is no error any more. Python 3.11.2 logs it if nobody waits for it.
        self._requests.close()
        with suppress(OSError):
            await self._requests.wait_closed()


async def _start_process(module: str, limits: Limits) -> Process:
    arguments = (limits.memory_bytes, limits.cpu_seconds, limits.reusable_bytes)
    environment = {name: os.environ[name] for name in PASSED_ENVIRONMENT if name in os.environ}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module, *map(str, arguments)),
        stdin=PIPE,
        stdout=PIPE,
        # One thread of Typst renders as fast as several, and leaves the other cores to the service.
        env={**environment, "RAYON_NUM_THREADS": "1"},
        # Ctrl-C in the terminal is for the service only, which then ends its processes.
        start_new_session=True,
    )
