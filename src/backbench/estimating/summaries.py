"""Estimate summaries: what a list of estimates shows of each, without line items."""

from datetime import date
from typing import Annotated, Literal, NamedTuple

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.engine.database import Read, Value, Write
from backbench.engine.lists import NewestFirst
from backbench.engine.rows import containing
from backbench.estimating import document_settings
from backbench.estimating.document_facts import NO_FACTS, DocumentFacts, RevisionTerms
from backbench.estimating.document_settings import DocumentSettings
from backbench.estimating.line_items import Figures, LineItem, last_valid_day, summed_total
from backbench.values import money
from backbench.values.enums import DecisionOutcome, HandoffKind
from backbench.values.numbers import Number
from backbench.values.pagination import Page, PagedList, PageQuery
from backbench.values.scalars import fold_case
from backbench.values.shapes import made_of
from backbench.values.times import Instant

# `confirmed`: as the latest revision. `changed`: since the latest revision.
EstimateState = Literal["draft", "confirmed", "changed"]


class SummarizedRevision(Struct, frozen=True, rename="camel"):
    number: int
    confirmed_at: Instant
    total: Number
    valid_until: date | UnsetType = UNSET


class SummarizedHandoff(Struct, frozen=True, rename="camel"):
    kind: HandoffKind
    created_at: Instant
    revision_number: int


class SummarizedDecision(Struct, frozen=True, rename="camel"):
    """The decision of the client that stands."""

    outcome: DecisionOutcome
    decided_at: Instant
    revision_number: int


class EstimateSummary(Struct, frozen=True, rename="camel", kw_only=True):
    """`total` is in the present currency of the workshop, that of the revision in the currency it was confirmed in."""

    estimate_id: str
    name: str
    recipient_name: str | UnsetType = UNSET
    number: str | UnsetType = UNSET
    lines: int
    currency: str
    total: Number
    updated_at: Instant
    state: EstimateState
    latest_revision: SummarizedRevision | UnsetType = UNSET
    last_handoff: SummarizedHandoff | UnsetType = UNSET
    last_pdf_export_id: str | UnsetType = UNSET
    order_id: str | UnsetType = UNSET
    decision: SummarizedDecision | UnsetType = UNSET
    sent_at: Instant | UnsetType = UNSET
    opened_at: Instant | UnsetType = UNSET


class EstimateSummariesList(PagedList, frozen=True):
    summaries: list[EstimateSummary]


class SummaryFilter(PageQuery, frozen=True, rename="camel"):
    estimate_id: Annotated[str, Meta(max_length=100)] | None = None
    q: Annotated[str, Meta(max_length=250)] | None = None
    state: EstimateState | None = None


class Validity(Struct, frozen=True, rename="camel"):
    """What a summary needs of the snapshot of a revision."""

    valid_until: date | None = None


