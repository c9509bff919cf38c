"""Estimates and their revisions in the database."""

from msgspec import Raw

from backbench.domain.estimating.confirmed_revisions import ConfirmedRevision, DocumentSnapshot
from backbench.domain.estimating.document_facts import DocumentFacts
from backbench.domain.estimating.estimates import (
    Estimate,
    EstimateRevision,
    RevisionTerms,
)
from backbench.domain.estimating.figures import Figures
from backbench.domain.values.errors import NotFound
from backbench.domain.values.numbers import to_json, to_json_text
from backbench.domain.values.scalars import fold_case
from backbench.domain.workshops.workshops import MemberRole
from backbench.storage.engine.cursors import decode_number_cursor
from backbench.storage.engine.database import Read, Value, Write
from backbench.storage.engine.lists import NewestFirst
from backbench.storage.engine.parameters import or_none
from backbench.storage.engine.rows import SideBySide
from backbench.storage.estimating import files, line_uses
from backbench.storage.estimating.line_items import LineItems

COLUMNS = """id, workshop_id, name, markup_percent, discount_percent, created_at, updated_at, line_items,
    recipient_name"""
_REVISION_COLUMNS = """id, revision_number, created_at, created_by_uid, name, markup_percent, discount_percent,
    line_items"""
_LINES_SIZE = "octet_length(line_items)"
_OF_CALLER = f"""
    SELECT {", ".join(f"e.{column.strip()}" for column in COLUMNS.split(","))}, e.figures, m.role
    FROM estimates e LEFT JOIN members m ON m.workshop_id = e.workshop_id AND m.account_id = :uid WHERE e.id = :id
"""


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


class StoredEstimate(SideBySide, frozen=True):
    """An estimate that is about to be changed, and the caller's role in its workshop.

    `figures` are None where they have not been computed yet.
    """

    shown: ListedEstimate
    figures: str | None
    role: MemberRole | None

    def read(self) -> tuple[LineItems, Figures]:
        """Its line items and their figures."""
        json = bytes(self.shown.line_items)
        figures = Figures.of(LineItems(json).all()) if self.figures is None else Figures.parse(self.figures)
        return LineItems.stored(json, figures.lines), figures


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


async def lock(db: Write, estimate_id: str, uid: str) -> StoredEstimate:
    """The estimate, locked against changes by others until the end of the transaction. Raises NotFound."""
    estimate = await db.locking().one(StoredEstimate, _OF_CALLER, id=estimate_id, uid=uid)
    if estimate is None:
        raise NotFound
    return estimate


async def add(db: Write, estimate: Estimate) -> None:
    lines = LineItems(to_json(estimate.line_items))
    await db.run(
        """
        INSERT INTO estimates (id, workshop_id, name, name_folded, recipient_name, recipient_folded, markup_percent,
            discount_percent, line_items, figures, created_at, updated_at)
        VALUES (:id, :workshop_id, :name, :name_folded, :recipient_name, :recipient_folded, :markup_percent,
            :discount_percent, :line_items, :figures, :created_at, :updated_at)
        """,
        id=estimate.id,
        workshop_id=estimate.workshop_id,
        created_at=estimate.created_at,
        **_values(estimate, lines.json, Figures.of(estimate.line_items)),
    )
    await line_uses.save(db, estimate.workshop_id, estimate.id, {}, lines.uses())


async def save(db: Write, before: StoredEstimate, after: ListedEstimate, figures: Figures) -> None:
    """Saves an estimate that is locked. `figures` are those of its new line items."""
    lines = LineItems(bytes(after.line_items))
    await db.run(_SAVE, id=after.id, **_values(after, lines.json, figures))
    if after.line_items is not before.shown.line_items:
        await line_uses.save(
            db, after.workshop_id, after.id, LineItems(bytes(before.shown.line_items)).uses(), lines.uses()
        )


async def save_lines(db: Write, after: ListedEstimate, figures: Figures) -> None:
    """Saves the line items of a locked estimate, of which nothing else has changed. Their uses are saved apart."""
    await db.run(
        _SAVE_LINES,
        id=after.id,
        line_items=bytes(after.line_items).decode(),
        figures=str(figures),
        updated_at=after.updated_at,
    )


