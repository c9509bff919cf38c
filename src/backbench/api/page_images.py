"""Page images over HTTP: pages of a preview and of a stored PDF export as PNG, with a concurrency limit per account."""

from contextlib import AbstractAsyncContextManager

import xxhash

from backbench import __version__
from backbench.actions.estimating import pdf_exports, previews
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import PlanRules
from backbench.domain.documents.previews import PageImageQuery, PreviewQuery
from backbench.domain.estimating.files import StoredFile
from backbench.domain.values.errors import NotFound
from backbench.domain.values.times import Instant
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.requests import Request
from backbench.http.responses import Response, matches, page_image, unchanged_image
from backbench.integrations.blobs import Blobs
from backbench.integrations.pdf.render_protocol import DrawnPage, PageRequest, encode_request
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.engine.database import Database

# The same estimate may have another preview tomorrow, and after each change of it.
REVALIDATED = b"private, no-cache"
# The bytes of a stored PDF never change.
_IMMUTABLE = b"private, max-age=31536000, immutable"
# Stands for the template, which is part of what is drawn.
_VERSION = __version__.encode()


async def preview(
    db: Database,
    caller: Caller,
    estimate_id: str,
    query: PreviewQuery,
    request: Request,
    renderer: PdfRenderer,
    blobs: Blobs,
    pdf_exports_at_once: ConcurrencyLimit,
    now: Instant,
    plan_rules: PlanRules,
) -> Response:
    """Draw a page of the estimate as it stands, marked preliminary, as PNG. Nothing is stored or counted."""
    async with db.read() as read:
        planned = await previews.find_document(read, caller, estimate_id, query, now, plan_rules)
    document = await planned.with_logo(blobs)
    content = encode_request(document, PageRequest(query.page, query.width))
    tag = b'"%s"' % xxhash.xxh3_128_hexdigest(_VERSION + content).encode()
    if _is_known(request, tag):
        return unchanged_image(tag, REVALIDATED)
    async with pdf_exports_at_once.slot(caller.uid):
        drawn = await renderer.draw_page(document, query.page, query.width)
    return _image(drawn, tag, REVALIDATED)


async def stored_page(
    db: Database,
    caller: Caller,
    estimate_id: str,
    pdf_export_id: str,
    page_number: str,
    query: PageImageQuery,
    request: Request,
    renderer: PdfRenderer,
    blobs: Blobs,
    pdf_exports_at_once: ConcurrencyLimit,
) -> Response:
    """Draw a page of a PDF export as PNG, from the bytes of its file."""
    async with db.read() as read:
        file = await pdf_exports.find_file_for(read, caller, estimate_id, pdf_export_id)
    return await image_of_file(file, page_number, query, request, renderer, blobs, pdf_exports_at_once.slot(caller.uid))


async def image_of_file(
    file: StoredFile,
    page_number: str,
    query: PageImageQuery,
    request: Request,
    renderer: PdfRenderer,
    blobs: Blobs,
    slot: AbstractAsyncContextManager[object],
    cache_control: bytes = _IMMUTABLE,
) -> Response:
    """A page of a stored PDF as PNG, drawn in the slot. Raises NotFound beyond the last page."""
    number = _page_number(page_number)
    tag = b'"%s-%d-%d"' % (file.id.encode(), number, query.width)
    if _is_known(request, tag):
        return unchanged_image(tag, cache_control)
    async with slot:
        content = b"".join([piece async for piece in blobs.read(file.id, 0, file.size_bytes)])
        drawn = await renderer.draw_stored_page(content, number, query.width)
    return _image(drawn, tag, cache_control)


def _page_number(text: str) -> int:
    """Raises NotFound for anything but a number from 1, in decimal digits."""
    if not text.isdecimal() or len(text) > 4 or text != str(int(text)):
        raise NotFound
    return int(text)


def _is_known(request: Request, tag: bytes) -> bool:
    """Whether the client has this image. `*` does not say so: only drawing shows whether there is such a page."""
    known = request.headers.get(b"if-none-match", b"*")
    return known.strip() != b"*" and matches(tag, known, weakly=True)


def _image(drawn: DrawnPage, tag: bytes, cache_control: bytes) -> Response:
    """Raises NotFound beyond the last page."""
    if drawn.png is None:
        raise NotFound
    return page_image(drawn.png, drawn.page_count, tag, cache_control)
