"""Render process: renders documents as PDF, and pages and emoji as PNG, until its input ends.

It is a separate process so that it can be killed: an expensive document affects nothing else. It opens no network
connection, writes no file, and reads only the template, the fonts and its standard input.

python -m backbench.integrations.pdf.render_process MEMORY_BYTES CPU_SECONDS REUSABLE_BYTES
"""

import ctypes
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec
import typst
from msgspec import Struct
from msgspec.structs import replace

from backbench.documents.certificates import CertificateDocument
from backbench.documents.documents import EstimateDocument
from backbench.documents.invoices import PrintedInvoice
from backbench.documents.receipts import ReceiptDocument
from backbench.documents.slips import SlipDocument
from backbench.integrations.pdf import render_protocol as protocol
from backbench.integrations.pdf.certificates import certificate_layout
from backbench.integrations.pdf.drawing import PdfPages, UnreadablePdf
from backbench.integrations.pdf.estimates.layout import Fit, PageLayout, page_layout
from backbench.integrations.pdf.factur_x import with_invoice_metadata
from backbench.integrations.pdf.invoice_layout import invoice_layout
from backbench.integrations.pdf.receipt_layout import receipt_layout
from backbench.integrations.pdf.slip_layout import slip_layout
from backbench.integrations.pdf.typesetting import FONTS, legible
from backbench.integrations.processes.worker import RequestFailed, Worker, memory, serve
from backbench.values.times import parse

TEMPLATES = Path(__file__).parent / "templates"
# Typst keeps what its last ten compilations needed. Empty ones, after each reply, leave the caches of the last
# document, for a preview of it after a change, or none if more memory is in use, as after 500 lines.
CACHED_COMPILATIONS = 10
EMPTY_COMPILATIONS = 6
CACHED_BYTES = 80 << 20
MOVED_LINES = 2
# How else a document is compiled if the sums would be on a page without a line, or the last page would be nearly empty:
# the template then fails with one of these names.
FITS = {
    "compact": Fit(is_compact=True),
    "short": Fit(may_end_short=True),
    "moved": Fit(moved_lines=MOVED_LINES, may_end_short=True),
}
_NEXT_FIT = re.compile(r"fit: (\w+)")


class EmojiLayout(Struct, frozen=True):
    emoji: str


def main(memory_bytes: int, cpu_seconds: int, reusable_bytes: int) -> None:
    serve(_load, memory_bytes, cpu_seconds, reusable_bytes)


def _load() -> Worker:
    compiler = new_compiler()
    return Worker(partial(_reply_to, compiler, PdfPages()), partial(_age_caches, compiler))


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


def _reply_to(compiler: typst.Compiler, pages: PdfPages, request: bytes) -> bytes:
    wanted = protocol.decode_request(request)
    try:
        if isinstance(wanted, protocol.StoredPage):
            return protocol.encode_page(pages.draw(wanted.pdf, lambda: wanted.pdf, wanted.page))
        if isinstance(wanted, protocol.EmojiRequest):
            return render_emoji(compiler, wanted.emoji)
        if isinstance(wanted, CertificateDocument):
            return render_certificate(compiler, wanted)
        if isinstance(wanted, SlipDocument):
            return render_slip(compiler, wanted)
        if isinstance(wanted, ReceiptDocument):
            return render_receipt(compiler, wanted)
        if isinstance(wanted, PrintedInvoice):
            return render_invoice(compiler, wanted)
        if wanted.page is None:
            return render(compiler, wanted.document)
        drawn = pages.draw(
            protocol.encode_request(wanted.document), lambda: draft(compiler, wanted.document), wanted.page
        )
        return protocol.encode_page(drawn)
    except (typst.TypstError, UnreadablePdf) as error:
        raise RequestFailed(f"The document cannot be rendered: {error}") from error


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
    layout = certificate_layout(document)
    compiled = partial(compiler.compile, format="pdf", pdf_standards=["a-2a", "ua-1"], timestamp=recorded)
    try:
        pdf = compiled(input=source("certificate", layout))
    except typst.TypstError as error:
        if not _NEXT_FIT.search(str(error)):
            raise
        pdf = compiled(input=source("certificate", replace(layout, is_compact=True)))
    assert isinstance(pdf, bytes)
    return pdf


