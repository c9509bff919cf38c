"""Render processes: limits, failures and reuse. A failing document affects no other."""

import asyncio
import gc
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path

import msgspec

# A dependency of the PostgreSQL wheel; has no types.
import psutil  # type: ignore[import-untyped]
import pytest

from backbench.documents.documents import EstimateDocument
from backbench.integrations.pdf.renderer import PdfRenderer, RenderError, RenderUnavailable
from backbench.integrations.processes.pool import Limits
from tests.integrations.pdf.sample_documents import estimate, item
from tests.support.child_processes import Children, peak_memory

# That of the server, and that of the commands.
on_both_event_loops = pytest.mark.parametrize(
    "anyio_backend", [("asyncio", {"use_uvloop": True}), ("asyncio", {"use_uvloop": False})], ids=["uvloop", "asyncio"]
)

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="finds the processes in /proc"),
]


def costly(length: int) -> EstimateDocument:
    """500 labels of `length`, with a different glyph for each character."""
    labels = ("".join(chr(0x4E00 + (at * length + by) % 20000) for by in range(length)) for at in range(500))
    return estimate([item(label) for label in labels])


@cache
def bomb() -> EstimateDocument:
    """More expensive than the limits of an estimate allow (labels of 250): it takes a fast machine long enough."""
    return costly(600)


@asynccontextmanager
async def printing(limits: Limits) -> AsyncIterator[PdfRenderer]:
    renderer = PdfRenderer(limits)
    try:
        yield renderer
    finally:
        await renderer.close()


children = Children(b"backbench.integrations.pdf.render_process")


@pytest.fixture(autouse=True)
def apart_from_others() -> Iterator[None]:
    with children.of_test():
        yield


def environment_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


async def only_child(printer: PdfRenderer) -> int:
    await rendered(printer)
    [pid] = children()
    return pid


async def end_of(pid: int) -> None:
    """Waits until the process has ended. Fails if it does not."""
    for _ in range(6000):
        if pid not in children():
            return
        await asyncio.sleep(0.01)
    pytest.fail("the render process is still running")


async def rejection(printer: PdfRenderer, document: EstimateDocument) -> str:
    with pytest.raises(RenderError) as refused:
        await printer.render(document)
    return refused.value.detail


async def unavailability(printer: PdfRenderer, document: EstimateDocument) -> str:
    with pytest.raises(RenderUnavailable) as refused:
        await printer.render(document)
    assert refused.value.wait is not None
    return refused.value.detail


async def rendered(printer: PdfRenderer) -> bytes:
    """On a busy machine a document may take longer than the short limit of a test: then it is sent again."""
    async with asyncio.timeout(60):
        while True:
            with suppress(RenderUnavailable):
                return await printer.render(estimate())


async def until_busy(pid: int) -> None:
    """Waits until the process has begun to render: it uses processor time only for that."""
    process = psutil.Process(pid)
    before = process.cpu_times().user
    async with asyncio.timeout(60):
        while process.cpu_times().user < before + 0.1:  # noqa: ASYNC110 - a process sends no event
            await asyncio.sleep(0.01)


async def test_a_process_starts_with_the_first_document_and_is_reused_until_its_renderer_closes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BACKBENCH_STRIPE_SECRET", "sk_live_1")
    async with printing(Limits()) as printer:
        assert children() == []
        pid = await only_child(printer)
        # It does not get the settings of the service.
        assert b"sk_live_1" not in environment_of(pid)
        assert await only_child(printer) == pid

        await printer.close()
        assert children() == []
        with pytest.raises(RenderUnavailable):
            await printer.render(estimate())


async def test_an_idle_process_ends() -> None:
    async with printing(Limits(idle_seconds=0.05)) as printer:
        await end_of(await only_child(printer))
        assert children() == []


async def test_a_hung_process_is_an_error_and_is_replaced() -> None:
    async with printing(Limits(seconds=3)) as printer:
        hung = await only_child(printer)
        os.kill(hung, signal.SIGSTOP)

        assert "too long" in await unavailability(printer, estimate())
        assert await only_child(printer) != hung


@on_both_event_loops
async def test_what_could_not_be_written_to_a_process_is_no_error_of_the_event_loop() -> None:
    # More than a pipe takes: a part of it is still to be written when the process is killed.
    long = msgspec.structs.replace(estimate(), title="Oak table " * 100_000)
    async with printing(Limits(seconds=1)) as printer:
        os.kill(await only_child(printer), signal.SIGSTOP)
        await unavailability(printer, long)
    # Until it is collected, Python does not report it. Then the test fails.
    gc.collect()


@on_both_event_loops
async def test_a_process_killed_while_idle_is_replaced_without_an_error() -> None:
    async with printing(Limits()) as printer:
        pid = await only_child(printer)
        os.kill(pid, signal.SIGKILL)
        await end_of(pid)

        assert await printer.render(estimate())


