"""Message drafts: the text with which an estimate is sent to the client."""

from decimal import Decimal

from msgspec import UNSET, Struct

from backbench.documents.figures import deposit_of
from backbench.drafting.drafts import DraftRequest, draft_prompt
from backbench.engine.database import Database, Read, Write
from backbench.estimating import document_settings, revisions
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.documents import as_it_is, rates_of
from backbench.estimating.estimates import Estimate, StoredEstimate
from backbench.estimating.message_texts import MessageDraft, MessageFacts
from backbench.estimating.message_texts import draft as fill_template
from backbench.estimating.revisions import ConfirmedRevision
from backbench.integrations.prompts import ModelError
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.enums import DocumentLocale, MessageChannel, MessageLink, MessageTone
from backbench.values.money import Totals
from backbench.values.shapes import made_of
from backbench.values.taxes import taxes_of_lines
from backbench.values.text import in_locale
from backbench.values.times import Instant
from backbench.workshops import workshops
from backbench.workshops.synthesis import count_attempt
from backbench.workshops.workshops import StoredWorkshop


class NewMessageDraft(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """`with_pdf`: whether the PDF goes with the message. The channel `message` is an SMS or chat, which is shorter.

    `link`: what the client can do on the page whose address goes with the message, if one does. The body then has
    `{link}` in the place of the address.
    """

    locale: DocumentLocale
    tone: MessageTone
    preliminary: bool
    with_pdf: bool = False
    channel: MessageChannel = "email"
    link: MessageLink | None = None


class DraftedMessage(Struct, frozen=True, rename="camel"):
    """`ai_drafted`: whether a language model wrote the message; if false, the built-in template did.

    `revision_number`: the revision whose figures it states; 0 if they are those of the unconfirmed estimate.
    """

    subject: str
    body: str
    ai_drafted: bool
    revision_number: int


# Verbs


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
    is_revised = await revisions.is_revised(db, estimate.id, latest)
    facts = _facts(workshop, settings, confirmed, latest, body, is_revised=is_revised)
    labels = [line.label for line in confirmed.revision.line_items]
    return DraftRequest(facts, labels, body.locale, body.tone, body.preliminary)


def _facts(
    workshop: StoredWorkshop,
    settings: DocumentSettings,
    confirmed: ConfirmedRevision,
    latest: int,
    body: NewMessageDraft,
    *,
    is_revised: bool,
) -> MessageFacts:
    """The figures and dates are those of the revision, the signature that of the workshop as it is now."""
    terms = confirmed.terms
    totals = terms.totals(confirmed.revision)
    tax = taxes_of_lines(confirmed.revision.line_items, terms.tax, terms.line_taxes)[0]
    return made_of(
        MessageFacts,
        body,
        terms,
        settings,
        workshop,
        estimate_name=confirmed.revision.name,
        number=confirmed.snapshot.number,
        total=totals.total,
        workshop_name=workshop.name,
        recipient_name=confirmed.recipient_name,
        # A tax that is no rate is not part of the total.
        tax=None if totals.tax is UNSET or (totals.taxes and not totals.tax) else totals.tax,
        tax_percent=tax.percent if tax is not None and totals.taxes is UNSET else None,
        tax_label=in_locale(terms.tax_label, body.locale),
        # The PDF of a preliminary estimate has no validity either.
        valid_until=None if body.preliminary else confirmed.snapshot.valid_until,
        revision_number=latest,
        is_revised=is_revised,
        title="estimate" if body.preliminary else confirmed.facts.title(confirmed.snapshot.settings),
        deposit=_deposit(confirmed, totals, body),
    )


def _deposit(confirmed: ConfirmedRevision, totals: Totals, body: NewMessageDraft) -> Decimal | None:
    """As the PDF shows it; a preliminary one shows none."""
    deposit = None if body.preliminary else deposit_of(totals, rates_of(confirmed, body.locale))
    return None if deposit is None else deposit.amount
