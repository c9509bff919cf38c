"""Decisions about an estimate: a client's own, those that members record, and voiding them."""

from msgspec import UNSET, UnsetType, structs

from backbench.actions.estimating.documents import of_revision
from backbench.actions.estimating.estimates import find_for, lock_for
from backbench.actions.sharing import notices
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.documents import PdfExportOptions
from backbench.domain.sharing.canonical_json import sha256_hex
from backbench.domain.sharing.client_documents import (
    canonical_document,
    client_document,
    offers_early_start,
    summary_of,
)
from backbench.domain.sharing.consents import Consent, acceptance, with_early_start
from backbench.domain.sharing.decisions import (
    Decision,
    NewAcceptance,
    NewDecision,
    NewDecline,
    StoredDecision,
    VoidedDecision,
    signature_of,
)
from backbench.domain.sharing.links import LinkCall, OpenedLink, already_decided
from backbench.domain.values.enums import DecisionOutcome
from backbench.domain.values.errors import Conflict, FieldError, Unauthenticated, ValidationError
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.workshops.audit import Audited
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Read, Write
from backbench.storage.estimating import estimates, revisions
from backbench.storage.sharing import decisions, links


async def list_all(db: Read, call: Call, estimate_id: str, query: PageQuery) -> Page[Decision]:
    """List the decisions about an estimate, newest first, voided ones included."""
    await find_for(db, call, estimate_id)
    return (await decisions.of_estimate(estimate_id).page(db, query)).map(StoredDecision.to_response)


async def accept(db: Write, call: LinkCall, body: NewAcceptance) -> Audited[Decision]:
    """Accept the revision of a link. The address and the browser of the client become part of the evidence.

    Raises Conflict `decided`, `superseded`, `expired`, `not_decidable`; `changed` where the hash is not that of what
    the link shows.
    """
    link = await _lock_open_link(db, call)
    if body.document_hash != link.document_hash:
        raise Conflict("changed", "This is not what the link shows; load it again")
    decision = of_client(call, link, "accepted")
    signature, consent = signature_of(body.signature), _consent(link, body)
    return await _decide(
        db, call, link, structs.replace(decision, name=body.name, signature=signature, consent=consent)
    )


def _consent(link: OpenedLink, body: NewAcceptance) -> Consent:
    """What the client agreed to, with the request for an early start where the document offers it."""
    consent = acceptance(link.locale, summary_of(link.document).title)
    if not body.start_early:
        return consent
    if not offers_early_start(link.document):
        raise ValidationError(FieldError("/startEarly", "not_offered", "This estimate does not offer an early start"))
    return with_early_start(consent, link.locale)


async def decline(db: Write, call: LinkCall, body: NewDecline) -> Audited[Decision]:
    """Decline the revision of a link. Raises Conflict `decided`, `superseded`, `expired`, `not_decidable`."""
    link = await _lock_open_link(db, call)
    decision = of_client(call, link, "declined")
    named = structs.replace(decision, name=_or_none(body.name), reason=body.reason or None)
    return await _decide(db, call, link, named)


async def _lock_open_link(db: Write, call: LinkCall) -> OpenedLink:
    """Judges the link under the lock of its estimate, so that one of any number of parallel decisions stands."""
    link = await lock_link(db, call)
    link.require_open(call.now)
    return link


async def _decide(db: Write, call: LinkCall, link: OpenedLink, decision: StoredDecision) -> Audited[Decision]:
    await decisions.add(db, decision)
    await notices.queue_decided(db, link, decision, call.now, call.new_id)
    copied = stored_bytes(decision)
    return Audited(decision.to_response(), link.workshop_id, link.estimate_id, copied=copied)


async def lock_link(db: Write, call: LinkCall) -> OpenedLink:
    """The link as it is once its estimate is locked. Raises Unauthenticated where it was revoked meanwhile."""
    await estimates.lock_row(db, call.caller.link.estimate_id)
    link = await links.lookup_by_id(db, call.caller.link.id)
    if link is None:
        raise Unauthenticated(has_token=True)
    return link


async def record(db: Write, call: Call, estimate_id: str, body: NewDecision) -> Audited[Decision]:
    """Record a decision that the client made without a link. Raises Conflict `decided`."""
    estimate = (await lock_for(db, call, estimate_id)).shown
    if body.revision_number > await revisions.latest_number(db, estimate_id):
        raise ValidationError(FieldError("/revisionNumber", "unknown", "This estimate has no such revision"))
    if await decisions.standing_outcome(db, estimate_id) is not None:
        raise already_decided()
    confirmed = await revisions.find_confirmed(db, estimate_id, body.revision_number)
    locale = (await accounts.find(db, call.uid)).locale
    planned = await of_revision(db, confirmed, PdfExportOptions(), locale=locale, preliminary=False)
    document = canonical_document(client_document(planned.document))
    decision = StoredDecision(
        id=call.new_id(),
        workshop_id=estimate.workshop_id,
        estimate_id=estimate_id,
        recorded_at=call.now,
        revision_number=body.revision_number,
        outcome=body.outcome,
        method=body.method,
        decided_at=body.decided(call.now),
        locale=locale,
        document=document.decode(),
        document_hash=sha256_hex(document),
        name=body.name,
        recorded_by_uid=call.uid,
    )
    await decisions.add(db, decision)
    event = f"estimate.{body.outcome}"
    return Audited(decision.to_response(), estimate.workshop_id, estimate_id, event, copied=stored_bytes(decision))


async def void(db: Write, call: Call, decision_id: str, body: VoidedDecision) -> Audited[Decision]:
    """Void a decision: it no longer stands, its evidence stays. Raises Conflict `voided`."""
    estimate_id = (await find_decision_for(db, call, decision_id)).estimate_id
    await lock_for(db, call, estimate_id)
    if not await decisions.save_voided(db, decision_id, call.now, call.uid, body.reason):
        raise Conflict("voided", "This decision has been voided already")
    decision = await decisions.find(db, decision_id)
    return Audited(decision.to_response(), decision.workshop_id, estimate_id)


def stored_bytes(decision: StoredDecision) -> int:
    """What a decision stores besides its response: the document, as evidence."""
    return 500 + len(decision.document.encode())


async def find_decision_for(db: Read, call: Call, decision_id: str) -> StoredDecision:
    """The decision. Raises NotFound, and Forbidden when it is another workshop's."""
    decision = await decisions.find(db, decision_id)
    await find_for(db, call, decision.estimate_id)
    return decision


async def authorize(db: Read, call: Call, decision_id: str) -> None:
    """Raises NotFound or Forbidden where the caller may not act on the decision."""
    await find_decision_for(db, call, decision_id)


def of_client(call: Call, link: OpenedLink, outcome: DecisionOutcome) -> StoredDecision:
    """A decision with a link, with its evidence; without the name of the client."""
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
        pdf_hash=link.pdf_hash,
        address=call.client.address,
        user_agent=call.client.user_agent,
        openings=link.openings_until_now(),
    )


def _or_none(name: str | UnsetType) -> str | None:
    return None if name is UNSET else name
