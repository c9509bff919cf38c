"""PDF exports over HTTP: download."""

from backbench.actions.estimating import pdf_exports
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.http.streaming.ranges import file_or_range
from backbench.storage.engine.database import Read
from backbench.storage.estimating.estimates import EstimateRef


async def download(
    db: Read, call: Call, estimate: EstimateRef, pdf_export_id: str, request: Request, services: Services
) -> Response:
    """Download a PDF export, inline, or one range of it with a Range header."""
    file = await pdf_exports.find_file(db, call, estimate.id, pdf_export_id)
    return file_or_range(request, services.blobs, file, inline=True)
