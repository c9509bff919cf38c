"""Render process: renders estimates and certificates as PDF, or pages as PNG, one after another, until its input ends.

It is a separate process so that it can be killed: an expensive document affects nothing else. It opens no network
connection, writes no file, and reads only the template, the fonts and its standard input.

python -m backbench.integrations.pdf.render_process MEMORY_BYTES CPU_SECONDS REUSABLE_BYTES
"""

import gc
import math
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec
import typst

from backbench.domain.documents.certificates import CertificateDocument
from backbench.domain.documents.documents import EstimateDocument
from backbench.domain.values.enums import PaperSize
from backbench.domain.values.times import parse
from backbench.integrations.pdf import render_protocol as protocol
from backbench.integrations.pdf.certificate_layout import CertificateLayout, certificate_layout
from backbench.integrations.pdf.glyphs import FONTS
from backbench.integrations.pdf.layout import PageLayout, page_layout
from backbench.integrations.pdf.stored_pages import UnreadablePdf, draw_stored_page

if sys.platform != "win32":
    import resource

# Linux: memory use of this process.
PROCESS_STATUS = Path("/proc/self/status")
TEMPLATES = Path(__file__).parent / "templates"
# The template's error if the sums would be on a page without a line, and the number of lines then moved to that page.
SUMS_ALONE = "The sums are alone on the page"
MOVED_LINES = 2
# In inches.
PAPER_WIDTHS: dict[PaperSize, float] = {"A4": 210 / 25.4, "Letter": 8.5}
# The pages drawn last, by document and width: a client that shows one page then asks for the next.
REMEMBERED_BYTES = 16 << 20
_drawn: dict[tuple[bytes, int], list[bytes]] = {}


def main(memory_bytes: int, cpu_seconds: int, reusable_bytes: int) -> None:
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Output that a library prints must not get between the replies.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    compiler = new_compiler()
    # What lives as long as the process is not searched for garbage after every document.
    gc.freeze()
    _limit_resources(memory_bytes)
    _send(replies, protocol.READY)
    while (request := _next_request(requests)) is not None:
        _send(replies, protocol.ACCEPTED)
        _limit_cpu_time(cpu_seconds)
        kind, body = _reply_to(compiler, request)
        if kind == protocol.RENDERED and _peak_memory() > reusable_bytes:
            kind = protocol.RENDERED_LAST
        _send(replies, kind + body)
        if kind == protocol.RENDERED_LAST:
            break


def new_compiler() -> typst.Compiler:
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[FONTS])
    no_packages = TEMPLATES / "no-packages"
    return typst.Compiler(
        font_paths=fonts,
        root=TEMPLATES,
        package_path=no_packages,
        package_cache_path=no_packages,
        ignore_system_fonts=True,
    )


def _reply_to(compiler: typst.Compiler, request: bytes) -> tuple[bytes, bytes]:
    wanted = protocol.decode_request(request)
    try:
        if isinstance(wanted, protocol.StoredPage):
            return protocol.RENDERED, protocol.encode_page(draw_stored_page(wanted.pdf, wanted.page))
        if isinstance(wanted, CertificateDocument):
            return protocol.RENDERED, render_certificate(compiler, wanted)
        if wanted.page is None:
            return protocol.RENDERED, render(compiler, wanted.document)
        return protocol.RENDERED, protocol.encode_page(draw_page(compiler, wanted.document, wanted.page))
    except (typst.TypstError, UnreadablePdf) as error:
        return protocol.FAILED, str(error).encode()


def render(compiler: typst.Compiler, document: EstimateDocument) -> bytes:
    """The PDF. The same document gives the same bytes, since its only timestamp is its date of issue."""
    issued = datetime.combine(document.issued_on, datetime.min.time(), UTC)
    # PDF/A for archives, PDF/UA for screen readers.
    (pdf,) = _compiled(compiler, document, format="pdf", pdf_standards=["a-2a", "ua-1"], timestamp=issued)
    return pdf


def render_certificate(compiler: typst.Compiler, document: CertificateDocument) -> bytes:
    """The PDF. Its only timestamp is the time at which the decision was recorded."""
    recorded = parse(document.recorded_at).replace(microsecond=0)
    source = _source("certificate", certificate_layout(document))
    pdf = compiler.compile(input=source, format="pdf", pdf_standards=["a-2a", "ua-1"], timestamp=recorded)
    assert isinstance(pdf, bytes)
    return pdf


def draw_page(compiler: typst.Compiler, document: EstimateDocument, page: protocol.PageRequest) -> protocol.DrawnPage:
    """A page of the same document as PNG. Typst draws all pages of a document, so the others are remembered."""
    key = (protocol.encode_request(document), page.width)
    if key not in _drawn:
        pages = _compiled(compiler, document, format="png", ppi=page.width / PAPER_WIDTHS[document.paper_size])
        _drawn[key] = pages
        while len(_drawn) > 1 and sum(len(png) for pngs in _drawn.values() for png in pngs) > REMEMBERED_BYTES:
            del _drawn[next(iter(_drawn))]
    pages = _drawn[key]
    return protocol.DrawnPage(pages[page.number - 1] if 1 <= page.number <= len(pages) else None, len(pages))


def _compiled(compiler: typst.Compiler, document: EstimateDocument, **output: Any) -> list[bytes]:
    """The output of Typst: one PDF, or an image for each page."""
    try:
        found = compiler.compile(input=_source("estimate", page_layout(document)), **output)
    except typst.TypstError as error:
        if SUMS_ALONE not in str(error):
            raise
        found = compiler.compile(input=_source("estimate", page_layout(document, moved_lines=MOVED_LINES)), **output)
    return [found] if isinstance(found, bytes) else list(found or [])


def _source(template: Literal["estimate", "certificate"], layout: PageLayout | CertificateLayout) -> bytes:
    """The Typst source: calls a template with the layout, as JSON in a string that the JSON cannot terminate.

    With `sys.inputs` instead, Typst would rebuild and hash its standard library for every document.
    """
    json = msgspec.json.encode(layout).replace(b"\\", rb"\\").replace(b'"', rb"\"")
    name = template.encode()
    return b'#import "/%b.typ": %b\n#%b(json(bytes("%b")))\n' % (name, name, name, json)


def _limit_resources(memory_bytes: int) -> None:
    """Limits memory and disables writing files and core dumps, as far as the platform supports it."""
    if sys.platform == "win32":
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _limit_cpu_time(cpu_seconds: int) -> None:
    """Allows `cpu_seconds` more for the next document; the kernel kills a process that exceeds them."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        limit = math.ceil(used.ru_utime + used.ru_stime) + cpu_seconds
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _peak_memory() -> int:
    """The peak resident memory of this process in bytes; 0 where the platform does not report it."""
    if not PROCESS_STATUS.exists():
        return 0
    # Not getrusage: its value starts at the memory of the parent process when it started this one.
    return int(PROCESS_STATUS.read_text("ascii").partition("VmHWM:")[2].split()[0]) * 1024


def _next_request(requests: BinaryIO) -> bytes | None:
    """None at the end of the input."""
    length = int.from_bytes(requests.read(protocol.LENGTH_BYTES), "big")
    request = requests.read(length)
    return request if length and len(request) == length else None


def _send(replies: BinaryIO, reply: bytes) -> None:
    replies.write(len(reply).to_bytes(protocol.LENGTH_BYTES, "big") + reply)
    replies.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
