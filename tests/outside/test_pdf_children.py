"""Drawing that goes wrong costs its caller a refusal, and nobody else anything."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from backbench.domain.documents import EstimateDocument
from backbench.outside.pdf.renderer import Limits, PdfRenderer, RenderRefused, RenderUnavailable
from tests.outside.papers import item, paper

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for the children in /proc"),
]


def costly(length: int) -> EstimateDocument:
    """500 labels of `length`, every character another glyph."""
    labels = ("".join(chr(0x4E00 + (at * length + by) % 20000) for by in range(length)) for at in range(500))
    return paper([item(label) for label in labels])


# Dearer than the bounds of an estimate allow (labels of 250), so that a fast machine has to work on it, too.
BOMB = costly(600)


@asynccontextmanager
async def printing(limits: Limits) -> AsyncIterator[PdfRenderer]:
    renderer = PdfRenderer(limits)
    try:
        yield renderer
    finally:
        await renderer.close()


def children() -> list[int]:
    """The processes that draw for this one."""
    tasks = Path("/proc/self/task").iterdir()
    found: list[int] = []
    for task in tasks:
        # A thread may end meanwhile.
        with suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, (task / "children").read_text().split())
    return [pid for pid in found if b"backbench.outside.pdf.child" in _command_line(pid)]


def _command_line(pid: int) -> bytes:
    """Nothing for a process that has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def environment_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


async def only_child(printer: PdfRenderer) -> int:
    await printer.render(paper())
    [pid] = children()
    return pid


async def end_of(pid: int) -> None:
    """Returns when the child is no more, and fails when it does not end."""
    for _ in range(6000):
        if pid not in children():
            return
        await asyncio.sleep(0.01)
    pytest.fail("the child goes on")


async def refusal(printer: PdfRenderer, document: EstimateDocument) -> str:
    with pytest.raises(RenderRefused) as refused:
        await printer.render(document)
    return refused.value.detail


async def test_no_child_runs_before_the_first_document() -> None:
    async with printing(Limits()):
        assert children() == []


async def test_a_child_draws_one_document_after_another() -> None:
    async with printing(Limits()) as printer:
        pid = await only_child(printer)

        assert await only_child(printer) == pid


async def test_an_idle_child_ends() -> None:
    async with printing(Limits(idle_seconds=0.05)) as printer:
        await end_of(await only_child(printer))


async def test_no_child_outlives_its_renderer() -> None:
    async with printing(Limits()) as printer:
        await only_child(printer)

    assert children() == []


async def test_a_hung_child_costs_a_refusal_and_is_replaced() -> None:
    async with printing(Limits(seconds=3)) as printer:
        hung = await only_child(printer)
        os.kill(hung, signal.SIGSTOP)

        assert "too long" in await refusal(printer, paper())
        assert await only_child(printer) != hung


async def test_a_child_that_died_while_idle_is_replaced_unnoticed() -> None:
    async with printing(Limits()) as printer:
        pid = await only_child(printer)
        os.kill(pid, signal.SIGKILL)
        await end_of(pid)

        assert await printer.render(paper())


async def test_a_child_that_dies_while_it_draws_costs_a_refusal() -> None:
    async with printing(Limits()) as printer:
        pid = await only_child(printer)
        drawing = asyncio.create_task(refusal(printer, BOMB))
        await asyncio.sleep(0.2)
        os.kill(pid, signal.SIGKILL)

        assert "more than it may" in await drawing
        assert await printer.render(paper())


async def test_a_document_has_a_limit_of_time() -> None:
    # The processor's limit is out of the way: without this one, the document would be drawn to its end.
    async with printing(Limits(seconds=1.5, cpu_seconds=600)) as printer:
        await printer.render(paper())

        assert "too long" in await refusal(printer, BOMB)
        assert await printer.render(paper())


async def test_a_document_has_a_limit_of_memory() -> None:
    # A fresh child reserves some 230 MB of addresses and uses 50 MB of them.
    async with printing(Limits(memory_bytes=300 << 20, seconds=120, cpu_seconds=120)) as printer:
        await printer.render(paper())

        assert "more than it may" in await refusal(printer, BOMB)
        assert await printer.render(paper())


async def test_a_document_has_a_limit_of_processor_time() -> None:
    async with printing(Limits(cpu_seconds=1, seconds=120)) as printer:
        assert "more than it may" in await refusal(printer, BOMB)
        assert await printer.render(paper())


async def test_processor_time_is_counted_anew_for_each_document() -> None:
    async with printing(Limits(cpu_seconds=1, seconds=120)) as printer:
        for turn in range(8):
            assert await printer.render(paper([item(f"Line {turn}.{at}") for at in range(500)]))


async def test_a_costly_document_does_not_hold_up_others() -> None:
    async with printing(Limits(children=2, seconds=120)) as printer:
        await asyncio.gather(printer.render(paper()), printer.render(paper()))
        bomb = asyncio.create_task(printer.render(BOMB))
        await asyncio.sleep(0.1)
        for _ in range(3):
            assert await printer.render(paper())

        assert not bomb.done()
        bomb.cancel()
        await asyncio.wait([bomb])


async def test_a_child_that_has_grown_large_is_not_kept() -> None:
    async with printing(Limits(kept_bytes=1)) as printer:
        await end_of(await only_child(printer))

        assert await printer.render(paper())


async def test_a_caller_who_leaves_hands_no_paper_to_the_next() -> None:
    async with printing(Limits(children=1, seconds=120)) as printer:
        own = await printer.render(paper())
        leaving = asyncio.create_task(printer.render(BOMB))
        await asyncio.sleep(0.1)
        leaving.cancel()

        assert await printer.render(paper()) == own
        assert leaving.cancelled()


async def test_too_many_waiting_documents_are_turned_away() -> None:
    async with printing(Limits(children=1, waiting=2)) as printer:
        turns = await asyncio.gather(*(printer.render(paper()) for _ in range(5)), return_exceptions=True)

    assert [isinstance(turn, RenderUnavailable) for turn in turns] == [False] * 3 + [True] * 2


async def test_an_overlong_document_is_refused_before_it_is_drawn() -> None:
    async with printing(Limits()) as printer:
        assert "too long" in await refusal(printer, paper([item("x" * 2_000_000)]))
        assert children() == []


async def test_without_a_drawing_process_rendering_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    async with printing(Limits()) as printer:
        with pytest.raises(RenderUnavailable):
            await printer.render(paper())


async def test_a_drawing_process_that_ends_at_once_makes_rendering_unavailable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("true"))
    async with printing(Limits()) as printer:
        with pytest.raises(RenderUnavailable):
            await printer.render(paper())


async def test_a_closed_renderer_draws_no_more() -> None:
    async with printing(Limits()) as printer:
        await printer.render(paper())
        await printer.close()
        with pytest.raises(RenderUnavailable):
            await printer.render(paper())


async def test_the_child_knows_nothing_of_the_services_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKBENCH_STRIPE_SECRET", "sk_live_1")
    async with printing(Limits()) as printer:
        assert b"sk_live_1" not in environment_of(await only_child(printer))


async def test_a_large_parent_does_not_make_its_children_large() -> None:
    """What the parent held when it started a child is no reason to end the child."""
    ballast = bytearray(os.urandom(1 << 20)) * 300
    async with printing(Limits()) as printer:
        first = await only_child(printer)
        await printer.render(paper())
        assert await only_child(printer) == first
    assert len(ballast) == 300 << 20
