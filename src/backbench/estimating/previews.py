"""Previews: the PDF of an estimate as confirming now would make it, and pages of PDFs as images."""

from typing import Annotated

import xxhash
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from backbench import __version__
from backbench.accounts import accounts
from backbench.billing.plans import Plan
from backbench.documents.documents import PdfExportOptions
from backbench.engine.database import Database, Read
from backbench.estimating import pdf_exports
from backbench.estimating.document_facts import EstimateRef
from backbench.estimating.documents import PlannedDocument, as_it_is, of_revision
from backbench.estimating.estimates import StoredEstimate
from backbench.estimating.file_types import StoredFile
from backbench.estimating.pdf_exports import allowed_options
from backbench.http.requests import Request
from backbench.http.responses import Response, matches, not_modified, page_image
from backbench.integrations.pdf.render_protocol import DrawnPage, PageRequest, encode_request
from backbench.services import EndpointServices, Services
from backbench.values.calls import Call
from backbench.values.enums import DocumentLocale
from backbench.values.errors import NotFound
from backbench.workshops import workshops

# In pixels: from a small phone to a tablet with a dense screen.
ImageWidth = Annotated[int, Meta(ge=320, le=1600)]
DEFAULT_WIDTH = 1080


class PageImageQuery(Struct, frozen=True):
    """Query of an image of a page."""

    width: ImageWidth = DEFAULT_WIDTH


class PreviewQuery(Struct, frozen=True, rename="camel"):
    """Query of a preview: a page, the caller's language unless another is named, and the toggles of PDF exports."""

    page: Annotated[int, Meta(ge=1, le=9999)] = 1
    locale: DocumentLocale | UnsetType = UNSET
    breakdown: bool = True
    show_markup: bool = False
    show_discount: bool = False
    show_recipient: bool = True
    show_brand_mark: bool = True
    width: ImageWidth = DEFAULT_WIDTH

    def options(self, plan: Plan) -> PdfExportOptions:
        """The requested options, as far as the plan allows them."""
        requested = PdfExportOptions(
            breakdown=self.breakdown,
            show_markup=self.show_markup,
            show_discount=self.show_discount,
            show_recipient=self.show_recipient,
            show_brand_mark=self.show_brand_mark,
        )
        return allowed_options(requested, plan)


# Verbs


async def find_document(
    db: Read, call: Call, estimate: StoredEstimate, query: PreviewQuery, services: Services
) -> PlannedDocument:
    """The document that confirming now would make, marked preliminary, with the number of the revision to come."""
    plan = (await workshops.find(db, estimate.shown.workshop_id)).plan_at(call.now, services.plan_rules)
    locale = (await accounts.find(db, call.uid)).locale if query.locale is UNSET else query.locale
    present = await as_it_is(db, estimate.decoded, call.now)
    planned = await of_revision(db, present, query.options(plan), locale=locale, preliminary=False)
    return structs.replace(planned, document=structs.replace(planned.document, preview=True))


# Over HTTP


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
        planned = await find_document(read, call, estimate, query, services)
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
