"""Decisions about an estimate: a client's own, those that members record, and voiding them."""

from collections.abc import Callable

from msgspec import UNSET, UnsetType, structs

from backbench.actions.completion import Complete, complete_without_audit
from backbench.actions.estimating.documents import of_revision
from backbench.actions.estimating.estimates import find_for
from backbench.actions.sharing import notices
from backbench.actions.sharing.limits import count_decision
from backbench.domain.accounts.clients import Client
from backbench.domain.accounts.sessions import Caller
from backbench.domain.documents.documents import PdfExportOptions
from backbench.domain.sharing.canonical_json import sha256_hex
from backbench.domain.sharing.client_documents import canonical_document, client_document, offers_early_start, summary_of
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
from backbench.domain.sharing.links import LinkCaller, LinkLimits, OpenedLink, already_decided
from backbench.domain.values.enums import DecisionOutcome
from backbench.domain.values.errors import Conflict, FieldError, Unauthenticated, ValidationError
from backbench.domain.values.ids import NewId
from backbench.domain.values.pagination import Page, PageQuery
from backbench.domain.values.times import Instant
from backbench.domain.workshops.audit import Audited
from backbench.storage.accounts import accounts
from backbench.storage.engine.database import Database, Read, Work, Write
from backbench.storage.estimating import revisions
from backbench.storage.sharing import decisions, links


async def list_all(db: Read, caller: Caller, estimate_id: str, query: PageQuery) -> Page[Decision]:
    """List the decisions about an estimate, newest first, voided ones included."""
    await find_for(db, caller, estimate_id)
    return (await decisions.of_estimate(estimate_id).page(db, query)).map(StoredDecision.to_response)


async def accept(
    db: Database,
    caller: LinkCaller,
    body: NewAcceptance,
    client: Client,
    link_limits: LinkLimits,
    now: Instant,
    new_id: NewId,
    complete: Complete = complete_without_audit,
) -> Decision:
    """Accept the revision of a link.

    Raises Conflict `decided`, `superseded`, `expired`, `not_decidable`; `changed` where the hash is not that of what
    the link shows.
    """

    def decided(link: OpenedLink) -> StoredDecision:
        if body.document_hash != link.document_hash:
            raise Conflict("changed", "This is not what the link shows; load it again")
        decision = of_client(link, "accepted", client, now, new_id)
        return structs.replace(
            decision, name=body.name, signature=signature_of(body.signature), consent=_consent(link, body)
        )

    await count_decision(db, caller, link_limits, now)
    return await db.write(_deciding(caller, decided, now, new_id, complete))


def _consent(link: OpenedLink, body: NewAcceptance) -> Consent:
    """What the client agreed to, with the request for an early start where the document offers it."""
    consent = acceptance(link.locale, summary_of(link.document).title)
    if not body.start_early:
        return consent
    if not offers_early_start(link.document):
        raise ValidationError(FieldError("/startEarly", "not_offered", "This estimate does not offer an early start"))
    return with_early_start(consent, link.locale)


async def decline(
    db: Database,
    caller: LinkCaller,
    body: NewDecline,
    client: Client,
    link_limits: LinkLimits,
    now: Instant,
    new_id: NewId,
    complete: Complete = complete_without_audit,
) -> Decision:
    """Decline the revision of a link. Raises Conflict `decided`, `superseded`, `expired`, `not_decidable`."""

    def decided(link: OpenedLink) -> StoredDecision:
        decision = of_client(link, "declined", client, now, new_id)
        return structs.replace(decision, name=_or_none(body.name), reason=body.reason or None)

    await count_decision(db, caller, link_limits, now)
    return await db.write(_deciding(caller, decided, now, new_id, complete))


async def lock_link(db: Write, caller: LinkCaller) -> OpenedLink:
    """The link as it is once its estimate is locked. Raises Unauthenticated where it was revoked meanwhile."""
    await db.lock(f"estimate {caller.link.estimate_id}")
    link = await links.lookup_by_id(db, caller.link.id)
    if link is None:
        raise Unauthenticated(has_token=True)
    return link


