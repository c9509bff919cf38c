"""Estimates and their revisions in the database."""

from msgspec import Raw

from backbench.domain.estimating.confirmed_revisions import ConfirmedRevision, DocumentSnapshot
from backbench.domain.estimating.document_facts import DocumentFacts
from backbench.domain.estimating.estimates import (
    Estimate,
    EstimateEdit,
    EstimateRevision,
    LineItem,
    RevisionTerms,
)
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json_text
from backbench.domain.values.times import Instant
from backbench.storage.engine.cursors import decode_number_cursor
from backbench.storage.engine.database import Read, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.parameters import is_sent, json_or_none, or_none
from backbench.storage.estimating import files, line_uses

COLUMNS = """id, workshop_id, name, markup_percent, discount_percent, created_at, updated_at, line_items,
    recipient_name"""
_REVISION_COLUMNS = """id, revision_number, created_at, created_by_uid, name, markup_percent, discount_percent,
    line_items"""
_LINES_SIZE = "octet_length(line_items)"


async def find(db: Read, estimate_id: str) -> Estimate:
    """Raises NotFound."""
    estimate = await db.one(Estimate, f"SELECT {COLUMNS} FROM estimates WHERE id = :id", id=estimate_id)
    if estimate is None:
        raise NotFound
    return estimate


class ListedEstimate(Estimate, frozen=True):
    """An estimate whose line items stay the JSON that is stored, which is the JSON of a response.

    Decoding and encoding the 500 lines of an estimate would take 4 ms.
    """

    line_items: Raw  # type: ignore[assignment]


class ListedRevision(EstimateRevision, frozen=True):
    """A revision whose line items stay JSON."""

    line_items: Raw  # type: ignore[assignment]


def of_workshop(workshop_id: str) -> NewestFirst[ListedEstimate]:
    """The workshop's estimates."""
    source = "FROM estimates WHERE workshop_id = :workshop_id"
    select = f"SELECT {COLUMNS} {source}"
    return NewestFirst(ListedEstimate, select, {"workshop_id": workshop_id}, source=source, size=_LINES_SIZE)


def revisions_of(estimate_id: str) -> NewestFirst[ListedRevision]:
    """The estimate's revisions, the highest number first."""
    source = "FROM revisions WHERE estimate_id = :estimate_id"
    return NewestFirst(
        ListedRevision,
        f"SELECT {_REVISION_COLUMNS} {source}",
        {"estimate_id": estimate_id},
        at="revision_number",
        source=source,
        size=_LINES_SIZE,
        decode=decode_number_cursor,
    )


async def list_ids(db: Read, workshop_id: str) -> list[str]:
    """The ids of the workshop's estimates, newest first."""
    sql = "SELECT id FROM estimates WHERE workshop_id = :workshop_id ORDER BY created_at DESC, id DESC"
    return await db.all(str, sql, workshop_id=workshop_id)


async def add(db: Write, estimate: Estimate) -> None:
    await db.run(
        """
        INSERT INTO estimates (id, workshop_id, name, recipient_name, markup_percent, discount_percent, line_items,
            created_at, updated_at)
        VALUES (:id, :workshop_id, :name, :recipient_name, :markup_percent, :discount_percent, :line_items,
            :created_at, :updated_at)
        """,
        id=estimate.id,
        workshop_id=estimate.workshop_id,
        name=estimate.name,
        recipient_name=or_none(estimate.recipient_name),
        markup_percent=estimate.markup_percent.shortest(),
        discount_percent=estimate.discount_percent.shortest(),
        line_items=to_json_text(estimate.line_items),
        created_at=estimate.created_at,
        updated_at=estimate.updated_at,
    )
    await line_uses.add(db, estimate)


async def save_edit(
    db: Write, estimate_id: str, edit: EstimateEdit, line_items: list[LineItem] | None, at: Instant
) -> Estimate:
    """Writes only the members that were sent; `line_items` replaces the list if it is not None. Raises NotFound."""
    estimate = await db.one(
        Estimate,
        f"""
        UPDATE estimates SET name = coalesce(:name, name),
            recipient_name = CASE WHEN :has_recipient = 1 THEN :recipient_name ELSE recipient_name END,
            markup_percent = coalesce(:markup_percent, markup_percent),
            discount_percent = coalesce(:discount_percent, discount_percent),
            line_items = coalesce(:line_items, line_items), updated_at = :at
        WHERE id = :id RETURNING {COLUMNS}
        """,
        id=estimate_id,
        name=or_none(edit.name),
        has_recipient=is_sent(edit.recipient_name),
        recipient_name=or_none(edit.recipient_name),
        markup_percent=json_or_none(edit.markup_percent),
        discount_percent=json_or_none(edit.discount_percent),
        line_items=json_or_none(line_items),
        at=at,
    )
    if estimate is None:
        raise NotFound
    await (line_uses.save_used_at if line_items is None else line_uses.save)(db, estimate)
    return estimate


