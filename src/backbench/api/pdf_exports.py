"""The papers of an estimate over HTTP."""

from backbench.actions import pdf_exports
from backbench.api.answers import Answer
from backbench.api.downloads import sent
from backbench.api.requests import Request
from backbench.domain.sessions import Caller
from backbench.outside.blobs import Blobs
from backbench.storage.database import Read


async def download(
    db: Read, caller: Caller, estimate_id: str, pdf_export_id: str, request: Request, blobs: Blobs
) -> Answer:
    """The PDF, to be shown where it is opened; one range of it where a Range header asks for it."""
    file = await pdf_exports.find_file_for(db, caller, estimate_id, pdf_export_id)
    return sent(request, blobs, file, inline=True)
