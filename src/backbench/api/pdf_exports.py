"""The papers of an estimate over HTTP."""

from backbench.actions.estimating import pdf_exports
from backbench.domain.accounts.sessions import Caller
from backbench.domain.documents.pdf_exports import NewPdfExport, PdfExport
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.ranges import sent
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.integrations.blobs import Blobs
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.engine.database import Database, Read
from backbench.storage.operations.idempotency import StoreResponse, store_no_response


async def create(
    db: Database,
    caller: Caller,
    estimate_id: str,
    body: NewPdfExport,
    renderer: PdfRenderer,
    blobs: Blobs,
    papers: ConcurrencyLimit,
    now: Instant,
    new_id: NewId,
    store_response: StoreResponse = store_no_response,
) -> PdfExport:
    """Draws a revision on paper: the same revision, language and toggles give the same bytes.

    An account's papers are drawn one after the other, so that nobody waits for another account's.
    """
    async with papers.turn(caller.uid):
        return await pdf_exports.create(db, caller, estimate_id, body, renderer, blobs, now, new_id, store_response)


async def download(
    db: Read, caller: Caller, estimate_id: str, pdf_export_id: str, request: Request, blobs: Blobs
) -> Response:
    """The PDF, to be shown where it is opened; one range of it where a Range header asks for it."""
    file = await pdf_exports.find_file_for(db, caller, estimate_id, pdf_export_id)
    return sent(request, blobs, file, inline=True)
