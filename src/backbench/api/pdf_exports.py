"""The papers of an estimate over HTTP."""

from backbench.actions import pdf_exports
from backbench.api.answers import Answer
from backbench.api.downloads import sent
from backbench.api.requests import Request
from backbench.api.turns import Turns
from backbench.domain.ids import NewId
from backbench.domain.pdf_exports import NewPdfExport, PdfExport
from backbench.domain.sessions import Caller
from backbench.domain.times import Instant
from backbench.outside.blobs import Blobs
from backbench.outside.pdf.renderer import PdfRenderer
from backbench.storage.database import Database, Read
from backbench.storage.idempotency import KeepAnswer, not_kept


async def create(
    db: Database,
    caller: Caller,
    estimate_id: str,
    body: NewPdfExport,
    renderer: PdfRenderer,
    blobs: Blobs,
    papers: Turns,
    now: Instant,
    new_id: NewId,
    keep_answer: KeepAnswer = not_kept,
) -> PdfExport:
    """Draws a revision on paper: the same revision, language and toggles give the same bytes.

    An account's papers are drawn one after the other, so that nobody waits for another account's.
    """
    async with papers.turn(caller.uid):
        return await pdf_exports.create(db, caller, estimate_id, body, renderer, blobs, now, new_id, keep_answer)


async def download(
    db: Read, caller: Caller, estimate_id: str, pdf_export_id: str, request: Request, blobs: Blobs
) -> Answer:
    """The PDF, to be shown where it is opened; one range of it where a Range header asks for it."""
    file = await pdf_exports.find_file_for(db, caller, estimate_id, pdf_export_id)
    return sent(request, blobs, file, inline=True)