class StoredSummary(Struct, frozen=True):
    """A row of the list. Line items come with it only where their stored figures do not give the total.

    Those of an earlier version are still to be computed; taxes by line, and net prices that are shown gross, need the
    lines.
    """

    id: str
    updated_at: Instant
    name: str
    recipient_name: str | UnsetType
    state: EstimateState
    number: str | UnsetType
    markup_percent: Number
    discount_percent: Number
    facts: DocumentFacts
    figures: str | None
    line_items: list[LineItem] | None
    revision_number: int | None
    confirmed_at: Instant | None
    revision_markup: Number | None
    revision_discount: Number | None
    revision_terms: RevisionTerms | None
    revision_snapshot: Validity | None
    revision_figures: str | None
    revision_line_items: list[LineItem] | None
    handoff_kind: HandoffKind | None
    handoff_at: Instant | None
    handoff_revision: int | None
    pdf_export_id: str | UnsetType
    order_id: str | UnsetType
    decision_outcome: DecisionOutcome | None
    decided_at: Instant | None
    decided_revision: int | None
    shared_at: Instant | None
    opened_at: Instant | None

    def to_summary(self, settings: DocumentSettings) -> EstimateSummary:
        """The summary, with totals in the currencies and taxes of the settings and of the revision."""
        figures, terms = _figures(self.figures, self.line_items), self.facts.revision_terms(settings)
        return made_of(
            EstimateSummary,
            self,
            estimate_id=self.id,
            lines=figures.lines,
            currency=settings.currency,
            total=_total(figures, self.line_items, self.markup_percent, self.discount_percent, terms),
            latest_revision=self._revision(settings),
            last_handoff=self._handoff(),
            last_pdf_export_id=self.pdf_export_id,
            decision=self._decision(),
            sent_at=self._sent_at() or UNSET,
            opened_at=self._since_confirmed(self.opened_at) or UNSET,
        )

    def _revision(self, settings: DocumentSettings) -> SummarizedRevision | UnsetType:
        if self.revision_number is None:
            return UNSET
        assert self.confirmed_at is not None
        assert self.revision_markup is not None
        assert self.revision_discount is not None
        figures = _figures(self.revision_figures, self.revision_line_items)
        # Revisions of early versions have no terms of their own.
        terms = self.revision_terms or NO_FACTS.early_terms(settings)
        lines = self.revision_line_items
        total = _total(figures, lines, self.revision_markup, self.revision_discount, terms)
        valid_until = None if self.revision_snapshot is None else self.revision_snapshot.valid_until
        return SummarizedRevision(self.revision_number, self.confirmed_at, total, valid_until or UNSET)

    def _handoff(self) -> SummarizedHandoff | UnsetType:
        if self.handoff_kind is None:
            return UNSET
        assert self.handoff_at is not None
        assert self.handoff_revision is not None
        return SummarizedHandoff(self.handoff_kind, self.handoff_at, self.handoff_revision)

    def _sent_at(self) -> Instant | None:
        """When the latest revision was sent last. A link may be older than the revision that it shows."""
        is_handed = self.handoff_revision is not None and self.handoff_revision == self.revision_number
        sent = max((self.handoff_at if is_handed else None) or "", self.shared_at or "")
        return max(sent, self.confirmed_at or "") if sent else None

    def _since_confirmed(self, at: Instant | None) -> Instant | None:
        return at if at and self.confirmed_at and at >= self.confirmed_at else None

    def _decision(self) -> SummarizedDecision | UnsetType:
        if self.decision_outcome is None:
            return UNSET
        assert self.decided_at is not None
        assert self.decided_revision is not None
        return SummarizedDecision(self.decision_outcome, self.decided_at, self.decided_revision)


def stored_total(
    figures: str | None,
    line_items: list[LineItem] | None,
    markup_percent: Number,
    discount_percent: Number,
    terms: RevisionTerms,
) -> Number:
    """The total of an estimate or revision as it is stored: its lines are needed where the figures do not give it."""
    return _total(_figures(figures, line_items), line_items, markup_percent, discount_percent, terms)


def _figures(stored: str | None, line_items: list[LineItem] | None) -> Figures:
    return Figures.of(line_items or []) if stored is None else Figures.parse(stored)


def _total(
    figures: Figures,
    line_items: list[LineItem] | None,
    markup_percent: Number,
    discount_percent: Number,
    terms: RevisionTerms,
) -> Number:
    if line_items is None or terms.is_total_of_sum:
        return figures.total(
            markup_percent=markup_percent,
            discount_percent=discount_percent,
            # A sum of gross prices includes it.
            tax_percent=None if terms.tax is None or terms.computed == "gross" else terms.tax.rate,
            currency=terms.currency,
        )
    if terms.computed == "gross":
        subtotal = money.gross_subtotal(line_items, terms.tax, terms.line_taxes, terms.currency)
        return money.total_of_sum(
            subtotal,
            markup_percent=markup_percent,
            discount_percent=discount_percent,
            tax_percent=None,
            currency=terms.currency,
        )
    return terms.totals(_Content(line_items, markup_percent, discount_percent)).total


class _Content(NamedTuple):
    line_items: list[LineItem]
    markup_percent: Number
    discount_percent: Number


# Statements