def state_with(**values: str) -> str:
    """The SQL of the state of an estimate with these values of its columns; the others stay as they are.

    The content decides, not the time: an estimate that was changed and changed back is as confirmed.
    """
    of = {name: f"estimates.{name}" for name in _CONTENT} | values
    return f"""
        CASE WHEN latest_revision = 0 THEN 'draft' WHEN EXISTS (
            SELECT 1 FROM revisions r
            WHERE r.estimate_id = :id AND r.revision_number = estimates.latest_revision AND r.name = {of["name"]}
                AND coalesce(r.recipient_name, '') = coalesce({of["recipient_name"]}, '')
                AND r.markup_percent = {of["markup_percent"]} AND r.discount_percent = {of["discount_percent"]}
                AND r.line_items = {of["line_items"]} AND coalesce(r.facts, '{{}}') = coalesce({of["facts"]}, '{{}}')
        ) THEN 'confirmed' ELSE 'changed' END"""


_CONTENT = ("name", "recipient_name", "markup_percent", "discount_percent", "line_items", "facts")
_STATE = state_with(
    name=":name",
    recipient_name=":recipient_name",
    markup_percent=":markup_percent",
    discount_percent=":discount_percent",
    line_items=":line_items",
)
_SAVE = f"""
    UPDATE estimates SET name = :name, name_folded = :name_folded, recipient_name = :recipient_name,
        recipient_folded = :recipient_folded, markup_percent = :markup_percent,
        discount_percent = :discount_percent, line_items = :line_items, figures = :figures,
        updated_at = :updated_at, state = {_STATE}
    WHERE id = :id
"""
_SAVE_LINES = f"""
    UPDATE estimates SET line_items = :line_items, figures = :figures, updated_at = :updated_at,
        state = {state_with(line_items=":line_items")}
    WHERE id = :id
"""


def _values(estimate: Estimate, line_items: bytes, figures: Figures) -> dict[str, Value]:
    """The columns that a change can change."""
    recipient = or_none(estimate.recipient_name)
    return {
        "name": estimate.name,
        "name_folded": fold_case(estimate.name),
        "recipient_name": recipient,
        "recipient_folded": fold_case(recipient or ""),
        "markup_percent": estimate.markup_percent.shortest(),
        "discount_percent": estimate.discount_percent.shortest(),
        "line_items": line_items.decode(),
        "figures": str(figures),
        "updated_at": estimate.updated_at,
    }


async def delete(db: Write, estimate_id: str) -> None:
    """Deletes the estimate with its revisions, PDF exports and hand-offs."""
    await files.delete_of_estimate(db, estimate_id)
    await db.run("DELETE FROM estimates WHERE id = :id", id=estimate_id)


async def take_next_revision_number(db: Write, estimate_id: str) -> int:
    """Increments the number in the row itself: no gap and no duplicate under concurrent requests. Raises NotFound.

    The estimate is then as its latest revision, which is to be added in the same transaction.
    """
    number: int | None = await db.value(
        """
        UPDATE estimates SET latest_revision = latest_revision + 1, state = 'confirmed' WHERE id = :id
        RETURNING latest_revision
        """,
        id=estimate_id,
    )
    if number is None:
        raise NotFound
    return number


async def latest_revision_number(db: Read, estimate_id: str) -> int:
    """0 for an estimate that was never confirmed, or does not exist."""
    number = await db.value("SELECT latest_revision FROM estimates WHERE id = :id", id=estimate_id)
    return int(number or 0)


async def add_revision(db: Write, estimate: Estimate, confirmed: ConfirmedRevision, figures: str) -> None:
    """What the response of a revision does not have is stored with it for its documents and totals.

    `figures` are those of its line items.
    """
    revision = confirmed.revision
    await db.run(
        """
        INSERT INTO revisions (workshop_id, estimate_id, revision_number, id, created_at, created_by_uid, name,
            recipient_name, markup_percent, discount_percent, line_items, figures, terms, facts,
            snapshot, logo_file_id)
        VALUES (:workshop_id, :estimate_id, :revision_number, :id, :created_at, :created_by_uid, :name,
            :recipient_name, :markup_percent, :discount_percent, :line_items, :figures, :terms, :facts,
            :snapshot, :logo_file_id)
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
        figures=figures,
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
