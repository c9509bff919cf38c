"""The child that draws: one estimate after another, until its input ends.

It is a process of its own so that it can be killed: what costs too much takes nothing else with it.
It opens no network connection, writes no file, and reads the template, the fonts and its standard input.

python -m backbench.outside.pdf.render_process MEMORY_BYTES CPU_SECONDS KEPT_BYTES
"""

import math
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec
import typst

from backbench.domain.documents.documents import EstimateDocument
from backbench.integrations.pdf import render_protocol as frames
from backbench.integrations.pdf.glyphs import FONTS
from backbench.integrations.pdf.layout import Sheet, sheet

if sys.platform != "win32":
    import resource

# What Linux tells of this process.
PROCESS = Path("/proc/self/status")
TEMPLATES = Path(__file__).parent / "templates"
# What the template says where the sums would stand on a page without a line; and how many lines then join them.
SUMS_ALONE = "The sums stand alone"
TURNED_LINES = 2


def main(memory_bytes: int, cpu_seconds: int, kept_bytes: int) -> None:
    orders, replies = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a library may print must not stand among the replies.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    compiler = drawing_compiler()
    _confine(memory_bytes)
    _send(replies, frames.READY)
    while (order := _received(orders)) is not None:
        _send(replies, frames.TAKEN)
        _allow(cpu_seconds)
        kind, body = _drawn(compiler, order)
        if kind == frames.DRAWN and _size() > kept_bytes:
            kind = frames.LAST
        _send(replies, kind + body)
        if kind == frames.LAST:
            break


def drawing_compiler() -> typst.Compiler:
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[FONTS])
    nowhere = TEMPLATES / "no-packages"
    return typst.Compiler(
        font_paths=fonts,
        root=TEMPLATES,
        package_path=nowhere,
        package_cache_path=nowhere,
        ignore_system_fonts=True,
    )


def _drawn(compiler: typst.Compiler, order: bytes) -> tuple[bytes, bytes]:
    document = frames.document_in(order)
    try:
        return frames.DRAWN, draw(compiler, document)
    except typst.TypstError as refusal:
        return frames.FAILED, str(refusal).encode()


def draw(compiler: typst.Compiler, document: EstimateDocument) -> bytes:
    """The PDF: the same bytes for the same document, since its only moment is the day it was issued on."""
    try:
        return _compiled(compiler, document, sheet(document))
    except typst.TypstError as refusal:
        if SUMS_ALONE not in str(refusal):
            raise
    return _compiled(compiler, document, sheet(document, turned=TURNED_LINES))


def _compiled(compiler: typst.Compiler, document: EstimateDocument, laid: Sheet) -> bytes:
    issued = datetime.combine(document.issued_on, datetime.min.time(), UTC)
    drawn = compiler.compile(
        input=_source(laid),
        format="pdf",
        # PDF/A for the archive, PDF/UA for those who cannot see it.
        pdf_standards=["a-2a", "ua-1"],
        timestamp=issued,
    )
    if not isinstance(drawn, bytes):
        raise TypeError("Typst gave no single PDF")
    return drawn


def _source(laid: Sheet) -> bytes:
    """Hands the sheet to the template, as JSON in a string that nothing in it can end.

    Were it an input of the system, Typst would make and weigh its whole library anew for every document.
    """
    words = msgspec.json.encode(laid).replace(b"\\", rb"\\").replace(b'"', rb"\"")
    return b'#import "/estimate.typ": estimate\n#estimate(json(bytes("' + words + b'")))\n'


def _confine(memory_bytes: int) -> None:
    """A bound on memory, no files written, no core dumps, as far as the system knows such bounds."""
    if sys.platform == "win32":
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _allow(cpu_seconds: int) -> None:
    """Processor time for one more document; the kernel ends the child that uses it up."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        until = math.ceil(used.ru_utime + used.ru_stime) + cpu_seconds
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _size() -> int:
    """The most memory this child has held, in bytes; 0 where the system does not say."""
    if not PROCESS.exists():
        return 0
    # Not getrusage: its figure begins with what the parent held when it started this child.
    return int(PROCESS.read_text("ascii").partition("VmHWM:")[2].split()[0]) * 1024


def _received(orders: BinaryIO) -> bytes | None:
    """The next order, or None when the parent has no more."""
    length = int.from_bytes(orders.read(frames.LENGTH_BYTES), "big")
    order = orders.read(length)
    return order if length and len(order) == length else None


def _send(replies: BinaryIO, reply: bytes) -> None:
    replies.write(len(reply).to_bytes(frames.LENGTH_BYTES, "big") + reply)
    replies.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
