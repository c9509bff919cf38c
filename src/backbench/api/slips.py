"""Slips over HTTP: made for each request."""

from backbench.actions.orders import slips
from backbench.api.services import EndpointServices
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.slips import SlipQuery
from backbench.http.responses import Response, made_file
from backbench.http.streaming.ranges import disposition
from backbench.storage.engine.database import Database


async def download(db: Database, call: Call, order_id: str, query: SlipQuery, services: EndpointServices) -> Response:
    """Download the slip of a piece of an order as PDF, on a page of exactly that paper."""
    async with db.read() as read:
        document = await slips.find_document(read, call, order_id, query, services)
    async with services.pdf_slots.slot(call.uid):
        content = await services.renderer.render_slip(document)
    name = f"{document.number}-{document.piece}-{document.format}.pdf"
    return made_file(content, b"application/pdf", (b"content-disposition", disposition(name, inline=True)))
