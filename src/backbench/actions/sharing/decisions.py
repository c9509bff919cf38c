"""Decisions about an estimate: a client's own, those that members record, and voiding them."""

from msgspec import UNSET, structs

from backbench.actions.estimating.documents import of_revision
from backbench.actions.services import Services
from backbench.actions.sharing import notices
from backbench.actions.sharing.openings import lookup_member
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.documents import PdfExportOptions
from backbench.domain.mail.details import LinkDetails
from backbench.domain.sharing.canonical_json import sha256_hex
from backbench.domain.sharing.client_documents import (
    canonical_document,
    client_document,
)
from backbench.domain.sharing.decisions import (
    Decision,
    NewAcceptance,
    NewDecision,
    NewDecline,
    StoredDecision,
    VoidedDecision,
)
from backbench.domain.sharing.links import LinkCall, StoredLink, already_decided, is_outdated
from backbench.domain.values.enums import DecisionOutcome
from backbench.domain.values.errors import Conflict, FieldError, Unauthenticated, ValidationError
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Audited
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import estimates, revisions
from backbench.storage.estimating.estimates import EstimateRef
from backbench.storage.orders import owed
from backbench.storage.sharing import decisions, links


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[Decision]:
    """List the decisions about an estimate, newest first, voided ones included."""
    return (await decisions.of_estimate(estimate.id).page(db, query)).map(StoredDecision.to_response)


async def accept(db: Write, call: LinkCall, body: NewAcceptance, services: Services) -> Audited[Decision]:
    """Accept the revision of a link. The address and the browser of the client become part of the evidence.

    Raises Conflict `decided`, `superseded`, `expired`, `not_decidable`; `changed` where the hash is not that of what
    the link shows, or the consent is not the one that it shows.
    """
    link = await lock_link(db, call)
    link.require_open(call.now)
    decision = structs.replace(
        of_client(call, link, "accepted"), name=body.name, signature=body.signature, consent=body.consent_to(link)
    )
    return await _decide(db, call, link, decision, services)


async def decline(db: Write, call: LinkCall, body: NewDecline, services: Services) -> Audited[Decision]:
    """Decline the revision of a link. Raises Conflict `decided`, `superseded`, `expired`, `not_decidable`."""
    link = await lock_link(db, call)
    link.require_open(call.now)
    name = None if body.name is UNSET else body.name
    decision = structs.replace(of_client(call, link, "declined"), name=name, reason=body.reason or None)
    return await _decide(db, call, link, decision, services)


async def lock_link(db: Write, call: LinkCall) -> StoredLink:
    """The link as it is once its estimate is locked: one of any number of parallel decisions stands.

    Raises Unauthenticated where it was revoked meanwhile.
    """
    await estimates.lock_row(db, call.caller.link.estimate_id)
    link = await links.lookup_active(db, call.caller.link.id)
    if link is None:
        raise Unauthenticated(has_token=True)
    return link


async def record(
    db: Write, call: Call, estimate: EstimateRef, body: NewDecision, services: Services
) -> Audited[Decision]:
    """Record a decision that the client made without a link, of which the client hears by email.

    Raises Conflict `decided`.
    """
    if body.revision_number > await revisions.latest_number(db, estimate.id):
        raise ValidationError(FieldError("/revisionNumber", "unknown", "This estimate has no such revision"))
    confirmed = await revisions.find_confirmed(db, estimate.id, body.revision_number)
    member = await accounts.find(db, call.uid)
    planned = await of_revision(db, confirmed, PdfExportOptions(), locale=member.locale, preliminary=False)
    document = canonical_document(client_document(planned.document))
    decision = StoredDecision(
        id=call.new_id(),
        workshop_id=estimate.workshop_id,
        estimate_id=estimate.id,
        recorded_at=call.now,
        revision_number=body.revision_number,
        outcome=body.outcome,
        method=body.method,
        decided_at=body.decided(confirmed.revision.created_at, call.now),
        locale=member.locale,
        document=document.decode(),
        document_hash=sha256_hex(document),
        name=body.name,
        recorded_by_uid=call.uid,
        recorded_by_name=member.name,
    )
    link = await links.lookup_newest(db, estimate.id)
    if link is not None:
        details = notices.by_member(call, link, decision_id=decision.id)
        email = await notices.queue_to_client(db, call, link, "decision_recorded", details, services)
        decision = structs.replace(decision, receipt_email=email)
    await _add(db, decision)
    event = f"estimate.{body.outcome}"
    return Audited(decision.to_response(), estimate.workshop_id, estimate.id, event, copied=stored_bytes(decision))


