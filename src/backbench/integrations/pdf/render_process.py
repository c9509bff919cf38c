"""Render process: renders estimates, certificates and slips as PDF, or pages as PNG, until its input ends.

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
from msgspec import Struct

from backbench.domain.documents.certificates import CertificateDocument
from backbench.domain.documents.documents import EstimateDocument
from backbench.domain.documents.slips import SlipDocument
from backbench.domain.values.times import parse
from backbench.integrations.pdf import render_protocol as protocol
from backbench.integrations.pdf.certificate_layout import certificate_layout
from backbench.integrations.pdf.glyphs import FONTS
from backbench.integrations.pdf.layout import Fit, page_layout
from backbench.integrations.pdf.pages import PdfPages, UnreadablePdf
from backbench.integrations.pdf.slip_layout import slip_layout

if sys.platform != "win32":
    import resource

# Linux: memory use of this process.
PROCESS_STATUS = Path("/proc/self/status")
TEMPLATES = Path(__file__).parent / "templates"
# The template's errors if the sums would be on a page without a line, or the last page would be nearly empty; then the
# document is compiled again with the next fit that may help.
SUMS_ALONE = "The sums are alone on the page"
NEARLY_EMPTY = "The last page is nearly empty"
MOVED_LINES = 2
FITS = (
    Fit(),
    Fit(is_compact=True),
    Fit(may_end_short=True),
    Fit(moved_lines=MOVED_LINES, may_end_short=True),
)


def main(memory_bytes: int, cpu_seconds: int, reusable_bytes: int) -> None:
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Output that a library prints must not get between the replies.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    compiler, pages = new_compiler(), PdfPages()
    # What lives as long as the process is not searched for garbage after every document.
    gc.freeze()
    _limit_resources(memory_bytes)
    _send(replies, protocol.READY)
    while (request := _next_request(requests)) is not None:
        _send(replies, protocol.ACCEPTED)
        _limit_cpu_time(cpu_seconds)
        kind, body = _reply_to(compiler, pages, request)
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


def _reply_to(compiler: typst.Compiler, pages: PdfPages, request: bytes) -> tuple[bytes, bytes]:
    wanted = protocol.decode_request(request)
    try:
        if isinstance(wanted, protocol.StoredPage):
            return protocol.RENDERED, protocol.encode_page(pages.draw(wanted.pdf, lambda: wanted.pdf, wanted.page))
        if isinstance(wanted, CertificateDocument):
            return protocol.RENDERED, render_certificate(compiler, wanted)
        if isinstance(wanted, SlipDocument):
            return protocol.RENDERED, render_slip(compiler, wanted)
        if wanted.page is None:
            return protocol.RENDERED, render(compiler, wanted.document)
        drawn = pages.draw(
            protocol.encode_request(wanted.document), lambda: draft(compiler, wanted.document), wanted.page
        )
        return protocol.RENDERED, protocol.encode_page(drawn)
    except (typst.TypstError, UnreadablePdf) as error:
        return protocol.FAILED, str(error).encode()


def render(compiler: typst.Compiler, document: EstimateDocument) -> bytes:
    """The PDF. The same document gives the same bytes, since its only timestamp is its date of issue."""
    issued = datetime.combine(document.issued_on, datetime.min.time(), UTC)
    # PDF/A for archives, PDF/UA for screen readers.
    return _compiled(compiler, document, pdf_standards=["a-2a", "ua-1"], timestamp=issued)


def draft(compiler: typst.Compiler, document: EstimateDocument) -> bytes:
    """A PDF that is only drawn: it looks the same, and conforms to no standard, which saves a sixth of the time."""
    return _compiled(compiler, document)


def render_certificate(compiler: typst.Compiler, document: CertificateDocument) -> bytes:
    """The PDF. Its only timestamp is the time at which the decision was recorded."""
    recorded = parse(document.recorded_at).replace(microsecond=0)
    source = _source("certificate", certificate_layout(document))
    pdf = compiler.compile(input=source, format="pdf", pdf_standards=["a-2a", "ua-1"], timestamp=recorded)
    assert isinstance(pdf, bytes)
    return pdf


def render_slip(compiler: typst.Compiler, document: SlipDocument) -> bytes:
    """The PDF. It is printed and thrown away, so it conforms to no standard for archives."""
    pdf = compiler.compile(input=_source("slip", slip_layout(document)), format="pdf")
    assert isinstance(pdf, bytes)
    return pdf


def _compiled(compiler: typst.Compiler, document: EstimateDocument, **options: Any) -> bytes:
    for fit in FITS:
        try:
            pdf = compiler.compile(input=_source("estimate", page_layout(document, fit)), format="pdf", **options)
        except typst.TypstError as error:
            if fit == FITS[-1] or not (SUMS_ALONE in str(error) or NEARLY_EMPTY in str(error)):
                raise
        else:
            assert isinstance(pdf, bytes)
            return pdf
    raise AssertionError("the last fit is compiled or raises")


def _source(template: Literal["estimate", "certificate", "slip"], layout: Struct) -> bytes:
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
