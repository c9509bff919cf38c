"""The client's page over HTTP: the PDF and the logo of a link, and images of its pages."""

from backbench.actions.orders import client_orders
from backbench.actions.services import Services
from backbench.actions.sharing import client_estimates, openings
from backbench.api.page_images import image_of_file
from backbench.api.services import EndpointServices
from backbench.domain.documents.previews import PageImageQuery
from backbench.domain.orders.order_links import OrderLinkCall
from backbench.domain.sharing.links import LinkCall
from backbench.domain.values.numbers import to_json
from backbench.domain.workshops.audit import Audited, Unchanged
from backbench.http.compression import conditional
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.http.streaming.ranges import file_or_range
from backbench.storage.engine.database import Database, Read, Write


async def download(db: Read, call: LinkCall, request: Request, services: Services) -> Response:
    """Download the PDF of a link, inline, or one range of it with a Range header."""
    return file_or_range(request, services.blobs, await client_estimates.find_file(db, call), inline=True)


async def logo(db: Read, call: LinkCall, request: Request, services: Services) -> Response:
    """Read the image logo of the workshop, as it was when the revision of the link was confirmed."""
    return file_or_range(request, services.blobs, await client_estimates.find_logo(db, call), inline=True)


async def page(
    db: Database,
    call: LinkCall,
    page_number: str,
    query: PageImageQuery,
    request: Request,
    services: EndpointServices,
) -> Response:
    """Draw a page of the PDF of a link as PNG. Pages of the links of one workshop are drawn one after the other."""
    async with db.read() as read:
        file = await client_estimates.find_file(read, call)
    return await image_of_file(call, file, page_number, query, request, services)


async def opened(db: Write, call: LinkCall, request: Request) -> Audited[None] | Unchanged[None]:
    """Count an opening of the page. The session cookie says only whether it is a member's own visit."""
    return await openings.add(db, call, request.cookie(b"session"))


async def order(db: Read, call: OrderLinkCall, request: Request) -> Response:
    """Read how the order of a status link stands. For a signed-in member, a header names the order."""
    response = conditional(to_json(await client_orders.get(db, call)), request.headers.get(b"if-none-match"))
    if await client_orders.is_member(db, call, request.cookie(b"session")):
        response.headers.append((b"backbench-order", call.caller.order.order_id.encode()))
    return response
