"""Message drafts: the text of the message with which an estimate is sent to the client."""

from msgspec import UNSET

from backbench.actions.estimating.estimates import find_for
from backbench.actions.workshops.ai_attempts import count_attempt
from backbench.domain.accounts.sessions import Caller
from backbench.domain.drafting.drafts import DraftRequest, draft_prompt
from backbench.domain.drafting.providers import AiLimits, ModelError
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import ConfirmedRevision, Estimate
from backbench.domain.estimating.message_drafts import DraftedMessage, NewMessageDraft
from backbench.domain.estimating.messages import MessageFacts
from backbench.domain.estimating.messages import draft as fill_template
from backbench.domain.values import times
from backbench.domain.values.ids import NewId
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.integrations.ai import AiClient
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.estimating import document_settings, estimates
from backbench.storage.workshops import workshops


async def draft(
    db: Database,
    caller: Caller,
    estimate_id: str,
    body: NewMessageDraft,
    ai: AiClient | None,
    ai_limits: AiLimits,
    now: Instant,
    new_id: NewId,
) -> DraftedMessage:
    """Draft the message to a client: by the language model if one is set up and usable, else from a template.

    The message is about the latest revision, as is the PDF; without a revision, about the estimate in its present
    state. Raises RateLimited if a model is set up and the workshop has used up its attempts.
    """

    async def count_and_read(write: Write) -> DraftRequest:
        estimate = await find_for(write, caller, estimate_id)
        workshop_id = estimate.workshop_id
        await count_attempt(write, caller, workshop_id, "message_draft", ai_limits.drafts, now, new_id)
        return await _request(write, estimate, body, now)

    if ai is None:
        async with db.read() as read:
            request = await _request(read, await find_for(read, caller, estimate_id), body, now)
    else:
        request = await db.write(count_and_read)
        try:
            written = await ai.respond(draft_prompt(request))
            return DraftedMessage(written.subject, written.body, True, request.facts.revision_number)
        except ModelError:
            # The client has logged it, and a template is nearly as good.
            pass
    template = fill_template(request.facts, body.locale, body.tone, body.preliminary)
    return DraftedMessage(template.subject, template.body, False, request.facts.revision_number)


async def _request(db: Read, estimate: Estimate, body: NewMessageDraft, now: Instant) -> DraftRequest:
    workshop = await workshops.find(db, estimate.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    latest = await estimates.latest_revision_number(db, estimate.id)
    confirmed = await estimates.find_confirmed(db, estimate.id, latest) if latest else None
    content = estimate if confirmed is None else confirmed.revision
    facts = _facts(workshop, settings, estimate, confirmed, body, now)
    return DraftRequest(facts, [line.label for line in content.line_items], body.locale, body.tone, body.preliminary)


def _facts(
    workshop: StoredWorkshop,
    settings: DocumentSettings,
    estimate: Estimate,
    confirmed: ConfirmedRevision | None,
    body: NewMessageDraft,
    now: Instant,
) -> MessageFacts:
    content = estimate if confirmed is None else confirmed.revision
    issued_at = now if confirmed is None else confirmed.revision.created_at
    terms = (confirmed and confirmed.terms) or settings.terms
    totals = terms.totals(content)
    recipient = estimate.recipient_name if confirmed is None else confirmed.recipient_name
    return MessageFacts(
        estimate_name=content.name,
        total=totals.total,
        currency=terms.currency,
        workshop_name=workshop.name,
        recipient_name="" if recipient is UNSET else recipient,
        tax=None if totals.tax is UNSET else totals.tax,
        tax_percent=None if terms.tax_percent is UNSET else terms.tax_percent,
        tax_label=terms.tax_label,
        # The PDF of a preliminary estimate has no validity either.
        valid_until=None if body.preliminary else settings.valid_until(times.parse(issued_at).date()),
        crafter_name=workshop.crafter_name,
        phone=settings.phone,
        email=settings.email,
        with_pdf=body.with_pdf,
        revision_number=0 if confirmed is None else confirmed.revision.revision_number,
        channel=body.channel,
    )