# A name in quotation marks is only ever that of a member, as the marks in texts are escaped.
_LINE_TAXES = "LIKE '%\"lineTaxes\":%'"
_ENTERED_GROSS = 'LIKE \'%"pricesEntered":"gross"%\''
_SHOWN_GROSS = 'LIKE \'%"pricesShown":"gross"%\''
_SHOWN = "LIKE '%\"pricesShown\":%'"
_COMPUTED_GROSS = 'LIKE \'%"computed":"gross"%\''


def estimate_lines(workshop_id: str = "e.workshop_id") -> str:
    """The line items of an estimate `e`, NULL where its figures give its total: see `RevisionTerms.is_total_of_sum`.

    In a list, `workshop_id` is a parameter: the settings of the workshop are then looked at once.
    """
    return f"""CASE WHEN e.figures IS NULL OR coalesce(e.facts, '') NOT {_ENTERED_GROSS} AND (
            e.facts {_LINE_TAXES} OR e.facts {_SHOWN_GROSS} OR coalesce(e.facts, '') NOT {_SHOWN} AND EXISTS (
                SELECT 1 FROM workshops w WHERE w.id = {workshop_id} AND w.document_settings {_SHOWN_GROSS}))
        THEN e.line_items END"""


# The same of a revision `r`.
REVISION_LINES = f"""CASE WHEN r.figures IS NULL OR coalesce(r.terms, '') NOT {_ENTERED_GROSS}
            AND (r.facts {_LINE_TAXES} OR r.terms {_COMPUTED_GROSS})
        THEN r.line_items END"""
# The links that show the latest revision of an estimate `e`.
_LINKS = """FROM links l
            WHERE l.estimate_id = e.id AND l.revision_number = e.latest_revision AND l.revoked_at IS NULL"""
# Each joined row is found by an index, so that only those of the page are read.
SELECT = f"""
    SELECT e.id, e.updated_at, e.name, e.recipient_name, e.state, e.number, e.markup_percent, e.discount_percent,
        coalesce(e.facts, '{{}}') AS facts, e.figures,
        {estimate_lines(":workshop_id")} AS line_items,
        r.revision_number, r.created_at AS confirmed_at, r.markup_percent AS revision_markup,
        r.discount_percent AS revision_discount, r.terms AS revision_terms, r.snapshot AS revision_snapshot,
        r.figures AS revision_figures,
        {REVISION_LINES} AS revision_line_items,
        h.kind AS handoff_kind, h.created_at AS handoff_at, h.revision_number AS handoff_revision,
        (SELECT p.id FROM pdf_exports p WHERE p.estimate_id = e.id
            ORDER BY p.generated_at DESC, p.id DESC LIMIT 1) AS pdf_export_id,
        (SELECT o.id FROM orders o WHERE o.estimate_id = e.id
            ORDER BY o.created_at DESC, o.id DESC LIMIT 1) AS order_id,
        d.outcome AS decision_outcome, d.decided_at, d.revision_number AS decided_revision,
        (SELECT max(l.created_at) {_LINKS}) AS shared_at,
        (SELECT max(l.last_opened_at) {_LINKS}) AS opened_at
    FROM estimates e
        LEFT JOIN revisions r ON r.estimate_id = e.id AND r.revision_number = e.latest_revision
        LEFT JOIN handoffs h ON h.id = (SELECT latest.id FROM handoffs latest WHERE latest.estimate_id = e.id
            ORDER BY latest.created_at DESC, latest.id DESC LIMIT 1)
        LEFT JOIN decisions d ON d.estimate_id = e.id AND d.voided_at IS NULL
    WHERE """


def of_workshop(workshop_id: str, wanted: SummaryFilter) -> NewestFirst[StoredSummary]:
    """The workshop's estimates that match the filter, the latest changed first."""
    conditions = ["e.workshop_id = :workshop_id"]
    values: dict[str, Value] = {"workshop_id": workshop_id}
    if wanted.estimate_id is not None:
        conditions.append("e.id = :estimate_id")
        values["estimate_id"] = wanted.estimate_id
    if wanted.state is not None:
        conditions.append("e.state = :state")
        values["state"] = wanted.state
    if wanted.q:
        # NULL until the texts of an earlier version have been folded.
        conditions.append("""(coalesce(e.name_folded, lower(e.name)) LIKE :pattern ESCAPE '!'
            OR coalesce(e.recipient_folded, lower(e.recipient_name)) LIKE :pattern ESCAPE '!'
            OR coalesce(e.number_folded, lower(e.number)) LIKE :pattern ESCAPE '!')""")
        values["pattern"] = containing(wanted.q)
    return NewestFirst(StoredSummary, SELECT + " AND ".join(conditions), values, at="e.updated_at", id_="e.id")