async def test_a_process_killed_while_rendering_is_an_error() -> None:
    async with printing(Limits()) as printer:
        pid = await only_child(printer)
        drawing = asyncio.create_task(rejection(printer, bomb()))
        await until_busy(pid)
        os.kill(pid, signal.SIGKILL)

        assert "exceeds the limit" in await drawing
        assert await printer.render(estimate())


async def test_a_document_has_a_time_limit() -> None:
    # A high limit of processor time: without the time limit, the document would be rendered completely.
    async with printing(Limits(seconds=0.6, cpu_seconds=600)) as printer:
        await rendered(printer)

        assert "too long" in await unavailability(printer, bomb())
        assert await rendered(printer)


async def test_a_document_has_a_memory_limit() -> None:
    # A new process reserves about 230 MB of address space and uses 50 MB of it.
    async with printing(Limits(memory_bytes=300 << 20, seconds=120, cpu_seconds=60)) as printer:
        await printer.render(estimate())

        # With more memory it would be rendered, in less time than the bomb.
        assert "exceeds the limit" in await rejection(printer, estimate([item("Oak")] * 4_000))
        assert await printer.render(estimate())


async def test_a_document_has_a_processor_time_limit() -> None:
    # What the process has used is rounded up to whole seconds.
    async with printing(Limits(cpu_seconds=0, seconds=120)) as printer:
        assert "exceeds the limit" in await rejection(printer, bomb())
        assert await printer.render(estimate())


async def test_an_expensive_document_does_not_delay_others() -> None:
    async with printing(Limits(processes=2, seconds=120)) as printer:
        await asyncio.gather(printer.render(estimate()), printer.render(estimate()))
        expensive = asyncio.create_task(printer.render(bomb()))
        await asyncio.sleep(0.1)
        for _ in range(3):
            assert await printer.render(estimate())

        assert not expensive.done()
        expensive.cancel()
        await asyncio.wait([expensive])


async def test_a_process_that_uses_much_memory_is_not_reused() -> None:
    async with printing(Limits(reusable_bytes=1)) as printer:
        await end_of(await only_child(printer))

        assert await printer.render(estimate())


def long_estimate(number: int) -> EstimateDocument:
    return estimate([item(f"Line {number}/{at}", quantity=str(at)) for at in range(500)])


async def test_long_documents_fill_no_memory_and_their_processor_time_is_counted_for_each() -> None:
    """Each adds 20 MB of caches, empty again before the next one, and may take `seconds` more than all before it."""
    async with printing(Limits(processes=1, seconds=120, cpu_seconds=60)) as printer:
        process = psutil.Process(await only_child(printer))
        await printer.render(long_estimate(0))
        # More than one takes on this machine.
        seconds = 1 + int(process.cpu_times().user)
    async with printing(Limits(processes=1, seconds=120, cpu_seconds=seconds)) as printer:
        process = psutil.Process(await only_child(printer))
        number = 0
        while number < 6 or process.cpu_times().user < seconds + 0.05:
            number += 1
            await printer.render(long_estimate(number))
        await printer.render(estimate())
        # What it has used is rounded up.
        limit, _ = process.rlimit(psutil.RLIMIT_CPU)
        assert limit >= 2 * seconds + 1
        assert children() == [process.pid]
        assert peak_memory(process.pid) < 120 << 20


async def test_a_cancelled_request_does_not_affect_the_next() -> None:
    async with printing(Limits(processes=1, seconds=120)) as printer:
        own = await printer.render(estimate())
        leaving = asyncio.create_task(printer.render(bomb()))
        await asyncio.sleep(0.1)
        leaving.cancel()

        assert await printer.render(estimate()) == own
        assert leaving.cancelled()


async def test_documents_beyond_the_queue_are_unavailable() -> None:
    async with printing(Limits(processes=1, queued=2)) as printer:
        results = await asyncio.gather(*(printer.render(estimate()) for _ in range(5)), return_exceptions=True)

    assert [isinstance(result, RenderUnavailable) for result in results] == [False] * 3 + [True] * 2


async def test_a_document_that_is_too_long_is_rejected_before_rendering() -> None:
    async with printing(Limits()) as printer:
        assert "too long" in await rejection(printer, estimate([item("x" * 3_000_000)]))
        assert children() == []


async def test_rendering_is_unavailable_if_no_process_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    async with printing(Limits()) as printer:
        with pytest.raises(RenderUnavailable):
            await printer.render(estimate())


async def test_rendering_is_unavailable_if_the_process_ends_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("true"))
    async with printing(Limits()) as printer:
        with pytest.raises(RenderUnavailable):
            await printer.render(estimate())


async def test_memory_of_the_service_does_not_count_for_the_process() -> None:
    """The peak memory of the parent process at the start does not end the render process."""
    ballast = bytearray(os.urandom(1 << 20)) * 300
    async with printing(Limits()) as printer:
        first = await only_child(printer)
        await printer.render(estimate())
        assert await only_child(printer) == first
    assert len(ballast) == 300 << 20
