"""Estimate summaries in the database: a page of the list is one statement."""

from msgspec import Struct

from backbench.domain.estimating.estimates import LineItem
from backbench.domain.estimating.figures import Figures
from backbench.domain.estimating.summaries import StoredSummary, SummaryFilter
from backbench.domain.values.scalars import fold_case
from backbench.storage.engine.database import Value, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.parameters import containing

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

# Each joined row is found by an index, so that only those of the page are read.
_SELECT = f"""
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
        d.outcome AS decision_outcome, d.decided_at, d.revision_number AS decided_revision
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
    return NewestFirst(StoredSummary, _SELECT + " AND ".join(conditions), values, at="e.updated_at", id_="e.id")


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
