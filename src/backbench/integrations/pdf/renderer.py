"""PDF renderer: sends documents to render processes, and kills a process that exceeds its limits."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

from msgspec import Struct

from backbench.domain.documents.certificates import CertificateDocument
from backbench.domain.documents.documents import EstimateDocument
from backbench.domain.documents.slips import SlipDocument
from backbench.domain.values.errors import Conflict, Unavailable
from backbench.integrations.pdf import render_protocol as protocol

RETRY_AFTER_SECONDS = 10
# The rest of the service's environment is not passed on: settings contain secrets, and the process renders text that
# clients wrote.
PASSED_ENVIRONMENT = ("PATH", "PYTHONPATH", "SYSTEMROOT")


class RenderError(Conflict):
    """This document cannot be rendered, or exceeds the limits. Another attempt would fail as well."""

    def __init__(self, reason: str) -> None:
        super().__init__("not_drawable", reason)


class RenderUnavailable(Unavailable):
    """No render process works now, or too many documents are queued. The document is not the cause."""

    def __init__(self, reason: str) -> None:
        super().__init__("unavailable", reason, wait=RETRY_AFTER_SECONDS)


class Limits(Struct, frozen=True):
    """Limits: `seconds` and `cpu_seconds` per document, `memory_bytes` per process, `queued` documents.

    A document that needs `cpu_seconds` of processor time is rejected. One that takes `seconds` may have had to wait for
    a busy machine and can be sent again; they are longer, so that a document is rejected first for what it needs.

    A process whose peak memory exceeds `reusable_bytes` ends after its document; an idle one after `idle_seconds`.
    """

    processes: int = 2
    queued: int = 32
    seconds: float = 40
    cpu_seconds: int = 10
    memory_bytes: int = 1 << 30
    reusable_bytes: int = 256 << 20
    start_seconds: float = 30
    idle_seconds: float = 60


class PdfRenderer:
    """Belongs to one event loop. Processes start when they are first needed."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._slots = asyncio.Semaphore(self._limits.processes)
        self._pending = 0
        self._closed = False
        self._idle: list[_RenderProcess] = []
        self._busy: set[_RenderProcess] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._idle_timer: asyncio.TimerHandle | None = None

    async def render(self, document: EstimateDocument) -> bytes:
        """The PDF; the same document gives the same bytes. Raises RenderError or RenderUnavailable."""
        return await self._queued(protocol.encode_request(document))

    async def render_certificate(self, document: CertificateDocument) -> bytes:
        """The PDF; the same certificate gives the same bytes. Raises RenderError or RenderUnavailable."""
        return await self._queued(protocol.encode_certificate(document))

    async def render_slip(self, document: SlipDocument) -> bytes:
        """The PDF, of one page. Raises RenderError or RenderUnavailable."""
        return await self._queued(protocol.encode_slip(document))

    async def draw_page(self, document: EstimateDocument, number: int, width: int) -> protocol.DrawnPage:
        """A page of the same document as PNG, `width` pixels wide. Raises RenderError or RenderUnavailable."""
        page = protocol.PageRequest(number, width)
        return protocol.decode_page(await self._queued(protocol.encode_request(document, page)))

    async def draw_stored_page(self, pdf: bytes, number: int, width: int) -> protocol.DrawnPage:
        """A page of a PDF that was rendered earlier, as PNG. Raises RenderError or RenderUnavailable."""
        request = protocol.encode_stored_page(pdf, protocol.PageRequest(number, width))
        return protocol.decode_page(await self._queued(request, protocol.MAX_PDF_BYTES))

    async def _queued(self, request: bytes, max_bytes: int = protocol.MAX_REQUEST_BYTES) -> bytes:
        if len(request) > max_bytes:
            raise RenderError("The document is too long")
        if self._pending >= self._limits.processes + self._limits.queued:
            raise RenderUnavailable("Too many documents are queued")
        self._pending += 1
        try:
            async with self._slots:
                if self._closed:
                    raise RenderUnavailable("The renderer is closed")
                return await self._render(request)
        finally:
            self._pending -= 1

    async def close(self) -> None:
        """Ends every process. Documents that are being rendered or queued raise an error."""
        self._closed = True
        self._end_idle()
        for process in self._busy:
            self._end(process)
        await asyncio.gather(*self._ending)

    async def _render(self, request: bytes) -> bytes:
        while self._idle:
            with suppress(_ProcessEndedError):
                return await self._render_with(self._idle.pop(), request)
        try:
            return await self._render_with(await _RenderProcess.started(self._limits), request)
        except _ProcessEndedError:
            raise RenderUnavailable("The render process ended before it accepted the document") from None

    async def _render_with(self, process: "_RenderProcess", request: bytes) -> bytes:
        self._busy.add(process)
        try:
            async with asyncio.timeout(self._limits.seconds):
                reply = await process.send(request)
        except TimeoutError:
            raise RenderUnavailable("Rendering the document took too long; the server may be busy") from None
        except (OSError, EOFError):
            raise RenderError("Rendering the document exceeds the limit of memory or processor time") from None
        finally:
            # Also if the caller was cancelled: a process that is still rendering cannot be reused.
            self._busy.discard(process)
            self._release(process)
        if reply[:1] == protocol.FAILED:
            raise RenderError(f"The document cannot be rendered: {reply[1:].decode()}")
        return reply[1:]

    def _release(self, process: "_RenderProcess") -> None:
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

    def _end(self, process: "_RenderProcess") -> None:
        """Kills the process and reaps it in the background."""
        ending = asyncio.create_task(process.end())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


