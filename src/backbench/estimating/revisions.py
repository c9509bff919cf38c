"""Revisions of estimates in the database."""

from msgspec import UNSET, Raw, Struct

from backbench.engine.database import Read, Write
from backbench.engine.lists import NewestFirst, decode_number_cursor
from backbench.engine.objects import Loaded
from backbench.engine.rows import columns
from backbench.estimating import document_facts, document_numbers, document_settings
from backbench.estimating.confirmed_revisions import (
    ConfirmedRevision,
    DocumentSnapshot,
    RevisionTotals,
    as_revision,
    revision_totals,
    snapshot,
)
from backbench.estimating.document_facts import NO_RECIPIENT, DocumentFacts, EstimateRef, RecipientTexts, StoredFacts
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.estimates import (
    STORED_COLUMNS,
    Estimate,
    EstimateConfirmation,
    EstimateRevision,
    StoredEstimate,
)
from backbench.estimating.figures import last_valid_day, summed_total
from backbench.estimating.line_items import LineItems
from backbench.estimating.summaries import stored_total
from backbench.estimating.terms import RevisionTerms
from backbench.orders import balances
from backbench.services import Services
from backbench.values.calls import Call
from backbench.values.errors import Conflict, NotFound
from backbench.values.numbers import Number, to_json, to_json_text
from backbench.values.pagination import Page, PageQuery
from backbench.values.times import Instant
from backbench.workshops import workshops
from backbench.workshops.audit import Audited
from backbench.workshops.workshops import StoredWorkshop

# Statements


_COLUMNS = columns(EstimateRevision)
# Of a ConfirmedRow.
CONFIRMED_COLUMNS = f"{_COLUMNS}, recipient_name, terms, coalesce(facts, '{{}}') AS facts, snapshot"


class ListedRevision(EstimateRevision, frozen=True):
    """A revision whose line items stay JSON."""

    line_items: Raw  # type: ignore[assignment]


def of_estimate(estimate_id: str) -> NewestFirst[ListedRevision]:
    """The estimate's revisions, the highest number first."""
    source = "FROM revisions WHERE estimate_id = :estimate_id"
    return NewestFirst(
        ListedRevision,
        f"SELECT {_COLUMNS} {source}",
        {"estimate_id": estimate_id},
        at="revision_number",
        source=source,
        size="octet_length(line_items)",
        decode=decode_number_cursor,
    )


async def has_logo_image(db: Read, estimate_id: str, number: int) -> bool:
    """Whether an image logo was stored with the revision. Its documents may not show it."""
    found = await db.value(
        "SELECT logo_file_id FROM revisions WHERE estimate_id = :estimate_id AND revision_number = :number",
        estimate_id=estimate_id,
        number=number,
    )
    return found is not None


async def find(db: Read, estimate_id: str, number: int) -> EstimateRevision:
    """Raises NotFound."""
    revision = await db.one(
        EstimateRevision,
        f"SELECT {_COLUMNS} FROM revisions WHERE estimate_id = :id AND revision_number = :number",
        id=estimate_id,
        number=number,
    )
    if revision is None:
        raise NotFound
    return revision


class ConfirmedRow(EstimateRevision, frozen=True):
    """The columns of a revision, and those that its response shape does not have."""

    recipient_name: str | None
    terms: RevisionTerms | None
    facts: DocumentFacts
    snapshot: DocumentSnapshot

    def to_confirmed(self) -> ConfirmedRevision:
        revision = EstimateRevision(*(getattr(self, name) for name in EstimateRevision.__struct_fields__))
        # The oldest revisions were confirmed before terms were stored.
        terms = self.terms or self.facts.early_terms(self.snapshot.settings)
        return ConfirmedRevision(revision, self.recipient_name or "", terms, self.facts, self.snapshot)


async def find_confirmed(db: Read, estimate_id: str, number: int) -> ConfirmedRevision:
    """The revision with what its documents and totals need. Raises NotFound."""
    row = await db.one(
        ConfirmedRow,
        f"SELECT {CONFIRMED_COLUMNS} FROM revisions WHERE estimate_id = :id AND revision_number = :number",
        id=estimate_id,
        number=number,
    )
    if row is None:
        raise NotFound
    return row.to_confirmed()


