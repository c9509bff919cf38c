"""PDF exports over HTTP: create with a concurrency limit per account, and download."""

from backbench.actions.completion import Complete, complete_without_audit
from backbench.actions.estimating import pdf_exports
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import PlanRules
from backbench.domain.documents.pdf_exports import NewPdfExport, PdfExport
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.http.concurrency import ConcurrencyLimit
from backbench.http.ranges import file_or_range
from backbench.http.requests import Request
from backbench.http.responses import Response
from backbench.integrations.blobs import Blobs
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.engine.database import Database, Read


async def create(
    db: Database,
    caller: Caller,
    estimate_id: str,
    body: NewPdfExport,
    renderer: PdfRenderer,
    blobs: Blobs,
    pdf_exports_at_once: ConcurrencyLimit,
    now: Instant,
    new_id: NewId,
    plan_rules: PlanRules,
    complete: Complete = complete_without_audit,
) -> PdfExport:
    """Create a PDF of a revision. The same revision, language and toggles give the same bytes.

    PDFs of one account are rendered one after the other, so that accounts do not wait for each other.
    """
    async with pdf_exports_at_once.slot(caller.uid):
        return await pdf_exports.create(
            db, caller, estimate_id, body, renderer, blobs, now, new_id, plan_rules, complete
        )


async def download(
    db: Read, caller: Caller, estimate_id: str, pdf_export_id: str, request: Request, blobs: Blobs
) -> Response:
    """Download a PDF export, inline, or one range of it with a Range header."""
    file = await pdf_exports.find_file_for(db, caller, estimate_id, pdf_export_id)
    return file_or_range(request, blobs, file, inline=True)
