"""Message drafts: the text of the message with which an estimate is sent to the client."""

from decimal import Decimal

from msgspec import UNSET

from backbench.actions.estimating.documents import as_it_is
from backbench.actions.services import Services
from backbench.actions.workshops.ai_attempts import count_attempt
from backbench.domain.accounts.calls import Call
from backbench.domain.documents.documents import rates_of
from backbench.domain.documents.figures import deposit_of
from backbench.domain.drafting.drafts import DraftRequest, draft_prompt
from backbench.domain.drafting.providers import ModelError
from backbench.domain.estimating.confirmed_revisions import ConfirmedRevision
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import Estimate
from backbench.domain.estimating.message_drafts import DraftedMessage, NewMessageDraft
from backbench.domain.estimating.messages.facts import MessageDraft, MessageFacts
from backbench.domain.estimating.messages.templates import draft as fill_template
from backbench.domain.values.money import Totals
from backbench.domain.values.taxes import taxes_of_lines
from backbench.domain.values.text import in_locale
from backbench.domain.values.times import Instant
from backbench.domain.workshops.workshops import StoredWorkshop
from backbench.storage.engine.database import Database, Read, Write
from backbench.storage.estimating import document_settings, revisions
from backbench.storage.estimating.estimates import StoredEstimate
from backbench.storage.workshops import workshops


async def draft(
    db: Database, call: Call, estimate: StoredEstimate, body: NewMessageDraft, services: Services
) -> DraftedMessage:
    """Draft the message to a client: by the language model if one is set up and usable, else from a template.

    The message is about the latest revision, as is the PDF; without a revision, about the estimate in its present
    state. Raises RateLimited if a model is set up and the workshop has used up its attempts.
    """

    async def count_and_read(write: Write) -> DraftRequest:
        await count_attempt(write, call, estimate.shown.workshop_id, "message_draft", services.ai_limits.drafts)
        return await _request(write, estimate.decoded, body, call.now)

    if services.ai is None:
        async with db.read() as read:
            request = await _request(read, estimate.decoded, body, call.now)
    else:
        request = await db.write(count_and_read)
        try:
            written = await services.ai.respond(draft_prompt(request))
            return DraftedMessage(
                request.facts.numbered(written.subject), written.body, True, request.facts.revision_number
            )
        except ModelError:
            # The client has logged it, and a template is nearly as good.
            pass
    template = fill_template(request.facts, body.locale, body.tone, body.preliminary)
    return _drafted(request, template, ai_drafted=False)


def _drafted(request: DraftRequest, draft: MessageDraft, *, ai_drafted: bool) -> DraftedMessage:
    """The message, with the number of the document in its subject."""
    return DraftedMessage(request.facts.numbered(draft.subject), draft.body, ai_drafted, request.facts.revision_number)


async def _request(db: Read, estimate: Estimate, body: NewMessageDraft, now: Instant) -> DraftRequest:
    workshop = await workshops.find(db, estimate.workshop_id)
    settings = await document_settings.find(db, workshop.id)
    latest = await revisions.latest_number(db, estimate.id)
    if latest:
        confirmed = await revisions.find_confirmed(db, estimate.id, latest)
    else:
        confirmed = await as_it_is(db, estimate, now)
    facts = _facts(workshop, settings, confirmed, latest, body)
    labels = [line.label for line in confirmed.revision.line_items]
    return DraftRequest(facts, labels, body.locale, body.tone, body.preliminary)


def _facts(
    workshop: StoredWorkshop,
    settings: DocumentSettings,
    confirmed: ConfirmedRevision,
    latest: int,
    body: NewMessageDraft,
) -> MessageFacts:
    """The figures and dates are those of the revision, the signature that of the workshop as it is now."""
    terms = confirmed.terms
    totals = terms.totals(confirmed.revision)
    tax = taxes_of_lines(confirmed.revision.line_items, terms.tax, terms.line_taxes)[0]
    return MessageFacts(
        estimate_name=confirmed.revision.name,
        number=confirmed.snapshot.number,
        total=totals.total,
        currency=terms.currency,
        workshop_name=workshop.name,
        recipient_name=confirmed.recipient_name,
        # A tax that is no rate is not part of the total.
        tax=None if totals.tax is UNSET or (totals.taxes and not totals.tax) else totals.tax,
        tax_percent=tax.percent if tax is not None and totals.taxes is UNSET else None,
        tax_label=in_locale(terms.tax_label, body.locale),
        # The PDF of a preliminary estimate has no validity either.
        valid_until=None if body.preliminary else confirmed.snapshot.valid_until,
        crafter_name=workshop.crafter_name,
        phone=settings.phone,
        email=settings.email,
        with_pdf=body.with_pdf,
        revision_number=latest,
        title="estimate" if body.preliminary else confirmed.facts.title(confirmed.snapshot.settings),
        deposit=_deposit(confirmed, totals, body),
        deposit_kind=terms.deposit_kind,
        channel=body.channel,
        link=body.link,
    )


def _deposit(confirmed: ConfirmedRevision, totals: Totals, body: NewMessageDraft) -> Decimal | None:
    """As the PDF shows it; a preliminary one shows none."""
    deposit = None if body.preliminary else deposit_of(totals, rates_of(confirmed, body.locale))
    return None if deposit is None else deposit.amount
