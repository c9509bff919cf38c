"""Render processes: limits, failures and reuse. A failing document affects no other."""

import asyncio
import os
import shutil
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from backbench.domain.documents.documents import EstimateDocument
from backbench.integrations.pdf.renderer import Limits, PdfRenderer, RenderError, RenderUnavailable
from tests.integrations.pdf.sample_documents import estimate, item

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="finds the processes in /proc"),
]


def costly(length: int) -> EstimateDocument:
    """500 labels of `length`, with a different glyph for each character."""
    labels = ("".join(chr(0x4E00 + (at * length + by) % 20000) for by in range(length)) for at in range(500))
    return estimate([item(label) for label in labels])


# More expensive than the limits of an estimate allow (labels of 250), so that it takes a fast machine long enough.
BOMB = costly(600)


@asynccontextmanager
async def open_renderer(limits: Limits) -> AsyncIterator[PdfRenderer]:
    renderer = PdfRenderer(limits)
    try:
        yield renderer
    finally:
        await renderer.close()


def render_processes() -> list[int]:
    """The ids of the render processes of this process."""
    tasks = Path("/proc/self/task").iterdir()
    found = [int(pid) for task in tasks for pid in (task / "children").read_text().split()]
    return [
        pid
        for pid in found
        if b"backbench.integrations.pdf.render_process" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def environment_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


async def only_process(renderer: PdfRenderer) -> int:
    await renderer.render(estimate())
    [pid] = render_processes()
    return pid


async def end_of(pid: int) -> None:
    """Waits until the process has ended. Fails if it does not."""
    for _ in range(1000):
        if pid not in render_processes():
            return
        await asyncio.sleep(0.01)
    pytest.fail("the render process is still running")


async def render_error(renderer: PdfRenderer, document: EstimateDocument) -> str:
    with pytest.raises(RenderError) as raised:
        await renderer.render(document)
    return raised.value.detail


async def test_no_process_starts_before_the_first_document() -> None:
    async with open_renderer(Limits()):
        assert render_processes() == []


async def test_a_process_is_reused_for_the_next_document() -> None:
    async with open_renderer(Limits()) as renderer:
        pid = await only_process(renderer)

        assert await only_process(renderer) == pid


async def test_an_idle_process_ends() -> None:
    async with open_renderer(Limits(idle_seconds=0.05)) as renderer:
        await end_of(await only_process(renderer))


async def test_no_process_outlives_its_renderer() -> None:
    async with open_renderer(Limits()) as renderer:
        await only_process(renderer)

    assert render_processes() == []


async def test_a_hung_process_is_an_error_and_is_replaced() -> None:
    async with open_renderer(Limits(seconds=1.5)) as renderer:
        hung = await only_process(renderer)
        os.kill(hung, signal.SIGSTOP)

        assert "too long" in await render_error(renderer, estimate())
        assert await only_process(renderer) != hung


async def test_a_process_killed_while_idle_is_replaced_without_an_error() -> None:
    async with open_renderer(Limits()) as renderer:
        pid = await only_process(renderer)
        os.kill(pid, signal.SIGKILL)
        await end_of(pid)

        assert await renderer.render(estimate())


async def test_a_process_killed_while_rendering_is_an_error() -> None:
    async with open_renderer(Limits()) as renderer:
        pid = await only_process(renderer)
        drawing = asyncio.create_task(render_error(renderer, BOMB))
        await asyncio.sleep(0.2)
        os.kill(pid, signal.SIGKILL)

        assert "exceeds the limit" in await drawing
        assert await renderer.render(estimate())


async def test_a_document_has_a_time_limit() -> None:
    async with open_renderer(Limits(seconds=1.5)) as renderer:
        await renderer.render(estimate())
        began = time.monotonic()

        assert "too long" in await render_error(renderer, BOMB)
        assert time.monotonic() - began < 2.5
        assert await renderer.render(estimate())


async def test_a_document_has_a_memory_limit() -> None:
    # A new process reserves about 230 MB of address space and uses 50 MB of it.
    async with open_renderer(Limits(memory_bytes=300 << 20)) as renderer:
        await renderer.render(estimate())

        assert "exceeds the limit" in await render_error(renderer, BOMB)
        assert await renderer.render(estimate())


async def test_a_document_has_a_processor_time_limit() -> None:
    async with open_renderer(Limits(cpu_seconds=1)) as renderer:
        assert "exceeds the limit" in await render_error(renderer, BOMB)
        assert await renderer.render(estimate())


async def test_processor_time_is_counted_for_each_document() -> None:
    async with open_renderer(Limits(cpu_seconds=1)) as renderer:
        for round_ in range(8):
            assert await renderer.render(estimate([item(f"Line {round_}.{at}") for at in range(500)]))


async def test_an_expensive_document_does_not_delay_others() -> None:
    async with open_renderer(Limits(processes=2)) as renderer:
        await asyncio.gather(renderer.render(estimate()), renderer.render(estimate()))
        bomb = asyncio.create_task(renderer.render(BOMB))
        await asyncio.sleep(0.1)
        for _ in range(3):
            assert await renderer.render(estimate())

        assert not bomb.done()
        bomb.cancel()
        await asyncio.wait([bomb])


async def test_a_process_that_uses_much_memory_is_not_reused() -> None:
    async with open_renderer(Limits(reusable_bytes=1)) as renderer:
        await end_of(await only_process(renderer))

        assert await renderer.render(estimate())


async def test_a_cancelled_request_does_not_affect_the_next() -> None:
    async with open_renderer(Limits(processes=1)) as renderer:
        own = await renderer.render(estimate())
        leaving = asyncio.create_task(renderer.render(BOMB))
        await asyncio.sleep(0.1)
        leaving.cancel()

        assert await renderer.render(estimate()) == own
        assert leaving.cancelled()


async def test_documents_beyond_the_queue_are_unavailable() -> None:
    async with open_renderer(Limits(processes=1, queued=2)) as renderer:
        results = await asyncio.gather(*(renderer.render(estimate()) for _ in range(5)), return_exceptions=True)

    assert [isinstance(result, RenderUnavailable) for result in results] == [False] * 3 + [True] * 2


async def test_a_document_that_is_too_long_is_rejected_before_rendering() -> None:
    async with open_renderer(Limits()) as renderer:
        assert "too long" in await render_error(renderer, estimate([item("x" * 2_000_000)]))
        assert render_processes() == []


async def test_rendering_is_unavailable_if_no_process_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    async with open_renderer(Limits()) as renderer:
        with pytest.raises(RenderUnavailable):
            await renderer.render(estimate())


async def test_rendering_is_unavailable_if_the_process_ends_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("true"))
    async with open_renderer(Limits()) as renderer:
        with pytest.raises(RenderUnavailable):
            await renderer.render(estimate())


async def test_a_closed_renderer_is_unavailable() -> None:
    async with open_renderer(Limits()) as renderer:
        await renderer.render(estimate())
        await renderer.close()
        with pytest.raises(RenderUnavailable):
            await renderer.render(estimate())


async def test_a_process_does_not_receive_the_services_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKBENCH_STRIPE_SECRET", "sk_live_1")
    async with open_renderer(Limits()) as renderer:
        assert b"sk_live_1" not in environment_of(await only_process(renderer))


async def test_memory_of_the_service_does_not_count_for_the_process() -> None:
    """The peak memory of the parent process at the start does not end the render process."""
    ballast = bytearray(os.urandom(1 << 20)) * 300
    async with open_renderer(Limits()) as renderer:
        first = await only_process(renderer)
        await renderer.render(estimate())
        assert await only_process(renderer) == first
    assert len(ballast) == 300 << 20
