"""Certificates over HTTP: made for each request, from evidence that never changes."""

from backbench.actions.sharing import certificates
from backbench.api.services import EndpointServices
from backbench.domain.accounts.calls import Call
from backbench.domain.sharing.decisions import StoredDecision
from backbench.http.responses import Response, made_file
from backbench.http.streaming.ranges import disposition
from backbench.storage.engine.database import Database


async def download(db: Database, call: Call, decision: StoredDecision, services: EndpointServices) -> Response:
    """Download the certificate of a decision as PDF. Documents of one account are rendered one after the other."""
    async with db.read() as read:
        planned = await certificates.find_planned(read, decision)
    document = await planned.with_logo(services.blobs)
    async with services.pdf_slots.slot(call.uid):
        content = await services.renderer.render_certificate(document)
    shown = disposition(document.file_name or f"{decision.id}.pdf", inline=True)
    return made_file(content, b"application/pdf", (b"content-disposition", shown))