async def void(
    db: Write, call: Call, decision: StoredDecision, body: VoidedDecision, services: Services
) -> Audited[Decision]:
    """Void a decision: it no longer stands, its evidence stays, and the client hears why. Raises Conflict `voided`."""
    name = (await accounts.find(db, call.uid)).name
    if not await decisions.save_voided(db, decision.id, call.now, call.uid, name, body.reason):
        raise Conflict("voided", "This decision no longer stands, or its estimate was deleted")
    await owed.save_of_estimate(db, decision.estimate_id)
    link = await links.lookup_newest(db, decision.estimate_id)
    if decision.link_id is not None:
        link = await links.lookup_active(db, decision.link_id) or link
    if link is not None:
        details = notices.by_member(call, link, decision_id=decision.id)
        await notices.queue_to_client(db, call, link, "decision_voided", details, services)
    voided = await decisions.find(db, decision.id)
    return Audited(voided.to_response(), voided.workshop_id, voided.estimate_id)


async def _decide(
    db: Write, call: LinkCall, link: StoredLink, decision: StoredDecision, services: Services
) -> Audited[Decision]:
    """Adds the decision, with the receipts for both sides."""
    details = LinkDetails(link.id, decision_id=decision.id)
    decision = structs.replace(
        decision,
        signed_in_uid=await lookup_member(db, link.workshop_id, call.client.member_session, call.now),
        receipt_email=await notices.queue_to_client(db, call, link, "decision_receipt", details, services),
    )
    await _add(db, decision)
    await notices.queue_decided(db, call, decision, services)
    copied = stored_bytes(decision)
    return Audited(decision.to_response(), link.workshop_id, link.estimate_id, copied=copied)


def stored_bytes(decision: StoredDecision) -> int:
    """What a decision stores besides its response: the document, as evidence."""
    return 500 + len(decision.document.encode())


async def _add(db: Write, decision: StoredDecision) -> None:
    """Adds the decision in place of a decline of an older revision. Raises Conflict `decided` where another stands."""
    standing = await decisions.standing(db, decision.estimate_id)
    if standing is not None:
        if not is_outdated(standing.outcome, standing.revision_number, decision.revision_number):
            raise already_decided()
        await decisions.save_superseded(db, standing.id, decision.id, decision.recorded_at)
    await decisions.add(db, decision)
    await owed.save_of_estimate(db, decision.estimate_id)


def of_client(call: LinkCall, link: StoredLink, outcome: DecisionOutcome) -> StoredDecision:
    """A client's decision about what the link shows, with the evidence of this moment."""
    return StoredDecision(
        id=call.new_id(),
        workshop_id=link.workshop_id,
        estimate_id=link.estimate_id,
        recorded_at=call.now,
        revision_number=link.revision_number,
        outcome=outcome,
        method="link",
        decided_at=call.now,
        locale=link.locale,
        document=link.document,
        document_hash=link.document_hash,
        link_id=link.id,
        link_address=call.caller.address,
        pdf_hash=link.pdf_hash,
        pdf_export_id=link.pdf_export_id,
        address=call.client.address,
        user_agent=call.client.user_agent,
        openings=link.openings_until_now(),
    )
