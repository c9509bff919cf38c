"""Drafting the message with which an estimate goes out."""

from collections.abc import Sequence

from msgspec import UNSET

from backbench.actions.estimating.estimates import find_for
from backbench.actions.workshops.ai_attempts import count_attempt
from backbench.domain.accounts.sessions import Caller
from backbench.domain.ai import AiLimits
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import ConfirmedRevision, Estimate, LineItem
from backbench.domain.estimating.message_drafts import DraftedMessage, NewMessageDraft
from backbench.domain.estimating.messages import MessageFacts
from backbench.domain.estimating.messages import draft as built_in
from backbench.domain.values import times
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.integrations.drafter import Drafter
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.estimating import document_settings, estimates
from backbench.storage.workshops import workshops


async def draft(
    db: Database,
    caller: Caller,
    estimate_id: str,
    body: NewMessageDraft,
    drafter: Drafter | None,
    ai_limits: AiLimits,
    now: Instant,
    new_id: NewId,
) -> DraftedMessage:
    """Words a message for the client: by a language model where one is set up and answers, else from a template.

    It tells of the latest revision, which is what the client's paper shows; without one, of the estimate as it stands.
    RateLimited where the workshop has used up its attempts at the model.
    """

    async def admit(write: Write) -> tuple[MessageFacts, Sequence[LineItem]]:
        estimate = await find_for(write, caller, estimate_id)
        workshop_id = estimate.workshop_id
        await count_attempt(write, caller, workshop_id, "message_draft", ai_limits.drafts, now, new_id)
        return await _facts(write, estimate, now)

    if drafter is None:
        async with db.read() as read:
            facts, _ = await _facts(read, await find_for(read, caller, estimate_id), now)
    else:
        facts, work = await db.write(admit)
        worded = await drafter.draft(facts, work, body.locale, body.tone, body.preliminary)
        if worded is not None:
            return DraftedMessage(worded.subject, worded.body, ai_drafted=True)
    template = built_in(facts, body.locale, body.tone, body.preliminary)
    return DraftedMessage(template.subject, template.body, ai_drafted=False)


async def _facts(db: Read, estimate: Estimate, now: Instant) -> tuple[MessageFacts, Sequence[LineItem]]:
    workshop = await workshops.find(db, estimate.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    latest = await estimates.latest_number(db, estimate.id)
    confirmed = await estimates.find_confirmed(db, estimate.id, latest) if latest else None
    told = estimate if confirmed is None else confirmed.revision
    return _told(workshop, settings, estimate, confirmed, now), told.line_items


def _told(
    workshop: StoredWorkshop,
    settings: DocumentSettings,
    estimate: Estimate,
    confirmed: ConfirmedRevision | None,
    now: Instant,
) -> MessageFacts:
    told = estimate if confirmed is None else confirmed.revision
    issued_at = now if confirmed is None else confirmed.revision.created_at
    terms = (confirmed and confirmed.terms) or settings.terms
    totals = terms.totals(told)
    recipient = estimate.recipient_name if confirmed is None else confirmed.recipient_name
    return MessageFacts(
        estimate_name=told.name,
        total=totals.total,
        currency=terms.currency,
        workshop_name=workshop.name,
        recipient_name="" if recipient is UNSET else recipient,
        tax=None if totals.tax is UNSET else totals.tax,
        tax_percent=None if terms.tax_percent is UNSET else terms.tax_percent,
        tax_label=terms.tax_label,
        valid_until=settings.valid_until(times.parse(issued_at).date()),
        crafter_name=workshop.crafter_name,
        phone=settings.phone,
        email=settings.email,
    )
