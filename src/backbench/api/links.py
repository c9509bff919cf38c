"""Links over HTTP: create with a concurrency limit per account, because a PDF is rendered for each."""

from backbench.actions.completion import Complete, complete_without_audit
from backbench.actions.sharing import links
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import PlanRules
from backbench.domain.sharing.links import NewLink, SharedLink
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.http.concurrency import ConcurrencyLimit
from backbench.integrations.blobs import Blobs
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.engine.database import Database


async def create(
    db: Database,
    caller: Caller,
    estimate_id: str,
    body: NewLink,
    renderer: PdfRenderer,
    blobs: Blobs,
    public_url: str,
    pdf_exports_at_once: ConcurrencyLimit,
    now: Instant,
    new_id: NewId,
    plan_rules: PlanRules,
    complete: Complete = complete_without_audit,
) -> SharedLink:
    """Create a link to a revision, and the PDF that its page shows."""
    async with pdf_exports_at_once.slot(caller.uid):
        return await links.create(
            db, caller, estimate_id, body, renderer, blobs, public_url, now, new_id, plan_rules, complete
        )