class _WithoutFigures(Struct, frozen=True):
    table_name: str
    id: str
    name: str
    recipient_name: str | None
    line_items: list[LineItem]
    stored: str


async def add_figures(db: Write, most: int) -> int:
    """Computes what an earlier version did not store, for up to `most` estimates and revisions. Returns how many."""
    rows = await db.all(
        _WithoutFigures,
        """
        SELECT 'estimates' AS table_name, id, name, recipient_name, line_items, line_items AS stored
        FROM estimates WHERE figures IS NULL
        UNION ALL SELECT 'revisions' AS table_name, id, name, recipient_name, line_items, line_items AS stored
        FROM revisions WHERE figures IS NULL LIMIT :most
        """,
        most=most,
    )
    for row in rows:
        values: dict[str, Value] = {"id": row.id, "figures": str(Figures.of(row.line_items))}
        folded = ""
        if row.table_name == "estimates":
            folded = ", name_folded = :name_folded, recipient_folded = :recipient_folded"
            values |= {"name_folded": fold_case(row.name), "recipient_folded": fold_case(row.recipient_name or "")}
        # Another transaction may have changed the row since it was read.
        await db.run(
            f"UPDATE {row.table_name} SET figures = :figures{folded} WHERE id = :id AND line_items = :stored",
            **values,
            stored=row.stored,
        )
    return len(rows)


class _WithoutTotal(Struct, frozen=True):
    id: str
    markup_percent: Number
    discount_percent: Number
    terms: RevisionTerms | None
    snapshot: Validity | None
    figures: str | None
    line_items: list[LineItem] | None
    settings: DocumentSettings


async def add_missing(db: Write, most: int) -> int:
    """Computes the totals of up to `most` revisions. Returns how many."""
    rows = await db.all(
        _WithoutTotal,
        f"""
        SELECT r.id, r.markup_percent, r.discount_percent, r.terms, r.snapshot, r.figures,
            {REVISION_LINES} AS line_items, w.document_settings AS settings
        FROM revisions r JOIN workshops w ON w.id = r.workshop_id WHERE r.currency IS NULL LIMIT :most
        """,
        most=most,
    )
    for row in rows:
        # Revisions of early versions have no terms of their own.
        terms = row.terms or NO_FACTS.early_terms(row.settings)
        total = stored_total(row.figures, row.line_items, row.markup_percent, row.discount_percent, terms)
        await db.run(
            """
            UPDATE revisions SET currency = :currency, total_thousandths = :thousandths, valid_until = :valid_until
            WHERE id = :id
            """,
            id=row.id,
            currency=terms.currency,
            thousandths=summed_total(total),
            valid_until=last_valid_day(None if row.snapshot is None else row.snapshot.valid_until),
        )
    return len(rows)


async def copy_missing(db: Write, most: int) -> int:
    """Copies the totals of up to `most` decisions from their revisions. Returns how many."""
    return await db.run(
        """
        UPDATE decisions SET currency = r.currency, total_thousandths = r.total_thousandths FROM revisions r
        WHERE r.estimate_id = decisions.estimate_id AND r.revision_number = decisions.revision_number
            AND decisions.id IN (SELECT a.id FROM decisions a JOIN revisions t ON t.estimate_id = a.estimate_id
                AND t.revision_number = a.revision_number AND t.currency IS NOT NULL
                WHERE a.currency IS NULL LIMIT :most)
        """,
        most=most,
    )


# Verbs


async def list_all(db: Read, workshop_id: str, query: SummaryFilter) -> Page[EstimateSummary]:
    """List summaries of the estimates of a workshop, the latest changed first."""
    settings = await document_settings.find(db, workshop_id)
    page = await of_workshop(workshop_id, query).page(db, query)
    return page.map(lambda row: row.to_summary(settings))
