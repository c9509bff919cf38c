"""Links of an estimate: list, create with the PDF that the client sees, revoke and mail."""

from collections.abc import AsyncIterator

from msgspec import Struct, structs

from backbench.actions.completion import Complete, complete_without_audit
from backbench.actions.email_limits import count_shared_link
from backbench.actions.estimating import estimates
from backbench.actions.estimating.documents import PlannedDocument
from backbench.actions.estimating.estimates import find_for
from backbench.actions.estimating.files import add, store
from backbench.actions.estimating.pdf_exports import PlannedExport, planned_export
from backbench.domain.accounts.sessions import Caller, digest
from backbench.domain.billing.plans import PlanRules
from backbench.domain.mail.details import SharedLinkDetails
from backbench.domain.sharing.canonical_json import sha256_hex
from backbench.domain.sharing.client_documents import canonical_document, client_document
from backbench.domain.sharing.links import (
    MAX_OPEN_LINKS,
    Link,
    LinkMail,
    NewLink,
    SharedLink,
    StoredLink,
    new_token,
    page_url,
    receipt_email,
)
from backbench.domain.values.errors import Conflict, NotFound
from backbench.domain.values.ids import NewId
from backbench.domain.values.limits import EmailLimits
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited
from backbench.integrations.blobs import Blobs
from backbench.integrations.pdf.renderer import PdfRenderer
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.estimating import pdf_exports
from backbench.storage.operations import email_outbox
from backbench.storage.sharing import links
from backbench.storage.sharing.links import NewStoredLink


async def list_all(db: Read, caller: Caller, estimate_id: str, query: PageQuery, now: Instant) -> Page[Link]:
    """List the links of an estimate, newest first, revoked ones included; never their tokens."""
    await find_for(db, caller, estimate_id)
    return (await links.of_estimate(estimate_id).page(db, query)).map(lambda link: link.to_response(now))


async def create(
    db: Database,
    caller: Caller,
    estimate_id: str,
    body: NewLink,
    renderer: PdfRenderer,
    blobs: Blobs,
    public_url: str,
    now: Instant,
    new_id: NewId,
    plan_rules: PlanRules,
    complete: Complete = complete_without_audit,
) -> SharedLink:
    """Create a link to a revision, and the PDF that its page shows. The address is in this response and nowhere else.

    Raises Conflict `not_confirmed` where the estimate has no revision, `plan_limit` where it has ten open links or the
    PDF exceeds the plan's storage.
    """
    url = page_url(public_url, token := new_token())
    # Its own, because the stored PDF has it in clear text.
    printed = page_url(public_url, printed_token := new_token())
    async with db.read() as read:
        planned = await _planned(read, caller, estimate_id, body, printed, now, new_id, plan_rules)
    # Outside a transaction: rendering may take seconds.
    content = await renderer.render(await planned.document.with_logo(blobs))
    export, new = planned.export, planned.link(sha256_hex(content))
    file = export.file(len(content))

    async def record(write: Write) -> SharedLink:
        await estimates.lock_for(write, caller, estimate_id)
        await _require_few_open(write, new.link, now)
        await add(write, file, now, plan_rules)
        await pdf_exports.add(write, file.workshop_id, estimate_id, export.export)
        await links.add(write, new)
        for each in (token, printed_token):
            await links.add_token(write, new.link.id, digest(each), now)
        stored = await links.find(write, new.link.id)
        shared = SharedLink(stored.to_response(now), url)
        await complete(write, Audited(shared, file.workshop_id, estimate_id, copied=500 + len(new.document)))
        return shared

    return await store(db, blobs, file.id, _once(content), record, now)


async def revoke(db: Write, caller: Caller, link_id: str, now: Instant) -> Audited[Link]:
    """Revoke a link. It stays in the list, with `revokedAt`; its tokens are no longer valid."""
    link = await lock_for(db, caller, link_id)
    await links.save_revoked(db, link_id, now)
    revoked = structs.replace(link, revoked_at=now)
    return Audited(revoked.to_response(now), link.workshop_id, link.estimate_id)


