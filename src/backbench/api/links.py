"""Links over HTTP: create and change with a concurrency limit per account, because a PDF is rendered for each."""

from backbench.actions.completion import Complete, complete_without_audit
from backbench.actions.sharing import links, shown_revisions
from backbench.actions.sharing.shown_revisions import ShownRevision
from backbench.domain.accounts.sessions import Caller
from backbench.domain.billing.plans import PlanRules
from backbench.domain.sharing.link_requests import LinkEdit, NewLink
from backbench.domain.sharing.links import ChangedLink, SharedLink
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import EmailLimits
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited
from backbench.http.concurrency import ConcurrencyLimit
from backbench.integrations.blobs import Blobs
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.engine.database import Database, Result, Work, Write


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
        prepared = await links.prepare_create(
            db, caller, estimate_id, body, renderer, blobs, public_url, now, new_id, plan_rules
        )

    async def record(write: Write) -> SharedLink:
        created = await links.create(write, caller, estimate_id, body, prepared, public_url, now, new_id, plan_rules)
        await complete(write, created)
        return created.result

    return await _recorded(db, prepared, record)


async def update(
    db: Database,
    caller: Caller,
    link_id: str,
    body: LinkEdit,
    renderer: PdfRenderer,
    blobs: Blobs,
    public_url: str,
    pdf_exports_at_once: ConcurrencyLimit,
    email_limits: EmailLimits,
    now: Instant,
    new_id: NewId,
    plan_rules: PlanRules,
    complete: Complete = complete_without_audit,
) -> ChangedLink:
    """Change which revision a link shows, until when, and whether it can be decided: the same address shows it."""
    async with pdf_exports_at_once.slot(caller.uid):
        prepared = await links.prepare_update(
            db, caller, link_id, body, renderer, blobs, public_url, now, new_id, plan_rules
        )

    async def record(write: Write) -> ChangedLink:
        changed = await links.update(write, caller, link_id, body, prepared, email_limits, now, new_id, plan_rules)
        if isinstance(changed, Audited):
            await complete(write, changed)
        return changed.result

    return await _recorded(db, prepared, record)


async def _recorded(db: Database, prepared: ShownRevision | None, record: Work[Result]) -> Result:
    """Runs the action. The blob of a PDF that it did not record is left to the sweep job."""
    try:
        return await db.write(record)
    except Exception:
        if prepared is not None:
            await shown_revisions.discard(db, prepared)
        raise
