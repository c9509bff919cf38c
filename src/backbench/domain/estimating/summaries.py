"""Estimate summaries: what a list of estimates shows of each, without line items."""

from datetime import date
from typing import Annotated, Literal, NamedTuple

from msgspec import UNSET, Meta, Struct, UnsetType

from backbench.domain.estimating.document_facts import NO_FACTS, DocumentFacts
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import LineItem, RevisionTerms
from backbench.domain.estimating.figures import Figures
from backbench.domain.estimating.handoffs import HandoffKind
from backbench.domain.values import money
from backbench.domain.values.enums import DecisionOutcome
from backbench.domain.values.numbers import Number
from backbench.domain.values.pagination import PageQuery
from backbench.domain.values.times import Instant

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


class EstimateSummariesList(Struct, frozen=True):
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

    def to_summary(self, settings: DocumentSettings) -> EstimateSummary:
        """The summary, with totals in the currencies and taxes of the settings and of the revision."""
        figures, terms = _figures(self.figures, self.line_items), self.facts.revision_terms(settings)
        return EstimateSummary(
            estimate_id=self.id,
            name=self.name,
            recipient_name=self.recipient_name,
            number=self.number,
            lines=figures.lines,
            currency=settings.currency,
            total=_total(figures, self.line_items, self.markup_percent, self.discount_percent, terms),
            updated_at=self.updated_at,
            state=self.state,
            latest_revision=self._revision(settings),
            last_handoff=self._handoff(),
            last_pdf_export_id=self.pdf_export_id,
            order_id=self.order_id,
            decision=self._decision(),
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
