"""Links of an estimate: list, create with the PDF that the client sees, revoke and mail."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import Struct, structs

from backbench.actions.email_limits import count_shared_link
from backbench.actions.estimating import estimates
from backbench.actions.estimating.documents import PlannedDocument
from backbench.actions.estimating.estimates import find_for
from backbench.actions.estimating.files import add, once, written_blob
from backbench.actions.estimating.pdf_exports import PlannedExport, planned_export
from backbench.actions.services import Services
from backbench.domain.accounts.calls import Call
from backbench.domain.accounts.sessions import digest
from backbench.domain.documents.pdf_exports import PdfExport
from backbench.domain.estimating.files import StoredFile
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
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.estimating import pdf_exports
from backbench.storage.operations import email_outbox
from backbench.storage.sharing import links
from backbench.storage.sharing.links import NewStoredLink


async def list_all(db: Read, call: Call, estimate_id: str, query: PageQuery) -> Page[Link]:
    """List the links of an estimate, newest first, revoked ones included; never their tokens."""
    await find_for(db, call, estimate_id)
    return (await links.of_estimate(estimate_id).page(db, query)).map(lambda link: link.to_response(call.now))


class RenderedLink(Struct, frozen=True):
    """A link whose PDF is rendered and written, with its tokens: of its address, and of the code on the PDF."""

    new: NewStoredLink
    export: PdfExport
    file: StoredFile
    token: str
    # Its own, because the stored PDF has it in clear text.
    printed_token: str


@asynccontextmanager
async def render(
    db: Database, call: Call, estimate_id: str, body: NewLink, services: Services
) -> AsyncIterator[RenderedLink]:
    token, printed_token = new_token(), new_token()
    async with db.read() as read:
        planned = await _planned(read, call, estimate_id, body, page_url(services.public_url, printed_token), services)
    content = await services.renderer.render(await planned.document.with_logo(services.blobs))
    file = planned.export.file(len(content))
    async with written_blob(db, services.blobs, file.id, once(content), call.now):
        yield RenderedLink(planned.link(sha256_hex(content)), planned.export.export, file, token, printed_token)


async def create(
    db: Write, call: Call, estimate_id: str, prepared: RenderedLink, services: Services
) -> Audited[SharedLink]:
    """Create a link to a revision, and the PDF that its page shows. The address is in this response and nowhere else.

    Raises Conflict `not_confirmed` where the estimate has no revision, `plan_limit` where it has ten open links or the
    PDF exceeds the plan's storage.
    """
    new, file = prepared.new, prepared.file
    await estimates.lock_for(db, call, estimate_id)
    await _require_few_open(db, new.link, call.now)
    await add(db, file, call.now, services.plan_rules)
    await pdf_exports.add(db, file.workshop_id, estimate_id, prepared.export)
    await links.add(db, new)
    for token in (prepared.token, prepared.printed_token):
        await links.add_token(db, new.link.id, digest(token), call.now)
    stored = await links.find(db, new.link.id)
    shared = SharedLink(stored.to_response(call.now), page_url(services.public_url, prepared.token))
    return Audited(shared, file.workshop_id, estimate_id, copied=500 + len(new.document))


async def revoke(db: Write, call: Call, link_id: str) -> Audited[Link]:
    """Revoke a link. It stays in the list, with `revokedAt`; its tokens are no longer valid."""
    link = await lock_for(db, call, link_id)
    await links.save_revoked(db, link_id, call.now)
    revoked = structs.replace(link, revoked_at=call.now)
    return Audited(revoked.to_response(call.now), link.workshop_id, link.estimate_id)


async def mail(db: Write, call: Call, link_id: str, body: LinkMail, services: Services) -> Audited[Link]:
    """Email a link to the client, with a token of its own; receipts of a decision then go to this address.

    Raises Conflict `superseded` or `expired` where the client could only read.
    """
    link = await lock_for(db, call, link_id)
    link.require_current(call.now)
    await count_shared_link(db, call, body.email, services.email_limits)
    await links.save_receipt_email(db, link_id, body.email)
    details = to_json_text(SharedLinkDetails(link_id, body.tone, body.message))
    await email_outbox.add(
        db, call.new_id(), "estimate_shared", body.email, link.locale, call.now, details=details, sender=call.uid
    )
    return Audited(link.to_response(call.now), link.workshop_id, link.estimate_id)


async def find_active_for(db: Read, call: Call, link_id: str) -> StoredLink:
    """The link. Raises NotFound, once it is revoked too, and Forbidden when it is another workshop's."""
    link = await links.find(db, link_id)
    await find_for(db, call, link.estimate_id)
    if link.revoked_at is not None:
        raise NotFound
    return link


async def authorize(db: Read, call: Call, link_id: str) -> None:
    """Raises NotFound or Forbidden where the caller may not act on the link."""
    await find_active_for(db, call, link_id)


async def lock_for(db: Write, call: Call, link_id: str) -> StoredLink:
    """The link as it is once its estimate is locked: the state of its links and decisions is judged under that lock."""
    await estimates.lock_for(db, call, (await find_active_for(db, call, link_id)).estimate_id)
    return await find_active_for(db, call, link_id)


class _PlannedLink(Struct, frozen=True):
    """The document to render, the record of its PDF export, and the link without the hash of the PDF."""

    document: PlannedDocument
    export: PlannedExport
    stored: StoredLink
    shown: bytes

    def link(self, pdf_hash: str) -> NewStoredLink:
        return NewStoredLink(structs.replace(self.stored, pdf_hash=pdf_hash), self.shown)


async def _planned(db: Read, call: Call, estimate_id: str, body: NewLink, url: str, services: Services) -> _PlannedLink:
    export = await planned_export(db, call, estimate_id, body.to_export(), call.new_id(), services)
    shown = canonical_document(client_document(export.document.document))
    stored = StoredLink(
        id=call.new_id(),
        workshop_id=export.workshop_id,
        estimate_id=estimate_id,
        created_at=call.now,
        created_by_uid=call.uid,
        revision_number=export.export.revision_number,
        locale=body.locale,
        toggles=export.export.toggles,
        can_decide=body.can_decide,
        expires_at=body.expiry(export.document.document.valid_until, call.now),
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