async def latest_number(db: Read, estimate_id: str) -> int:
    """0 for an estimate that was never confirmed, or does not exist."""
    number = await db.value("SELECT latest_revision FROM estimates WHERE id = :id", id=estimate_id)
    return int(number or 0)


async def add(db: Write, estimate: Estimate, confirmed: ConfirmedRevision, figures: str) -> int:
    """What the response of a revision does not have is stored with it for its documents and totals.

    `figures` are those of its line items. Returns the bytes of what the response does not have.
    """
    revision = confirmed.revision
    shown, own = confirmed.facts.without_customer(), confirmed.own_facts.without_customer()
    terms, facts, snapshot = map(to_json_text, (confirmed.terms, shown, confirmed.snapshot))
    own_facts = None if own == shown else to_json_text(own)
    await db.add(
        "revisions",
        workshop_id=estimate.workshop_id,
        estimate_id=estimate.id,
        revision_number=revision.revision_number,
        id=revision.id,
        created_at=revision.created_at,
        created_by_uid=revision.created_by_uid,
        name=revision.name,
        recipient_name=confirmed.recipient_name or None,
        markup_percent=revision.markup_percent,
        discount_percent=revision.discount_percent,
        line_items=revision.line_items,
        figures=figures,
        terms=terms,
        facts=facts,
        snapshot=snapshot,
        logo_file_id=confirmed.snapshot.logo_file_id,
        customer_id=confirmed.own_facts.customer_id,
        own_facts=own_facts,
        own_recipient=None if confirmed.own_recipient == confirmed.recipient_name else confirmed.own_recipient,
        currency=confirmed.terms.currency,
        total_thousandths=summed_total(_total(confirmed, figures)),
        valid_until=last_valid_day(confirmed.snapshot.valid_until),
    )
    return sum(len(text.encode()) for text in (terms, facts, snapshot, own_facts or ""))


def _total(confirmed: ConfirmedRevision, figures: str) -> Number:
    """Its line items, which may be JSON, are read only where their sum does not give the total."""
    revision, terms = confirmed.revision, confirmed.terms
    lines = None if terms.is_total_of_sum else LineItems(to_json(revision.line_items)).all()
    return stored_total(figures, lines, revision.markup_percent, revision.discount_percent, terms)


class _Settings(Struct, frozen=True):
    document_settings: DocumentSettings


class Confirmable(StoredEstimate, frozen=True):
    """An estimate with what its documents show."""

    facts: StoredFacts
    settings: _Settings
    workshop: StoredWorkshop


# The estimate of a path that is to be confirmed: its snapshot, its number and the count against the plan belong to one
# state of it.
CONFIRMABLE = Loaded(
    Confirmable,
    "estimate",
    "estimates e",
    key="estimate_id",
    own_columns=f"{STORED_COLUMNS}, {document_facts.COLUMNS}, w.document_settings, {workshops.COLUMNS}",
    joins="LEFT JOIN workshops w ON w.id = e.workshop_id",
)


async def save(db: Write, estimate_id: str, revision_number: int, number: str, series_number: str | None) -> bool:
    """The estimate is then as its latest revision, which is to be added in the same transaction.

    `number` is that of its documents; `series_number` is given where it is a new one of the series. Returns whether the
    estimate has orders, for which another price may hold now.
    """
    orders = await db.value(
        """
        UPDATE estimates SET latest_revision = :revision, state = 'confirmed', number = :number,
            series_number = coalesce(:series, series_number), number_folded = coalesce(:series, number_folded)
        WHERE id = :id RETURNING (SELECT count(*) FROM orders o WHERE o.estimate_id = estimates.id)
        """,
        id=estimate_id,
        revision=revision_number,
        number=number,
        series=series_number,
    )
    return bool(orders)


# Verbs


