"""Page images over HTTP: pages of a preview and of a stored PDF export as PNG, with a concurrency limit per account."""

import xxhash

from backbench import __version__
from backbench.actions.estimating import pdf_exports, previews
from backbench.api.services import EndpointServices
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.previews import PageImageQuery, PreviewQuery
from backbench.domain.estimating.files import StoredFile
from backbench.domain.values.errors import NotFound
from backbench.http.requests import Request
from backbench.http.responses import Response, matches, not_modified, page_image
from backbench.integrations.pdf.render_protocol import DrawnPage, PageRequest, encode_request
from backbench.storage.engine.database import Database
from backbench.storage.estimating.estimates import EstimateRef, StoredEstimate

# Stands for the template, which is part of what is drawn.
_VERSION = __version__.encode()


async def preview(
    db: Database,
    call: Call,
    estimate: StoredEstimate,
    query: PreviewQuery,
    request: Request,
    services: EndpointServices,
) -> Response:
    """Draw a page of the estimate as it stands, marked preliminary, as PNG. Nothing is stored or counted."""
    async with db.read() as read:
        planned = await previews.find_document(read, call, estimate, query, services)
    document = await planned.with_logo(services.blobs)
    content = encode_request(document, PageRequest(query.page, query.width))
    tag = b'"%s"' % xxhash.xxh3_128_hexdigest(_VERSION + content).encode()
    if _is_known(request, tag):
        return not_modified(tag)
    async with services.pdf_slots.slot(call.uid):
        drawn = await services.renderer.draw_page(document, query.page, query.width)
    return _image(drawn, tag)


async def stored_page(
    db: Database,
    call: Call,
    estimate: EstimateRef,
    pdf_export_id: str,
    page_number: str,
    query: PageImageQuery,
    request: Request,
    services: EndpointServices,
) -> Response:
    """Draw a page of a PDF export as PNG, from the bytes of its file."""
    async with db.read() as read:
        file = await pdf_exports.find_file(read, call, estimate.id, pdf_export_id)
    return await image_of_file(call, file, page_number, query, request, services)


async def image_of_file(
    call: Call,
    file: StoredFile,
    page_number: str,
    query: PageImageQuery,
    request: Request,
    services: EndpointServices,
) -> Response:
    """A page of a stored PDF as PNG. Raises NotFound beyond the last page."""
    number = _page_number(page_number)
    tag = b'"%s-%d-%d"' % (file.id.encode(), number, query.width)
    if _is_known(request, tag):
        return not_modified(tag)
    async with services.pdf_slots.slot(call.caller.shares_limits_of):
        content = b"".join([piece async for piece in services.blobs.read(file.id, 0, file.size_bytes)])
        drawn = await services.renderer.draw_stored_page(content, number, query.width)
    return _image(drawn, tag)


def _page_number(text: str) -> int:
    """Raises NotFound for anything but a number from 1, in decimal digits."""
    if not text.isdecimal() or len(text) > 4 or text != str(int(text)):
        raise NotFound
    return int(text)


def _is_known(request: Request, tag: bytes) -> bool:
    """Whether the client has this image. `*` does not say so: only drawing shows whether there is such a page."""
    known = request.headers.get(b"if-none-match", b"*")
    return known.strip() != b"*" and matches(tag, known, weakly=True)


def _image(drawn: DrawnPage, tag: bytes) -> Response:
    """Raises NotFound beyond the last page."""
    if drawn.png is None:
        raise NotFound
    return page_image(drawn.png, drawn.page_count, tag)