async def record(
    db: Write, caller: Caller, estimate_id: str, body: NewDecision, now: Instant, new_id: NewId
) -> Audited[Decision]:
    """Record a decision that the client made without a link. Raises Conflict `decided`."""
    await db.lock(f"estimate {estimate_id}")
    estimate = await find_for(db, caller, estimate_id)
    if body.revision_number > await revisions.latest_number(db, estimate_id):
        raise ValidationError(FieldError("/revisionNumber", "unknown", "This estimate has no such revision"))
    if await decisions.standing_outcome(db, estimate_id) is not None:
        raise already_decided()
    confirmed = await revisions.find_confirmed(db, estimate_id, body.revision_number)
    locale = (await accounts.find(db, caller.uid)).locale
    planned = await of_revision(db, confirmed, PdfExportOptions(), locale=locale, preliminary=False)
    document = canonical_document(client_document(planned.document))
    decision = StoredDecision(
        id=new_id(),
        workshop_id=estimate.workshop_id,
        estimate_id=estimate_id,
        recorded_at=now,
        revision_number=body.revision_number,
        outcome=body.outcome,
        method=body.method,
        decided_at=body.decided(now),
        locale=locale,
        document=document.decode(),
        document_hash=sha256_hex(document),
        name=body.name,
        recorded_by_uid=caller.uid,
    )
    await decisions.add(db, decision)
    return Audited(decision.to_response(), estimate.workshop_id, estimate_id, f"estimate.{body.outcome}")


async def void(db: Write, caller: Caller, decision_id: str, body: VoidedDecision, now: Instant) -> Audited[Decision]:
    """Void a decision: it no longer stands, its evidence stays. Raises Conflict `voided`."""
    estimate_id = (await find_decision_for(db, caller, decision_id)).estimate_id
    await db.lock(f"estimate {estimate_id}")
    if not await decisions.save_voided(db, decision_id, now, caller.uid, body.reason):
        raise Conflict("voided", "This decision has been voided already")
    decision = await decisions.find(db, decision_id)
    return Audited(decision.to_response(), decision.workshop_id, estimate_id)


async def find_decision_for(db: Read, caller: Caller, decision_id: str) -> StoredDecision:
    """The decision. Raises NotFound, and Forbidden when it is another workshop's."""
    decision = await decisions.find(db, decision_id)
    await find_for(db, caller, decision.estimate_id)
    return decision


async def authorize(db: Read, caller: Caller, decision_id: str) -> None:
    """Raises NotFound or Forbidden where the caller may not act on the decision."""
    await find_decision_for(db, caller, decision_id)


def _deciding(
    caller: LinkCaller,
    decided: Callable[[OpenedLink], StoredDecision],
    now: Instant,
    new_id: NewId,
    complete: Complete,
) -> Work[Decision]:
    """Judges the link under the lock of its estimate, so that one of any number of parallel decisions stands."""

    async def decide(db: Write) -> Decision:
        link = await lock_link(db, caller)
        link.require_open(now)
        decision = decided(link)
        await decisions.add(db, decision)
        await notices.queue_decided(db, link, decision, now, new_id)
        response = decision.to_response()
        await complete(db, Audited(response, link.workshop_id, link.estimate_id))
        return response

    return decide


def of_client(
    link: OpenedLink, outcome: DecisionOutcome, client: Client, now: Instant, new_id: NewId
) -> StoredDecision:
    """A decision with a link, with its evidence; without the name of the client."""
    return StoredDecision(
        id=new_id(),
        workshop_id=link.workshop_id,
        estimate_id=link.estimate_id,
        recorded_at=now,
        revision_number=link.revision_number,
        outcome=outcome,
        method="link",
        decided_at=now,
        locale=link.locale,
        document=link.document,
        document_hash=link.document_hash,
        link_id=link.id,
        pdf_hash=link.pdf_hash,
        address=client.address,
        user_agent=client.user_agent,
        openings=link.openings_until_now(),
    )


def _or_none(name: str | UnsetType) -> str | None:
    return None if name is UNSET else name