async def mail(
    db: Write, caller: Caller, link_id: str, body: LinkMail, email_limits: EmailLimits, now: Instant, new_id: NewId
) -> Audited[Link]:
    """Email a link to the client, with a token of its own; receipts of a decision then go to this address.

    Raises Conflict `superseded` or `expired` where the client could only read.
    """
    link = await lock_for(db, caller, link_id)
    link.require_current(now)
    await count_shared_link(db, caller, body.email, email_limits, now)
    await links.save_receipt_email(db, link_id, body.email)
    details = to_json_text(SharedLinkDetails(link_id, body.tone, body.message))
    await email_outbox.add(
        db, new_id(), "estimate_shared", body.email, link.locale, now, details=details, sender=caller.uid
    )
    return Audited(link.to_response(now), link.workshop_id, link.estimate_id)


async def find_active_for(db: Read, caller: Caller, link_id: str) -> StoredLink:
    """The link. Raises NotFound, once it is revoked too, and Forbidden when it is another workshop's."""
    link = await links.find(db, link_id)
    await find_for(db, caller, link.estimate_id)
    if link.revoked_at is not None:
        raise NotFound
    return link


async def authorize(db: Read, caller: Caller, link_id: str) -> None:
    """Raises NotFound or Forbidden where the caller may not act on the link."""
    await find_active_for(db, caller, link_id)


async def lock_for(db: Write, caller: Caller, link_id: str) -> StoredLink:
    """The link as it is once its estimate is locked: the state of its links and decisions is judged under that lock."""
    await estimates.lock_for(db, caller, (await find_active_for(db, caller, link_id)).estimate_id)
    return await find_active_for(db, caller, link_id)


class _PlannedLink(Struct, frozen=True):
    """The document to render, the record of its PDF export, and the link without the hash of the PDF."""

    document: PlannedDocument
    export: PlannedExport
    stored: StoredLink
    shown: bytes

    def link(self, pdf_hash: str) -> NewStoredLink:
        return NewStoredLink(structs.replace(self.stored, pdf_hash=pdf_hash), self.shown)


async def _planned(
    db: Read,
    caller: Caller,
    estimate_id: str,
    body: NewLink,
    url: str,
    now: Instant,
    new_id: NewId,
    plan_rules: PlanRules,
) -> _PlannedLink:
    export = await planned_export(db, caller, estimate_id, body.to_export(), new_id(), now, plan_rules)
    shown = canonical_document(client_document(export.document.document))
    stored = StoredLink(
        id=new_id(),
        workshop_id=export.workshop_id,
        estimate_id=estimate_id,
        created_at=now,
        created_by_uid=caller.uid,
        revision_number=export.export.revision_number,
        locale=body.locale,
        toggles=export.export.toggles,
        can_decide=body.can_decide,
        expires_at=body.expiry(export.document.document.valid_until, now),
        revoked_at=None,
        pdf_export_id=export.export.id,
        pdf_hash="",
        document_hash=sha256_hex(shown),
        receipt_email=receipt_email(export.recipient_email),
        openings=0,
        first_opened_at=None,
        last_opened_at=None,
        newest_revision=0,
        outcome=None,
        decided_revision=None,
    )
    document = structs.replace(export.document.document, share_url=url)
    return _PlannedLink(structs.replace(export.document, document=document), export, stored, shown)


async def _require_few_open(db: Read, link: StoredLink, now: Instant) -> None:
    number = await links.count_open(db, link.estimate_id, link.revision_number, now)
    if number >= MAX_OPEN_LINKS:
        detail = f"An estimate can have at most {MAX_OPEN_LINKS} open links; revoke one first"
        raise Conflict("plan_limit", detail, limit=MAX_OPEN_LINKS, current=number)


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
