"""The client's page over HTTP: the PDF of a link, whole or as images of its pages, and what the client decides."""

from collections.abc import Sequence

from backbench.actions.completion import Complete, complete_without_audit
from backbench.actions.sharing import client_estimates, decisions, openings
from backbench.api.page_images import image_of_file
from backbench.domain.documents.previews import PageImageQuery
from backbench.domain.sharing.decisions import Decision, NewAcceptance, NewDecline
from backbench.domain.sharing.links import LinkCaller, LinkLimits
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited, Unchanged
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.ranges import file_or_range
from backbench.http.requests import Network, Request
from backbench.http.responses import Response
from backbench.integrations.blobs import Blobs
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.engine.database import Database, Read, Write


async def download(db: Read, caller: LinkCaller, request: Request, blobs: Blobs) -> Response:
    """Download the PDF of a link, inline, or one range of it with a Range header."""
    return file_or_range(request, blobs, await client_estimates.find_file(db, caller), inline=True)


async def logo(db: Read, caller: LinkCaller, request: Request, blobs: Blobs) -> Response:
    """Read the image logo of the workshop, as it was when the revision was confirmed."""
    return file_or_range(request, blobs, await client_estimates.find_logo(db, caller), inline=True)


async def page(
    db: Database,
    caller: LinkCaller,
    page_number: str,
    query: PageImageQuery,
    request: Request,
    renderer: PdfRenderer,
    blobs: Blobs,
    pdf_exports_at_once: ConcurrencyLimit,
) -> Response:
    """Draw a page of the PDF of a link as PNG. Pages of one link are drawn one after the other."""
    async with db.read() as read:
        file = await client_estimates.find_file(read, caller)
    slot = pdf_exports_at_once.slot(caller.link.id)
    return await image_of_file(file, page_number, query, request, renderer, blobs, slot)


async def accept(
    db: Database,
    caller: LinkCaller,
    body: NewAcceptance,
    request: Request,
    trusted_proxies: Sequence[Network],
    link_limits: LinkLimits,
    now: Instant,
    new_id: NewId,
    complete: Complete = complete_without_audit,
) -> Decision:
    """Accept the revision of a link. The address and the browser of the client become part of the evidence."""
    client = request.client(trusted_proxies)
    return await decisions.accept(db, caller, body, client, link_limits, now, new_id, complete)


async def decline(
    db: Database,
    caller: LinkCaller,
    body: NewDecline,
    request: Request,
    trusted_proxies: Sequence[Network],
    link_limits: LinkLimits,
    now: Instant,
    new_id: NewId,
    complete: Complete = complete_without_audit,
) -> Decision:
    """Decline the revision of a link."""
    client = request.client(trusted_proxies)
    return await decisions.decline(db, caller, body, client, link_limits, now, new_id, complete)


async def opened(db: Write, caller: LinkCaller, request: Request, now: Instant) -> Audited[None] | Unchanged[None]:
    """Count an opening of the page. The session cookie says only whether it is a member's own visit."""
    return await openings.add(db, caller, request.cookie(b"session"), now)
