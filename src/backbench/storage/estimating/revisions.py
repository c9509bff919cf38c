"""Revisions of estimates in the database."""

from msgspec import Raw

from backbench.domain.estimating.confirmed_revisions import ConfirmedRevision, DocumentSnapshot
from backbench.domain.estimating.document_facts import DocumentFacts
from backbench.domain.estimating.estimates import Estimate, EstimateRevision, RevisionTerms
from backbench.domain.estimating.figures import last_valid_day, summed_total
from backbench.domain.estimating.summaries import stored_total
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import Number, to_json, to_json_text
from backbench.storage.engine.cursors import decode_number_cursor
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.rows import columns
from backbench.storage.estimating.line_items import LineItems

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
