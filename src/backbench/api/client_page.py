"""The client's page over HTTP: the PDF and logo of a link, images of its pages, and what the client decides or asks."""

from collections.abc import Sequence

from backbench.actions.completion import Complete, complete_without_audit
from backbench.actions.sharing import client_estimates, comments, decisions, openings
from backbench.api.page_images import REVALIDATED, image_of_file
from backbench.domain.documents.previews import PageImageQuery
from backbench.domain.sharing.comments import Comment, NewComment
from backbench.domain.sharing.decisions import Decision, NewAcceptance, NewDecline
from backbench.domain.sharing.links import LinkCaller, LinkLimits
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import EmailLimits
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
    """Read the image logo of the workshop, as it was when the revision of the link was confirmed."""
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
    """Draw a page of the PDF of a link as PNG. Pages of one workshop's links are drawn one after the other."""
    async with db.read() as read:
        file = await client_estimates.find_file(read, caller)
    # Not by the link: an account can have any number of them, and the renderer has few places.
    slot = pdf_exports_at_once.slot(caller.link.workshop_id)
    # All links have this address: a copy of one must not be shown to the holder of another, or of none.
    return await image_of_file(file, page_number, query, request, renderer, blobs, slot, REVALIDATED)


async def accept(
    db: Database,
    caller: LinkCaller,
    body: NewAcceptance,
    request: Request,
    trusted_proxies: Sequence[Network],
    link_limits: LinkLimits,
    email_limits: EmailLimits,
    now: Instant,
    new_id: NewId,
    complete: Complete = complete_without_audit,
) -> Decision:
    """Accept the revision of a link. The address and the browser of the client become part of the evidence."""
    await decisions.prepare_accept(db, caller, body, link_limits, now)
    client = request.client(trusted_proxies)

    async def record(write: Write) -> Decision:
        made = await decisions.accept(write, caller, body, client, email_limits, now, new_id)
        await complete(write, made)
        return made.result

    return await db.write(record)


async def decline(
    db: Database,
    caller: LinkCaller,
    body: NewDecline,
    request: Request,
    trusted_proxies: Sequence[Network],
    link_limits: LinkLimits,
    email_limits: EmailLimits,
    now: Instant,
    new_id: NewId,
    complete: Complete = complete_without_audit,
) -> Decision:
    """Decline the revision of a link."""
    await decisions.prepare_decline(db, caller, link_limits, now)
    client = request.client(trusted_proxies)

    async def record(write: Write) -> Decision:
        made = await decisions.decline(write, caller, body, client, email_limits, now, new_id)
        await complete(write, made)
        return made.result

    return await db.write(record)


async def comment(
    db: Database,
    caller: LinkCaller,
    body: NewComment,
    link_limits: LinkLimits,
    email_limits: EmailLimits,
    now: Instant,
    new_id: NewId,
    complete: Complete = complete_without_audit,
) -> Comment:
    """Comment on an estimate through a link. Raises Conflict `plan_limit` after fifty comments of the client."""
    await comments.prepare_add(db, caller, link_limits, now)

    async def record(write: Write) -> Comment:
        made = await comments.add(write, caller, body, email_limits, now, new_id)
        await complete(write, made)
        return made.result

    return await db.write(record)


async def opened(db: Write, caller: LinkCaller, request: Request, now: Instant) -> Audited[None] | Unchanged[None]:
    """Count an opening of the page. The session cookie says only whether it is a member's own visit."""
    return await openings.add(db, caller, request.cookie(b"session"), now)
