"""Slips over HTTP: made for each request."""

from backbench.actions.orders import slips
from backbench.domain.accounts.sessions import Caller
from backbench.domain.documents.slips import SlipQuery
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.ranges import disposition
from backbench.http.responses import Response, made_file
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.engine.database import Database


async def download(
    db: Database,
    caller: Caller,
    order_id: str,
    query: SlipQuery,
    public_url: str,
    renderer: PdfRenderer,
    pdf_exports_at_once: ConcurrencyLimit,
) -> Response:
    """Download the slip of a piece of an order as PDF, on a page of exactly that paper."""
    async with db.read() as read:
        document = await slips.find_document(read, caller, order_id, query, public_url)
    async with pdf_exports_at_once.slot(caller.uid):
        content = await renderer.render_slip(document)
    name = f"{document.number}-{document.piece}-{document.format}.pdf"
    return made_file(content, b"application/pdf", (b"content-disposition", disposition(name, inline=True)))