async def confirm(db: Write, call: Call, estimate: Confirmable, services: Services) -> Audited[EstimateConfirmation]:
    """Confirm an estimate: its present state becomes the next revision, which never changes.

    Raises Conflict `plan_limit` where the workshop's plan allows no further revision of this estimate.
    """
    workshop, facts = estimate.workshop, estimate.facts
    taken, limit = facts.latest_revision, workshop.plan_at(call.now, services.plan_rules).revisions_per_estimate
    if limit is not None and taken >= limit:
        detail = f"Your plan allows {limit} revisions per estimate"
        raise Conflict("plan_limit", detail, limit=limit, current=taken)
    settings = await _settings(db, estimate)
    # At the first confirmation the next number of the year, unless the estimate has one of its own.
    series = None if facts.number else await document_numbers.take(db, workshop.id, settings.today(call.now).year)
    number = facts.number or series or ""
    # Its line items stay the JSON that is stored.
    shown = estimate.shown
    revision = as_revision(shown, call.new_id(), taken + 1, call.now, call.uid)
    recipient = await customer_texts(db, facts.facts)
    sources = DocumentSources(workshop, settings, facts.facts, number, recipient)
    confirmed = snapshotted(shown, revision, sources, call.now)
    has_orders = await save(db, shown.id, taken + 1, number, series)
    copied = await add(db, shown, confirmed, str(estimate.read()[1]))
    if has_orders:
        await balances.save_owed_of_estimate(db, shown.id)
    return Audited(EstimateConfirmation(shown, revision), workshop.id, shown.id, copied=copied)


async def _settings(db: Write, stored: Confirmable) -> DocumentSettings:
    """The settings of the documents. An image that becomes part of a revision must not be deleted at the same time."""
    settings = stored.settings.document_settings
    if settings.logo_file_id is UNSET:
        return settings
    await db.lock(f"icons {stored.workshop.id}")
    return await document_settings.find(db, stored.workshop.id)


async def list_all(db: Read, estimate: EstimateRef, query: PageQuery) -> Page[ListedRevision]:
    """List the revisions of an estimate, newest first."""
    return await of_estimate(estimate.id).page(db, query)


async def get(db: Read, estimate: EstimateRef, revision_number: str) -> EstimateRevision:
    """Read a revision by its number."""
    return await find(db, estimate.id, _number(revision_number))


async def get_totals(db: Read, estimate: EstimateRef, revision_number: str) -> RevisionTotals:
    """Read the totals of a revision in the currency and with the taxes that it was confirmed with."""
    return revision_totals(await find_confirmed(db, estimate.id, _number(revision_number)))


def _number(text: str) -> int:
    """A revision number in a path. Raises NotFound."""
    if not text.isdecimal() or len(text) > 9 or text != str(int(text)):
        raise NotFound
    return int(text)


async def customer_texts(db: Read, facts: DocumentFacts) -> RecipientTexts:
    """What the record of the customer says for the recipient, as it is now."""
    return NO_RECIPIENT if facts.customer_id is UNSET else await document_facts.recipient_texts(db, facts.customer_id)


class DocumentSources(Struct, frozen=True):
    """What documents of an estimate show besides the estimate. `number` is that of the documents, "" for none.

    `recipient` is the record of its customer, for what neither the estimate nor its facts say.
    """

    workshop: StoredWorkshop
    settings: DocumentSettings
    facts: DocumentFacts
    number: str
    recipient: RecipientTexts


def snapshotted(
    estimate: Estimate, revision: EstimateRevision, sources: DocumentSources, now: Instant
) -> ConfirmedRevision:
    """The revision with everything that its documents show, as it is at `now`."""
    facts, settings = sources.facts.with_recipient(sources.recipient), sources.settings
    own_recipient = "" if estimate.recipient_name is UNSET else estimate.recipient_name
    return ConfirmedRevision(
        revision=revision,
        recipient_name=own_recipient or sources.recipient.name,
        terms=facts.revision_terms(settings),
        facts=facts,
        snapshot=snapshot(sources.workshop, settings, facts, sources.number, now),
        own_recipient=own_recipient,
        own_facts=sources.facts,
    )
