"""Totals of revisions and decisions of an earlier version, which did not store them, in the database."""

from msgspec import Struct

from backbench.domain.estimating.document_facts import NO_FACTS
from backbench.domain.estimating.document_settings import DocumentSettings
from backbench.domain.estimating.estimates import LineItem, RevisionTerms
from backbench.domain.estimating.figures import last_valid_day, summed_total
from backbench.domain.estimating.summaries import Validity, stored_total
from backbench.domain.values.numbers import Number
from backbench.storage.engine.database import Write
from backbench.storage.estimating.summaries import REVISION_LINES


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
