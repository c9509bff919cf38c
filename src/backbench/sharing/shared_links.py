"""Shared links: a member shares a revision with its PDF, changes what a link shows, sends it by email, revokes it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import UNSET, Struct, structs

from backbench.accounts.rate_limits import count_shared_link
from backbench.accounts.sessions import digest
from backbench.engine.database import Database, Read, Write
from backbench.estimating import pdf_exports
from backbench.estimating.document_facts import EstimateRef
from backbench.estimating.files import add
from backbench.estimating.pdf_exports import NewPdfExport, PlannedExport, planned_export
from backbench.estimating.stored_blobs import once, written_blob
from backbench.mail import outbox
from backbench.mail.details import LinkDetails
from backbench.mail.outbox import NewEmail
from backbench.services import Services
from backbench.sharing import decisions, link_access, links, notices
from backbench.sharing.client_documents import canonical_document, client_document, sha256_hex
from backbench.sharing.links import (
    MAX_ADDRESSES,
    MAX_OPEN_LINKS,
    AddressKind,
    AddressWithSecret,
    ChangedLink,
    Link,
    LinkAddress,
    LinkEdit,
    LinkMail,
    LinkWithSecret,
    NewLink,
    StoredLink,
    new_token,
    page_url,
    receipt_email,
)
from backbench.values.calls import Call
from backbench.values.errors import Conflict, Unavailable
from backbench.values.numbers import to_json_text
from backbench.values.pagination import Page, PageQuery
from backbench.values.times import Instant
from backbench.workshops.audit import Audited, Unchanged


class ShownRevision(Struct, frozen=True):
    """`document` is the canonical JSON of what is shown; `size_bytes` is that of the PDF, whose blob is written."""

    export: PlannedExport
    document: bytes
    size_bytes: int
    pdf_hash: str
    # The PDF has its address in clear text.
    printed_token: str

    def on(self, link: StoredLink) -> StoredLink:
        """The link with this revision. It expires with the validity of the revision."""
        return structs.replace(
            link,
            revision_number=self.export.export.revision_number,
            toggles=self.export.export.toggles,
            pdf_export_id=self.export.export.id,
            pdf_hash=self.pdf_hash,
            document=self.document.decode(),
            document_hash=sha256_hex(self.document),
            receipt_email=receipt_email(self.export.recipient_email),
        ).until_validity()


@asynccontextmanager
async def rendered(
    db: Database, call: Call, estimate: EstimateRef, body: NewPdfExport, services: Services
) -> AsyncIterator[ShownRevision]:
    """Draws the PDF and writes its blob; the transaction in the block records it with `save_pdf`.

    Raises Conflict `not_confirmed`.
    """
    async with db.read() as read:
        export = await planned_export(read, call, estimate, body, call.new_id(), services)
    token = new_token()
    document = structs.replace(export.document.document, share_url=page_url(services.public_url, token))
    shown = canonical_document(client_document(document))
    with_logo = await structs.replace(export.document, document=document).with_logo(services.blobs)
    content = await services.renderer.render(with_logo)
    async with written_blob(db, services.blobs, export.export.id, once(content), call.now):
        yield ShownRevision(export, shown, len(content), sha256_hex(content), token)


async def save_pdf(db: Write, call: Call, shown: ShownRevision, services: Services) -> None:
    """Adds the record of the PDF, before a link is bound to it. Raises Conflict `plan_limit`."""
    await add(db, shown.export.file(shown.size_bytes), call.now, services.plan_rules)
    await pdf_exports.add(db, shown.export.workshop_id, shown.export.estimate_id, shown.export.export)


async def list_all(db: Read, call: Call, estimate: EstimateRef, query: PageQuery) -> Page[Link]:
    """List the links of an estimate with their addresses, newest first, revoked ones included; never their tokens."""
    addresses = await link_access.of_estimate(db, estimate.id)
    found = await links.of_estimate(estimate.id).page(db, query)
    return found.map(lambda link: link.to_response(call.now, addresses.get(link.id, [])))


@asynccontextmanager
async def prepare_create(
    db: Database, call: Call, estimate: EstimateRef, body: NewLink, services: Services
) -> AsyncIterator[ShownRevision]:
    """What the new link shows, and the PDF of it. Raises Conflict `not_confirmed`, `plan_limit`."""
    async with db.read() as read:
        await _require_few_open(read, estimate.id, call.now)
    async with rendered(db, call, estimate, body.to_export(), services) as shown:
        yield shown


async def create(
    db: Write, call: Call, estimate: EstimateRef, body: NewLink, prepared: ShownRevision, services: Services
) -> Audited[LinkWithSecret]:
    """Create a link to a revision, and the PDF that its page shows. The address is in this response and nowhere else.

    Raises Conflict `not_confirmed` where the estimate has no revision, `plan_limit` where it has ten open links or the
    PDF exceeds the plan's storage.
    """
    await _require_few_open(db, estimate.id, call.now)
    new = StoredLink(
        id=call.new_id(),
        workshop_id=estimate.workshop_id,
        estimate_id=estimate.id,
        created_at=call.now,
        created_by_uid=call.uid,
        revision_number=0,
        locale=body.locale,
        toggles=prepared.export.export.toggles,
        can_decide=body.can_decide,
    )
    link = prepared.on(new)
    if body.expires_at is not UNSET:
        link = link.until(body.expires_at, call.now)
    await save_pdf(db, call, prepared, services)
    await links.add(db, link)
    await _add_address(db, call, link.id, prepared.printed_token, "printed")
    await _add_address(db, call, link.id, token := new_token(), "shown")
    response = (await links.find(db, link.id)).to_response(call.now)
    shared = LinkWithSecret(response, page_url(services.public_url, token))
    return Audited(shared, estimate.workshop_id, estimate.id, copied=500 + len(prepared.document))


@asynccontextmanager
async def prepare_update(
    db: Database, call: Call, link: StoredLink, body: LinkEdit, services: Services
) -> AsyncIterator[ShownRevision | None]:
    """What the link is to show. None where it goes on showing the same revision. Raises Conflict."""
    async with db.read() as read:
        await _require_changeable(read, link)
    if body.revision_number is UNSET or body.revision_number == link.revision_number:
        yield None
        return
    export = NewPdfExport(link.locale, False, link.toggles, body.revision_number)
    async with rendered(db, call, EstimateRef(link.estimate_id, link.workshop_id), export, services) as shown:
        yield shown


async def update(
    db: Write, call: Call, link: StoredLink, body: LinkEdit, prepared: ShownRevision | None, services: Services
) -> Audited[ChangedLink] | Unchanged[ChangedLink]:
    """Change what a link shows and until when: its addresses stay. The client hears of the latest revision by email.

    What was decided keeps its own document. Raises Conflict `accepted` while an acceptance of the estimate stands,
    `revoked` for a revoked link.
    """
    await _require_changeable(db, link)
    with_document = await links.lookup_active(db, link.id)
    assert with_document is not None
    changed = _changed(with_document, body, prepared, call.now)
    if changed == with_document:
        return Unchanged(ChangedLink(link.to_response(call.now)))
    if prepared is not None:
        await save_pdf(db, call, prepared, services)
    await links.save(db, changed)
    if prepared is not None:
        await _add_address(db, call, link.id, prepared.printed_token, "printed")
        details = notices.by_member(call, link)
        await notices.queue_to_client(db, call, changed, "estimate_revised", details, services)
    response = (await links.find(db, link.id)).to_response(call.now)
    copied = 0 if prepared is None else 500 + len(prepared.document)
    return Audited(ChangedLink(response), link.workshop_id, link.estimate_id, copied=copied)


def _changed(link: StoredLink, body: LinkEdit, prepared: ShownRevision | None, now: Instant) -> StoredLink:
    after = link if prepared is None else prepared.on(link)
    if link.own_expiry:
        after = structs.replace(after, expires_at=link.expires_at, own_expiry=True)
    if body.expires_at is None:
        after = after.until_validity()
    elif body.expires_at is not UNSET:
        after = after.until(body.expires_at, now)
    return after if body.can_decide is UNSET else structs.replace(after, can_decide=body.can_decide)


async def revoke(db: Write, call: Call, link: StoredLink) -> Audited[Link]:
    """Revoke a link: its addresses no longer work. It stays in the list, as do its comments and decisions."""
    await links.save_revoked(db, link.id, call.now)
    revoked = structs.replace(link, revoked_at=call.now)
    return Audited(revoked.to_response(call.now), link.workshop_id, link.estimate_id)


async def add_address(db: Write, call: Call, link: StoredLink, services: Services) -> Audited[AddressWithSecret]:
    """Make a further address of the same link, for a client who has lost it. Raises Conflict `plan_limit`."""
    number = await link_access.count_shown(db, link.id) - 1
    if number >= MAX_ADDRESSES:
        detail = f"A link can have at most {MAX_ADDRESSES} further addresses"
        raise Conflict("plan_limit", detail, limit=MAX_ADDRESSES, current=number)
    await _add_address(db, call, link.id, token := new_token(), "shown")
    return Audited(AddressWithSecret(page_url(services.public_url, token)), link.workshop_id, link.estimate_id)


async def _add_address(db: Write, call: Call, link_id: str, token: str, kind: AddressKind) -> None:
    address = LinkAddress(kind, call.now, call.uid, call.caller.key_id or UNSET)
    await link_access.add(db, link_id, digest(token), address)


async def mail(db: Write, call: Call, link: StoredLink, body: LinkMail, services: Services) -> Audited[Link]:
    """Email a link to the client, with an address of its own; further emails to the client then go to the same mailbox.

    Raises Conflict `superseded` or `expired` where the client could only read, Unavailable without a mail server.
    """
    if not services.has_mail_server:
        raise Unavailable("mail_not_configured", "No mail server is set up on this server")
    link.require_current(call.now)
    await count_shared_link(db, call, link.workshop_id, body.email, services.email_limits)
    await links.save_mailed(db, link.id, body.email)
    details = LinkDetails(
        link.id,
        call.uid,
        call.caller.key_id,
        tone=body.tone,
        message=body.message,
    )
    email = NewEmail.to_client("estimate_shared", body.email, link.locale, to_json_text(details), link.workshop_id)
    await outbox.add(db, call.new_id(), email, call.now)
    return Audited(link.to_response(call.now), link.workshop_id, link.estimate_id)


async def _require_changeable(db: Read, link: StoredLink) -> None:
    if link.revoked_at is not None:
        raise Conflict("revoked", "This link has been revoked; create another one")
    if await decisions.standing_outcome(db, link.estimate_id) == "accepted":
        raise Conflict("accepted", "A client has accepted this estimate; void the decision first")


async def _require_few_open(db: Read, estimate_id: str, now: Instant) -> None:
    number = await links.count_open(db, estimate_id, now)
    if number >= MAX_OPEN_LINKS:
        detail = f"An estimate can have at most {MAX_OPEN_LINKS} open links; revoke one first"
        raise Conflict("plan_limit", detail, limit=MAX_OPEN_LINKS, current=number)