class _ProcessEndedError(Exception):
    """The process ended before it accepted the request: the document is not the cause."""


class _RenderProcess:
    """A running render process; `reusable` if it can take another request."""

    def __init__(self, process: Process, requests: asyncio.StreamWriter, replies: asyncio.StreamReader) -> None:
        self._process = process
        self._requests = requests
        self._replies = replies
        self.reusable = False

    @classmethod
    async def started(cls, limits: Limits) -> "_RenderProcess":
        """Starts a process and waits until it is ready. Raises RenderUnavailable."""
        try:
            process = await _start_process(limits)
        except OSError as error:
            raise RenderUnavailable(f"The render process does not start: {error}") from error
        if process.stdin is None or process.stdout is None:
            raise RenderUnavailable("The render process has no pipes")
        started = cls(process, process.stdin, process.stdout)
        try:
            async with asyncio.timeout(limits.start_seconds):
                started.reusable = await started._reply() == protocol.READY
        except (OSError, EOFError):
            raise RenderUnavailable("The render process does not start") from None
        finally:
            if not started.reusable:
                await started.end()
        return started

    async def send(self, request: bytes) -> bytes:
        """The reply. Raises OSError or EOFError if the process ends after it accepted the request."""
        self.reusable = False
        try:
            self._requests.write(len(request).to_bytes(protocol.LENGTH_BYTES, "big") + request)
            await self._requests.drain()
            await self._reply()
        except TimeoutError:
            raise
        except (OSError, EOFError):
            raise _ProcessEndedError from None
        reply = await self._reply()
        self.reusable = reply[:1] != protocol.RENDERED_LAST
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


async def _start_process(limits: Limits) -> Process:
    arguments = (limits.memory_bytes, limits.cpu_seconds, limits.reusable_bytes)
    environment = {name: os.environ[name] for name in PASSED_ENVIRONMENT if name in os.environ}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "backbench.integrations.pdf.render_process", *map(str, arguments)),
        stdin=PIPE,
        stdout=PIPE,
        # One thread renders as fast as several, and leaves the other cores to the service.
        env={**environment, "RAYON_NUM_THREADS": "1"},
        # Ctrl-C in the terminal is for the service only, which then ends its render processes.
        start_new_session=True,
    )
