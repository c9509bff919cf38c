"""Certificates over HTTP: made for each request, from evidence that never changes."""

from backbench.actions.sharing import certificates
from backbench.domain.accounts.sessions import Caller
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.ranges import disposition
from backbench.http.responses import Response, made_file
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.engine.database import Database


async def download(
    db: Database,
    caller: Caller,
    decision_id: str,
    renderer: PdfRenderer,
    pdf_exports_at_once: ConcurrencyLimit,
) -> Response:
    """Download the certificate of a decision as PDF. Documents of one account are rendered one after the other."""
    async with db.read() as read:
        document = await certificates.find_document(read, caller, decision_id)
    async with pdf_exports_at_once.slot(caller.uid):
        content = await renderer.render_certificate(document)
    name = f"{document.outcome}-{document.number.replace('/', '-') or decision_id}.pdf"
    return made_file(content, b"application/pdf", (b"content-disposition", disposition(name, inline=True)))