async def delete(db: Write, estimate_id: str) -> None:
    """Deletes the estimate with its revisions, PDF exports and hand-offs."""
    await files.delete_of_estimate(db, estimate_id)
    await db.run("DELETE FROM estimates WHERE id = :id", id=estimate_id)


async def take_next_revision_number(db: Write, estimate_id: str) -> int:
    """Increments the number in the row itself: no gap and no duplicate under concurrent requests. Raises NotFound."""
    number: int | None = await db.value(
        "UPDATE estimates SET latest_revision = latest_revision + 1 WHERE id = :id RETURNING latest_revision",
        id=estimate_id,
    )
    if number is None:
        raise NotFound
    return number


async def latest_revision_number(db: Read, estimate_id: str) -> int:
    """0 for an estimate that was never confirmed, or does not exist."""
    number = await db.value("SELECT latest_revision FROM estimates WHERE id = :id", id=estimate_id)
    return int(number or 0)


async def add_revision(db: Write, estimate: Estimate, confirmed: ConfirmedRevision) -> None:
    """What the response of a revision does not have is stored with it for its documents and totals."""
    revision = confirmed.revision
    await db.run(
        """
        INSERT INTO revisions (workshop_id, estimate_id, revision_number, id, created_at, created_by_uid, name,
            recipient_name, markup_percent, discount_percent, line_items, terms, facts, snapshot, logo_file_id)
        VALUES (:workshop_id, :estimate_id, :revision_number, :id, :created_at, :created_by_uid, :name,
            :recipient_name, :markup_percent, :discount_percent, :line_items, :terms, :facts, :snapshot, :logo_file_id)
        """,
        workshop_id=estimate.workshop_id,
        estimate_id=estimate.id,
        revision_number=revision.revision_number,
        id=revision.id,
        created_at=revision.created_at,
        created_by_uid=revision.created_by_uid,
        name=revision.name,
        recipient_name=or_none(estimate.recipient_name),
        markup_percent=revision.markup_percent.shortest(),
        discount_percent=revision.discount_percent.shortest(),
        line_items=to_json_text(revision.line_items),
        terms=to_json_text(confirmed.terms),
        facts=to_json_text(confirmed.facts),
        snapshot=to_json_text(confirmed.snapshot),
        logo_file_id=confirmed.snapshot.logo_file_id,
    )


async def find_revision(db: Read, estimate_id: str, number: int) -> EstimateRevision:
    """Raises NotFound."""
    revision = await db.one(
        EstimateRevision,
        f"SELECT {_REVISION_COLUMNS} FROM revisions WHERE estimate_id = :id AND revision_number = :number",
        id=estimate_id,
        number=number,
    )
    if revision is None:
        raise NotFound
    return revision


class _ConfirmedRow(EstimateRevision, frozen=True):
    """The columns of a revision, and those that its response shape does not have."""

    recipient_name: str | None
    terms: RevisionTerms | None
    facts: DocumentFacts
    snapshot: DocumentSnapshot

    def to_confirmed(self) -> ConfirmedRevision:
        revision = EstimateRevision(*(getattr(self, name) for name in EstimateRevision.__struct_fields__))
        # The oldest revisions were confirmed before terms were stored.
        terms = self.terms or self.facts.revision_terms(self.snapshot.settings)
        return ConfirmedRevision(revision, self.recipient_name or "", terms, self.facts, self.snapshot)


async def find_confirmed(db: Read, estimate_id: str, number: int) -> ConfirmedRevision:
    """The revision with what its documents and totals need. Raises NotFound."""
    row = await db.one(
        _ConfirmedRow,
        f"""
        SELECT {_REVISION_COLUMNS}, recipient_name, terms, coalesce(facts, '{{}}') AS facts, snapshot FROM revisions
        WHERE estimate_id = :id AND revision_number = :number
        """,
        id=estimate_id,
        number=number,
    )
    if row is None:
        raise NotFound
    return row.to_confirmed()