def render_slip(compiler: typst.Compiler, document: SlipDocument) -> bytes:
    """The PDF. It is printed and thrown away, so it conforms to no standard for archives."""
    pdf = compiler.compile(input=source("slip", slip_layout(document)), format="pdf")
    assert isinstance(pdf, bytes)
    return pdf


def render_receipt(compiler: typst.Compiler, document: ReceiptDocument) -> bytes:
    """The PDF, for archives: its only timestamp is the day on which it states what is due."""
    stated = datetime.combine(document.stated_on, datetime.min.time(), UTC)
    made = source("receipt", receipt_layout(document))
    pdf = compiler.compile(input=made, format="pdf", pdf_standards=["a-2a", "ua-1"], timestamp=stated)
    assert isinstance(pdf, bytes)
    return pdf


class InvoiceInput(Struct, frozen=True):
    """`xml` is "" where the PDF carries no file."""

    layout: PageLayout
    xml: str
    description: str


def render_invoice(compiler: typst.Compiler, printed: PrintedInvoice) -> bytes:
    """The PDF: PDF/A-3 with its file inside (Factur-X), where it has one. Its only timestamp is its date of issue."""
    issued = datetime.combine(printed.document.issue_date or printed.made_on, datetime.min.time(), UTC)
    xml = (printed.xml or b"").decode()
    standards = ["a-3a" if xml else "a-2a", "ua-1"]

    def made(fit: Fit) -> bytes:
        layout = invoice_layout(printed, fit)
        return source("invoice", InvoiceInput(layout, xml, layout.title))

    pdf = _fitted(compiler, made, pdf_standards=standards, timestamp=issued)
    return with_invoice_metadata(pdf) if xml else pdf


def render_emoji(compiler: typst.Compiler, emoji: str) -> bytes:
    """The emoji as documents show it, as a PNG of 144 pixels a side without a background."""
    png = compiler.compile(input=source("emoji", EmojiLayout(legible(emoji))), format="png", ppi=144)
    assert isinstance(png, bytes)
    return png


def _compiled(compiler: typst.Compiler, document: EstimateDocument, **options: Any) -> bytes:
    return _fitted(compiler, lambda fit: source("estimate", page_layout(document, fit)), **options)


def _fitted(compiler: typst.Compiler, made: Callable[[Fit], bytes], **options: Any) -> bytes:
    """What is made, compiled until its pages end well."""
    fits = dict(FITS)
    fit = Fit()
    while True:
        try:
            pdf = compiler.compile(input=made(fit), format="pdf", **options)
        except typst.TypstError as error:
            wanted = _NEXT_FIT.search(str(error))
            # Each is tried once.
            if wanted is None or wanted[1] not in fits:
                raise
            fit = fits.pop(wanted[1])
        else:
            assert isinstance(pdf, bytes)
            return pdf


Template = Literal["estimate", "certificate", "slip", "receipt", "invoice", "emoji"]


def source(template: Template, layout: Struct) -> bytes:
    """The Typst source: calls a template with the layout, as JSON in a string that the JSON cannot terminate.

    With `sys.inputs` instead, Typst would rebuild and hash its standard library for every document.
    """
    json = msgspec.json.encode(layout).replace(b"\\", rb"\\").replace(b'"', rb"\"")
    name = template.encode()
    return b'#import "/%b.typ": %b\n#%b(json(bytes("%b")))\n' % (name, name, name, json)


def _age_caches(compiler: typst.Compiler) -> None:
    """Frees what Typst no longer needs, which the next document would wait for: a tenth of its time."""
    is_full = memory("VmRSS") > CACHED_BYTES
    for _ in range(CACHED_COMPILATIONS + 1 if is_full else EMPTY_COMPILATIONS):
        # The template stays in the caches.
        compiler.compile(input=b'#import "/estimate.typ": estimate', format="svg")
    if is_full:
        with suppress(AttributeError):  # Only glibc has it.
            ctypes.CDLL(None).malloc_trim(0)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
